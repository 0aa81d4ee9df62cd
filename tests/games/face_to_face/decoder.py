"""The state behind an observation, as far as it tells it: for the test that it tells all a view does."""

from types import SimpleNamespace
from typing import Any

import numpy as np


def decode(told: dict[str, Any], seats: int, seat: int) -> Any:
    """Return the fields of the state that views read; the other's hand only by its size."""
    mine_first = [seat, 1 - seat]

    def mask(cards: Any) -> int:
        return sum(1 << 2 + i for i in np.flatnonzero(cards).tolist())

    by_seat = dict(zip(mine_first, range(2), strict=True))
    rows = [told["seats"][by_seat[s]] for s in range(2)]
    hand = [(1 << round(row[0] * 6)) - 1 for row in rows]
    hand[seat] = mask(told["hand"])
    ended = np.flatnonzero(told["ending"]).tolist()
    to_move, first = (next((s for s in range(2) if rows[s][k]), -1) for k in (3, 4))
    tops = told["tops"].argmax(axis=1) + 1
    assert np.allclose(tops / 60, told["heights"])
    return SimpleNamespace(
        seats=2,
        player=to_move,
        first=first,
        over=int(bool(ended)),
        winners=sum(1 << s for s in range(2) if rows[s][5]),
        ending=ended[0] if ended else -1,
        scores=[round(row[2] * 58) for row in rows],
        top=[int(tops[2 * by_seat[s] + way]) for s in range(2) for way in range(2)],
        hand=hand,
        laid=[mask(told["laid"][by_seat[s]]) for s in range(2)],
        drawn=[58 - round(row[1] * 52) for row in rows],
        turn_cards=round(told["turn"][0] * 6),
        helped=round(told["turn"][1]),
    )
