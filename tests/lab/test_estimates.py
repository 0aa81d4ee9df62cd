"""Estimates beside plain arithmetic and known answers."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import linregress

from tavolino.intervals import Estimate, distribution, mean_of, resampled, share_of, slopes, stands_out
from tools.studies import skill_by_set


def test_a_distribution_is_that_of_the_numbers() -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(-5, 30, 500)
    found = distribution(Counter(values.tolist()))
    assert found.mean.value == pytest.approx(values.mean())
    assert found.sd == pytest.approx(values.std(ddof=1))
    assert found.median == np.sort(values)[249]
    assert found.mean.high - found.mean.value == pytest.approx(1.96 * values.std(ddof=1) / 500**0.5, rel=1e-3)
    assert sum(count for _, count in found.counts) == 500


def test_the_difference_of_two_shares_has_the_wider_interval() -> None:
    a, b = share_of(60, 100), share_of(50, 100)
    found = a.minus(b)
    assert found.value == pytest.approx(0.1)
    assert found.low < 0 < found.high
    assert max(a.half, b.half) < found.half < a.half + b.half


def test_means_stay_within_their_bounds() -> None:
    assert mean_of([1.0, 1.0, 1.0], (0.0, 1.0)).high == 1.0
    assert mean_of([0.5], (0.0, 1.0)) == Estimate(0.5, 0.0, 1.0)
    assert mean_of([0.9, 1.0, 0.8, 1.0], (0.0, 1.0)).high == 1.0


def test_slopes_are_least_squares_and_find_what_was_put_in() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(2000, 2))
    y = 0.3 * x[:, 0] - 0.1 * x[:, 1] + rng.normal(size=2000)
    games = np.arange(2000)
    first, second = slopes(x, y, games)
    assert first.low < 0.3 < first.high
    assert second.low < -0.1 < second.high
    alone = slopes(x[:, :1], y, games)[0]
    theirs = linregress(x[:, 0], y)
    assert alone.value == pytest.approx(theirs.slope)
    assert alone.half == pytest.approx(1.96 * theirs.stderr, rel=0.05)


def test_seats_of_one_game_are_not_counted_as_independent() -> None:
    rng = np.random.default_rng(3)
    x, noise = rng.normal(size=200), rng.normal(size=200)
    twice = slopes(np.repeat(x, 2)[:, None], np.repeat(0.2 * x + noise, 2), np.repeat(np.arange(200), 2))[0]
    once = slopes(x[:, None], 0.2 * x + noise, np.arange(200))[0]
    assert twice.half == pytest.approx(once.half, rel=0.02)


def test_what_does_not_vary_has_no_slope() -> None:
    found = slopes(np.ones((50, 1)), np.random.default_rng(4).normal(size=50), np.arange(50))
    assert found == [Estimate(0.0, -np.inf, np.inf)]


def test_drawing_deals_again_gives_the_usual_interval_of_a_mean() -> None:
    values = np.random.default_rng(5).normal(size=400)
    found, low, high = resampled(400, 7, lambda weights: (weights @ values / weights.sum(axis=1))[:, None])
    assert found[0] == pytest.approx(values.mean())
    assert (high - low)[0] / 2 == pytest.approx(1.96 * values.std() / 20, rel=0.1)


def test_no_variance_of_a_slope_is_below_zero() -> None:
    """Three seats share out the result of a game, so the residuals of each add up to 0, but for rounding."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        y = np.concatenate([rng.permutation([2 / 3, -1 / 3, -1 / 3]) for _ in range(8)])
        x = np.where((y < 0) & (rng.random(24) < 0.2), 0.0, 1.0)[:, None]
        (found,) = slopes(x, y, np.repeat(np.arange(8), 3))
        assert found.low <= found.value <= found.high


def test_the_best_of_many_equals_is_not_named() -> None:
    """Seven rules under which the better player wins alike: hardly ever is one of them called better than another."""
    rng = np.random.default_rng(5)
    named = sum(
        stands_out([(str(i), share_of(int(won), 2000)) for i, won in enumerate(rng.binomial(2000, 0.735, 7))])
        is not None
        for _ in range(300)
    )
    assert named <= 300 * 0.05
    clear = [(str(i), share_of(2000 * share, 2000)) for i, share in enumerate((0.7, 0.72, 0.78))]
    assert stands_out(clear) == ("2", "0")


def test_the_page_about_socks_names_no_winner_by_chance() -> None:
    wins = [("2,2,2", share_of(1482, 2000)), ("2,8,8", share_of(1446, 2000))]
    assert skill_by_set(wins).startswith("No difference")
    assert "`2,2,2`" in skill_by_set([wins[0], ("2,8,8", share_of(1200, 2000))])
