"""Write the client's first lessons, played on the real rules: `python -m tools.lessons [--check]`.

A lesson is a short game with a chosen deal: what is shown, all legal moves and the one to make, what came of it. The
page draws with the real board and knows no rule; if a rule, a view or an offer changes, `make check` fails until this
runs again. `tests/test_lessons.py` holds each sentence to the position it is said in.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tavolino.play.game import Game
from tavolino.play.records import replay
from tavolino.play.telling import events_for

FOLDER = Path(__file__).parent.parent / "web" / "src" / "lessons"
YOU = 0
COLOURS = ("green", "red", "yellow", "blue", "violet", "black")

Script = list[tuple[str, str] | str]
"""(text, word): you play it, as the text asks; (text, ""): just read; a bare word: played for you or by the other."""


def whole_deck(first: list[int]) -> list[int]:
    """Return the cards of one player of Face to Face, beginning with these."""
    return first + [card for card in range(2, 60) if card not in first]


def tokens(**counts: int) -> list[str]:
    return [colour for colour in COLOURS for _ in range(counts.get(colour, 0))]


def orma_deal() -> dict[str, Any]:
    mine = tokens(black=3, green=5, red=2, yellow=3, blue=4, violet=2)
    theirs = tokens(black=2, green=4, red=5, yellow=3, blue=2, violet=3)
    left = Counter(dict.fromkeys(COLOURS, 12)) - Counter(mine) - Counter(theirs) - Counter(["black"])
    first = ["blue", "yellow"]
    stack = first + tokens(**(left - Counter(first)))
    return {"hands": [mine, theirs], "stack": stack}


def sock_deal() -> dict[str, Any]:
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


LESSONS: dict[str, tuple[dict[str, Any], Script]] = {
    "face-to-face": (
        {"decks": [whole_deck([4, 14, 24, 36, 55, 58, 33, 47]), whole_deck([8, 50, 30, 41, 20, 52, 17, 45])]},
        [
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
        ],
    ),
    "orma": (
        orma_deal(),
        [
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
        ],
    ),
    "out-of-sock": (
        sock_deal(),
        [
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
        ],
    ),
}


class Step(NamedTuple):
    """A step of a lesson."""

    text: str
    """What is said: the key of a text of the page."""
    want: str
    """The move to make; empty if there is something to read only."""
    game: Game
    """As it is then."""
    frames: list[dict[str, Any]]
    """What is shown since the step before."""


def walk(key: str) -> Iterator[Step]:
    """Play a lesson, and stop at each step."""
    deal, script = LESSONS[key]
    record = {
        "format": "tavolino/1",
        "game": key,
        "seats": 2,
        "options": {},
        "first": YOU,
        "deal": deal,
        "moves": [],
        "scores": None,
        "winners": None,
    }
    game = replay(record)
    frames: list[dict[str, Any]] = [{"view": game.view(YOU), "events": []}]
    for item in script:
        text, word = ("", item) if isinstance(item, str) else item
        if text:
            if word and (game.to_move != YOU or word not in game.legal_moves):
                raise SystemExit(f"{key}: {word} is not yours to play at step {text}")
            yield Step(text, word, game.copy(), frames)
            frames = []
        if word:
            mover = game.to_move
            events = game.tell(word)
            frames.append({"view": game.view(YOU), "events": events_for(events, YOU), "word": word, "seat": mover})


def would(game: Game, word: str) -> list[dict[str, Any]]:
    """Return what a move would do, if that does not hang on what you cannot know."""
    tries = [game, *(game.redeal(YOU, seed) for seed in range(5))]
    found = [
        [event for event in events_for(one.after(word)[2], None) if event["type"] != "card_shown"] for one in tries
    ]
    return found[0] if all(events == found[0] for events in found) else []


def lesson(key: str) -> dict[str, Any]:
    """Return a lesson: steps with what is shown in turn, all legal moves, and the one that is wanted at last."""
    steps = []
    for step in walk(key):
        offers = step.game.offers if step.game.to_move == YOU else []
        others = [offer["word"] for offer in offers if offer["word"] != step.want]
        steps.append(
            {
                "text": step.text,
                "want": step.want,
                "frames": step.frames,
                "legal": offers,
                "would": {word: would(step.game, word) for word in others} if step.want else {},
            }
        )
    return {"game": key, "steps": steps}


def main() -> None:
    """Write the lessons, or with --check say whether they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a file differs")
    check = parser.parse_args().check
    for key in LESSONS:
        path, text = FOLDER / f"{key}.json", json.dumps(lesson(key), ensure_ascii=False, separators=(",", ":")) + "\n"
        if not check:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} is not what the rules say now; write it anew: python -m tools.lessons")


if __name__ == "__main__":
    main()
