"""Games that were played: their arrays, and everything that is counted over many, in whole numbers."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.kernels import States
from tavolino.play.setup import Setup

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PlayedGames:
    """The games begin, begin + 1, … of a batch, or the room for them."""

    begin: int
    states: States
    score: Ints
    """[game, seat]."""
    length: Ints
    """In moves, including rolls."""
    actions: NDArray[np.int32]
    """[game, move], as many as there is room for."""

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each game's win, shared among its winners: [game, seat]."""
        return shares_of(self.states["winners"], self.score.shape[1])


def room_for(setup: Setup, begin: int, games: int, moves: int) -> PlayedGames:
    """Return the arrays to play games into, with so many moves of each."""
    states, score = np.zeros(games, setup.game.rules.STATE), np.zeros((games, setup.players), np.int64)
    return PlayedGames(begin, states, score, np.zeros(games, np.int64), np.empty((games, moves), np.int32))


def shares_of(winners: Any, seats: int) -> NDArray[np.float64]:
    """Turn masks of winners into shares of the win: [game, seat]."""
    masks = np.atleast_1d(np.asarray(winners, np.int64))
    won = (masks[:, None] >> np.arange(seats)) & 1
    shares: NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
    return shares


@dataclass
class Frequencies:
    """How often whole numbers were seen."""

    values: Ints
    """Those that were, ascending."""
    counts: Ints

    def add(self, other: "Frequencies") -> None:
        """Count other numbers, too."""
        at = np.minimum(np.searchsorted(self.values, other.values), len(self.values) - 1)
        if not np.array_equal(self.values[at], other.values):
            values = np.union1d(self.values, other.values)
            counts = np.zeros(len(values), np.int64)
            counts[np.searchsorted(values, self.values)] = self.counts
            self.values, self.counts, at = values, counts, np.searchsorted(values, other.values)
        self.counts[at] += other.counts

    def counter(self) -> Counter[int]:
        """Return the same for Python."""
        return Counter(dict(zip(self.values.tolist(), self.counts.tolist(), strict=True)))


def frequencies_of(numbers: Ints) -> Frequencies:
    """Count how often each of some whole numbers is seen.

    >>> frequencies_of(np.array([3, -1, 3])).counter()
    Counter({3: 2, -1: 1})
    """
    low = int(numbers.min())
    if int(numbers.max()) - low > 4 * len(numbers):  # a table of all between would be mostly empty
        return Frequencies(*np.unique(numbers, return_counts=True))
    table = np.bincount(numbers - low)
    seen = np.flatnonzero(table)
    return Frequencies(seen + low, table[seen])


@dataclass
class Totals:
    """What is kept of games while more are played: adding totals up in any order gives the same."""

    won: Ints
    """[seat, starter, k]: games that a seat won together with k others."""
    points: Frequencies
    """Points · seats² + seat · seats + starter."""
    length: Frequencies
    margin: Frequencies
    """How many points the winner is ahead of the best of the others; 0 if a win is shared."""
    endings: Ints

    @property
    def games(self) -> int:
        """How many there are."""
        return int(self.length.counts.sum())

    @property
    def shared(self) -> int:
        """Games with more than one winner."""
        return sum(seats // (k + 1) for k, seats in enumerate(self.won.sum(axis=(0, 1)).tolist()) if k)

    def add(self, other: "Totals") -> None:
        """Count other games, too."""
        self.won += other.won
        self.endings += other.endings
        self.points.add(other.points)
        self.length.add(other.length)
        self.margin.add(other.margin)

    def by_seat(self) -> list[tuple[list[int], Counter[int]]]:
        """Return for each seat the games won together with k others, and how often it had so many points."""
        return self._by(lambda seat, first: seat)

    def by_place(self) -> list[tuple[list[int], Counter[int]]]:
        """Return the same by place in the turn order: for the starter, for the next, and so on."""
        return self._by(lambda seat, first: (seat - first) % len(self.won))

    def _by(self, group: Callable[[Ints, Ints], Ints]) -> list[tuple[list[int], Counter[int]]]:
        seats = len(self.won)
        points, who = np.divmod(self.points.values, seats * seats)
        groups, group_of = group(*np.divmod(who, seats)), group(*np.indices((seats, seats)))
        found = []
        for one in range(seats):
            seen: Counter[int] = Counter()
            for value, number in zip(
                points[groups == one].tolist(), self.points.counts[groups == one].tolist(), strict=True
            ):
                seen[value] += number
            found.append((self.won[group_of == one].sum(axis=0).tolist(), seen))
        return found


def totals_of(played: PlayedGames, endings: int) -> Totals:
    """Count games that can end in so many ways."""
    states, points = played.states, played.score.T.copy()  # seat by seat: NumPy is slow along a short axis
    seats, winners, first = len(points), states["winners"].astype(np.int64), states["first"].astype(np.int64)
    company = np.bitwise_count(winners).astype(np.int64) - 1
    seat = np.arange(seats)[:, None]
    won, who = winners >> seat & 1 == 1, seat * seats + first
    return Totals(
        np.bincount((who * seats + company)[won], minlength=seats**3).reshape(seats, seats, seats),
        frequencies_of((points * seats**2 + who).ravel()),
        frequencies_of(played.length),
        frequencies_of(np.where(company == 0, _leads(points, won), 0)),
        np.bincount(states["ending"], minlength=endings),
    )


def _leads(points: Ints, won: NDArray[np.bool_]) -> Ints:
    """Return how far the best of each game's winners is ahead of the best of the others, if there are any."""
    least = np.iinfo(np.int64).min
    best, others = np.where(won, points, least).max(axis=0), np.where(won, least, points).max(axis=0)
    return np.where(others > least, best - others, 0)
