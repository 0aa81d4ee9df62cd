"""The strategy of a game that brings none: any move is as good as another. It has no network."""

from typing import Any

import numpy as np

from tavolino.engine.contract import State, Stream
from tavolino.engine.jit import rule
from tavolino.engine.kernels import random_action
from tavolino.engine.lines import single_moves
from tavolino.engine.net import WIDE, Features, Net
from tavolino.engine.rng import GAMMA, mix

N_FEATURES, MAX_ACTIVE = 0, 0
TURNS, ROUNDS, TRIES = 1, 0, 300
SEARCH = ("random", (0.7, 0.0, 4.0))
"""How `search` plays out, and (explore, noise, widen)."""
STYLES: tuple[str, ...] = ()


@rule
def naive(s: State, rng: Stream) -> int:
    return random_action(s, rng, rng)


@rule
def greedy(s: State, rng: Stream) -> int:
    return random_action(s, rng, rng)


@rule
def answer(s: State, rng: Stream) -> int:
    return random_action(s, rng, rng)


@rule
def order(s: State, action: int) -> float:
    """Return any number, another one for each action and position: no move is tried sooner because of its number."""
    seed = np.uint64(action)
    for word in range(len(s.legal)):
        seed = mix(seed + np.uint64(s.legal[word]) * GAMMA)
    return np.float64(seed >> np.uint64(11))


@rule
def choose(s: State, net: Net, work: Any, on: Features, actions: Any, values: Any, plan: Any, far: int) -> int:
    n = 0
    for word in range(len(s.legal)):
        for bit in range(64):
            if s.legal[word] >> bit & 1 and n < len(actions):
                actions[n] = 64 * word + bit
                values[n] = 1.0 / s.seats
                n += 1
    plan[0] = -1
    return n


@rule
def turns(s: State, net: Net, work: Any, on: Features, lines: Any, values: Any) -> int:
    actions, worths, plan = np.empty(64, np.int64), np.empty(64, np.float64), np.empty(1, np.int64)
    return single_moves(actions, worths, choose(s, net, work, on, actions, worths, plan, WIDE), lines, values)


@rule
def mistakes(s: State, level: int) -> float:
    return 1.0


@rule
def plausible(s: State, past: Any, rng: Stream) -> bool:
    return True


@rule
def afterstate(s: State, action: int, on: Features) -> int:
    return 0


@rule
def outlook(s: State, viewer: int, net: Net, work: Any, on: Features) -> float:
    return -1.0


@rule
def likes(s: State, action: int, style: int) -> float:
    return 0.0


@rule
def leans(s: State, style: int, level: int) -> tuple[float, float]:
    return 0.0, 1.0
