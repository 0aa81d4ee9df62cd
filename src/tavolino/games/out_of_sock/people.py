"""Out of Sock as people handle it: words, deals, views, offers, events and refusals, in plain Python."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from tavolino.engine.contract import Event, History, Offer, Option, Plain, Refusal, View, one_of_each
from tavolino.engine.jit import uncompiled
from tavolino.engine.plain import bits, choice, whole
from tavolino.games.out_of_sock.rules import (
    AIM,
    AIMED,
    BAN,
    CHOOSE,
    CONVERSION,
    DECKS,
    DECKS_TO_END,
    DICE,
    DOUBLE,
    HEIGHT,
    LOWEST,
    NAME,
    ODDS,
    PHASES,
    ROLL,
    ROLLED,
    SEATS,
    SHAKE,
    SINGLE,
    SPECIAL,
    SPECIALS,
    SPLIT,
    SUIT,
    SUITS,
    TABLE,
    TAKE,
    TAKE_AT,
    WINNER,
    suit_points,
)

TITLE = "Out of Sock"
PLAYERS = (2, 3, 4)
MATCH_ADDS = "points"
ENDINGS = ("most points", "tie: most sock cards", "tie: named by the basket holder")


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


WORDS = {AIM + n: f"shake:{n}" for n in range(2, 8)} | {SPLIT: "split", SINGLE: "single"}
WORDS |= {TAKE_AT + place: f"take:{place}" for place in range(LOWEST, LOWEST + DECKS)}
WORDS |= {WINNER + seat: f"winner:{seat}" for seat in range(SEATS)}
WORDS |= {  # what chance can bring, or people type in (S3.3)
    ROLLED + sum(1 << (4 * (face - LOWEST)) for face in dice): "roll:" + ",".join(map(str, dice))
    for n in range(DICE + 1)
    for dice in combinations_with_replacement(range(LOWEST, LOWEST + DECKS), n)
}
NOTATION = "shake:4, roll:2,3,3 (ascending), split, single, take:3, winner:1"


def card_word(card: int) -> str:
    """Name a card: `yellow:4`, `red:conversion`."""
    return f"{SUIT[card >> 4]}:{SPECIAL.get(card & 15, card & 15)}"


CARD_CODE = {card_word(16 * suit + face): 16 * suit + face for suit in range(SUITS) for face in (2, 4, 6, 8, *SPECIAL)}
CARD_WORD = {code: word for word, code in CARD_CODE.items()}


def read_deal(data: Any, players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Return the decks of a record's deal; ValueError says what is wrong with it."""
    places = [str(LOWEST + d) for d in range(DECKS)]
    given = one_of_each(data, "decks")["decks"]
    if not isinstance(given, dict) or sorted(given) != places:
        raise ValueError('deal.decks must be an object with the places "2" to "7"')
    codes: list[int] = []
    for place in places:
        deck = given[place]
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
    decks = [codes[d * HEIGHT : (d + 1) * HEIGHT] for d in range(DECKS)]
    return {"deck": decks, "basket": OPTIONS[0].code(options["basket"])}


def write_deal(t: Plain) -> dict[str, Any]:
    """Return the deal as it stands in a record; the decks keep the cards that were taken."""
    return {"decks": {str(LOWEST + d): [CARD_WORD[c] for c in reversed(deck)] for d, deck in enumerate(t.deck)}}


def deal_behind(t: Plain, start: Plain, viewer: int | None, history: History) -> dict[str, Any]:
    """Return a deal that leads to `t`, a state dealt anew, by the moves of a game that began as `start`."""
    return write_deal(t)


KINDS = (0, DOUBLE, CONVERSION, BAN)  # in the order of `suit_points`; 0 are the socks


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


def _sum(cards: list[str], points: int) -> View:
    """Say how the points of a suit come about: its socks, how often they are doubled and turned, what they count."""
    kinds = [card.partition(":")[2] for card in cards]
    socks = sorted((int(kind) for kind in kinds if kind not in SPECIAL.values()), reverse=True)
    turned = kinds.count(SPECIAL[CONVERSION])
    if SPECIAL[BAN] in kinds:
        counts = "banned"  # S7.2
    elif socks:
        counts = "minus" if points < 0 else "plus"
    else:
        counts = "nothing"
    return {"socks": socks, "doubled": kinds.count(SPECIAL[DOUBLE]), "turned": turned, "counts": counts}


