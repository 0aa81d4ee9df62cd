"""Looking ahead with a network, compiled and written once for all games.

Each of a few good moves or whole turns is tried in many worlds, the same ones for each: what the seat cannot know is
dealt anew, the line is played, the others answer, each with its own knowledge, until the seat has to decide again, and
the network says how good that is.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.net import WORK, Features, Net
from tavolino.bots.wisdom import MAX_CHOICES, NEAR, WIDE, choose, greedy
from tavolino.games.jit import count, rule
from tavolino.games.kernels import MAX_SEATS, Ints, States
from tavolino.games.protocol import apply, chance, redeal
from tavolino.games.rng import GAMMA, Stream, mix, next64


@rule
def best_of(values: Any, n: int) -> int:
    best = 0
    for i in range(1, n):
        if values[i] > values[best]:
            best = i
    return best


@rule
def weigh(states: States, net: Net, features: int, actions: Ints, values: NDArray[np.float64]) -> int:
    """List the moves worth playing in states[0] with their values by the network alone; return their number."""
    work = np.empty(WORK, np.float32)
    on = np.empty(features, np.int32)
    return choose(states[0], net, work, on, actions, values, WIDE)


@rule
def worth_later(
    s: Any, viewer: int, net: Net, work: Any, on: Features, actions: Any, values: Any, dice: Stream, thumb: bool
) -> float:
    """Play on until the viewer has to decide after the others; return its chance to win then, by the network.

    The viewer ends its turn by the network; so do the others, or by the rule of thumb with `thumb`.
    """
    others = False
    while s.over == 0:
        legal = 0
        for word in range(len(s.legal)):
            legal |= s.legal[word]
        if legal == 0:
            apply(s, chance(s, dice))
            continue
        mine = s.player == viewer
        if thumb and not mine:
            apply(s, greedy(s, dice))
        else:
            best = best_of(values, choose(s, net, work, on, actions, values, NEAR))
            if mine and others:
                return values[best]
            apply(s, actions[best])
        others = others or not mine
    return 1.0 / count(s.winners) if s.winners >> viewer & 1 else 0.0


@rule
def try_lines(
    states: States,
    scratch: States,
    net: Net,
    features: int,
    lines: Ints,
    sums: NDArray[np.float64],
    seed: np.uint64,
    worlds: Ints,
    thumb: bool,
    stop: Ints,
) -> int:
    """Try each of the lines in the worlds worlds[0] to worlds[1] − 1, adding to `sums`; return how many were done.

    A line is a row of actions of the seat to move, filled up with -1.
    """
    work = np.empty(WORK, np.float32)
    on = np.empty(features, np.int32)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    rng, dice, thrown = np.empty(1, np.uint64), np.empty(MAX_SEATS, np.uint64), np.empty(MAX_SEATS, np.uint64)
    viewer = states[0].player
    for world in range(worlds[0], worlds[1]):
        if stop[0]:
            return world - worlds[0]
        rng[0] = mix(seed + np.uint64(world) * GAMMA)
        for seat in range(MAX_SEATS):
            dice[seat] = next64(rng)
        scratch[0] = states[0]
        redeal(scratch[0], viewer, rng)
        for i in range(len(lines)):
            scratch[1] = scratch[0]
            thrown[:] = dice
            for action in lines[i]:
                if action >= 0:
                    apply(scratch[1], action)
            sums[i] += worth_later(scratch[1], viewer, net, work, on, actions, values, thrown, thumb)
    return worlds[1] - worlds[0]
