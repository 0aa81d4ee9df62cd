"""One game for programs: numbers in, numbers out, one compiled call per step."""

from collections.abc import Callable
from functools import cache
from operator import index
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tavolino.engine.jit import INTERPRETED
from tavolino.engine.kernels import States
from tavolino.engine.observe import observe_one, rules_action_one
from tavolino.engine.plain import copied, whole
from tavolino.envs.compiled import steps
from tavolino.envs.setup import Form, env_setup, read_form, step_numbers
from tavolino.play.game import Game, IllegalMove
from tavolino.play.seeds import Seed, check_seed, derive
from tavolino.play.setup import Setup, read_seat
from tavolino.play.text import refused

MOST_ROLLS = 4096
"""More rolls than there ever are between two moves."""


def entry(kernel: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """Return a compiled function's own entry for arguments of these types.

    Numba checks the types of all arguments in each call, which takes longer than a step of a game. The entry does
    not: the caller guarantees the types.
    """
    kernel(*arguments)  # compiles it, or reads it from disk
    if INTERPRETED:
        return kernel
    types = tuple(numba.typeof(argument) for argument in arguments)  # type: ignore[no-untyped-call]
    found: Callable[..., Any] = kernel.overloads[types].entry_point  # type: ignore[attr-defined]
    return found


@cache
def entries(key: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the entries of `step_one` and `observe_one` for a game."""
    setup = env_setup(key, None, {})
    states, streams = np.zeros(1, setup.game.rules.STATE), np.zeros(steps.STREAMS, np.uint64)
    step = entry(steps.step_one, states, streams, np.zeros(setup.actions, np.int64), -1, 0)
    return step, entry(observe_one, states, 0, 0, *blank(setup, read_form(setup, 0, "flat")))


def read_action(action: Any) -> int:
    """Return an action as an int; ValueError if it is not a whole number: nothing is rounded."""
    try:
        return whole(action)
    except TypeError:
        raise ValueError(f"an action must be a whole number, not {action!r}") from None


def blank(setup: Setup, form: Form) -> tuple[NDArray[np.float32], NDArray[np.uint64]]:
    """Return arrays for an observation and a mask (eight actions per number)."""
    return np.zeros(form.size, np.float32), np.zeros(setup.actions // 8, np.uint64)


def rewards_of(states: States) -> list[float]:
    """Return the rewards of a finished game, by seat: 1 for winning alone; they sum to 0."""
    seats, winners = int(states["seats"][0]), int(states["winners"][0])
    won = (seats / winners.bit_count() - 1) / (seats - 1)
    return [won if winners >> seat & 1 else -1 / (seats - 1) for seat in range(seats)]


class Env:
    """One game at a time, played by the numbers of actions; chance is resolved inside.

    `step(action)` returns n, the number of actions that are then legal: `legal[:n]`, ascending. 0: the game is over.
    `observation` is "flat" or "fields", `version` that of the observations, by default the newest.

    >>> env = Env(KEY, players=3, seed=1)
    >>> n = env.count
    >>> while n:
    ...     n = env.step(env.legal[n - 1])
    >>> sum(env.rewards())
    0.0
    """

    def __init__(
        self,
        game: str,
        players: int | None = None,
        seed: Seed | None = None,
        *,
        observation: str = "flat",
        version: int | None = None,
        **options: Any,
    ) -> None:
        self.setup = env_setup(game, players, options)
        self.form = read_form(self.setup, version, observation)
        self.states = np.zeros(1, self.setup.game.rules.STATE)
        self.count = 0
        """How many actions are legal; 0: the game is over."""
        self._streams = np.zeros(steps.STREAMS, np.uint64)
        self._numbers = step_numbers(self.setup, self.form.version, check_seed(seed))
        self._episode = 0
        self._actions: list[int] = []
        self._world: tuple[Env, int, Seed] | None = None
        """What was dealt anew, for which seat and by which seed, before these actions; None: they follow the deal."""
        self._connect(np.zeros(self.setup.actions + 1, np.int64))
        self._begin()

    def _connect(self, legal: NDArray[np.int64]) -> None:
        """Take what cannot be copied or pickled: the array of legal actions, and compiled functions."""
        self._step, self._observe = entries(self.setup.key)
        self._version = self.form.version
        self._legal = legal  # and the seat to move
        self.legal = legal.data
        """The legal actions: the first `count` of these numbers."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_step", "_observe", "legal")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._connect(self._legal)

    def reset(self, seed: Seed | None = None) -> int:
        """Deal the first game of a seed, or the next of the last seed; return how many actions are legal."""
        if seed is None:
            self._episode += 1
        else:
            self._numbers, self._episode = step_numbers(self.setup, self._version, check_seed(seed)), 0
        return self._begin()

    def _begin(self) -> int:
        self._actions.clear()
        self._world = None
        begun = steps.begin_one(self.states, self._numbers, 0, self._episode, self._streams, self._legal)
        self.count = int(begun)
        return self.count

    def step(self, action: int) -> int:
        """Play an action and resolve chance; return how many actions are then legal.

        If the action is illegal or not a whole number, raise ValueError and change nothing.
        """
        try:
            number = index(action)  # the compiled step would cut off what is behind the point
        except TypeError:
            number = read_action(action)  # says so
        found = self.try_step(number)
        if found < 0:
            raise IllegalMove(self.why_not(number))
        return found

    def try_step(self, action: int) -> int:
        """Play an action, which must be an int, like `step`; return -1, and change nothing, if it is illegal."""
        if not 0 <= action < len(self.legal):
            return -1
        found: int = self._step(self.states, self._streams, self._legal, action, self._version)
        if found >= 0:
            self._actions.append(action)
            self.count = found
        return found

    def is_legal(self, action: int) -> bool:
        """Tell whether the seat to move may play an action, which can be any number."""
        return 0 <= action < self.setup.actions and bool(steps.is_legal_one(self.states, action, self._version))

    def why_not(self, action: int) -> str:
        """Say why an action is not legal."""
        known = 0 <= action < self.setup.actions and not self.over
        number = int(rules_action_one(self.states, action, self._version)) if known else action
        word = self.setup.game.people.WORDS.get(number)
        if word is None or number >= self.setup.game.rules.ROLLED:
            return f"{action} is not an action of {self.setup.game.title}"
        if self.over:
            return f"{word} ({action}): the game is over"
        why = self.setup.game.people.why_not(self.setup.game.read(self.states), word)
        return f"{word} ({action}): {refused(self.setup.game, why)}"

    def number_of(self, word: str) -> int:
        """Return the number of a legal move's word; IllegalMove says why it is not legal."""
        return int(steps.shown_action_one(self.states, self.game().action_of(word), self._version))

    @property
    def to_move(self) -> int:
        """The seat to move; -1 when the game is over."""
        seat: int = self.legal[-1]
        return seat

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.count == 0

    def observe(self, seat: int) -> tuple[Any, NDArray[np.int8]]:
        """Return what a seat observes, and the mask of its legal actions: all 0 if it is not to move."""
        if seat.__class__ is not int or not 0 <= seat < self.setup.players:
            seat = read_seat(self.setup.players, seat)
        observation, mask = blank(self.setup, self.form)
        self._observe(self.states, seat, self._version, observation, mask)
        return self.form.shown(observation), mask.view(np.int8)

    def rewards(self) -> list[float]:
        """Return the rewards by seat: 0 while the game goes on, 1 for winning alone; they sum to 0."""
        return rewards_of(self.states) if self.over else [0.0] * self.setup.players

    def game(self) -> Game:
        """Return the game as a `Game`, with views, words, records and redeals. It waits for its dice."""
        setup, streams = self.setup, np.zeros(steps.STREAMS, np.uint64)
        actions: list[int] = self._actions
        if self._world is None:
            states = np.zeros(1, setup.game.rules.STATE)
            steps.deal_one(states, self._numbers, 0, self._episode, streams)
            game, actions = Game(setup, states.copy(), None, False), [-1, *actions]
        else:
            origin, seat, seed = self._world
            states = copied(origin.states)
            steps.redeal_one(states, seat, self._version, _bits(setup, seed), streams, self._legal.copy())
            game = origin.game().in_world(states, seat)
        played, out = list[int](), np.zeros(MOST_ROLLS, np.int64)
        for action in actions:
            played += out[: steps.trace_one(states, streams, action, self._version, out)].tolist()
        game.play_all([setup.game.people.WORDS[action] for action in played])
        return game

    def redeal(self, seat: int, seed: Seed | None = None) -> "Env":
        """Return a game sampled uniformly from all those that look the same to a seat, with dice of its own."""
        seat, seed, twin = read_seat(self.setup.players, seat), check_seed(seed), self.copy()
        bits = _bits(self.setup, seed)
        twin.count = int(steps.redeal_one(twin.states, seat, self._version, bits, twin._streams, twin._legal))
        twin._world, twin._actions = (self.copy(), seat, seed), []
        return twin

    def copy(self) -> "Env":
        """Return an independent copy of the game."""
        twin = Env.__new__(Env)
        twin.__dict__.update(self.__dict__)
        twin.states, twin._streams, twin._legal = copied(self.states), self._streams.copy(), self._legal.copy()
        twin.legal, twin._actions = twin._legal.data, self._actions.copy()
        return twin

    clone = copy


def _bits(setup: Setup, seed: Seed) -> np.uint64:
    """Return what a redeal is seeded with."""
    return np.uint64(derive(seed, setup.key, "redeal"))
