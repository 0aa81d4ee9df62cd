"""Liar's Dice: 2 to 4 seats with up to five hidden dice each, and one open die for all, thrown anew every round.

The clauses cited (`L3.1`) are those of text/rules.en.md. All hidden throws of a game are made at the deal and lie in
`throws`, so the only chance in play is the open die, which everyone sees.
"""

from tavolino.engine.contract import Ints, State, Stream
from tavolino.engine.jit import rule, wide
from tavolino.engine.rng import randint
from tavolino.engine.states import allow, begin, finish, next_with, record, turn_to
from tavolino.engine.viewers import is_hidden

STREAMS = ("first", "throws")

SEATS, DICE, FACES = 4, 5, 6
THROWS = DICE * (SEATS * DICE - 1)  # the longest game has a round for each die but one
LIAR = 7  # an action is this, or a bid: 8 · number + face
ROLLED = 256  # ROLLED + face: the open die

STATE = record(
    3,
    ("dice", "i1", SEATS),  # that a seat still has
    ("open", "i1"),  # the face of the open die; 0 before it is thrown
    ("bid", "i2"),  # the highest bid; 0: none yet
    ("bidder", "i1"),  # who made it; before that, who starts the round
    ("hand", "i1", (SEATS, DICE)),  # the faces under a seat's cup; 0: no die
    ("shown", "i1", (SEATS, DICE)),  # those of the round before
    ("there", "i1"),  # how many of them were what the bid said; 0 in the first round, too
    ("used", "i1", SEATS),  # how many of its throws a seat has used
    ("throws", "i1", (SEATS, THROWS)),
)
OPEN = ("open", "bid", "there")  # what learners see: all, of each seat, a seat, its own
EACH, WHO, OWN = ("dice", "shown"), ("bidder",), ("hand",)


@rule
def give_turn(s: State, seat: int) -> None:
    """Let a seat bid higher (L2.2) or doubt (L2.3)."""
    turn_to(s, seat)
    for bid in range(max(8, s.bid) + 1, 8 * (s.dice.sum() + 1) + FACES + 1):
        if 1 <= bid % 8 <= FACES:
            allow(s, bid)
    if s.bid:
        allow(s, LIAR)


@rule
def look(s: State, seat: int) -> None:
    """Put the dice that a seat threw last under its cup."""
    for i in range(DICE):
        s.hand[seat, i] = s.throws[seat, s.used[seat] - s.dice[seat] + i] if i < s.dice[seat] else 0


@rule
def begin_round(s: State, starter: int) -> None:
    """Let each seat throw its dice; then the open die is due (L2.1)."""
    s.shown[:] = s.hand
    for seat in range(SEATS):
        s.used[seat] += s.dice[seat]
        look(s, seat)
    s.open = 0
    s.bid = 0
    s.bidder = starter
    turn_to(s, -1)


@rule
def start(s: State, seats: int, first: int) -> None:
    begin(s, seats, first)
    s.dice[seats:] = 0
    begin_round(s, first)


@rule
def throw(s: State, seat: int, since: int, rng: Stream) -> None:
    """Throw the dice of a seat anew, from a throw on."""
    for i in range(since, THROWS):
        s.throws[seat, i] = 1 + randint(rng, FACES)


@rule
def deal(s: State, seats: int, first: int, options: Ints, streams: Stream) -> None:
    for seat in range(seats):
        throw(s, seat, 0, streams[1:])
    s.dice[:] = options[0]  # L1.1
    start(s, seats, randint(streams, seats) if first < 0 else first)


@rule
def doubt(s: State) -> None:
    """Show all dice: whoever was wrong loses one (L3.1) and starts the next round (L3.2)."""
    number, face = wide(s.bid) // 8, wide(s.bid) % 8
    s.there = (s.hand == face).sum() + (s.open == face)
    loser = s.player if s.there >= number else wide(s.bidder)
    s.dice[loser] -= 1
    starter = loser if s.dice[loser] else next_with(s.dice, loser, s.seats)
    begin_round(s, starter)
    if next_with(s.dice, starter, s.seats) == starter:  # L4.1
        finish(s, 1 << starter, 0)


@rule
def apply(s: State, action: int) -> None:
    if action >= ROLLED:
        s.open = action - ROLLED
        give_turn(s, wide(s.bidder))
    elif action == LIAR:
        doubt(s)
    else:
        s.bid = action
        s.bidder = s.player
        give_turn(s, next_with(s.dice, s.player, s.seats))


@rule
def chance(s: State, streams: Stream) -> int:
    """Throw the open die, by the stream of the seat that starts the round."""
    return ROLLED + 1 + randint(streams[s.bidder :], FACES)


@rule
def scores(s: State, out: Ints) -> None:
    """Write how many dice each seat has left."""
    out[: s.seats] = s.dice[: s.seats]


@rule
def redeal(s: State, viewer: int, rng: Stream) -> None:
    """Throw anew what `viewer` has not seen: the others' dice of this round, and everyone's of the rounds to come."""
    for seat in range(s.seats):
        hidden = wide(s.dice[seat]) if is_hidden(seat, viewer) else 0
        throw(s, seat, s.used[seat] - hidden, rng)
        look(s, seat)
