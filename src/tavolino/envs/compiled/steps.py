"""Steps of one game and of a batch: play an action, resolve chance, tell who is to move and what it may do.

Game i of a batch has streams of its own, seeded by its number: neither the size of the batch nor threads change it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import State
from tavolino.engine.dispatch import apply, chance, scores
from tavolino.engine.jit import count, lowest, natural, rule, shared
from tavolino.engine.kernels import (
    DICE_STREAM,
    MAX_SEATS,
    PLAYER_STREAM,
    Ints,
    States,
    apply_shared,
    deal_anew,
    is_legal,
    random_action,
    redeal_shared,
    seed_streams,
)
from tavolino.engine.observe import (
    observe_next,
    rules_action,
    shown_action,
    shown_legal,
    write_mask,
    write_observation,
)
from tavolino.engine.rng import GAMMA, Stream, mix

STREAMS = 1 + MAX_SEATS
"""The random streams of a game in play: entry 0 for players, then one for each seat's dice."""
VERSION, OPTIONS = 3, 4
"""Where the numbers of a setup have the version of observations, and the options."""
Streams = NDArray[np.uint64]


class Board(NamedTuple):
    """The arrays of a batch, one row per game, overwritten in place."""

    states: States
    streams: Streams
    played: Ints
    """How many games this row has begun, including the one in play."""
    moves: Ints
    """Moves of all seats in the game in play, not counting chance."""
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
        apply_shared(s, chance(s, dice))


@rule
def deal_row(s: State, setup: Ints, row: int, game: int, streams: Stream) -> None:
    """Deal a row's game number `game`.

    `setup` has the seats, who starts (-1: a random seat), the seed's bits, the version of observations, then the codes
    of the options. Game 0 of a row is what `kernels.random_games` deals with this seed.
    """
    seed = np.uint64(setup[2])
    if game > 0:
        seed = mix(seed + np.uint64(game) * GAMMA)
    all_streams = np.empty(DICE_STREAM + MAX_SEATS, np.uint64)
    seed_streams(all_streams, seed, row)
    deal_anew(s, setup[0], setup[1], setup[OPTIONS:], all_streams)
    streams[0] = all_streams[PLAYER_STREAM]
    for seat in range(MAX_SEATS):
        streams[1 + seat] = all_streams[DICE_STREAM + seat]


@shared
def begin(s: State, setup: Ints, row: int, game: int, streams: Stream) -> None:
    """Deal game number `game` of a row, and resolve chance."""
    deal_row(s, setup, row, game, streams)
    settle(s, streams[1:])


@rule
def list_legal(s: State, version: int, out: Ints) -> int:
    """Write the legal actions, ascending, and at the very end the seat to move (-1: none); return their number."""
    n = 0
    out[len(out) - 1] = s.player
    for word in range(len(s.legal)):
        mask = shown_legal(s, word, version)
        while mask:
            out[n] = 64 * word + lowest(mask)
            mask &= mask - 1
            n += 1
    return n


@rule
def fresh_streams(streams: Stream, seed: np.uint64, row: int) -> None:
    """Seed the streams of a game in play anew."""
    seed_streams(streams[:STREAMS], seed, row)


@rule
def redeal_row(s: State, viewer: int, seed: np.uint64, row: int, streams: Stream) -> None:
    """Deal anew what a seat (-1: a spectator) cannot know, and seed the dice to come anew."""
    rng = np.empty(1 + STREAMS, np.uint64)
    seed_streams(rng, seed, row)
    redeal_shared(s, viewer, rng)
    for k in range(STREAMS):
        streams[k] = rng[1 + k]


# One game, for Python: each call does all that a step needs.


@rule
def deal_one(states: States, setup: Ints, row: int, game: int, streams: Stream) -> None:
    """Deal a game, before any chance."""
    deal_row(states[0], setup, row, game, streams)


@rule
def begin_one(states: States, setup: Ints, row: int, game: int, streams: Stream, legal: Ints) -> int:
    """Deal a game; write the legal actions and return their number."""
    begin(states[0], setup, row, game, streams)
    return list_legal(states[0], setup[VERSION], legal)


@rule
def redeal_one(states: States, viewer: int, version: int, seed: np.uint64, streams: Stream, legal: Ints) -> int:
    """Deal anew what a seat cannot know, the dice to come as well; write the legal actions and return their number."""
    redeal_row(states[0], viewer, seed, 0, streams)
    return list_legal(states[0], version, legal)


