"""Orma: a tree of black tokens and coloured rows between them. Two to five seats.

The clauses cited (`O2.3`) are those of text/rules.en.md. Colour 0 is black. Where a colour may go is one
mask, `place[colour]`: bit b for black token b where a row of it may start, bit 12 + r for row r if it is open and of
that colour. Black closes rows: `place[0]` has all open rows. So the legal moves of a seat are the masks of the colours
it holds.
"""

import numpy as np

from tavolino.engine.contract import Ints, State
from tavolino.engine.jit import natural, rule, wide
from tavolino.engine.rng import Stream, randint, shuffle, sort_small
from tavolino.engine.states import begin
from tavolino.engine.viewers import is_hidden

BLACK, COLOURS, EACH, SEATS = 0, 6, 12, 5
COLOUR = ("black", "green", "red", "yellow", "blue", "violet")  # O1.1
BLACKS, ROWS = 12, 25  # b0 starts at most 3 rows, the 11 others close one and start at most 2
ROW = BLACKS  # the bit of row 0 in a mask of places
DRAW, KEEP, PASS = range(3)  # bits of legal[BLACK], below the rows; an action is 64 · colour + bit
TOKENS = EACH * COLOURS
DEALT = (0, 0, 18, 14, 10, 9)  # by number of players, the black token given to each not counted (O1.2)
NOTHING, MIXED = -1, -1
HAND_EMPTY, ALL_PASSED = range(2)
ROLLED = 1 << 40  # no action is a roll

STREAMS = ("first", "stack", *(f"deal/{seat}" for seat in range(SEATS)))


STATE = np.dtype(
    (
        np.record,
        [
            ("legal", "i8", COLOURS),  # bit p of entry c: colour c may go to place p now; DRAW, KEEP, PASS in entry 0
            ("place", "i8", COLOURS),  # the same for whoever holds the colour
            ("player", "i8"),  # whose turn it is; -1 when the game is over
            ("over", "i8"),
            ("seats", "i8"),
            ("first", "i8"),
            ("winners", "i8"),  # bit s: seat s has won
            ("ending", "i8"),  # an index of ENDINGS
            ("fresh", "i8"),  # the colour just drawn, or NOTHING
            ("passes", "i8"),  # in a row
            ("blacks", "i8"),  # black tokens on the table
            ("rows", "i8"),  # rows on the table
            ("stack_left", "i1"),  # tokens in the stack; the next one is stack[stack_left - 1]
            ("spare", "i1"),  # option spare_blacks, or MIXED
            ("stack", "i1", TOKENS),
            ("hand", "i1", (SEATS, COLOURS)),
            ("hand_size", "i1", SEATS),
            ("blacks_laid", "i1", SEATS),  # from the hand: one drawn and laid at once is not the one given
            ("kept", "i1", SEATS),  # how many tokens of a hand, at most, came from the stack
            ("score", "i2", SEATS),
            ("black_rows", "i1", BLACKS),  # rows at a black token, the one it closes included
            ("black_open", "i1", BLACKS),  # those of them that are not closed
            ("black_colours", "i1", BLACKS),  # bit c: one of them has colour c
            ("row_colour", "i1", ROWS),
            ("row_length", "i1", ROWS),
            ("row_start", "i1", ROWS),  # the black token where it starts
            ("row_end", "i1", ROWS),  # the black token that closes it, or NOTHING
        ],
    )
)


@rule
def open_black(s: State, b: int) -> None:
    """Let rows start at black token b, in the colours it does not have yet."""
    new = ~wide(s.black_colours[b])
    for colour in range(1, COLOURS):
        s.place[colour] |= (new >> colour & 1) << b


@rule
def add_black(s: State, closed_colour: int) -> None:
    """Put a black token on the table, at the end of a row of that colour (BLACK: in the middle)."""
    b = natural(s.blacks)
    s.blacks += 1
    s.black_open[b] = 0
    if closed_colour == BLACK:
        s.black_rows[b] = 0
        s.black_colours[b] = 0
    else:
        s.black_rows[b] = 1  # O2.2: the row it closes is one of its rows
        s.black_colours[b] = 1 << closed_colour
    open_black(s, b)


