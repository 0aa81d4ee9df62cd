"""Sequential halving: the worlds go to the lines that are hard to tell apart, in slices that can be cut anywhere."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tavolino.bots import halving
from tavolino.bots.strategy import MAX_PLAN
from tavolino.engine.tiers import plain

Worth = Any  # (world, line) -> what a line is worth in a world


def notes_of(priors: list[float], budget: int) -> halving.Notes:
    """Return the notes of a look-ahead that has lines of one move each, and has tried nothing."""
    notes = np.zeros(1, halving.NOTES)
    notes[0]["lines"][:] = -1
    notes[0]["lines"][: len(priors), 0] = 7 + np.arange(len(priors))
    notes[0]["priors"][: len(priors)] = priors
    notes[0]["count"], notes[0]["budget"] = len(priors), budget
    return notes


def think(notes: halving.Notes, worth: Worth, by: ModuleType = halving) -> list[tuple[int, float, int, float]]:
    """Try lines until thinking is over; return (action, chance, tries, error) of each, best first."""
    by.begin(notes)
    while worlds := int(by.next_slice(notes)):
        lines = np.empty((int(notes[0]["left"]), MAX_PLAN), np.int64)
        assert by.alive_lines(notes, lines) == len(lines)
        first = int(notes[0]["world"])
        worths = np.array([[worth(first + i, int(line[0]) - 7) for line in lines] for i in range(worlds)])
        by.hear(notes, worths, worlds)
    order = np.empty(halving.CANDIDATES, np.int64)
    chances, errors = np.empty(halving.CANDIDATES), np.empty(halving.CANDIDATES)
    n = int(by.rank(notes, order, chances, errors))
    note = notes[0]
    rows = zip(order[:n], chances[:n], errors[:n], strict=True)
    return [(int(note["lines"][i, 0]), float(chance), int(note["tried"][i]), float(e)) for i, chance, e in rows]


def noisy(means: list[float], seed: int) -> Worth:
    """Return what lines are worth if they win with these chances, each by luck of its own."""
    luck = np.random.default_rng(seed).random((4096, len(means)))
    return lambda world, line: float(luck[world, line] < means[line])


def test_the_best_line_is_found_and_tried_longest() -> None:
    means = [0.4, 0.45, 0.7, 0.5, 0.42, 0.44]
    found = [think(notes_of([0.5] * 6, 600), noisy(means, seed)) for seed in range(20)]
    assert sum(one[0][0] == 9 for one in found) >= 18
    for one in found:
        tries = [tried for _, _, tried, _ in one]
        assert tries == sorted(tries, reverse=True)
        assert tries[0] > tries[-1] > 0


def test_a_budget_is_kept() -> None:
    """Each round has its share of the tries; lines that are equal need them all."""
    for budget in (1, 8, 60, 601):
        notes = notes_of([0.5] * 10, budget)
        think(notes, lambda world, line: 0.5 if world % 2 else 0.4)
        assert notes[0]["tried"].sum() <= max(budget, 4 * 10)
        assert notes[0]["tried"].max() >= budget // 40 * 4


def test_what_is_clear_ends_thinking() -> None:
    notes = notes_of([0.5, 0.5], 100_000)
    found = think(notes, lambda world, line: 0.9 - 0.5 * line + 0.01 * (world % 3))
    assert found[0][0] == 7
    assert notes[0]["tried"].max() == halving.CLEAR_WORLDS


def test_what_the_network_says_is_far_behind_is_not_tried() -> None:
    found = think(notes_of([0.6, 0.59, 0.2], 100), noisy([0.5, 0.5, 1.0], 1))
    assert [tries > 0 for _, _, tries, _ in found] == [True, True, False]
    assert found[2][0] == 9
    assert found[2][1] == pytest.approx(0.2)


def test_chances_and_errors_are_those_of_what_was_heard() -> None:
    """The network's word counts for ten worlds; the error is the standard error of the mean."""
    worth = noisy([0.5], 3)
    ((action, chance, tries, error),) = think(notes_of([0.3], 24), worth)
    heard = np.array([worth(world, 0) for world in range(24)])
    assert (action, tries) == (7, 24)
    assert chance == pytest.approx((10 * 0.3 + heard.sum()) / 34)
    assert error == pytest.approx(heard.std() / 24**0.5)


def test_moves_that_begin_the_same_are_listed_once() -> None:
    notes = notes_of([0.5, 0.5, 0.5], 64)
    notes[0]["lines"][1, :2] = 7, 8
    found = think(notes, lambda world, line: 0.5)
    assert [action for action, *_ in found] == [7, 9]


def test_plain_python_decides_the_same() -> None:
    """To the last bit, as everything that is compiled."""
    means = [0.5, 0.55, 0.45, 0.6]
    compiled = think(notes_of(means, 120), noisy(means, 5))
    assert think(notes_of(means, 120), noisy(means, 5), plain("tavolino.bots.halving")) == compiled
