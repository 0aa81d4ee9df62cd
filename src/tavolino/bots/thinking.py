"""Thinking for a while: `look_ahead` with the network, `search_tree` without one. Both say how good each move is."""

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots import halving, lookahead, search
from tavolino.bots.calibration import Floats
from tavolino.bots.networks import active, load
from tavolino.bots.position import Position
from tavolino.bots.strategy import BY_GAME, MAX_PLAN
from tavolino.bots.styles import favourite
from tavolino.engine.kernels import Ints, States
from tavolino.engine.net import Net
from tavolino.play.seeds import derive

TRACE = 96
"""Actions kept of what is played in a world: more than a round of any game."""
NEVER = np.zeros(1, np.int64)
TREE_NODES = 1 << 16
"""The length of a search's tree: 1.8 MB a thread, whatever the time."""
TREE_SLICE = 64
MOST = search.MAX_ACTION


@dataclass(frozen=True)
class MoveChance:
    """A move and the mover's chance to win by it, as a bot sees it; `bots.advice` corrects such chances for people."""

    word: str
    chance: float
    tries: int
    """How often it was tried; 0: the network's word alone."""
    error: float = 0.0
    """The standard error of the chance, by what the tries differ in."""
    line: tuple[int, ...] = ()
    """The actions it was tried with: the move, and the rest of the turn where whole turns are compared."""


def candidates(root: States, net: Net, features: int) -> tuple[Ints, Floats]:
    """Return the lines the network likes best, each a row of actions ended by -1, and its word on each, best first."""
    lines, values = np.full((halving.CANDIDATES, MAX_PLAN), -1, np.int64), np.empty(halving.CANDIDATES)
    n = lookahead.best_lines(root, net, features, lines, values)
    return lines[:n], values[:n]


def way_of(strategy: Any) -> Ints:
    """Return how far a game's expert looks ahead, as compiled code wants it."""
    return np.array([strategy.TURNS, strategy.ROUNDS], np.int64)


def _tried(position: Position) -> tuple[States, halving.Notes]:
    """Try out the network's favourites in as many worlds as limits allow; return the state, and what was found."""
    limits, states, past = position.limits, position.state(), position.last_turn()
    net, features = load(position.key, position.players), active(position.key)
    how, seed = way_of(BY_GAME[position.key]), _seed_of(position)
    end = time.monotonic() + limits.seconds if limits.seconds else None
    notes = np.zeros(1, halving.NOTES)
    note = notes[0]
    note["lines"][:] = -1
    note["count"] = lookahead.best_lines(states, net, features, note["lines"], note["priors"])
    note["budget"] = limits.simulations or (0 if limits.seconds else BY_GAME[position.key].TRIES)
    halving.begin(notes)

    def run(first: int, worlds: int, lines: Ints) -> Floats:
        worths, scratch = np.empty((worlds, len(lines))), np.empty(2, states.dtype)
        untold = np.empty((1, len(lines), 0), np.int32)
        did = lookahead.try_lines(
            states, past.copy(), scratch, net, features, lines, worths, seed, first, how, position.stop, untold
        )
        return worths[: int(did)]

    with ThreadPoolExecutor(limits.threads) as pool:
        each = pool.map if limits.threads > 1 else map
        round_end = _share_of(end, note)
        while (worlds := int(halving.next_slice(notes))) and not position.stop[0]:
            if round_end is not None and time.monotonic() >= round_end:
                halving.end_round(notes)
                round_end = _share_of(end, note)
                continue
            lines = np.empty((int(note["left"]), MAX_PLAN), np.int64)
            halving.alive_lines(notes, lines)
            firsts = [int(note["world"]) + thread * worlds for thread in range(limits.threads)]
            for worths in each(partial(run, worlds=worlds, lines=lines), firsts):
                halving.hear(notes, worths, len(worths))
    return states, notes


def _ranked(position: Position, notes: halving.Notes) -> list[MoveChance]:
    note = notes[0]
    order = np.empty(halving.CANDIDATES, np.int64)
    chances, errors = np.empty(halving.CANDIDATES), np.empty(halving.CANDIDATES)
    found = []
    for i in range(int(halving.rank(notes, order, chances, errors))):
        line = tuple(int(action) for action in note["lines"][order[i]] if action >= 0)
        tries = int(note["tried"][order[i]])
        found.append(MoveChance(position.word(line[0]), float(chances[i]), tries, float(errors[i]), line))
    return found


