"""The Game: Face to Face. Two seats, each with the cards 2 to 59, an ascending and a descending pile.

The clauses cited (`F4.4`) are those of src/tavolino/rules/face-to-face.en.md. Bit c of a mask is card c.
A pile is numbered from the mover's side: 0 my ascending, 1 my descending, 2 their ascending, 3 their descending one.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.games.jit import State, count, lowest, rule, uncompiled, wide
from tavolino.games.rng import Stream, randint, shuffle
from tavolino.games.spec import Event, History, Offer, Option, Plain, bits, game_over, one_of_each, reader

KEY, TITLE = "face-to-face", "The Game: Face to Face"
PLAYERS = (2,)
OPTIONS: tuple[Option, ...] = ()
MATCH_ADDS = "wins"  # F5.2: the scores do not decide who wins
ENDINGS = ("all 58 laid", "cannot lay two")
STREAMS = ("first", "deal/0", "deal/1")

CARDS, LOWEST, HIGHEST, HAND = 58, 2, 59, 6
MINE_UP, MINE_DOWN, THEIRS_UP, THEIRS_DOWN = range(4)
EVERY_CARD = (1 << 60) - 4  # bits 2 to 59
END = 0  # an action is 64 · pile + card; no card is 0
ALL_LAID, STUCK = range(2)
ROLLED = 1 << 40  # no action is a roll

STATE = np.dtype(
    (
        np.record,
        [
            ("legal", "i8", 4),  # bit c of entry p: card c may go on pile p now; bit END of entry 0: `end`
            ("player", "i8"),  # whose turn it is; -1 when the game is over
            ("over", "i8"),
            ("seats", "i8"),
            ("first", "i8"),
            ("winners", "i8"),  # bit s: seat s has won
            ("ending", "i8"),  # an index of ENDINGS
            ("turn_cards", "i8"),  # cards laid in this turn
            ("helped", "i8"),  # 1: one of them on the other's piles
            ("top", "i8", 4),  # seat 0 up, seat 0 down, seat 1 up, seat 1 down
            ("hand", "i8", 2),
            ("laid", "i8", 2),  # the cards a seat has laid, on whichever piles
            ("drawn", "i8", 2),  # how many cards of its deck a seat has drawn
            ("deck", "i1", (2, CARDS)),  # in drawing order
        ],
    )
)


@rule
def above(top: int) -> int:
    return EVERY_CARD & ~((2 << top) - 1)


@rule
def below(top: int) -> int:
    return EVERY_CARD & ((1 << top) - 1)


@rule
def takes(pile: int, top: int) -> int:
    """Return the cards that a pile takes when its top is `top`."""
    if pile == MINE_UP:
        return above(top) | (EVERY_CARD & ((1 << top) >> 10))  # F2.1, F2.2
    if pile == MINE_DOWN:
        return below(top) | (EVERY_CARD & ((1 << top) << 10))  # F2.1, F2.2
    if pile == THEIRS_UP:
        return below(top)  # F3.2
    return above(top)  # F3.2


@rule
def only_with_a_second(s: State) -> None:
    """Take out the first cards that leave no second one (F4.4)."""
    hand = s.hand[s.player]
    theirs = s.legal[THEIRS_UP] | s.legal[THEIRS_DOWN]
    on_up, on_down = s.legal[MINE_UP], s.legal[MINE_DOWN]
    for pile in range(4):
        if pile == MINE_UP:
            others = on_down | theirs
        elif pile == MINE_DOWN:
            others = on_up | theirs
        else:
            others = on_up | on_down  # F3.1: the second must be for me
        if count(others) >= 2:
            continue  # whichever card comes first, another one is left
        cards = s.legal[pile]
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            second = others
            if pile <= MINE_DOWN:
                second |= takes(pile, card)  # on the same pile, on top of the first
            if second & hand & ~(1 << card) == 0:
                s.legal[pile] &= ~(1 << card)


@rule
def find_moves(s: State) -> None:
    """Fill `legal` for the seat to move."""
    me = s.player
    hand = s.hand[me]
    s.legal[MINE_UP] = hand & takes(MINE_UP, s.top[2 * me])
    s.legal[MINE_DOWN] = hand & takes(MINE_DOWN, s.top[2 * me + 1])
    if s.helped:  # F3.1
        s.legal[THEIRS_UP] = 0
        s.legal[THEIRS_DOWN] = 0
    else:
        s.legal[THEIRS_UP] = hand & takes(THEIRS_UP, s.top[2 - 2 * me])
        s.legal[THEIRS_DOWN] = hand & takes(THEIRS_DOWN, s.top[3 - 2 * me])
    if s.turn_cards == 0:
        only_with_a_second(s)
    elif s.turn_cards >= 2:
        s.legal[0] |= 1 << END  # F4.1, F4.4


@rule
def can_move(s: State) -> bool:
    found: bool = s.legal[0] | s.legal[1] | s.legal[2] | s.legal[3] != 0
    return found


@rule
def finish(s: State, winner: int, ending: int) -> None:
    s.over = 1
    s.player = -1
    s.winners = 1 << winner
    s.ending = ending
    for pile in range(4):
        s.legal[pile] = 0


@rule
def draw(s: State, seat: int, n: int) -> None:
    """Draw up to n cards, as far as the deck goes (F4.2, F4.3)."""
    for _ in range(min(n, CARDS - s.drawn[seat])):
        s.hand[seat] |= 1 << wide(s.deck[seat, s.drawn[seat]])
        s.drawn[seat] += 1


@rule
def start_turn(s: State, seat: int) -> None:
    s.player = seat
    s.turn_cards = 0
    s.helped = 0
    find_moves(s)
    if not can_move(s):
        finish(s, 1 - seat, STUCK)  # F4.4, F5.3


@rule
def to_draw(cards: int, drawn: int, helped: int) -> int:
    """Return how many cards the draw at the end of such a turn brings (F4.2, F4.3), with so many in hand."""
    n: int = HAND - cards if helped else 2
    return min(n, CARDS - drawn)


@rule
def end_turn(s: State) -> None:
    me = s.player
    draw(s, me, to_draw(count(s.hand[me]), s.drawn[me], s.helped))
    start_turn(s, 1 - me)


@rule
def start(s: State, seats: int, first: int) -> None:
    """Begin to play with the decks as they lie in `deck` (F1.1, F1.2)."""
    s.seats = seats
    s.first = first
    s.over = 0
    s.winners = 0
    s.ending = -1
    for seat in range(2):
        s.top[2 * seat] = LOWEST - 1
        s.top[2 * seat + 1] = HIGHEST + 1
        s.drawn[seat] = 0
        s.hand[seat] = 0
        s.laid[seat] = 0
        draw(s, seat, HAND)
    start_turn(s, first)


@rule
def deal(s: State, seats: int, first: int, options: NDArray[np.int64], streams: Stream) -> None:
    """Shuffle and begin; `first` is a seat or -1 for a random one (F1.3)."""
    starter = randint(streams, 2)
    for seat in range(2):
        for i in range(CARDS):
            s.deck[seat, i] = i + LOWEST
        shuffle(streams[1 + seat :], s.deck[seat])
    start(s, seats, starter if first < 0 else first)


@rule
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    if action == END:
        end_turn(s)
        return
    me = s.player
    pile, card = action >> 6, action & 63
    s.top[pile ^ (2 * me)] = card
    s.hand[me] &= ~(1 << card)
    s.laid[me] |= 1 << card
    s.turn_cards += 1
    if pile >= THEIRS_UP:
        s.helped = 1
    if s.laid[me] == EVERY_CARD:
        finish(s, me, ALL_LAID)  # F5.1
    elif s.hand[me] == 0 and s.turn_cards >= 2:
        end_turn(s)  # F4.4
    else:
        find_moves(s)


@rule
def chance(s: State, streams: Stream) -> int:
    return -1  # nothing is left to chance after the deal


@rule
def scores(s: State, out: NDArray[np.int64]) -> None:
    """Write the cards each seat has laid (F5.2)."""
    for seat in range(2):
        out[seat] = count(s.laid[seat])


@rule
def redeal_seat(s: State, seat: int, hidden_hand: bool, rng: Stream) -> None:
    """Shuffle the draw pile of a seat, and its hand with it if that is hidden."""
    held = s.hand[seat]
    size = count(held)
    unseen = EVERY_CARD & ~s.laid[seat]
    known = s.laid[seat]
    i = 0
    while known:  # what was drawn before means nothing now: laid cards first, in one order for all
        s.deck[seat, i] = lowest(known)
        known &= known - 1
        i += 1
    if not hidden_hand:
        unseen &= ~held
        while held:
            s.deck[seat, i] = lowest(held)
            held &= held - 1
            i += 1
    start_at = i
    while unseen:
        s.deck[seat, i] = lowest(unseen)
        unseen &= unseen - 1
        i += 1
    shuffle(rng, s.deck[seat, start_at:])
    if hidden_hand:
        s.hand[seat] = 0
        for j in range(start_at, start_at + size):
            s.hand[seat] |= 1 << wide(s.deck[seat, j])


@rule
def is_possible(s: State) -> bool:
    """Tell whether the game would stand as it does with these hands: going on, or lost for want of two cards (F4.4)."""
    if s.over == 0:
        find_moves(s)
        return can_move(s)
    if s.ending == ALL_LAID:
        return True
    loser = 1 - lowest(s.winners)
    s.player = loser
    find_moves(s)
    stuck = not can_move(s)
    finish(s, 1 - loser, STUCK)
    return stuck


@rule
def redeal(s: State, viewer: int, rng: Stream) -> None:
    """Draw evenly from all states that look the same to `viewer` (-1: to a spectator)."""
    while True:
        for seat in range(2):
            redeal_seat(s, seat, seat != viewer, rng)
        if is_possible(s):
            return


# What follows is for people: words, deals and views, in plain Python.

WORDS = {END: "end"} | {
    64 * pile + card: f"{letter}{card}" for pile, letter in enumerate("udUD") for card in range(LOWEST, HIGHEST + 1)
}
ACTIONS = {word: action for action, word in WORDS.items()}
ROLLS: tuple[str, ...] = ()
NOTATION = "u17 or d45 (my piles), U12 or D50 (theirs), end"


def read_deal(s: State, data: Any, options: dict[str, Any]) -> None:
    """Fill `deck` from a record's deal; ValueError says what is wrong with it."""
    decks = one_of_each(data, "decks")["decks"]
    if not isinstance(decks, list) or len(decks) != 2:
        raise ValueError("deal.decks must be a list of 2 decks")
    for seat, deck in enumerate(decks):
        if (
            not isinstance(deck, list)
            or any(type(card) is not int for card in deck)
            or sorted(deck) != list(range(LOWEST, HIGHEST + 1))
        ):
            raise ValueError(f"deal.decks[{seat}] must hold each of the cards 2 to 59 once (F1.1)")
        s.deck[seat] = deck


