"""What a seat of Out of Sock observes, as small numbers: all that its view says but the list of moves.

Seats are counted from the observer on, in the actions that name one (`winner`), too.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import State
from tavolino.engine.fields import BY_2, BY_8, BY_12, BY_32, BY_100, THIRD, Field, Row, offsets, times, total
from tavolino.engine.jit import rule, uncompiled, wide
from tavolino.engine.rows import put
from tavolino.games.out_of_sock.rules import (
    BAN,
    CONVERSION,
    DECKS,
    DOUBLE,
    MOST_OF_A_KIND,
    NAME,
    PHASES,
    SEATS,
    SOCKS,
    SUITS,
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
    Field("gains", (DECKS, SEATS), "the points / 32 that the top card of each deck would bring each seat"),
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
    """Return what a card adds to the number by which the tables know a seat's cards of its suit, and where that is.

    A seat's six numbers stand in one, CARD_BITS each. No card adds nothing to the first.
    """
    adds, shift = np.zeros(NO_CARD + 1, np.int64), np.zeros(NO_CARD + 1, np.int64)
    for card in range(NO_CARD):
        suit, face = card >> 4, card & 15
        adds[card], shift[card] = {CONVERSION: 2, DOUBLE: 8, BAN: 1}.get(face, 16 * face), CARD_BITS * suit
    return adds, shift


def _columns() -> Row:
    """Return what is told of a seat's cards of a suit, by half the socks, doubles, conversions and bans."""
    worth = uncompiled(suit_points)  # nothing is compiled for an import
    table = np.zeros((MOST_SOCKS // 2 + 1, 4, 4, 2, COLUMN_PARTS), np.float32)
    for half, doubles, conversions, bans in product(range(MOST_SOCKS // 2 + 1), range(3), range(4), range(2)):
        points = worth(2 * half, doubles, conversions, bans) * BY_32
        table[half, doubles, conversions, bans] = 2 * half * BY_8, doubles * BY_2, conversions * THIRD, bans, points
    return table.reshape(-1, COLUMN_PARTS)


NO_CARD, MOST_SOCKS, CARD_BITS = 16 * SUITS, MOST_OF_A_KIND * SOCKS[-1], 10
ROUND_TABLE, TOP_TABLE, COLUMN_TABLE = _rounds(), _tops(), _columns()
WORTH_PARTS = COLUMN_TABLE[:, -1].copy()
WORTH = np.rint(WORTH_PARTS / BY_32).astype(np.int64)
ADDS, SHIFT = _tops_added()
COUNT_TABLE = np.array(list(product(range(8), repeat=len(SOCKS))), np.float32)[:, ::-1].copy() * BY_2
"""For a seat's `taken` cards of a suit: how many of each number of socks."""


@rule
def mask_bytes(s: State) -> int:
    """Return how many bytes of a word of `legal` are ever used."""
    return 3  # none is above bit 23


@rule
def seat_actions(s: State) -> int:
    """Return the first of the actions that name a seat."""
    return WINNER


@rule
def cards_of(s: State, seat: int, suit: int) -> int:
    """Return the number by which the tables know a seat's cards of a suit."""
    socks, doubles = wide(s.socks[seat, suit]), wide(s.doubles[seat, suit])
    conversions, bans = wide(s.conversions[seat, suit]), wide(s.bans[seat, suit])
    return 16 * socks + 8 * doubles + 2 * conversions + bans  # S1.2: the number of socks is even


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    holder = s.holder - seat if s.holder >= seat else s.holder - seat + s.seats
    phase = len(PHASES) if s.over else s.phase
    put(out, PHASE, ROUND_TABLE, (phase * SEATS + holder) * BASKETS + wide(s.basket))
    out[AIM] = times(s.aim, BY_8)
    out[FALLEN] = times(s.fallen, BY_8)
    for ending in range(ENDINGS):
        out[ENDING + ending] = s.ending == ending
    tops = 0  # eight bits for each deck
    for d in range(DECKS):
        at = AT_DECKS + DECK_PARTS * d
        left = wide(s.left[d])
        top = wide(s.deck[d, left - 1]) if left > 0 else NO_CARD
        tops |= top << (8 * d)
        out[at] = left * BY_12
        out[at + 1] = times(s.dice[d], BY_8)
        put(out, at + 2, TOP_TABLE, top)
    tied = s.legal[0] >> WINNER if s.phase == NAME else 0
    whose = seat
    for i in range(s.seats):
        points = 0
        suits = 0  # CARD_BITS for each: to read all fields of the state again would take longer
        for suit in range(SUITS):
            cards = cards_of(s, whose, suit)
            suits |= cards << (CARD_BITS * suit)
            put(out, COLUMNS + COLUMN_PARTS * (SUITS * i + suit), COLUMN_TABLE, cards)
            put(out, SOCK_CARDS + len(SOCKS) * (SUITS * i + suit), COUNT_TABLE, wide(s.taken[whose, suit]))
            points += WORTH[cards]
        for d in range(DECKS):
            top = tops >> (8 * d) & 255
            cards = suits >> SHIFT[top] & (1 << CARD_BITS) - 1
            out[GAINS + SEATS * d + i] = WORTH_PARTS[cards + ADDS[top]] - WORTH_PARTS[cards]
        at = AT_SEATS + SEAT_PARTS * i
        out[at] = 1
        out[at + 1] = points * BY_100
        out[at + 2] = s.sock_cards[whose] * BY_12
        out[at + 3] = s.player == whose
        out[at + 4] = s.first == whose
        out[at + 5] = s.winners >> whose & 1
        out[at + 6] = tied >> whose & 1
        whose = whose + 1 if whose + 1 < s.seats else 0