def look_ahead(position: Position) -> list[MoveChance]:
    """Return the moves, best first: the network's favourites tried out in as many worlds as limits allow.

    Half of them are dropped in each round, so that most worlds go to the ones that are hard to tell apart; it ends
    before if one is clearly the best (`halving`). The same seed and number of tries give the same advice.
    """
    _, notes = _tried(position)
    return _ranked(position, notes)


def look_ahead_in_style(position: Position, style: int) -> str:
    """Return the move of a look-ahead with a style: of those that are as good as the best, the one it likes best."""
    states, notes = _tried(position)
    return position.word(int(favourite(states, notes, style)))


def _share_of(end: float | None, note: Any) -> float | None:
    """Return when the round that begins now must end if those that are left share the time."""
    now, left = time.monotonic(), max(1, int(note["rounds"] - note["finished"]))
    return None if end is None else now + (end - now) / left


@dataclass(frozen=True)
class Watched:
    """What a look-ahead saw: lines tried in some worlds."""

    worths: Floats
    """[world, line]: the mover's chance in the end."""
    traces: NDArray[np.int32]
    """[world, line, step]: the actions played, the line's own first; -1 after the last, or where there was no room."""
    worlds: States
    """The worlds, before anything was played in them."""


def watch(position: Position, lines: list[tuple[int, ...]], worlds: int) -> Watched:
    """Try lines as `look_ahead` does, in the first worlds that it looks at, and keep what was played there."""
    states, past, net = position.state(), position.last_turn(), load(position.key, position.players)
    table = np.full((len(lines), MAX_PLAN), -1, np.int64)
    for i, line in enumerate(lines):
        table[i, : len(line)] = line
    worths = np.empty((worlds, len(lines)))
    scratch, traces = np.empty(2 + worlds, states.dtype), np.full((worlds, len(lines), TRACE), -1, np.int32)
    how, seed = way_of(BY_GAME[position.key]), _seed_of(position)
    lookahead.try_lines(
        states, past.copy(), scratch, net, active(position.key), table, worths, seed, 0, how, NEVER, traces
    )
    return Watched(worths, traces, scratch[2:])


def _seed_of(position: Position) -> np.uint64:
    """Return the seed of the worlds that are looked at."""
    return np.uint64(derive(position.seed, position.key, "worlds"))


def search_tree(position: Position, policy: int, how: tuple[float, float, float], simulations: int) -> list[MoveChance]:
    """Return the moves that tree search tried, best first; one tree a thread, their roots added up."""
    limits, states = position.limits, position.state()
    budget = limits.simulations or (None if limits.seconds else simulations)
    end = time.monotonic() + limits.seconds if limits.seconds else None
    settings = np.array(how, np.float64)

    def grow(thread: int) -> tuple[np.ndarray, np.ndarray]:
        tree, counts = np.zeros(TREE_NODES, search.NODE), np.zeros(4, np.int64)
        scratch = np.empty(1, states.dtype)
        seed = np.uint64(derive(position.seed, position.key, f"tree/{thread}"))
        share = None if budget is None else -(-budget // limits.threads)
        while True:  # at least once, however little time there is
            step = TREE_SLICE if share is None else min(TREE_SLICE, share - int(counts[search.DONE]))
            search.think(states, scratch, tree, counts, settings, policy, seed, step)
            full = share is not None and counts[search.DONE] >= share
            if full or position.stop[0] or (end is not None and time.monotonic() >= end):
                return tree, counts

    with ThreadPoolExecutor(limits.threads) as pool:
        trees = [tree for tree, _ in pool.map(grow, range(limits.threads))]
    actions, visits, totals = np.empty(MOST, np.int64), np.empty(MOST, np.int64), np.empty(MOST, np.float64)
    n = 0
    for tree in trees:
        n = int(search.add_roots(tree, actions, visits, totals, n))
    found = []
    for i in sorted(range(n), key=lambda i: -visits[i]):
        tries, chance = int(visits[i]), float(totals[i] / visits[i])
        error = math.sqrt(max(0.0, chance * (1 - chance)) / tries)
        found.append(MoveChance(position.word(int(actions[i])), chance, tries, error, (int(actions[i]),)))
    return found
