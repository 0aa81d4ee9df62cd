"""Tables set by hand: deals with chosen cards on top, moves as one line of words, and a check of refused moves.

Everything goes through the public API. A script is a line of moves with spaces between them.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import tavolino
from tavolino import Game, IllegalMove

SUITS = ("yellow", "green", "pink", "red", "orange", "blue")
SPECIALS = ("conversion", "conversion", "conversion", "double", "double", "ban")
SOCKS = (2, 2, 4, 4, 6, 8)
PLACES = range(2, 8)
COLOURS = ("green", "red", "yellow", "blue", "violet")
HANDS = {2: 19, 3: 15, 4: 11, 5: 10}  # Orma's, the black token given to each included


def begin(key: str, seats: int, deal: dict[str, Any], script: str, first: int, options: dict[str, Any]) -> Game:
    """Replay a script from a deal."""
    head = {"format": "tavolino/1", "game": key, "seats": seats, "options": options, "first": first}
    return tavolino.replay(head | {"deal": deal, "moves": script.split()})


def sock_deal(decks: Mapping[int, str], sock_values: Sequence[int] = SOCKS) -> dict[str, Any]:
    """Deal Out of Sock: the cards named lie on top of their decks, the others anywhere below."""
    box = Counter(f"{suit}:{face}" for suit in SUITS for face in (*SPECIALS, *sock_values))
    tops = {place: decks.get(place, "").split() for place in PLACES}
    box.subtract(card for cards in tops.values() for card in cards)
    assert all(n >= 0 for n in box.values()), "more cards of a kind than there are"
    rest = list(box.elements())
    return {
        "decks": {str(place): cards + [rest.pop() for _ in range(12 - len(cards))] for place, cards in tops.items()}
    }


def sock(
    script: str = "", *, seats: int = 3, first: int = 0, decks: Mapping[int, str] | None = None, **options: Any
) -> Game:
    """Play Out of Sock with real dice typed in, unless another basket is asked for."""
    deal = sock_deal(decks or {}, options.get("sock_values", SOCKS))
    return begin("out-of-sock", seats, deal, script, first, {"basket": "table"} | options)


def duel(script: str = "", *, decks: tuple[str, str] = ("", ""), first: int = 0) -> Game:
    """Play Face to Face: each deck begins with the cards named, the others follow ascending."""
    heads = [[int(card) for card in deck.split()] for deck in decks]
    full = [head + [card for card in range(2, 60) if card not in head] for head in heads]
    return begin("face-to-face", 2, {"decks": full}, script, first, {})


def tokens(text: str) -> list[str]:
    """Read tokens: `green*3 black` is three green ones and a black one."""
    found: list[str] = []
    for word in text.split():
        colour, _, number = word.partition("*")
        found += [colour] * int(number or 1)
    return found


def orma(script: str = "", *, hands: Sequence[str] = ("", ""), stack: str = "", first: int = 0, **options: Any) -> Game:
    """Play Orma, a hand for each seat: the tokens named besides the black one given; coloured ones fill it up.

    The stack begins with the tokens named and goes on with all that are left.
    """
    spare = options.get("spare_blacks", "mixed")
    blacks = 11 if spare == "mixed" else len(hands) + int(spare)
    box = Counter(dict.fromkeys(COLOURS, 12) | {"black": blacks})
    full = [["black", *tokens(hand)] for hand in hands]
    top = tokens(stack)
    for some in (*full, top):
        box.subtract(some)
    assert all(n >= 0 for n in box.values()), "more tokens of a colour than there are"
    for hand in full:
        for _ in range(HANDS[len(hands)] - len(hand)):
            colour = max(COLOURS, key=lambda colour: box[colour])
            box[colour] -= 1
            hand.append(colour)
    return begin("orma", len(hands), {"hands": full, "stack": top + list(box.elements())}, script, first, options)


def idle(game: Game) -> None:
    """Play an Orma turn without laying: draw and keep, or pass."""
    if "draw" in game.legal_moves:
        play(game, "draw keep")
    else:
        game.play("pass")


def play(game: Game, script: str) -> Game:
    """Play a script, move by move."""
    for word in script.split():
        game.play(word)
    return game


def moves_of(game: Game) -> set[str]:
    """Return the legal moves, each of which must be listed once."""
    assert len(game.legal_moves) == len(set(game.legal_moves))
    return set(game.legal_moves)


def everything(game: Game) -> tuple[Any, ...]:
    """Return all that can be asked of a game: record, views, moves."""
    views = [game.view(seat) for seat in (None, *range(game.players))]
    return game.record(), views, game.legal_moves, game.movers, game.chance_due


def refused(game: Game, word: str, *clauses: str) -> str:
    """Check that a move is refused, that the message cites exactly these clauses, and that nothing has changed."""
    before = everything(game)
    assert word not in game.legal_moves
    with pytest.raises(IllegalMove) as caught:
        game.play(word)
    message = str(caught.value)
    assert re.findall(r"[SFO]\d\.\d", message) == list(clauses), message
    assert everything(game) == before
    return message
