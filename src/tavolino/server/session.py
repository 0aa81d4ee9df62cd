"""The conversation on one socket, from hello to its end: messages are read, limited, and handed to the table."""

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from tavolino.server.connection import Connection
from tavolino.server.guard import RateLimits
from tavolino.server.hub import Hub
from tavolino.server.live import Live
from tavolino.server.messages import MAX_MESSAGE, VERSION, Hello, Incoming, Refused, Reload
from tavolino.server.metrics import refused
from tavolino.server.store import NotSaved
from tavolino.server.wire import Wire

ID = "^[A-Za-z0-9_-]{16}$"
MAX_UNREAD = 8
"""How many messages of a socket may wait while an earlier one is stored; beyond that, it is not read."""
DONE, REFUSES, TRY_LATER, BROKEN = 1000, 1008, 1013, 1011
"""Why we close a socket, as a WebSocket close code."""
log = logging.getLogger("tavolino.server")
_decode: Callable[[str], Incoming] = msgspec.json.Decoder(Incoming).decode


class Visitor(NamedTuple):
    """Who comes in."""

    who: str
    """The identity (hashed)."""
    device: str
    """The hash of the cookie; empty without one."""
    address: str
    """As limits count addresses."""
    sign_outs: int
    """`Hub.sign_outs` when we asked who it is."""


class Session:
    """One socket's conversation. Requests are handled in order, one at a time."""

    __slots__ = (
        "_awaited",
        "_connection",
        "_doing",
        "_gone",
        "_greeting",
        "_hub",
        "_live",
        "_over",
        "_patience",
        "_rates",
        "_sign_outs",
        "_table",
        "_unread",
        "_wire",
        "flow",
    )

    def __init__(self, hub: Hub, wire: Wire, visitor: Visitor, table: str, gone: Callable[[], None]) -> None:
        """Start listening to a person; `gone` is called at the end."""
        who, device, address, self._sign_outs = visitor
        self._connection = Connection(who, wire.write, self._snapshot, address, device, wire.close)
        self.flow = self._connection.flow
        self._hub = hub
        self._wire = wire
        self._table = table
        self._gone = gone
        self._live: Live | None = None
        self._rates = RateLimits(hub.config.messages_a_second, 3 * hub.config.messages_a_second)
        self._unread: deque[Incoming | Refused] = deque()
        self._awaited = False
        """Whether a request is still being handled."""
        self._doing = False
        self._greeting: asyncio.Task[None] | None = None
        self._over = False
        self._patience = asyncio.get_running_loop().call_later(hub.config.hello, wire.close, REFUSES)
        wire.attach(self)

    def end(self) -> None:
        """Leave the table: the socket is closed, or about to be."""
        self._over = True
        self._patience.cancel()
        self._unread.clear()
        if self._live is not None:
            self._live.disconnect(self._connection)
            self._live = None  # and with it the table may go, before this is collected
        self._connection.close()
        self._gone()

    def _snapshot(self) -> bytes:
        return b"" if self._live is None else self._live.snapshot(self._connection)

    def take(self, text: str | None) -> None:
        """Read a message and handle it, now or when the ones before it are done."""
        asked = self._read(text)
        if asked is not None:
            self._unread.append(asked)
            if not self._awaited:
                self._go_on()
            elif len(self._unread) >= MAX_UNREAD:
                self._wire.hold(True)

    def _go_on(self) -> None:
        """Handle requests one after another, until one has to wait."""
        self._doing = True
        while self._unread and not self._awaited:
            asked = self._unread.popleft()
            self._do(asked)
            if self._connection.lost:
                self._wire.close(TRY_LATER)  # come back when you read
        self._doing = False
        if not self._unread:
            self._wire.hold(False)

    def _do(self, asked: Incoming | Refused) -> None:
        if isinstance(asked, Refused):
            self._connection.say(asked)
            return
        self._awaited = True
        if self._live is None:
            self._greeting = asyncio.get_running_loop().create_task(self._greet(asked))
            return
        try:
            self._live.handle(self._connection, asked, self._done)
        except Exception as error:
            self._done(error)

    def _done(self, error: Exception | None = None) -> None:
        """Note that a request is done, or what went wrong on our side."""
        if error is None:
            self._awaited = False
            if self._unread and not self._doing:  # not from there, where it was done at once
                self._go_on()
        elif isinstance(error, NotSaved):
            self._wire.close(TRY_LATER)
        else:
            log.error("a message was not handled", exc_info=error)
            self._wire.close(BROKEN)

    def _read(self, text: str | None) -> Incoming | Refused | None:
        """Return the request in a message, or why it is refused; None if there are too many even to say so."""
        try:
            if text is None or len(text) > MAX_MESSAGE:
                raise msgspec.DecodeError(f"a message must be a JSON text of at most {MAX_MESSAGE} bytes")
            message = _decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            refused("bad_message", self._connection.address)
            return Refused("bad_message", str(error), self._number()) if self._rates.allow("") else None
        if self._rates.allow(""):
            return message
        refused("too_fast", self._connection.address)
        ack = getattr(message, "id", msgspec.UNSET)
        return Refused("too_fast", "too many messages: wait a moment", self._number(), id=ack)

    def _number(self) -> int:
        return self._live.table.number if self._live else 0

    async def _greet(self, message: Incoming) -> None:
        """Answer the first message: join the table, or close."""
        try:
            if await self._join(message):
                self._done()
            else:
                self._wire.close(DONE)
        except Exception as error:
            self._done(error)

    async def _join(self, message: Incoming) -> bool:
        """Join the table; False if there is nothing to stay for."""
        connection = self._connection
        if not isinstance(message, Hello):
            connection.say(Refused("bad_message", "the first message must be hello", 0))
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
        while self._sign_outs != self._hub.sign_outs:  # between the opening of the socket and its first message
            self._sign_outs = self._hub.sign_outs
            if not await self._hub.identities.still(connection.who, connection.device):
                return False
        if not self._over:
            if message.screen:
                connection.become_screen()
            self._live = live
            await live.join(connection)
        return True
