"""Orma: a tree of black tokens and coloured rows between them. Two to five seats.

The clauses cited (`O2.3`) are those of src/tavolino/rules/orma.en.md. Colour 0 is black. Where a colour may go is one
mask, `place[colour]`: bit b for black token b where a row of it may start, bit 12 + r for row r if it is open and of
that colour. Black closes rows: `place[0]` has all open rows. So the legal moves of a seat are the masks of the colours
it holds.
"""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.games.jit import State, rule, wide
from tavolino.games.rng import Stream, randint, shuffle
from tavolino.games.spec import Event, History, Offer, Option, Plain, bits, game_over, one_of_each, reader, whole

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

KEY, TITLE = "orma", "Orma"
PLAYERS = (2, 3, 4, 5)
MATCH_ADDS = "points"  # O6.1
ENDINGS = ("a hand is empty", "everyone passed")
STREAMS = ("first", "stack", *(f"deal/{seat}" for seat in range(SEATS)))


def _read_spare_blacks(value: Any, players: int) -> Any:
    if value == "mixed" and isinstance(value, str):
        return value
    number = whole(value)
    if not 0 <= number <= EACH - 1 - players:
        raise ValueError
    return number


OPTIONS = (
    Option(
        "spare_blacks",
        "mixed",
        None,
        "'mixed' or a whole number from 0 to 11 minus the number of players",
        _read_spare_blacks,
        lambda value: MIXED if value == "mixed" else int(value),
    ),
)

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
    for colour in range(1, COLOURS):
        if not s.black_colours[b] >> colour & 1:
            s.place[colour] |= 1 << b


@rule
def add_black(s: State, closed_colour: int) -> None:
    """Put a black token on the table, at the end of a row of that colour (BLACK: in the middle)."""
    b = s.blacks
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
    r = s.rows
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
    if s.black_rows[b] == 1:
        s.place[colour] &= ~(1 << b)  # O2.2: different colours
    else:
        for other in range(1, COLOURS):  # O2.2: two rows; O2.3: a third only once these are closed, never a fourth
            s.place[other] &= ~(1 << b)


@rule
def close_row(s: State, r: int) -> None:
    """Lay a black token at the free end of a row (O2.5)."""
    colour = wide(s.row_colour[r])
    s.place[colour] &= ~(1 << (ROW + r))
    s.place[BLACK] &= ~(1 << (ROW + r))
    s.row_end[r] = s.blacks
    b = wide(s.row_start[r])
    s.black_open[b] -= 1
    if s.black_rows[b] == 2 and s.black_open[b] == 0:
        open_black(s, b)  # O2.3
    add_black(s, colour)


@rule
def find_moves(s: State) -> None:
    """Fill `legal` for the seat to move."""
    if s.fresh == NOTHING:
        for colour in range(COLOURS):
            s.legal[colour] = s.place[colour] if s.hand[s.player, colour] > 0 else 0
        s.legal[BLACK] |= 1 << (DRAW if s.stack_left > 0 else PASS)  # O3.1, O3.3
    else:
        for colour in range(COLOURS):  # O3.2: only the token just drawn
            s.legal[colour] = s.place[colour] if colour == s.fresh else 0
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
    """Begin to play with hands and stack as they lie (O1.2)."""
    s.seats = seats
    s.first = first
    s.player = first
    s.over = 0
    s.winners = 0
    s.ending = -1
    s.fresh = NOTHING
    s.passes = 0
    s.blacks = 0
    s.rows = 0
    for colour in range(COLOURS):
        s.place[colour] = 0
    for seat in range(SEATS):
        s.score[seat] = 0
        s.blacks_laid[seat] = 0
        s.kept[seat] = 0
        s.hand_size[seat] = 0
        for colour in range(COLOURS):
            s.hand_size[seat] += s.hand[seat, colour]
    add_black(s, BLACK)
    find_moves(s)


