"""How many games went: wins by place in the turn order, points, length, endings. Counted in whole numbers."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tavolino.lab.estimates import Distribution, Estimate, distribution, share_of
from tavolino.lab.intervals import win_interval
from tavolino.lab.playing import Batch, Lineup, play_games
from tavolino.workers import Workers, in_order

CHUNK = 512


@dataclass(frozen=True)
class Place:
    """How the games went for whoever moved first, for the next, and so on."""

    wins: Estimate
    """Share of the games won; a win shared by k counts 1/k."""
    points: Distribution


@dataclass(frozen=True)
class Bot:
    """How the games went for one seat, when the seats are taken by different bots."""

    name: str
    wins: Estimate
    points: Distribution


@dataclass(frozen=True)
class Tally:
    """How many games went."""

    games: int
    places: list[Place]
    """By place in the turn order: the one who starts, the next, …"""
    bots: list[Bot]
    """Seat by seat."""
    length: Distribution
    """In moves, rolls included."""
    margin: Distribution
    """Points of the winner above the best of the others."""
    endings: dict[str, Estimate]
    shared: Estimate
    """Games with more than one winner."""


@dataclass
class _Counts:
    """What is kept while games are played: memory does not grow with their number."""

    places: list[Counter[int]]
    """[place][k]: games won together with k others."""
    seats: list[Counter[int]]
    points: list[Counter[int]]
    seat_points: list[Counter[int]]
    length: Counter[int] = field(default_factory=Counter)
    margin: Counter[int] = field(default_factory=Counter)
    endings: Counter[int] = field(default_factory=Counter)
    shared: int = 0

    def add(self, other: "_Counts") -> None:
        for ours, theirs in (
            *zip(self.places, other.places, strict=True),
            *zip(self.seats, other.seats, strict=True),
            *zip(self.points, other.points, strict=True),
            *zip(self.seat_points, other.seat_points, strict=True),
            (self.length, other.length),
            (self.margin, other.margin),
            (self.endings, other.endings),
        ):
            ours.update(theirs)
        self.shared += other.shared

    def count(self, batch: Batch) -> None:
        seats = len(self.places)
        winners, first = batch.states["winners"], batch.states["first"]
        company = np.bitwise_count(winners).astype(np.int64) - 1
        rows = np.arange(len(winners))
        for place in range(seats):
            seat = (first + place) % seats
            self.places[place].update(company[winners >> seat & 1 == 1].tolist())
            self.points[place].update(batch.score[rows, seat].tolist())
            self.seats[place].update(company[winners >> place & 1 == 1].tolist())
            self.seat_points[place].update(batch.score[:, place].tolist())
        self.length.update(batch.length.tolist())
        self.endings.update(batch.states["ending"].tolist())
        self.shared += int((company > 0).sum())
        won = (winners[:, None] >> np.arange(seats)) & 1 == 1
        best = np.where(won, batch.score, np.iinfo(np.int64).min).max(axis=1)
        others = np.where(won, np.iinfo(np.int64).min, batch.score).max(axis=1)
        others = np.where(company + 1 == seats, best, others)
        self.margin.update(np.where(company > 0, 0, best - others).tolist())


def _nothing(seats: int) -> _Counts:
    by_place, by_seat, points, seat_points = ([Counter[int]() for _ in range(seats)] for _ in range(4))
    return _Counts(by_place, by_seat, points, seat_points)


def tally(
    lineup: Lineup, seed: np.uint64, games: int, crew: Workers, progress: Callable[[float], None] = lambda part: None
) -> Tally:
    """Play games on all cores, a random seat starting in each, and count."""
    seats = range(lineup.setup.players)
    counts = _nothing(lineup.setup.players)
    step = lineup.at_a_time(CHUNK)

    def play(begin: int) -> _Counts:
        found = _nothing(lineup.setup.players)
        found.count(play_games(lineup, seed, begin, min(step, games - begin)))
        return found

    for done, part in enumerate(in_order(crew, play, range(0, games, step)), 1):
        counts.add(part)
        progress(min(1.0, done * step / games))

    def wins(won: Counter[int]) -> Estimate:
        with_others = [won[k] for k in seats]
        value = sum(count / (k + 1) for k, count in enumerate(with_others)) / games
        return Estimate(value, *win_interval(with_others, games))

    return Tally(
        games=games,
        places=[Place(wins(counts.places[p]), distribution(counts.points[p])) for p in seats],
        bots=[Bot(lineup.bots[p], wins(counts.seats[p]), distribution(counts.seat_points[p])) for p in seats],
        length=distribution(counts.length),
        margin=distribution(counts.margin),
        endings={name: share_of(counts.endings[i], games) for i, name in enumerate(lineup.setup.game.people.ENDINGS)},
        shared=share_of(counts.shared, games),
    )
