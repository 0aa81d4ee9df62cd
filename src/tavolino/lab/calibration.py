"""Calibrate the bots' estimates: what they said in games between equals, and how those games ended."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tavolino.bots import search
from tavolino.bots.calibration import Calibration, Floats, log_odds, weights_of
from tavolino.bots.knots import KNOTS
from tavolino.bots.lookahead import weigh, worth_later
from tavolino.bots.networks import active, has_networks, load
from tavolino.bots.strategy import MAX_CHOICES, MAX_PLAN
from tavolino.engine import kernels
from tavolino.engine.net import WORK
from tavolino.engine.plain import copied
from tavolino.lab.played import shares_of
from tavolino.lab.playing import Lineup, dealt, play_games

ROOM, CHUNK = 1024, 256
PICKS = 6
"""Moments looked at in each game, besides its start."""
TRACE, ALIKE = 1e-2, 1 / 0.15**2
"""Weights on 0: hardly any; as if places differed by 0.15, in log odds."""
A_TURN = np.array([1, 0])
"""How to look ahead: all by the network, until the seat decides again."""


@dataclass(frozen=True)
class Predictions:
    """What was said at some moments of games, and what came of it: an entry for each prediction."""

    game: NDArray[np.int64]
    moves: NDArray[np.int64]
    place: NDArray[np.int64]
    """In the turn order, of the seat that is spoken for."""
    said: Floats
    won: Floats
    """That seat's share of the win."""

    def __len__(self) -> int:
        """How many there are."""
        return len(self.game)


def predictions_of(rows: list[tuple[int, int, int, float, float]]) -> Predictions:
    """Make predictions of rows (game, moves, place, said, won)."""
    game, moves, place, said, won = np.array(rows, np.float64).reshape(-1, 5).T
    return Predictions(game.astype(np.int64), moves.astype(np.int64), place.astype(np.int64), said, won)


