"""The networks that ship with the package: one a game and number of players, made by `tavolino train`."""

from functools import cache
from importlib.resources import files

import numpy as np

from tavolino.bots.net import Net
from tavolino.bots.wisdom import BY_GAME


@cache
def load(key: str, players: int) -> Net:
    """Return a game's network; the caller must not change it."""
    with files("tavolino.bots").joinpath("weights", f"{key}-{players}.npz").open("rb") as file:
        net: Net = np.load(file)["net"].astype(np.float32)
    net.flags.writeable = False
    return net


def active(key: str) -> int:
    """Return how many features of a game can be on at once."""
    return int(BY_GAME[key].MAX_ACTIVE)
