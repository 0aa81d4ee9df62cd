"""How long each stage of a study takes, judged by a few games of it, so that progress and time left are true."""

import time
from collections.abc import Callable, Sequence

from tavolino.lab.settings import Tell
from tavolino.workers import Workers, in_order

QUICK = 0.2
"""Seconds that a trial takes at least, as far as there is enough to do: shorter ones say little."""


def seconds_for(workers: Workers, play: Callable[[int], object], units: int) -> float:
    """Return about how many seconds so many units of work take, judging by the first ones, which are done now.

    `play(i)` does the unit i. A first round loads what the others find there; if it is slow, it must do.
    """
    number = max(1, min(units, workers.cores))
    done, took = number, _timed(workers, play, number)
    while took < QUICK and done < 2 * units:
        done = 4 * done
        took = _timed(workers, play, done)
    if took < 5 * QUICK and done == number:
        took = _timed(workers, play, number)
    return took / done * units


def _timed(workers: Workers, play: Callable[[int], object], number: int) -> float:
    began = time.perf_counter()
    for _ in in_order(workers, play, range(number)):
        pass
    return time.perf_counter() - began


class Stages:
    """Tells how much of a study is done, from how long each of its stages takes."""

    def __init__(self, progress: Tell, seconds: Sequence[float]) -> None:
        self._progress, self._seconds = progress, seconds
        self._whole = sum(seconds) or 1.0
        self._begun = 0

    def next(self) -> Tell:
        """Begin a stage; return the function to call with the share of it that is done."""
        before, own = sum(self._seconds[: self._begun]), self._seconds[self._begun]
        self._begun += 1

        def tell(share: float) -> None:
            self._progress(min(1.0, (before + share * own) / self._whole))

        return tell