def write_deal(s: State) -> dict[str, Any]:
    """Return the deal of a state that has just begun, as it stands in a record."""
    return {"decks": s.deck.tolist()}


def deal_behind(s: State, start: State, viewer: int | None, history: History) -> dict[str, Any]:
    """Return a deal that leads to `s`, a state dealt anew, by the moves of a game that began as `start`."""
    decks = s.deck.tolist()
    for seat, deck in enumerate(decks):
        drawn = int(s.drawn[seat])
        if seat == viewer:
            deck[:drawn] = start.deck[seat].tolist()[:drawn]
        else:  # the n-th card laid can have been the n-th drawn: at least n were drawn by then
            laid = [int(word[1:]) for mover, word in history if mover == seat and word != "end"]
            deck[: len(laid)] = laid
    return {"decks": decks}


read = reader(STATE, "deck")


def points_of(t: Plain) -> list[int]:
    """Return the score of each seat."""
    return [laid.bit_count() for laid in t.laid]


@cache
def _will_draw(cards: int, drawn: int, helped: int) -> int:
    return uncompiled(to_draw)(cards, drawn, helped)


def open_view(t: Plain) -> dict[str, Any]:
    """Return what all may know of the table, beyond what `Game.view` adds for every game."""
    up_0, down_0, up_1, down_1 = t.top
    hand_0, hand_1 = t.hand
    laid_0, laid_1 = t.laid
    return {
        "piles": [{"up": up_0, "down": down_0}, {"up": up_1, "down": down_1}],
        "hand_sizes": [hand_0.bit_count(), hand_1.bit_count()],
        "draw_piles": [CARDS - t.drawn[0], CARDS - t.drawn[1]],
        "laid": [bits(laid_0), bits(laid_1)],
        "turn": None
        if t.over
        else {
            "cards": t.turn_cards,
            "helped": bool(t.helped),
            "still_to_lay": max(0, 2 - t.turn_cards),
            "may_end": t.turn_cards >= 2,
            "will_draw": _will_draw(t.hand[t.player].bit_count(), t.drawn[t.player], t.helped),
        },
    }


