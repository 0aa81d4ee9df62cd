"""Measure Tavolino beside its peers: one run, one thread, CPU time, best of several, ours and theirs in turn.

The machine may be noisy, so what counts is the ratio to something measured in the same minute. A row says what was
measured, the mark to reach and whether it holds. Later capabilities add a function to ROWS.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tavolino.games import GAMES, kernels
from tavolino.play.options import codes, read_options

REPEATS = 5
PEERS = ("hearts", "spades", "crazy_eights", "go_fish", "euchre")
MARKS = {"out-of-sock": 2.5, "face-to-face": 2.5, "orma": 2.0}
Say = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    ours: float
    unit: str
    peer: str | None
    theirs: float | None
    ratio: float | None
    mark: float
    holds: bool
    by: str | None = None
    """What takes most of ours."""


class PeerMissing(RuntimeError):
    """The library to measure beside is not installed."""


def find_spiel() -> Any:
    """Return OpenSpiel; PeerMissing if it is not there."""
    try:
        import pyspiel
    except ImportError:
        raise PeerMissing("OpenSpiel is not installed; `make bench` does that (or: pip install open_spiel)") from None
    return pyspiel


def _spiel_moves_per_second(spiel: Any, name: str, games: int) -> float:
    """Play random games in OpenSpiel's own C++ loop; chance counts as moves."""
    game = spiel.load_game(name)
    bots = [spiel.make_uniform_random_bot(seat, 1 + seat) for seat in range(game.num_players())]
    moves = 0
    began = time.process_time()
    for seed in range(games):
        state = game.new_initial_state()
        spiel.evaluate_bots(state, bots, seed)
        moves += state.move_number()
    return moves / (time.process_time() - began)


def _our_moves_per_second(key: str, players: int, games: int) -> float:
    rules = GAMES[key]
    options = codes(rules, read_options(rules, players, {}))
    states = np.zeros(games, rules.STATE)
    score, length = np.zeros((games, kernels.MAX_SEATS), np.int64), np.zeros(games, np.int64)
    nothing = np.zeros((games, 0), np.int32)
    began = time.process_time()
    moves = kernels.random_games(states, players, -1, options, np.uint64(1), 0, score, length, nothing)
    return int(moves) / (time.process_time() - began)


def random_play(say: Say) -> Iterator[Row]:
    """Random moves per second of each game and number of players, against the median of OpenSpiel's card games."""
    spiel = find_spiel()
    tables = [(key, players) for key, rules in GAMES.items() for players in rules.PLAYERS]
    for key, players in tables:
        _our_moves_per_second(key, players, 1)  # compiled, or read from the cache, before the clock runs
    ours: dict[tuple[str, int], float] = {}
    theirs: dict[str, float] = {}
    for turn in range(REPEATS):
        say(f"random play, round {turn + 1} of {REPEATS}")
        for name in PEERS:
            theirs[name] = max(theirs.get(name, 0), _spiel_moves_per_second(spiel, name, 300))
        for key, players in tables:
            ours[key, players] = max(ours.get((key, players), 0), _our_moves_per_second(key, players, 5000))
    median = statistics.median(theirs.values())
    peer = "OpenSpiel C++ loop, median of " + ", ".join(f"{name} {rate / 1e6:.1f} M" for name, rate in theirs.items())
    for (key, players), rate in ours.items():
        ratio = rate / median
        yield Row(
            f"random play: {key} {players}p",
            rate,
            "moves/s",
            peer,
            median,
            ratio,
            MARKS[key],
            ratio >= MARKS[key],
        )


def state_size(say: Say) -> Iterator[Row]:
    """Bytes of a state."""
    for key, rules in GAMES.items():
        size = rules.STATE.itemsize
        yield Row(f"state: {key}", size, "bytes", None, None, None, 512, size <= 512)


def _child_seconds(arguments: list[str], cache: str | None = None) -> tuple[float, float]:
    """Run `tavolino` in a process of its own; return its CPU and wall seconds."""
    env = os.environ if cache is None else {**os.environ, "TAVOLINO_CACHE": cache}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-m", "tavolino", *arguments], env=env, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - began


