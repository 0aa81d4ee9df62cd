"""The Game: Face to Face as people handle it: words, deals, views, offers, events and refusals, in plain Python."""

from functools import cache
from typing import Any

from tavolino.engine.contract import Event, History, Offer, Option, Plain, Refusal, View, one_of_each
from tavolino.engine.jit import uncompiled
from tavolino.engine.plain import bits
from tavolino.games.face_to_face.rules import (
    ALL_LAID,
    CARDS,
    END,
    HIGHEST,
    LOWEST,
    MINE_UP,
    THEIRS_UP,
    takes,
    to_draw,
)

TITLE = "The Game: Face to Face"
PLAYERS = (2,)
MATCH_ADDS = "wins"  # F5.2: the scores do not decide who wins
ENDINGS = ("all 58 laid", "cannot lay two")
OPTIONS: tuple[Option, ...] = ()


WORDS = {END: "end"} | {
    64 * pile + card: f"{letter}{card}" for pile, letter in enumerate("udUD") for card in range(LOWEST, HIGHEST + 1)
}
NOTATION = "u17 or d45 (my piles), U12 or D50 (theirs), end"


def read_deal(data: Any, players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Return the decks of a record's deal; ValueError says what is wrong with it."""
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
    return {"deck": decks}


def write_deal(t: Plain) -> dict[str, Any]:
    """Return the deal of a state that has just begun, as it stands in a record."""
    return {"decks": [list(deck) for deck in t.deck]}


def deal_behind(t: Plain, start: Plain, viewer: int | None, history: History) -> dict[str, Any]:
    """Return a deal that leads to `t`, a state dealt anew, by the moves of a game that began as `start`."""
    decks = [list(deck) for deck in t.deck]
    for seat, deck in enumerate(decks):
        drawn = t.drawn[seat]
        if seat == viewer:
            deck[:drawn] = start.deck[seat][:drawn]
        else:  # the n-th card laid can have been the n-th drawn: at least n were drawn by then
            laid = [int(word[1:]) for mover, word in history if mover == seat and word != "end"]
            deck[: len(laid)] = laid
    return {"decks": decks}


@cache
def _will_draw(cards: int, drawn: int, helped: int) -> int:
    return uncompiled(to_draw)(cards, drawn, helped)


def open_view(t: Plain) -> View:
    """Return what all may know of the table, beyond what `Game.view` adds for every game."""
    up_0, down_0, up_1, down_1 = t.top
    hand_0, hand_1 = t.hand
    laid_0, laid_1 = t.laid
    return {
        "piles": [{"up": up_0, "down": down_0}, {"up": up_1, "down": down_1}],
        "left": [  # numbers that a pile can still go through
            {"up": HIGHEST - up_0, "down": down_0 - LOWEST},
            {"up": HIGHEST - up_1, "down": down_1 - LOWEST},
        ],
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


def own_view(t: Plain, seat: int | None) -> View:
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
        pile, card = _read(word)
        name, of, gift, top, way = _pile(b, pile)
        gap, total = way * (card - top), a.laid[me].bit_count()
        laid = {"card": card, "pile": name, "of": of, "gap": gap, "back": gap < 0, "gift": gift}
        events.append({"type": "card_laid", "seat": me, **laid, "top_before": top, "total": total})
    if count := a.drawn[me] - b.drawn[me]:
        secret = {"seat": me, "cards": list(a.deck[me][b.drawn[me] : a.drawn[me]])}
        events.append({"type": "cards_drawn", "seat": me, "count": count, "secret": secret})
    if a.player != me and a.ending != ALL_LAID:
        events.append({"type": "turn_ended", "seat": me})
        events.append({"type": "turn_began", "seat": 1 - me})  # F4.4: even if it is lost at once
    return events


def settled(b: Plain, a: Plain) -> bool:
    """Tell whether a move cannot be taken back: its turn is over.

    Cards were drawn then, or it has shown whether the other can lay two (F4.4).
    """
    return bool(b.player != a.player)


def _read(word: str) -> tuple[int, int]:
    """Return the pile and the card of a word that lays one."""
    return "udUD".index(word[0]), int(word[1:])


def slip(word: str) -> Refusal | None:
    """Say what is wrong with a word that is no move, if it looks like one."""
    if word[:1] in "udUD" and word[1:].isdecimal():
        return Refusal(("F1.1",), "no_such_card", {"lowest": LOWEST, "highest": HIGHEST})
    return None


def why_not(t: Plain, word: str) -> Refusal:
    """Say why a word of the notation is not a legal move now."""
    if word == "end":
        return Refusal(("F4.1",), "too_few_cards", {"laid": t.turn_cards})
    pile, card = _read(word)
    if not t.hand[t.player] >> card & 1:
        return Refusal(("F1.2",), "not_in_hand", {"card": card})
    name, _, gift, top, _ = _pile(t, pile)
    fits = uncompiled(takes)(pile, top) >> card & 1
    if gift:
        if t.helped:
            return Refusal(("F3.1",), "one_gift")
        if not fits:
            return Refusal(("F3.2",), f"no_help_{name}", {"card": card, "top": top})
    elif not fits:
        back = top - 10 if pile == MINE_UP else top + 10
        return Refusal(("F2.1", "F2.2"), f"does_not_fit_{name}", {"card": card, "top": top, "back": back})
    return Refusal(("F4.4",), "no_second", {"card": card})