@rule
def step_one(states: States, streams: Stream, legal: Ints, action: int, version: int) -> int:
    """Play an action and resolve chance; write the legal actions and return their number.

    0: the game is over. -1: the action is illegal, and nothing has changed.
    """
    s = states[0]
    action = rules_action(s, action, version)
    if not is_legal(s, action):
        return -1
    apply_shared(s, action)
    settle(s, streams[1:])
    return list_legal(s, version, legal)


@rule
def is_legal_one(states: States, action: int, version: int) -> bool:
    """Tell whether the seat to move may play an action, which can be any number."""
    return is_legal(states[0], rules_action(states[0], action, version))


@rule
def shown_action_one(states: States, action: int, version: int) -> int:
    """Return the number by which the seat to move is shown an action of the rules."""
    return shown_action(states[0], action, version)


@rule
def trace_one(states: States, streams: Stream, action: int, version: int, out: Ints) -> int:
    """Play an action (-1: none) and resolve chance; write what was played, as the rules know it; return how many."""
    s, n = states[0], 0
    if action >= 0:
        out[0] = rules_action(s, action, version)
        apply_shared(s, out[0])
        n = 1
    while n < len(out) and waits(s):
        out[n] = chance(s, streams[1:])
        apply_shared(s, out[n])
        n += 1
    return n


# A batch.


@rule
def forget(board: Board, i: int) -> None:
    """Clear the results of earlier games of a row."""
    board.rewards[i] = 0
    board.done[i] = False
    board.final_scores[i] = 0
    board.final_moves[i] = 0


@rule
def show_row(board: Board, version: int, i: int) -> None:
    """Show a row's game, as it now is, to the seat to move; if none is, nothing is legal."""
    s = board.states[i]
    board.to_move[i] = s.player
    board.observations[i] = 0
    write_observation(s, max(s.player, 0), version, board.observations[i])
    write_mask(s, version, board.masks[i])


@rule
def begin_batch(board: Board, setup: Ints, low: int, high: int) -> None:
    """Deal the games low … high − 1 of a batch."""
    for i in range(low, high):
        begin(board.states[i], setup, i, 0, board.streams[i])
        board.played[i] = 1
        board.moves[i] = 0
        forget(board, i)
        show_row(board, setup[VERSION], i)


@rule
def take_over(board: Board, setup: Ints, low: int, high: int) -> None:
    """Go on with the games low … high − 1, whose states were written from elsewhere: dice of their own, no results."""
    for i in range(low, high):
        fresh_streams(board.streams[i], np.uint64(setup[2]), i)
        settle(board.states[i], board.streams[i, 1:])
        board.played[i] = 1
        forget(board, i)
        show_row(board, setup[VERSION], i)


@rule
def redeal_batch(board: Board, viewers: Ints, version: int, seed: np.uint64, low: int, high: int) -> None:
    """Deal anew what a seat of each of the games low … high − 1 cannot know."""
    for i in range(low, high):
        redeal_row(board.states[i], viewers[i], seed, i, board.streams[i])
        show_row(board, version, i)


@rule
def read_actions(states: States, version: int, actions: Ints, chosen: Ints) -> int:
    """Write the rules' numbers of actions; return the first game whose action is not legal, or -1."""
    for i in range(len(actions)):
        chosen[i] = rules_action(states[i], actions[i], version)
        if not is_legal(states[i], chosen[i]):
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
    observations, masks, to_move, version = board.observations, board.masks, board.to_move, setup[VERSION]
    for row in range(low, high):
        i = natural(row)
        s, before = states[i], to_move[i]
        apply(s, actions[i])
        if waits(s):
            settle(s, streams[i, 1:])
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
            show_row(board, version, i)
            continue
        to_move[i] = s.player
        if version == 0:
            write_observation(s, s.player, version, observations[i])
        else:
            observe_next(s, s.player, before, actions[i], observations[i])
        write_mask(s, version, masks[i])


@rule
def sample_batch(states: States, streams: Streams, version: int, actions: Ints, low: int, high: int) -> None:
    """Write a random legal action for each of the games low … high − 1."""
    for i in range(low, high):
        own = streams[i]
        actions[i] = shown_action(states[i], random_action(states[i], own, own[1:]), version)
