"""Out of Sock: six decks of socks, eight dice in a laundry basket. Two to four seats.

The clauses cited (`S4.3`) are those of src/tavolino/rules/out-of-sock.en.md. Deck d of six lies at the place d + 2. A
card is 16 · suit + face.
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.games.jit import State, rule, uncompiled, wide
from tavolino.games.rng import Stream, below, next64, randint, shuffle
from tavolino.games.spec import (
    Event,
    History,
    Offer,
    Option,
    Plain,
    bits,
    choice,
    game_over,
    one_of_each,
    reader,
    whole,
)

SUITS, DECKS, HEIGHT, DICE, SEATS = 6, 6, 12, 8, 4
SUIT = ("yellow", "green", "pink", "red", "orange", "blue")  # S1.1
CARDS = SUITS * 12
LOWEST = 2  # the first place, and the lowest face of a die (S1.3)
CONVERSION, DOUBLE, BAN = 9, 10, 11  # other faces are the number of socks
SPECIALS = (CONVERSION, CONVERSION, CONVERSION, DOUBLE, DOUBLE, BAN)  # of each suit (S1.1)
SPECIAL = {CONVERSION: "conversion", DOUBLE: "double", BAN: "ban"}
DECKS_TO_END = (0, 0, 2, 1, 1)  # so many emptied end the game, by number of players (S8.1)
NOBODY = -1

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

KEY, TITLE = "out-of-sock", "Out of Sock"
PLAYERS = (2, 3, 4)
MATCH_ADDS = "points"
ENDINGS = ("most points", "tie: most sock cards", "tie: named by the basket holder")
STREAMS = ("first", "decks")


def _read_sock_values(value: Any, players: int) -> list[int]:
    values = sorted(whole(v) for v in value)  # their order means nothing
    if isinstance(value, (str, dict)) or len(values) != 6 or not set(values) <= {2, 4, 6, 8}:
        raise ValueError
    return values


OPTIONS = (
    choice("basket", "aimed", "plain", "table"),  # S3.3
    Option(
        "sock_values",
        [2, 2, 4, 4, 6, 8],
        None,
        "six numbers, each 2, 4, 6 or 8",
        _read_sock_values,
        lambda values: sum(value << (4 * i) for i, value in enumerate(values)),
    ),  # S1.2
)

STATE = np.dtype(
    (
        np.record,
        [
            ("legal", "i8", 1),  # bit a: action a is legal; empty while dice are to fall
            ("player", "i8"),  # whose turn it is; -1 when chance is due or the game is over
            ("over", "i8"),
            ("seats", "i8"),
            ("first", "i8"),
            ("winners", "i8"),  # bit s: seat s has won
            ("ending", "i8"),  # an index of ENDINGS
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
        ],
    )
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
def finish(s: State, winners: int, ending: int) -> None:
    s.over = 1
    s.player = -1
    s.winners = winners
    s.ending = ending
    s.legal[0] = 0


@rule
def take_card(s: State, seat: int, d: int) -> bool:
    """Take the top card of deck d; return whether that ends the game (S8.1)."""
    s.left[d] -= 1
    i = s.left[d]
    card = wide(s.deck[d, i])
    s.owner[d, i] = seat
    suit, face = card >> 4, card & 15
    if face == CONVERSION:
        s.conversions[seat, suit] += 1
    elif face == DOUBLE:
        s.doubles[seat, suit] += 1
    elif face == BAN:
        s.bans[seat, suit] += 1
    else:
        s.socks[seat, suit] += face
        s.sock_cards[seat] += 1
    if i > 0:
        return False
    s.dice[d] = 0  # S4.3: they go back when the deck is emptied
    s.empty += 1
    ends: bool = s.empty == DECKS_TO_END[s.seats]
    return ends


@rule
def find_takes(s: State) -> None:
    """Fill `legal` with the decks where a die lies (S4.2)."""
    s.legal[0] = 0
    for d in range(DECKS):
        if s.dice[d] > 0:
            s.legal[0] |= 1 << (TAKE_AT + LOWEST + d)


@rule
def place_dice(s: State, roll: int) -> None:
    """Let the dice of a roll fall: 4 bits a place (S3.1, S3.2)."""
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
    """Begin to play with the decks as they lie in `deck` (S2.1)."""
    s.seats = seats
    s.first = first
    s.over = 0
    s.winners = 0
    s.ending = -1
    s.empty = 0
    for d in range(DECKS):
        s.left[d] = HEIGHT
        s.dice[d] = 0
        for i in range(HEIGHT):
            s.owner[d, i] = NOBODY
    for seat in range(SEATS):
        s.sock_cards[seat] = 0
        for suit in range(SUITS):
            s.socks[seat, suit] = 0
            s.doubles[seat, suit] = 0
            s.conversions[seat, suit] = 0
            s.bans[seat, suit] = 0
    start_round(s, first)


@rule
def deal(s: State, seats: int, first: int, options: NDArray[np.int64], streams: Stream) -> None:
    """Shuffle and begin; `first` is a seat or -1 for a random one (S1.1, S2.1, S2.2)."""
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
        d = s.fallen - LOWEST  # S5.1
        for i in range(DECKS):
            s.dice[i] = 0
        ends = take_card(s, me, d)
        if not ends and s.left[d] > 0:  # S5.2, S8.1
            ends = take_card(s, me, d)
        if ends:
            end_game(s)
        else:
            next_round(s)
    elif action < WINNER:
        d = action - TAKE_AT - LOWEST
        s.dice[d] -= 1  # S4.2
        if take_card(s, me, d):
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

    Each die is given a number and a looseness before it is known how many are aimed for, so that the same stream means
    the same luck whatever the aim.
    """
    rng = streams[s.holder :]
    roll = 0
    for _ in range(DICE):
        luck = next64(rng)
        if np.int64(luck & np.uint64(7)) < s.aim:
            roll += 1 << (4 * below(luck, 6))
    return ROLLED + roll


