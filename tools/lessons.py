"""Write the client's first lessons, played on the real rules: `python -m tools.lessons [--check]`.

A lesson is a row of scenes, each with a chosen deal and perhaps some moves that were played before: what is shown, all
legal moves and the one to make, what each other one would do, and why the rest is not allowed. The page draws with the
real board and knows no rule; if a rule, a view or an offer changes, `make check` fails until this runs again.
`tests/test_lessons.py` holds each sentence to the position it is said in.
"""

import argparse
import json
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tavolino.play.game import Game, IllegalMove
from tavolino.play.records import replay
from tavolino.play.telling import events_for

WEB = Path(__file__).parent.parent / "web"
SCRIPTS = WEB / "dev"
YOU = 0

Script = list[tuple[str, str] | str]
"""(text, word): you play it, as the text asks; (text, ""): just read; a bare word: played for you or by the other."""


class Lesson(NamedTuple):
    """What a game's folder says of its lesson."""

    scenes: list[tuple[dict[str, Any], list[str], Script]]
    """For each scene its deal, the moves before it, and what is said and played in it."""
    tries: Callable[[dict[str, Any]], list[str]]
    """All that one may try with the board in a view, allowed or not."""


LESSONS: dict[str, Lesson] = {
    path.parent.name: Lesson(found["SCENES"], found["tries"])
    for path in sorted(SCRIPTS.glob("*/lesson.py"))
    for found in [runpy.run_path(str(path))]
}
"""The lesson of each game that has one in its folder."""


def lesson_of(key: str) -> Path:
    """Return where the page has the lesson of a game."""
    return WEB / "src" / "games" / key / "lesson.json"


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
    scene: int


def walk(key: str) -> Iterator[Step]:
    """Play a lesson, and stop at each step."""
    for scene, (deal, before, script) in enumerate(LESSONS[key].scenes):
        record = {
            "format": "tavolino/1",
            "game": key,
            "seats": 2,
            "options": {},
            "first": YOU,
            "deal": deal,
            "moves": before,
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
                yield Step(text, word, game.copy(), frames, scene)
                frames = []
            if word:
                mover = game.to_move
                events = game.tell(word)
                frames.append({"view": game.view(YOU), "events": events_for(events, YOU), "word": word, "seat": mover})


def would(game: Game, word: str) -> dict[str, Any]:
    """Return what a move would do, if that does not hang on what you cannot know, and who would have won by it."""
    tries = [game, *(game.redeal(YOU, seed) for seed in range(5))]
    after = [one.after(word) for one in tries]
    found = [[event for event in events_for(events, None) if event["type"] != "card_shown"] for _, _, events in after]
    winners = [one.winners if one.over else None for one, _, _ in after]
    return {
        "events": found[0] if all(events == found[0] for events in found) else [],
        "winners": winners[0] if all(won == winners[0] for won in winners) else None,
    }


def refused(game: Game, tries: list[str]) -> dict[str, dict[str, Any]]:
    """Return why each of the tries that are not legal is refused, as the server would tell it."""
    found = {}
    for word in tries:
        try:
            game.after(word)
        except IllegalMove as no:
            if no.refusal is not None:
                clauses, why, values = no.refusal
                found[word] = {"clauses": ", ".join(clauses), "why": why, "values": dict(values)}
    return found


def lesson(key: str) -> dict[str, Any]:
    """Return a lesson: steps with what is shown in turn, all legal moves, and the one that is wanted at last."""
    steps = []
    for step in walk(key):
        offers = step.game.offers if step.game.to_move == YOU else []
        others = [offer["word"] for offer in offers if offer["word"] != step.want]
        steps.append(
            {
                "scene": step.scene,
                "text": step.text,
                "want": step.want,
                "frames": step.frames,
                "legal": offers,
                "would": {word: would(step.game, word) for word in others} if step.want else {},
                "refused": refused(step.game, LESSONS[key].tries(step.game.view(YOU))) if step.want else {},
            }
        )
    return {"game": key, "steps": steps}


def main() -> None:
    """Write the lessons, or with --check say whether they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a file differs")
    check = parser.parse_args().check
    for key in LESSONS:
        path, text = lesson_of(key), json.dumps(lesson(key), ensure_ascii=False, separators=(",", ":")) + "\n"
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"the lesson of {key} is not what the rules say now; write it anew: python -m tools.lessons")


if __name__ == "__main__":
    main()
