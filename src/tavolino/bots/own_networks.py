"""A network that `tavolino train` has written, as a player: `mine.npz`, wherever a bot's name is.

It plays as the bot `value` does with the network that ships. It needs the game's own features, so it has no place in
compiled batches of games.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from tavolino.bots.position import Position, forced_move
from tavolino.engine.net import Net
from tavolino.play.seeds import derive


@dataclass(frozen=True)
class NetworkPlayer:
    """A player that follows the network of a file."""

    name: str

    def choose(self, position: Position) -> str:
        """Return the move that the network likes best for the seat to move."""
        from tavolino.bots.networks import active
        from tavolino.bots.policies import VALUE, policy_move

        if (word := forced_move(position)) is not None:
            return word
        net = network_of(self.name, position.key)
        rng = np.array([derive(position.seed, position.key, "player")], np.uint64)
        return position.word(int(policy_move(position.state(), VALUE, net, active(position.key), rng)))

    def close(self) -> None:
        """Nothing is held."""


@lru_cache(maxsize=32)
def game_of_network(path: Path, stamp: float) -> str | None:
    """Return the key of the game that a file's network is for; None if it holds none. `stamp`: when it was changed."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            return str(json.loads(str(kept["made"]))["key"]) if "rows" in kept and "made" in kept else None
    except (KeyError, ValueError, EOFError, OSError):
        return None


def network_of(name: str, key: str) -> Net:
    """Return the network of a file for a game; ValueError says what is wrong with it."""
    path = Path(name).expanduser()
    return _read(path, path.stat().st_mtime, key)


@lru_cache(maxsize=32)
def _read(path: Path, stamp: float, key: str) -> Net:
    from tavolino.bots.networks import checked, read

    trained_for = game_of_network(path, stamp)
    if trained_for != key:
        raise ValueError(f"{path.name} is a network for {trained_for}, not for {key}")
    return checked(read(path), key, path.name)
