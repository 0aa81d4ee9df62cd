"""Intervals, ratings and the sequential test, on data whose truth is known."""

import numpy as np
import pytest
from scipy import stats

from tavolino.arena.ratings import ELO, fit, rate_all
from tavolino.arena.stopping import MARGIN, PairTest
from tavolino.intervals import rate_of, t95


@pytest.mark.parametrize("freedom", [3, 5, 10, 30, 100, 10_000])
def test_t_is_students(freedom: int) -> None:
    """To three digits or better."""
    assert t95(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=3e-3)


@pytest.mark.parametrize("rate", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("alike", [0.0, 0.6])
@pytest.mark.parametrize("deals", [25, 200])
def test_intervals_cover(rate: float, alike: float, deals: int) -> None:
    """About 95 % of the time, also when the two games of a deal tend to end alike."""
    rng = np.random.default_rng(5)
    games = (rng.random((2000, deals, 2)) < rate).astype(float)
    games[..., 1] = np.where(rng.random((2000, deals)) < alike, games[..., 0], games[..., 1])
    found = [rate_of(won, np.ones(deals)).interval for won in games.mean(-1)]
    assert 0.935 < np.mean([low <= rate <= high for low, high in found]) <= 1


def test_intervals_cover_over_groups() -> None:
    """A bot that meets a weak and a strong opponent in turn: the difference between them is no uncertainty."""
    rng = np.random.default_rng(6)
    groups = np.arange(100) % 2
    widths, covered = [], []
    for _ in range(1000):
        won = (rng.random((100, 2)) < np.where(groups, 0.9, 0.2)[:, None]).mean(-1)
        low, high = rate_of(won, np.ones(100), groups).interval
        covered.append(low <= 0.55 <= high)
        widths.append(high - low)
    assert 0.93 < np.mean(covered) < 0.98
    assert np.mean(widths) < 0.11  # without groups: 0.17


@pytest.mark.parametrize("deals", [20, 100])
def test_intervals_cover_at_larger_tables(deals: int) -> None:
    """Five seats: the rate of one bot, the rate between two by Luce's law, and with them the test of the two."""
    rng = np.random.default_rng(11)
    strength = np.array([2.0, 1.0, 1.0, 1.0, 1.0])
    won = rng.multinomial(5, strength / 6, size=(1500, deals)) / 5.0
    one = [rate_of(deal[:, 0], np.ones(deals), games=5).interval for deal in won]
    two = [rate_of(deal[:, 0], deal[:, 0] + deal[:, 1], games=5).interval for deal in won]
    assert 0.935 < np.mean([low <= 1 / 3 <= high for low, high in one]) < 0.99
    assert 0.925 < np.mean([low <= 2 / 3 <= high for low, high in two]) < 0.99
    verdicts = []
    for deal in won[:200]:
        test = PairTest(games=5)
        for seats in deal.tolist():
            test.add(seats[1], seats[2])  # equals
        verdicts.append(test.verdict)
    assert verdicts.count(1) + verdicts.count(-1) <= 200 * 0.08


def test_intervals_with_nothing_to_see() -> None:
    """Nothing lost is no certainty, nor is one deal; and one game lost makes the interval no better."""
    ones = np.ones(1000)
    low, high = rate_of(ones, ones).interval
    assert (round(low, 4), high) == (0.9962, 1)
    assert rate_of(np.array([0.5, *ones[1:]]), ones).interval[0] < low
    assert rate_of(0 * ones, ones).interval[0] == 0
    assert rate_of(ones[:1], ones[:1]).interval == (0, 1)
    assert rate_of(0 * ones, 0 * ones).interval == (0, 1)
    low, high = rate_of(ones / 2, ones).interval
    assert 0 < 0.5 - low < 0.01
    assert 0 < high - 0.5 < 0.01


def test_ratings_recover_known_strengths() -> None:
    """From a round robin by Bradley–Terry's law; the intervals hold them."""
    truth = np.array([1000.0, 1150.0, 1400.0, 1700.0])
    chance = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    rng = np.random.default_rng(7)
    won = np.zeros((12_000, 4, 4))
    pairs = [(a, b) for a in range(4) for b in range(a)]
    for deal in range(len(won)):
        a, b = pairs[deal % len(pairs)]
        won[deal, a, b] = rng.binomial(2, chance[a, b]) / 2
        won[deal, b, a] = 1 - won[deal, a, b]
    ratings, intervals = rate_all(won, ["random", "b", "c", "d"], seed=1)
    assert ratings == pytest.approx(truth, abs=25)
    assert ratings[0] == 1000
    for right, interval in zip(truth[1:], intervals[1:], strict=True):
        assert interval is not None
        assert interval[0] < right < interval[1]
        assert interval[1] - interval[0] < 60


def test_ratings_without_random_have_mean_1500() -> None:
    """And a bot that never lost has a finite one, with a wide interval."""
    won = np.zeros((50, 2, 2))
    won[:, 0, 1] = 1
    (a, b), (interval, _) = rate_all(won, ["a", "b"], seed=1)
    assert a + b == pytest.approx(3000)
    assert a - b == pytest.approx(400 * np.log10(50.5 / 0.5))
    assert interval is not None
    assert interval[0] < a - 50
    assert interval[1] > a + 100


def test_fit_is_the_likeliest() -> None:
    """No small change makes the results likelier."""
    wins = np.array([[0, 5, 2.5], [3, 0, 9], [7.5, 1, 0]])

    def likelihood(strength: np.ndarray) -> float:
        return float((wins * -np.log1p(np.exp(strength[None, :] - strength[:, None]))).sum())

    best = fit(wins)
    rng = np.random.default_rng(8)
    assert all(likelihood(best) >= likelihood(best + rng.normal(0, 0.01, 3)) for _ in range(50))


def run_test(elo: float, rng: np.random.Generator, alike: float = 0.3) -> PairTest:
    """Run the sequential test on deals of two games between players so far apart."""
    rate = 1 / (1 + np.exp(-elo / ELO))
    games = (rng.random((20_000, 2)) < rate).astype(float)
    games[:, 1] = np.where(rng.random(20_000) < alike, games[:, 0], games[:, 1])
    test = PairTest()
    for won in games.mean(-1).tolist():
        test.add(won, 1 - won)
        if test.verdict is not None:
            break
    return test


def test_sequential_test_keeps_its_error_rates() -> None:
    """Equal players are called unequal at most 5 % of the time; those MARGIN apart are told apart 95 %."""
    rng = np.random.default_rng(9)
    equal = [run_test(0, rng).verdict for _ in range(300)]
    assert equal.count(None) == 0
    assert equal.count(1) + equal.count(-1) <= 300 * 0.08  # 5 % and three standard errors
    apart = [run_test(-MARGIN, rng).verdict for _ in range(300)]
    assert apart.count(-1) >= 300 * 0.91
    assert apart.count(1) == 0


@pytest.mark.parametrize(("elo", "deals"), [(100, 300), (300, 60), (2000, 20)])
def test_sequential_test_stops_early_when_it_is_clear(elo: float, deals: int) -> None:
    """The clearer, the earlier."""
    rng = np.random.default_rng(10)
    tests = [run_test(elo, rng) for _ in range(50)]
    assert {test.verdict for test in tests} == {1}
    assert np.median([test.deals for test in tests]) <= deals
