"""The numbers of many games with their 95 % intervals: means, shares, win rates, rates over deals, slopes."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
Floats = NDArray[np.float64]

Z95 = 1.959963984540054  # the 97.5 % point of the normal distribution
RESAMPLES = 1000


@dataclass(frozen=True)
class Estimate:
    """A number and the interval that contains the true one 19 times out of 20."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> Interval:
        """Both ends."""
        return self.low, self.high

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def minus(self, other: "Estimate") -> "Estimate":
        """Return the difference from an estimate from other games."""
        value = self.value - other.value
        low = sqrt((self.value - self.low) ** 2 + (other.high - other.value) ** 2)
        high = sqrt((self.high - self.value) ** 2 + (other.value - other.low) ** 2)
        return Estimate(value, value - low, value + high)


@dataclass(frozen=True)
class Share:
    """How often something happened."""

    count: int
    share: float
    ci95: Interval


@dataclass(frozen=True)
class Spread:
    """How a whole number varies from game to game."""

    mean: float
    sd: float
    min: int
    max: int
    ci95: Interval | None
    """The interval of the mean; None for a single game, which cannot tell."""


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


def wilson(rate: float, trials: float, z: float = Z95) -> Interval:
    """Return the Wilson interval of a share, which is right even near 0 and 1, where the plain one would leave [0, 1].

    >>> [round(end, 3) for end in wilson(0, 10)]
    [0.0, 0.278]
    """
    centre = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(rate * (1 - rate) / trials + (z / (2 * trials)) ** 2)
    # At the ends the formula is exactly 0 or 1, but for rounding.
    return 0.0 if rate <= 0 else max(0.0, centre - half), 1.0 if rate >= 1 else min(1.0, centre + half)


def share_of(count: float, n: float) -> Estimate:
    """Return how often something happened in n independent games (Wilson).

    >>> share_of(5, 10).value
    0.5
    """
    return Estimate(count / n, *wilson(count / n, n))


def share(count: int, n: int) -> Share:
    """Describe something that happened in `count` of n games."""
    found = share_of(count, n)
    return Share(count, found.value, found.interval)


def wins_of(won_with: Sequence[int]) -> float:
    """Return how many games were won: `won_with[k]` of them together with k others, which count 1/(k + 1) each."""
    return sum(count / (k + 1) for k, count in enumerate(won_with))


def win_rate(won_with: Sequence[int], n: int) -> Estimate:
    """Return the share of n games that was won; `won_with` is that of `wins_of`.

    Without shared wins a game is a yes or no (Wilson); otherwise the interval comes from the variance of the shares.
    """
    if not any(won_with[1:]):
        return share_of(won_with[0], n)
    mean = wins_of(won_with) / n
    if n == 1:
        return Estimate(mean, 0.0, 1.0)
    squares = sum(count / (k + 1) ** 2 for k, count in enumerate(won_with))
    half = Z95 * sqrt(max(0.0, squares - n * mean * mean) / (n - 1) / n)
    return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half))


def rate_of(won: Floats, of: Floats, groups: NDArray[np.int64] | None = None, games: int = 2) -> Estimate:
    """Return sum(won) / sum(of), from one entry per deal; `of` is what could be won.

    The deal is the unit, since games on one deal are not independent trials.
    The variance is that of the deals' residuals (those of one group about their own mean, when deals are drawn from
    groups in fixed numbers). It goes into a Wilson interval as the number of plain trials that would vary as much, so
    that the ends stay right near 0 and 1. Some plain variance is added to either side of that comparison, two games'
    worth where a deal has `games`: where nothing was lost, and so nothing varies, each deal counts as one trial.

    >>> rate = rate_of(np.array([1.0, 0.5] * 50), np.ones(100))
    >>> rate.value, [round(end, 3) for end in rate.interval]
    (0.75, [0.694, 0.798])
    """
    seen = of > 0
    deals, total = int(seen.sum()), float(of.sum())
    if deals == 0:
        return Estimate(0.5, 0.0, 1.0)
    rate = min(1.0, float(won.sum()) / total)
    residuals = ((won - rate * of) * (deals / total))[seen]
    freedom = deals - 1
    if groups is not None:
        _, group, sizes = np.unique(groups[seen], return_inverse=True, return_counts=True)
        if sizes.min() > 1:
            residuals = residuals - (np.bincount(group, residuals) / sizes)[group]
            freedom = deals - len(sizes)
    if freedom < 1:
        return Estimate(rate, 0.0, 1.0)
    varied = float(residuals @ residuals) * deals / freedom
    plain = deals * rate * (1 - rate)
    trials = deals * (plain + 2 / games) / (varied + 2 / games)
    return Estimate(rate, *wilson(rate, trials, t95(freedom)))


