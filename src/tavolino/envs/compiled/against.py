"""Games against bots that answer at once, compiled into the step: the learner has one seat, bots the others."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.policies import policy_action
from tavolino.engine.contract import State
from tavolino.engine.dispatch import apply, scores
from tavolino.engine.jit import rule
from tavolino.engine.kernels import Ints, States, is_legal
from tavolino.engine.net import Net
from tavolino.engine.rng import Stream, randint
from tavolino.envs.compiled.observe import observe, write_mask
from tavolino.envs.compiled.steps import Board, begin, forget, settle, share


class Others(NamedTuple):
    """Who sits in the other seats of a batch."""

    policies: Ints
    """Numbers of `policies.POLICIES` for the seats after the learner's, in turn order."""
    net: Net
    features: int
    seat: int
    """The learner's seat; -1: a random seat in each game."""
    seats: Ints
    """The learner's seat in each game."""
    final: NDArray[np.float32]
    """What the learner observed last in the previous game, one row per game."""


@rule
def bot_move(states: States, policy: int, net: Net, features: int, rng: Stream) -> int:
    """Return the move of a policy in states[0]."""
    return policy_action(states[0], policy, net, features, rng, rng)


@rule
def bot_batch(board: Board, policy: int, net: Net, features: int, actions: Ints) -> None:
    """Write the move of a policy for the seat to move in each game."""
    states, streams = board.states, board.streams
    for i in range(len(states)):
        actions[i] = policy_action(states[i], policy, net, features, streams[i], streams[i, 1:])


@rule
def answer(s: State, mine: int, others: Others, streams: Stream) -> None:
    """Let the others play until it is the learner's turn or the game is over."""
    while s.over == 0 and s.player != mine:
        after = s.player - mine
        policy = others.policies[(after if after > 0 else after + s.seats) - 1]
        apply(s, policy_action(s, policy, others.net, others.features, streams, streams[1:]))
        settle(s, streams[1:])


@rule
def begin_against(board: Board, setup: Ints, others: Others, i: int, game: int) -> None:
    """Deal game number `game` of row i and play until the learner's turn; if it ends before, deal another."""
    s, streams = board.states[i], board.streams[i]
    while True:
        begin(s, setup, i, game, streams)
        others.seats[i] = randint(streams, s.seats) if others.seat < 0 else others.seat
        answer(s, others.seats[i], others, streams)
        game += 1
        if s.over == 0:
            break
    board.played[i] = game
    board.moves[i] = 0
    board.observations[i] = 0


@rule
def begin_batch_against(board: Board, setup: Ints, others: Others, low: int, high: int) -> None:
    """Deal the games low … high − 1 of a batch."""
    for i in range(low, high):
        begin_against(board, setup, others, i, 0)
        forget(board, i)
        board.to_move[i] = others.seats[i]
        observe(board.states[i], others.seats[i], board.observations[i])
        write_mask(board.states[i], board.masks[i])


@rule
def step_batch_against(board: Board, setup: Ints, others: Others, actions: Ints, low: int, high: int) -> None:
    """Play the learner's action and the others' answers in each game; when a game ends, the next in its row begins.

    An illegal action ends the game, which counts as lost.
    """
    for i in range(low, high):
        s, seat = board.states[i], others.seats[i]
        legal = is_legal(s, actions[i])
        if legal:
            apply(s, actions[i])
            settle(s, board.streams[i, 1:])
            answer(s, seat, others, board.streams[i])
        board.moves[i] += 1
        if board.done[i]:
            board.rewards[i] = 0
            board.done[i] = False
        if s.over or not legal:
            board.done[i] = True
            scores(s, board.final_scores[i])
            board.final_moves[i] = board.moves[i]
            board.rewards[i, 0] = share(s, seat) if legal else -1.0
            others.final[i] = 0
            observe(s, seat, others.final[i])
            begin_against(board, setup, others, i, board.played[i])
        board.to_move[i] = others.seats[i]
        observe(board.states[i], others.seats[i], board.observations[i])
        write_mask(board.states[i], board.masks[i])
