"""Work on threads of this process: for compiled code, which runs without Python's lock."""

from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

from tavolino.workers import Item, Job, Made


@dataclass(frozen=True)
class Threads:
    """So many threads, this one included."""

    number: int

    @property
    def cores(self) -> int:
        """One per thread."""
        return self.number

    def each(self, job: Job[Item, Made], items: Sequence[Item]) -> Generator[tuple[int, Made]]:
        """Do the job for each item; yield (index, result) in the order of the items."""
        with job() as work:
            if self.number == 1:
                for number, item in enumerate(items):
                    yield number, work(item)
                return
            executor = ThreadPoolExecutor(self.number, "worker")
            try:
                waiting: deque[Future[Made]] = deque()
                coming = iter(items)
                number = 0
                while True:
                    waiting.extend(executor.submit(work, item) for item in islice(coming, self._room(waiting)))
                    if not waiting:
                        return
                    yield number, waiting.popleft().result()
                    number += 1
            finally:
                executor.shutdown(cancel_futures=True)

    def _room(self, waiting: "deque[Future[Made]]") -> int:
        return 2 * self.number - len(waiting)
