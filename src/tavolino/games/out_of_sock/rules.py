"""Out of Sock: six decks of socks, eight dice in a laundry basket. Two to four seats.

The clauses cited (`S4.3`) are those of text/rules.en.md. Deck d of six lies at the place d + 2. A
card is 16 · suit + face.
"""

from math import comb

import numpy as np

from tavolino.engine.contract import Ints, State
from tavolino.engine.jit import natural, rule, wide
from tavolino.engine.rng import Stream, below, next64, randint, shuffle, sort_small
from tavolino.engine.states import begin, finish, record

SUITS, DECKS, HEIGHT, DICE, SEATS = 6, 6, 12, 8, 4
SUIT = ("yellow", "green", "pink", "red", "orange", "blue")  # S1.1
CARDS = SUITS * 12
LOWEST = 2  # the first place, and the lowest face of a die (S1.3)
CONVERSION, DOUBLE, BAN = 9, 10, 11  # other faces are the number of socks
SOCKS, MOST_OF_A_KIND = (2, 4, 6, 8), 6  # S1.2: the numbers of socks; so many sock cards of a suit
SPECIALS = (CONVERSION, CONVERSION, CONVERSION, DOUBLE, DOUBLE, BAN)  # of each suit (S1.1)
SPECIAL = {CONVERSION: "conversion", DOUBLE: "double", BAN: "ban"}
DECKS_TO_END = (0, 0, 2, 1, 1)  # so many emptied end the game, by number of players (S8.1)
NOBODY = -1
ODDS = tuple(
    tuple(comb(DICE, n) * aim**n * (DICE - aim) ** (DICE - n) / DICE**DICE for n in range(DICE + 1))
    for aim in range(DICE)
)
"""ODDS[aim][n]: the probability that n dice fall out of the basket with this aim (S3.3)."""

AIMED, PLAIN, TABLE = range(3)  # option basket
SHAKE, ROLL, CHOOSE, TAKE, NAME = range(5)  # phases
PHASES = ("shake", "roll", "choose", "take", "name")
# Actions are bits of legal[0], and rolls, from ROLLED up: the number of dice at each place, 4 bits a place.
AIM = 0  # bit n: aim for n dice
SPLIT, SINGLE = 8, 9
TAKE_AT = 10  # bit TAKE_AT + place
WINNER = 20  # bit WINNER + seat
ROLLED = 64
BY_POINTS, BY_CARDS, NAMED = range(3)

STREAMS = ("first", "decks")


STATE = record(
    1,
    ("phase", "i8"),
    ("holder", "i8"),  # of the basket: the round's first player
    ("aim", "i8"),  # dice aimed for
    ("fallen", "i8"),  # dice that fell
    ("empty", "i8"),  # decks emptied
    ("basket", "i1"),  # option
    ("dice", "i1", DECKS),  # lying at each deck
    ("left", "i1", DECKS),  # cards in each deck; the top is deck[d, left[d] - 1]
    ("deck", "i1", (DECKS, HEIGHT)),
    ("owner", "i1", (DECKS, HEIGHT)),  # the seat that took the card, or NOBODY
    ("socks", "i1", (SEATS, SUITS)),
    ("doubles", "i1", (SEATS, SUITS)),
    ("conversions", "i1", (SEATS, SUITS)),
    ("bans", "i1", (SEATS, SUITS)),
    ("sock_cards", "i1", SEATS),
    ("taken", "i2", (SEATS, SUITS)),  # its sock cards: how many with 2, 4, 6, 8 socks, 3 bits each
)


@rule
def suit_points(socks: int, doubles: int, conversions: int, bans: int) -> int:
    """Return what a suit with these cards counts (S7.1, S7.2)."""
    if bans > 0:
        return 0
    points = socks << doubles
    return -points if conversions & 1 else points


@rule
def suit_score(s: State, seat: int, suit: int) -> int:
    """Return what a suit counts for a seat."""
    socks, doubles = wide(s.socks[seat, suit]), wide(s.doubles[seat, suit])
    return suit_points(socks, doubles, wide(s.conversions[seat, suit]), wide(s.bans[seat, suit]))


