"""An opponent that does not learn with us: `value` and `expert` as they were at commit b221809.

`weights/` holds its networks in the form the loader reads: those of 32 and 16 units, filled up with zeros to today's
size, so they say what they said. New features of a game go behind the old ones, or these files must change with them.
`expert.py` is its look-ahead, frozen. `bench/strength.py` compares today's players with it.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from bench.held_out.expert import look_ahead
from tavolino.bots.networks import active, read
from tavolino.bots.players import Player, builtin
from tavolino.bots.policies import VALUE, policy_move
from tavolino.bots.position import Position, forced_move
from tavolino.bots.strategy import BY_GAME
from tavolino.engine.net import H1, W1, Net
from tavolino.play.seeds import derive

WEIGHTS = Path(__file__).parent / "weights"


@cache
def load(key: str, players: int) -> Net:
    """Return a network of the held-out opponent, with zeros for features that came later."""
    net = read(WEIGHTS / f"{key}-{players}.npz")
    missing = W1 + BY_GAME[key].N_FEATURES * H1 - len(net)
    return np.concatenate([net, np.zeros(missing, np.float32)])


def _value(position: Position) -> str:
    rng = np.array([derive(position.seed, position.key, "player")], np.uint64)
    net, features = load(position.key, position.players), active(position.key)
    return position.word(int(policy_move(position.state(), VALUE, net, features, rng)))


def _expert(position: Position) -> str:
    return look_ahead(position, load(position.key, position.players))


PLAYERS = {"held-out-value": _value, "held-out-expert": _expert}


@dataclass(frozen=True)
class HeldOut:
    """A player that does not change with Tavolino."""

    name: str

    def choose(self, position: Position) -> str:
        """Return a move for the seat to move."""
        return forced_move(position) or PLAYERS[self.name](position)

    def close(self) -> None:
        """Nothing is held."""


def find(name: str) -> Player:
    """Return one of the held-out players by name, or one that comes with Tavolino."""
    return HeldOut(name) if name in PLAYERS else builtin(name)
