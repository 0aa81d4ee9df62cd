"""The networks that ship with the games: one per number of players, made by `tavolino train`."""

from functools import cache

import numpy as np

from tavolino.bots.strategy import BY_GAME, knows
from tavolino.engine.net import Net
from tavolino.engine.registry import GAMES


@cache
def load(key: str, players: int) -> Net:
    """Return a game's network, an empty one if it has none; the caller must not change it."""
    file = GAMES[key].folder.joinpath("weights", f"{players}.npz")
    net: Net = np.empty(0, np.float32)
    if file.is_file():
        with file.open("rb") as opened:
            net = np.load(opened)["net"].astype(np.float32)
    net.flags.writeable = False
    return net


@cache
def has_networks(key: str) -> bool:
    """Tell whether a game ships a network for each number of players."""
    game = GAMES[key]
    files = (game.folder.joinpath("weights", f"{players}.npz") for players in game.people.PLAYERS)
    return knows(key) and all(file.is_file() for file in files)


def active(key: str) -> int:
    """Return how many features of a game can be on at once."""
    return int(BY_GAME[key].MAX_ACTIVE)
