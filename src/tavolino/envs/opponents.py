"""Who plays the other seats: bots by name, programs, or objects and functions of your own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tavolino.bots import external
from tavolino.bots.players import Player, at_once_in, builtin, policies_of, thumb_of
from tavolino.bots.policy_files import best, is_policy_file, policy_of
from tavolino.bots.position import Position
from tavolino.engine.kernels import Ints
from tavolino.engine.rng import Stream
from tavolino.envs.batch import RowThreads, read_actions
from tavolino.envs.compiled import against
from tavolino.envs.compiled.steps import Board
from tavolino.envs.env import Env
from tavolino.envs.setup import Form
from tavolino.play.setup import Setup

Opponent = str | Player | Callable[[Position], str]
"""A bot's name, `file.py`, `module:function` or `cmd:program` as in the arena; or your own player or function."""
OverBatch = Callable[[Any, NDArray[np.int8]], ArrayLike]
"""A function over a batch: (observations, masks) of the games in which it is to move → an action for each of them."""
VectorOpponent = str | OverBatch
"""Who may play in a vector environment: bots that answer at once, by name, and functions over batches."""


def read_opponents(setup: Setup, given: Any) -> list[Any]:
    """Return who sits in the seats after the learner's, in turn order: those given, repeated."""
    given = thumb_of(setup.key) if given is None else given
    listed = [given] if isinstance(given, str) or not isinstance(given, Sequence) else list(given)
    seats = setup.players - 1
    if not 1 <= len(listed) <= seats:
        raise ValueError(f"there must be 1 to {seats} opponents with {setup.players} players, not {len(listed)}")
    return [listed[i % len(listed)] for i in range(seats)]


@dataclass(frozen=True)
class OwnFunction:
    """A function over batches, given observations in the environment's form."""

    choose: OverBatch
    form: Form

    def __call__(self, rows: NDArray[np.float32], masks: NDArray[np.bool_]) -> Ints:
        return read_actions(self.choose(self.form.shown(rows), masks.view(np.int8)), len(rows))


@dataclass(frozen=True)
class FilePolicy:
    """The policy of a file, over batches."""

    name: str
    key: str

    def __call__(self, rows: NDArray[np.float32], masks: NDArray[np.bool_]) -> Ints:
        return best(policy_of(self.name, self.key), rows, masks)


def file_policy(name: str, form: Form) -> FilePolicy:
    """Return the policy of a file; ValueError if it wants other observations than the environment shows."""
    wants = policy_of(name, form.key).version
    if wants != form.version:
        raise ValueError(f"{name} wants observations of version {wants}, but these are of version {form.version}")
    return FilePolicy(name, form.key)


def vector_opponents(
    setup: Setup, form: Form, given: Sequence[VectorOpponent]
) -> tuple[against.Others, list[OwnFunction | FilePolicy | None]]:
    """Return opponents as the compiled step takes them, and those that are functions, one per seat (None: it is not).

    ValueError if one of them neither answers at once nor is a function.
    """
    functions: list[OwnFunction | FilePolicy | None] = []
    for one in given:
        if callable(one):
            functions.append(OwnFunction(one, form))
        else:
            file = isinstance(one, str) and is_policy_file(one)
            functions.append(file_policy(one, form) if file else None)
    named = [one for one, function in zip(given, functions, strict=True) if function is None]
    names = [one for one in named if isinstance(one, str)]
    policies = policies_of(setup.key, setup.players, names)
    if policies is None or len(names) < len(named):
        known = ", ".join(at_once_in(setup.key))
        raise ValueError(
            f"opponents in a vector environment must answer at once ({known}), be policies' files or functions over"
            f' batches, not {list(given)}; others can play with vectorization_mode="sync"'
        )
    codes = iter(policies.codes.tolist())
    numbers = [against.OWN_FUNCTION if function else next(codes) for function in functions]
    nobody, nothing = np.zeros(0, np.int64), np.zeros((0, form.size), np.float32)
    others = against.Others(
        np.array(numbers, np.int64), policies.net, policies.features, -1, 0, nobody, nothing, nobody, nobody
    )
    return others, functions


def bot_actions(setup: Setup, form: Form, board: Board, threads: RowThreads, name: str) -> Ints:
    """Return the action of a bot that answers at once, for the seat to move in each game of a batch."""
    if is_policy_file(name):
        return file_policy(name, form)(board.observations, board.masks.view(np.bool_))
    if (policies := policies_of(setup.key, setup.players, [name])) is None:
        known = ", ".join(at_once_in(setup.key))
        raise ValueError(f"a batch knows the bots {known} and policies as files, not {name!r}")
    actions = np.empty(len(board.states), np.int64)
    code = int(policies.codes[0])
    threads.run(against.bot_batch, board, code, policies.net, policies.features, form.version, actions)
    return actions


@dataclass(frozen=True)
class Bot:
    """An opponent in a single game; it returns the number of its action."""

    choose: Callable[[Env, Stream], int]
    close: Callable[[], None] = lambda: None


def find_bot(setup: Setup, opponent: Opponent) -> Bot:
    """Return an opponent that is ready to play; ValueError says what is wrong with a name."""
    if isinstance(opponent, str):
        if (policies := policies_of(setup.key, setup.players, [opponent])) is not None:
            policy, net, features = int(policies.codes[0]), policies.net, policies.features
            return Bot(lambda env, rng: int(against.bot_move(env.states, policy, net, features, env.form.version, rng)))
        own = ":" in opponent or opponent.endswith(".py")
        player: Player = external.player(opponent) if own else builtin(opponent, setup.key)
        return Bot(_by_position(player.choose), player.close)
    if callable(opponent):
        return Bot(_by_position(opponent))
    return Bot(_by_position(opponent.choose), opponent.close)


def _by_position(choose: Callable[[Position], str]) -> Callable[[Env, Stream], int]:
    """Let a player choose from what its seat may know."""

    def move(env: Env, rng: Stream) -> int:
        rng[0] += np.uint64(1)
        return env.number_of(choose(Position(env.game(), env.to_move, f"{rng[0]}")))

    return move
