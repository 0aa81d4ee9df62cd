"""Means, shares and their 95 % intervals, from sums that were kept exactly."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from tavolino.arena.intervals import Z95, Interval, wilson


@dataclass(frozen=True)
class Spread:
    """How a whole number varies from game to game."""

    mean: float
    sd: float
    min: int
    max: int
    ci95: Interval | None
    """Where the true mean lies; None for a single game, which cannot tell."""


@dataclass(frozen=True)
class Share:
    """How often something happened."""

    count: int
    share: float
    ci95: Interval


def spread(n: int, total: int, squares: int, low: int, high: int) -> Spread:
    """Describe n whole numbers by their sum, the sum of their squares, the smallest and the largest.

    >>> spread(4, 10, 30, 1, 4).mean, round(spread(4, 10, 30, 1, 4).sd, 3)
    (2.5, 1.291)
    """
    mean = total / n
    if n == 1:
        return Spread(mean, 0.0, low, high, None)
    # In whole numbers up to the last step: no rounding, whatever the size of the sums.
    sd = sqrt((n * squares - total * total) / (n * (n - 1)))
    half = Z95 * sd / sqrt(n)
    return Spread(mean, sd, low, high, (mean - half, mean + half))


def share(count: int, n: int) -> Share:
    """Describe something that happened in `count` of n games."""
    return Share(count, count / n, wilson(count / n, n))


def win_interval(won_with: Sequence[int], n: int) -> Interval:
    """Return the interval of a win rate; `won_with[k]` games were won together with k others and count 1/(k + 1).

    Without shared wins a game is a yes or no (Wilson); else the interval comes from the variance of a game's share.
    """
    if not any(won_with[1:]):
        return wilson(won_with[0] / n, n)
    if n == 1:
        return 0.0, 1.0
    mean = sum(count / (k + 1) for k, count in enumerate(won_with)) / n
    squares = sum(count / (k + 1) ** 2 for k, count in enumerate(won_with))
    half = Z95 * sqrt(max(0.0, squares - n * mean * mean) / (n - 1) / n)
    return max(0.0, mean - half), min(1.0, mean + half)
