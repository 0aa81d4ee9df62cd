"""Thousands of games stepped at once, with NumPy arrays."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tavolino.engine.kernels import Ints
from tavolino.envs.compiled import steps
from tavolino.envs.compiled.steps import Board
from tavolino.envs.env import entry
from tavolino.envs.setup import env_setup, observed, step_numbers
from tavolino.play.cores import cores
from tavolino.play.seeds import Seed, check_seed
from tavolino.play.setup import Setup, from_one


def new_board(setup: Setup, size: int, columns: int) -> Board:
    """Make the arrays of a batch, with so many columns of rewards."""
    return Board(
        states=np.zeros(size, setup.game.rules.STATE),
        streams=np.zeros((size, steps.STREAMS), np.uint64),
        played=np.zeros(size, np.int64),
        moves=np.zeros(size, np.int64),
        observations=np.zeros((size, observed(setup)), np.float32),
        masks=np.zeros((size, setup.actions // 8), np.uint64),
        to_move=np.zeros(size, np.int64),
        rewards=np.zeros((size, columns), np.float32),
        done=np.zeros(size, np.bool_),
        final_scores=np.zeros((size, setup.players), np.int64),
        final_moves=np.zeros(size, np.int64),
    )


def read_actions(actions: ArrayLike, size: int) -> Ints:
    """Return one action per game; ValueError if they are not that many whole numbers: nothing is rounded."""
    try:
        given = np.asarray(actions)
    except ValueError as error:  # lists of different lengths
        raise ValueError(_not_actions(size, str(error))) from None
    if given.dtype.kind not in "iu" or given.shape != (size,):
        raise ValueError(_not_actions(size, f"{given.dtype} of shape {given.shape}"))
    return np.ascontiguousarray(given, np.int64)


def _not_actions(size: int, what: str) -> str:
    return f"actions must be {size} whole numbers, one per game, not {what}"


def copy_board(board: Board) -> Board:
    """Copy all arrays of a batch."""
    return Board._make(array.copy() for array in board)


class RowThreads:
    """Threads that share the rows of a batch; with one thread, the caller's own does everything."""

    def __init__(self, size: int, threads: int) -> None:
        self.threads = min(from_one(threads, "threads"), size)
        bounds = [size * k // self.threads for k in range(self.threads + 1)]
        self._parts = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def run(self, kernel: Callable[..., None], *arguments: Any) -> None:
        """Call a kernel with the arguments, then the first row and the end of its part."""
        if self._pool is None:
            kernel(*arguments, *self._parts[0])
            return
        for done in [self._pool.submit(kernel, *arguments, *part) for part in self._parts]:
            done.result()

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()


class Batch:
    """Many games of one kind, stepped together; when one ends, the next begins by itself.

    `step(actions)` takes one action per game and overwrites its arrays in place: `observations` and `masks` of the seat
    `to_move`, the `rewards` of every seat (0 until the end, then 1 for winning alone; they sum to 0) and `done`. When a
    game is done, the next one in its row has already begun, in the same step; `final_scores` and `final_moves` keep the
    result until the next game in that row ends. Chance is resolved inside.

    Game i is the same for every size and number of threads.

    >>> batch = Batch(KEY, players=3, size=4, seed=1)
    >>> batch.step(batch.sample())
    >>> batch.observations.shape, batch.masks.shape, batch.rewards.shape
    ((4, 381), (4, 384), (4, 3))
    """

    def __init__(
        self,
        game: str,
        players: int | None = None,
        size: int = 1024,
        seed: Seed | None = 0,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.setup = env_setup(game, players, options)
        self.size = from_one(size, "size")
        self._threads = RowThreads(self.size, cores() if threads == 0 else threads)
        self._board = new_board(self.setup, self.size, self.setup.players)
        self._sampled = np.zeros(self.size, np.int64)
        self.reset(seed)
        nobody = self._sampled[:0]
        self._step = entry(steps.step_batch, self._board, self._numbers, nobody, 0, 0)
        self._first_illegal = entry(steps.first_illegal, self._board, nobody)
        self._sample = entry(steps.sample_batch, self._board, nobody)

    def __repr__(self) -> str:
        return f"<Batch of {self.size} games of {self.setup.key}, {self.setup.players} players>"

    @property
    def observations(self) -> NDArray[np.float32]:
        """What the seat to move observes in each game; `tavolino.envs.setup.fields` describes the fields."""
        return self._board.observations

    @property
    def masks(self) -> NDArray[np.bool_]:
        """Which actions are legal in each game."""
        return self._board.masks.view(np.bool_)

    @property
    def to_move(self) -> Ints:
        """The seat to move in each game."""
        return self._board.to_move

    @property
    def rewards(self) -> NDArray[np.float32]:
        """The rewards of each seat in each game for the last step."""
        return self._board.rewards

    @property
    def done(self) -> NDArray[np.bool_]:
        """Which games ended in the last step."""
        return self._board.done

    @property
    def final_scores(self) -> Ints:
        """The scores of the last finished game in each row."""
        return self._board.final_scores

    @property
    def final_moves(self) -> Ints:
        """How many moves, not counting chance, the last finished game in each row had."""
        return self._board.final_moves

    def reset(self, seed: Seed | None = None) -> None:
        """Restart all games; without a seed, from a random one."""
        self._numbers = step_numbers(self.setup, check_seed(seed))
        self._threads.run(steps.begin_batch, self._board, self._numbers)

    def step(self, actions: ArrayLike) -> None:
        """Play one action per game; if one is illegal or not a whole number, raise ValueError and play none."""
        chosen = read_actions(actions, self.size)
        wrong = self._first_illegal(self._board, chosen)
        if wrong >= 0:
            raise ValueError(
                f"actions[{wrong}]: {chosen[wrong]} is not legal in game {wrong}; masks[{wrong}] says what is"
            )
        self._threads.run(self._step, self._board, self._numbers, chosen)

    def sample(self) -> Ints:
        """Return a random legal action per game, from the game's own stream; the next call overwrites the array."""
        self._sample(self._board, self._sampled)
        return self._sampled

    def bot(self, name: str) -> Ints:
        """Return what a bot that answers at once, such as `greedy` or `hard`, would play in each game."""
        from tavolino.envs.opponents import bot_actions  # and with it the bots, which a batch can do without

        return bot_actions(self.setup, self._board, name)

    def copy(self) -> "Batch":
        """Return an independent copy of the games, with as many threads."""
        twin = Batch.__new__(Batch)
        twin.__dict__.update(self.__dict__)
        twin._threads = RowThreads(self.size, self._threads.threads)
        twin._board = copy_board(self._board)
        twin._sampled = self._sampled.copy()
        return twin

    def close(self) -> None:
        """Stop the threads."""
        self._threads.close()
