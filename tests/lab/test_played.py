"""What is counted of games: the same as one by one, in any order."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tavolino.lab.played import frequencies_of, room_for, totals_of
from tavolino.play.setup import read_setup

Numbers = st.lists(st.integers(-(10**12), 10**12) | st.integers(-5, 5), min_size=1, max_size=40)


@given(Numbers, Numbers)
def test_histograms_count_whatever_the_range(one: list[int], two: list[int]) -> None:
    found = frequencies_of(np.array(one))
    found.add(frequencies_of(np.array(two)))
    assert found.counter() == Counter(one + two)
    assert np.all(np.diff(found.values) > 0)


def test_margins_are_of_winners_alone() -> None:
    """Who wins may have fewer points than another; a shared win has none; nor has a game without a winner."""
    played = room_for(read_setup("orma", 3), 0, 4, 0)
    played.score[:] = [[5, 9, 2], [4, 4, 1], [7, 7, 7], [3, 2, 1]]
    played.states["winners"] = [0b001, 0b011, 0b111, 0]
    totals = totals_of(played, 2)
    assert totals.margin.counter() == Counter({-4: 1, 0: 3})
    assert totals.shared == 2


def test_places_are_seats_from_the_starter_on() -> None:
    played = room_for(read_setup("orma", 3), 0, 2, 0)
    played.score[:] = [[5, 9, 2], [4, 8, 1]]
    played.states["winners"] = 0b010
    played.states["first"] = [1, 2]
    totals = totals_of(played, 2)
    assert [won for won, _ in totals.by_seat()] == [[0, 0, 0], [2, 0, 0], [0, 0, 0]]
    assert [won for won, _ in totals.by_place()] == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert [points for _, points in totals.by_place()] == [Counter([9, 1]), Counter([2, 4]), Counter([5, 8])]