@rule
def score(s: State, seat: int) -> int:
    """Return the running score of a seat (S7.3)."""
    total = 0
    for suit in range(SUITS):
        total += suit_score(s, seat, suit)
    return total


@rule
def start_round(s: State, seat: int) -> None:
    """Hand the basket to a seat (S3.1)."""
    s.holder = seat
    s.fallen = 0
    s.aim = 0
    s.legal[0] = 0
    if s.basket == AIMED:
        s.phase = SHAKE
        s.player = seat
        s.legal[0] = 0b11111100 << AIM  # S3.3: 2 to 7 dice
    else:
        s.phase = ROLL
        s.aim = 4  # S3.3: each die with probability 4/8
        s.player = seat if s.basket == TABLE else -1


@rule
def next_round(s: State) -> None:
    start_round(s, s.holder + 1 if s.holder + 1 < s.seats else 0)  # S6.1


@rule
def end_game(s: State) -> None:
    """Find the winner, or ask the basket holder for one (S8.2)."""
    best, cards, tied, level = -10000, -1, 0, 0
    for seat in range(s.seats):
        points = score(s, seat)
        socks = wide(s.sock_cards[seat])
        level = 1 if points > best else level + (points == best)
        if points > best or (points == best and socks > cards):
            best, cards, tied = points, socks, 0
        if points == best and socks == cards:
            tied |= 1 << seat
    for d in range(DECKS):
        s.dice[d] = 0  # S8.1: remaining dice are not taken
    if tied & (tied - 1) == 0:
        finish(s, tied, BY_POINTS if level == 1 else BY_CARDS)
    else:
        s.phase = NAME
        s.player = s.holder
        s.legal[0] = tied << WINNER


@rule
def take_card(s: State, seat: int, d: int) -> bool:
    """Take the top card of deck d; return whether that ends the game (S8.1)."""
    s.left[d] -= 1
    i = natural(s.left[d])
    card = natural(s.deck[d, i])
    s.owner[d, i] = seat
    suit, face = card >> 4, card & 15
    # Without a branch, as in `chance`: nothing foretells which card it is.
    sock_card = 1 if face < CONVERSION else 0
    s.conversions[seat, suit] += face == CONVERSION
    s.doubles[seat, suit] += face == DOUBLE
    s.bans[seat, suit] += face == BAN
    s.socks[seat, suit] += face * sock_card
    s.sock_cards[seat] += sock_card
    s.taken[seat, suit] += sock_card << 3 * ((face >> 1) - 1)
    if i > 0:
        return False
    s.dice[d] = 0  # S4.3: they go back when the deck is emptied
    s.empty += 1
    ends: bool = s.empty == DECKS_TO_END[s.seats]
    return ends


@rule
def find_takes(s: State) -> None:
    """Fill `legal` with the decks where a die lies (S4.2)."""
    decks = 0
    for d in range(DECKS):
        decks |= (1 if s.dice[d] > 0 else 0) << d  # without a branch, as in `chance`
    s.legal[0] = decks << (TAKE_AT + LOWEST)


@rule
def place_dice(s: State, roll: int) -> None:
    """Let the dice of a roll fall: 4 bits per place (S3.1, S3.2)."""
    s.fallen = 0
    lying = 0
    for d in range(DECKS):
        dice = (roll >> (4 * d)) & 15
        s.dice[d] = dice
        s.fallen += dice  # S4.3: dice of empty decks count too
        if s.left[d] > 0:
            lying += dice
    may = 0
    if 2 <= s.fallen <= 7:
        if lying > 0:
            may |= 1 << SPLIT  # S4.3
        if s.left[s.fallen - LOWEST] > 0:
            may |= 1 << SINGLE  # S5.2
    if may == 0:  # S3.1, S5.2: the turn is skipped
        for d in range(DECKS):
            s.dice[d] = 0
        next_round(s)
    else:
        s.phase = CHOOSE
        s.player = s.holder
        s.legal[0] = may


