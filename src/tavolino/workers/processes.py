"""Work on processes of this machine, which end when asked, at Ctrl-C, and when we are killed."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from tavolino.workers import Item, Job, Made

TERMINATED = 143
PATIENCE = 5.0
"""Seconds a worker has to release what its job holds."""


@dataclass(frozen=True)
class Processes:
    """So many processes. The job, the items and the results must be picklable."""

    number: int

    @property
    def cores(self) -> int:
        """One per process."""
        return self.number

    def each(self, job: Job[Item, Made], items: Sequence[Item]) -> Generator[tuple[int, Made]]:
        """Do the job for each item; yield (index, result) as they finish."""
        with job():
            pass  # what is wrong with it comes up here, and what is to be compiled is compiled once
        context = multiprocessing.get_context("spawn")
        todo = enumerate(items)
        processes: dict[Connection, SpawnProcess] = {}
        busy: dict[Connection, int] = {}
        try:
            with deaf_to_ctrl_c():
                for _ in range(min(self.number, len(items))):
                    ours, theirs = context.Pipe()
                    process = context.Process(target=_work, args=(theirs, job), daemon=True)
                    process.start()
                    theirs.close()
                    processes[ours] = process
            for connection in processes:
                _give(connection, todo, busy)
            while busy:
                ready = set(wait(busy))
                for connection in [one for one in processes if one in ready]:
                    made = _take(connection, processes[connection])
                    number = busy.pop(connection)
                    _give(connection, todo, busy)
                    yield number, made
        finally:
            _dismiss(processes, busy)


def _give(connection: Connection, todo: Iterator[tuple[int, Any]], busy: dict[Connection, int]) -> None:
    if (given := next(todo, None)) is not None:
        busy[connection], item = given
        with suppress(ConnectionError):  # an ended worker is noticed when its answer is waited for
            connection.send(item)


def _take(connection: Connection, process: SpawnProcess) -> Any:
    try:
        failure, made = connection.recv()
    except (EOFError, ConnectionError):
        process.join()
        raise RuntimeError(f"a worker process ended unexpectedly, with exit code {process.exitcode}") from None
    if failure is None:
        return made
    raise RuntimeError(f"a worker process failed: {failure}")


def _dismiss(processes: dict[Connection, SpawnProcess], busy: dict[Connection, int]) -> None:
    for connection, process in processes.items():
        connection.close()  # who waits for an item leaves of itself
        if connection in busy:
            process.terminate()
    for process in processes.values():
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C for a moment: processes started meanwhile keep ignoring it, and leave the stopping to us."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def _work(connection: Connection, job: Job[Any, Any]) -> None:
    """Be a worker: do the items that come, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    held = ExitStack()

    def leave(*_: object) -> None:
        try:
            held.close()
        finally:
            os._exit(TERMINATED)

    def leave_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            leave()

    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=leave_with_parent, daemon=True).start()
    try:
        work = held.enter_context(job())
        while True:
            connection.send((None, work(connection.recv())))
    except (EOFError, ConnectionError):
        pass
    except Exception as error:
        connection.send((f"{type(error).__name__}: {error}", None))
    finally:
        held.close()
