"""The first lesson: its scenes, and what is said and played in them (`tools/lessons.py` says how to read it)."""

import json
from collections import Counter
from pathlib import Path
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


def tries(view: dict[str, Any]) -> list[str]:
    """Return each token of the hand at each place of the table, and the three words without a place."""
    places = [f"b{b}" for b in range(len(view["blacks"]))] + [f"r{r}" for r in range(len(view["rows"]))]
    held = [colour for colour, number in view["hand"].items() if number]
    return [f"{colour}@{place}" for colour in held for place in places] + ["draw", "keep", "pass"]


ROWS = [
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
]
BEFORE_TWO = ["green@b0", "red@b0", "green@r0", "red@r1", "red@r1", "black@r1"]
TWO_ROWS = [
    ("two", "yellow@b1"),
    "yellow@r2",
    ("shut", "black@r0"),
    "red@b2",
    ("third", "blue@b0"),
    "yellow@r2",
    ("most", "yellow@r2"),
]
"""The printed example (O4.2), and on from there."""
END: dict[str, Any] = json.loads((Path(__file__).parent / "end.json").read_text("utf-8"))
"""A game that was played at random, up to the last token of a hand."""
LAST = [
    ("count", "draw"),
    ("lucky", "blue@r6"),
    "yellow@b3",
    ("finish", "violet@r9"),
    ("bye", ""),
]
SCENES = [(deal(), [], ROWS), (deal(), BEFORE_TWO, TWO_ROWS), (END["deal"], END["moves"].split(), LAST)]
