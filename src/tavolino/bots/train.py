"""How a network is made, as a recipe, and the files of one: checkpoints on the way, weights at the end."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tavolino.engine.net import Net, new_net
from tavolino.engine.recipe import Recipe


@dataclass(frozen=True)
class TrainingProgress:
    """How far a training is."""

    done: int
    games: int
    error: float
    """The root mean squared error of the latest round."""


def begin(key: str, seats: int, recipe: Recipe, features: int, checkpoint: Path | None) -> tuple[Net, Net, int]:
    """Return the network that learns, its running mean and the number of games to go on from."""
    if checkpoint is not None and checkpoint.exists():
        net, mean, made = _read(checkpoint)
        wanted = {"key": key, "players": seats, **asdict(recipe)}
        different = [name for name, value in wanted.items() if made.get(name) != value]
        if different or len(net) != len(new_net(features, 0)):
            what = ", ".join(different) or "features"
            raise ValueError(f"{checkpoint} is of another training (differs in: {what}); remove it to begin anew")
        return net, mean, int(made["done"])
    return new_net(features, recipe.seed), new_net(features, recipe.seed), 0


def save(path: Path, net: Net, made: dict[str, Any], learning: "Net | None" = None) -> None:
    """Write a network, how it was made and, on the way, the one that learns; whole or not at all."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        arrays: dict[str, Any] = {"net": net.astype(np.float32), "made": np.array(json.dumps(made))}
        if learning is not None:
            arrays["learning"] = learning
        np.savez_compressed(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _read(path: Path) -> tuple[Net, Net, dict[str, Any]]:
    """Return the network that learns, its running mean and how they were made."""
    with np.load(path) as data:
        net = data["net"]
        learning = data["learning"] if "learning" in data else net.copy()
        return learning, net, json.loads(str(data["made"]))