def starts(say: Say) -> Iterator[Row]:
    """How long a start takes: warm (all compiled code on disk) and cold (none)."""
    warm = ["simulate", "orma", "--games", "1000", "--seed", "1", "--json"]
    _child_seconds(warm)
    seconds = min(_child_seconds(warm)[1] for _ in range(REPEATS))
    yield Row("warm start: simulate 1000 orma", seconds, "s", None, None, None, 1.5, seconds < 1.5)
    for key in GAMES:
        say(f"cold compile of {key}")
        with tempfile.TemporaryDirectory() as cache:
            cold = _child_seconds(["simulate", key, "--games", "1", "--seed", "1", "--json"], cache)[0]
        warm_cpu = min(_child_seconds(["simulate", key, "--games", "1", "--seed", "1", "--json"])[0] for _ in range(2))
        seconds = cold - warm_cpu
        yield Row(f"cold compile: {key}", seconds, "CPU s", None, None, None, 10, seconds < 10)


def _spiel_search(spiel: Any, name: str, simulations: int) -> float:
    """Let OpenSpiel's C++ information-set search think about a first move; return simulated moves per second.

    A simulation goes from there to the end of the game, so its length is that of a random game from the same place.
    """
    state = spiel.load_game(name).new_initial_state()
    rng = np.random.default_rng(1)
    while state.is_chance_node():
        state.apply_action(int(rng.choice(state.legal_actions())))
    bot = spiel.ISMCTSBot(7, spiel.RandomRolloutEvaluator(1, 7), 2.0, simulations)
    began = time.process_time()
    bot.step(state.clone())
    seconds = time.process_time() - began
    moves = 0
    for _ in range(100):
        twin = state.clone()
        while not twin.is_terminal():
            twin.apply_action(int(rng.choice(twin.legal_actions())))
            moves += 1
    return simulations * moves / 100 / seconds


def _our_search(key: str, simulations: int) -> float:
    """Let our search think about a first move, playing out at random like theirs; return simulated moves per second."""
    from tavolino.bots import search
    from tavolino.play.game import new

    states = new(key, 2, seed=1).redealt_state(0, 1)
    tree, counts = np.zeros(1 << 16, search.NODE), np.zeros(4, np.int64)
    how = np.array([0.7, 1.0, 1.0])
    began = time.process_time()
    search.think(states, np.empty(1, states.dtype), tree, counts, how, search.RANDOM, np.uint64(1), simulations)
    return float(counts[search.MOVES] / (time.process_time() - began))


def tree_search(say: Say) -> Iterator[Row]:
    """Information-set search with random play-outs, in simulated moves per second."""
    spiel = find_spiel()
    for key in GAMES:
        _our_search(key, 1)
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    for turn in range(REPEATS):
        say(f"tree search, round {turn + 1} of {REPEATS}")
        for name in ("hearts", "euchre"):
            theirs[name] = max(theirs.get(name, 0), _spiel_search(spiel, name, 2000))
        for key in GAMES:
            ours[key] = max(ours.get(key, 0), _our_search(key, 4000))
    best = max(theirs.values())
    peer = "OpenSpiel C++ ISMCTSBot, the better of " + ", ".join(
        f"{n} {rate / 1e6:.1f} M" for n, rate in theirs.items()
    )
    for key, rate in ours.items():
        yield Row(f"tree search: {key}", rate, "moves/s", peer, best, rate / best, 5, rate / best >= 5)


ROWS: tuple[Callable[[Say], Iterator[Row]], ...] = (state_size, starts, random_play, tree_search)


def bench(say: Say) -> dict[str, list[dict[str, Any]]]:
    """Measure everything; `say` is told what is being measured."""
    from tavolino.study.bench_envs import agents, batches, one_game  # they need this file
    from tavolino.study.bench_ray import ray_overhead

    find_spiel()
    return {
        "rows": [asdict(row) for measure in (*ROWS, batches, one_game, agents, ray_overhead) for row in measure(say)]
    }
