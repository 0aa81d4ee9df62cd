"""What a seat of Out of Sock observes in environments `-v0`: kept as it was, for what was learnt with it."""

from tavolino.engine.contract import State
from tavolino.engine.fields import BY_8, BY_12, BY_100, Field, Row, offsets, pick, times, total
from tavolino.engine.jit import rule, wide
from tavolino.engine.rows import put
from tavolino.games.out_of_sock import observation
from tavolino.games.out_of_sock.observation import (
    BASKETS,
    COLUMN_PARTS,
    COLUMN_TABLE,
    DECK_PARTS,
    NO_CARD,
    ROUND_TABLE,
    TOP_TABLE,
    WORTH,
    cards_of,
)
from tavolino.games.out_of_sock.rules import DECKS, PHASES, SEATS, SUITS

__all__ = ["FIELDS", "SIZE", "VERSION", "observe"]

VERSION = 0
SEAT_PARTS = 4
FIELDS = (
    *pick(observation.FIELDS, "phase", "holder", "basket", "aim", "fallen", "decks"),
    Field(
        "seats",
        (SEATS, SEAT_PARTS),
        "for each seat, all 0 where there is none: 1, points / 100, sock cards / 12, 1 if to move",
    ),
    *pick(observation.FIELDS, "columns"),
)
AT, SIZE = offsets(FIELDS), total(FIELDS)
PHASE, AIM, FALLEN = AT["phase"], AT["aim"], AT["fallen"]
AT_DECKS, AT_SEATS, COLUMNS = AT["decks"], AT["seats"], AT["columns"]


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
            cards = cards_of(s, whose, suit)
            put(out, COLUMNS + COLUMN_PARTS * (SUITS * i + suit), COLUMN_TABLE, cards)
            points += WORTH[cards]
        at = AT_SEATS + SEAT_PARTS * i
        out[at] = 1
        out[at + 1] = points * BY_100
        out[at + 2] = s.sock_cards[whose] * BY_12
        out[at + 3] = s.player == whose
        whose = whose + 1 if whose + 1 < s.seats else 0