@rule
def scores(s: State, out: NDArray[np.int64]) -> None:
    """Write the points of each seat."""
    for seat in range(s.seats):
        out[seat] = score(s, seat)


@rule
def redeal(s: State, viewer: int, rng: Stream) -> None:
    """Draw evenly from all states that look the same: shuffle the cards under the tops. Every seat knows the same."""
    cards = np.empty(CARDS, np.int8)
    n = 0
    for d in range(DECKS):
        for i in range(s.left[d] - 1):
            cards[n] = s.deck[d, i]
            n += 1
    cards[:n].sort()  # one order for all worlds that look alike, so that the same stream deals the same
    shuffle(rng, cards[:n])
    for d in range(DECKS):
        for i in range(s.left[d] - 1):
            n -= 1
            s.deck[d, i] = cards[n]


# What follows is for people: words, deals and views, in plain Python.


_ROLLS = {
    ROLLED + sum(1 << (4 * (face - LOWEST)) for face in dice): "roll:" + ",".join(map(str, dice))
    for n in range(DICE + 1)
    for dice in combinations_with_replacement(range(LOWEST, LOWEST + DECKS), n)
}
ROLLS = tuple(_ROLLS.values())  # what chance can bring, or people type in (S3.3)
WORDS = {AIM + n: f"shake:{n}" for n in range(2, 8)} | {SPLIT: "split", SINGLE: "single"}
WORDS |= {TAKE_AT + place: f"take:{place}" for place in range(LOWEST, LOWEST + DECKS)}
WORDS |= {WINNER + seat: f"winner:{seat}" for seat in range(SEATS)} | _ROLLS
ACTIONS = {word: action for action, word in WORDS.items()}
NOTATION = "shake:4, roll:2,3,3 (ascending), split, single, take:3, winner:1"


def card_word(card: int) -> str:
    """Name a card: `yellow:4`, `red:conversion`."""
    return f"{SUIT[card >> 4]}:{SPECIAL.get(card & 15, card & 15)}"


