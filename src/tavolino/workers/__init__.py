"""Where work runs: on threads, on processes or on a Ray cluster, all with the same interface.

Work is cut into independent items, each with a seed of its own, and their results are combined in order. So results are
the same wherever the items run, and an item that is lost with its machine is simply done again.
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
"""A context that holds what the work needs, such as players; it is entered where the work is done."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in the middle of work whose first part is complete: `result` is the result of that part."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay Ctrl-C, and SIGTERM if Python code handles it, until the block is done."""
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
        """How many cores they work on at the moment."""

    def each(self, job: Job[Item, Made], items: Sequence[Item]) -> Generator[tuple[int, Made]]:
        """Do the job for each item; yield (index, result) as they finish, in any order.

        Few items are in progress at a time. Close the generator to stop early. RuntimeError if a worker fails, rather
        than the work; an exception from the work is raised again or, from another process, described in a RuntimeError.
        """


@contextmanager
def _ready(work: Work[Item, Made]) -> Iterator[Work[Item, Made]]:
    yield work


def in_order(workers: Workers, work: Work[Item, Made], items: Sequence[Item]) -> Iterator[Made]:
    """Do the work for each item; yield the results in the order of the items."""
    waiting: dict[int, Made] = {}
    turn = 0
    with closing(workers.each(partial(_ready, work), items)) as results:
        for number, made in results:
            waiting[number] = made
            while turn in waiting:
                yield waiting.pop(turn)
                turn += 1
