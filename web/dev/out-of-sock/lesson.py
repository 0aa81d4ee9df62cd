"""The first lesson: its scenes, and what is said and played in them (`tools/lessons.py` says how to read it)."""

from collections import Counter
from typing import Any

KINDS = ["conversion"] * 3 + ["double"] * 2 + ["ban", "2", "2", "4", "4", "6", "8"]
SUITS = ("yellow", "green", "pink", "red", "orange", "blue")


def deal(tops: dict[str, list[str]]) -> dict[str, Any]:
    """Return six decks of which these cards lie on top."""
    rest = Counter(f"{suit}:{kind}" for suit in SUITS for kind in KINDS)
    rest -= Counter(card for deck in tops.values() for card in deck)
    left = sorted(rest.elements(), key=lambda card: (card.partition(":")[2], card))
    decks = {}
    for place, deck in tops.items():
        need = 12 - len(deck)
        decks[place], left = deck + left[:need], left[need:]
    return {"decks": decks}


def tries(view: dict[str, Any]) -> list[str]:
    """Return all that one may click: the decks, and the two ways."""
    return [f"take:{deck}" for deck in view["decks"]] + ["split", "single"]


FIRST = deal(
    {
        "2": ["blue:6", "orange:4", "pink:double"],
        "3": ["yellow:8", "red:4", "green:ban"],
        "4": ["pink:conversion", "green:6"],
        "5": ["yellow:double", "blue:4"],
        "6": ["red:8", "pink:2"],
        "7": ["green:conversion", "orange:8"],
    }
)
ROUNDS = [
    ("hello", ""),
    ("shake", "shake:4"),
    "roll:2,3,5,6",
    ("split", "split"),
    ("take", "take:3"),
    "take:6",
    ("double", "take:5"),
    "take:2",
    "shake:2",
    "roll:5",
    ("skip", ""),
    ("again", "shake:2"),
    "roll:5,5",
    ("single", "single"),
    "shake:3",
    "roll:4,7",
    "split",
    "take:4",
    ("forced", "take:7"),
    ("marks", ""),
]
MARKED = deal(
    {
        "2": ["blue:8", "yellow:4", "green:ban"],
        "3": ["blue:conversion", "pink:8"],
        "4": ["red:6", "orange:4"],
        "5": ["blue:conversion", "red:2"],
        "6": ["green:4", "pink:2"],
        "7": ["orange:2", "yellow:6"],
    }
)
BEFORE_MARKS = [
    "shake:3",
    "roll:2,3,4",
    "split",
    "take:2",
    "take:4",
    "take:3",
    "shake:3",
    "roll:2,5,6",
    "split",
    "take:6",
]
MARKS = [
    ("flip", "take:5"),
    "take:2",
    ("aim", "shake:2"),
    "roll:2,7",
    ("share", "split"),
    ("leave", "take:7"),
    "take:2",
    ("gone", ""),
]
LATE = deal(
    {
        "2": [
            *("yellow:8", "yellow:4", "green:4", "green:2", "pink:4", "pink:2"),
            *("red:4", "red:2", "orange:6", "orange:2", "blue:4", "blue:2"),
        ],
        "3": [
            *("yellow:2", "pink:6", "green:2", "red:2", "pink:4", "blue:conversion"),
            *("red:6", "blue:2", "orange:double", "red:conversion", "yellow:4", "orange:4"),
        ],
        "4": ["pink:8"],
        "5": ["blue:4"],
        "6": ["green:4"],
        "7": ["yellow:6"],
    }
)
SINGLES = [["shake:2", "roll:5,5", "single"]] * 6 + [["shake:3", "roll:4,4,6", "single"]] * 5
BEFORE_LAST = [word for single in SINGLES for word in single]
BEFORE_LAST += ["shake:3", "roll:3,5,6", "split", "take:5", "take:6", "take:3"]
LAST = [
    ("late", "shake:3"),
    "roll:4,4,6",
    ("last", "single"),
    ("bye", ""),
]
SCENES = [(FIRST, [], ROUNDS), (MARKED, BEFORE_MARKS, MARKS), (LATE, BEFORE_LAST, LAST)]
