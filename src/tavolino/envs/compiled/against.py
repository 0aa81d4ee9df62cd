"""Games against bots, compiled into the step as far as they answer at once: the learner has one seat, they the others.

Where an opponent is a function of the caller's own, a game waits for it: `Others.waiting` says for which one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.policies import policy_action
from tavolino.engine.dispatch import apply, scores
from tavolino.engine.jit import rule, shared
from tavolino.engine.kernels import Ints, States, apply_shared, is_legal
from tavolino.engine.net import Net
from tavolino.engine.observe import rules_action, shown_action, write_mask, write_observation
from tavolino.engine.rng import Stream, randint
from tavolino.envs.compiled.steps import VERSION, Board, begin, forget, settle, share

OWN_FUNCTION = -1
"""Stands in `Others.policies` for an opponent that is a function of the caller's."""
SAME_STEP, NEXT_STEP, DISABLED = range(3)
"""When the next game begins after one has ended; the last: when the caller says so."""


class Others(NamedTuple):
    """Who sits in the other seats of a batch."""

    policies: Ints
    """Numbers of `policies.POLICIES`, or OWN_FUNCTION, for the seats after the learner's, in turn order."""
    net: Net
    features: int
    seat: int
    """The learner's seat; -1: a random seat in each game."""
    autoreset: int
    seats: Ints
    """The learner's seat in each game."""
    final: NDArray[np.float32]
    """What the learner observed last in the previous game, one row per game."""
    waiting: Ints
    """The opponent, a function, that is to move in each game, counted from 0; -1: none is."""
    turns: Ints
    """How often the learner has moved in each game."""


@rule
def bot_move(states: States, policy: int, net: Net, features: int, version: int, rng: Stream) -> int:
    """Return the move of a policy in states[0]."""
    return shown_action(states[0], policy_action(states[0], policy, net, features, rng, rng), version)


@rule
def bot_batch(
    board: Board, policy: int, net: Net, features: int, version: int, actions: Ints, low: int, high: int
) -> None:
    """Write the move of a policy for the seat to move in each of the games low … high − 1."""
    states, streams = board.states, board.streams
    for i in range(low, high):
        action = policy_action(states[i], policy, net, features, streams[i], streams[i, 1:])
        actions[i] = shown_action(states[i], action, version)


@rule
def answer(board: Board, others: Others, i: int) -> None:
    """Let the others play until it is the turn of the learner or of a function, or the game is over."""
    s, streams, mine = board.states[i], board.streams[i], others.seats[i]
    others.waiting[i] = -1
    while s.over == 0 and s.player != mine:
        after = s.player - mine
        other = (after if after > 0 else after + s.seats) - 1
        if others.policies[other] == OWN_FUNCTION:
            others.waiting[i] = other
            return
        apply_shared(s, policy_action(s, others.policies[other], others.net, others.features, streams, streams[1:]))
        settle(s, streams[1:])
        board.moves[i] += 1


@shared
def begin_against(board: Board, setup: Ints, others: Others, i: int) -> None:
    """Deal the next game of row i and let the others play; if it ends before the learner's turn, deal another."""
    s, streams = board.states[i], board.streams[i]
    while True:
        begin(s, setup, i, board.played[i], streams)
        board.played[i] += 1
        board.moves[i] = 0
        board.observations[i] = 0
        others.turns[i] = 0
        others.seats[i] = randint(streams, s.seats) if others.seat < 0 else others.seat
        answer(board, others, i)
        if s.over == 0:
            return


@rule
def show(board: Board, version: int, others: Others, i: int) -> None:
    """Show row i to the learner, or, while it waits for a function, to that one's seat."""
    s = board.states[i]
    seat = s.player if others.waiting[i] >= 0 else others.seats[i]
    board.to_move[i] = seat
    write_observation(s, seat, version, board.observations[i])
    write_mask(s, version, board.masks[i])


@rule
def begin_batch_against(board: Board, setup: Ints, others: Others, low: int, high: int) -> None:
    """Deal the games low … high − 1 of a batch."""
    for i in range(low, high):
        board.played[i] = 0
        begin_against(board, setup, others, i)
        forget(board, i)
        show(board, setup[VERSION], others, i)


@rule
def end_against(board: Board, setup: Ints, others: Others, i: int, legal: bool) -> None:
    """Write the result of row i's game; with SAME_STEP, begin the next."""
    s, seat = board.states[i], others.seats[i]
    board.done[i] = True
    scores(s, board.final_scores[i])
    board.final_moves[i] = board.moves[i]
    board.rewards[i, 0] = share(s, seat) if legal else -1.0
    others.final[i] = 0
    write_observation(s, seat, setup[VERSION], others.final[i])
    others.waiting[i] = -1
    if others.autoreset == SAME_STEP:
        begin_against(board, setup, others, i)
    else:
        for word in range(len(s.legal)):
            s.legal[word] = 0  # also after an illegal action


@rule
def step_batch_against(board: Board, setup: Ints, others: Others, actions: Ints, low: int, high: int) -> None:
    """Play the learner's action and the others' answers in each game; what follows a game's end, `autoreset` says.

    An illegal action ends the game, which counts as lost. With NEXT_STEP, the action for a game that has ended is
    ignored and the next begins.
    """
    for i in range(low, high):
        s = board.states[i]
        begins = board.done[i] and others.autoreset == NEXT_STEP
        if board.done[i]:
            board.rewards[i] = 0
            board.done[i] = False
        if begins:
            begin_against(board, setup, others, i)
        else:
            action = rules_action(s, actions[i], setup[VERSION])
            legal = is_legal(s, action)
            if legal:
                apply(s, action)
                settle(s, board.streams[i, 1:])
                board.moves[i] += 1
                others.turns[i] += 1
                answer(board, others, i)
            if s.over or not legal:
                end_against(board, setup, others, i, legal)
        show(board, setup[VERSION], others, i)


@rule
def go_on_against(board: Board, setup: Ints, others: Others, rows: Ints, actions: Ints) -> int:
    """Play the actions of functions in rows that wait for them; return the first whose action is illegal, or -1."""
    for k in range(len(rows)):
        i = rows[k]
        s = board.states[i]
        action = rules_action(s, actions[k], setup[VERSION])
        if not is_legal(s, action):
            return k
        apply_shared(s, action)
        settle(s, board.streams[i, 1:])
        board.moves[i] += 1
        answer(board, others, i)
        if s.over:
            if others.turns[i] == 0:  # a game in which the learner had no turn
                begin_against(board, setup, others, i)
            else:
                end_against(board, setup, others, i, True)
        show(board, setup[VERSION], others, i)
    return -1