def joined(parts: list[Predictions]) -> Predictions:
    """Return all of them as one."""
    names = Predictions.__dataclass_fields__
    return Predictions(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


@dataclass(frozen=True)
class Answers:
    """What the network said in games against itself."""

    now: Predictions
    """Of its favourite move, to the seat that decides."""
    later: Predictions
    """To any seat, a round later, as `analyse` asks it."""
    length: int
    """Moves of all those games together."""
    games: int


def ask_in_games(lineup: Lineup, base: np.uint64, begin: int, games: int) -> Answers:
    """Play games of the network against itself, and ask it at the start and at some moments of each.

    The games are begin, begin + 1, … of the batch `base`; the moments are drawn evenly, so games count alike.
    """
    ahead = Ahead(lineup.setup.key, lineup.setup.players)
    now: list[tuple[int, int, int, float, float]] = []
    later: list[tuple[int, int, int, float, float]] = []
    length = 0
    for at in range(begin, begin + games, CHUNK):
        batch = play_games(lineup, base, at, min(CHUNK, begin + games - at), room=ROOM)
        length += int(batch.length.sum())
        for i, shares in enumerate(batch.shares):
            number = at + i
            luck = np.random.default_rng((int(base), number))
            states = dealt(lineup, base, number)
            first, end = int(states["first"][0]), min(int(batch.length[i]), ROOM)
            picked = set(luck.integers(0, end, PICKS).tolist())
            for step in range(max(picked) + 1):
                mover = int(states["player"][0])
                if step in picked and mover >= 0 and states["legal"][0].any():
                    place = (mover - first) % lineup.setup.players
                    now.append((number, step, place, ahead.prediction(states), float(shares[mover])))
                asked = (
                    range(lineup.setup.players)
                    if step == 0
                    else [int(luck.integers(lineup.setup.players))]
                    if step in picked
                    else []
                )
                for seat in asked:
                    streams = luck.integers(0, 1 << 63, 1 + kernels.MAX_SEATS, np.uint64)
                    worth, over = ahead.worth(states, seat, streams)
                    if not over:
                        later.append((number, step, (seat - first) % lineup.setup.players, worth, float(shares[seat])))
                kernels.apply_one(states, int(batch.actions[i, step]))
    return Answers(predictions_of(now), predictions_of(later), length, games)


def network_fit(answers: list[Answers], players: int) -> Calibration:
    """Fit the network's word, as `analyse` asks for it, to how games against itself ended.

    The slope comes from its word on its own decisions. The levels then make the chances right on average as `analyse`
    makes them, a round later: those words are of worlds and dice that did not come true, and say less.
    """
    games = sum(part.games for part in answers)
    length = sum(part.length for part in answers) / games
    now, later = joined([part.now for part in answers]), joined([part.later for part in answers])
    numbers = np.unique(later.game)
    beta, errors = _fitted(_design(now, length, players), np.zeros(len(now)), now, numbers)
    slope, of_slope = beta[-1], errors[:, -1]
    design, said = _design(later, length, players)[:, :-1], log_odds(later.said)
    beta, errors = _fitted(design, slope * said, later, numbers)
    chance = 1 / (1 + np.exp(-slope * said - design @ beta))
    weighed = design * (chance * (1 - chance))[:, None]
    errors -= np.outer(of_slope, np.linalg.solve(weighed.T @ design, weighed.T @ said))  # a steeper slope moves levels
    return _calibration(np.append(beta, slope), np.column_stack((errors, of_slope)), length, games)


def told_fit(told: Predictions, length: float, players: int) -> Calibration:
    """Fit words as they are told to how games among equals ended.

    There are fewer of these, so places share their levels as far as nothing clearly speaks against it: each has its own
    beside common ones, with a weight on 0.
    """
    numbers = np.unique(told.game)
    design = np.column_stack((weights_of(told.moves / length), _design(told, length, players)))
    trace = np.full(design.shape[1], TRACE)
    trace[KNOTS:-1] = ALIKE
    beta, errors = _fitted(design, np.zeros(len(told)), told, numbers, trace)
    together = np.vstack((np.tile(np.eye(KNOTS), players), np.eye(KNOTS * players)))  # common and own levels add up
    beta, errors = (
        np.column_stack((np.atleast_2d(x)[:, :-1] @ together, np.atleast_2d(x)[:, -1])) for x in (beta, errors)
    )
    return _calibration(beta[0], errors, length, len(numbers))


class Ahead:
    """Asks the network, at once or after a round; holds the room that takes. One a thread.

    Where a game has none, games are played out at random instead, so that every word is a result.
    """

    def __init__(self, game: str, players: int) -> None:
        self._asks, self._players = has_networks(game), players
        self._net, features = load(game, players), active(game)
        self._features = features
        self._work, self._on = np.empty(WORK, np.float32), np.empty(features, np.int32)
        self._actions, self._values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
        self._plan = np.empty(MAX_PLAN, np.int64)

    def prediction(self, states: kernels.States) -> float:
        """Return what the network says of its favourite move in states[0]."""
        n = weigh(states, self._net, self._features, self._actions, self._values)
        return float(self._values[:n].max())

    def worth(
        self, states: kernels.States, seat: int, streams: NDArray[np.uint64], action: int | None = None
    ) -> tuple[float, bool]:
        """Return what the network says for a seat a round later in one world, or the result; and whether it is that.

        The world comes from streams[0], the dice from the others. The seat itself may begin with an action.
        """
        scratch = copied(states)
        own = streams.copy()
        kernels.redeal_one(scratch, seat, own[:1])
        if action is not None:
            kernels.apply_one(scratch, action)
        if not self._asks:
            search.play_out(scratch[0], search.RANDOM, 0.0, own[:1], own[1:])
            return float(shares_of(scratch["winners"], self._players)[0, seat]), True
        worth = worth_later(
            scratch[0], seat, self._net, self._work, self._on, self._actions, self._values, self._plan, own[1:], A_TURN
        )
        return float(worth), bool(scratch["over"][0])


def _design(words: Predictions, length: float, players: int) -> Floats:
    """Return what each level, place by place, and the slope count for each word."""
    weights = weights_of(words.moves / length)
    levels = [weights * (words.place == place)[:, None] for place in range(players)]
    return np.column_stack((*levels, log_odds(words.said)))


def _fitted(
    design: Floats, offset: Floats, words: Predictions, numbers: NDArray[np.int64], trace: float | Floats = TRACE
) -> tuple[Floats, Floats]:
    """Return the coefficients that fit best, and what each game's luck adds to their errors: [game, coefficient].

    Those of one game are not independent: the squares of these, summed over the games, are the errors' covariance.
    """
    beta = logistic(design, offset, words.won, trace)
    chance = 1 / (1 + np.exp(-offset - design @ beta))
    curve = (design * (chance * (1 - chance))[:, None]).T @ design + trace * np.eye(len(beta))
    scores = np.zeros((len(numbers), len(beta)))
    np.add.at(scores, np.searchsorted(numbers, words.game), design * (words.won - chance)[:, None])
    return beta, scores @ np.linalg.inv(curve)


def _calibration(beta: Floats, errors: Floats, length: float, games: int) -> Calibration:
    """Make a calibration of levels and slope, with what each game adds to their errors."""
    levels = beta[:-1].reshape(-1, KNOTS)
    noise = []
    for place in range(len(levels)):
        own = errors[:, [*range(KNOTS * place, KNOTS * (place + 1)), -1]]
        noise.append((own.T @ own).tolist())
    return Calibration(levels.tolist(), float(beta[-1]), noise, length, games)


def logistic(design: Floats, offset: Floats, won: Floats, trace: float | Floats = TRACE) -> Floats:
    """Return the coefficients of the log odds that fit best, by Newton's method; `offset` is given.

    A `trace` of weight on 0 keeps them finite where everything is won or lost.

    >>> x = np.array([[1.0, -1.0], [1.0, 1.0]] * 50)
    >>> [round(float(b), 2) + 0 for b in logistic(x, np.zeros(100), 1 / (1 + np.exp(-2 * x[:, 1])))]
    [0.0, 2.0]
    """
    beta = np.zeros(design.shape[1])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-offset - design @ beta))
        slope = design.T @ (won - chance) - trace * beta
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + trace * np.eye(len(beta))
        step = np.clip(np.linalg.solve(curve, slope), -2, 2)
        beta = beta + step
        if np.abs(step).max() < 1e-10:
            break
    return beta
