"""Where a server can be reached from: this machine only, or other devices too; the address for a link on a phone."""

import contextlib
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from tavolino.server.commands import refuse
from tavolino.server.config import Config
from tavolino.server.guard import host_of, is_loopback

LOOPBACK = "127.0.0.1"
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers that a proxy adds: whoever comes through one may be anywhere."""
log = logging.getLogger("tavolino.server")


class NetworkAddress(msgspec.Struct, frozen=True):
    """How others reach this server."""

    open: bool
    """Whether it listens to other devices, too."""
    address: str | None
    """This machine's address in its network; only this machine's own browsers are told."""
    may_open: bool
    """Whether whoever asks can let other devices in, by POST to the same address."""


def own_address() -> str:
    """Return this machine's address on its network, to give to friends; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        return str(probe.getsockname()[0])
    return LOOPBACK


class Door:
    """Whether other devices can come in. A server that listens on this machine only can open up while it runs.

    Only a browser on this machine may ask for that, on a page of the server's own. A server that is known by other
    names (`Config.origins`) stands behind a proxy, or speaks https: then nobody can, since a proxy's requests come from
    this machine, too.
    """

    def __init__(self, config: Config, find_address: Callable[[], str] = own_address) -> None:
        self._config = config
        self._find_address = find_address
        self.address: str | None = None
        """The address on which it listens besides this machine's own, once someone has opened it."""
        self.listen: Callable[[str], Awaitable[None]] | None = None
        """Listens on a further address; set by whoever runs the server. OSError or RuntimeError if it cannot."""

    def goes_by(self, host: str) -> bool:
        """Whether the server answers to this name because the door was opened."""
        return self.address is not None and host == self.address

    def describe(self, client: str, headers: Mapping[str, str]) -> NetworkAddress:
        """Say how this server is reached; `client` is the address that asks."""
        is_open = self._config.anywhere or self.address is not None
        found = LOOPBACK
        if is_open and is_loopback(client):
            found = self.address or self._find_address()
        may = not is_open and self._may_ask(client, headers)
        return NetworkAddress(is_open, None if found == LOOPBACK else found, may)

    def _may_ask(self, client: str, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from a browser on this machine, and this server is for nobody else yet."""
        config = self._config
        if self.listen is None or config.origins or config.tls:
            return False
        direct = not any(name in headers for name in FORWARDED)
        site = headers.get("sec-fetch-site", "same-origin")
        return (
            is_loopback(client) and direct and is_loopback(host_of(headers.get("host", ""))) and site == "same-origin"
        )

    async def open(self, client: str, headers: Mapping[str, str]) -> NetworkAddress:
        """Listen to other devices from now on; RequestRefused if this request may not ask for it, or nobody can."""
        if self._config.anywhere or self.address is not None:
            return self.describe(client, headers)
        # Pages of other sites were turned away before; a program that names no page is none of a person's browser.
        if self.listen is None or not self._may_ask(client, headers) or "origin" not in headers:
            refuse("not_allowed", "only a browser on the server's own machine can let other devices in", "not_here")
        address = self._find_address()
        if address == LOOPBACK:
            refuse("not_now", "this machine is in no network that other devices could share", "no_network")
        self.address = address  # before it listens: two who ask at once open it once
        try:
            await self.listen(address)
        except (OSError, RuntimeError) as error:
            self.address = None
            log.warning("other devices cannot be let in: %s", error)
            refuse("not_now", f"other devices cannot be let in: {error}", "no_network")
        log.info("other devices are let in")
        return self.describe(client, headers)
