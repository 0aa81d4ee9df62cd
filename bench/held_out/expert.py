"""The look-ahead of commit b221809, frozen: ten lines, the others by rule of thumb, the network at the end.

Compiled each time it is run: nothing of it is in the cache of compiled code.
"""

from heapq import heappop, heappush
from typing import Any

import numpy as np
from numba import njit

from tavolino.bots.lookahead import best_of, weigh
from tavolino.bots.networks import active
from tavolino.bots.position import Position
from tavolino.bots.strategy import MAX_CHOICES, MAX_PLAN, answer, choose, outlook, plausible
from tavolino.engine.dispatch import apply, chance, redeal
from tavolino.engine.jit import count
from tavolino.engine.kernels import MAX_SEATS, States, apply_one
from tavolino.engine.net import NEAR, WORK, Net
from tavolino.engine.rng import GAMMA, mix, next64
from tavolino.play.seeds import derive

TURNS, ROUNDS, TRIES, WHOLE_TURNS = range(4)
WAYS = {"face-to-face": (2, 0, 1000, 1), "orma": (1, 0, 300, 0), "out-of-sock": (0, 4, 300, 0)}
CANDIDATES, PRIOR, LOTS = 10, 10.0, 30
Line = tuple[int, ...]


def best_lines(root: States, net: Net, features: int, whole: bool) -> list[tuple[Line, float]]:
    """Return the moves or whole turns that the network likes best with what it says of them, its favourite first."""
    viewer = root[0]["player"]
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    found: list[tuple[Line, float]] = []
    begun: list[tuple[float, Line, States]] = []
    seen: set[bytes] = set()

    def go_on(line: Line, states: States) -> None:
        for i in range(weigh(states, net, features, actions, values)):
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


@njit(nogil=True)
def play_best(s: Any, action: int, plan: Any) -> None:
    """Play the best action that `choose` found, and the rest of its turn if there is a plan."""
    if plan[0] < 0:
        apply(s, action)
        return
    me = s.player
    for step in plan:
        if step < 0 or s.player != me:
            return
        apply(s, step)


@njit(nogil=True)
def worth_later(
    s: Any, viewer: int, net: Net, work: Any, on: Any, actions: Any, values: Any, plan: Any, dice: Any, way: Any
) -> float:
    """Play on, the others by rule of thumb, until the viewer has decided so many times; return its chance then."""
    others, decided, begun, total = False, 0, 0, 0.0
    rounds = way[ROUNDS]
    while s.over == 0:
        if rounds > 0:
            says = outlook(s, viewer, net, work, on)
            if says >= 0.0:
                total += says
                begun += 1
                if begun == rounds:
                    return float(total / rounds)
        legal = 0
        for word in range(len(s.legal)):
            legal |= s.legal[word]
        if legal == 0:
            apply(s, chance(s, dice))
            continue
        mine = s.player == viewer
        if not mine:
            apply(s, answer(s, dice))
        else:
            best = best_of(values, choose(s, net, work, on, actions, values, plan, NEAR))
            if others:
                decided += 1
                if decided == way[TURNS]:
                    return float(values[best])
                others = False
            play_best(s, actions[best], plan)
        others = others or not mine
    result = 1.0 / count(s.winners) if s.winners >> viewer & 1 else 0.0
    return result if rounds == 0 else float((total + (rounds - begun) * result) / rounds)


@njit(nogil=True)
def try_lines(
    states: Any,
    past: Any,
    scratch: Any,
    net: Net,
    features: int,
    lines: Any,
    sums: Any,
    seed: np.uint64,
    begin: int,
    end: int,
    way: Any,
) -> None:
    """Try each of the lines in the worlds from `begin` to `end` − 1, adding to `sums`."""
    work = np.empty(WORK, np.float32)
    on = np.empty(features, np.int32)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    plan = np.empty(MAX_PLAN, np.int64)
    rng, dice, thrown = np.empty(1, np.uint64), np.empty(MAX_SEATS, np.uint64), np.empty(MAX_SEATS, np.uint64)
    viewer = states[0].player
    for world in range(begin, end):
        rng[0] = mix(seed + np.uint64(world) * GAMMA)
        for seat in range(MAX_SEATS):
            dice[seat] = next64(rng)
        for _ in range(LOTS):
            scratch[0] = states[0]
            redeal(scratch[0], viewer, rng)
            if len(past) == 0 or plausible(scratch[0], past, rng):
                break
        for i in range(len(lines)):
            scratch[1] = scratch[0]
            thrown[:] = dice
            for action in lines[i]:
                if action >= 0:
                    apply(scratch[1], action)
            sums[i] += worth_later(scratch[1], viewer, net, work, on, actions, values, plan, thrown, way)


def look_ahead(position: Position, net: Net) -> str:
    """Return the move: half of the lines are dropped in each round, until one is left."""
    way, seed = np.array(WAYS[position.key], np.int64), np.uint64(derive(position.seed, position.key, "worlds"))
    return position.word(best_line(position.state(), position.last_turn(), net, active(position.key), way, seed)[0])


def best_line(states: States, past: States, net: Net, features: int, way: Any, seed: np.uint64) -> Line:
    """Return the move or whole turn that is left."""
    lines = best_lines(states, net, features, bool(way[WHOLE_TURNS]))
    table = np.full((len(lines), max(len(line) for line, _ in lines)), -1, np.int64)
    for i, (line, _) in enumerate(lines):
        table[i, : len(line)] = line
    priors = np.array([value for _, value in lines])
    sums, tried = np.zeros(len(lines)), np.zeros(len(lines))
    alive = np.arange(len(lines))
    rounds = max(1, (len(lines) - 1).bit_length())
    world, scratch = 0, np.empty(2, states.dtype)
    for _ in range(rounds):
        worlds = max(1, int(way[TRIES]) // (rounds * len(alive)))
        found = np.zeros(len(alive))
        try_lines(states, past, scratch, net, features, table[alive], found, seed, world, world + worlds, way)
        sums[alive] += found
        tried[alive] += worlds
        world += worlds
        means = (PRIOR * priors[alive] + sums[alive]) / (PRIOR + tried[alive])
        alive = alive[np.argsort(-means, kind="stable")][: max(1, (len(alive) + 1) // 2)]
    return lines[int(alive[0])][0]