CARD_CODE = {card_word(16 * suit + face): 16 * suit + face for suit in range(SUITS) for face in (2, 4, 6, 8, *SPECIAL)}
CARD_WORD = {code: word for word, code in CARD_CODE.items()}


def read_deal(s: State, data: Any, options: dict[str, Any]) -> None:
    """Fill the decks from a record's deal; ValueError says what is wrong with it."""
    places = [str(LOWEST + d) for d in range(DECKS)]
    decks = one_of_each(data, "decks")["decks"]
    if not isinstance(decks, dict) or sorted(decks) != places:
        raise ValueError('deal.decks must be an object with the places "2" to "7"')
    codes: list[int] = []
    for place in places:
        deck = decks[place]
        if not isinstance(deck, list) or len(deck) != HEIGHT:
            raise ValueError(f"deal.decks[{place!r}] must be a list of {HEIGHT} cards, top first (S2.1)")
        for card in deck:
            if not isinstance(card, str) or card not in CARD_CODE:
                raise ValueError(f"deal.decks[{place!r}] has no such card: {card!r}")
        codes += [CARD_CODE[card] for card in reversed(deck)]
    faces = (*options["sock_values"], *SPECIALS)
    wrong = Counter(codes) - Counter(16 * suit + face for suit in range(SUITS) for face in faces)
    if wrong:
        raise ValueError(f"the deal has too many of {card_word(min(wrong))} (S1.1, S1.2)")
    s.deck = np.reshape(codes, (DECKS, HEIGHT))
    s.basket = OPTIONS[0].code(options["basket"])


def write_deal(s: State) -> dict[str, Any]:
    """Return the deal as it stands in a record; the decks keep the cards that were taken."""
    return {
        "decks": {str(LOWEST + d): [CARD_WORD[c] for c in reversed(deck)] for d, deck in enumerate(s.deck.tolist())}
    }


def deal_behind(s: State, start: State, viewer: int | None, history: History) -> dict[str, Any]:
    """Return a deal that leads to `s`, a state dealt anew, by the moves of a game that began as `start`."""
    return write_deal(s)


read = reader(STATE)
KINDS = (0, DOUBLE, CONVERSION, BAN)  # in the order of `suit_points`; 0 are the socks
CHANCES = {
    aim: {str(n): comb(DICE, n) * aim**n * (DICE - aim) ** (DICE - n) / DICE**DICE for n in range(DICE + 1)}
    for aim in range(2, 8)
}
"""How likely each number of dice is to fall, for each aim (S3.3)."""


def _suits(t: Plain, seat: int, *more: int) -> list[int]:
    """Return what each suit counts for a seat, with these cards besides those it has taken."""
    suits = [list(suit) for suit in zip(t.socks[seat], t.doubles[seat], t.conversions[seat], t.bans[seat], strict=True)]
    for card in more:
        face = card & 15
        suits[card >> 4][KINDS.index(face) if face in SPECIAL else 0] += 1 if face in SPECIAL else face
    return [_worth(*suit) for suit in suits]


@cache
def _worth(socks: int, doubles: int, conversions: int, bans: int) -> int:
    return uncompiled(suit_points)(socks, doubles, conversions, bans)


def points_of(t: Plain) -> list[int]:
    """Return the score of each seat."""
    return [sum(_suits(t, seat)) for seat in range(t.seats)]


def open_view(t: Plain) -> dict[str, Any]:
    """Return what all may know of the table, beyond what `Game.view` adds for every game."""
    seats = range(t.seats)
    columns: list[dict[str, list[str]]] = [{suit: [] for suit in SUIT} for _ in seats]
    for deck, owners, left in zip(t.deck, t.owner, t.left, strict=True):
        for card, owner in zip(deck[left:], owners[left:], strict=True):
            columns[owner][SUIT[card >> 4]].append(CARD_WORD[card])
    for column in columns:
        for cards in column.values():
            cards.sort()  # S6.3: their order means nothing
    return {
        "phase": None if t.over else PHASES[t.phase],
        "basket_holder": t.holder,
        "aim": t.aim if t.basket == AIMED and t.aim else None,
        "dice_fallen": t.fallen,
        "decks": {
            str(place): {"top": CARD_WORD[deck[left - 1]] if left else None, "left": left, "dice": dice}
            for place, (deck, left, dice) in enumerate(zip(t.deck, t.left, t.dice, strict=True), LOWEST)
        },
        "columns": columns,
        "suit_scores": [dict(zip(SUIT, _suits(t, p), strict=True)) for p in seats],
        "sock_cards": list(t.sock_cards[: t.seats]),
        "tied": bits(t.legal[0] >> WINNER) if t.phase == NAME else [],
    }


