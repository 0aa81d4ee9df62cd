"""Judge lines of play for all seats at once, compiled and written once for all games.

A line is played in many worlds: what the viewer cannot know is dealt anew, and everyone plays on by the network, each
by its own knowledge. Each seat's chance is what the network says to that seat when it begins a turn of its own. It is
corrected for what the network flatters, and scaled so that the chances of all seats add up to 1. A game that ends
before counts its result.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.lookahead import best_of, deal_world, play_best, play_line
from tavolino.bots.search import play_out
from tavolino.bots.strategy import MAX_CHOICES, MAX_PLAN, choose, outlook
from tavolino.engine.dispatch import chance
from tavolino.engine.jit import count, rule
from tavolino.engine.kernels import MAX_SEATS, Ints, States, apply_shared
from tavolino.engine.maths import exp, log
from tavolino.engine.net import NEAR, WORK, Net
from tavolino.engine.rng import GAMMA, mix

Floats = NDArray[np.float64]

TURNS, ROUNDS, PLAY_OUT = range(3)
"""Entries of `how`: turns of each seat, or rounds, to play on; the quick policy of a game that has no network."""
EDGE = 1e-4


@rule
def corrected(word: float, level: float, slope: float) -> float:
    """Return the chance that stands behind what the network says (`bots.calibration`)."""
    word = min(max(word, EDGE), 1.0 - EDGE)
    return 1.0 / (1.0 + exp(-level - slope * log(word / (1.0 - word))))


@rule
def add_scaled(words: Any, out: Any, weight: float) -> None:
    """Add chances to `out`, scaled so that they add up to `weight`."""
    total = 0.0
    for word in words:
        total += word
    for seat in range(len(words)):
        out[seat] += weight * words[seat] / total


@rule
def chances_later(
    s: Any, mover: int, net: Net, work: Any, on: Any, room: Any, dice: Any, how: Ints, curve: Floats, out: Any
) -> None:
    """Play on from `s`, where `mover` has just played, and write the chance of each seat; they add up to 1.

    `curve` holds the level of each seat's correction, then the slope. `room` is (actions, values, plan, no trace).
    """
    actions, values, plan, nothing = room
    seats = len(out)
    words, heard = np.zeros(seats), np.zeros(seats, np.int64)
    out[:] = 0.0
    turns, rounds = how[TURNS], how[ROUNDS]
    last, told, begun = mover, 0, 0
    while s.over == 0:
        says = outlook(s, 0, net, work, on) if rounds > 0 else -1.0
        if says >= 0.0:
            words[0] = corrected(says, curve[0], curve[seats])
            for seat in range(1, seats):
                words[seat] = corrected(outlook(s, seat, net, work, on), curve[seat], curve[seats])
            add_scaled(words, out, 1.0 / rounds)
            begun += 1
            if begun == rounds:
                return
        legal = 0
        for word in range(len(s.legal)):
            legal |= s.legal[word]
        if legal == 0:
            apply_shared(s, chance(s, dice))
            continue
        best = best_of(values, choose(s, net, work, on, actions, values, plan, NEAR))
        me = s.player
        if rounds == 0 and me != last:
            heard[me] += 1
            if heard[me] == turns:
                words[me] = corrected(values[best], curve[me], curve[seats])
                told += 1
                if told == seats:
                    add_scaled(words, out, 1.0)
                    return
        last = me
        play_best(s, actions[best], plan, nothing, 0)
    add_result(s, out, (rounds - begun) / rounds if rounds > 0 else 1.0)


@rule
def add_result(s: Any, out: Any, weight: float) -> None:
    """Add the result of a game that is over, a shared win in equal shares."""
    for seat in range(len(out)):
        if s.winners >> seat & 1:
            out[seat] += weight / count(s.winners)


@rule
def judge_lines(
    states: States,
    past: States,
    scratch: States,
    viewer: int,
    net: Net,
    features: int,
    lines: Ints,
    chances: Floats,
    seed: np.uint64,
    first: int,
    how: Ints,
    curve: Floats,
) -> int:
    """Judge each of the lines in the worlds `first`, `first` + 1, …: chances[world, line, seat]; return the worlds.

    The same seed and number always make the same world. A line is a row of actions of the seat to move, filled up with
    -1; it may be empty. `past` is what `plausible` asks for, or empty.
    """
    work, on = np.empty(WORK, np.float32), np.empty(features, np.int32)
    nothing = np.empty(0, np.int64)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    room = (actions, values, np.empty(MAX_PLAN, np.int64), nothing)
    rng, dice, thrown = np.empty(1, np.uint64), np.empty(MAX_SEATS, np.uint64), np.empty(MAX_SEATS, np.uint64)
    mover = states[0].player
    for k in range(len(chances)):
        rng[0] = mix(seed + np.uint64(first + k) * GAMMA)
        deal_world(states, past, scratch, viewer, rng, dice)
        luck = rng[0]
        for i in range(len(lines)):
            scratch[1] = scratch[0]
            for seat in range(MAX_SEATS):
                thrown[seat] = dice[seat]
            s = scratch[1]
            last = -1 if lines[i, 0] < 0 else mover
            play_line(s, lines[i], nothing, 0)
            out = chances[k, i]
            if len(net) > 0:
                chances_later(s, last, net, work, on, room, thrown, how, curve, out)
            else:
                rng[0] = luck
                play_out(s, how[PLAY_OUT], 0.0, rng, thrown)
                out[:] = 0.0
                add_result(s, out, 1.0)
    return len(chances)
