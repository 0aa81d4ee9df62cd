"""The intervals beside SciPy's and beside plain arithmetic."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from tavolino.intervals import Z95, spread, wilson, win_rate


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_scipys(case: tuple[int, int]) -> None:
    count, n = case
    theirs = binomtest(count, n).proportion_ci(method="wilson")
    assert wilson(count / n, n) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(st.lists(st.integers(-300, 300), min_size=2, max_size=50))
def test_spread_is_numpys(values: list[int]) -> None:
    got = spread(Counter(values))
    assert (got.min, got.max) == (min(values), max(values))
    assert got.mean == pytest.approx(np.mean(values))
    assert got.sd == pytest.approx(np.std(values, ddof=1), abs=1e-9)
    assert got.ci95 is not None
    assert got.ci95[1] - got.mean == pytest.approx(Z95 * got.sd / math.sqrt(len(values)), abs=1e-9)


def test_one_game_says_nothing_about_the_mean() -> None:
    assert spread(Counter([7])).ci95 is None


@given(st.lists(st.integers(0, 40), min_size=3, max_size=3), st.integers(1, 40))
def test_shared_wins_use_the_variance_of_the_share(won_with: list[int], lost: int) -> None:
    shares = [1 / (k + 1) for k, count in enumerate(won_with) for _ in range(count)] + [0.0] * lost
    n = len(shares)
    low, high = win_rate(won_with, n).interval
    assert 0 <= low <= np.mean(shares) <= high <= 1
    if any(won_with[1:]) and n > 1:
        half = Z95 * np.std(shares, ddof=1) / math.sqrt(n)
        assert high == pytest.approx(min(1.0, np.mean(shares) + half), abs=1e-9)
    elif not any(won_with[1:]):
        assert (low, high) == wilson(won_with[0] / n, n)


def test_a_single_shared_win_can_mean_anything() -> None:
    assert win_rate([0, 1], 1).interval == (0.0, 1.0)
