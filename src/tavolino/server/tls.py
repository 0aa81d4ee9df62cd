"""https without a proxy: the certificate, read again when it is renewed, and the redirect from plain http."""

import asyncio
import contextlib
import logging
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from tavolino.server.guard import address_of, host_of
from tavolino.server.metrics import refused

LOOK_AGAIN = 60.0
"""Seconds after which the certificate's files are looked at again."""
HANDSHAKE = 10.0
"""Seconds that a client has to agree on a key."""
MOST_HEADER = 8192
REDIRECTS_AT_ONCE = 256
"""Beyond that, plain connections are closed unanswered."""
REDIRECTS_EACH = 32
"""And beyond that, those of one address."""
log = logging.getLogger("tavolino.server")


@dataclass(frozen=True)
class Certificate:
    """A certificate (with its chain) and its key, as PEM files."""

    chain: Path
    key: Path

    def load(self, context: ssl.SSLContext) -> None:
        """Let a context use it; RuntimeError says what is wrong with the files."""

        def no_password() -> str:
            raise RuntimeError(f"The key {self.key} needs a password. Use one without, that only the server can read")

        try:
            context.load_cert_chain(self.chain, self.key, no_password)
        except ssl.SSLError as error:
            why = "they do not belong together" if error.reason == "KEY_VALUES_MISMATCH" else "they are no PEM files"
            raise RuntimeError(f"The certificate {self.chain} and the key {self.key} cannot be used: {why}") from None
        except OSError as error:
            name = error.filename or f"{self.chain} or {self.key}"
            raise RuntimeError(f"The certificate cannot be read: {name}: {error.strerror}") from None

    def written(self) -> tuple[float, ...]:
        """Return when its files were last written."""
        return tuple(path.stat().st_mtime for path in (self.chain, self.key))

    async def watch(self, context: ssl.SSLContext) -> None:
        """Read it again when it was renewed; what is wrong with the new one is logged, and the old one stays."""
        known = self.written()
        while True:
            await asyncio.sleep(LOOK_AGAIN)
            with contextlib.suppress(OSError):  # being replaced just now
                now = self.written()
                if now != known:
                    known = now
                    try:
                        self.load(context)
                        log.info("the renewed certificate is in use")
                    except RuntimeError as error:
                        log.error("%s", error)


def make_context(certificate: Certificate) -> ssl.SSLContext:
    """Return a context for a server (TLS 1.2 or later); RuntimeError says what is wrong with the certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    certificate.load(context)
    return context


class Gate:
    """Where connections come in on https. Each counts for its address from the first moment.

    An event loop's own server tells of a connection once a key is agreed on. Until then, those that say nothing would
    be held without any limit, and one address could take all open files.
    """

    def __init__(
        self,
        context: ssl.SSLContext,
        make: Callable[[], asyncio.Protocol],
        count_for: Callable[[str], str | None],
        most: int,
    ) -> None:
        """Make one; of an address (`count_for`; None is not counted), so many may be agreeing on a key at once."""
        self._context, self._make, self._count_for, self._most = context, make, count_for, most
        self._pending: Counter[str] = Counter()
        self._sockets: list[socket] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, bound: socket, backlog: int) -> None:
        """Let connections in on a socket."""
        bound.setblocking(False)
        bound.listen(backlog)
        self._sockets.append(bound)
        self._spawn(self._accept(bound))

    def close(self) -> None:
        """Let nobody in any more; those who are in stay."""
        for task in self._tasks:
            task.cancel()
        for one in self._sockets:
            one.close()

    async def wait_closed(self) -> None:
        """Wait for nothing: it is closed at once."""

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, bound: socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, (host, *_) = await loop.sock_accept(bound)
            except OSError as error:  # no more open files, or whoever came has gone
                log.debug("nobody came in: %s", error)
                await asyncio.sleep(0.05)
                continue
            address = self._count_for(host)
            if address is not None and self._pending[address] >= self._most:
                refused("too_many_connections", host)
                connection.close()
            else:
                self._spawn(self._agree(connection, address))

    async def _agree(self, connection: socket, address: str | None) -> None:
        """Agree on a key with a client, and let it in."""
        if address is not None:
            self._pending[address] += 1
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                self._make, connection, ssl=self._context, ssl_handshake_timeout=HANDSHAKE
            )
        except (OSError, TimeoutError):  # ssl.SSLError is one
            connection.close()
        finally:
            if address is not None:
                self._pending[address] -= 1
                if not self._pending[address]:
                    del self._pending[address]


@contextlib.asynccontextmanager
async def redirecting(bound: socket, port: int) -> AsyncIterator[None]:
    """Answer plain http on a socket with the same address on https, at a port, for as long as the block lasts."""
    held: Counter[str] = Counter()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = address_of((writer.get_extra_info("peername") or ("",))[0])
        held[address] += 1
        try:
            if held[address] <= REDIRECTS_EACH and held.total() <= REDIRECTS_AT_ONCE:
                async with asyncio.timeout(HANDSHAKE):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(redirect(head, port))
                    await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass
        finally:
            held[address] -= 1
            if not held[address]:
                del held[address]
            writer.close()

    server = await asyncio.start_server(answer, sock=bound, limit=MOST_HEADER)
    try:
        yield
    finally:
        server.close()


def redirect(head: bytes, port: int) -> bytes:
    r"""Return the answer to a plain request: where it is on https, or that it is no request.

    >>> redirect(b"GET /t/x?y HTTP/1.1\r\nHost: a.example:80\r\n\r\n", 443).split(b"\r\n")[1]
    b'location: https://a.example/t/x?y'
    """
    lines = head.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    hosts = [line.partition(":")[2].strip() for line in lines[1:] if line.lower().startswith("host:")]
    name = host_of(hosts[0]) if len(hosts) == 1 else ""
    if len(words) != 3 or not words[1].startswith("/") or not words[1].isprintable() or not name:
        return b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    where = f"https://{f'[{name}]' if ':' in name else name}{'' if port == 443 else f':{port}'}{words[1]}"
    said = f"HTTP/1.1 308 Permanent Redirect\r\nlocation: {where}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    return said.encode("latin-1")
