"""Deals played on several cores, by processes that end when asked, at Ctrl-C, and when we are killed."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from tavolino.arena.deals import Bench, DealResult, Plan, play_deal

TERMINATED = 143
PATIENCE = 5.0
"""Seconds a worker is given to let its players go."""


def play_deals(plan: Plan, deals: Iterable[int], workers: int) -> Generator[DealResult]:
    """Play deals and yield them as they are finished, in any order; with one worker, in this process and in order.

    Close the generator to stop early. RuntimeError if a worker fails for a reason that is no player's own.
    """
    if workers == 1:
        bench = Bench(plan)
        try:
            for deal in deals:
                yield play_deal(plan, bench, deal)
        finally:
            bench.close()
        return
    Bench(plan).close()  # what is wrong with a bot comes up here, and what is to be compiled is compiled once
    yield from _on_workers(plan, deals, workers)


def _on_workers(plan: Plan, deals: Iterable[int], workers: int) -> Iterator[DealResult]:
    context = multiprocessing.get_context("spawn")
    todo = iter(deals)
    crew: dict[Connection, SpawnProcess] = {}
    busy: set[Connection] = set()
    try:
        with _deaf_to_ctrl_c():
            for _ in range(workers):
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(theirs, plan), daemon=True)
                process.start()
                theirs.close()
                crew[ours] = process
        for connection in crew:
            _give(connection, todo, busy)
        while busy:
            ready = set(wait(busy))
            for connection in [one for one in crew if one in ready]:
                result = _take(connection, crew[connection])
                busy.discard(connection)
                _give(connection, todo, busy)
                yield result
    finally:
        _dismiss(crew, busy)


def _give(connection: Connection, todo: Iterator[int], busy: set[Connection]) -> None:
    if (deal := next(todo, None)) is not None:
        with suppress(ConnectionError):  # an ended worker is noticed when its answer is waited for
            connection.send(deal)
        busy.add(connection)


def _take(connection: Connection, process: SpawnProcess) -> DealResult:
    try:
        answer = connection.recv()
    except (EOFError, ConnectionError):
        process.join()
        raise RuntimeError(f"a worker process ended unasked, with exit code {process.exitcode}") from None
    if isinstance(answer, DealResult):
        return answer
    raise RuntimeError(f"a worker process failed: {answer}")


def _dismiss(crew: dict[Connection, SpawnProcess], busy: set[Connection]) -> None:
    for connection, process in crew.items():
        connection.close()  # who waits for a deal leaves of itself
        if connection in busy:
            process.terminate()
    for process in crew.values():
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C for a moment: processes started meanwhile go on ignoring it, and leave the stopping to us."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def _work(connection: Connection, plan: Plan) -> None:
    """Be a worker: play the deals that come, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bench: Bench | None = None

    def leave(*_: object) -> None:
        try:
            if bench is not None:
                bench.close()
        finally:
            os._exit(TERMINATED)

    def leave_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            leave()

    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=leave_with_parent, daemon=True).start()
    try:
        bench = Bench(plan)
        while True:
            connection.send(play_deal(plan, bench, connection.recv()))
    except (EOFError, ConnectionError):
        pass
    except Exception as error:
        connection.send(f"{type(error).__name__}: {error}")
    finally:
        if bench is not None:
            bench.close()
