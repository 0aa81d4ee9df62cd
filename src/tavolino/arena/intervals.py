"""A rate and its 95 % interval, with the deal as the unit: games on one deal are no independent trials."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
Numbers = NDArray[np.float64]

Z95 = 1.959963984540054  # the 97.5 % point of the normal distribution


@dataclass(frozen=True)
class Rate:
    """A rate and where the true one lies, 19 times of 20."""

    rate: float
    ci95: Interval


def t95(freedom: int) -> float:
    """Return the 97.5 % point of Student's t, to three digits from 3 degrees of freedom up.

    >>> round(t95(10), 2), round(t95(1000), 3)
    (2.23, 1.962)
    """
    z, n = Z95, freedom  # Abramowitz and Stegun 26.7.5
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + float(sum(term / n**power for power, term in enumerate(terms, 1)))


def rate_of(won: Numbers, of: Numbers, groups: NDArray[np.int64] | None = None, games: int = 2) -> Rate:
    """Return sum(won) / sum(of) with its interval, from one entry a deal; `of` is what could be won.

    The variance is that of the deals' residuals (those of one group about their own mean, when deals are drawn from
    groups in fixed numbers). It goes into a Wilson interval as the number of plain trials that would vary as much, so
    that the ends stay right near 0 and 1. Some plain variance is added to either side of that comparison, two games'
    worth where a deal has `games`: where nothing was lost, and so nothing varies, each deal counts as one trial.

    >>> rate = rate_of(np.array([1.0, 0.5] * 50), np.ones(100))
    >>> rate.rate, [round(end, 3) for end in rate.ci95]
    (0.75, [0.694, 0.798])
    """
    seen = of > 0
    deals, total = int(seen.sum()), float(of.sum())
    if deals == 0:
        return Rate(0.5, (0.0, 1.0))
    rate = min(1.0, float(won.sum()) / total)
    residuals = ((won - rate * of) * (deals / total))[seen]
    freedom = deals - 1
    if groups is not None:
        _, group, sizes = np.unique(groups[seen], return_inverse=True, return_counts=True)
        if sizes.min() > 1:
            residuals = residuals - (np.bincount(group, residuals) / sizes)[group]
            freedom = deals - len(sizes)
    if freedom < 1:
        return Rate(rate, (0.0, 1.0))
    varied = float(residuals @ residuals) * deals / freedom
    plain = deals * rate * (1 - rate)
    trials = deals * (plain + 2 / games) / (varied + 2 / games)
    return Rate(rate, wilson(rate, trials, t95(freedom)))


def wilson(rate: float, trials: float, z: float = Z95) -> Interval:
    """Return the Wilson interval of a share: right also near 0 and 1, where the plain one would leave [0, 1].

    >>> [round(end, 3) for end in wilson(0, 10)]
    [0.0, 0.278]
    """
    centre = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(rate * (1 - rate) / trials + (z / (2 * trials)) ** 2)
    # At the ends the formula is exactly 0 or 1, but for rounding.
    return 0.0 if rate <= 0 else max(0.0, centre - half), 1.0 if rate >= 1 else min(1.0, centre + half)
