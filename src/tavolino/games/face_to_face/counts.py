"""What reports count in Face to Face, besides wins."""

from tavolino.engine.contract import Event
from tavolino.engine.pieces import Counted, Opening, Pieces, Stock, Topic


def _laid(event: Event) -> list[Counted]:
    if event["type"] != "card_laid":
        return []
    what = "for the other" if event["gift"] else "ten back" if event["back"] else None
    return [] if what is None else [(event["seat"], what)]


_ENDS = tuple(f"{low} and {61 - low}" for low in range(2, 31))

PIECES = Pieces(
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
    cloth=("#F4C063", "#2B1C24"),
)


def _pair(card: int) -> str:
    return f"{min(card, 61 - card)} and {max(card, 61 - card)}"
