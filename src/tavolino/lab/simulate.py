"""Games by the million: `simulate` plays them on all cores, at random or by bots, and returns how they went."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np

from tavolino.engine import kernels
from tavolino.engine.plain import bits
from tavolino.intervals import Interval, Share, Spread, share, spread, win_rate, wins_of
from tavolino.lab.played import PlayedGames, Totals, room_for, totals_of
from tavolino.lab.settings import LabSettings, workers_of
from tavolino.play.atomic_file import opened
from tavolino.play.game import FORMAT
from tavolino.play.seeds import Seed, check_seed, derive
from tavolino.play.setup import Setup, from_one, setup_of
from tavolino.workers import Interrupted, Workers, in_order, undisturbed

CHUNK = 2048
"""Games played in one go: a few milliseconds, a megabyte. Results do not depend on it."""
CORES_A_CHUNK = 32
"""For each so many cores that much more, since one process adds all chunks up."""
RECORDED_CHUNK = 256
ROOM = 192
"""Moves of a game kept while it is played for a record; a longer game is played again."""


@dataclass(frozen=True)
class Simulation:
    """How many games went. Lists have one entry per seat."""

    game: str
    players: int
    games: int
    seed: Seed
    options: dict[str, Any]
    first: int | None
    """The seat that started; None: a random one in each game."""
    bots: list[str]
    """Who played, seat by seat."""
    wins: list[float]
    """Games won; a win shared by k seats is 1/k for each."""
    win_rate: list[float]
    win_ci95: list[Interval]
    shared_wins: int
    """Games with more than one winner."""
    points: list[Spread]
    length: Spread
    """In moves, including rolls."""
    endings: dict[str, Share]
    """How games ended."""
    moves: int
    seconds: float
    interrupted: bool
    """Whether Ctrl-C ended it: these are then the first of the games."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data.

        >>> simulate(KEY, games=10, seed=1).as_json()["games"]
        10
        """
        speed = {"games_per_second": self.games / self.seconds, "moves_per_second": self.moves / self.seconds}
        return asdict(self) | speed


_Kernel = Callable[[PlayedGames], object]
"""Plays games into their arrays."""


@dataclass(frozen=True)
class _Task:
    """Which games are to be played; the same for all chunks."""

    setup: Setup
    names: list[str]
    """Who plays, seat by seat."""
    games: int
    seed: Seed
    batch_seed: np.uint64
    recorded: bool
    step: int
    """Games in a chunk."""
    play: _Kernel


@dataclass(frozen=True)
class _Chunk:
    """Some games that were played: what is kept of them, and their records as lines, if they are wanted."""

    totals: Totals
    records: list[bytes]


def simulate(
    game: str | Setup,
    players: int | None = None,
    games: int = 1000,
    seed: Seed | None = None,
    *,
    bots: Sequence[str] = ("random",),
    records: Path | BinaryIO | None = None,
    settings: LabSettings | None = None,
) -> Simulation:
    """Play games on all cores; the same seed gives the same numbers on any number of them.

    `game` is a key or, for options and a first seat, a setup (`read_setup`). `bots` names who plays, seat by seat; the
    last one takes all remaining seats. By default everyone plays at random.
    `records` is a file to write, with one record per line in the order of the games, which appears when it is complete;
    or a stream, to which records are written as they come. OSError if the file cannot be written. Ctrl-C raises
    `Interrupted`, whose `result` covers the games played so far.

    >>> result = simulate(KEY, players=3, games=500, seed=7)
    >>> round(sum(result.wins)), len(result.points)
    (500, 3)
    """
    setup, settings = setup_of(game, players), settings or LabSettings()
    number, workers = from_one(games, "games"), workers_of(settings)
    seed = check_seed(seed)
    batch_seed = np.uint64(derive(seed, setup.key, "simulate"))
    names, recorded = _by_seat(bots, setup.players), records is not None
    step = _at_a_time(setup.key, names, recorded, workers)
    task = _Task(setup, names, number, seed, batch_seed, recorded, step, _kernel(setup, batch_seed, names))

    began = time.perf_counter()
    totals: Totals | None = None
    try:
        with opened(records) as file:
            for chunk in in_order(workers, partial(_play, task), range(0, number, step)):
                if file is not None:
                    file.writelines(chunk.records)
                with undisturbed():
                    if totals is None:
                        totals = chunk.totals
                    else:
                        totals.add(chunk.totals)
                settings.progress(totals.games / number)
    except KeyboardInterrupt:
        if totals is None:
            raise
        raise Interrupted(_result(task, totals, time.perf_counter() - began, interrupted=True)) from None
    assert totals is not None  # there is at least one game
    return _result(task, totals, time.perf_counter() - began, interrupted=False)


def _by_seat(bots: Sequence[str], seats: int) -> list[str]:
    if isinstance(bots, str) or not 1 <= len(bots) <= seats:
        raise ValueError(f"bots must be 1 to {seats} names, one per seat, not {bots!r}")
    return [*bots, *[bots[-1]] * (seats - len(bots))]


def _kernel(setup: Setup, seed: np.uint64, names: list[str]) -> _Kernel:
    """Return what plays the games: compiled loops if all players answer at once, else Python, move by move."""
    seats, first, code = setup.players, setup.starter, setup.codes
    if set(names) == {"random"}:
        return lambda room: kernels.random_games(
            room.states, seats, first, code, seed, room.begin, room.score, room.length, room.actions
        )
    from tavolino.lab.playing import fill, read_lineup  # bots are loaded only if there are any

    return partial(fill, read_lineup(setup.key, seats, setup.options, names), seed, first)


def _at_a_time(key: str, names: list[str], recorded: bool, workers: Workers) -> int:
    """Return how many games make a chunk: one, where each takes seconds."""
    if set(names) != {"random"}:
        from tavolino.bots.players import at_once_in

        if not set(names) <= set(at_once_in(key)):
            return 1
    return RECORDED_CHUNK if recorded else CHUNK * max(1, workers.cores // CORES_A_CHUNK)


def _play(task: _Task, begin: int) -> _Chunk:
    """Play a chunk of games; nearly all of it runs without Python's lock."""
    setup = task.setup
    played = room_for(setup, begin, min(task.step, task.games - begin), ROOM if task.recorded else 0)
    task.play(played)
    totals = totals_of(played, len(setup.game.people.ENDINGS))
    return _Chunk(totals, list(_records(task, played)) if task.recorded else [])


