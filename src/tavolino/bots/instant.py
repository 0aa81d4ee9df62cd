"""Players that answer at once, compiled: a number names the policy, so that one kernel serves them all."""

import numpy as np

from tavolino.bots.lookahead import best_of
from tavolino.bots.net import WORK, Net
from tavolino.bots.wisdom import MAX_CHOICES, choose, greedy, naive
from tavolino.games.jit import State, rule
from tavolino.games.kernels import States, random_action
from tavolino.games.rng import Stream

POLICIES = ("random", "naive", "greedy", "value")
RANDOM, NAIVE, GREEDY, VALUE = range(4)


@rule
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
    work, on = np.empty(WORK, np.float32), np.empty(features, np.int32)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    n = choose(s, net, work, on, actions, values)
    return actions[best_of(values, n)]


@rule
def policy_move(states: States, policy: int, net: Net, features: int, rng: Stream, dice: Stream) -> int:
    """Return the move of a policy in states[0]."""
    return policy_action(states[0], policy, net, features, rng, dice)