@rule
def deal(s: State, seats: int, first: int, options: NDArray[np.int64], streams: Stream) -> None:
    """Shuffle and begin; `first` is a seat or -1 for a random one (O1.2, O1.3, O1.4)."""
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
    for seat in range(SEATS):
        for colour in range(COLOURS):
            s.hand[seat, colour] = 0
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
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    me = s.player
    colour, where = action >> 6, action & 63
    if where >= ROW or colour != BLACK:
        if where < ROW:
            start_row(s, colour, where)
            s.score[me] += 1  # O4.1
        elif colour != BLACK:
            s.row_length[where - ROW] += 1  # O2.4
            s.score[me] += s.row_length[where - ROW]  # O4.1
        else:
            close_row(s, where - ROW)
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
def scores(s: State, out: NDArray[np.int64]) -> None:
    """Write the points of each seat."""
    for seat in range(s.seats):
        out[seat] = s.score[seat]


@rule
def redeal(s: State, viewer: int, rng: Stream) -> None:
    """Draw evenly from all states that look the same to `viewer` (-1: to a spectator).

    The tokens that the viewer cannot see are shuffled over the places where they can be: the stack and the others'
    hands. A player who has laid no black token still holds the one given at the start. With `spare_blacks` a number,
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
    drawer = s.player if s.fresh != NOTHING and s.player != viewer else -1
    for seat in range(s.seats):
        if seat == viewer:
            continue
        if s.blacks_laid[seat] == 0:
            s.hand[seat, BLACK] -= 1  # the one given at the start stays
        for colour in range(COLOURS):
            for _ in range(s.hand[seat, colour]):
                pool[n] = colour
                n += 1
            s.hand[seat, colour] = 0
    # One order for all worlds that look alike, so that the same stream deals the same.
    pool[:n].sort()
    if s.spare != MIXED:
        while blacks < n and pool[blacks] == BLACK:
            blacks += 1
    coloured = pool[blacks:n]
    shuffle(rng, coloured)
    # Places a spare black can be at: stack, then the tokens drawn by others, the fresh one first.
    spots = s.stack_left
    for seat in range(s.seats):
        if seat != viewer:
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
        if seat == viewer:
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


# What follows is for people: words, deals and views, in plain Python.

WORDS = {DRAW: "draw", KEEP: "keep", PASS: "pass"}
WORDS |= {64 * c + b: f"{COLOUR[c]}@b{b}" for c in range(1, COLOURS) for b in range(BLACKS)}
WORDS |= {64 * c + ROW + r: f"{COLOUR[c]}@r{r}" for c in range(COLOURS) for r in range(ROWS)}
ACTIONS = {word: action for action, word in WORDS.items()}
ROLLS: tuple[str, ...] = ()
NOTATION = "green@b0 (start a row), green@r3 (lengthen row 3), black@r3 (close it), draw, keep, pass"


def _counted(tokens: Any, where: str) -> Counter[str]:
    if not isinstance(tokens, list) or any(not isinstance(t, str) or t not in COLOUR for t in tokens):
        raise ValueError(f"{where} must be a list of tokens: {', '.join(COLOUR)}")
    return Counter(tokens)


def read_deal(s: State, data: Any, options: dict[str, Any]) -> None:
    """Fill hands and stack from a record's deal; `seats` must be set. ValueError says what is wrong with it."""
    hands, stack = one_of_each(data, "hands", "stack")["hands"], data["stack"]
    seats = int(s.seats)
    if not isinstance(hands, list) or len(hands) != seats:
        raise ValueError(f"deal.hands must be a list of {seats} hands")
    spare = options["spare_blacks"]
    left = _counted(stack, "deal.stack")
    if spare != "mixed" and left["black"] != spare:
        raise ValueError(f"deal.stack must hold {spare} black token{'s' * (spare != 1)} (O1.3), not {left['black']}")
    whole_box = left.copy()
    s.hand[:] = 0
    for seat, tokens in enumerate(hands):
        hand = _counted(tokens, f"deal.hands[{seat}]")
        if len(tokens) != DEALT[seats] + 1:
            raise ValueError(f"deal.hands[{seat}] must hold {DEALT[seats] + 1} tokens (O1.2), not {len(tokens)}")
        if hand["black"] < 1 or (spare != "mixed" and hand["black"] != 1):
            raise ValueError(f"deal.hands[{seat}] must hold the black token given at the start (O1.2, O1.3)")
        whole_box += hand
        s.hand[seat] = [hand[colour] for colour in COLOUR]
    for colour in COLOUR:
        there = EACH if colour != "black" else EACH - 1 if spare == "mixed" else seats + spare
        if whole_box[colour] != there:
            raise ValueError(f"the deal must hold {there} {colour} tokens (O1.1, O1.2), not {whole_box[colour]}")
    s.stack[:] = 0
    s.stack[: len(stack)] = [COLOUR.index(token) for token in reversed(stack)]
    s.stack_left = len(stack)
    s.spare = MIXED if spare == "mixed" else spare


