"""Looking ahead with a network, compiled and written once for all games.

Each of a few good moves or whole turns is tried in many worlds, the same ones for each: what the seat cannot know is
dealt anew, the line is played, all play on by the network, each with its own knowledge, and after some decisions of the
seat the network says how good that is. In a game of rounds what it says at the beginning of each of some counts.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.strategy import MAX_CHOICES, MAX_PLAN, choose, outlook, plausible, turns
from tavolino.engine.dispatch import chance
from tavolino.engine.jit import count, rule, shared
from tavolino.engine.kernels import MAX_SEATS, Ints, States, apply_shared, redeal_shared
from tavolino.engine.net import NEAR, WIDE, WORK, Features, Net
from tavolino.engine.rng import GAMMA, Stream, mix, next64
from tavolino.engine.tiers import entry

TURNS, ROUNDS = range(2)  # entries of `how`: how far to look ahead
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
def noted(trace: Any, n: int, action: int) -> int:
    """Write an action at trace[n] if there is room; return how many are written then."""
    if n >= len(trace):
        return n
    trace[n] = action
    return n + 1


@rule
def play_line(s: Any, line: Any, trace: Any, n: int) -> int:
    """Play a line of the seat to move, as far as the turn goes; note its actions from trace[n] on, return their end."""
    me = s.player
    for action in line:
        if action < 0 or s.player != me:
            break
        n = noted(trace, n, action)
        apply_shared(s, action)
    return n


@rule
def play_best(s: Any, action: int, plan: Any, trace: Any, n: int) -> int:
    """Play the best action that `choose` found, and the rest of its turn if there is a plan; note what was played."""
    if plan[0] >= 0:
        return play_line(s, plan, trace, n)
    n = noted(trace, n, action)
    apply_shared(s, action)
    return n


@entry
@rule
def weigh(states: States, net: Net, features: int, actions: Ints, values: NDArray[np.float64]) -> int:
    """List the moves worth playing in states[0] with their values by the network alone; return their number."""
    work = np.empty(WORK, np.float32)
    on, plan = np.empty(features, np.int32), np.empty(MAX_PLAN, np.int64)
    return choose(states[0], net, work, on, actions, values, plan, WIDE)


@entry
@rule
def best_lines(states: States, net: Net, features: int, lines: Ints, values: NDArray[np.float64]) -> int:
    """List the lines that the network likes best in states[0], its favourite first; return their number."""
    work, on = np.empty(WORK, np.float32), np.empty(features, np.int32)
    return turns(states[0], net, work, on, lines, values)


@rule
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
    """Play on by the network, as `play_on` does; return the viewer's chance then."""
    return play_on(s, viewer, net, work, on, actions, values, plan, dice, how, np.empty(0, np.int32), 0)


@shared
def play_on(
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
    trace: Any,
    n: int,
) -> float:
    """Play on by the network until the viewer has decided how[TURNS] times after the others; return its chance then.

    Or play goes on until how[ROUNDS] rounds have begun, and the mean of what the network says at each is returned; a
    game that ends before counts its result for those that are missing. What is played is noted from trace[n] on.
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
            action = chance(s, dice)
            n = noted(trace, n, action)
            apply_shared(s, action)
            continue
        best = best_of(values, choose(s, net, work, on, actions, values, plan, NEAR))
        if s.player != viewer:
            others = True
        elif others:
            decided += 1
            if decided == how[TURNS]:
                return values[best]
            others = False
        n = play_best(s, actions[best], plan, trace, n)
    result = 1.0 / count(s.winners) if s.winners >> viewer & 1 else 0.0
    return result if rounds == 0 else (total + (rounds - begun) * result) / rounds


@shared
def deal_world(states: States, past: States, scratch: States, viewer: int, rng: Stream, dice: Stream) -> None:
    """Draw each seat's dice, and deal anew into scratch[0] what a viewer cannot know, until that is plausible.

    `past` is what `plausible` asks for, or empty: then any world will do.
    """
    for seat in range(MAX_SEATS):
        dice[seat] = next64(rng)
    for _ in range(LOTS):
        scratch[0] = states[0]
        redeal_shared(scratch[0], viewer, rng)
        if len(past) == 0 or plausible(scratch[0], past, rng):
            break


@rule
def try_lines(
    states: States,
    past: States,
    scratch: States,
    net: Net,
    features: int,
    lines: Ints,
    worths: NDArray[np.float64],
    seed: np.uint64,
    first: int,
    how: Ints,
    stop: Ints,
    traces: Any,
) -> int:
    """Try each of the lines in the worlds `first`, `first` + 1, …: a row of `worths` each; return how many were done.

    The same seed and number always make the same world, so the work can be cut into slices and shared among threads.
    `past` is what `plausible` asks for, or empty. traces[world, line] gets the actions played there, as far as there is
    room, and scratch[2 + world] the world as it was before them; both may have no room at all.
    """
    work = np.empty(WORK, np.float32)
    on = np.empty(features, np.int32)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    plan = np.empty(MAX_PLAN, np.int64)
    rng, dice, thrown = np.empty(1, np.uint64), np.empty(MAX_SEATS, np.uint64), np.empty(MAX_SEATS, np.uint64)
    viewer = states[0].player
    for k in range(len(worths)):
        if stop[0]:
            return k
        rng[0] = mix(seed + np.uint64(first + k) * GAMMA)
        deal_world(states, past, scratch, viewer, rng, dice)
        if 2 + k < len(scratch):
            scratch[2 + k] = scratch[0]
        for i in range(len(lines)):
            scratch[1] = scratch[0]
            for seat in range(MAX_SEATS):
                thrown[seat] = dice[seat]
            trace = traces[min(k, len(traces) - 1), i]
            n = play_line(scratch[1], lines[i], trace, 0)
            worths[k, i] = play_on(scratch[1], viewer, net, work, on, actions, values, plan, thrown, how, trace, n)
    return len(worths)
