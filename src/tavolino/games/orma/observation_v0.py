"""What a seat of Orma observes in environments `-v0`: kept as it was, for what was learnt with it."""

from itertools import product

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.fields import BY_5, BY_9, BY_12, BY_20, BY_72, BY_100, Field, Row, offsets, pick, total
from tavolino.engine.jit import rule, wide
from tavolino.engine.rows import put
from tavolino.games.orma import observation
from tavolino.games.orma.observation import FRESH_TABLE, ROW_PARTS, ROW_TABLE, write_black
from tavolino.games.orma.rules import BLACKS, COLOURS, EACH, MIXED, NOTHING, ROWS, SEATS

__all__ = ["FIELDS", "SIZE", "VERSION", "observe"]

VERSION = 0
SEAT_PARTS = 6
FIELDS = (
    *pick(observation.FIELDS, "hand", "drawn", "drawing", "stack", "passes", "spare_blacks"),
    Field(
        "seats",
        (SEATS, SEAT_PARTS),
        "for each seat, all 0 where there is none: 1, points / 100, tokens in hand / 20, blacks laid from hand / 12,"
        " tokens in hand that may have come from the stack / 20, 1 if to move",
    ),
    *pick(observation.FIELDS, "blacks"),
    Field(
        "rows",
        (ROWS, ROW_PARTS),
        "for each row on the table: 1, 1 if open, length / 12, 1 at its colour (green … violet), number of the black"
        " token it starts at, counted from 1, / 12, of the one that closes it / 12",
    ),
)
AT, SIZE = offsets(FIELDS), total(FIELDS)
HAND, DRAWN, STACK, PASSES = AT["hand"], AT["drawn"], AT["stack"], AT["passes"]
SPARE, AT_SEATS, AT_BLACKS, AT_ROWS = AT["spare_blacks"], AT["seats"], AT["blacks"], AT["rows"]

ENDS_TABLE = np.array([(a * BY_12, b * BY_12) for a, b in product(range(BLACKS + 1), repeat=2)], np.float32)


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    for colour in range(COLOURS):
        out[HAND + colour] = s.hand[seat, colour] * BY_12
    put(out, DRAWN, FRESH_TABLE, 2 * (s.fresh + 1) + (s.player == seat))
    out[STACK] = s.stack_left * BY_72
    out[PASSES] = s.passes * BY_5
    out[SPARE] = s.spare == MIXED
    out[SPARE + 1] = 0 if s.spare == MIXED else s.spare * BY_9
    for i in range(s.seats):
        whose = seat + i if seat + i < s.seats else seat + i - s.seats
        at = AT_SEATS + SEAT_PARTS * i
        out[at] = 1
        out[at + 1] = s.score[whose] * BY_100
        out[at + 2] = s.hand_size[whose] * BY_20
        out[at + 3] = s.blacks_laid[whose] * BY_12
        out[at + 4] = s.kept[whose] * BY_20
        out[at + 5] = s.player == whose
    for b in range(s.blacks):
        write_black(s, b, out, AT_BLACKS)
    for r in range(s.rows):
        at = AT_ROWS + ROW_PARTS * r
        colour, length, end = wide(s.row_colour[r]), wide(s.row_length[r]), wide(s.row_end[r])
        put(out, at, ROW_TABLE, 2 * ((EACH + 1) * colour + length) + (end == NOTHING))
        put(out, at + 8, ENDS_TABLE, (BLACKS + 1) * (wide(s.row_start[r]) + 1) + end + 1)
