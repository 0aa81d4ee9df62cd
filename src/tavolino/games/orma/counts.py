"""What reports count in Orma, besides wins."""

from tavolino.engine.contract import Event
from tavolino.engine.pieces import Counted, Opening, Pieces, Stock, Topic

LENGTHS = ("starts a row", "makes it 2", "makes it 3", "makes it 4", "makes it 5", "makes it 6 or more", "closes it")


def _token(event: Event) -> list[Counted]:
    if event["type"] != "token_laid":
        return []
    if event["colour"] == "black":
        return [(event["seat"], "closes it")]
    return [(event["seat"], LENGTHS[min(event["length"], 6) - 1])]


PIECES = Pieces(
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
    cloth=("#DFE6D0", "#1B2A22"),
)
