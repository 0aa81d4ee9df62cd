"""Thinking for a while: `look_ahead` with the network, `search_tree` without one. Both say how good each move is."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np

from tavolino.bots import lookahead, search
from tavolino.bots.networks import active, load
from tavolino.bots.position import Position
from tavolino.bots.strategy import BY_GAME, MAX_CHOICES
from tavolino.engine.kernels import Ints, States, apply_one
from tavolino.engine.net import Net
from tavolino.play.seeds import derive

CANDIDATES = 10
"""How many of the moves or turns that the network likes best are looked at."""
PRIOR = 10.0
"""How many worlds the network's own word counts for."""
SLICE = 8
"""Worlds between two looks at the clock: a few milliseconds."""
TREE_NODES = 1 << 16
"""The length of a search's tree: 1.8 MB a thread, whatever the time."""
TREE_SLICE = 64


@dataclass(frozen=True)
class Advice:
    """A move and the mover's chance to win by it: as the bot has it, or set right (`advise`)."""

    word: str
    chance: float
    tries: int
    """How often it was tried; 0: the network's word alone."""


Line = tuple[int, ...]
"""Actions of the seat to move, one after the other."""


def best_lines(root: States, net: Net, features: int, whole: bool) -> list[tuple[Line, float]]:
    """Return the moves or whole turns that the network likes best with what it says of them, its favourite first."""
    viewer = root[0]["player"]
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    found: list[tuple[Line, float]] = []
    begun: list[tuple[float, Line, States]] = []
    seen: set[bytes] = set()

    def go_on(line: Line, states: States) -> None:
        for i in range(lookahead.weigh(states, net, features, actions, values)):
            heappush(begun, (-float(values[i]), (*line, int(actions[i])), states))

    go_on((), root)
    while begun and len(found) < CANDIDATES:
        loss, line, before = heappop(begun)
        if whole:
            after = before.copy()
            apply_one(after, line[-1])
            if (same := after.tobytes()) in seen:  # the same cards in another order
                continue
            seen.add(same)
            if not after[0]["over"] and after[0]["player"] == viewer:
                go_on(line, after)
                continue
        found.append((line, -loss))
    return found


def as_table(lines: list[tuple[Line, float]]) -> Ints:
    """Return lines as compiled code wants them: a row each, filled up with -1."""
    table = np.full((len(lines), max(len(line) for line, _ in lines)), -1, np.int64)
    for i, (line, _) in enumerate(lines):
        table[i, : len(line)] = line
    return table


def way_of(strategy: Any) -> Ints:
    """Return how a game's expert looks ahead, as compiled code wants it."""
    return np.array([strategy.THUMB_ANSWERS, strategy.TURNS, strategy.ROUNDS], np.int64)


def look_ahead(position: Position) -> list[Advice]:
    """Return the moves, best first: the network's favourites tried out in as many worlds as limits allow.

    Half of them are dropped in each round, so that most worlds go to the ones that are hard to tell apart.
    """
    limits, states = position.limits, position.state()
    net, features = load(position.key, position.players), active(position.key)
    strategy, past = BY_GAME[position.key], position.last_turn()
    how = way_of(strategy)
    lines = best_lines(states, net, features, strategy.WHOLE_TURNS)
    table = as_table(lines)
    tried = np.zeros(len(lines), np.int64)
    sums = np.zeros(len(lines), np.float64)
    alive = list(range(len(lines)))
    budget = limits.simulations or (None if limits.seconds else strategy.TRIES)
    end = time.monotonic() + limits.seconds if limits.seconds else None
    seed = np.uint64(derive(position.seed, position.key, "worlds"))
    world = 0
    rounds = max(1, (len(lines) - 1).bit_length())  # the only move is tried, too: its chance may be asked for

    def mean(i: int) -> float:
        return float((PRIOR * lines[i][1] + sums[i]) / (PRIOR + tried[i]))

    with ThreadPoolExecutor(limits.threads) as pool:
        each = pool.map if limits.threads > 1 else map
        for round_number in range(rounds):
            worlds = None if budget is None else max(1, budget // (rounds * len(alive)))
            round_end = None if end is None else time.monotonic() + (end - time.monotonic()) / (rounds - round_number)
            done = 0
            while (worlds is None or done < worlds) and (round_end is None or time.monotonic() < round_end):
                if position.stop[0]:
                    break
                step = SLICE if worlds is None else min(SLICE, worlds - done)

                def run(
                    begin: int, chosen: Ints = table[alive], step: int = step, root: States = states
                ) -> tuple[np.ndarray, int]:
                    found, scratch = np.zeros(len(chosen)), np.empty(2, root.dtype)
                    span = np.array([begin, begin + step], np.int64)
                    did = lookahead.try_lines(
                        root, past.copy(), scratch, net, features, chosen, found, seed, span, how, position.stop
                    )
                    return found, int(did)

                for found, did in each(run, [world + t * step for t in range(limits.threads)]):
                    sums[alive] += found
                    tried[alive] += did
                    done += did
                world += limits.threads * step
            if position.stop[0]:
                break
            alive = sorted(alive, key=mean, reverse=True)[: max(1, (len(alive) + 1) // 2)]
    # What was tried longer is known better: rank within the same number of tries, the longest tried first.
    advice: dict[int, Advice] = {}
    for i in sorted(range(len(lines)), key=lambda i: (-tried[i], -mean(i))):
        action = lines[i][0][0]
        advice.setdefault(action, Advice(position.word(action), mean(i), int(tried[i])))
    return list(advice.values())


def search_tree(position: Position, policy: int, how: tuple[float, float, float], simulations: int) -> list[Advice]:
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
    return [
        Advice(position.word(action), totals[action] / visits[action], visits[action])
        for action in sorted(visits, key=lambda a: -visits[a])
    ]
