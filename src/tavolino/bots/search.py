"""Information-set Monte Carlo tree search, compiled and written once for all games.

Each simulation deals anew what the thinking seat cannot know, walks down the one tree of moves (what is legal differs
from deal to deal), adds a move the game's own `order` thinks most promising, plays the game out by a quick policy, and
credits every seat's moves with its share of the win. The tree lies in one array made beforehand: memory is bounded by
its length.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.strategy import greedy, naive, order
from tavolino.engine.dispatch import apply, chance
from tavolino.engine.jit import count, lowest, rule, shared
from tavolino.engine.kernels import MAX_SEATS, Ints, States, apply_shared, random_action, redeal_shared
from tavolino.engine.maths import log
from tavolino.engine.rng import GAMMA, Stream, mix, next64, randint

NODE = np.dtype(
    (
        np.record,
        [
            ("action", "i4"),
            ("mover", "i4"),  # who played it; -1: chance
            ("child", "i4"),  # the first of its children; 0: none
            ("sibling", "i4"),
            ("visits", "i4"),
            ("seen", "i4"),  # how often it was legal when its parent was visited
            ("total", "f4"),  # of the mover's shares of the win
        ],
    )
)
RANDOM, NAIVE, GREEDY = range(3)
PLAY_OUTS = {"random": RANDOM, "naive": NAIVE, "greedy": GREEDY}
"""How games are played out."""
MAX_DEPTH, MAX_ACTION = 512, 384
CHANCE_CHILDREN = 24  # rolls beyond these are played out, not grown
SIZE, MOVES, DONE, STOP = range(4)  # entries of `counts`
EXPLORE, NOISE, WIDEN = range(3)  # entries of `how`


@rule
def add_child(tree: Any, size: int, parent: int, action: int, mover: int) -> None:
    node = tree[size]
    node.action = action
    node.mover = mover
    node.child = 0
    node.visits = 0
    node.seen = 1
    node.total = 0.0
    node.sibling = tree[parent].child
    tree[parent].child = size


@shared
def play_out(s: Any, policy: int, noise: float, rng: Stream, dice: Stream) -> int:
    """Play to the end by a quick policy, a random move with probability `noise`; return the number of moves."""
    moves = 0
    threshold = np.int64(noise * 1024)
    while s.over == 0:
        legal = 0
        for word in range(len(s.legal)):
            legal += count(s.legal[word])
        if legal == 0:
            action = chance(s, dice)
        elif policy == RANDOM or randint(rng, 1024) < threshold:
            action = random_action(s, rng, dice)
        elif policy == NAIVE:
            action = naive(s, rng)
        else:
            action = greedy(s, rng)
        apply(s, action)
        moves += 1
    return moves


@rule
def choose_child(s: Any, tree: Any, node: int, mark: Ints, how: NDArray[np.float64]) -> int:
    """Return the child to walk to, by upper confidence over those legal now, or minus an action to grow, less 1."""
    n = 0
    for word in range(len(s.legal)):
        mask = s.legal[word]
        n += count(mask)
        while mask:
            mark[64 * word + lowest(mask)] = 1
            mask &= mask - 1
    best, chosen, tried = -1.0, 0, 0
    child = tree[node].child
    while child:
        t = tree[child]
        if mark[t.action]:
            mark[t.action] = 0
            tried += 1
            t.seen += 1
            worth = t.total / t.visits + how[EXPLORE] * math.sqrt(log(np.float64(t.seen)) / t.visits)
            if worth > best:
                best, chosen = worth, child
        child = t.sibling
    grow = tried < n and (tried == 0 or tried * tried < how[WIDEN] * tree[node].visits)
    soonest, action = 1e300, -1
    for word in range(len(s.legal)):
        mask = s.legal[word]
        while mask:
            a = 64 * word + lowest(mask)
            mask &= mask - 1
            if mark[a]:
                mark[a] = 0
                if grow:
                    when = order(s, a)
                    if when < soonest:
                        soonest, action = when, a
    return -1 - action if grow else chosen


@rule
def find_roll(tree: Any, node: int, action: int) -> tuple[int, int]:
    """Return the child for a roll (0: none) and how many children there are."""
    n, child = 0, tree[node].child
    while child and tree[child].action != action:
        n += 1
        child = tree[child].sibling
    return child, n


@rule
def think(
    states: States,
    scratch: States,
    tree: Any,
    counts: Ints,
    how: NDArray[np.float64],
    policy: int,
    seed: np.uint64,
    sims: int,
) -> None:
    """Run more simulations for the seat to move in states[0]; `counts` goes on from call to call, its STOP ends it.

    `states[0]` may hold the true hidden things or not: each simulation starts by dealing them anew.
    """
    rng, dice = np.empty(1, np.uint64), np.empty(MAX_SEATS, np.uint64)
    mark = np.zeros(MAX_ACTION, np.int64)
    path = np.empty(MAX_DEPTH, np.int64)
    viewer = states[0].player
    if counts[SIZE] == 0:
        tree[0].child = 0
        tree[0].visits = 0
        tree[0].mover = -1
        counts[SIZE] = 1
    for _ in range(sims):
        if counts[STOP]:
            return
        rng[0] = mix(seed + np.uint64(counts[DONE]) * GAMMA)
        for seat in range(MAX_SEATS):
            dice[seat] = next64(rng)
        scratch[0] = states[0]
        s = scratch[0]
        redeal_shared(s, viewer, rng)
        node, depth, growing = 0, 0, True
        path[0] = 0
        while growing and s.over == 0 and depth + 1 < MAX_DEPTH:
            mover = s.player
            legal = 0
            for word in range(len(s.legal)):
                legal |= s.legal[word]
            if legal == 0:
                action = chance(s, dice)
                child, others = find_roll(tree, node, action)
                mover = -1
                growing = child != 0
                if not growing and others >= CHANCE_CHILDREN:
                    apply_shared(s, action)
                    counts[MOVES] += 1
                    break
            else:
                child = choose_child(s, tree, node, mark, how)
                if child < 0:
                    action = -1 - child
                    growing = False
                else:
                    action = tree[child].action
            if not growing:
                if counts[SIZE] == len(tree):
                    break
                child = counts[SIZE]
                add_child(tree, child, node, action, mover)
                counts[SIZE] += 1
            apply_shared(s, action)
            counts[MOVES] += 1
            node = child
            depth += 1
            path[depth] = node
        counts[MOVES] += play_out(s, policy, how[NOISE], rng, dice)
        share = 1.0 / count(s.winners)
        for d in range(depth + 1):
            t = tree[path[d]]
            t.visits += 1
            if t.mover >= 0 and s.winners >> t.mover & 1:
                t.total += share
        counts[DONE] += 1


@rule
def add_roots(tree: Any, actions: Ints, visits: Ints, totals: NDArray[np.float64], n: int) -> int:
    """Add the moves at a tree's root to a list of n moves, with visits and shares of the win; return its length."""
    child = tree[0].child
    while child:
        t = tree[child]
        at = 0
        while at < n and actions[at] != t.action:
            at += 1
        if at == n:
            n += 1
            actions[at] = t.action
            visits[at] = 0
            totals[at] = 0.0
        visits[at] += t.visits
        totals[at] += t.total
        child = t.sibling
    return n
