"""Games by the million: `simulate` plays them on all cores, by random moves or by bots, and says how they went."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from tavolino.arena.intervals import Interval
from tavolino.engine import kernels
from tavolino.engine.plain import bits
from tavolino.lab.intervals import Share, Spread, share, spread, win_interval
from tavolino.play.cores import cores
from tavolino.play.game import FORMAT
from tavolino.play.seeds import Seed, check_seed, derive
from tavolino.play.setup import Setup, from_one, read_setup
from tavolino.play.whole_file import opened
from tavolino.workers import Interrupted, Workers, in_order, undisturbed
from tavolino.workers.threads import Threads

Ints = NDArray[np.int64]

CHUNK = 2048
"""Games played in one go: a few milliseconds, a megabyte. The result does not depend on it."""
CORES_A_CHUNK = 32
"""For each so many cores that much more, since one process adds all chunks up."""
RECORDED_CHUNK = 256
ROOM = 192
"""Moves of a game kept while it is played for a record; a longer game is played again."""


@dataclass(frozen=True)
class Simulation:
    """How many random games went. Lists have an entry for each seat."""

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
    """In moves, rolls included."""
    endings: dict[str, Share]
    """How games ended."""
    moves: int
    seconds: float
    interrupted: bool
    """Whether Ctrl-C ended it: these are the first games, as many as the same seed gives with so many asked for."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data.

        >>> simulate(KEY, games=10, seed=1).as_json()["games"]
        10
        """
        speed = {"games_per_second": self.games / self.seconds, "moves_per_second": self.moves / self.seconds}
        return asdict(self) | speed


@dataclass(frozen=True)
class _Batch:
    """Which games are to be played; the same for all chunks."""

    setup: Setup
    seed: np.uint64
    recorded: bool
    play: "_Kernel"


_Kernel = Callable[[kernels.States, int, Ints, Ints, NDArray[np.int32]], object]
"""(states, number of the first game, scores, lengths, actions): plays a game in every state."""


@dataclass
class _Tally:
    """What is kept of the games played: whole numbers, so that adding them up in any order gives the same."""

    won: Ints
    """[seat, k]: games that a seat won together with k others."""
    endings: Ints
    sums: Ints
    """Of each seat's points, and last of the lengths."""
    squares: Ints
    low: Ints
    high: Ints

    def add(self, other: "_Tally") -> None:
        self.won += other.won
        self.endings += other.endings
        self.sums += other.sums
        self.squares += other.squares
        np.minimum(self.low, other.low, out=self.low)
        np.maximum(self.high, other.high, out=self.high)


@dataclass(frozen=True)
class _Chunk:
    """Some games that were played: what is kept of them, and their records as lines, if they are wanted."""

    tally: _Tally
    records: list[bytes]


@dataclass(frozen=True)
class _Played:
    """Some games that were played, from number `begin` on: what records are made of."""

    begin: int
    states: kernels.States
    score: Ints
    length: Ints
    actions: NDArray[np.int32]


def simulate(
    game: str,
    players: int | None = None,
    games: int = 1000,
    seed: Seed | None = None,
    *,
    options: dict[str, Any] | None = None,
    first: int | None = None,
    bots: Sequence[str] = ("random",),
    records: Path | BinaryIO | None = None,
    threads: int | None = None,
    crew: Workers | None = None,
    progress: Callable[[int], None] | None = None,
    chunk_size: int | None = None,
) -> Simulation:
    """Play games on all cores; the same seed gives the same numbers, on any number of threads.

    `bots` names who plays, seat by seat, the last one for all seats left; by default everyone plays at random.
    `records` is a file to write with one record a line, in the order of the games; it appears when all are written. Or
    a stream, which is written to as they come.
    `progress` is called with the number of games done so far. `crew` is who plays instead of threads of this process.
    OSError if the file cannot be written. Ctrl-C comes out as `Interrupted`, whose `result` holds the games played by
    then.

    >>> result = simulate(KEY, players=3, games=500, seed=7)
    >>> round(sum(result.wins)), len(result.points)
    (500, 3)
    """
    setup = read_setup(game, players, options, first)
    number = from_one(games, "games")
    if crew is None:
        crew = Threads(cores() if threads is None else from_one(threads, "threads"))
    seed = check_seed(seed)
    batch_seed = np.uint64(derive(seed, setup.key, "simulate"))
    names = _by_seat(bots, setup.players)
    batch = _Batch(setup, batch_seed, records is not None, _kernel(setup, batch_seed, names))
    step = (
        _at_a_time(setup.key, names, batch.recorded, crew) if chunk_size is None else from_one(chunk_size, "chunk_size")
    )

    began = time.perf_counter()
    total: _Tally | None = None
    done = 0

    def result(interrupted: bool) -> Simulation:
        assert total is not None  # there is at least one game
        return _result(batch, names, done, seed, total, time.perf_counter() - began, interrupted)

    try:
        with opened(records) as file:
            for chunk in in_order(crew, partial(_play, batch, number, step), range(0, number, step)):
                if file is not None:
                    file.writelines(chunk.records)
                with undisturbed():
                    if total is None:
                        total = chunk.tally
                    else:
                        total.add(chunk.tally)
                    done = min(done + step, number)
                if progress is not None:
                    progress(done)
    except KeyboardInterrupt:
        if total is None:
            raise
        raise Interrupted(result(interrupted=True)) from None
    return result(interrupted=False)


def _by_seat(bots: Sequence[str], seats: int) -> list[str]:
    if isinstance(bots, str) or not 1 <= len(bots) <= seats:
        raise ValueError(f"bots must be 1 to {seats} names, one a seat, not {bots!r}")
    return [*bots, *[bots[-1]] * (seats - len(bots))]


