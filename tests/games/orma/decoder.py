"""The state behind an observation, as far as it tells it: for the test that it tells all a view does."""

from types import SimpleNamespace
from typing import Any

import numpy as np


def decode(told: dict[str, Any], seats: int, seat: int) -> Any:
    """Return the fields of the state that views read; of others' hands only their size."""
    rows = [told["seats"][(s - seat) % seats] for s in range(seats)]
    ended = np.flatnonzero(told["ending"]).tolist()
    lines = [row for row in told["rows"] if row[0]]
    to_move, first = (next((s for s in range(seats) if rows[s][k]), -1) for k in (5, 6))
    drawn = np.flatnonzero(told["drawn"]).tolist()
    blacks = [black for black in told["blacks"] if black[0]]
    closed = [told["row_to"][r] for r in range(len(lines))]
    mine = [round(n * 12) for n in told["hand"]]
    lengths = [round(row[2] * 12) for row in lines]
    colours = [1 + int(row[3:8].argmax()) for row in lines]
    for colour in range(1, 6):  # the numbers besides those of the view say what follows from it
        laid = sum(length for length, c in zip(lengths, colours, strict=True) if c == colour)
        assert round(told["unseen"][colour] * 12) == 12 - laid - mine[colour]
    assert [bool(row[1]) for row in lines] == [not to.any() for to in closed]
    return SimpleNamespace(
        seats=seats,
        player=to_move,
        first=first,
        over=int(bool(ended)),
        winners=sum(1 << s for s in range(seats) if rows[s][7]),
        ending=ended[0] if ended else -1,
        scores=[round(row[1] * 100) for row in rows],
        hand_size=[round(row[2] * 20) for row in rows],
        hand=[mine] * seats,
        fresh=drawn[0] if drawn else 0 if told["drawing"][0] else -1,
        stack_left=round(told["stack"][0] * 72),
        passes=round(told["passes"][0] * 5),
        blacks=len(blacks),
        rows=len(lines),
        place=[0, *(sum(1 << b for b, black in enumerate(blacks) if black[2 + k]) for k in range(5))],
        row_colour=colours,
        row_length=lengths,
        row_start=[int(told["row_from"][r].argmax()) for r in range(len(lines))],
        row_end=[int(to.argmax()) if to.any() else -1 for to in closed],
    )
