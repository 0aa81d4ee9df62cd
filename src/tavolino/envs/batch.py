"""Thousands of games stepped at once, with NumPy arrays."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tavolino.engine.kernels import Ints
from tavolino.envs.compiled import steps
from tavolino.envs.compiled.steps import Board
from tavolino.envs.env import entry
from tavolino.envs.setup import Form, env_setup, read_form, step_numbers
from tavolino.play.cores import cores
from tavolino.play.game import Game
from tavolino.play.seeds import Seed, check_seed, derive
from tavolino.play.setup import Setup, from_one, read_seat

FORMAT = "tavolino-batch/1"


def new_board(setup: Setup, form: Form, size: int, columns: int) -> Board:
    """Make the arrays of a batch, with so many columns of rewards."""
    return Board(
        states=np.zeros(size, setup.game.rules.STATE),
        streams=np.zeros((size, steps.STREAMS), np.uint64),
        played=np.zeros(size, np.int64),
        moves=np.zeros(size, np.int64),
        observations=np.zeros((size, form.size), np.float32),
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
        self.size, self.threads = size, min(from_one(threads, "threads"), size)
        bounds = [size * k // self.threads for k in range(self.threads + 1)]
        self._parts = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def __reduce__(self) -> tuple[Any, ...]:
        return RowThreads, (self.size, self.threads)  # threads cannot be copied

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

    Game i is the same for every size and number of threads. To plan, `from_game` fills a batch with one position,
    `redeal` deals anew what a seat cannot know, and `batch[rows]` is a batch of its own with copies of those rows.

    >>> batch = Batch(KEY, players=3, size=4, seed=1)
    >>> batch.step(batch.sample())
    >>> batch.observations.shape[0], batch.masks.shape, batch.rewards.shape
    (4, (4, 384), (4, 3))
    """

    def __init__(
        self,
        game: str,
        players: int | None = None,
        size: int = 1024,
        seed: Seed | None = 0,
        threads: int = 1,
        *,
        observation: str = "flat",
        version: int | None = None,
        **options: Any,
    ) -> None:
        setup = env_setup(game, players, options)
        self._make(setup, read_form(setup, version, observation), from_one(size, "size"), threads)
        self.reset(seed)

    def _make(self, setup: Setup, form: Form, size: int, threads: int) -> None:
        """Make the arrays; the games are still to be begun."""
        self.setup, self.form, self.size = setup, form, size
        self._threads = RowThreads(size, cores() if threads == 0 else threads)
        self._hold(new_board(setup, form, size, setup.players))
        self._numbers = step_numbers(setup, form.version, 0)
        self._connect()

    def _hold(self, board: Board) -> None:
        """Take a board, and make what is as long as it."""
        self._board = board
        self._chosen, self._sampled = np.zeros(self.size, np.int64), np.zeros(self.size, np.int64)
        self._shown = self.form.shown(board.observations)

    def _connect(self) -> None:
        """Take the entries of compiled functions, which cannot be copied or pickled."""
        nobody, version, board = self._chosen[:0], self.form.version, self._board
        self._step = entry(steps.step_batch, board, self._numbers, nobody, 0, 0)
        self._read = entry(steps.read_actions, board.states, version, nobody, nobody)
        self._sample = entry(steps.sample_batch, board.states, board.streams, version, nobody, 0, 0)

    @classmethod
    def from_game(
        cls,
        game: Game,
        size: int = 1024,
        seed: Seed | None = 0,
        threads: int = 1,
        *,
        observation: str = "flat",
        version: int | None = None,
    ) -> "Batch":
        """Return a batch in which every row goes on from a game, as it is, each with dice of its own from the seed.

        What is hidden is the game's own: `redeal(seat)` deals anew what a seat cannot know.
        """
        batch = cls.__new__(cls)
        setup = game.setup
        batch._make(setup, read_form(setup, version, observation), from_one(size, "size"), threads)
        batch._numbers = step_numbers(setup, batch.form.version, check_seed(seed))
        batch[:] = game
        return batch

    def __repr__(self) -> str:
        return f"<Batch of {self.size} games of {self.setup.key}, {self.setup.players} players>"

    def __len__(self) -> int:
        return self.size

    @property
    def observations(self) -> Any:
        """What the seat to move observes in each game; `tavolino.envs.setup.fields` describes the fields."""
        return self._shown

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
        """How many moves of all seats, not counting chance, the last finished game in each row had."""
        return self._board.final_moves

    def reset(self, seed: Seed | None = None) -> None:
        """Restart all games; without a seed, from a random one."""
        self._numbers = step_numbers(self.setup, self.form.version, check_seed(seed))
        self._threads.run(steps.begin_batch, self._board, self._numbers)

    def step(self, actions: ArrayLike) -> None:
        """Play one action per game; if one is illegal or not a whole number, raise ValueError and play none."""
        given = read_actions(actions, self.size)
        wrong = self._read(self._board.states, self.form.version, given, self._chosen)
        if wrong >= 0:
            raise ValueError(
                f"actions[{wrong}]: {given[wrong]} is not legal in game {wrong}; masks[{wrong}] says what is"
            )
        self._threads.run(self._step, self._board, self._numbers, self._chosen)

    def sample(self) -> Ints:
        """Return a random legal action per game, from the game's own stream; the next call overwrites the array."""
        board = self._board
        self._threads.run(self._sample, board.states, board.streams, self.form.version, self._sampled)
        return self._sampled

    def bot(self, name: str) -> Ints:
        """Return what a bot that answers at once, such as `greedy` or `hard`, would play in each game."""
        from tavolino.envs.opponents import bot_actions  # and with it the bots, which a batch can do without

        return bot_actions(self.setup, self.form, self._board, self._threads, name)

    def redeal(self, seat: ArrayLike | None = None, seed: Seed | None = None) -> None:
        """Deal anew, in every game, what a seat cannot know, uniformly; the dice to come are new, too.

        `seat` is one for all games or one per game, by default the seats to move. The same seed deals the same.
        """
        bits = np.uint64(derive(check_seed(seed), self.setup.key, "redeal"))
        self._threads.run(steps.redeal_batch, self._board, self._viewers(seat), self.form.version, bits)

    def _viewers(self, seat: ArrayLike | None) -> Ints:
        """Return a seat for each game."""
        if seat is None:
            return self._board.to_move.copy()
        given = np.asarray(seat)
        if given.ndim == 0:
            return np.full(self.size, read_seat(self.setup.players, given.item()), np.int64)
        if given.dtype.kind not in "iu" or given.shape != (self.size,):
            raise ValueError(f"seat must be one seat, or {self.size} of them, not {given.dtype} of shape {given.shape}")
        if wrong := [one for one in given.tolist() if not 0 <= one < self.setup.players]:
            read_seat(self.setup.players, wrong[0])  # says so
        return np.ascontiguousarray(given, np.int64)

    def __getitem__(self, rows: Any) -> "Batch":
        """Return a batch of its own with copies of some rows: a number, a slice, numbers (also repeated), or a mask."""
        chosen = self._rows(rows)
        twin = Batch.__new__(Batch)
        twin.__dict__.update(self.__dict__)
        twin.size = len(chosen)
        twin._threads = RowThreads(twin.size, self._threads.threads)
        twin._hold(Board._make(array[chosen] for array in self._board))
        return twin

    def __setitem__(self, rows: Any, game: "Game | Batch") -> None:
        """Let some rows go on from a game, as it is, or from the rows of another batch of the same setup."""
        chosen = self._rows(rows)
        if isinstance(game, Batch):
            self._same(game.setup)
            if game.size not in (1, len(chosen)) or game.form.version != self.form.version:
                raise ValueError(
                    f"{len(chosen)} rows of version {self.form.version} cannot be those of {game!r}, version"
                    f" {game.form.version}"
                )
            for name in Board._fields:
                getattr(self._board, name)[chosen] = getattr(game._board, name)
            return
        if not isinstance(game, Game):
            raise ValueError(f"a row is set to a Game or a Batch, not {game!r}")
        self._same(game.setup)
        if game.over:
            raise ValueError("the game is over: there is nothing to go on with")
        self._board.states[chosen] = game.bare_state()
        self._board.moves[chosen] = sum(mover is not None for mover in game.movers)
        for i in chosen.tolist() if len(chosen) < self.size else ():
            steps.take_over(self._board, self._numbers, i, i + 1)
        if len(chosen) == self.size:
            self._threads.run(steps.take_over, self._board, self._numbers)

    def _rows(self, rows: Any) -> Ints:
        """Return the numbers of rows; IndexError says what is wrong."""
        numbers = np.arange(self.size)
        try:
            chosen = np.atleast_1d(numbers[rows])
        except (IndexError, TypeError) as error:
            raise IndexError(f"{self!r} has no rows {rows!r}: {error}") from None
        if chosen.ndim != 1 or not len(chosen):
            raise IndexError(f"rows must be at least one, in a line, not {rows!r}")
        return chosen

    def _same(self, setup: Setup) -> None:
        mine = self.setup
        if (setup.key, setup.players, setup.options) != (mine.key, mine.players, mine.options):
            raise ValueError(
                f"a game of {setup.key} with {setup.players} players and {setup.options} does not fit into a batch of"
                f" {mine.key} with {mine.players} players and {mine.options}"
            )

    def copy(self) -> "Batch":
        """Return an independent copy of the games, with as many threads."""
        twin = Batch.__new__(Batch)
        twin.__dict__.update(self.__dict__)
        twin._threads = RowThreads(self.size, self._threads.threads)
        twin._hold(copy_board(self._board))
        return twin

    clone = copy

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_step", "_read", "_sample", "_shown", "_chosen", "_sampled")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._hold(self._board)
        self._connect()

    def save(self, file: str | PathLike[str]) -> None:
        """Write all games to a file (`.npz`); `Batch.load` goes on from there, exactly."""
        setup = self.setup
        about = {
            "format": FORMAT,
            "game": setup.key,
            "players": setup.players,
            "options": {**setup.options, "first": setup.first},
            "version": self.form.version,
            "observation": "fields" if self.form.fields else "flat",
            "state": str(setup.game.rules.STATE.descr),
        }
        board = self._board._asdict()
        board["states"] = self._board.states.view(np.uint8)
        with Path(file).open("wb") as out:
            np.savez(out, about=np.array(json.dumps(about)), numbers=self._numbers, **board)

    @classmethod
    def load(cls, file: str | PathLike[str], threads: int = 1) -> "Batch":
        """Return the games of a file that `save` has written; ValueError if it is not one, or of other rules."""
        try:
            with np.load(file, allow_pickle=False) as kept:
                arrays = dict(kept)
            about = json.loads(str(arrays.pop("about")))
            if about["format"] != FORMAT:
                raise KeyError
        except (KeyError, ValueError, TypeError, EOFError):
            raise ValueError(f"{file} is no file that Batch.save has written") from None
        setup = env_setup(about["game"], about["players"], about["options"])
        state = setup.game.rules.STATE
        if about["state"] != str(state.descr):
            raise ValueError(f"{file} was saved with another version of the rules of {setup.key}")
        batch = cls.__new__(cls)
        states = arrays.pop("states").view(state)
        form = read_form(setup, about["version"], about["observation"])
        batch._make(setup, form, len(states), threads)
        batch._numbers = arrays.pop("numbers")
        batch._hold(Board(states=states, **arrays))
        return batch

    def close(self) -> None:
        """Stop the threads."""
        self._threads.close()
