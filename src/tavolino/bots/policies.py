"""Players that answer at once, compiled: a number names the policy, so that one kernel serves them all.

The number is the place of its name in POLICIES; with a style of play it is STYLE times the style's number higher.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.lookahead import best_of
from tavolino.bots.strategy import MAX_CHOICES, MAX_PLAN, choose, greedy, leans, mistakes, naive
from tavolino.bots.styles import lean, log_odds
from tavolino.engine.contract import State
from tavolino.engine.dispatch import scores
from tavolino.engine.jit import rule, shared
from tavolino.engine.kernels import (
    DICE_STREAM,
    MAX_SEATS,
    PLAYER_STREAM,
    Ints,
    States,
    apply_shared,
    deal_anew,
    random_action,
    seed_streams,
)
from tavolino.engine.maths import log
from tavolino.engine.net import WIDE, WORK, Net
from tavolino.engine.rng import Stream, next64, randint
from tavolino.engine.tiers import entry

POLICIES = ("random", "naive", "greedy", "value", "easy", "medium", "hard")
RANDOM, NAIVE, GREEDY, VALUE, EASY, MEDIUM, HARD = range(7)
STYLE = 8
UNIT, S11 = 2.0**-53, np.uint64(11)


@rule
def misjudged(values: Any, n: int, doubt: float, rng: Stream) -> int:
    """Return the index of a move, the likelier the better it is: as if each one's log odds were misjudged by chance.

    A move e times as likely to win, in odds, as another is played exp(1 / doubt) times as often. So what is nearly as
    good is played nearly as often, and a bad blunder is rare.
    """
    pick, best = 0, -1e300
    for i in range(n):
        luck = (np.float64(next64(rng) >> S11) + 0.5) * UNIT
        seems = log_odds(values[i]) - doubt * log(-log(luck))
        if seems > best:
            pick, best = i, seems
    return pick


@rule
def with_lapses(s: State, rng: Stream) -> int:
    """Return the move of the rule of thumb, or now and then one without a thought."""
    return naive(s, rng) if randint(rng, 1024) < 1024 * mistakes(s, 0) else greedy(s, rng)


@rule
def by_value(s: State, policy: int, net: Net, features: int, rng: Stream) -> int:
    """Return the move the network likes best; as MEDIUM or HARD perhaps another one."""
    work, on = np.empty(WORK, np.float32), np.empty(features, np.int32)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    plan = np.empty(MAX_PLAN, np.int64)
    n = choose(s, net, work, on, actions, values, plan, WIDE)
    style, level = policy // STYLE, policy % STYLE - EASY
    scale = 1.0
    if style > 0:
        lean(s, actions, values, n, style, level)
        scale = leans(s, style, level)[1]
    if policy == VALUE:
        return actions[best_of(values, n)]
    return actions[misjudged(values, n, scale * mistakes(s, level), rng)]


@shared
def policy_action(s: State, policy: int, net: Net, features: int, rng: Stream, dice: Stream) -> int:
    """Return the move of a policy for the seat to move, or what chance brings."""
    legal = 0
    for word in range(len(s.legal)):
        legal |= s.legal[word]
    if policy == RANDOM or legal == 0:
        return random_action(s, rng, dice)
    if policy == EASY:
        return with_lapses(s, rng)
    if policy == NAIVE:
        return naive(s, rng)
    if policy == GREEDY:
        return greedy(s, rng)
    return by_value(s, policy, net, features, rng)


@entry
@rule
def policy_move(states: States, policy: int, net: Net, features: int, rng: Stream) -> int:
    """Return the move of any policy in states[0]."""
    return policy_action(states[0], policy, net, features, rng, rng)


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
        deal_anew(s, deal_by[0], deal_by[1], deal_by[2:], streams)
        moves = 0
        while s.over == 0:
            policy = policies[s.player] if s.player >= 0 else RANDOM
            action = policy_action(s, policy, net, features, rng, dice)
            if moves < actions.shape[1]:
                actions[i, moves] = action
            apply_shared(s, action)
            moves += 1
        scores(s, score[i])
        length[i] = moves
        total += moves
    return total
