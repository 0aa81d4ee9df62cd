"""Measure the styles of play: is each as strong as the level without it, and does it show? Write it into the docs.

`python -m tools.styles` measures what docs/data/styles.json does not have yet and rewrites the marked part of
docs/bots.md. Deals are mirrored: one bot in the style plays every deal in each seat, among others of its level without
a style. After a change of a style, delete its entries there. `--deals N` plays so many deals, `--only TEXT` measures
what begins with it, such as 'orma 2', `--seed N` takes other deals; `--write` measures nothing.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tavolino.bots.players import styles_of
from tavolino.bots.strategy import STYLES_BY_GAME
from tavolino.engine import kernels
from tavolino.engine.kernels import States
from tavolino.engine.registry import GAMES
from tavolino.intervals import mean_of
from tavolino.lab.playing import Lineup, dealt, play_games, read_lineup
from tools.ladder import keep, read, told

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "data" / "styles.json"
PAGE = ROOT / "docs" / "bots.md"
BEGIN, END = "<!-- styles: what follows is written by `python -m tools.styles` -->\n", "<!-- /styles -->\n"
DEALS, LARGE_DEALS, SEED, SHOWN = 3000, 800, 16, 60
"""Deals of a measurement, at tables of two and larger ones; their seed; those in which it is seen who plays what."""
ROOM = 1000
"""Moves of a game that are kept: more than any has."""
HEAD = """\
| table | style | level | won | deals | plays what it likes | without the style |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Trial:
    """A style at a level and a table."""

    key: str
    players: int
    style: str
    level: str

    @property
    def name(self) -> str:
        """What it is called in the file."""
        return f"{self.key} {self.players} {self.style} {self.level}"


def trials() -> Iterator[Trial]:
    """Yield what is measured: the levels that answer at once at tables of two, medium at larger ones."""
    for key, game in GAMES.items():
        for players in game.people.PLAYERS:
            for style in styles_of(key):
                for level in ("medium", "hard") if players == 2 else ("medium",):
                    yield Trial(key, players, style, level)


def legal_actions(states: States) -> list[int]:
    """Return the legal actions in states[0]."""
    words = [int(word) for word in states["legal"][0]]
    return [64 * at + bit for at, word in enumerate(words) for bit in range(63) if word >> bit & 1]


def tastes(trial: Trial, lineup: Lineup, game: int, actions: list[int], seed: int) -> Iterator[tuple[int, float]]:
    """Yield who played what the style likes so much, from 0 to 1, wherever it does not like all moves alike."""
    likes, number = STYLES_BY_GAME[trial.key].likes, styles_of(trial.key).index(trial.style) + 1
    states = dealt(lineup, np.uint64(seed), game)
    for action in actions:
        mover = int(states["player"][0])
        if mover >= 0:
            liked = {one: float(likes(states[0], one, number)) for one in legal_actions(states)}
            least, most = min(liked.values(), default=0.0), max(liked.values(), default=0.0)
            if most > least:
                yield mover, (liked[action] - least) / (most - least)
        kernels.apply_one(states, action)


def measure(trial: Trial, deals: int, seed: int = SEED, shown: int = SHOWN) -> dict[str, Any]:
    """Play every deal with the style in each seat; return the share won, and how often what it likes is played."""
    won = np.zeros(deals)
    with_it: list[float] = []
    without: list[float] = []
    for seat in range(trial.players):
        bots = [trial.level] * trial.players
        bots[seat] = f"{trial.level}-{trial.style}"
        lineup = read_lineup(trial.key, trial.players, {}, bots)
        played = play_games(lineup, np.uint64(seed), 0, deals, room=ROOM)
        winners = played.states["winners"]
        won += (winners >> seat & 1) / np.array([int(one).bit_count() for one in winners]) / trial.players
        for game in range(min(shown, deals)):
            actions = played.actions[game, : played.length[game]].tolist()
            for mover, taste in tastes(trial, lineup, game, actions, seed):
                (with_it if mover == seat else without).append(taste)
    found = mean_of(won, (0.0, 1.0))
    return {
        "deals": deals,
        "seed": seed,
        "won": found.value,
        "ci95": list(found.interval),
        "likes": float(np.mean(with_it)),
        "likes_without": float(np.mean(without)),
    }


def section(results: dict[str, Any]) -> str:
    """Return the part of the page that is made here."""
    text = HEAD
    for trial in trials():
        if found := results.get(trial.name):
            text += (
                f"| {GAMES[trial.key].title}, {trial.players} | `{trial.style}` | {trial.level} "
                f"| {told(found['won'], found['ci95'])} | {found['deals']} "
                f"| {100 * found['likes']:.0f} % | {100 * found['likes_without']:.0f} % |\n"
            )
    return text


def write(results: dict[str, Any], page: Path) -> None:
    """Rewrite the marked part of the page."""
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} lacks the lines {BEGIN!r} and {END!r}")
    page.write_text(before + BEGIN + section(results) + END + after)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the styles of play and write docs/bots.md.")
    parser.add_argument("--deals", type=int, metavar="N", help=f"by default {DEALS}, at larger tables {LARGE_DEALS}")
    parser.add_argument("--only", default="", metavar="TEXT", help="what begins so, such as 'orma 2'")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help="of the deals")
    parser.add_argument("--write", action="store_true", help="measure nothing")
    given = parser.parse_args()
    known = read(DATA)
    for one in trials():
        if not given.write and one.name.startswith(given.only) and one.name not in known:
            number = given.deals or (DEALS if one.players == 2 else LARGE_DEALS)
            known[one.name] = measure(one, number, given.seed)
            print(one.name, known[one.name], flush=True)
            keep(known, DATA)
    write(known, PAGE)
