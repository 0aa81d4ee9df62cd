"""The first lesson: its deal, and what is said and played (`tools/lessons.py` says how to read it)."""

from collections import Counter
from typing import Any


def deal() -> dict[str, Any]:
    tops = {
        "2": ["blue:6", "orange:4", "pink:double"],
        "3": ["yellow:8", "red:4", "green:ban"],
        "4": ["pink:conversion", "green:6"],
        "5": ["yellow:double", "blue:4"],
        "6": ["red:8", "pink:2"],
        "7": ["green:conversion", "orange:8"],
    }
    kinds = ["conversion"] * 3 + ["double"] * 2 + ["ban", "2", "2", "4", "4", "6", "8"]
    suits = ("yellow", "green", "pink", "red", "orange", "blue")
    rest = Counter(f"{suit}:{kind}" for suit in suits for kind in kinds)
    rest -= Counter(card for deck in tops.values() for card in deck)
    left = sorted(rest.elements(), key=lambda card: (card.partition(":")[2], card))
    decks = {}
    for place, deck in tops.items():
        need = 12 - len(deck)
        decks[place], left = deck + left[:need], left[need:]
    return {"decks": decks}


DEAL = deal()
SCRIPT = [
    ("hello", ""),
    ("shake", "shake:4"),
    "roll:2,3,5,6",
    ("split", "split"),
    ("take", "take:3"),
    "take:6",
    ("double", "take:5"),
    "take:2",
    ("marks", ""),
    "shake:3",
    "roll:4,7",
    "split",
    "take:4",
    ("forced", "take:7"),
    ("again", "shake:2"),
    "roll:5,5",
    ("single", "single"),
    ("bye", ""),
]