def _kernel(setup: Setup, seed: np.uint64, names: list[str]) -> _Kernel:
    """Return what plays the games: compiled loops where all players answer at once, else move by move."""
    seats, first, code = setup.players, setup.starter, setup.codes
    if set(names) == {"random"}:
        return lambda states, begin, score, length, actions: kernels.random_games(
            states, seats, first, code, seed, begin, score, length, actions
        )
    from tavolino.lab.playing import Batch, fill, read_lineup  # bots are loaded only if there are any

    lineup = read_lineup(setup.key, seats, setup.options, names)
    return lambda states, begin, score, length, actions: fill(
        lineup, seed, first, Batch(begin, states, score, length, actions)
    )


def _at_a_time(key: str, names: list[str], recorded: bool, crew: Workers) -> int:
    """Return how many games make a chunk: one, where each takes seconds."""
    if set(names) != {"random"}:
        from tavolino.bots.players import at_once_in

        if not set(names) <= set(at_once_in(key)):
            return 1
    return RECORDED_CHUNK if recorded else CHUNK * max(1, crew.cores // CORES_A_CHUNK)


def _play(batch: _Batch, games: int, step: int, begin: int) -> _Chunk:
    """Play a chunk of games; nearly all of it runs without Python's lock."""
    games = min(step, games - begin)
    states = np.zeros(games, batch.setup.game.rules.STATE)
    score = np.zeros((games, batch.setup.players), np.int64)
    length = np.zeros(games, np.int64)
    actions = np.empty((games, ROOM if batch.recorded else 0), np.int32)
    batch.play(states, begin, score, length, actions)
    values = np.column_stack((score, length))
    winners = states["winners"]
    company = np.bitwise_count(winners).astype(np.int64) - 1
    won = [
        np.bincount(company[winners >> seat & 1 == 1], minlength=batch.setup.players)
        for seat in range(batch.setup.players)
    ]
    tally = _Tally(
        np.array(won, np.int64),
        np.bincount(states["ending"], minlength=len(batch.setup.game.people.ENDINGS)),
        values.sum(axis=0),
        (values * values).sum(axis=0),
        values.min(axis=0),
        values.max(axis=0),
    )
    played = _Played(begin, states, score, length, actions)
    return _Chunk(tally, list(_records(batch, played)) if batch.recorded else [])


def _records(batch: _Batch, chunk: _Played) -> Iterator[bytes]:
    """Yield the record of each game that was played, as a line."""
    setup = batch.setup
    read, people, codes = setup.game.read, setup.game.people, setup.codes
    word_of = people.WORDS.__getitem__
    defaults = {option.name: option.default for option in people.OPTIONS}
    options = {name: value for name, value in setup.options.items() if value != defaults[name]}
    encode = msgspec.json.Encoder().encode
    begun = np.zeros(1, batch.setup.game.rules.STATE)
    columns = (chunk.length, chunk.states["first"], chunk.score, chunk.states["winners"])
    results = zip(*(column.tolist() for column in columns), strict=True)
    for i, (moves, first, scores, winners) in enumerate(results):
        number = chunk.begin + i
        played = chunk.actions[i, :moves].tolist() if moves <= ROOM else _replayed(batch, number, moves)
        kernels.deal_of_batch(begun, setup.players, setup.starter, codes, batch.seed, number)
        record = {  # in the order of Game.record, so that the two give the same line
            "format": FORMAT,
            "game": batch.setup.key,
            "seats": batch.setup.players,
            "options": options,
            "first": first,
            "deal": people.write_deal(read(begun)),
            "moves": list(map(word_of, played)),
            "scores": scores,
            "winners": bits(winners),
        }
        yield encode(record) + b"\n"


def _replayed(batch: _Batch, number: int, moves: int) -> list[int]:
    """Play one game of the batch again, with room for all its moves; return them."""
    actions = np.empty((1, moves), np.int32)
    states, score, length = (
        np.zeros(1, batch.setup.game.rules.STATE),
        np.zeros((1, batch.setup.players), np.int64),
        np.zeros(1, np.int64),
    )
    batch.play(states, number, score, length, actions)
    played: list[int] = actions[0].tolist()
    return played


def _result(
    batch: _Batch, names: list[str], games: int, seed: Seed, total: _Tally, seconds: float, interrupted: bool
) -> Simulation:
    won: list[list[int]] = total.won.tolist()
    wins = [sum(count / (k + 1) for k, count in enumerate(with_others)) for with_others in won]
    spreads = [
        spread(games, *numbers)
        for numbers in zip(
            total.sums.tolist(), total.squares.tolist(), total.low.tolist(), total.high.tolist(), strict=True
        )
    ]
    return Simulation(
        game=batch.setup.key,
        players=batch.setup.players,
        games=games,
        seed=seed,
        options=batch.setup.options,
        first=batch.setup.first,
        bots=names,
        wins=wins,
        win_rate=[number / games for number in wins],
        win_ci95=[win_interval(with_others, games) for with_others in won],
        shared_wins=sum(sum(with_others[k] for with_others in won) // (k + 1) for k in range(1, batch.setup.players)),
        points=spreads[:-1],
        length=spreads[-1],
        endings={
            name: share(count, games)
            for name, count in zip(batch.setup.game.people.ENDINGS, total.endings.tolist(), strict=True)
        },
        moves=int(total.sums[-1]),
        seconds=seconds,
        interrupted=interrupted,
    )
