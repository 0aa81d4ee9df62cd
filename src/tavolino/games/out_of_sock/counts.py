"""What reports count in Out of Sock, besides wins."""

from tavolino.engine.contract import Event
from tavolino.engine.pieces import Pieces, Stock, Topic


def _card(event: Event) -> str:
    return f"{event['card'].partition(':')[2]} socks" if event["kind"] == "sock" else str(event["kind"])


def _sock_name(card: str) -> str:
    face = card.partition(":")[2]
    return f"{face} socks" if face.isdecimal() else face


SOCK_CARDS = ("2 socks", "4 socks", "6 socks", "8 socks", "double", "conversion", "ban")

PIECES = Pieces(
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
    cloth=("#CDE6E8", "#14303A"),
)
