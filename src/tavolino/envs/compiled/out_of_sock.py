"""What a seat of Out of Sock observes, as small numbers. Seats are counted from the observer on."""

from tavolino.envs.compiled.fields import BY_2, BY_8, BY_12, BY_32, BY_100, THIRD, Field, Row, offsets, times, total
from tavolino.games.jit import State, rule, wide
from tavolino.games.out_of_sock import BAN, CONVERSION, DECKS, DOUBLE, PHASES, SEATS, SUITS, suit_points

VERSION = 1
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


@rule
def mask_bytes(s: State) -> int:
    """Return how many bytes of a word of `legal` are ever used."""
    return 3  # none is above bit 23


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    out[:AT_SEATS] = 0
    if s.over == 0:
        out[PHASE + s.phase] = 1
    out[HOLDER + (s.holder - seat if s.holder >= seat else s.holder - seat + s.seats)] = 1
    out[BASKET + wide(s.basket)] = 1
    out[AIM] = times(s.aim, BY_8)
    out[FALLEN] = times(s.fallen, BY_8)
    for d in range(DECKS):
        at = AT_DECKS + DECK_PARTS * d
        left = wide(s.left[d])
        out[at] = left * BY_12
        out[at + 1] = times(s.dice[d], BY_8)
        if left > 0:
            card = wide(s.deck[d, left - 1])
            suit, face = card >> 4, card & 15
            out[at + 2 + suit] = 1
            out[at + 8] = times(face if face < CONVERSION else 0, BY_8)
            out[at + 9] = face == DOUBLE
            out[at + 10] = face == CONVERSION
            out[at + 11] = face == BAN
    whose = seat
    for i in range(s.seats):
        points = 0
        for suit in range(SUITS):
            at = COLUMNS + COLUMN_PARTS * (SUITS * i + suit)
            socks, doubles = wide(s.socks[whose, suit]), wide(s.doubles[whose, suit])
            conversions, bans = wide(s.conversions[whose, suit]), wide(s.bans[whose, suit])
            worth = suit_points(socks, doubles, conversions, bans)
            points += worth
            out[at] = times(socks, BY_8)
            out[at + 1] = times(doubles, BY_2)
            out[at + 2] = times(conversions, THIRD)
            out[at + 3] = bans
            out[at + 4] = times(worth, BY_32)
        at = AT_SEATS + SEAT_PARTS * i
        out[at] = 1
        out[at + 1] = points * BY_100
        out[at + 2] = s.sock_cards[whose] * BY_12
        out[at + 3] = s.player == whose
        whose = whose + 1 if whose + 1 < s.seats else 0
