"""Estimates with their 95 % intervals: means over games, shares of a variance, slopes of a regression."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tavolino.arena.intervals import Z95, t95, wilson

Floats = NDArray[np.float64]
RESAMPLES = 1000


@dataclass(frozen=True)
class Estimate:
    """A number and where the true one lies, 19 times of 20."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def minus(self, other: "Estimate") -> "Estimate":
        """Return the difference to an estimate from other games."""
        value = self.value - other.value
        low = sqrt((self.value - self.low) ** 2 + (other.high - other.value) ** 2)
        high = sqrt((self.high - self.value) ** 2 + (other.value - other.low) ** 2)
        return Estimate(value, value - low, value + high)


def among(found: Estimate, many: int) -> Estimate:
    """Return an estimate with an interval so wide that, 19 times of 20, all of so many hold (Bonferroni).

    >>> among(Estimate(1.0, 0.0, 2.0), 1).low, round(among(Estimate(1.0, 0.0, 2.0), 21).low, 2)
    (0.0, -0.55)
    """
    wider = NormalDist().inv_cdf(1 - 0.025 / many) / Z95 if many > 1 else 1.0
    low, high = wider * (found.value - found.low), wider * (found.high - found.value)
    return Estimate(found.value, found.value - low, found.value + high)


def stands_out(named: Sequence[tuple[str, Estimate]]) -> tuple[str, str] | None:
    """Return the names of the highest and the lowest, if those two differ by more than chance among all pairs."""
    if len(named) < 2:
        return None
    best, worst = max(named, key=lambda one: one[1].value), min(named, key=lambda one: one[1].value)
    pairs = len(named) * (len(named) - 1) // 2
    return (best[0], worst[0]) if among(best[1].minus(worst[1]), pairs).low > 0 else None


def share_of(count: float, n: float) -> Estimate:
    """Return how often something happened in n independent games (Wilson).

    >>> share_of(5, 10).value
    0.5
    """
    return Estimate(count / n, *wilson(count / n, n))


def mean_of(values: Sequence[float] | Floats, bounds: tuple[float, float] | None = None) -> Estimate:
    """Return the mean of independent values (Student's t), within bounds where the mean cannot leave them.

    Values that are all 0 or 1 get Wilson's interval, which is right near the ends too.
    """
    array = np.asarray(values, np.float64)
    n = len(array)
    mean = float(array.mean())
    if bounds == (0.0, 1.0) and np.isin(array, (0.0, 1.0)).all():
        return share_of(mean * n, n)
    if n < 2:
        low, high = bounds or (-np.inf, np.inf)
        return Estimate(mean, low, high)
    half = t95(n - 1) * float(array.std(ddof=1)) / sqrt(n)
    low, high = mean - half, mean + half
    return Estimate(mean, low, high) if bounds is None else Estimate(mean, max(bounds[0], low), min(bounds[1], high))


@dataclass(frozen=True)
class Distribution:
    """How a whole number varies from game to game."""

    mean: Estimate
    sd: float
    median: float
    low: int
    """5 % of the games lie below."""
    high: int
    """5 % of the games lie above."""
    counts: list[tuple[int, int]]
    """(value, games), ascending."""


def distribution(counts: Counter[int]) -> Distribution:
    """Describe whole numbers by how often each was seen.

    >>> distribution(Counter({1: 1, 2: 2, 3: 1})).mean.value
    2.0
    """
    pairs = sorted(counts.items())
    values, weights = np.array([v for v, _ in pairs], np.int64), np.array([w for _, w in pairs], np.int64)
    n = int(weights.sum())
    total, squares = int((values * weights).sum()), int((values * values * weights).sum())
    sd = sqrt((n * squares - total * total) / (n * (n - 1))) if n > 1 else 0.0
    mean = total / n
    half = Z95 * sd / sqrt(n) if n > 1 else np.inf
    reached = np.cumsum(weights)

    def at(part: float) -> int:
        return int(values[np.searchsorted(reached, part * n)])

    return Distribution(Estimate(mean, mean - half, mean + half), sd, at(0.5), at(0.05), at(0.95), pairs)


def resampled(deals: int, seed: int, estimate: Callable[[Floats], Floats]) -> tuple[Floats, Floats, Floats]:
    """Return an estimate with the ends of its interval, by the bootstrap: deals drawn again, with replacement.

    `estimate` turns weights of the deals, one row a resample, into numbers, one row a resample.
    """
    weights = np.random.default_rng(seed).multinomial(deals, np.full(deals, 1 / deals), RESAMPLES).astype(np.float64)
    drawn = estimate(weights)
    found = estimate(np.ones((1, deals)))[0]
    low, high = np.percentile(drawn, (2.5, 97.5), axis=0)
    return found, np.minimum(low, found), np.maximum(high, found)


def slopes(x: Floats, y: Floats, games: NDArray[np.int64]) -> list[Estimate]:
    """Regress y on the columns of x and a constant; rows of the same game are not independent of each other.

    Least squares with the sandwich variance, the game as the cluster. A column that does not vary, or follows from the
    others, gets a slope of 0 and no bounds.
    """
    kept: list[int] = []
    design = np.ones((len(y), 1))
    for column in range(x.shape[1]):
        wider = np.column_stack((design, x[:, column]))
        if np.linalg.matrix_rank(wider) == wider.shape[1]:
            design = wider
            kept.append(column)
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    scores = design * (y - design @ beta)[:, None]
    groups, index = np.unique(games, return_inverse=True)
    clustered = np.zeros((len(groups), design.shape[1]))
    np.add.at(clustered, index, scores)
    n, k = len(groups), design.shape[1]
    correction = n / max(1, n - 1) * (len(y) - 1) / max(1, len(y) - k)
    errors = np.sqrt(((clustered @ inverse) ** 2).sum(axis=0) * correction)  # a sum of squares: rounding keeps it ≥ 0
    found = [Estimate(0.0, -np.inf, np.inf)] * x.shape[1]
    for place, column in enumerate(kept, 1):
        half = t95(max(1, n - 1)) * float(errors[place])
        found[column] = Estimate(float(beta[place]), float(beta[place]) - half, float(beta[place]) + half)
    return found
