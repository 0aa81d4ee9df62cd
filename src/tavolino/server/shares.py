"""Something that only a few can use at a time; those who wait take turns by address."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator

from tavolino.server.metrics import WAITING


class FairShares:
    """A fair semaphore: someone who asks a hundred times does not make others wait a hundred times as long."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Who waits, by address; the address that is next is first."""

    @contextlib.asynccontextmanager
    async def of(self, address: str) -> AsyncIterator[None]:
        """Have a share for as long as the block lasts."""
        await self._take(address)
        try:
            yield
        finally:
            self._give()

    async def _take(self, address: str) -> None:
        if self._free:
            self._free -= 1
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(mine)
        try:
            with WAITING.track_inprogress():
                await mine
        except asyncio.CancelledError:
            if mine.cancelled():
                self._forget(address, mine)
            else:  # it had come already
                self._give()
            raise

    def _forget(self, address: str, one: asyncio.Future[None]) -> None:
        line = self._waiting[address]
        line.remove(one)
        if not line:
            del self._waiting[address]

    def _give(self) -> None:
        """Pass a share on to whose turn it is."""
        if not self._waiting:
            self._free += 1
            return
        address, line = next(iter(self._waiting.items()))
        del self._waiting[address]
        first = line.popleft()
        if line:
            self._waiting[address] = line
        first.set_result(None)
