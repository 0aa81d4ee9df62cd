"""What a seat of Orma observes, as small numbers: all that its view says but the list of moves.

Seats are counted from the observer on. The tree on the table is a graph: `row_from` and `row_to` say which black tokens
each row joins.
"""

from itertools import product

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.fields import BY_3, BY_5, BY_9, BY_12, BY_20, BY_72, BY_100, Field, Row, offsets, total
from tavolino.engine.jit import natural, rule, wide
from tavolino.engine.rows import put, turn_round
from tavolino.games.orma.rules import BLACK, BLACKS, COLOURS, EACH, MIXED, NOTHING, ROW, ROWS, SEATS

VERSION = 1
ROW_PARTS, BLACK_PARTS, SEAT_PARTS, ENDINGS = 10, 7, 8, 2
FIELDS = (
    Field("hand", (COLOURS,), "tokens of each colour in my hand / 12: black, green, red, yellow, blue, violet"),
    Field("unseen", (COLOURS,), "tokens of each colour that I do not see: in the stack or in other hands / 12"),
    Field("drawn", (COLOURS,), "1 for the colour I have just drawn and must lay or keep"),
    Field("drawing", (1,), "1 if whoever is to move has just drawn a token"),
    Field("stack", (1,), "tokens in the stack / 72"),
    Field("passes", (1,), "passes in a row / 5"),
    Field("spare_blacks", (2,), "the option: 1 if `mixed`; else its number / 9"),
    Field("ending", (ENDINGS,), "1 at how the game ended: a hand was empty, all passed; 0 before"),
    Field(
        "seats",
        (SEATS, SEAT_PARTS),
        "for each seat, all 0 where there is none: 1, points / 100, tokens in hand / 20, blacks laid from hand / 12,"
        " tokens in hand that may have come from the stack / 20, 1 if to move, 1 if it started, 1 if it has won",
    ),
    Field(
        "blacks",
        (BLACKS, BLACK_PARTS),
        "for each black token on the table: 1, rows at it / 3, 1 for each colour that may start there (green … violet)",
    ),
    Field(
        "rows",
        (ROWS, ROW_PARTS),
        "for each row on the table: 1, 1 if open, length / 12, 1 at its colour (green … violet), tokens of its colour"
        " in my hand / 12, and unseen / 12",
    ),
    Field("row_from", (ROWS, BLACKS), "for each row: 1 at the black token it starts at"),
    Field("row_to", (ROWS, BLACKS), "for each row: 1 at the black token that closes it"),
)
AT, SIZE = offsets(FIELDS), total(FIELDS)
HAND, UNSEEN, DRAWN, STACK, PASSES = AT["hand"], AT["unseen"], AT["drawn"], AT["stack"], AT["passes"]
SPARE, ENDING, AT_SEATS, AT_BLACKS = AT["spare_blacks"], AT["ending"], AT["seats"], AT["blacks"]
AT_ROWS, ROW_FROM, ROW_TO = AT["rows"], AT["row_from"], AT["row_to"]


# What a few small numbers of a state look like is kept in tables, to be copied: that is faster than to work it out.


def _fresh() -> Row:
    """Return `drawn` and `drawing`, by the colour just drawn, counted from 1, and whether it is mine."""
    table = np.zeros((COLOURS + 1, 2, COLOURS + 1), np.float32)
    for colour in range(COLOURS):
        table[colour + 1, :, COLOURS] = 1
        table[colour + 1, 1, colour] = 1
    return table.reshape(-1, COLOURS + 1)


def _blacks() -> Row:
    """Return what is told of a black token, by the rows at it and the colours that may start there."""
    table = np.zeros((4, 1 << COLOURS, BLACK_PARTS), np.float32)
    for rows, colours in product(range(4), range(1 << COLOURS)):
        table[rows, colours] = 1, rows * BY_3, *(colours >> colour & 1 for colour in range(1, COLOURS))
    return table.reshape(-1, BLACK_PARTS)


def _rows() -> Row:
    """Return what is told of a row but for the tokens elsewhere, by its colour, its length and whether it is open."""
    table = np.zeros((COLOURS, EACH + 1, 2, ROW_PARTS - 2), np.float32)
    for colour, length, is_open in product(range(1, COLOURS), range(EACH + 1), range(2)):
        table[colour, length, is_open, :3] = 1, is_open, length * BY_12
        table[colour, length, is_open, 2 + colour] = 1
    return table.reshape(-1, ROW_PARTS - 2)


FRESH_TABLE, BLACK_TABLE, ROW_TABLE = _fresh(), _blacks(), _rows()
TWELVE, HALF = np.float32(EACH), np.float32(0.5)
BY_12_TABLE = np.array([n * BY_12 for n in range(EACH + 1)], np.float32)


@rule
def blacks_in_play(s: State) -> int:
    """Return how many black tokens are used: one in the middle, one for each seat, the spare ones (O1.3)."""
    return EACH if s.spare == MIXED else 1 + s.seats + wide(s.spare)