def write_deal(s: State) -> dict[str, Any]:
    """Return the deal of a state that has just begun, as it stands in a record."""
    hands = [[COLOUR[c] for c, number in enumerate(hand) for _ in range(number)] for hand in s.hand[: s.seats].tolist()]
    return {"hands": hands, "stack": [COLOUR[c] for c in reversed(s.stack[: s.stack_left].tolist())]}


def deal_behind(s: State, start: State, viewer: int | None, history: History) -> dict[str, Any]:
    """Return a deal that leads to `s`, a state dealt anew, by the moves of a game that began as `start`."""
    true = write_deal(start)
    drawn: list[str] = []  # from the stack, in order
    kept: list[list[tuple[int, int]]] = [[] for _ in range(SEATS)]  # (when, which) a seat drew and kept
    used: list[list[tuple[int, str]]] = [[] for _ in range(SEATS)]  # (when, colour) a seat laid from its hand
    for when, (mover, word) in enumerate(history):
        if word == "draw":
            drawn.append(true["stack"][len(drawn)] if mover == viewer else "")
        elif word == "keep" and mover != viewer:
            kept[mover].append((when, len(drawn) - 1))
        elif "@" in word:
            colour = word.partition("@")[0]
            if history[when - 1][1] == "draw" and when:
                drawn[-1] = colour
            else:
                used[mover].append((when, colour))
    if s.fresh != NOTHING:
        drawn[-1] = COLOUR[s.fresh]
    hands = true["hands"]
    for seat in range(int(s.seats)):
        if seat == viewer:
            continue
        held = Counter({colour: int(s.hand[seat, c]) for c, colour in enumerate(COLOUR)})
        if s.fresh != NOTHING and s.player == seat:
            held[COLOUR[s.fresh]] -= 1
        tokens = used[seat] + [(len(history), colour) for colour in held.elements()]
        given = next(token for token in tokens if token[1] == "black")  # the first black laid, or one still held
        tokens.remove(given)
        # From the last draw back, a token that was laid later must have come with it: a spare black if there is one
        # (with `spare_blacks` a number these come from nowhere else), else the one that was held longest.
        for when, which in reversed(kept[seat]):
            later = [token for token in tokens if token[0] > when]
            token = max(later, key=lambda token: (token[1] == "black" and s.spare != MIXED, token[0]))
            tokens.remove(token)
            drawn[which] = token[1]
        hands[seat] = ["black", *(colour for _, colour in tokens)]
    return {"hands": hands, "stack": drawn + write_deal(s)["stack"]}


read = reader(STATE, "stack")


def points_of(t: Plain) -> list[int]:
    """Return the score of each seat."""
    return list(t.score[: t.seats])


def open_view(t: Plain) -> dict[str, Any]:
    """Return what all may know of the table, beyond what `Game.view` adds for every game."""
    rows_at: list[list[int]] = [[] for _ in range(t.blacks)]
    rows = []
    for r, (colour, length, start, end) in enumerate(
        zip(t.row_colour[: t.rows], t.row_length, t.row_start, t.row_end, strict=False)
    ):
        to = None if end == NOTHING else end
        rows.append({"colour": COLOUR[colour], "length": length, "from": start, "to": to})
        rows_at[start].append(r)
        if to is not None:
            rows_at[to].append(r)
    coloured = list(zip(COLOUR, t.place, strict=True))[1:]
    return {
        "blacks": [
            {"rows": at, "may_start": [name for name, places in coloured if places >> b & 1]}
            for b, at in enumerate(rows_at)
        ],
        "rows": rows,
        "hand_sizes": list(t.hand_size[: t.seats]),
        "stack": t.stack_left,
        "drawing": t.fresh != NOTHING,
        "passes": t.passes,
    }


def own_view(t: Plain, seat: int | None) -> dict[str, Any]:
    """Return what only a seat may know; None is a spectator."""
    if seat is None:
        return {"hand": None, "drawn": None}
    drawn = COLOUR[t.fresh] if t.player == seat and t.fresh != NOTHING else None
    return {"hand": dict(zip(COLOUR, t.hand[seat], strict=True)), "drawn": drawn}


