"""Learning from games against oneself, compiled and written once for all games.

A network plays all seats, or all but one are an earlier self's or a guest's. What it left after each of its decisions
is a position to learn, its target the λ-return: in part how the game ended, in part what it thought a turn later.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.lookahead import best_of, play_best
from tavolino.bots.strategy import MAX_CHOICES, MAX_PLAN, afterstate, answer, choose, naive
from tavolino.engine.dispatch import chance
from tavolino.engine.jit import count, rule, wide
from tavolino.engine.kernels import (
    DICE_STREAM,
    MAX_SEATS,
    PLAYER_STREAM,
    Ints,
    States,
    apply_shared,
    deal_anew,
    seed_streams,
)
from tavolino.engine.net import NEAR, WORK, Net, forward, learn
from tavolino.engine.rng import randint

EPSILON, GUESTS, LEAGUE, LAMBDA = range(4)  # entries of `how`: shares of moves and games, and λ
MOST = 400  # positions of a game, at most


@rule
def play_and_note(
    states: States,
    net: Net,
    past: NDArray[np.float32],
    deal_by: Ints,
    seed: np.uint64,
    games: Ints,
    how: NDArray[np.float64],
    on: NDArray[np.int32],
    length: NDArray[np.int32],
    target: NDArray[np.float32],
) -> int:
    """Play the games games[0] to games[1] − 1 of a batch; note positions and their targets; return how many.

    `how` says how many moves are random, in how many games all seats but one are taken by guests (greedy, or in a
    quarter of those games naive), in how many of the others by one of the networks of `past`: who only meets itself
    learns nothing of other ways to play. Only what the learning network plays is noted.
    `deal_by` holds the number of seats, then the codes of the options. Stops early when there is no room for another
    game's positions.
    """
    streams = np.empty(DICE_STREAM + MAX_SEATS, np.uint64)
    rng, dice = streams[PLAYER_STREAM:], streams[DICE_STREAM:]
    work = np.empty(WORK, np.float32)
    features = np.empty(on.shape[1], np.int32)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    plan, untold = np.empty(MAX_PLAN, np.int64), np.empty(0, np.int32)
    last = np.empty(MAX_SEATS, np.int64)  # each seat's latest position, the ones before linked by `before`
    room = len(target)
    before, worth = np.empty(room, np.int64), np.empty(room, np.float64)
    noted = 0
    seats = deal_by[0]
    s = states[0]
    for game in range(games[0], games[1]):
        if noted + MOST > room:
            break
        begin = noted
        seed_streams(streams, seed, game)
        deal_anew(s, seats, -1, deal_by[1:], streams)
        last[:] = -1
        others, beginners, rival = 0, False, -1
        if randint(rng, 1024) < 1024 * how[GUESTS]:
            others = (1 << seats) - 1 & ~(1 << randint(rng, seats))
            beginners = randint(rng, 4) == 0
        elif len(past) > 0 and randint(rng, 1024) < 1024 * how[LEAGUE]:
            others = (1 << seats) - 1 & ~(1 << randint(rng, seats))
            rival = randint(rng, len(past))
        while s.over == 0:
            legal = 0
            for word in range(len(s.legal)):
                legal += count(s.legal[word])
            if legal == 0:
                apply_shared(s, chance(s, dice))
                continue
            if others >> s.player & 1:
                if rival >= 0:
                    n = choose(s, past[rival], work, features, actions, values, plan, NEAR)
                    play_best(s, actions[best_of(values, n)], plan, untold, 0)
                else:
                    apply_shared(s, naive(s, rng) if beginners else answer(s, rng))
                continue
            n = choose(s, net, work, features, actions, values, plan, NEAR)
            pick = best_of(values, n)
            astray = n > 1 and randint(rng, 1024) < 1024 * how[EPSILON]
            if astray:
                pick = randint(rng, n)
            if astray or plan[0] < 0:
                plan[0], plan[1] = actions[pick], -1
            me = s.player
            for step in range(MAX_PLAN):
                action = wide(plan[step])
                if action < 0 or s.player != me:
                    break
                size = afterstate(s, action, features)
                if size > 0 and noted < room:
                    for i in range(size):
                        on[noted, i] = features[i]
                    length[noted] = size
                    worth[noted] = forward(net, features, size, work)
                    before[noted] = last[me]
                    last[me] = noted
                    noted += 1
                apply_shared(s, action)
        share = 1.0 / count(s.winners)
        for seat in range(seats):
            goal = share if s.winners >> seat & 1 else 0.0
            at = last[seat]
            while at >= begin:
                target[at] = goal
                goal = how[LAMBDA] * goal + (1.0 - how[LAMBDA]) * worth[at]
                at = before[at]
    return noted


@rule
def learn_all(
    net: Net, on: NDArray[np.int32], length: NDArray[np.int32], target: NDArray[np.float32], n: int, rate: float
) -> float:
    """Learn every position once, in order; return the mean squared error there was."""
    work = np.empty(WORK, np.float32)
    total = 0.0
    for i in range(n):
        error = target[i] - learn(net, on[i], length[i], target[i], rate, work)
        total += error * error
    return total / max(n, 1)


def room_for(positions: int, active: int) -> tuple[Any, Any, Any]:
    """Return arrays for so many positions with at most so many features on."""
    return (
        np.zeros((positions, active), np.int32),
        np.zeros(positions, np.int32),
        np.zeros(positions, np.float32),
    )
