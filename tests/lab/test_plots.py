"""Plots: a histogram shows how often numbers are seen, not how many of them a bin can hold."""

import re

import pytest

from tavolino.intervals import Estimate
from tavolino.lab.plots import WIDTH, histogram, scatter


def heights(svg: str) -> list[float]:
    """Return the heights of a histogram's bars, from left to right."""
    return [float(height) for height in re.findall(r'<rect [^>]*height="([\d.]+)"', svg)]


@pytest.mark.parametrize("high", [20, 70, 150, 258])
@pytest.mark.parametrize(("every", "stray"), [(1, 0), (2, 0), (2, 3), (3, 4), (4, 0)])
def test_evenly_spread_numbers_make_even_bars(every: int, stray: int, high: int) -> None:
    """Scores are often even, and a turn often takes three moves: no bin holds one more of those than the next."""
    counts = [(n, 100 if n % every == 0 else stray) for n in range(high + 1)]
    found = heights(histogram("Spread", [("games", [(n, count) for n, count in counts if count])], "points"))[:-1]
    assert len(found) >= 4
    assert max(found) < 1.05 * min(found)


def test_a_few_numbers_have_a_bar_each() -> None:
    found = heights(histogram("Few", [("games", [(0, 90), (1, 8), (4, 2)])], "changes"))
    assert len(found) == 5
    assert found[0] > found[1] > found[4] > found[2] == found[3] == 0


def test_a_map_names_groups_in_lines_that_fit() -> None:
    """Four long names take two lines; each point has its label, and none lies outside."""
    names = ["The Game: Face to Face", "Out of Sock", "Orma", "A game of somebody else"]
    found = scatter(
        "Map", [(name, "2", Estimate(900, 0, 1000), Estimate(0.5, 0.4, 1.0)) for name in names], "Elo", "overtaken"
    )
    assert [found.count(f">{name}</text>") for name in names] == [1] * 4
    assert found.count(">2</text>") == 4
    assert "↑ overtaken</text>" in found, "both axes are named"
    assert "Elo →</text>" in found
    assert found.count("translate(0 ") == 2
    ends = [float(x) + 6.6 * len(text) for x, text in re.findall(r'<text x="([\d.]+)" y="14"[^>]*>([^<]+)<', found)]
    assert len(ends) == 4
    assert max(ends) <= WIDTH