def offers(t: Plain) -> list[Offer]:
    """List the legal moves of the seat to move, each with what it sees would follow."""
    last = t.hand_size[t.player] == 1  # O5.1
    found: list[Offer] = []
    for c, mask in enumerate(t.legal):
        for where in bits(mask):
            word = WORDS[64 * c + where]
            if where >= ROW or c != BLACK:
                length = 1 if where < ROW else t.row_length[where - ROW] + 1
                offer: Offer = {"colour": COLOUR[c], "place": word.partition("@")[2]}
                offer |= {"points": length if c != BLACK else 0, "closes": c == BLACK, "ends": last}  # O4.1, O2.5
            elif where == DRAW:
                offer = {"stack": t.stack_left}
            elif where == PASS:
                offer = {"ends": t.passes + 1 == t.seats}  # O5.2
            else:
                offer = {}
            found.append({"word": word, **offer})
    return found


def happened(b: Plain, word: str, a: Plain) -> list[Event]:
    """Tell what a move did, in order; `a` is the state that it led to from `b`."""
    me = b.player
    events: list[Event] = []

    def tell(what: str, **fields: Any) -> None:
        events.append({"type": what, "seat": me, **fields})

    colour, _, place = word.partition("@")
    if place:
        row = b.rows if place[0] == "b" else int(place[1:])
        length = a.row_length[row]
        tell("token_laid", colour=colour, place=place, row=row, length=length, drawn=b.fresh != NOTHING)
        if colour == COLOUR[BLACK]:
            tell("row_closed", row=row, black=a.row_end[row])
        if points := a.score[me] - b.score[me]:
            tell("points_scored", points=points, total=a.score[me], **{"for": "row", "row": row})
    elif word == "draw":
        tell("token_drawn", stack=a.stack_left, secret={"seat": me, "colour": COLOUR[a.fresh]})
    elif word == "keep":
        tell("token_kept")
    else:
        tell("passed", passes=a.passes)
    if a.over:
        events.append(game_over(a.winners, ENDINGS[a.ending], points_of(a)))
    elif a.player != me:
        events.append({"type": "turn_began", "seat": a.player})
    return events


def settled(b: Plain, a: Plain) -> bool:
    """Tell whether a move cannot be taken back: a token was drawn in this turn, or the game is over."""
    return bool(b.fresh != NOTHING or a.fresh != NOTHING or a.over)


def slip(word: str) -> str | None:
    """Say what is wrong with a word that is no move, if it looks like one."""
    if word.startswith("black@b") and word[7:].isdecimal():
        return "no black token may be laid at a black token (O2.1)"
    return None


def why_not(s: State, word: str) -> str:
    """Say why a word of the notation is not a legal move now."""
    drawn = None if s.fresh == NOTHING else COLOUR[s.fresh]
    if word == "keep":
        return "there is no token just drawn to keep (O3.2)"
    if word in ("draw", "pass"):
        if drawn:
            return f"you have drawn {drawn}: lay it or keep it (O3.2)"
        return (
            "the stack is empty: lay a token or pass (O3.3)"
            if word == "draw"
            else "the stack is not empty: draw (O3.3)"
        )
    colour, place = word.split("@")
    c, number = COLOUR.index(colour), int(place[1:])
    if drawn and drawn != colour:
        return f"only the token just drawn may be laid: {drawn} (O3.2)"
    if not s.hand[s.player, c]:
        return f"you hold no {colour} token (O3.1)"
    if number >= (s.blacks if place[0] == "b" else s.rows):
        return f"there is no {'row' if place[0] == 'r' else 'black token'} {number} on the table (O2.1, O2.4)"
    if place[0] == "r":
        if s.row_end[number] != NOTHING:
            return f"row {number} is closed (O2.5)"
        return f"row {number} is {COLOUR[s.row_colour[number]]}: it takes that colour or black (O2.4)"
    if s.black_colours[number] >> c & 1:
        return f"black token {number} already has a {colour} row (O2.2)"
    if s.black_rows[number] >= 3:
        return f"black token {number} has three rows (O2.3)"
    return f"black token {number} has two rows: a third may start once both are closed (O2.2, O2.3)"
