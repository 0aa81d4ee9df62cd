"""Where a server can be reached from: this machine's address in its network, for a link that a phone can open."""

import contextlib
import socket

import msgspec

LOOPBACK = "127.0.0.1"


class NetworkAddress(msgspec.Struct, frozen=True):
    """How others reach this server."""

    open: bool
    """Whether it listens to other devices, too."""
    address: str | None
    """This machine's address in its network; only this machine's own browsers are told."""


def own_address() -> str:
    """Return this machine's address on its network, to give to friends; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        return str(probe.getsockname()[0])
    return LOOPBACK


def network(anywhere: bool, own_browser: bool) -> NetworkAddress:
    """Describe it: `anywhere` says whether others may come, `own_browser` whether a browser of this machine asks."""
    found = own_address() if anywhere and own_browser else LOOPBACK
    return NetworkAddress(anywhere, None if found == LOOPBACK else found)
