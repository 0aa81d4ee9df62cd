"""Thinking for a while: `look_ahead` with the network, `search_tree` without one. Both say how good each move is."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots import lookahead, search
from tavolino.bots.calibration import Floats, log_odds
from tavolino.bots.networks import active, load
from tavolino.bots.position import Position
from tavolino.bots.strategy import BY_GAME, MAX_PLAN
from tavolino.engine.kernels import Ints, States
from tavolino.engine.net import Net
from tavolino.play.seeds import derive

CANDIDATES = 10
"""How many of the moves or turns that the network likes best are looked at."""
FAR_BEHIND = 1.5
"""Lines are not tried whose odds to win, by the network, are further behind the best one's than this in log odds."""
PRIOR = 10.0
"""How many worlds the network's own word counts for."""
SLICE = 8
"""Worlds between two looks at the clock: a few milliseconds."""
CLEAR, CLEAR_WORLDS = 3.5, 32
"""Thinking ends when the best line leads each other one by so many standard errors, after so many worlds."""
TRACE = 96
"""Actions kept of what is played in a world: more than a round of any game."""
NEVER = np.zeros(1, np.int64)
TREE_NODES = 1 << 16
"""The length of a search's tree: 1.8 MB a thread, whatever the time."""
TREE_SLICE = 64


@dataclass(frozen=True)
class Estimate:
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
    lines, values = np.full((CANDIDATES, MAX_PLAN), -1, np.int64), np.empty(CANDIDATES, np.float64)
    n = lookahead.best_lines(root, net, features, lines, values)
    return lines[:n], values[:n]


def way_of(strategy: Any) -> Ints:
    """Return how far a game's expert looks ahead, as compiled code wants it."""
    return np.array([strategy.TURNS, strategy.ROUNDS], np.int64)


def look_ahead(position: Position) -> list[Estimate]:
    """Return the moves, best first: the network's favourites tried out in as many worlds as limits allow.

    Half of them are dropped in each round, so that most worlds go to the ones that are hard to tell apart; it ends
    before if one is clearly the best. The same seed and number of tries give the same advice.
    """
    limits, states = position.limits, position.state()
    net, features = load(position.key, position.players), active(position.key)
    strategy, past = BY_GAME[position.key], position.last_turn()
    how = way_of(strategy)
    lines, priors = candidates(states, net, features)
    budget = limits.simulations or (None if limits.seconds else strategy.TRIES)
    end = time.monotonic() + limits.seconds if limits.seconds else None
    seed = _seed_of(position)
    odds = log_odds(priors)
    alive = np.flatnonzero(odds >= odds[0] - FAR_BEHIND)
    heard: list[list[Floats]] = [[] for _ in lines]  # what was found for each line, slice by slice
    rounds = max(1, (len(alive) - 1).bit_length())  # the only move is tried, too: its chance may be asked for

    def means(which: Ints) -> Floats:
        sums = np.array([sum(float(part.sum()) for part in heard[i]) for i in which])
        tried = np.array([sum(map(len, heard[i])) for i in which])
        mean: Floats = (PRIOR * priors[which] + sums) / (PRIOR + tried)
        return mean

    def run(job: tuple[int, int]) -> Floats:
        first, number = job
        worths, scratch = np.empty((number, len(alive))), np.empty(2, states.dtype)
        table = lines[alive]
        untold = np.empty((1, len(table), 0), np.int32)
        did = lookahead.try_lines(
            states, past.copy(), scratch, net, features, table, worths, seed, first, how, position.stop, untold
        )
        return worths[: int(did)]

    world = 0
    with ThreadPoolExecutor(limits.threads) as pool:
        each = pool.map if limits.threads > 1 else map
        for number in range(rounds):
            worlds = None if budget is None else max(1, budget // (rounds * len(alive)))
            round_end = None if end is None else time.monotonic() + (end - time.monotonic()) / (rounds - number)
            done = 0
            while (worlds is None or done < worlds) and (round_end is None or time.monotonic() < round_end):
                if position.stop[0] or is_clear([heard[i] for i in alive]):
                    break
                step = SLICE if worlds is None else min(SLICE, worlds - done)
                for worths in each(run, [(world + thread * step, step) for thread in range(limits.threads)]):
                    for column, i in enumerate(alive):
                        heard[i].append(worths[:, column])
                    done += len(worths)
                world += limits.threads * step
            if position.stop[0]:
                break
            alive = alive[np.argsort(-means(alive), kind="stable")][: max(1, (len(alive) + 1) // 2)]
    # What was tried longer is known better: rank within the same number of tries, the longest tried first.
    tries, chances = [sum(map(len, parts)) for parts in heard], means(np.arange(len(lines)))
    found: dict[int, Estimate] = {}
    for line in sorted(range(len(lines)), key=lambda i: (-tries[i], -chances[i])):
        action = int(lines[line, 0])
        if action not in found:
            actions = tuple(int(one) for one in lines[line] if one >= 0)
            error = float(np.concatenate(heard[line]).std() / tries[line] ** 0.5) if tries[line] else 0.0
            found[action] = Estimate(position.word(action), float(chances[line]), tries[line], error, actions)
    return list(found.values())


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


def is_clear(heard: list[list[Floats]]) -> bool:
    """Tell whether one of the lines, all tried in the same worlds, is better than each other beyond doubt."""
    worlds = sum(map(len, heard[0]))
    if worlds < CLEAR_WORLDS or worlds & worlds - 1:  # now and then is enough
        return False
    worths = np.stack([np.concatenate(parts) for parts in heard])
    best = worths.mean(axis=1).argmax()
    leads = np.delete(worths[best] - worths, best, axis=0)
    return bool((leads.mean(axis=1) > CLEAR * leads.std(axis=1) / worlds**0.5).all())


def search_tree(position: Position, policy: int, how: tuple[float, float, float], simulations: int) -> list[Estimate]:
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
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for tree in trees:
        child = int(tree[0]["child"])
        while child:
            node = tree[child]
            action = int(node["action"])
            visits[action] = visits.get(action, 0) + int(node["visits"])
            totals[action] = totals.get(action, 0.0) + float(node["total"])
            child = int(node["sibling"])
    found = []
    for action in sorted(visits, key=lambda a: -visits[a]):
        chance, tries = totals[action] / visits[action], visits[action]
        found.append(Estimate(position.word(action), chance, tries, (max(0.0, chance * (1 - chance)) / tries) ** 0.5))
    return found