@rule
def start(s: State, seats: int, first: int) -> None:
    """Start with the decks as they lie in `deck` (S2.1)."""
    begin(s, seats, first)
    for d in range(DECKS):
        s.left[d] = HEIGHT
        for i in range(HEIGHT):
            s.owner[d, i] = NOBODY
    start_round(s, first)


@rule
def deal(s: State, seats: int, first: int, options: Ints, streams: Stream) -> None:
    """Shuffle and start; `first` is a seat, or -1 for a random one (S1.1, S2.1, S2.2)."""
    starter = randint(streams, seats)
    s.basket = options[0]
    cards = np.empty(CARDS, np.int8)
    for suit in range(SUITS):
        for i in range(6):
            cards[12 * suit + i] = 16 * suit + (options[1] >> (4 * i) & 15)
            cards[12 * suit + 6 + i] = 16 * suit + SPECIALS[i]
    shuffle(streams[1:], cards)
    for i in range(CARDS):
        s.deck[i // HEIGHT, i % HEIGHT] = cards[i]
    start(s, seats, starter if first < 0 else first)


@rule
def apply(s: State, action: int) -> None:
    """Play a legal action, or let a roll happen."""
    me = s.player
    if action >= ROLLED:
        place_dice(s, action - ROLLED)
    elif action < SPLIT:
        s.aim = action - AIM
        s.phase = ROLL
        s.player = -1
        s.legal[0] = 0
    elif action == SPLIT:
        s.phase = TAKE
        for d in range(DECKS):
            if s.left[d] == 0:
                s.dice[d] = 0  # S4.3
        find_takes(s)
    elif action == SINGLE:
        d = natural(s.fallen - LOWEST)  # S5.1
        for i in range(DECKS):
            s.dice[i] = 0
        ends = take_card(s, natural(me), d)
        if not ends and s.left[d] > 0:  # S5.2, S8.1
            ends = take_card(s, natural(me), d)
        if ends:
            end_game(s)
        else:
            next_round(s)
    elif action < WINNER:
        d = natural(action - TAKE_AT - LOWEST)
        s.dice[d] -= 1  # S4.2
        if take_card(s, natural(me), d):
            end_game(s)
            return
        find_takes(s)
        if s.legal[0] == 0:
            next_round(s)
        else:
            s.player = me + 1 if me + 1 < s.seats else 0
    else:
        finish(s, 1 << (action - WINNER), NAMED)  # S8.2


@rule
def chance(s: State, streams: Stream) -> int:
    """Shake the basket: which dice fall out, and how (S3.3). Each seat has a stream of its own.

    Each die gets a number and a looseness before the aim is considered, so that the same stream means the same luck
    whatever the aim.
    """
    rng = streams[s.holder :]
    roll = 0
    for _ in range(DICE):
        luck = next64(rng)
        # Without a branch: no processor foresees a die, and to guess wrong costs it more than to add nothing.
        falls = 1 if np.int64(luck & np.uint64(7)) < s.aim else 0
        roll += falls << (4 * below(luck, 6))
    return ROLLED + roll


@rule
def scores(s: State, out: Ints) -> None:
    """Write the points of each seat."""
    for seat in range(s.seats):
        out[seat] = score(s, seat)


@rule
def redeal(s: State, viewer: int, rng: Stream) -> None:
    """Sample uniformly from all states that look the same: shuffle the cards under the tops. All know the same."""
    cards = np.empty(CARDS, np.int8)
    n = 0
    for d in range(DECKS):
        for i in range(s.left[d] - 1):
            cards[n] = s.deck[d, i]
            n += 1
    sort_small(cards[:n])  # one order for all worlds that look alike, so that the same stream deals the same
    shuffle(rng, cards[:n])
    for d in range(DECKS):
        for i in range(s.left[d] - 1):
            n -= 1
            s.deck[d, i] = cards[n]
