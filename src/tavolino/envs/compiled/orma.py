"""What a seat of Orma observes, as small numbers. Seats are counted from the observer on."""

from tavolino.envs.compiled.fields import BY_3, BY_5, BY_9, BY_12, BY_20, BY_72, BY_100, Field, Row, offsets, total
from tavolino.games.jit import State, rule, wide
from tavolino.games.orma import BLACKS, COLOURS, MIXED, NOTHING, ROWS, SEATS

VERSION = 1
ROW_PARTS, BLACK_PARTS, SEAT_PARTS = 10, 7, 6
FIELDS = (
    Field("hand", (COLOURS,), "tokens of each colour in my hand / 12: black, green, red, yellow, blue, violet"),
    Field("drawn", (COLOURS,), "1 for the colour I have just drawn and must lay or keep"),
    Field("drawing", (1,), "1 if whoever is to move has just drawn a token"),
    Field("stack", (1,), "tokens in the stack / 72"),
    Field("passes", (1,), "passes in a row / 5"),
    Field("spare_blacks", (2,), "the option: 1 if `mixed`; else its number / 9"),
    Field(
        "seats",
        (SEATS, SEAT_PARTS),
        "for each seat, all 0 where there is none: 1, points / 100, tokens in hand / 20, blacks laid from hand / 12,"
        " tokens in hand that may have come from the stack / 20, 1 if to move",
    ),
    Field(
        "blacks",
        (BLACKS, BLACK_PARTS),
        "for each black token on the table: 1, rows at it / 3, 1 for each colour that may start there (green … violet)",
    ),
    Field(
        "rows",
        (ROWS, ROW_PARTS),
        "for each row on the table: 1, 1 if open, length / 12, 1 at its colour (green … violet), number of the black"
        " token it starts at, counted from 1, / 12, of the one that closes it / 12",
    ),
)
AT, SIZE = offsets(FIELDS), total(FIELDS)
HAND, DRAWN, DRAWING, STACK, PASSES = AT["hand"], AT["drawn"], AT["drawing"], AT["stack"], AT["passes"]
SPARE, AT_SEATS, AT_BLACKS, AT_ROWS = AT["spare_blacks"], AT["seats"], AT["blacks"], AT["rows"]


@rule
def mask_bytes(s: State) -> int:
    """Return how many bytes of a word of `legal` are ever used."""
    return 5  # none is above bit 36


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    out[:AT_SEATS] = 0
    for colour in range(COLOURS):
        out[HAND + colour] = s.hand[seat, colour] * BY_12
    if s.fresh != NOTHING:
        out[DRAWING] = 1
        if s.player == seat:
            out[DRAWN + s.fresh] = 1
    out[STACK] = s.stack_left * BY_72
    out[PASSES] = s.passes * BY_5
    if s.spare == MIXED:
        out[SPARE] = 1
    else:
        out[SPARE + 1] = s.spare * BY_9
    whose = seat
    for i in range(s.seats):
        at = AT_SEATS + SEAT_PARTS * i
        out[at] = 1
        out[at + 1] = s.score[whose] * BY_100
        out[at + 2] = s.hand_size[whose] * BY_20
        out[at + 3] = s.blacks_laid[whose] * BY_12
        out[at + 4] = s.kept[whose] * BY_20
        out[at + 5] = s.player == whose
        whose = whose + 1 if whose + 1 < s.seats else 0
    for b in range(s.blacks):
        at = AT_BLACKS + BLACK_PARTS * b
        out[at] = 1
        out[at + 1] = s.black_rows[b] * BY_3
        for colour in range(1, COLOURS):
            out[at + 1 + colour] = s.place[colour] >> b & 1
    for r in range(s.rows):
        at = AT_ROWS + ROW_PARTS * r
        out[at] = 1
        out[at + 1] = s.row_end[r] == NOTHING
        out[at + 2] = s.row_length[r] * BY_12
        out[at + 2 + wide(s.row_colour[r])] = 1
        out[at + 8] = (s.row_start[r] + 1) * BY_12
        out[at + 9] = (s.row_end[r] + 1) * BY_12