def own_view(t: Plain, seat: int | None) -> dict[str, Any]:
    """Return what only a seat may know: nothing, all see the same."""
    return {}


def _offer(t: Plain, action: int) -> Offer:
    """Say what would follow from a legal action, beyond its word."""
    me, missing = t.player, DECKS_TO_END[t.seats] - t.empty
    if action < SPLIT:
        chances = CHANCES[action - AIM]
        skip = sum(chance for dice, chance in chances.items() if not LOWEST <= int(dice) <= DICE - 1)  # S3.1
        return {"aim": action - AIM, "chances": chances, "skip": skip}
    if action == SPLIT:
        lying = [(dice, left) for dice, left in zip(t.dice, t.left, strict=True) if dice and left]
        cards = sum(min(dice, left) for dice, left in lying)  # S4.3: at most what there is
        turns = [(me + i) % t.seats for i in range(cards)]  # S4.2
        ends = sum(dice >= left for dice, left in lying) >= missing  # all dice are taken, so these decks get empty
        return {"cards": {str(p): turns.count(p) for p in range(t.seats)}, "ends": ends}
    if action == SINGLE:
        d = t.fallen - LOWEST  # S5.1
        left = t.left[d]
        cards = 1 if left == 1 else 2  # S5.2
        gets = {str(p): cards if p == me else 0 for p in range(t.seats)}
        top = t.deck[d][left - 1]
        points = sum(_suits(t, me, top)) - sum(_suits(t, me))  # of the card that is seen
        seen = {"deck": t.fallen, "card": CARD_WORD[top], "points": points}
        return {"cards": gets, **seen, "ends": left <= 2 and missing == 1}
    if action >= WINNER:
        return {"seat": action - WINNER}
    d = action - TAKE_AT - LOWEST
    card = t.deck[d][t.left[d] - 1]
    points = sum(_suits(t, me, card)) - sum(_suits(t, me))
    ends = t.left[d] == 1 and missing == 1
    return {"deck": d + LOWEST, "card": CARD_WORD[card], "suit": SUIT[card >> 4], "points": points, "ends": ends}


def offers(t: Plain) -> list[Offer]:
    """List the legal moves of the seat to move, each with what it sees would follow; dice to type in are one entry."""
    if t.phase == ROLL and t.basket == TABLE:
        return [{"word": "roll:", "type_in": True, "faces": list(range(LOWEST, LOWEST + DECKS)), "most": DICE}]
    return [{"word": WORDS[action], **_offer(t, action)} for action in bits(t.legal[0])]


def _taken(b: Plain, a: Plain, d: int) -> list[Event]:
    """Tell of the cards that the seat to move took from deck d, one after the other."""
    seat, deck, suits, taken = b.player, d + LOWEST, _suits(b, b.player), list[int]()
    events: list[Event] = []
    for i in range(b.left[d] - 1, a.left[d] - 1, -1):
        card = b.deck[d][i]
        taken.append(card)
        suit, kind = SUIT[card >> 4], SPECIAL.get(card & 15, "sock")
        fields: Event = {"card": CARD_WORD[card], "suit": suit, "kind": kind}
        events.append({"type": "card_taken", "seat": seat, "deck": deck, **fields})
        old, suits = suits, _suits(b, seat, *taken)
        if change := sum(suits) - sum(old):
            fields = {"points": suits[card >> 4], "total": sum(suits), "change": change}
            events.append({"type": "points_changed", "seat": seat, "suit": suit, **fields})
        if i:
            events.append({"type": "card_shown", "deck": deck, "card": CARD_WORD[b.deck[d][i - 1]], "left": i})
        else:
            events.append({"type": "deck_emptied", "deck": deck})
    return events


