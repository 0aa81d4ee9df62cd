"""Players that answer at once, compiled: a number names the policy, so that one kernel serves them all."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.lookahead import best_of
from tavolino.bots.strategy import MAX_CHOICES, MAX_PLAN, choose, enough, greedy, naive
from tavolino.engine.contract import State
from tavolino.engine.dispatch import apply, deal, scores
from tavolino.engine.jit import rule, shared
from tavolino.engine.kernels import DICE_STREAM, MAX_SEATS, PLAYER_STREAM, Ints, States, random_action, seed_streams
from tavolino.engine.net import WIDE, WORK, Net
from tavolino.engine.rng import Stream, randint
from tavolino.engine.tiers import entry

POLICIES = ("random", "naive", "greedy", "value", "hard")
RANDOM, NAIVE, GREEDY, VALUE, HARD = range(5)


@rule
def near_best(values: Any, n: int, enough: float, rng: Stream) -> int:
    """Return the index of a move whose odds are enough, as a part of the best one's; all of those equally likely."""
    best = values[best_of(values, n)]
    pick, near = 0, 0
    for i in range(n):
        if values[i] * (1.0 - best) >= enough * best * (1.0 - values[i]):
            near += 1
            if randint(rng, near) == 0:
                pick = i
    return pick


@rule
def by_value(s: State, policy: int, net: Net, features: int, rng: Stream) -> int:
    """Return the move the network likes best, or with HARD one that it likes nearly as well."""
    work, on = np.empty(WORK, np.float32), np.empty(features, np.int32)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    plan = np.empty(MAX_PLAN, np.int64)
    n = choose(s, net, work, on, actions, values, plan, WIDE)
    return actions[near_best(values, n, enough(s), rng) if policy == HARD else best_of(values, n)]


@shared
def policy_action(s: State, policy: int, net: Net, features: int, rng: Stream, dice: Stream) -> int:
    """Return the move of a policy for the seat to move, or what chance brings."""
    legal = 0
    for word in range(len(s.legal)):
        legal |= s.legal[word]
    if policy == RANDOM or legal == 0:
        return random_action(s, rng, dice)
    if policy == NAIVE:
        return naive(s, rng)
    if policy == GREEDY:
        return greedy(s, rng)
    return by_value(s, policy, net, features, rng)


@entry
@rule
def random_move(states: States, rng: Stream) -> int:
    """Return a random move in states[0]."""
    return random_action(states[0], rng, rng)


@entry
@rule
def naive_move(states: States, rng: Stream) -> int:
    """Return the naive move in states[0]."""
    return naive(states[0], rng)


@entry
@rule
def greedy_move(states: States, rng: Stream) -> int:
    """Return the greedy move in states[0]."""
    return greedy(states[0], rng)


@entry
@rule
def value_move(states: States, policy: int, net: Net, features: int, rng: Stream) -> int:
    """Return the move of `value` or `hard` in states[0]."""
    return by_value(states[0], policy, net, features, rng)


@rule
def policy_games(
    states: States,
    deal_by: Ints,
    policies: Ints,
    net: Net,
    features: int,
    seed: np.uint64,
    begin: int,
    score: Ints,
    length: Ints,
    actions: NDArray[np.int32],
) -> int:
    """Play games like `kernels.random_games`, each seat by its own policy; the same deals and dice as there.

    `deal_by` holds the number of seats, who starts (-1: a random seat), then the codes of the options.
    """
    streams = np.empty(DICE_STREAM + MAX_SEATS, np.uint64)
    rng, dice = streams[PLAYER_STREAM:], streams[DICE_STREAM:]
    total = 0
    for i in range(len(states)):
        s = states[i]
        seed_streams(streams, seed, begin + i)
        deal(s, deal_by[0], deal_by[1], deal_by[2:], streams)
        moves = 0
        while s.over == 0:
            policy = policies[s.player] if s.player >= 0 else RANDOM
            action = policy_action(s, policy, net, features, rng, dice)
            if moves < actions.shape[1]:
                actions[i, moves] = action
            apply(s, action)
            moves += 1
        scores(s, score[i])
        length[i] = moves
        total += moves
    return total