def mean_of(values: Sequence[float] | Floats, bounds: tuple[float, float] | None = None) -> Estimate:
    """Return the mean of independent values (Student's t), within bounds that the mean cannot leave.

    Values that are all 0 or 1 get Wilson's interval, which is right near the ends, too.
    """
    array = np.asarray(values, np.float64)
    n = len(array)
    mean = float(array.mean())
    if bounds == (0.0, 1.0) and np.isin(array, (0.0, 1.0)).all():
        return share_of(mean * n, n)
    if n < 2:
        low, high = bounds or (-inf, inf)
        return Estimate(mean, low, high)
    half = t95(n - 1) * float(array.std(ddof=1)) / sqrt(n)
    low, high = mean - half, mean + half
    return Estimate(mean, low, high) if bounds is None else Estimate(mean, max(bounds[0], low), min(bounds[1], high))


def spread(counts: Counter[int]) -> Spread:
    """Describe whole numbers by how often each was seen.

    >>> found = spread(Counter({1: 1, 2: 2, 3: 1}))
    >>> found.mean, round(found.sd, 3), found.min, found.max
    (2.0, 0.816, 1, 3)
    """
    mean, sd = _mean_of_counts(counts)
    return Spread(mean.value, sd, min(counts), max(counts), None if mean.high == inf else mean.interval)


def distribution(counts: Counter[int]) -> Distribution:
    """Describe whole numbers by how often each was seen, one by one.

    >>> distribution(Counter({1: 1, 2: 2, 3: 1})).mean.value
    2.0
    """
    pairs = sorted(counts.items())
    reached = np.cumsum([number for _, number in pairs])

    def at(part: float) -> int:
        return pairs[int(np.searchsorted(reached, part * counts.total()))][0]

    mean, sd = _mean_of_counts(counts)
    return Distribution(mean, sd, at(0.5), at(0.05), at(0.95), pairs)


def _mean_of_counts(counts: Counter[int]) -> tuple[Estimate, float]:
    """Return the mean of whole numbers with its interval, and their standard deviation."""
    # In whole numbers up to the last step: no rounding, whatever the size of the sums.
    n = counts.total()
    total = sum(value * number for value, number in counts.items())
    squares = sum(value * value * number for value, number in counts.items())
    mean = total / n
    if n == 1:  # which cannot tell
        return Estimate(mean, -inf, inf), 0.0
    sd = sqrt((n * squares - total * total) / (n * (n - 1)))
    half = Z95 * sd / sqrt(n)
    return Estimate(mean, mean - half, mean + half), sd


def among(found: Estimate, many: int) -> Estimate:
    """Return an estimate with an interval so wide that, 19 times out of 20, all of so many hold (Bonferroni).

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


def resampled(deals: int, seed: int, estimate: Callable[[Floats], Floats]) -> tuple[Floats, Floats, Floats]:
    """Return an estimate with its interval, by the bootstrap: deals are resampled with replacement.

    `estimate` turns weights of the deals, one row per resample, into numbers, one row per resample.
    """
    weights = np.random.default_rng(seed).multinomial(deals, np.full(deals, 1 / deals), RESAMPLES).astype(np.float64)
    drawn = estimate(weights)
    found = estimate(np.ones((1, deals)))[0]
    low, high = np.percentile(drawn, (2.5, 97.5), axis=0)
    return found, np.minimum(low, found), np.maximum(high, found)


def slopes(x: Floats, y: Floats, games: NDArray[np.int64]) -> list[Estimate]:
    """Regress y on the columns of x and a constant; rows of the same game are not independent of each other.

    Least squares with the sandwich variance, clustered by game. A column that does not vary, or follows from the
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
    found = [Estimate(0.0, -inf, inf)] * x.shape[1]
    for place, column in enumerate(kept, 1):
        half = t95(max(1, n - 1)) * float(errors[place])
        found[column] = Estimate(float(beta[place]), float(beta[place]) - half, float(beta[place]) + half)
    return found
