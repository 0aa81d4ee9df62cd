"""Who acts at a table: one at a time, the others after it in the order they came."""

import asyncio
from collections import deque


class Turns:
    """A lock that can also be had without waiting: `asyncio.Lock` is only for tasks, and most moves need none."""

    __slots__ = ("_waiting", "taken")

    def __init__(self) -> None:
        self.taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        """Take the turn if nobody has it."""
        if self.taken:
            return False
        self.taken = True
        return True

    def give(self) -> None:
        """Pass the turn on to who waits longest."""
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():  # cancelled, perhaps
                first.set_result(None)
                return
        self.taken = False

    async def __aenter__(self) -> None:
        if self.take():
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():  # it had come already
                self.give()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.give()
