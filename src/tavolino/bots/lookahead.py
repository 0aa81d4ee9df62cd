"""Looking ahead with a network, compiled and written once for all games.

Each of a few good moves or whole turns is tried in many worlds, the same ones for each: what the seat cannot know is
dealt anew, the line is played, the others answer, each with its own knowledge, until the seat has to decide again, and
the network says how good that is. A game of rounds goes on for a few of them; what the network says at each counts.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.strategy import MAX_CHOICES, MAX_PLAN, answer, choose, outlook, plausible
from tavolino.engine.dispatch import apply, chance, redeal
from tavolino.engine.jit import count, rule, shared
from tavolino.engine.kernels import MAX_SEATS, Ints, States
from tavolino.engine.net import NEAR, WIDE, WORK, Features, Net
from tavolino.engine.rng import GAMMA, Stream, mix, next64
from tavolino.engine.tiers import entry

THUMB, TURNS, ROUNDS = range(3)  # entries of `how`: how to look ahead
LOTS = 30
"""How many worlds are drawn in search of a plausible one."""


@rule
def best_of(values: Any, n: int) -> int:
    best = 0
    for i in range(1, n):
        if values[i] > values[best]:
            best = i
    return best


@rule
def play_best(s: Any, action: int, plan: Any) -> None:
    """Play the best action that `choose` found, and the rest of its turn if there is a plan."""
    if plan[0] < 0:
        apply(s, action)
        return
    me = s.player
    for planned in plan:
        if planned < 0 or s.player != me:
            return
        apply(s, planned)


@entry
@rule
def weigh(states: States, net: Net, features: int, actions: Ints, values: NDArray[np.float64]) -> int:
    """List the moves worth playing in states[0] with their values by the network alone; return their number."""
    work = np.empty(WORK, np.float32)
    on, plan = np.empty(features, np.int32), np.empty(MAX_PLAN, np.int64)
    return choose(states[0], net, work, on, actions, values, plan, WIDE)


@shared
def worth_later(
    s: Any,
    viewer: int,
    net: Net,
    work: Any,
    on: Features,
    actions: Any,
    values: Any,
    plan: Any,
    dice: Stream,
    how: Ints,
) -> float:
    """Play on until the viewer has decided so many times after the others; return its chance to win then.

    The viewer plays by the network; so do the others, or by the rule of thumb: how[THUMB]. There are how[TURNS]
    decisions. Or play goes on until how[ROUNDS] rounds have begun, and the mean of what the network says at each is
    returned; a game that ends before counts its result for those that are missing.
    """
    others, decided, begun, total = False, 0, 0, 0.0
    rounds = how[ROUNDS]
    while s.over == 0:
        if rounds > 0:
            says = outlook(s, viewer, net, work, on)
            if says >= 0.0:
                total += says
                begun += 1
                if begun == rounds:
                    return total / rounds
        legal = 0
        for word in range(len(s.legal)):
            legal |= s.legal[word]
        if legal == 0:
            apply(s, chance(s, dice))
            continue
        mine = s.player == viewer
        if how[THUMB] and not mine:
            apply(s, answer(s, dice))
        else:
            best = best_of(values, choose(s, net, work, on, actions, values, plan, NEAR))
            if mine and others:
                decided += 1
                if decided == how[TURNS]:
                    return values[best]
                others = False
            play_best(s, actions[best], plan)
        others = others or not mine
    result = 1.0 / count(s.winners) if s.winners >> viewer & 1 else 0.0
    return result if rounds == 0 else (total + (rounds - begun) * result) / rounds


@rule
def try_lines(
    states: States,
    past: States,
    scratch: States,
    net: Net,
    features: int,
    lines: Ints,
    sums: NDArray[np.float64],
    seed: np.uint64,
    worlds: Ints,
    how: Ints,
    stop: Ints,
) -> int:
    """Try each of the lines in the worlds worlds[0] to worlds[1] − 1, adding to `sums`; return how many were done.

    A line is a row of actions of the seat to move, filled up with -1. `past` is what `plausible` asks for, or empty.
    """
    work = np.empty(WORK, np.float32)
    on = np.empty(features, np.int32)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    plan = np.empty(MAX_PLAN, np.int64)
    rng, dice, thrown = np.empty(1, np.uint64), np.empty(MAX_SEATS, np.uint64), np.empty(MAX_SEATS, np.uint64)
    viewer = states[0].player
    for world in range(worlds[0], worlds[1]):
        if stop[0]:
            return world - worlds[0]
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
            sums[i] += worth_later(scratch[1], viewer, net, work, on, actions, values, plan, thrown, how)
    return worlds[1] - worlds[0]
