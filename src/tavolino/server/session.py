"""What is said on one socket, from its first hello to its end: read, bounded, and handed to its table."""

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable

import msgspec

from tavolino.server.connection import Connection
from tavolino.server.guard import Rates
from tavolino.server.hub import Hub
from tavolino.server.live import Live
from tavolino.server.messages import MAX_MESSAGE, VERSION, Hello, Incoming, Move, Refused, Reload
from tavolino.server.metrics import REFUSED
from tavolino.server.store import NotSaved
from tavolino.server.wire import Wire

ID = "^[A-Za-z0-9_-]{16}$"
MAX_UNREAD = 8
"""Messages of a socket that may wait while the one before them is stored; then it is not read."""
DONE, REFUSES, TRY_LATER, BROKEN = 1000, 1008, 1013, 1011
"""Why we close a socket, as WebSockets number it."""
log = logging.getLogger("tavolino.server")
_decode: Callable[[str], Incoming] = msgspec.json.Decoder(Incoming).decode


class Session:
    """One socket's conversation. What it asks for is done in order, one thing at a time."""

    __slots__ = (
        "_busy",
        "_connection",
        "_gone",
        "_hub",
        "_live",
        "_over",
        "_patience",
        "_rates",
        "_table",
        "_unread",
        "_wire",
        "_working",
        "flow",
    )

    def __init__(self, hub: Hub, wire: Wire, who: str, place: str, table: str, gone: Callable[[], None]) -> None:
        """Begin to listen to a person at an address; `gone` is called when it is over."""
        self._connection = Connection(who, wire.write, self._snapshot, place)
        self.flow = self._connection.flow
        self._hub = hub
        self._wire = wire
        self._table = table
        self._gone = gone
        self._live: Live | None = None
        self._rates = Rates(hub.config.messages_a_second, 3 * hub.config.messages_a_second)
        self._unread: deque[Incoming | Refused] = deque()
        self._busy = False
        self._working: asyncio.Task[None] | None = None
        self._over = False
        self._patience = asyncio.get_running_loop().call_later(hub.config.hello, wire.close, REFUSES)
        wire.attach(self)

    def end(self) -> None:
        """Leave the table: the socket is closed, or about to be."""
        self._over = True
        self._patience.cancel()
        self._unread.clear()
        if self._live is not None:
            self._live.part(self._connection)
            self._live = None  # and with it the table may go, before this is collected
        self._connection.close()
        self._gone()

    def _snapshot(self) -> bytes:
        return b"" if self._live is None else self._live.snapshot(self._connection)

    def take(self, text: str | None) -> None:
        """Read a message and do what it asks for, now or when the ones before it are done."""
        asked = self._read(text)
        if asked is None:
            pass
        elif self._busy:
            self._unread.append(asked)
            if len(self._unread) >= MAX_UNREAD:
                self._wire.hold(True)
        elif isinstance(asked, Refused):
            self._connection.say(asked)
        else:
            self._busy = True
            if (
                type(asked) is not Move
                or self._live is None
                or not self._live.start(self._connection, asked, self._go_on)
            ):
                self._go_on(asked, False)
        if self._connection.lost:
            self._wire.close(TRY_LATER)  # come back when you read

    def _go_on(self, asked: Incoming, done: bool) -> None:
        """Do what was asked for if it is not done, and what was asked meanwhile."""
        if not done:
            self._unread.appendleft(asked)
        if self._unread:
            self._working = asyncio.get_running_loop().create_task(self._work())
        else:
            self._busy = False

    def _read(self, text: str | None) -> Incoming | Refused | None:
        """Return what a message asks for, or why it is refused; None if there are too many even to say so."""
        try:
            if text is None or len(text) > MAX_MESSAGE:
                raise msgspec.DecodeError(f"a message is a JSON text of at most {MAX_MESSAGE} bytes")
            message = _decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            REFUSED.labels("bad_message").inc()
            return Refused("bad_message", str(error), self._number()) if self._rates.allow("") else None
        if self._rates.allow(""):
            return message
        REFUSED.labels("too_fast").inc()
        ack = getattr(message, "id", msgspec.UNSET)
        return Refused("too_fast", "too many messages: wait a moment", self._number(), id=ack)

    def _number(self) -> int:
        return self._live.table.number if self._live else 0

    async def _work(self) -> None:
        """Do all that was asked for."""
        try:
            while self._unread:
                asked = self._unread.popleft()
                if isinstance(asked, Refused):
                    self._connection.say(asked)
                elif self._live is not None:
                    await self._live.handle(self._connection, asked)
                elif not await self._greet(asked):
                    self._wire.close(DONE)
                    return
                if self._connection.lost:
                    self._wire.close(TRY_LATER)
                    return
            self._wire.hold(False)
            self._busy = False
        except NotSaved:
            self._wire.close(TRY_LATER)
        except Exception:
            log.exception("a message was not handled")
            self._wire.close(BROKEN)

    async def _greet(self, message: Incoming) -> bool:
        """Answer the first message; tell whether the talk goes on."""
        connection = self._connection
        if not isinstance(message, Hello):
            connection.say(Refused("bad_message", "the first message is hello", 0))
            return True
        if message.v != VERSION:
            connection.say(Reload(VERSION))
            return False
        self._patience.cancel()
        live = await self._hub.find(self._table) if re.fullmatch(ID, self._table) else None
        if live is None:
            text = "there is no such table; perhaps it was removed after a while"
            connection.say(Refused("not_found", text, 0, reason="no_table"))
            return False
        if not self._over:
            self._live = live
            await live.join(connection)
        return True
