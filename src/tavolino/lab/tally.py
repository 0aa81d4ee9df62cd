"""How many games went: wins by place in the turn order, points, length, endings."""

from dataclasses import dataclass

import numpy as np

from tavolino.intervals import Distribution, Estimate, distribution, share_of, win_rate
from tavolino.lab.played import Totals, totals_of
from tavolino.lab.playing import Lineup, in_parts, play_games
from tavolino.lab.settings import Tell, untold
from tavolino.workers import Workers

CHUNK = 512


@dataclass(frozen=True)
class PlaceTally:
    """How the games went for the first to move, for the second, and so on."""

    wins: Estimate
    """Share of the games won; a win shared by k counts 1/k."""
    points: Distribution


@dataclass(frozen=True)
class BotTally:
    """How the games went for one seat, when the seats are taken by different bots."""

    name: str
    wins: Estimate
    points: Distribution


@dataclass(frozen=True)
class Tally:
    """How many games went."""

    games: int
    places: list[PlaceTally]
    """By place in the turn order: the starter, the next, …"""
    bots: list[BotTally]
    """Seat by seat."""
    length: Distribution
    """In moves, including rolls."""
    margin: Distribution
    """How many points the winner is ahead of the best of the others."""
    endings: dict[str, Estimate]
    shared: Estimate
    """Games with more than one winner."""


def tally(lineup: Lineup, seed: np.uint64, games: int, workers: Workers, tell: Tell = untold) -> Tally:
    """Play games on all cores, each started by a random seat, and count."""
    setup = lineup.setup
    endings = setup.game.people.ENDINGS

    def play(begin: int, number: int) -> Totals:
        return totals_of(play_games(lineup, seed, begin, number), len(endings))

    parts = in_parts(workers, play, games, lineup.at_a_time(CHUNK), tell)
    totals = next(parts)
    for part in parts:
        totals.add(part)
    return Tally(
        games=games,
        places=[PlaceTally(win_rate(won, games), distribution(points)) for won, points in totals.by_place()],
        bots=[
            BotTally(bot, win_rate(won, games), distribution(points))
            for bot, (won, points) in zip(lineup.bots, totals.by_seat(), strict=True)
        ],
        length=distribution(totals.length.counter()),
        margin=distribution(totals.margin.counter()),
        endings={name: share_of(count, games) for name, count in zip(endings, totals.endings.tolist(), strict=True)},
        shared=share_of(totals.shared, games),
    )
