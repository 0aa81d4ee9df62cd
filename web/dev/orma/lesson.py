"""The first lesson: its deal, and what is said and played (`tools/lessons.py` says how to read it)."""

from collections import Counter
from typing import Any

COLOURS = ("green", "red", "yellow", "blue", "violet", "black")


def tokens(**counts: int) -> list[str]:
    return [colour for colour in COLOURS for _ in range(counts.get(colour, 0))]


def deal() -> dict[str, Any]:
    mine = tokens(black=3, green=5, red=2, yellow=3, blue=4, violet=2)
    theirs = tokens(black=2, green=4, red=5, yellow=3, blue=2, violet=3)
    left = Counter(dict.fromkeys(COLOURS, 12)) - Counter(mine) - Counter(theirs) - Counter(["black"])
    first = ["blue", "yellow"]
    stack = first + tokens(**(left - Counter(first)))
    return {"hands": [mine, theirs], "stack": stack}


DEAL = deal()
SCRIPT = [
    ("hello", ""),
    ("start", "green@b0"),
    "green@r0",
    ("add", "green@r0"),
    "red@b0",
    ("close", "black@r0"),
    "red@r1",
    ("grow", "blue@b1"),
    "red@r1",
    ("draw", "draw"),
    ("drawn", "blue@r2"),
    ("bye", ""),
]
