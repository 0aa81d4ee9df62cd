"""The first lesson: its deal, and what is said and played (`tools/lessons.py` says how to read it)."""


def whole_deck(first: list[int]) -> list[int]:
    """Return the cards of one player, beginning with these."""
    return first + [card for card in range(2, 60) if card not in first]


DEAL = {"decks": [whole_deck([4, 14, 24, 36, 55, 58, 33, 47]), whole_deck([8, 50, 30, 41, 20, 52, 17, 45])]}
SCRIPT = [
    ("hello", ""),
    ("up", "u4"),
    ("down", "d58"),
    ("gap", "u24"),
    ("end", "end"),
    "u8",
    "d50",
    "end",
    ("ten", "u14"),
    ("gift", "D55"),
    ("fill", "end"),
    ("bye", ""),
]
