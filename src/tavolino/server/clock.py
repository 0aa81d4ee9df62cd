"""The time: the time of day for what is stored, and the time of service for the clocks that people play by.

A table's clock runs while this process serves its people. It is the machine's monotonic clock, so that setting the wall
clock changes nothing, less the time in which the process stood still: stopped, swapped out, asleep.
"""

import time
from collections.abc import Callable

BEAT = 0.5
"""Seconds between two looks at the time, at least, while the process is there (`hub` sees to it)."""
STILL = 2.5
"""Seconds between two looks after which the process was not there."""


class ServiceClock:
    """Counts the milliseconds in which this process was there."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._last = monotonic()
        self._missed = 0.0

    def __call__(self) -> int:
        """Return the time; it never goes back."""
        now = self._monotonic()
        if now - self._last > STILL:
            self._missed += now - self._last - BEAT
        self._last = now
        return int(1000 * (now - self._missed))


service_ms = ServiceClock()
"""Return the milliseconds that count at the tables of this process; only differences mean something."""


def wall_ms() -> int:
    """Return the time of day, in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000
