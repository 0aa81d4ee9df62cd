"""One change at a time per table: whoever acts holds the lock, the others follow in order of arrival."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial


class Mutex:
    """A lock for functions as well as tasks: `asyncio.Lock` is only for tasks, and most moves need none."""

    __slots__ = ("_waiting", "held")

    def __init__(self) -> None:
        self.held = False
        self._waiting: deque[Callable[[], None]] = deque()

    def run(self, work: Callable[[], None]) -> None:
        """Call `work` once it holds the lock: at once if it is free. Call `release` when done."""
        if self.held:
            self._waiting.append(work)
        else:
            self.held = True
            work()

    def release(self) -> None:
        """Pass the lock on to whoever has waited longest."""
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._waiting.popleft())
        else:
            self.held = False

    def _pass_to(self, task: asyncio.Future[None]) -> None:
        if task.done():  # cancelled
            self.release()
        else:
            task.set_result(None)

    async def __aenter__(self) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.run(partial(self._pass_to, mine))
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():  # it had come already
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()
