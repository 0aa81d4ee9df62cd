"""Correct the bots' estimates of a chance by how games between equals ended.

The network, and the look-ahead with it, rank moves well but flatter the seat they speak for; the look-ahead also takes
the best of many. `python -m tools.calibrate` measures by how much, and writes the file that is read here.
"""

from dataclasses import dataclass
from functools import cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from tavolino.bots.knots import KNOTS
from tavolino.engine.registry import GAMES

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NETWORK, LOOK_AHEAD = "network", "look-ahead"
"""Whose estimates: the network's after looking one round ahead, as `analyse` uses it, or those of a hint."""
FILE = "weights/calibration.json"
EDGE = 1e-4


@dataclass(frozen=True)
class Calibration:
    """Log odds of winning = level + slope · (the estimated log odds).

    The level depends on the place in the turn order and on how much of the game has been played; it is linear between
    the knots.
    """

    levels: list[list[float]]
    """[place][knot]."""
    slope: float
    noise: list[list[list[float]]]
    """[place]: the covariance of the errors of its levels and of the slope."""
    length: float
    """The average number of moves in a game; longer games count as this."""
    games: int
    """How many games between equals it was fitted to."""

    def log_odds(self, words: Floats, moves: int | Ints, place: int | Ints) -> Floats:
        """Return the log odds of winning, given the estimates `words` after so many moves."""
        level = (weights_of(moves / self.length) * np.array(self.levels)[place]).sum(axis=-1)
        odds: Floats = level + self.slope * log_odds(words)
        return odds

    def chances(self, words: Floats, moves: int, place: int) -> Floats:
        """Return the chances of winning."""
        chances: Floats = 1 / (1 + np.exp(-self.log_odds(words, moves, place)))
        return chances

    def gradients(self, words: Floats, moves: int, place: int) -> Floats:
        """Return how the chances change with each level of the place and with the slope: [number, word]."""
        chances = self.chances(words, moves, place)
        level = np.repeat(weights_of(moves / self.length)[:, None], len(words), axis=1)
        gradients: Floats = np.vstack((level, log_odds(words))) * (chances * (1 - chances))
        return gradients


def log_odds(words: Floats) -> Floats:
    """Return log odds, kept finite."""
    clipped = np.clip(words, EDGE, 1 - EDGE)
    odds: Floats = np.log(clipped / (1 - clipped))
    return odds


def weights_of(part: float | Floats) -> Floats:
    """Return the weight of each knot when so much of a game has been played: [knot], or [position, knot].

    >>> weights_of(0.75).tolist(), weights_of(7.0).tolist()
    ([0.0, 0.5, 0.5], [0.0, 0.0, 1.0])
    """
    at = np.clip(part, 0.0, 1.0) * (KNOTS - 1)
    weights: Floats = np.maximum(0.0, 1 - np.abs(np.asarray(at)[..., None] - np.arange(KNOTS)))
    return weights


@cache
def _shipped(key: str) -> dict[str, dict[str, Calibration]]:
    file = GAMES[key].folder.joinpath(FILE)
    return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, Calibration]]) if file.is_file() else {}


def calibration_of(whose: str, key: str, players: int) -> Calibration:
    """Return the calibration of NETWORK or LOOK_AHEAD that ships with a game, for its default options.

    For a game that ships none, estimates stay as they are.
    """
    return _shipped(key).get(whose, {}).get(str(players)) or _as_said(players)


def _as_said(players: int) -> Calibration:
    return Calibration([[0.0] * KNOTS] * players, 1.0, [np.zeros((KNOTS + 1, KNOTS + 1)).tolist()] * players, 1.0, 0)
