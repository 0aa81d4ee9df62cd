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
from tavolino.lab.fingerprint import FingerprintSettings, fingerprint
from tavolino.lab.settings import LabSettings
from tavolino.lab.training import train
from tavolino.play.cores import cores
from tavolino.workers.threads import Threads

TRAINING = 0.6
"""The part of the work that training is."""
QUICK = Recipe(games=1, lam=0.85, lam_end=0.4, rate=0.008, rate_end=0.0005, guests=0.2, guests_end=0.1)
"""How a network is trained where there is little time."""


def main(asked: dict[str, Any]) -> None:
    """Train, then measure."""
    key, tables, weights = asked["key"], asked["tables"], Path(asked["weights"])
    workers = Threads(cores())
    if knows(key):
        weights.mkdir(parents=True, exist_ok=True)
        for i, players in enumerate(tables):

            def tell(so_far: TrainingProgress, before: int = i) -> None:
                _say({"done": TRAINING * (before + so_far.done / so_far.games) / len(tables)})

            recipe = replace(QUICK, games=asked["training"], seed=asked["seed"])
            train(key, players, recipe, weights / f"{players}.npz", workers, tell)
    found = fingerprint(
        key,
        tables,
        asked["games"],
        asked["seed"],
        how=FingerprintSettings(expert_deals=0),
        settings=LabSettings(workers, lambda part: _say({"done": TRAINING + (1 - TRAINING) * part})),
    )
    _say({"found": found})


def _say(line: object) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
