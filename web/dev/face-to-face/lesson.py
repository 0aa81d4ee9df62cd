"""The first lesson: its scenes, and what is said and played in them (`tools/lessons.py` says how to read it)."""

import json
from pathlib import Path
from typing import Any


def whole_deck(first: list[int]) -> list[int]:
    """Return the cards of one player, beginning with these."""
    return first + [card for card in range(2, 60) if card not in first]


def tries(view: dict[str, Any]) -> list[str]:
    """Return each card of the hand on each pile, and the end of the turn."""
    return [f"{pile}{card}" for card in view["hand"] for pile in "udUD"] + ["end"]


PILES = {"decks": [whole_deck([4, 14, 24, 36, 55, 58, 33, 47]), whole_deck([8, 50, 30, 41, 20, 52, 17, 45])]}
BY_STEPS = [
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
]
GIFTS = {"decks": [whole_deck([6, 9, 12, 30, 40, 52, 25, 45]), whole_deck([20, 51, 35, 44, 10, 57, 33, 15])]}
BEFORE_GIFTS = ["d30", "u6", "end", "u20", "d51", "end"]
KINDLY = [
    ("tenDown", "d40"),
    ("help", "D52"),
    ("one", "u9"),
    ("more", "u12"),
    ("full", "end"),
    ("danger", ""),
]
END: dict[str, Any] = json.loads((Path(__file__).parent / "end.json").read_text("utf-8"))
"""A game that was played by a simple rule, up to the last three cards."""
LAST = [
    ("rest", "u38"),
    ("order", "u41"),
    ("all", "d8"),
    ("bye", ""),
]
SCENES = [(PILES, [], BY_STEPS), (GIFTS, BEFORE_GIFTS, KINDLY), (END["deal"], END["moves"].split(), LAST)]