def own_view(t: Plain, seat: int | None) -> dict[str, Any]:
    """Return what only a seat may know; None is a spectator."""
    return {"hand": None if seat is None else bits(t.hand[seat])}


def _pile(t: Plain, pile: int) -> tuple[str, int, bool, int, int]:
    """Return a pile's name, its owner, whether a card there is a gift, its top, and 1 if gaps count up, else -1."""
    me, gift, up = t.player, pile >= THEIRS_UP, pile in (MINE_UP, THEIRS_UP)
    return "up" if up else "down", 1 - me if gift else me, gift, t.top[pile ^ (2 * me)], 1 if up != gift else -1


def offers(t: Plain) -> list[Offer]:
    """List the legal moves of the seat to move, each with what it sees would follow.

    The gap of a card is the numbers it spends of a pile of one's own, or gives back to the other's.
    """
    found: list[Offer] = []
    if t.legal[0] >> END & 1:
        draws = _will_draw(t.hand[t.player].bit_count(), t.drawn[t.player], t.helped)
        found.append({"word": "end", "draws": draws})
    for pile, mask in enumerate(t.legal):
        if mask:
            name, of, gift, top, way = _pile(t, pile)
            found += [
                {
                    "word": WORDS[64 * pile + card],
                    "card": card,
                    "pile": name,
                    "of": of,
                    "gap": (gap := way * (card - top)),
                    "back": gap < 0,
                    "gift": gift,
                }
                for card in bits(mask)
                if card != END
            ]
    return found


