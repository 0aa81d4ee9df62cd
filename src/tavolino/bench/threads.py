"""What a second thread gains a batch, by the clock: the same games on one core and on two, in turn.

Two cores must be free for that. Work that shares nothing tells whether they are: on two threads it takes no longer.
"""

import statistics
import time
from collections.abc import Iterator
from hashlib import pbkdf2_hmac
from threading import Thread

from tavolino.bench import BenchRow, Run, Say, Sizes
from tavolino.engine.registry import GAMES
from tavolino.play.cores import cores

MARK, FREE = 1.8, 1.9
"""How many times the steps two threads make; how many times the work that shares nothing, where two cores are free."""


def two_threads(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """Steps per second of a batch on two threads beside one, with observation, mask and random choice.

    The median of the rounds counts. Where two cores are not free, it is shown but not judged.
    """
    for key in GAMES:
        one, two = _steps(key, 1, sizes), _steps(key, 2, sizes)
        rates, free = [], []
        for turn in range(sizes.rounds):
            say(f"one thread and two, {key}, round {turn + 1} of {sizes.rounds}")
            rates.append((one(), two()))
            free.append(_hashes(1) / _hashes(2))
        yield gained(key, rates, 2 * statistics.median(free), cores())


def gained(key: str, rates: list[tuple[float, float]], free: float, there: int) -> BenchRow:
    """Compare the rates of one thread and of two, where so many cores are there and so many of two are free."""
    median = sorted(rates, key=lambda rate: rate[1] / rate[0])[len(rates) // 2]
    ratios = sorted(two / one for one, two in rates)
    note = f"median of {len(rates)} rounds, {ratios[0]:.2f} to {ratios[-1]:.2f} times; work that shares nothing "
    note += f"{free:.2f} times"
    lacking = None
    if there < 2 or free < FREE:
        lacking = f"two free cores: of {there}, work that shares nothing had {free:.2f}"
    alone = "ours on one thread, by the clock"
    return BenchRow(
        f"two threads: {key}", median[1], "steps/s", MARK, median[0], alone, {"one thread": median[0]}, note, lacking
    )


def _steps(key: str, threads: int, sizes: Sizes) -> Run:
    from tavolino.envs.batch import Batch

    batch = Batch(key, size=sizes.thread_batch, seed=1, threads=threads)
    for _ in range(100):  # until games are at all stages
        batch.step(batch.sample())

    def run() -> float:
        began = time.perf_counter()
        for _ in range(sizes.thread_steps):
            batch.step(batch.sample())
        return sizes.thread_batch * sizes.thread_steps / (time.perf_counter() - began)

    return run


def _hashes(threads: int) -> float:
    """Return the seconds that each of so many threads needs for the same work."""
    work = [Thread(target=pbkdf2_hmac, args=("sha256", b"tavolino", b"bench", 200_000)) for _ in range(threads)]
    began = time.perf_counter()
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    return time.perf_counter() - began