def open_view(t: Plain) -> View:
    """Return what all may know of the table, beyond what `Game.view` adds for every game."""
    seats = range(t.seats)
    columns: list[dict[str, list[str]]] = [{suit: [] for suit in SUIT} for _ in seats]
    for deck, owners, left in zip(t.deck, t.owner, t.left, strict=True):
        for card, owner in zip(deck[left:], owners[left:], strict=True):
            columns[owner][SUIT[card >> 4]].append(CARD_WORD[card])
    for column in columns:
        for cards in column.values():
            cards.sort()  # S6.3: their order means nothing
    points = [dict(zip(SUIT, _suits(t, p), strict=True)) for p in seats]
    view: View = {
        "phase": None if t.over else PHASES[t.phase],
        "basket_holder": t.holder,
        "aim": t.aim if t.basket == AIMED and t.aim else None,
        "dice_fallen": t.fallen,
        "decks": {
            str(place): {"top": CARD_WORD[deck[left - 1]] if left else None, "left": left, "dice": dice}
            for place, (deck, left, dice) in enumerate(zip(t.deck, t.left, t.dice, strict=True), LOWEST)
        },
        "columns": columns,
        "suit_scores": points,
        "sock_cards": list(t.sock_cards[: t.seats]),
        "tied": bits(t.legal[0] >> WINNER) if t.phase == NAME else [],
    }
    if t.over:
        view["sums"] = [{suit: _sum(columns[p][suit], points[p][suit]) for suit in SUIT} for p in seats]
    return view


def own_view(t: Plain, seat: int | None) -> View:
    """Return what only a seat may know: nothing, all see the same."""
    return {}


def _offer(t: Plain, action: int) -> Offer:
    """Say what would follow from a legal action, beyond its word."""
    me, missing = t.player, DECKS_TO_END[t.seats] - t.empty
    if action < SPLIT:
        odds = ODDS[action - AIM]
        skip = sum(chance for dice, chance in enumerate(odds) if not LOWEST <= dice <= DICE - 1)  # S3.1
        return {"aim": action - AIM, "chances": {str(n): chance for n, chance in enumerate(odds)}, "skip": skip}
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
        return events
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


def slip(word: str) -> Refusal | None:
    """Say what is wrong with a word that is no move, if it looks like one."""
    kind, _, value = word.partition(":")
    if kind == "shake" and value.isdecimal():
        return Refusal(("S3.3",), "no_such_aim")
    if kind == "take" and value.isdecimal():
        return Refusal(("S1.3",), "no_such_deck")
    if kind == "roll" and all(die.isdecimal() for die in value.split(",")):
        return Refusal(("S1.3",), "no_such_dice")
    return None


NEEDS = {"shake": SHAKE, "roll": ROLL, "split": CHOOSE, "single": CHOOSE, "take": TAKE, "winner": NAME}
"""The phase that a move belongs to."""
WHERE = {SHAKE: "S3.1", ROLL: "S3.1", CHOOSE: "S3.2", TAKE: "S4.2", NAME: "S8.2"}
"""The clause of each phase."""


def why_not(t: Plain, word: str) -> Refusal:
    """Say why a word of the notation is not a legal move now."""
    kind, _, value = word.partition(":")
    if t.phase != NEEDS[kind]:
        return Refusal((WHERE[t.phase],), f"time_to_{PHASES[t.phase]}")
    if kind == "split":
        return Refusal(("S4.3",), "no_die_can_lie")
    if kind == "single":
        return Refusal(("S5.2",), "deck_empty", {"deck": t.fallen})
    if kind == "take":
        return Refusal(("S4.2",), "no_die_there", {"deck": int(value)})
    return Refusal(("S8.2",), "not_tied", {"seat": int(value)})