def _records(task: _Task, played: PlayedGames) -> Iterator[bytes]:
    """Yield the record of each game that was played, as a line."""
    setup = task.setup
    read, people, codes = setup.game.read, setup.game.people, setup.codes
    word_of = people.WORDS.__getitem__
    options = setup.chosen
    encode = msgspec.json.Encoder().encode
    begun = np.zeros(1, setup.game.rules.STATE)
    columns = (played.length, played.states["first"], played.score, played.states["winners"])
    results = zip(*(column.tolist() for column in columns), strict=True)
    for i, (moves, first, scores, winners) in enumerate(results):
        number = played.begin + i
        actions = played.actions[i, :moves].tolist() if moves <= ROOM else _replayed(task, number, moves)
        kernels.deal_of_batch(begun, setup.players, setup.starter, codes, task.batch_seed, number)
        record = {  # in the order of Game.record, so that the two give the same line
            "format": FORMAT,
            "game": setup.key,
            "seats": setup.players,
            "options": options,
            "first": first,
            "deal": people.write_deal(read(begun)),
            "moves": list(map(word_of, actions)),
            "scores": scores,
            "winners": bits(winners),
        }
        yield encode(record) + b"\n"


def _replayed(task: _Task, number: int, moves: int) -> list[int]:
    """Play one game of the batch again, with room for all its moves; return them."""
    again = room_for(task.setup, number, 1, moves)
    task.play(again)
    played: list[int] = again.actions[0].tolist()
    return played


def _result(task: _Task, totals: Totals, seconds: float, interrupted: bool) -> Simulation:
    setup, games, seats = task.setup, totals.games, totals.by_seat()
    rates, length = [win_rate(won, games) for won, _ in seats], totals.length.counter()
    return Simulation(
        game=setup.key,
        players=setup.players,
        games=games,
        seed=task.seed,
        options=setup.options,
        first=setup.first,
        bots=task.names,
        wins=[wins_of(won) for won, _ in seats],
        win_rate=[rate.value for rate in rates],
        win_ci95=[rate.interval for rate in rates],
        shared_wins=totals.shared,
        points=[spread(points) for _, points in seats],
        length=spread(length),
        endings={
            name: share(count, games)
            for name, count in zip(setup.game.people.ENDINGS, totals.endings.tolist(), strict=True)
        },
        moves=sum(moves * number for moves, number in length.items()),
        seconds=seconds,
        interrupted=interrupted,
    )
