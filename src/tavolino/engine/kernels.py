"""Compiled loops, written once for all games: single steps for Python, random play, batches.

Python calls these with an array of states and an index: a tenth of the cost of passing a record.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import State
from tavolino.engine.dispatch import apply, chance, deal, redeal, scores, start
from tavolino.engine.jit import count, nth, rule, shared
from tavolino.engine.rng import GAMMA, Stream, below, mix
from tavolino.engine.states import clear
from tavolino.engine.tiers import entry

States = NDArray[Any]
Ints = NDArray[np.int64]

MAX_SEATS, MAX_STREAMS = 5, 16
PLAYER_STREAM, DICE_STREAM = MAX_STREAMS, MAX_STREAMS + 1  # numbers of streams, after those of the deal


@shared
def deal_anew(s: State, seats: int, first: int, options: Ints, streams: Stream) -> None:
    """Deal and start a game in a state that may still hold another: compiled once for all that call it."""
    clear(s)
    deal(s, seats, first, options, streams)


@shared
def apply_shared(s: State, action: int) -> None:
    """Play an action: compiled once for all that call it, where some nanoseconds more per move do not matter."""
    apply(s, action)


@shared
def redeal_shared(s: State, viewer: int, rng: Stream) -> None:
    """Deal anew what `viewer` cannot know: compiled once for all that call it."""
    redeal(s, viewer, rng)


@entry
@rule
def deal_one(states: States, seats: int, first: int, options: Ints, streams: Stream) -> None:
    deal_anew(states[0], seats, first, options, streams)


@entry
@rule
def start_one(states: States, seats: int, first: int) -> None:
    start(states[0], seats, first)


@entry
@rule
def apply_one(states: States, action: int) -> None:
    apply_shared(states[0], action)


@entry
@rule
def chance_one(states: States, streams: Stream) -> int:
    return chance(states[0], streams)


@entry
@rule
def scores_one(states: States, out: Ints) -> None:
    scores(states[0], out)


@entry
@rule
def redeal_one(states: States, viewer: int, rng: Stream) -> None:
    redeal_shared(states[0], viewer, rng)


@rule
def is_legal(s: State, action: int) -> bool:
    """Tell whether the seat to move may play an action, which can be any number."""
    word = action >> 6
    return 0 <= word < len(s.legal) and s.legal[word] >> (action & 63) & 1 == 1


@entry
@rule
def play_all(states: States, actions: Ints, rolled: int, movers: Ints) -> int:
    """Play actions in order; return how many were played: all, or those before the first that is not legal.

    Actions from `rolled` up are rolls: they must be due, so no move may be legal and the game not over. Writes who made
    each move.
    """
    s = states[0]
    for i in range(len(actions)):
        if actions[i] >= rolled:
            due = s.over == 0
            for word in range(len(s.legal)):
                due = due and s.legal[word] == 0
            if not due:
                return i
        elif not is_legal(s, actions[i]):
            return i
        movers[i] = s.player
        apply_shared(s, actions[i])
    return len(actions)


@rule
def random_action(s: State, rng: Stream, dice: Stream) -> int:
    """Return a random legal action, or an outcome of chance if that is due."""
    n = 0
    for word in range(len(s.legal)):
        n += count(s.legal[word])
    if n == 0:
        return chance(s, dice)
    coming = rng[0] + GAMMA  # stored at the end, so that nothing is counted twice: it could be in the state, for LLVM
    k = below(mix(coming), n)
    word, before, so_far = 0, 0, 0
    for i in range(len(s.legal) - 1):  # without a branch: nothing foretells which word it is
        so_far += count(s.legal[i])
        word = i + 1 if k >= so_far else word
        before = so_far if k >= so_far else before
    rng[0] = coming
    return 64 * word + nth(s.legal[word], k - before)


@rule
def seed_streams(streams: Stream, seed: np.uint64, game: int) -> None:
    """Seed every stream of a game in a batch; streams of different seeds, games and names are unrelated."""
    base = mix(mix(seed + GAMMA) ^ np.uint64(game))
    for k in range(len(streams)):
        streams[k] = mix(base + np.uint64(k) * GAMMA)


@entry
@rule
def deal_of_batch(states: States, seats: int, first: int, options: Ints, seed: np.uint64, game: int) -> None:
    """Deal a game of a batch, as `random_games` does."""
    streams = np.empty(DICE_STREAM + MAX_SEATS, np.uint64)
    seed_streams(streams, seed, game)
    deal_anew(states[0], seats, first, options, streams)


@entry
@rule
def random_games(
    states: States,
    seats: int,
    first: int,
    options: Ints,
    seed: np.uint64,
    begin: int,
    score: Ints,
    length: Ints,
    actions: NDArray[np.int32],
) -> int:
    """Play the games begin, begin + 1, … of a batch at random, one in each state; return the number of moves.

    Writes each game's scores and length, and as many of its actions as there is room for (`actions` may have no
    columns).
    """
    streams = np.empty(DICE_STREAM + MAX_SEATS, np.uint64)
    rng = streams[PLAYER_STREAM:]
    dice = streams[DICE_STREAM:]
    total = 0
    for i in range(len(states)):
        s = states[i]
        seed_streams(streams, seed, begin + i)
        deal_anew(s, seats, first, options, streams)
        moves = 0
        while s.over == 0:
            action = random_action(s, rng, dice)
            if moves < actions.shape[1]:
                actions[i, moves] = action
            apply(s, action)
            moves += 1
        scores(s, score[i])
        length[i] = moves
        total += moves
    return total
