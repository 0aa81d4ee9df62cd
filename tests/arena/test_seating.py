"""Who sits where."""

from collections import Counter
from itertools import combinations

import pytest

from tavolino.arena.seating import Schedule


def test_two_bots_at_a_table_of_two_swap_seats() -> None:
    """Every deal both ways."""
    assert Schedule(2, 2).seatings(0) == Schedule(2, 2).seatings(7) == [(0, 1), (1, 0)]


def test_several_bots_at_a_table_of_two_meet_in_pairs() -> None:
    """One pair a deal, in turn."""
    schedule = Schedule(3, 2)
    assert [set(schedule.seatings(deal)[0]) for deal in range(4)] == [{0, 1}, {0, 2}, {1, 2}, {0, 1}]


def test_two_bots_at_a_larger_table_sit_alone_among_the_others() -> None:
    """Each in every seat."""
    assert Schedule(2, 3).seatings(0) == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]


@pytest.mark.parametrize(("bots", "seats"), [(b, p) for b in range(2, 7) for p in range(2, 6)])
def test_seats_are_visited_equally(bots: int, seats: int) -> None:
    """In every deal each bot of the line-up sits in every seat equally often; over a round, all bots meet all."""
    schedule = Schedule(bots, seats)
    met: Counter[tuple[int, int]] = Counter()
    for deal in range(len(schedule.line_ups)):
        seatings = schedule.seatings(deal)
        assert len(seatings) == schedule.games_a_deal
        for bot in set(seatings[0]):
            assert len({sum(seating[seat] == bot for seating in seatings) for seat in range(seats)}) == 1
        met.update(pair for pair in combinations(range(bots), 2) if {*pair} <= {*seatings[0]})
    assert set(met) == set(combinations(range(bots), 2))
    assert len(set(met.values())) == 1


def test_neighbours_change() -> None:
    """From one turn of a line-up to the next."""
    orders = {Schedule(4, 4).seatings(deal)[0] for deal in range(6)}
    assert len(orders) == 6


@pytest.mark.parametrize(
    ("bots", "seats", "games", "deals"), [(2, 2, 1, 1), (2, 2, 5, 3), (3, 2, 1, 3), (2, 4, 9, 2), (5, 5, 11, 3)]
)
def test_games_are_rounded_up_to_whole_deals(bots: int, seats: int, games: int, deals: int) -> None:
    """And every line-up plays."""
    assert Schedule(bots, seats).deals(games) == deals
