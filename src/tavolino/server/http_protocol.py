"""HTTP connections: uvicorn's, with limits on their number, their duration and their size.

Without limits, a connection that sends nothing, half a header or half a body would be held for ever, and a header of
any length would be read. When the server is full, newcomers are told so, over connections that are reserved for that.
"""

import asyncio
import functools
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config as UvicornConfig
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tavolino.server.config import Config
from tavolino.server.guard import HEADERS, MAX_BODY, address_of
from tavolino.server.messages import Code
from tavolino.server.metrics import asked_by, refused

MAX_HEADER = 16 * 1024
MAX_HEADERS = 100
LONGEST = MAX_HEADER + 64 * MAX_BODY
"""Bytes of one request after which we stop reading: the answer, that it is too large, was given long ago."""
LINGER = 2.0
"""Seconds in which a client that still sends can read our answer; if we closed at once, it could be lost."""
STALL = 30.0
"""Seconds to wait for a client that does not read its answer."""
RESERVE = 256
"""Open files reserved for other uses: the database, files of the page, and connections that are rejected."""
TURNED_AWAY = 64
"""How many rejected connections may wait for an answer; beyond that, connections are closed unanswered.

Those that find the server full, and those over the limit of their address: so many of each.
"""
FULL = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="15"><title>Tavolino</title><h1>Tavolino</h1>
<p>The server is full at the moment. This page tries again by itself.
<p lang="it">In questo momento è tutto pieno. Questa pagina riprova da sola.
<p lang="es">Ahora mismo está todo lleno. Esta página lo intenta de nuevo sola.
"""


def raise_file_limit() -> int | None:
    """Raise this process's limit of open files as far as allowed; return it, or None if it is unknown."""
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, 10_240):  # macOS says "infinity" and means OPEN_MAX
        if wanted == soft:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
            break
        except (ValueError, OSError):
            continue
    return None if soft == resource.RLIM_INFINITY else soft


