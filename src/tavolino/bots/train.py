"""Training a network by self-play: `train` makes the weights that ship, the same from the same seed.

Games are played on all cores with the network as it is, then learnt from in order: the result does not depend on the
number of cores. A checkpoint after every few rounds survives a kill: the same call goes on from it.
"""

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tavolino.bots.net import Net, new_net
from tavolino.bots.selfplay import learn_all, play_and_note, room_for
from tavolino.bots.wisdom import BY_GAME
from tavolino.games import GAMES
from tavolino.play.options import codes, read_options, read_players
from tavolino.play.seeds import derive

CHUNK = 64
"""Games played between two looks at the clock; several chunks make a round."""
ROOM = CHUNK * 220
"""Positions there is room for in a chunk."""
CHECKPOINT_SECONDS = 10.0


@dataclass(frozen=True)
class Recipe:
    """How a network is made."""

    games: int
    round_games: int = 256
    """Games played with the same network before it learns from them."""
    seed: int = 1
    lam: float = 0.95
    """How much the end of the game counts against what the network thinks a turn later."""
    epsilon: float = 0.03
    """The share of random moves at the beginning; it falls to 0."""
    rate: float = 0.01
    """The learning rate at the beginning."""
    rate_end: float = 0.001
    guests: float = 0.25
    """The share of games, at the beginning, in which all seats but one are played by rules of thumb."""
    guests_end: float = 0.25
    memory: float = 0.1
    """The network that is kept is a running mean of the one that learns, over this share of the games."""


@dataclass(frozen=True)
class Progress:
    """How far a training is."""

    done: int
    games: int
    error: float
    """The root mean squared error of the latest round."""


def train(
    key: str,
    players: int,
    recipe: Recipe,
    checkpoint: Path | None = None,
    threads: int = 1,
    tell: Callable[[Progress], None] | None = None,
) -> Net:
    """Return a network trained by self-play; the same recipe gives the same one, however often it was interrupted."""
    rules, wisdom = GAMES[key], BY_GAME[key]
    seats = read_players(rules, players)
    deal_by = np.array([seats, *codes(rules, read_options(rules, seats, {}))], np.int64)
    seed = np.uint64(derive(recipe.seed, key, f"train/{players}"))
    net, mean, done = _begin(key, seats, recipe, int(wisdom.N_FEATURES), checkpoint)
    rooms = [room_for(ROOM, int(wisdom.MAX_ACTIVE)) for _ in range(-(-recipe.round_games // CHUNK))]
    saved = time.monotonic()
    error = 0.0

    def play(job: tuple[int, int, int]) -> int:
        """Play the games of one chunk into its room."""
        number, begin, end = job
        states = np.zeros(1, rules.STATE)
        on, length, target = rooms[number]
        span = np.array([begin, end], np.int64)
        way = begin / recipe.games
        guests = recipe.guests + (recipe.guests_end - recipe.guests) * way
        mixture = np.array([1024 * recipe.epsilon * (1 - way), 1024 * guests]).astype(np.int64)
        return int(play_and_note(states, net, deal_by, seed, span, mixture, recipe.lam, on, length, target))

    with ThreadPoolExecutor(threads) as pool:
        while done < recipe.games:
            end = min(done + recipe.round_games, recipe.games)
            jobs = [(i, at, min(at + CHUNK, end)) for i, at in enumerate(range(done, end, CHUNK))]
            rate = recipe.rate * (recipe.rate_end / recipe.rate) ** (done / recipe.games)
            squares, positions = 0.0, 0
            played = list(pool.map(play, jobs))  # all of them before the network changes
            for (number, _, _), noted in zip(jobs, played, strict=True):
                squares += noted * float(learn_all(net, *rooms[number], noted, rate))
                positions += noted
            error = (squares / max(positions, 1)) ** 0.5
            done = end
            mean += np.float32(min(1.0, recipe.round_games / (recipe.memory * done))) * (net - mean)
            if checkpoint is not None and (time.monotonic() - saved > CHECKPOINT_SECONDS or done == recipe.games):
                learning = net if done < recipe.games else None
                save(checkpoint, mean, {"key": key, "players": seats, "done": done, **asdict(recipe)}, learning)
                saved = time.monotonic()
            if tell is not None:
                tell(Progress(done, recipe.games, error))
    return mean


def _begin(key: str, seats: int, recipe: Recipe, features: int, checkpoint: Path | None) -> tuple[Net, Net, int]:
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


def save(path: Path, net: Net, made: dict[str, Any], learning: Net | None = None) -> None:
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
