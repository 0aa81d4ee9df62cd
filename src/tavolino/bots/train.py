"""The files of a training: checkpoints on the way, weights at the end."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.networks import packed, unpacked
from tavolino.engine.net import H1, W1, Net, new_net
from tavolino.engine.recipe import Recipe


@dataclass(frozen=True)
class TrainingProgress:
    """How far a training is."""

    done: int
    games: int
    error: float
    """The root mean squared error of the latest round."""


@dataclass
class Training:
    """A training on its way: what a checkpoint keeps."""

    learning: Net
    mean: Net
    """A running mean of the network that learns: the one that is kept."""
    league: NDArray[np.float32]
    """Earlier selves, the oldest first."""
    done: int = 0
    """Games played."""


def begin(made: dict[str, Any], recipe: Recipe, features: int, checkpoint: Path | None) -> Training:
    """Return a new training, or the one to go on with; ValueError if the checkpoint is of another.

    `made` says which table it is for.
    """
    start = new_net(features, recipe.seed)
    if checkpoint is None or not checkpoint.exists():
        return Training(start, start.copy(), np.empty((0, len(start)), np.float32))
    with np.load(checkpoint) as data:
        found = json.loads(str(data["made"]))
        if "rows" in data:  # the training is over
            net = unpacked(data)
            there = Training(net, net, np.empty((0, len(net)), np.float32))
        else:
            there = Training(data["learning"], data["mean"], data["league"])
        there.done = int(found["done"])
    wanted = {**made, **asdict(recipe)}
    different = [name for name, value in wanted.items() if found.get(name) != value]
    if different or len(there.mean) != len(start):
        what = ", ".join(different) or "features"
        raise ValueError(f"{checkpoint} is of another training (differs in: {what}); remove it to begin anew")
    return there


def finished(training: Training, recipe: Recipe) -> Net:
    """Return the network as its file gives it back, and with nothing of features that no game has shown."""
    start = new_net((len(training.mean) - W1) // H1, recipe.seed)
    net = training.mean.copy()
    rows, before, now = (one[W1:].reshape(-1, H1) for one in (net, start, training.learning))
    rows[(before == now).all(axis=1)] = 0
    return unpacked(packed(net))


def save(path: Path, training: Training, made: dict[str, Any], recipe: Recipe) -> None:
    """Write how far a training is, or at its end the network; whole or not at all."""
    arrays: dict[str, Any] = {"made": np.array(json.dumps({**made, "done": training.done, **asdict(recipe)}))}
    if training.done < recipe.games:
        arrays |= {"mean": training.mean, "learning": training.learning, "league": training.league}
    else:
        arrays |= packed(training.mean)
    part = path.with_name(path.name + ".part")
    write = (
        np.savez_compressed if training.done == recipe.games else np.savez
    )  # a checkpoint soon makes room for another
    with part.open("wb") as file:
        write(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