class ConnectionLimits:
    """The limits that all connections of a server share, and who holds how many."""

    def __init__(self, config: Config, files: int | None, refuse: Callable[[Code, str, int], Response]) -> None:
        """Allow this many open files; `refuse` makes the answer for a connection that is turned away."""
        spare = config.connections if files is None else max(1, files - min(RESERVE, files // 4))
        self.room = min(config.connections, spare)
        self.each = config.connections_each
        self.seconds = config.request_seconds
        self.refuse = refuse
        self.held: Counter[str] = Counter()
        """HTTP connections by address; of WebSockets, `Config.sockets_each` counts."""
        self.turned_away = 0
        """Connections over an address's limit that wait for their answer."""
        self.proxies = _TrustedHosts([])
        """Addresses whose connections are of many people."""

    def config(self, app: ASGIApp, **settings: Any) -> UvicornConfig:
        """Return how uvicorn is to run the application, with connections of ours."""
        made = UvicornConfig(app, http=functools.partial(HttpProtocol, self), **settings)  # type: ignore[arg-type]
        self.proxies = _TrustedHosts(made.forwarded_allow_ips)
        return made

    def count_for(self, address: str) -> str | None:
        """Return the address that a connection counts for; None if it is a proxy's."""
        return None if address in self.proxies else address_of(address)

    def refusal(self, code: Code, text: str, status: int) -> ASGIApp:
        """Return an application that refuses any request, and closes the connection."""
        said = self.refuse(code, text, status)
        said.headers.update(HEADERS)
        said.headers["connection"] = "close"
        return said

    def full(self) -> ASGIApp:
        """Return an application that says that the server is full: with a page, if a page was asked for."""
        data = self.refusal("full_house", "the server is full at the moment: try again soon", 503)
        headers = {**HEADERS, "connection": "close", "retry-after": "15"}
        page = Response(FULL, 503, media_type="text/html; charset=utf-8", headers=headers)

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            wants = b"".join(value for name, value in scope["headers"] if name == b"accept")
            await (page if b"text/html" in wants else data)(scope, receive, send)

        return answer


class HttpProtocol(HttpToolsProtocol):
    """A connection of uvicorn's with limits on time and size."""

    def __init__(self, limits: ConnectionLimits, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._limits = limits
        self._address: str | None = None
        """The address that this connection counts for."""
        self._turned_away = False
        """Whether it is over its address's limit."""
        self._refused = False
        self._deaf = False
        self._headed = False
        """The header of the request has come."""
        self._came = 0
        """Bytes of the request so far."""
        self._deadline: asyncio.TimerHandle | None = None
        """By when the rest of the header, or of the body, must have come."""
        self._stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, or say why not."""
        super().connection_made(transport)
        limits, address = self._limits, self.client[0] if self.client else ""
        if len(self.connections) > limits.room + TURNED_AWAY:
            transport.abort()
            return
        if len(self.connections) > limits.room:
            with asked_by(address):
                self._refuse(limits.full())
        elif (counted := limits.count_for(address)) is not None:
            if limits.held[counted] >= limits.each and limits.turned_away >= TURNED_AWAY:
                refused("too_many_connections", address)
                transport.abort()  # or those that say nothing would fill the room of all others
                return
            if limits.held[counted] >= limits.each:
                limits.turned_away += 1
                self._turned_away = True
                text = f"an address may have {limits.each} connections at once"
                with asked_by(address):
                    self._refuse(limits.refusal("too_many_connections", text, 429))
            else:
                limits.held[counted] += 1
                self._address = counted
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Hear that it is over."""
        super().connection_lost(exc)
        self._leave()

    def _leave(self) -> None:
        self._expect_nothing()
        self._watch(None)
        if self._address is not None:
            self._limits.held[self._address] -= 1
            if not self._limits.held[self._address]:
                del self._limits.held[self._address]
            self._address = None
        if self._turned_away:
            self._limits.turned_away -= 1
            self._turned_away = False

    def _refuse(self, answer: ASGIApp) -> None:
        """Answer the next request with that, whatever it is."""
        self.app = answer
        self._refused = True

    # What comes

    def data_received(self, data: bytes) -> None:
        """Read what came, up to what a request may have."""
        if self._deaf:
            return
        self._came += len(data)
        if self._came > LONGEST:
            self._hang_up()
            return
        super().data_received(data)
        if self._deaf or self.transport is None or self.transport.is_closing():
            return
        if not self._headed:
            if self._came > MAX_HEADER:
                self._say("too_large", f"a header may have at most {MAX_HEADER} bytes", 431)
            elif self.timeout_keep_alive_task is None and (self.cycle is None or self.cycle.response_complete):
                self._expect()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header line; trailers, which follow a body, are ignored."""
        if not self._headed:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer."""
        self._headed = True
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > MAX_HEADER or len(self.headers) > MAX_HEADERS:
            text = f"a header may have at most {MAX_HEADERS} lines and {MAX_HEADER} bytes"
            with asked_by(self.client[0] if self.client else ""):
                self._refuse(self._limits.refusal("too_large", text, 431))
        self._expect_nothing()
        super().on_headers_complete()
        self._expect()

    def on_message_complete(self) -> None:
        """Take the request as whole."""
        self._headed, self._came = False, 0
        self._expect_nothing()
        super().on_message_complete()

    def _should_upgrade_to_ws(self) -> bool:
        return not self._refused

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: it was answered, or asks for what we do not speak."""

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to `Wire`."""
        super().handle_websocket_upgrade()
        self._leave()
        self.parser = self.transport = self.flow = None  # type: ignore[assignment]  # nobody calls us any more

    # What takes too long

    def _expect(self) -> None:
        """Set the deadline for the rest, if none is set."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(self._limits.seconds, self._too_slow)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self._deadline = None
        if self.pipeline:  # it is not read, while those before it are answered
            self._expect()
        elif self._came == 0:
            self.transport.close()
        elif not self._headed or not self.cycle.response_started:
            if self._headed:
                self.cycle.disconnected = True  # so that nobody waits for the rest, or answers
                self.cycle.message_event.set()
            self._say("too_slow", f"a request must arrive within {self._limits.seconds:g} seconds", 408)
        else:
            self._hang_up()

    def pause_writing(self) -> None:
        """Hear that much waits to be sent."""
        super().pause_writing()
        self._watch(STALL)

    def resume_writing(self) -> None:
        """Hear that it was sent."""
        super().resume_writing()
        self._watch(None)

    def timeout_keep_alive_handler(self) -> None:
        """Hear that no other request came."""
        super().timeout_keep_alive_handler()
        self._watch(STALL)  # what was sent may still wait to be read

    def _watch(self, seconds: float | None) -> None:
        """End the connection after this many seconds; None means never."""
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None
        if seconds is not None:
            self._stall = self.loop.call_later(seconds, self.transport.abort)

    def _say(self, code: Code, text: str, status: int) -> None:
        """Answer a request that is not whole, and hear no more of it."""
        with asked_by(self.client[0] if self.client else ""):
            body = self._limits.refuse(code, text, status).body
        headers = {
            **HEADERS,
            "content-type": "application/json",
            "content-length": str(len(body)),
            "cache-control": "no-store",
            "connection": "close",
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(STATUS_LINE[status] + lines.encode() + b"\r\n" + bytes(body))
        self._hang_up()

    def _hang_up(self) -> None:
        """Hear no more; close when the other side has, or soon."""
        self._expect_nothing()
        if self._deaf or self.transport.is_closing():
            return
        self._deaf = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._watch(LINGER)

    def send_400_response(self, msg: str) -> None:
        """Say that it is no HTTP."""
        self._say("bad_message", "this is not an HTTP request", 400)
