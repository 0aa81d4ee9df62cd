"""Steps of one game and of a batch: play an action, resolve chance, tell who is to move and what it may do.

Game i of a batch has streams of its own, seeded by its number: neither the size of the batch nor threads change it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import State
from tavolino.engine.dispatch import apply, chance, deal, scores
from tavolino.engine.jit import count, lowest, rule
from tavolino.engine.kernels import (
    DICE_STREAM,
    MAX_SEATS,
    PLAYER_STREAM,
    Ints,
    States,
    is_legal,
    random_action,
    seed_streams,
)
from tavolino.engine.rng import GAMMA, Stream, mix
from tavolino.engine.rows import borrow
from tavolino.envs.compiled.observe import observe, write_mask

STREAMS = 1 + MAX_SEATS
"""The random streams of a game in play: entry 0 for players, then one for each seat's dice."""
Streams = NDArray[np.uint64]


class Board(NamedTuple):
    """The arrays of a batch, one row per game, overwritten in place."""

    states: States
    streams: Streams
    played: Ints
    """How many games this row has begun, including the one in play."""
    moves: Ints
    """Moves in the game in play, not counting chance."""
    observations: NDArray[np.float32]
    masks: NDArray[np.uint64]
    to_move: Ints
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    final_scores: Ints
    final_moves: Ints


@rule
def share(s: State, seat: int) -> float:
    """Return a seat's reward for a finished game: 1 for winning alone; the rewards of all seats sum to 0."""
    if not s.winners >> seat & 1:
        return -1.0 / (s.seats - 1)
    return (s.seats / count(s.winners) - 1.0) / (s.seats - 1)


@rule
def waits(s: State) -> bool:
    """Tell whether chance is due: nobody can move, and the game is not over."""
    legal = 0
    for word in range(len(s.legal)):
        legal |= s.legal[word]
    return legal == 0 and s.over == 0


@rule
def settle(s: State, dice: Stream) -> None:
    """Resolve chance until a seat can move or the game is over."""
    while waits(s):
        apply(s, chance(s, dice))


@rule
def deal_row(s: State, setup: Ints, row: int, game: int, streams: Stream) -> None:
    """Deal a row's game number `game`.

    `setup` has the seats, who starts (-1: a random seat), the seed's bits, then the codes of the options. Game 0 of a
    row is what `kernels.random_games` deals with this seed.
    """
    seed = np.uint64(setup[2])
    if game > 0:
        seed = mix(seed + np.uint64(game) * GAMMA)
    all_streams = np.empty(DICE_STREAM + MAX_SEATS, np.uint64)
    seed_streams(all_streams, seed, row)
    deal(s, setup[0], setup[1], setup[3:], all_streams)
    streams[0] = all_streams[PLAYER_STREAM]
    for seat in range(MAX_SEATS):
        streams[1 + seat] = all_streams[DICE_STREAM + seat]


@rule
def begin(s: State, setup: Ints, row: int, game: int, streams: Stream) -> None:
    """Deal game number `game` of a row, and resolve chance."""
    deal_row(s, setup, row, game, streams)
    settle(s, streams[1:])


@rule
def list_legal(s: State, out: Ints) -> int:
    """Write the legal actions, ascending, and at the very end the seat to move (-1: none); return their number."""
    n = 0
    out[len(out) - 1] = s.player
    for word in range(len(s.legal)):
        mask = s.legal[word]
        while mask:
            out[n] = 64 * word + lowest(mask)
            mask &= mask - 1
            n += 1
    return n


# One game, for Python: each call does all that a step needs.


@rule
def deal_one(states: States, setup: Ints, row: int, game: int, streams: Stream) -> None:
    """Deal a game, before any chance."""
    deal_row(states[0], setup, row, game, streams)


@rule
def begin_one(states: States, setup: Ints, row: int, game: int, streams: Stream, legal: Ints) -> int:
    """Deal a game; write the legal actions and return their number."""
    begin(states[0], setup, row, game, streams)
    return list_legal(states[0], legal)


@rule
def step_one(states: States, streams: Stream, legal: Ints, action: int) -> int:
    """Play an action and resolve chance; write the legal actions and return their number.

    0: the game is over. -1: the action is illegal, and nothing has changed.
    """
    s = states[0]
    if not is_legal(s, action):
        return -1
    apply(s, action)
    settle(s, streams[1:])
    return list_legal(s, legal)


@rule
def trace_one(states: States, streams: Stream, action: int, out: Ints) -> int:
    """Play an action (-1: none) and resolve chance; write everything that was played and return how many."""
    s, n = states[0], 0
    if action >= 0:
        apply(s, action)
        out[0] = action
        n = 1
    while n < len(out) and waits(s):
        out[n] = chance(s, streams[1:])
        apply(s, out[n])
        n += 1
    return n


@rule
def observe_one(states: States, seat: int, observation: NDArray[np.float32], mask: NDArray[np.uint64]) -> None:
    """Write what a seat observes and what it may do: nothing if another seat is to move. Both must be 0 before."""
    s = states[0]
    observe(s, seat, observation)
    if s.player == seat:
        write_mask(s, mask)


# A batch. Handing a Board on to another function would count references to all its arrays, and so does a row
# of one of them that is not borrowed: not in the loop of a step.


@rule
def forget(board: Board, i: int) -> None:
    """Clear the results of earlier games of a row."""
    board.rewards[i] = 0
    board.done[i] = False
    board.final_scores[i] = 0
    board.final_moves[i] = 0


@rule
def begin_batch(board: Board, setup: Ints, low: int, high: int) -> None:
    """Deal the games low … high − 1 of a batch."""
    for i in range(low, high):
        s = board.states[i]
        begin(s, setup, i, 0, board.streams[i])
        board.played[i] = 1
        board.moves[i] = 0
        forget(board, i)
        board.to_move[i] = s.player
        board.observations[i] = 0
        observe(s, s.player, board.observations[i])
        write_mask(s, board.masks[i])


@rule
def first_illegal(board: Board, actions: Ints) -> int:
    """Return the first game whose action is not legal, or -1."""
    for i in range(len(actions)):
        if not is_legal(board.states[i], actions[i]):
            return i
    return -1


@rule
def end_game(board: Board, i: int, s: State) -> None:
    """Write the result of a row's game."""
    scores(s, board.final_scores[i])
    board.final_moves[i] = board.moves[i]
    for seat in range(s.seats):
        board.rewards[i, seat] = share(s, seat)


@rule
def step_batch(board: Board, setup: Ints, actions: Ints, low: int, high: int) -> None:
    """Play a legal action in each of the games low … high − 1; when a game ends, the next in its row begins."""
    states, streams, moves, done = board.states, board.streams, board.moves, board.done
    observations, masks, to_move = board.observations, board.masks, board.to_move
    for i in range(low, high):
        s = states[i]
        apply(s, actions[i])
        if waits(s):
            settle(s, borrow(streams, i)[1:])
        moves[i] += 1
        if done[i]:
            board.rewards[i] = 0
            done[i] = False
        if s.over:
            done[i] = True
            end_game(board, i, s)
            begin(s, setup, i, board.played[i], streams[i])
            board.played[i] += 1
            moves[i] = 0
            observations[i] = 0
        to_move[i] = s.player
        observe(s, s.player, borrow(observations, i))
        write_mask(s, borrow(masks, i))


@rule
def sample_batch(board: Board, actions: Ints) -> None:
    """Write a random legal action for each game."""
    states, streams = board.states, board.streams
    for i in range(len(actions)):
        own = borrow(streams, i)
        actions[i] = random_action(states[i], own, own[1:])