@rule
def write_black(s: State, b: int, out: Row, at: int) -> None:
    """Write what is told of a black token on the table."""
    colours = 0
    for colour in range(1, COLOURS):
        colours |= (s.place[colour] >> b & 1) << colour
    put(out, natural(at + BLACK_PARTS * b), BLACK_TABLE, (wide(s.black_rows[b]) << COLOURS) + colours)


@rule
def write_row(s: State, r: int, out: Row) -> None:
    """Write what is told of a row on the table but for the tokens of its colour elsewhere."""
    end = wide(s.row_end[r])
    is_open = end == NOTHING
    number = (EACH + 1) * wide(s.row_colour[r]) + wide(s.row_length[r])
    put(out, AT_ROWS + ROW_PARTS * r, ROW_TABLE, 2 * number + is_open)
    out[natural(ROW_FROM + BLACKS * r + wide(s.row_start[r]))] = 1  # where a row begins and ends never changes
    out[natural(ROW_TO + BLACKS * r + max(end, 0))] = not is_open  # no branch: nothing foretells which rows are open


@rule
def write_stock(s: State, whose: int, out: Row, at: int) -> None:
    """Write what a seat has, which changes only by its own moves."""
    out[at + 1] = s.score[whose] * BY_100
    out[at + 2] = s.hand_size[whose] * BY_20
    out[at + 3] = s.blacks_laid[whose] * BY_12
    out[at + 4] = s.kept[whose] * BY_20


@rule
def write_turn(s: State, seat: int, out: Row) -> None:
    """Write how the turn stands, and for each row the tokens of its colour that I hold and that I do not see."""
    put(out, DRAWN, FRESH_TABLE, 2 * (s.fresh + 1) + (s.player == seat))
    out[STACK] = s.stack_left * BY_72
    out[PASSES] = s.passes * BY_5
    for r in range(s.rows):
        at, colour = AT_ROWS + ROW_PARTS * r, natural(s.row_colour[r])
        out[at + 8] = out[HAND + colour]
        out[at + 9] = out[UNSEEN + colour]


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    laid = EACH - blacks_in_play(s) + s.blacks  # eight bits for each colour, black at the bottom
    for r in range(s.rows):
        laid += wide(s.row_length[r]) << (8 * wide(s.row_colour[r]))
        write_row(s, r, out)
    for colour in range(COLOURS):
        mine = wide(s.hand[seat, colour])
        out[HAND + colour] = BY_12_TABLE[mine]
        out[UNSEEN + colour] = BY_12_TABLE[EACH - (laid >> (8 * colour) & 255) - mine]
    out[SPARE] = s.spare == MIXED
    out[SPARE + 1] = 0 if s.spare == MIXED else s.spare * BY_9
    for ending in range(ENDINGS):
        out[ENDING + ending] = s.ending == ending
    for i in range(s.seats):
        whose = seat + i if seat + i < s.seats else seat + i - s.seats
        at = AT_SEATS + SEAT_PARTS * i
        out[at] = 1
        write_stock(s, whose, out, at)
        out[at + 5] = s.player == whose
        out[at + 6] = s.first == whose
        out[at + 7] = s.winners >> whose & 1
    for b in range(s.blacks):
        write_black(s, b, out, AT_BLACKS)
    write_turn(s, seat, out)


@rule
def observe_next(s: State, seat: int, before: int, action: int, out: Row) -> None:
    """Write what has changed since `before` was to move and played this action; the game goes on.

    Its branches are those of the rules, which the processor has just taken.
    """
    colour, where = action >> 6, action & 63
    lays = where >= ROW or colour != BLACK
    if lays:
        r = natural(s.rows - 1 if where < ROW else where - ROW)
        write_row(s, r, out)
        if where < ROW or colour == BLACK:
            write_black(s, wide(s.row_start[r]), out, AT_BLACKS)
        if where >= ROW and colour == BLACK:
            write_black(s, s.blacks - 1, out, AT_BLACKS)
    for c in range(COLOURS):  # those that are not laid: what `before` held and did not see
        hidden = wide((out[HAND + c] + out[UNSEEN + c]) * TWELVE + HALF) - (lays and c == colour)
        mine = natural(s.hand[seat, c])
        out[HAND + c] = BY_12_TABLE[mine]
        out[UNSEEN + c] = BY_12_TABLE[natural(hidden - mine)]
    turned = seat - before if seat >= before else seat - before + s.seats
    at = natural(AT_SEATS + SEAT_PARTS * (s.seats - turned if turned else 0))
    if turned:
        turn_round(out, AT_SEATS, SEATS, SEAT_PARTS, s.seats, turned)
        out[at + 5] = 0
    out[AT_SEATS + 5] = 1
    write_stock(s, before, out, at)
    write_turn(s, seat, out)
