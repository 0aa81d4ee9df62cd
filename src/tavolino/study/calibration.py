"""What the network's word is worth: it ranks moves well, yet need not say how often a seat wins. Games tell."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.lookahead import weigh, worth_later
from tavolino.bots.net import WORK
from tavolino.bots.networks import active, load
from tavolino.bots.wisdom import MAX_CHOICES, MAX_PLAN
from tavolino.games import kernels
from tavolino.play.seeds import Seed, derive
from tavolino.study.estimates import Floats
from tavolino.study.playing import dealt, make_setup, play_games

FEWEST_GAMES, MOST_GAMES = 20, 200
"""Games to fit to, as many as there are tries."""
ROOM, EVERY = 1024, 3
EDGE, TRACE = 1e-4, 1e-2
A_TURN = np.array([0, 1, 0])
"""How to look ahead: all by the network, until the seat decides again."""


@dataclass(frozen=True)
class Calibration:
    """Log odds of winning = shift + drift · (part of the game played) + slope · (the network's log odds)."""

    shift: float
    slope: float
    drift: float
    length: float
    """Moves of a game on average; what is longer counts as this."""
    games: int
    """Games of the bot against itself that it was fitted to."""

    def chances(self, words: Floats, moves: int) -> Floats:
        """Return the chances to win where the network says `words` after so many moves."""
        part = min(1.0, moves / self.length)
        chances: Floats = 1 / (1 + np.exp(-self.shift - self.drift * part - self.slope * log_odds(words)))
        return chances


def log_odds(words: Floats) -> Floats:
    """Return log odds, kept finite."""
    clipped = np.clip(words, EDGE, 1 - EDGE)
    odds: Floats = np.log(clipped / (1 - clipped))
    return odds


def calibrated(game: str, players: int, options: dict[str, Any], seed: Seed, games: int) -> Calibration:
    """Fit the network's word to how games against itself ended.

    The slope comes from its word at every decision, by logistic regression. Shift and drift make the chances right on
    average, early and late, as `analyse` makes them: after one more round. Games count alike, however long they are.
    """
    setup = make_setup(game, players, options, ["value"])
    base = np.uint64(derive(seed, game, "analyse/calibration"))
    batch = play_games(setup, base, 0, games, room=ROOM)
    ahead = Ahead(game, players)
    luck = np.random.default_rng(int(base))
    mean = float(batch.length.mean())
    now: list[tuple[float, float, float, float]] = []  # (the network's word, part played, what came of it, weight)
    later: list[tuple[float, float, float, float]] = []  # the same a round later, for any seat
    for i in range(games):
        states = dealt(setup, base, i)
        shares = batch.shares[i]
        length = min(int(batch.length[i]), ROOM)
        for step in range(length):
            mover, part = int(states["player"][0]), min(1.0, step / mean)
            if mover >= 0 and states["legal"][0].any():
                now.append((ahead.word(states), part, float(shares[mover]), 1 / length))
            if step % EVERY == 0:
                seat = int(luck.integers(players))
                worth, over = ahead.worth(states, seat, luck.integers(0, 1 << 63, 1 + kernels.MAX_SEATS, np.uint64))
                if not over:
                    later.append((worth, part, float(shares[seat]), 1 / length))
            kernels.apply_one(states, int(batch.actions[i, step]))
    words, parts, won, weights = np.array(now).T
    slope = logistic(np.column_stack((log_odds(words), parts)), np.zeros(len(words)), won, weights)[1]
    words, parts, won, weights = np.array(later).T
    shift, drift = logistic(parts[:, None], slope * log_odds(words), won, weights)
    return Calibration(shift, slope, drift, mean, games)


class Ahead:
    """Asks the network, at once or after a round; holds the room that takes. One a thread."""

    def __init__(self, game: str, players: int) -> None:
        self._net, features = load(game, players), active(game)
        self._features = features
        self._work, self._on = np.empty(WORK, np.float32), np.empty(features, np.int32)
        self._actions, self._values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
        self._plan = np.empty(MAX_PLAN, np.int64)

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
            scratch[0], seat, self._net, self._work, self._on, self._actions, self._values, self._plan, own[1:], A_TURN
        )
        return float(worth), bool(scratch["over"][0])


def logistic(x: Floats, offset: Floats, won: Floats, weights: Floats) -> list[float]:
    """Return the constant and the slopes of the log odds that fit best, by Newton's method; `offset` is given.

    A trace of weight on 0 keeps it finite where everything is won or lost.

    >>> x = np.array([[-1.0], [1.0]] * 50)
    >>> [round(b, 2) + 0 for b in logistic(x, np.zeros(100), 1 / (1 + np.exp(-2 * x[:, 0])), np.ones(100))]
    [0.0, 2.0]
    """
    design = np.column_stack((np.ones(len(won)), x))
    beta = np.zeros(design.shape[1])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-offset - design @ beta))
        slope = design.T @ (weights * (won - chance)) - TRACE * beta
        curve = (design * (weights * chance * (1 - chance))[:, None]).T @ design + TRACE * np.eye(len(beta))
        step = np.clip(np.linalg.solve(curve, slope), -2, 2)
        beta = beta + step
        if np.abs(step).max() < 1e-10:
            break
    return [float(b) for b in beta]