def happened(b: Plain, word: str, a: Plain) -> list[Event]:
    """Tell what a move or a roll did, in order; `a` is the state that it led to from `b`."""
    me = b.holder if b.player < 0 else b.player
    kind, _, value = word.partition(":")
    events: list[Event] = []

    def tell(what: str, **fields: Any) -> None:
        events.append({"type": what, "seat": me, **fields})

    back = [d + LOWEST for d in range(DECKS) for _ in range(b.dice[d] - a.dice[d])]  # dice that go back to the basket
    first = back
    if kind == "shake":
        tell("basket_shaken", aim=a.aim)
    elif kind == "roll":
        dice = [int(die) for die in value.split(",") if die]
        tell("dice_rolled", dice=dice)
        if a.phase != CHOOSE:
            tell("turn_skipped")  # S3.1, S5.2
            first = dice
    elif kind in ("split", "single"):
        tell("way_chosen", way=kind, deck=b.fallen if kind == "single" else None)
    elif kind == "take":
        first = [int(value)]  # and then the card, before others go back with the deck or the game
    else:
        tell("winner_named", winner=int(value))
    events += [{"type": "die_returned", "deck": deck} for deck in first]
    for d in range(DECKS):
        if a.left[d] < b.left[d]:
            events += _taken(b, a, d)
    if kind == "take":
        back.remove(first[0])
        events += [{"type": "die_returned", "deck": deck} for deck in back]
    if a.over:
        return [*events, game_over(a.winners, ENDINGS[a.ending], points_of(a))]
    if a.phase == NAME:
        events.append({"type": "winner_sought", "seat": a.holder, "tied": bits(a.legal[0] >> WINNER)})
    if a.holder != b.holder:
        events.append({"type": "round_began", "seat": a.holder})
    now = a.holder if a.player < 0 else a.player
    if now != me or a.holder != b.holder:
        events.append({"type": "turn_began", "seat": now})
    return events


def settled(b: Plain, a: Plain) -> bool:
    """Tell whether a move cannot be taken back: dice fell, a card was taken, or the game is over."""
    return bool(b.phase == ROLL or a.over or b.left != a.left)


def slip(word: str) -> str | None:
    """Say what is wrong with a word that is no move, if it looks like one."""
    kind, _, value = word.partition(":")
    if kind == "shake" and value.isdecimal():
        return "aim for 2 to 7 dice (S3.3)"
    if kind == "take" and value.isdecimal():
        return "the decks lie at the places 2 to 7 (S1.3)"
    if kind == "roll" and all(die.isdecimal() for die in value.split(",")):
        return "a roll lists at most 8 dice, ascending, with the faces 2 to 7 (S1.3)"
    return None


def why_not(s: State, word: str) -> str:
    """Say why a word of the notation is not a legal move now."""
    kind, _, value = word.partition(":")
    needs = {"shake": SHAKE, "roll": ROLL, "split": CHOOSE, "single": CHOOSE, "take": TAKE, "winner": NAME}
    if s.phase != needs[kind]:
        now = {
            SHAKE: "shake the basket (S3.1)",
            ROLL: "let the dice fall (S3.1)",
            CHOOSE: "choose split or single (S3.2)",
            TAKE: "take a card where a die lies (S4.2)",
            NAME: "name the winner (S8.2)",
        }
        return f"now it is time to {now[int(s.phase)]}"
    if kind == "split":
        return "every die shows an empty deck's number, so none can lie (S4.3)"
    if kind == "single":
        return f"{s.fallen} dice fell and deck {s.fallen} is empty (S5.2)"
    if kind == "take":
        return f"no die lies at deck {value} (S4.2)"
    return f"seat {value} is not among the tied players (S8.2)"
