"""The rules beside OpenSpiel: the size of a state, how long a start takes, random play, tree search."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from tavolino.bench import BenchRow, Run, Say, Sizes, found, in_turn
from tavolino.engine import kernels
from tavolino.engine.registry import GAMES
from tavolino.play.setup import read_setup

CARDS = ("hearts", "spades", "crazy_eights", "go_fish", "euchre")
OTHERS = ("connect_four",)
SEARCHED = ("hearts", "euchre")
"""The card games that OpenSpiel's search can play: it cannot deal the others anew."""
SEARCH_MARK = 5
RANDOM_MARK = 4


def state_size(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """Bytes of a state."""
    for key, game in GAMES.items():
        yield BenchRow(f"state: {key}", game.rules.STATE.itemsize, "bytes", 512)


def _child_seconds(arguments: list[str], cache: str | None = None) -> float:
    """Run `tavolino` in a process of its own; return its CPU seconds."""
    env = os.environ if cache is None else {**os.environ, "TAVOLINO_CACHE": cache}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "tavolino", *arguments], env=env, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def starts(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """How long a start takes: warm (all compiled code on disk) and cold (none)."""
    key = next(iter(GAMES))
    warm = ["simulate", key, "--games", "1000", "--seed", "1", "--json"]
    say("a warm start")
    _child_seconds(warm)
    yield BenchRow(
        f"warm start: simulate 1000 {key}", min(_child_seconds(warm) for _ in range(sizes.rounds)), "CPU s", 1.5
    )
    for key in sizes.cold:
        say(f"cold compile of {key}")
        one = ["simulate", key, "--games", "1", "--seed", "1", "--json"]
        with tempfile.TemporaryDirectory() as cache:
            cold = _child_seconds(one, cache)
        yield BenchRow(f"cold compile: {key}", cold - min(_child_seconds(one) for _ in range(2)), "CPU s", 10)


def _first_decision(spiel: Any, name: str) -> Any:
    """Return a game of OpenSpiel's with the deal behind it: its searches crash where chance is due."""
    state = spiel.load_game(name).new_initial_state()
    rng = np.random.default_rng(1)
    while state.is_chance_node():
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def _mean_length(spiel: Any, state: Any, games: int) -> float:
    """Return how many moves a random game has from there; chance counts as moves."""
    bots = [spiel.make_uniform_random_bot(seat, 1 + seat) for seat in range(state.num_players())]
    moves = 0
    for seed in range(games):
        twin = state.clone()
        spiel.evaluate_bots(twin, bots, seed)
        moves += twin.move_number() - state.move_number()
    return moves / games


def _spiel_random(name: str, sizes: Sizes) -> Run:
    """Return what plays random games in the C++ loop of OpenSpiel's that is the fastest from Python.

    That is the evaluator of its MCTSBot, which plays them all in one call (`evaluate_bots`, one call per game, makes
    about half as many). One simulation does nothing but evaluate its root.
    """
    spiel: Any = import_module("pyspiel")
    state = _first_decision(spiel, name)
    moves = sizes.rollouts * _mean_length(spiel, state, sizes.lengths)
    evaluator = spiel.RandomRolloutEvaluator(n_rollouts=sizes.rollouts, seed=7)
    bot = spiel.MCTSBot(state.get_game(), evaluator, 2.0, 1, 100, False, 7, False)

    def run() -> float:
        began = time.process_time()
        bot.step(state)
        return moves / (time.process_time() - began)

    return run


def _our_random(key: str, players: int, games: int) -> Run:
    """Return what plays random games of ours, from the deal to the end."""
    setup = read_setup(key, players)

    def play(games: int) -> int:
        states = np.zeros(games, setup.game.rules.STATE)
        score, length = np.zeros((games, kernels.MAX_SEATS), np.int64), np.zeros(games, np.int64)
        nothing = np.zeros((games, 0), np.int32)
        return int(kernels.random_games(states, players, -1, setup.codes, np.uint64(1), 0, score, length, nothing))

    play(1)  # compiled, or read from the cache, before the clock runs

    def run() -> float:
        began = time.process_time()
        moves = play(games)
        return moves / (time.process_time() - began)

    return run


def random_play(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """Random moves per second of each game and number of players, against the median of OpenSpiel's card games."""
    tables = [(key, players) for key, game in GAMES.items() for players in game.people.PLAYERS]
    peers, missing = found({name: partial(_spiel_random, name, sizes) for name in CARDS + OTHERS})
    ours = {f"{key} {players}p": _our_random(key, players, sizes.random_games) for key, players in tables}
    rates = in_turn(say, "random play", {**peers, **ours}, sizes.rounds)
    theirs = {name: rates[name] for name in peers}
    median = statistics.median(theirs[name] for name in CARDS) if theirs else None
    for name in ours:
        yield BenchRow(
            f"random play: {name}",
            rates[name],
            "moves/s",
            RANDOM_MARK,
            median,
            "the median of the card games, in OpenSpiel's C++ rollouts",
            theirs,
            "theirs start at the first decision; ours include the deal",
            missing,
        )


def _spiel_search(name: str, sizes: Sizes) -> Run:
    """Return what lets OpenSpiel's C++ information-set search think about a first move, in simulated moves per second.

    A simulation goes from there to the end of the game, so its length is that of a random game from the same place.
    """
    spiel: Any = import_module("pyspiel")
    state = _first_decision(spiel, name)
    simulations = max(1, sizes.simulations // 2)
    moves = simulations * _mean_length(spiel, state, sizes.lengths)

    def run() -> float:
        bot = spiel.ISMCTSBot(7, spiel.RandomRolloutEvaluator(1, 7), 2.0, simulations)
        began = time.process_time()
        bot.step(state.clone())
        return moves / (time.process_time() - began)

    return run


def _our_search(key: str, simulations: int) -> Run:
    """Return what lets our search think about a first move, playing out at random like theirs."""
    from tavolino.bots import search
    from tavolino.play.game import new

    states = new(key, 2, seed=1).redealt_state(0, 1)
    how = np.array([0.7, 1.0, 1.0])

    def think(simulations: int) -> float:
        tree, counts = np.zeros(1 << 16, search.NODE), np.zeros(4, np.int64)
        began = time.process_time()
        search.think(states, np.empty(1, states.dtype), tree, counts, how, search.RANDOM, np.uint64(1), simulations)
        return float(counts[search.MOVES] / (time.process_time() - began))

    think(1)
    return lambda: think(simulations)


def tree_search(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """Information-set search with random play-outs, in simulated moves per second."""
    peers, missing = found({name: partial(_spiel_search, name, sizes) for name in SEARCHED})
    ours = {key: _our_search(key, sizes.simulations) for key in GAMES}
    rates = in_turn(say, "tree search", {**peers, **ours}, sizes.rounds)
    theirs = {name: rates[name] for name in peers}
    best, peer = max(theirs.values(), default=None), "the faster of the two in OpenSpiel's C++ ISMCTSBot"
    for key in ours:
        yield BenchRow(f"tree search: {key}", rates[key], "moves/s", SEARCH_MARK, best, peer, theirs, missing=missing)
