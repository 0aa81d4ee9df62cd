"""One WebSocket's way out: messages wait in a bounded queue; who falls behind gets a fresh snapshot instead."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import msgspec

from tavolino.server.messages import Outgoing

MAX_WAITING = 64
"""Messages that may wait for a slow client before they are dropped for one snapshot."""

_encode = msgspec.json.Encoder().encode


def encoded(message: Outgoing) -> str:
    """Return a message as it goes over the wire."""
    return _encode(message).decode()


class Connection:
    """A person's (or spectator's) socket at a table."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.looking: int | None = None
        """Pass and play: the seat whose eyes were last used."""
        self.greeted = False
        self.thinking = False
        """A hint is being worked out."""
        self._waiting: deque[str] = deque()
        self._wake = asyncio.Event()
        self._behind = False

    def put(self, text: str) -> None:
        """Queue a message."""
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.clear()
            self._behind = True
        elif not self._behind:
            self._waiting.append(text)
        self._wake.set()

    def say(self, message: Outgoing) -> None:
        """Queue a message that is for this connection only."""
        self.put(encoded(message))

    async def pump(self, send: Callable[[str], Awaitable[None]], snapshot: Callable[[], str]) -> None:
        """Send what waits, for as long as the socket lives."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting or self._behind:
                if self._behind:
                    self._behind = False
                    await send(snapshot())
                else:
                    await send(self._waiting.popleft())
