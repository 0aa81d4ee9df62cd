"""What is said on one socket, from its first hello to its end: read, bounded, and handed to its table."""

import asyncio
import contextlib
import logging
import re
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from starlette.websockets import WebSocketDisconnect

from tavolino.server.connection import Connection
from tavolino.server.guard import Rates
from tavolino.server.hub import Hub
from tavolino.server.live import Live
from tavolino.server.messages import MAX_MESSAGE, VERSION, Hello, Incoming, Refused, Reload
from tavolino.server.metrics import REFUSED
from tavolino.server.store import NotSaved
from tavolino.server.wire import Wire

ID = "^[A-Za-z0-9_-]{16}$"
HELLO_SECONDS = 10.0
"""Who has not said hello by then is let go."""
MAX_UNREAD = 8
"""Messages of a socket that may wait while the one before them is stored; then it is not read."""
DONE, REFUSES, TRY_LATER, BROKEN = 1000, 1008, 1013, 1011
"""Why we close a socket, as WebSockets number it."""
log = logging.getLogger("tavolino.server")
_decode: Callable[[str], Incoming] = msgspec.json.Decoder(Incoming).decode


def _deaf(_: object) -> None:
    """Hear nothing."""


class Talk:
    """One socket's conversation. What it asks for is done in order, one thing at a time."""

    __slots__ = (
        *(
            "_close",
            "_closing",
            "_ended",
            "_hub",
            "_live",
            "_patience",
            "_rates",
            "_table",
            "_unread",
            "_wire",
            "_working",
        ),
        "connection",
    )

    def __init__(
        self, hub: Hub, wire: Wire, who: str, table: str, close: Callable[[int], Coroutine[Any, Any, None]]
    ) -> None:
        """Begin to listen; `close` closes the socket for a reason."""
        self.connection = Connection(who, wire.write, self._snapshot)
        self._hub = hub
        self._wire = wire
        self._table = table
        self._close = close
        self._live: Live | None = None
        self._rates = Rates(hub.config.messages_a_second, 3 * hub.config.messages_a_second)
        self._unread: deque[Incoming | Refused] = deque()
        self._working: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._ended = False
        self._patience = asyncio.get_running_loop().call_later(HELLO_SECONDS, self._end_with, REFUSES)
        wire.attach(self.take, self.connection.flow)

    def end(self) -> None:
        """Leave the table: the socket is closed."""
        self._stop()
        self._ended = True
        if self._live is not None:
            self._live.part(self.connection)

    def _snapshot(self) -> bytes:
        return b"" if self._live is None else self._live.snapshot(self.connection)

    def _stop(self) -> None:
        """Hear no more."""
        self._patience.cancel()
        self._unread.clear()
        self._wire.attach(_deaf, _deaf)

    def _end_with(self, code: int) -> None:
        """Close the socket for a reason."""

        async def close() -> None:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it is closed already
                await self._close(code)

        self._stop()
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(close())

    def take(self, text: str | None) -> None:
        """Read a message and do what it asks for, now or when the ones before it are done."""
        asked = self._read(text)
        if isinstance(asked, Refused) and self._working is None:
            self.connection.say(asked)
        elif asked is not None:
            self._unread.append(asked)
            if self._working is None:
                self._working = asyncio.get_running_loop().create_task(self._work())
            elif len(self._unread) >= MAX_UNREAD:
                self._wire.hold(True)
        if self.connection.lost:
            self._end_with(TRY_LATER)  # come back when you read

    def _read(self, text: str | None) -> Incoming | Refused | None:
        """Return what a message asks for, or why it is refused; None if there are too many even to say so."""
        number = self._live.table.number if self._live else 0
        try:
            if text is None or len(text) > MAX_MESSAGE:
                raise msgspec.DecodeError(f"a message is a JSON text of at most {MAX_MESSAGE} bytes")
            message = _decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            REFUSED.labels("bad_message").inc()
            return Refused("bad_message", str(error), number) if self._rates.allow("") else None
        if self._rates.allow(""):
            return message
        REFUSED.labels("too_fast").inc()
        return Refused("too_fast", "too many messages: wait a moment", number, getattr(message, "id", msgspec.UNSET))

    async def _work(self) -> None:
        """Do all that was asked for."""
        try:
            while self._unread:
                asked = self._unread.popleft()
                if isinstance(asked, Refused):
                    self.connection.say(asked)
                elif self._live is not None:
                    await self._live.handle(self.connection, asked)
                elif not await self._greet(asked):
                    self._end_with(DONE)
                    return
                if self.connection.lost:
                    self._end_with(TRY_LATER)
                    return
            self._wire.hold(False)
            self._working = None
        except NotSaved:
            self._end_with(TRY_LATER)
        except Exception:
            log.exception("a message was not handled")
            self._end_with(BROKEN)

    async def _greet(self, message: Incoming) -> bool:
        """Answer the first message; tell whether the talk goes on."""
        connection = self.connection
        if not isinstance(message, Hello):
            connection.say(Refused("bad_message", "the first message is hello", 0))
            return True
        if message.v != VERSION:
            connection.say(Reload(VERSION))
            return False
        self._patience.cancel()
        live = await self._hub.find(self._table) if re.fullmatch(ID, self._table) else None
        if live is None:
            connection.say(Refused("not_found", "there is no such table; perhaps it was removed after a while", 0))
            return False
        if not self._ended:
            self._live = live
            await live.join(connection)
        return True
