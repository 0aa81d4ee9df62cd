"""What a seat of Out of Sock observes in environments `-v0`: kept as it was, for what was learnt with it."""

from itertools import product

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.fields import BY_2, BY_8, BY_12, BY_32, BY_100, THIRD, Field, Row, offsets, times, total
from tavolino.engine.jit import rule, uncompiled, wide
from tavolino.engine.rows import put
from tavolino.games.out_of_sock.rules import BAN, CONVERSION, DECKS, DOUBLE, PHASES, SEATS, SUITS, suit_points

VERSION = 0
DECK_PARTS, COLUMN_PARTS, SEAT_PARTS = 12, 5, 4
FIELDS = (
    Field(
        "phase", (len(PHASES),), "1 at what is to be done: shake, roll, choose, take, name; none once the game is over"
    ),
    Field("holder", (SEATS,), "1 at who has the basket"),
    Field("basket", (3,), "1 at the option: aimed, plain, table"),
    Field("aim", (1,), "dice aimed for / 8"),
    Field("fallen", (1,), "dice that fell / 8"),
    Field(
        "decks",
        (DECKS, DECK_PARTS),
        "for the decks at 2 to 7: cards left / 12, dice / 8, and of the top card 1 at its suit (yellow, green, pink,"
        " red, orange, blue), socks / 8, 1 if double, 1 if conversion, 1 if ban",
    ),
    Field(
        "seats",
        (SEATS, SEAT_PARTS),
        "for each seat, all 0 where there is none: 1, points / 100, sock cards / 12, 1 if to move",
    ),
    Field(
        "columns",
        (SEATS, SUITS, COLUMN_PARTS),
        "what each seat has of each suit: socks / 8, doubles / 2, conversions / 3, bans, points it counts / 32",
    ),
)
AT, SIZE = offsets(FIELDS), total(FIELDS)
PHASE, HOLDER, BASKET, AIM, FALLEN = AT["phase"], AT["holder"], AT["basket"], AT["aim"], AT["fallen"]
AT_DECKS, AT_SEATS, COLUMNS = AT["decks"], AT["seats"], AT["columns"]


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


def _columns() -> Row:
    """Return what is told of a seat's cards of a suit, by half the socks, doubles, conversions and bans."""
    worth = uncompiled(suit_points)  # nothing is compiled for an import
    table = np.zeros((MOST_SOCKS // 2 + 1, 4, 4, 2, COLUMN_PARTS), np.float32)
    for half, doubles, conversions, bans in product(range(MOST_SOCKS // 2 + 1), range(3), range(4), range(2)):
        points = worth(2 * half, doubles, conversions, bans) * BY_32
        table[half, doubles, conversions, bans] = 2 * half * BY_8, doubles * BY_2, conversions * THIRD, bans, points
    return table.reshape(-1, COLUMN_PARTS)


BASKETS, NO_CARD, MOST_SOCKS = 3, 16 * SUITS, 6 * 8
ROUND_TABLE, TOP_TABLE, COLUMN_TABLE = _rounds(), _tops(), _columns()
WORTH = np.rint(COLUMN_TABLE[:, -1] / BY_32).astype(np.int64)


@rule
def mask_bytes(s: State) -> int:
    """Return how many bytes of a word of `legal` are ever used."""
    return 3  # none is above bit 23


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    holder = s.holder - seat if s.holder >= seat else s.holder - seat + s.seats
    phase = len(PHASES) if s.over else s.phase
    put(out, PHASE, ROUND_TABLE, (phase * SEATS + holder) * BASKETS + wide(s.basket))
    out[AIM] = times(s.aim, BY_8)
    out[FALLEN] = times(s.fallen, BY_8)
    for d in range(DECKS):
        at = AT_DECKS + DECK_PARTS * d
        left = wide(s.left[d])
        out[at] = left * BY_12
        out[at + 1] = times(s.dice[d], BY_8)
        put(out, at + 2, TOP_TABLE, wide(s.deck[d, left - 1]) if left > 0 else NO_CARD)
    whose = seat
    for i in range(s.seats):
        points = 0
        for suit in range(SUITS):
            socks, doubles = wide(s.socks[whose, suit]), wide(s.doubles[whose, suit])
            conversions, bans = wide(s.conversions[whose, suit]), wide(s.bans[whose, suit])
            cards = 16 * socks + 8 * doubles + 2 * conversions + bans  # S1.2: the number of socks is even
            put(out, COLUMNS + COLUMN_PARTS * (SUITS * i + suit), COLUMN_TABLE, cards)
            points += WORTH[cards]
        at = AT_SEATS + SEAT_PARTS * i
        out[at] = 1
        out[at + 1] = points * BY_100
        out[at + 2] = s.sock_cards[whose] * BY_12
        out[at + 3] = s.player == whose
        whose = whose + 1 if whose + 1 < s.seats else 0
