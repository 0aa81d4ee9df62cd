"""What the network's word is worth: it ranks moves well, yet need not say how often a seat wins. Games tell."""

from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.lookahead import weigh, worth_later
from tavolino.bots.net import WORK
from tavolino.bots.networks import active, load
from tavolino.bots.wisdom import MAX_CHOICES
from tavolino.games import kernels
from tavolino.play.seeds import Seed, derive
from tavolino.study.estimates import Floats
from tavolino.study.playing import dealt, make_setup, play_games

GAMES, ROOM, EVERY = 200, 1024, 3
EDGE = 1e-4


@dataclass(frozen=True)
class Calibration:
    """Odds of winning = e^shift · (the network's odds)^slope."""

    shift: float
    slope: float
    games: int
    """Games of the bot against itself that it was fitted to."""

    def chance(self, word: float) -> float:
        """Return the chance to win where the network says `word`.

        >>> Calibration(0.0, 1.0, 0).chance(0.3)
        0.3
        """
        word = min(1 - EDGE, max(EDGE, word))
        if self.shift == 0 and self.slope == 1:
            return word
        return 1 / (1 + exp(-self.shift - self.slope * log(word / (1 - word))))


def calibrated(game: str, players: int, options: dict[str, Any], seed: Seed, games: int = GAMES) -> Calibration:
    """Fit the network's word to how games against itself ended.

    The slope comes from its word at every decision, by logistic regression. The shift makes the chances right on
    average as `analyse` makes them: after one more round. Games count alike, however long they are.
    """
    setup = make_setup(game, players, options, ["value"])
    base = np.uint64(derive(seed, game, "analyse/calibration"))
    batch = play_games(setup, base, 0, games, room=ROOM)
    ahead = Ahead(game, players)
    luck = np.random.default_rng(int(base))
    words: list[tuple[float, float, float]] = []  # (what the network says, what came of it, weight)
    later: list[tuple[float, float, float]] = []  # the same a round later, for any seat
    settled = 0.0  # of those that were over by then: chance less result
    for i in range(games):
        states = dealt(setup, base, i)
        shares = batch.shares[i]
        length = min(int(batch.length[i]), ROOM)
        for step in range(length):
            mover = int(states["player"][0])
            if mover >= 0 and states["legal"][0].any():
                words.append((ahead.word(states), float(shares[mover]), 1 / length))
            if step % EVERY == 0:
                seat = int(luck.integers(players))
                worth, over = ahead.worth(states, seat, luck.integers(0, 1 << 63, 1 + kernels.MAX_SEATS, np.uint64))
                if over:
                    settled += (worth - float(shares[seat])) / length
                else:
                    later.append((worth, float(shares[seat]), 1 / length))
            kernels.apply_one(states, int(batch.actions[i, step]))
    _, slope = logistic(*np.array(words).T)
    worths, won, weights = np.array(later).T
    return Calibration(balanced(worths, won, weights, slope, settled), slope, games)


class Ahead:
    """Asks the network, at once or after a round; holds the room that takes. One a thread."""

    def __init__(self, game: str, players: int) -> None:
        self._net, features = load(game, players), active(game)
        self._features = features
        self._work, self._on = np.empty(WORK, np.float32), np.empty(features, np.int32)
        self._actions, self._values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)

    def word(self, states: kernels.States) -> float:
        """Return what the network says of its favourite move in states[0]."""
        n = weigh(states, self._net, self._features, self._actions, self._values)
        return float(self._values[:n].max())

    def worth(
        self, states: kernels.States, seat: int, streams: NDArray[np.uint64], action: int | None = None
    ) -> tuple[float, bool]:
        """Return what the network says for a seat a round later in one world, or the result; and whether it is that.

        The world comes from streams[0], the dice from the others. The seat itself may begin with an action.
        """
        scratch: NDArray[Any] = np.frombuffer(bytearray(states.tobytes()), states.dtype)
        own = streams.copy()
        kernels.redeal_one(scratch, seat, own[:1])
        if action is not None:
            kernels.apply_one(scratch, action)
        worth = worth_later(
            scratch[0], seat, self._net, self._work, self._on, self._actions, self._values, own[1:], False
        )
        return float(worth), bool(scratch["over"][0])


def balanced(words: Floats, won: Floats, weights: Floats, slope: float, settled: float) -> float:
    """Return the shift with which the chances add up to the wins, those settled already included (bisection)."""
    clipped = np.clip(words, EDGE, 1 - EDGE)
    odds = slope * np.log(clipped / (1 - clipped))
    low, high = -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        surplus = float(weights @ (1 / (1 + np.exp(-middle - odds)) - won)) + settled
        low, high = (low, middle) if surplus > 0 else (middle, high)
    return (low + high) / 2


def logistic(words: Floats, won: Floats, weights: Floats) -> tuple[float, float]:
    """Return the shift and slope of the log odds that fit best, by Newton's method.

    >>> word = np.array([0.2, 0.8] * 50)
    >>> shift, slope = logistic(word, np.array([0.2, 0.8] * 50), np.ones(100))
    >>> round(shift, 3) + 0, round(slope, 3)
    (0.0, 1.0)
    """
    clipped = np.clip(words, EDGE, 1 - EDGE)
    design = np.column_stack((np.ones(len(words)), np.log(clipped / (1 - clipped))))
    beta = np.array([0.0, 1.0])
    prior = np.array([0.0, 1.0])  # a little weight on: the network is right
    for _ in range(50):
        chance = 1 / (1 + np.exp(-design @ beta))
        slope = design.T @ (weights * (won - chance)) - (beta - prior)
        curve = (design * (weights * chance * (1 - chance))[:, None]).T @ design + np.eye(2)
        step = np.linalg.solve(curve, slope)
        beta = beta + step
        if np.abs(step).max() < 1e-10:
            break
    return float(beta[0]), float(beta[1])
