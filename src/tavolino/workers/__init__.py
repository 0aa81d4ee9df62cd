"""Where work runs: on threads, on processes or on a Ray cluster, all asked in the same way.

Work is cut into items that do not depend on each other, each with a seed of its own, and what they make is put together
in their order. So numbers are the same wherever the items run, and an item lost with its machine is only done again.
"""

import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")
Work = Callable[[Item], Made]
Job = Callable[[], AbstractContextManager[Work[Item, Made]]]
"""Gets ready what the work needs, players for example, and lets it go afterwards: entered where the work is done."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of work whose first part stands by itself: `result` is what that part came to."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold Ctrl-C, and SIGTERM where Python code handles it, back until the block is done: it counts or it does not."""
    if threading.current_thread() is not threading.main_thread():  # no signal arrives in another
        yield
        return
    held: list[int] = []
    found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    previous = {number: handler for number, handler in found.items() if callable(handler)}
    try:
        for number in previous:
            signal.signal(number, lambda number, _: held.append(number))
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        for caught in held:
            signal.raise_signal(caught)


class Workers(Protocol):
    """Those who do the work."""

    @property
    def cores(self) -> int:
        """How many cores they work on just now."""

    def each(self, job: Job[Item, Made], items: Sequence[Item]) -> Generator[tuple[int, Made]]:
        """Do the job for each item; yield (its index, what was made) as they are finished, in any order.

        Few items are under way at a time. Close the generator to stop early. RuntimeError if a worker fails, not
        the work; what the work raises is either raised again or, from another process, told in a RuntimeError.
        """


@contextmanager
def _ready(work: Work[Item, Made]) -> Iterator[Work[Item, Made]]:
    yield work


def in_order(workers: Workers, work: Work[Item, Made], items: Sequence[Item]) -> Iterator[Made]:
    """Do the work for each item; yield what it made in the order of the items."""
    waiting: dict[int, Made] = {}
    turn = 0
    with closing(workers.each(partial(_ready, work), items)) as results:
        for number, made in results:
            waiting[number] = made
            while turn in waiting:
                yield waiting.pop(turn)
                turn += 1
