"""What a seat of Out of Sock observes, as small numbers: all that its view says but the list of moves.

Seats are counted from the observer on, in the actions that name one (`winner`), too.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import State
from tavolino.engine.fields import BY_2, BY_8, BY_12, BY_32, BY_100, THIRD, Field, Row, offsets, times, total
from tavolino.engine.jit import natural, rule, uncompiled, wide
from tavolino.engine.rows import put, turn_round
from tavolino.games.out_of_sock.rules import (
    BAN,
    CONVERSION,
    DECKS,
    DICE,
    DOUBLE,
    HEIGHT,
    LOWEST,
    MOST_OF_A_KIND,
    NAME,
    PHASES,
    SEATS,
    SINGLE,
    SOCKS,
    SUITS,
    TAKE_AT,
    WINNER,
    suit_points,
)

VERSION = 1
BASKETS, ENDINGS = 3, 3
DECK_PARTS, COLUMN_PARTS, SEAT_PARTS = 12, 5, 7
FIELDS = (
    Field(
        "phase", (len(PHASES),), "1 at what is to be done: shake, roll, choose, take, name; none once the game is over"
    ),
    Field("holder", (SEATS,), "1 at who has the basket"),
    Field("basket", (BASKETS,), "1 at the option: aimed, plain, table"),
    Field("aim", (1,), "dice aimed for / 8"),
    Field("fallen", (1,), "dice that fell / 8"),
    Field("ending", (ENDINGS,), "1 at how the game ended: by points, by sock cards, by being named; 0 before"),
    Field(
        "decks",
        (DECKS, DECK_PARTS),
        "for the decks at 2 to 7: cards left / 12, dice / 8, and of the top card 1 at its suit (yellow, green, pink,"
        " red, orange, blue), socks / 8, 1 if double, 1 if conversion, 1 if ban",
    ),
    Field("gains", (SEATS, DECKS), "the points / 32 that the top card of each deck would bring each seat"),
    Field(
        "seats",
        (SEATS, SEAT_PARTS),
        "for each seat, all 0 where there is none: 1, points / 100, sock cards / 12, 1 if to move, 1 if it started,"
        " 1 if it has won, 1 if it is tied and may be named",
    ),
    Field(
        "columns",
        (SEATS, SUITS, COLUMN_PARTS),
        "what each seat has of each suit: socks / 8, doubles / 2, conversions / 3, bans, points it counts / 32",
    ),
    Field(
        "sock_cards",
        (SEATS, SUITS, len(SOCKS)),
        "how many cards with 2, 4, 6 and 8 socks each seat has of each suit / 2",
    ),
)
AT, SIZE = offsets(FIELDS), total(FIELDS)
PHASE, HOLDER, BASKET, AIM, FALLEN = AT["phase"], AT["holder"], AT["basket"], AT["aim"], AT["fallen"]
ENDING, AT_DECKS, GAINS, AT_SEATS = AT["ending"], AT["decks"], AT["gains"], AT["seats"]
COLUMNS, SOCK_CARDS = AT["columns"], AT["sock_cards"]


# What a few small numbers of a state look like is kept in tables, to be copied: that is faster than to work it out.


def _rounds() -> Row:
    """Return phase, holder and basket, by their numbers; the phase after the last: the game is over."""
    table = np.zeros((len(PHASES) + 1, SEATS, BASKETS, AIM), np.float32)
    for phase, holder, basket in product(range(len(PHASES) + 1), range(SEATS), range(BASKETS)):
        table[phase, holder, basket, [HOLDER + holder, BASKET + basket]] = 1
        if phase < len(PHASES):
            table[phase, holder, basket, PHASE + phase] = 1
    return table.reshape(-1, AIM)


def _tops() -> Row:
    """Return what is told of a deck's top card, by the card."""
    table = np.zeros((NO_CARD + 1, DECK_PARTS - 2), np.float32)
    for card in range(NO_CARD):
        suit, face = card >> 4, card & 15
        table[card, suit] = 1
        table[card, SUITS] = (face if face < CONVERSION else 0) * BY_8
        table[card, SUITS + 1 :] = face == DOUBLE, face == CONVERSION, face == BAN
    return table