def happened(b: Plain, word: str, a: Plain) -> list[Event]:
    """Tell what a move did, in order; `a` is the state that it led to from `b`."""
    me = b.player
    events: list[Event] = []
    if word != "end":
        pile, card = divmod(ACTIONS[word], 64)
        name, of, gift, top, way = _pile(b, pile)
        gap, total = way * (card - top), a.laid[me].bit_count()
        laid = {"card": card, "pile": name, "of": of, "gap": gap, "back": gap < 0, "gift": gift}
        events.append({"type": "card_laid", "seat": me, **laid, "top_before": top, "total": total})
    if count := a.drawn[me] - b.drawn[me]:
        secret = {"seat": me, "cards": a.deck[me][b.drawn[me] : a.drawn[me]]}
        events.append({"type": "cards_drawn", "seat": me, "count": count, "secret": secret})
    if a.player != me and a.ending != ALL_LAID:
        events.append({"type": "turn_ended", "seat": me})
        events.append({"type": "turn_began", "seat": 1 - me})  # F4.4: even if it is lost at once
    if a.over:
        events.append(game_over(a.winners, ENDINGS[a.ending], points_of(a)))
    return events


def settled(b: Plain, a: Plain) -> bool:
    """Tell whether a move cannot be taken back: its turn is over.

    Cards were drawn then, or it has shown whether the other can lay two (F4.4).
    """
    return bool(b.player != a.player)


def slip(word: str) -> str | None:
    """Say what is wrong with a word that is no move, if it looks like one."""
    return f"cards go from {LOWEST} to {HIGHEST} (F1.1)" if word[:1] in "udUD" and word[1:].isdecimal() else None


def why_not(s: State, word: str) -> str:
    """Say why a word of the notation is not a legal move now."""
    if word == "end":
        return f"a turn takes at least 2 cards, {s.turn_cards} laid so far (F4.1)"
    pile, card = "udUD".index(word[0]), int(word[1:])
    me = int(s.player)
    if not s.hand[me] >> card & 1:
        return f"{card} is not in your hand (F1.2)"
    top = int(s.top[pile ^ (2 * me)])
    fits = uncompiled(takes)(pile, top) >> card & 1
    if pile >= THEIRS_UP:
        if s.helped:
            return "only one card a turn may go on the opponent's piles (F3.1)"
        if not fits:
            need = f"below {top}" if pile == THEIRS_UP else f"above {top}"
            return f"a card for the opponent must improve their pile: {need}, not {card} (F3.2)"
    elif not fits:
        need = f"above {top} or exactly {top - 10}" if pile == MINE_UP else f"below {top} or exactly {top + 10}"
        return f"this pile takes a card {need}, not {card} (F2.1, F2.2)"
    return f"after {card} there no second card could be laid, and a turn takes two (F4.4)"
