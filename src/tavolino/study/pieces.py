"""What each game's report counts besides wins: cards, tokens, aims. One entry a game; a game without one has none.

It is read off the events that the rules tell, never off the rules themselves.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tavolino.games.spec import Event

Counted = tuple[int, str]
"""(seat, name)."""


@dataclass(frozen=True)
class Topic:
    """Something that seats take or do in a game, counted by seat."""

    title: str
    note: str
    names: tuple[str, ...]
    find: Callable[[Event], Iterable[Counted]]


@dataclass(frozen=True)
class Stock:
    """Pieces of which some are never used."""

    title: str
    note: str
    names: tuple[str, ...]
    there: Callable[[dict[str, Any]], Iterable[str]]
    """From the deal as it stands in a record: all pieces by name."""
    used: Callable[[Event], Iterable[str]]


@dataclass(frozen=True)
class Opening:
    """What a seat is dealt at the start: given by chance alone, so a difference is an effect, not only a link."""

    title: str
    note: str
    names: tuple[str, ...]
    held: Callable[[Any], Iterable[str]]
    """From the hand as a view has it."""


@dataclass(frozen=True)
class Pieces:
    """What is counted in one game."""

    topics: tuple[Topic, ...]
    stock: Stock | None = None
    opening: Opening | None = None
    score: str = "points"
    """What a seat's score counts, in words."""


def _card(event: Event) -> str:
    return f"{event['card'].partition(':')[2]} socks" if event["kind"] == "sock" else str(event["kind"])


def _sock_name(card: str) -> str:
    face = card.partition(":")[2]
    return f"{face} socks" if face.isdecimal() else face


SOCK_CARDS = ("2 socks", "4 socks", "6 socks", "8 socks", "double", "conversion", "ban")

OUT_OF_SOCK = Pieces(
    (
        Topic(
            "Cards taken",
            "each further card of its kind that a seat took in the game, the others being equal in number",
            SOCK_CARDS,
            lambda e: [(e["seat"], _card(e))] if e["type"] == "card_taken" else (),
        ),
        Topic(
            "Aims",
            "each further shake with this aim, and each way chosen",
            (*(f"aim {n}" for n in range(2, 8)), "single"),
            lambda e: (
                [(e["seat"], f"aim {e['aim']}")]
                if e["type"] == "basket_shaken"
                else [(e["seat"], "single")]
                if e["type"] == "way_chosen" and e["way"] == "single"
                else ()
            ),
        ),
    ),
    Stock(
        "Cards never taken",
        "of the cards of each kind, the share still lying in the decks when the game ends",
        SOCK_CARDS,
        lambda deal: (_sock_name(card) for deck in deal["decks"].values() for card in deck),
        lambda e: [_card(e)] if e["type"] == "card_taken" else (),
    ),
)


def _laid(event: Event) -> list[Counted]:
    if event["type"] != "card_laid":
        return []
    what = "for the other" if event["gift"] else "ten back" if event["back"] else None
    return [] if what is None else [(event["seat"], what)]


_ENDS = tuple(f"{low} and {61 - low}" for low in range(2, 31))

FACE_TO_FACE = Pieces(
    (
        Topic(
            "Special ways to lay",
            "each further card laid ten back on one's own pile, or on the other's pile",
            ("ten back", "for the other"),
            _laid,
        ),
    ),
    Stock(
        "Cards never laid",
        "how often a card is still in the hand or the draw pile when the game ends; "
        "2 and 59 are the same card seen from the other pile, and so on",
        _ENDS,
        lambda deal: (_pair(card) for deck in deal["decks"] for card in deck),
        lambda e: [_pair(e["card"])] if e["type"] == "card_laid" else (),
    ),
    Opening(
        "Opening hand",
        "for one such card among the six dealt at the start, against none: "
        "the deal decides it, so this is what the card does for these players",
        _ENDS,
        lambda hand: (_pair(card) for card in hand),
    ),
    "cards laid",
)


def _pair(card: int) -> str:
    return f"{min(card, 61 - card)} and {max(card, 61 - card)}"


LENGTHS = ("starts a row", "makes it 2", "makes it 3", "makes it 4", "makes it 5", "makes it 6 or more", "closes it")


def _token(event: Event) -> list[Counted]:
    if event["type"] != "token_laid":
        return []
    if event["colour"] == "black":
        return [(event["seat"], "closes it")]
    return [(event["seat"], LENGTHS[min(event["length"], 6) - 1])]


ORMA = Pieces(
    (
        Topic(
            "Tokens by the length they make",
            "each further token that a seat laid so in the game, the others being equal in number",
            LENGTHS,
            _token,
        ),
        Topic(
            "Draws",
            "each further token drawn and kept, or drawn and laid at once",
            ("drawn and kept", "drawn and laid"),
            lambda e: (
                [(e["seat"], "drawn and kept")]
                if e["type"] == "token_kept"
                else [(e["seat"], "drawn and laid")]
                if e["type"] == "token_laid" and e["drawn"]
                else ()
            ),
        ),
    ),
    Stock(
        "Tokens never laid",
        "of the tokens in the game, the share still in the stack or in hands when it ends",
        ("black", "coloured"),
        lambda deal: (
            "black" if token == "black" else "coloured" for part in (*deal["hands"], deal["stack"]) for token in part
        ),
        lambda e: ["black" if e["colour"] == "black" else "coloured"] if e["type"] == "token_laid" else (),
    ),
    Opening(
        "Opening hand",
        "for a hand with so many black tokens or colours, against all other hands: "
        "the deal decides it, so this is what the hand does for these players",
        ("1 black", "2 blacks", "3 blacks or more", "4 colours or fewer", "5 colours"),
        lambda hand: (
            ("1 black", "2 blacks", "3 blacks or more")[min(hand["black"], 3) - 1],
            "5 colours" if sum(n > 0 for c, n in hand.items() if c != "black") == 5 else "4 colours or fewer",
        ),
    ),
)

BY_GAME: dict[str, Pieces] = {"out-of-sock": OUT_OF_SOCK, "face-to-face": FACE_TO_FACE, "orma": ORMA}


def pieces_of(key: str) -> Pieces:
    """Return what is counted in a game."""
    return BY_GAME.get(key, Pieces(()))