def _tops_added() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what a card adds to the number by which the tables know a seat's cards of its suit, and the suit.

    No card adds nothing to the first.
    """
    adds, suits = np.zeros(NO_CARD + 1, np.int64), np.zeros(NO_CARD + 1, np.int64)
    for card in range(NO_CARD):
        suit, face = card >> 4, card & 15
        adds[card], suits[card] = {CONVERSION: 2, DOUBLE: 8, BAN: 1}.get(face, 16 * face), suit
    return adds, suits


def _columns() -> Row:
    """Return what is told of a seat's cards of a suit, by half the socks, doubles, conversions and bans."""
    worth = uncompiled(suit_points)  # nothing is compiled for an import
    table = np.zeros((MOST_SOCKS // 2 + 1, 4, 4, 2, COLUMN_PARTS), np.float32)
    for half, doubles, conversions, bans in product(range(MOST_SOCKS // 2 + 1), range(3), range(4), range(2)):
        points = worth(2 * half, doubles, conversions, bans) * BY_32
        table[half, doubles, conversions, bans] = 2 * half * BY_8, doubles * BY_2, conversions * THIRD, bans, points
    return table.reshape(-1, COLUMN_PARTS)


ALL_COLUMNS, ALL_COUNTS = SUITS * COLUMN_PARTS, SUITS * len(SOCKS)
NO_CARD, MOST_SOCKS = 16 * SUITS, MOST_OF_A_KIND * SOCKS[-1]
ROUND_TABLE, TOP_TABLE, COLUMN_TABLE = _rounds(), _tops(), _columns()
WORTH_PARTS = COLUMN_TABLE[:, -1].copy()
WORTH = np.rint(WORTH_PARTS / BY_32).astype(np.int64)
ADDS, SUIT_OF = _tops_added()
COUNT_TABLE = np.array(list(product(range(8), repeat=2)), np.float32)[:, ::-1].copy() * BY_2
"""For six bits of a seat's `taken` cards of a suit: how many with one number of socks, and with the next."""


@rule
def seat_actions(s: State) -> int:
    """Return the first of the actions that name a seat."""
    return WINNER


@rule
def cards_of(s: State, seat: int, suit: int) -> int:
    """Return the number by which the tables know a seat's cards of a suit."""
    socks, doubles = wide(s.socks[seat, suit]), wide(s.doubles[seat, suit])
    conversions, bans = wide(s.conversions[seat, suit]), wide(s.bans[seat, suit])
    return natural(16 * socks + 8 * doubles + 2 * conversions + bans)  # S1.2: the number of socks is even


@rule
def top_of(s: State, d: int) -> int:
    """Return the top card of a deck, or NO_CARD."""
    return natural(wide(s.deck[d, s.left[d] - 1]) if s.left[d] > 0 else NO_CARD)


@rule
def write_deck(s: State, d: int, out: Row) -> None:
    """Write what is told of a deck but for the dice at it."""
    at = AT_DECKS + DECK_PARTS * d
    out[at] = wide(s.left[d]) * BY_12
    put(out, at + 2, TOP_TABLE, top_of(s, d))


@rule
def write_suit(s: State, whose: int, suit: int, i: int, out: Row) -> None:
    """Write what the seat at place i has of a suit."""
    put(out, COLUMNS + COLUMN_PARTS * (SUITS * i + suit), COLUMN_TABLE, cards_of(s, whose, suit))
    at, taken = SOCK_CARDS + len(SOCKS) * (SUITS * i + suit), wide(s.taken[whose, suit])
    put(out, at, COUNT_TABLE, taken & 63)
    put(out, at + 2, COUNT_TABLE, taken >> 6)


@rule
def write_sums(s: State, whose: int, place: int, out: Row) -> None:
    """Write points and sock cards of the seat at a place, whose suits are written, and what it would gain."""
    i, points = natural(place), np.float32(0)
    for suit in range(SUITS):
        points += out[COLUMNS + COLUMN_PARTS * (SUITS * i + suit) + COLUMN_PARTS - 1]
    out[AT_SEATS + SEAT_PARTS * i + 1] = np.float64(points) * (32 * BY_100)
    out[AT_SEATS + SEAT_PARTS * i + 2] = s.sock_cards[whose] * BY_12
    for d in range(DECKS):
        out[GAINS + DECKS * i + d] = gain(s, top_of(s, d), whose)


@rule
def gain(s: State, top: int, whose: int) -> np.float32:
    """Return what the top card of a deck would bring a seat."""
    cards = cards_of(s, whose, SUIT_OF[top])
    difference: np.float32 = WORTH_PARTS[natural(cards + ADDS[top])] - WORTH_PARTS[cards]
    return difference


@rule
def write_turn(s: State, seat: int, out: Row) -> None:
    """Write what is to be done, who has the basket, and the dice."""
    holder = s.holder - seat if s.holder >= seat else s.holder - seat + s.seats
    phase = len(PHASES) if s.over else s.phase
    put(out, PHASE, ROUND_TABLE, (phase * SEATS + holder) * BASKETS + wide(s.basket))
    out[AIM] = times(s.aim, BY_8)
    out[FALLEN] = times(s.fallen, BY_8)
    for d in range(DECKS):
        out[AT_DECKS + DECK_PARTS * d + 1] = times(s.dice[d], BY_8)


@rule
def seat_at(s: State, seat: int, i: int) -> int:
    """Return the seat at place i, counted from another."""
    return seat + i if seat + i < s.seats else seat + i - s.seats


@rule
def write_tied(s: State, seat: int, out: Row) -> None:
    """Write who is tied and may be named."""
    tied = s.legal[0] >> WINNER if s.phase == NAME else 0
    for i in range(s.seats):
        out[AT_SEATS + SEAT_PARTS * i + 6] = tied >> seat_at(s, seat, i) & 1


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    for ending in range(ENDINGS):
        out[ENDING + ending] = s.ending == ending
    for d in range(DECKS):
        write_deck(s, d, out)
    for i in range(s.seats):
        whose, at = seat_at(s, seat, i), AT_SEATS + SEAT_PARTS * i
        for suit in range(SUITS):
            write_suit(s, whose, suit, i, out)
        write_sums(s, whose, i, out)
        out[at] = 1
        out[at + 3] = s.player == whose
        out[at + 4] = s.first == whose
        out[at + 5] = s.winners >> whose & 1
    write_tied(s, seat, out)
    write_turn(s, seat, out)


@rule
def observe_next(s: State, seat: int, before: int, action: int, out: Row) -> None:
    """Write what has changed since `before` was to move and played this action; the game goes on.

    Its branches are those of the rules, which the processor has just taken.
    """
    turned = seat - before if seat >= before else seat - before + s.seats
    i = natural(s.seats - turned if turned else 0)
    if turned:
        turn_round(out, AT_SEATS, SEATS, SEAT_PARTS, s.seats, turned)
        turn_round(out, GAINS, SEATS, DECKS, s.seats, turned)
        turn_round(out, COLUMNS, SEATS, ALL_COLUMNS, s.seats, turned)
        turn_round(out, SOCK_CARDS, SEATS, ALL_COUNTS, s.seats, turned)
        out[AT_SEATS + SEAT_PARTS * i + 3] = 0
    out[AT_SEATS + 3] = 1
    if action >= SINGLE:  # `before` has taken one card or two; as many dice had fallen as `out` still says
        d = natural((wide(out[FALLEN] * DICE) if action == SINGLE else action - TAKE_AT) - LOWEST)
        taken = 2 if action == SINGLE else 1
        if s.left[d] == 0:
            taken = wide(out[AT_DECKS + DECK_PARTS * d] * HEIGHT + 0.5)
        for card in range(taken):
            write_suit(s, before, wide(s.deck[d, s.left[d] + card]) >> 4, i, out)
        write_sums(s, before, i, out)
        write_deck(s, d, out)
        top = top_of(s, d)
        for other in range(s.seats):
            out[GAINS + DECKS * other + d] = gain(s, top, seat_at(s, seat, other))
        if s.phase == NAME:
            write_tied(s, seat, out)
    write_turn(s, seat, out)
