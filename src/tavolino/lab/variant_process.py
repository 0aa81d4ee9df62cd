"""Measure one side of a comparison of rules: `python -m tavolino.lab.variant_process JSON`, used by `variants`.

It runs with `TAVOLINO_RULES`, so the game it names is played by the changed rules. It trains a network per table, then
measures the fingerprint, and prints lines of JSON: how far it is, then what was found.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from tavolino.bots.strategy import knows
from tavolino.bots.train import TrainingProgress
from tavolino.engine.recipe import Recipe
from tavolino.engine.registry import GAMES
from tavolino.lab.fingerprint import FingerprintSettings, fingerprint
from tavolino.lab.settings import LabSettings, Tell
from tavolino.lab.training import train
from tavolino.play.cores import cores
from tavolino.workers.threads import Threads

TRAINING = 0.6
"""The part of the work that training is."""
QUICK = Recipe(games=1, lam=0.85, lam_end=0.4, rate=0.008, rate_end=0.0005, guests=0.2, guests_end=0.1)
"""How a network is trained where there is little time."""


def main(asked: dict[str, Any]) -> None:
    """Train, then measure."""
    key, tables = asked["key"], asked["tables"]
    vars(GAMES[key].people)["PLAYERS"] = tuple(tables)  # a game for these tables: it has a network for each
    trains = TRAINING if knows(key) else 0.0
    if trains:
        weights = Path(asked["weights"])
        train_all(key, tables, asked["training"], asked["seed"], weights, lambda part: _say({"done": trains * part}))
    found = fingerprint(
        key,
        tables,
        asked["games"],
        asked["seed"],
        how=FingerprintSettings(expert_deals=0),
        settings=LabSettings(Threads(cores()), lambda part: _say({"done": trains + (1 - trains) * part})),
    )
    _say({"found": found})


def train_all(key: str, tables: list[int], games: int, seed: int, weights: Path, tell: Tell) -> None:
    """Train a network for each number of players by the quick recipe, into files that the bots find there."""
    weights.mkdir(parents=True, exist_ok=True)
    for i, players in enumerate(tables):

        def progress(so_far: TrainingProgress, before: int = i) -> None:
            tell((before + so_far.done / so_far.games) / len(tables))

        recipe = replace(QUICK, games=games, seed=seed)
        train(key, players, recipe, weights / f"{players}.npz", Threads(cores()), progress)


def _say(line: object) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
