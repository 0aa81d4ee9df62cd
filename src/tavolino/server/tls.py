"""https without a proxy: the certificate, read again when it is renewed, and the redirect from plain http."""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from tavolino.server.guard import host_of

LOOK_AGAIN = 60.0
"""Seconds after which the certificate's files are looked at again."""
HANDSHAKE = 10.0
"""Seconds that a client has to agree on a key."""
MOST_HEADER = 8192
REDIRECTS_AT_ONCE = 256
"""Beyond that, plain connections are closed unanswered."""
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


@contextlib.asynccontextmanager
async def redirecting(bound: socket, port: int) -> AsyncIterator[None]:
    """Answer plain http on a socket with the same address on https, at a port, for as long as the block lasts."""
    held = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal held
        held += 1
        try:
            if held <= REDIRECTS_AT_ONCE:
                async with asyncio.timeout(HANDSHAKE):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(redirect(head, port))
                    await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass
        finally:
            held -= 1
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