@rule
def start_row(s: State, colour: int, b: int) -> None:
    r = natural(s.rows)
    s.rows += 1
    s.row_colour[r] = colour
    s.row_length[r] = 1
    s.row_start[r] = b
    s.row_end[r] = NOTHING
    s.place[colour] |= 1 << (ROW + r)
    s.place[BLACK] |= 1 << (ROW + r)
    s.black_rows[b] += 1
    s.black_open[b] += 1
    s.black_colours[b] |= 1 << colour
    # O2.2: a second row of another colour; then no more; O2.3: a third once these are closed, never a fourth.
    full = s.black_rows[b] > 1
    for other in range(1, COLOURS):
        s.place[other] &= ~((full or other == colour) << b)


@rule
def close_row(s: State, r: int) -> None:
    """Lay a black token at the free end of a row (O2.5)."""
    colour = natural(s.row_colour[r])
    s.place[colour] &= ~(1 << (ROW + r))
    s.place[BLACK] &= ~(1 << (ROW + r))
    s.row_end[r] = s.blacks
    b = natural(s.row_start[r])
    s.black_open[b] -= 1
    if s.black_rows[b] == 2 and s.black_open[b] == 0:
        open_black(s, b)  # O2.3
    add_black(s, colour)


@rule
def find_moves(s: State) -> None:
    """Fill `legal` for the seat to move."""
    if s.fresh == NOTHING:
        mine = s.hand[natural(s.player)]
        for colour in range(COLOURS):
            # The places of a colour not held are shifted away, without a branch: no processor foresees who holds what,
            # and to guess wrong costs it more than this loop. With `if`, a random game takes 1.3 times as long.
            s.legal[colour] = s.place[colour] >> (0 if mine[colour] > 0 else 63)
        s.legal[BLACK] |= 1 << (DRAW if s.stack_left > 0 else PASS)  # O3.1, O3.3
    else:
        for colour in range(COLOURS):
            s.legal[colour] = 0
        s.legal[natural(s.fresh)] = s.place[natural(s.fresh)]  # O3.2: only the token just drawn
        s.legal[BLACK] |= 1 << KEEP


@rule
def finish(s: State, ending: int) -> None:
    """End the game: most points win, equal leaders share (O5.1)."""
    s.over = 1
    s.player = -1
    s.ending = ending
    best = -1
    for seat in range(s.seats):
        if s.score[seat] > best:
            best = wide(s.score[seat])
            s.winners = 0
        if s.score[seat] == best:
            s.winners |= 1 << seat
    for colour in range(COLOURS):
        s.legal[colour] = 0


@rule
def next_turn(s: State) -> None:
    s.fresh = NOTHING
    s.player = s.player + 1 if s.player + 1 < s.seats else 0
    find_moves(s)


@rule
def start(s: State, seats: int, first: int) -> None:
    """Start with hands and stack as they lie (O1.2)."""
    begin(s, seats, first)
    s.player = first
    s.fresh = NOTHING
    for seat in range(SEATS):
        for colour in range(COLOURS):
            s.hand_size[seat] += s.hand[seat, colour]
    add_black(s, BLACK)
    find_moves(s)


@rule
def deal(s: State, seats: int, first: int, options: Ints, streams: Stream) -> None:
    """Shuffle and start; `first` is a seat, or -1 for a random one (O1.2, O1.3, O1.4)."""
    starter = randint(streams, seats)
    s.spare = options[0]
    n = 0
    for colour in range(1, COLOURS):
        for _ in range(EACH):
            s.stack[n] = colour
            n += 1
    if s.spare == MIXED:
        for _ in range(EACH - 1 - seats):
            s.stack[n] = BLACK
            n += 1
    for seat in range(seats):
        s.hand[seat, BLACK] = 1
        for _ in range(DEALT[seats]):
            i = randint(streams[2 + seat :], n)
            n -= 1
            s.hand[seat, s.stack[i]] += 1
            s.stack[i] = s.stack[n]
    if s.spare != MIXED:
        for _ in range(s.spare):
            s.stack[n] = BLACK
            n += 1
    shuffle(streams[1:], s.stack[:n])
    for i in range(n, TOKENS):
        s.stack[i] = 0
    s.stack_left = n
    start(s, seats, starter if first < 0 else first)


@rule
def points(length: int) -> int:
    """Return what a coloured token scores that makes its row so long (O4.1); a black one scores nothing."""
    return length


