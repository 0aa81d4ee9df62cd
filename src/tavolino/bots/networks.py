"""The networks that ship with the games, one per number of players, made by `tavolino train`; and their files.

A file keeps the first layer, nearly all of a network, as 8-bit numbers with one scale per feature: a quarter of the
size, at the same strength (docs/bots.md).
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tavolino.bots.strategy import BY_GAME, knows
from tavolino.engine.net import H1, W1, Net
from tavolino.engine.registry import GAMES

LARGEST = 127
TINY = np.float32(2.0**-24)  # the smallest number of 16 bits above 0


def packed(net: Net) -> dict[str, Any]:
    """Return a network as the arrays of its file."""
    rows = net[W1:].reshape(-1, H1)
    scales = np.maximum((np.abs(rows).max(axis=1) / LARGEST).astype(np.float16), np.float16(TINY))
    numbers = np.rint(rows / scales.astype(np.float32)[:, None])
    return {"rows": np.clip(numbers, -LARGEST, LARGEST).astype(np.int8), "scales": scales, "rest": net[:W1]}


def unpacked(data: Any) -> Net:
    """Return the network of a file's arrays; ValueError if they are those of another kind of network."""
    if "rows" not in data or data["rows"].shape[1:] != (H1,) or data["rest"].shape != (W1,):
        raise ValueError("this file holds no network of the kind that `tavolino train` makes")
    rows = data["rows"] * data["scales"].astype(np.float32)[:, None]
    net: Net = np.concatenate([data["rest"], rows.ravel()])
    return net


def checked(net: Net, key: str, name: str = "this network") -> Net:
    """Return a network if compiled code can use it for a game; ValueError says why not.

    Compiled code looks up features without a check: a network of another kind would crash the program.
    """
    size = W1 + BY_GAME[key].N_FEATURES * H1
    if net.dtype != np.float32 or net.ndim != 1 or not net.flags.c_contiguous:
        raise ValueError(f"{name} must be one contiguous row of float32, not {net.dtype} of shape {net.shape}")
    if len(net) != size:
        raise ValueError(
            f"{name} has {len(net):,} numbers and {key} needs {size:,}: it has other features; train it anew"
        )
    return net


def read(path: Path) -> Net:
    """Return the network of a file; the caller must not change it."""
    with path.open("rb") as file, np.load(file) as data:
        net = unpacked(data)
    net.flags.writeable = False
    return net


@cache
def load(key: str, players: int) -> Net:
    """Return a game's network, an empty one if it has none; the caller must not change it."""
    file = GAMES[key].folder.joinpath("weights", f"{players}.npz")
    if file.is_file():
        return read(file)
    empty: Net = np.empty(0, np.float32)
    empty.flags.writeable = False
    return empty


@cache
def has_networks(key: str) -> bool:
    """Tell whether a game ships a network for each number of players."""
    game = GAMES[key]
    files = (game.folder.joinpath("weights", f"{players}.npz") for players in game.people.PLAYERS)
    return knows(key) and all(file.is_file() for file in files)


def active(key: str) -> int:
    """Return how many features of a game can be on at once."""
    return int(BY_GAME[key].MAX_ACTIVE)
