"""One WebSocket's way out: messages wait in a bounded queue; who falls behind gets a fresh snapshot instead."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import msgspec

from tavolino.server.messages import Accepted, Hinted, Outgoing, Refused

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
        self._waiting: deque[tuple[str, Outgoing | None]] = deque()
        self._wake = asyncio.Event()
        self._behind = False
        self._owed: list[Outgoing] = []
        """Answers that were dropped with the rest: nobody waits for an answer for ever."""

    @property
    def lost(self) -> bool:
        """Whether it asks and asks and never reads an answer: let it come back when it does."""
        return len(self._owed) > MAX_WAITING

    def put(self, text: str, answer: Outgoing | None = None) -> None:
        """Queue a message; `answer` is what must still be said if it has to be dropped."""
        if len(self._waiting) >= MAX_WAITING:
            self._owed += [owed for _, owed in self._waiting if owed is not None]
            self._waiting.clear()
            self._behind = True
        if not self._behind:
            self._waiting.append((text, answer))
        elif answer is not None and not self.lost:
            self._owed.append(answer)
        self._wake.set()

    def say(self, message: Outgoing) -> None:
        """Queue a message that is for this connection only."""
        self.put(encoded(message), message if isinstance(message, (Refused, Accepted, Hinted)) else None)

    async def pump(self, send: Callable[[str], Awaitable[None]], snapshot: Callable[[], str]) -> None:
        """Send what waits, for as long as the socket lives."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting or self._behind:
                if self._behind:
                    self._behind = False
                    owed, self._owed = self._owed, []
                    for text in (snapshot(), *map(encoded, owed)):
                        await send(text)
                else:
                    await send(self._waiting.popleft()[0])