@rule
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    me = natural(s.player)
    colour, where = natural(action >> 6), action & 63
    if where >= ROW or colour != BLACK:
        if where < ROW:
            start_row(s, colour, where)
            s.score[me] += points(1)
        elif colour != BLACK:
            r = natural(where - ROW)
            s.row_length[r] += 1  # O2.4
            s.score[me] += points(s.row_length[r])
        else:
            close_row(s, natural(where - ROW))
            if s.fresh == NOTHING:
                s.blacks_laid[me] += 1
                if s.blacks_laid[me] > 1 and s.kept[me] > 0:
                    s.kept[me] -= 1
        s.passes = 0
        s.hand[me, colour] -= 1
        s.hand_size[me] -= 1
        limit = s.hand_size[me] - (1 if s.blacks_laid[me] == 0 else 0)
        if s.kept[me] > limit:
            s.kept[me] = limit
        if s.hand_size[me] == 0:
            finish(s, HAND_EMPTY)  # O5.1
        else:
            next_turn(s)
    elif where == DRAW:
        s.stack_left -= 1
        s.fresh = s.stack[s.stack_left]
        s.hand[me, s.fresh] += 1
        s.hand_size[me] += 1
        find_moves(s)
    elif where == KEEP:
        s.kept[me] += 1
        s.passes = 0
        next_turn(s)
    else:
        s.passes += 1
        if s.passes == s.seats:
            finish(s, ALL_PASSED)  # O5.2
        else:
            next_turn(s)


@rule
def chance(s: State, streams: Stream) -> int:
    return -1  # nothing is left to chance after the deal


@rule
def scores(s: State, out: Ints) -> None:
    """Write the points of each seat."""
    for seat in range(s.seats):
        out[seat] = s.score[seat]


@rule
def redeal(s: State, viewer: int, rng: Stream) -> None:
    """Sample uniformly from all states that look the same to `viewer`: a seat, SPECTATOR or ALL_HANDS.

    The tokens that the viewer cannot see are shuffled over the places where they can be: the stack and the others'
    hands. A player who has laid no black token still holds the one given at the start. If `spare_blacks` is a number,
    the other blacks were all in the stack, so they can only be there or among the tokens that someone drew and kept.
    """
    pool = np.empty(TOKENS, np.int8)
    n = 0
    blacks = 0  # spare ones that must have come from the stack
    for i in range(s.stack_left):
        pool[n] = s.stack[i]
        n += 1
    for i in range(s.stack_left, TOKENS):
        s.stack[i] = 0  # what was drawn is hidden too
    drawer = s.player if s.fresh != NOTHING and is_hidden(s.player, viewer) else -1
    for seat in range(s.seats):
        if not is_hidden(seat, viewer):
            continue
        if s.blacks_laid[seat] == 0:
            s.hand[seat, BLACK] -= 1  # the one given at the start stays
        for colour in range(COLOURS):
            for _ in range(s.hand[seat, colour]):
                pool[n] = colour
                n += 1
            s.hand[seat, colour] = 0
    # One order for all worlds that look alike, so that the same stream deals the same.
    sort_small(pool[:n])
    if s.spare != MIXED:
        while blacks < n and pool[blacks] == BLACK:
            blacks += 1
    coloured = pool[blacks:n]
    shuffle(rng, coloured)
    # Places a spare black can be at: stack, then the tokens drawn by others, the fresh one first.
    spots = s.stack_left
    for seat in range(s.seats):
        if is_hidden(seat, viewer):
            spots += s.kept[seat] + (1 if seat == drawer else 0)
    next_coloured = 0
    for i in range(s.stack_left):
        if randint(rng, spots) < blacks:
            s.stack[i] = BLACK
            blacks -= 1
        else:
            s.stack[i] = coloured[next_coloured]
            next_coloured += 1
        spots -= 1
    for seat in range(s.seats):
        if not is_hidden(seat, viewer):
            continue
        may_be_black = s.kept[seat] + (1 if seat == drawer else 0)
        for i in range(s.hand_size[seat] - (1 if s.blacks_laid[seat] == 0 else 0)):
            colour = BLACK
            if i < may_be_black and randint(rng, spots) < blacks:
                blacks -= 1
            else:
                colour = wide(coloured[next_coloured])
                next_coloured += 1
            if i < may_be_black:
                spots -= 1
            s.hand[seat, colour] += 1
            if i == 0 and seat == drawer:
                s.fresh = colour
        if s.blacks_laid[seat] == 0:
            s.hand[seat, BLACK] += 1
    if s.over == 0:
        find_moves(s)
