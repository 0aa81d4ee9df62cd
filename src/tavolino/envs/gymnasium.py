"""Gymnasium: one learner against bots. `gym.make("tavolino:Tavolino/GAME-v1", opponents=["greedy"])`."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, cast

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from tavolino.engine.plain import whole
from tavolino.envs import render
from tavolino.envs.batch import RowThreads, copy_board, new_board, read_actions
from tavolino.envs.compiled import against
from tavolino.envs.env import Env, read_action
from tavolino.envs.opponents import Opponent, VectorOpponent, bot_actions, find_bot, read_opponents, vector_opponents
from tavolino.envs.setup import Form, env_setup, read_form, step_numbers
from tavolino.play.cores import cores
from tavolino.play.seeds import derive
from tavolino.play.setup import Setup, from_one, read_seat

Observation = dict[str, Any]


def observation_space(setup: Setup, form: Form) -> spaces.Dict:
    """Return the space of what a seat observes and may do."""
    return spaces.Dict({"observation": numbers_space(form), "action_mask": spaces.Box(0, 1, (setup.actions,), np.int8)})


def numbers_space(form: Form) -> spaces.Space[Any]:
    """Return the space of what a seat observes: one row of numbers, or one box per field."""
    if not form.fields:
        return spaces.Box(-form.bound, form.bound, (form.size,), np.float32)
    boxes: dict[str, spaces.Space[Any]] = {
        name: spaces.Box(-form.bound, form.bound, field.shape, np.float32) for name, (_, field) in form.places.items()
    }
    return spaces.Dict(boxes)


def _read_seat(setup: Setup, seat: int | None) -> int:
    """Return the learner's seat; -1: a random seat in each game."""
    return -1 if seat is None else read_seat(setup.players, seat)


MODES = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED)
"""In the order of the numbers by which the compiled step knows them."""


def _read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return when games begin anew; ValueError lists the modes."""
    named = {one.name: one for one in MODES} | {one.value: one for one in MODES}
    found = mode if isinstance(mode, AutoresetMode) else named.get(mode)
    if found is None:
        raise ValueError(f"autoreset_mode must be one of {', '.join(one.name for one in MODES)}, not {mode!r}")
    return found


def _plain(seed: int | None) -> int | None:
    """Return a seed as Gymnasium wants it: a Python int, not one of NumPy's."""
    return seed if seed is None or isinstance(seed, int) else whole(seed)


class Versus(gym.Env[Any, Any]):
    """One game at a time: the learner in one seat, opponents in the others.

    Observations are dicts of `observation` and `action_mask`; the mask is also in the info. An illegal action ends
    the game: the reward is −1, and `illegal` in the info says why. `opponents` sit after the learner, in turn order:
    bots by name, programs as in the arena, or functions from a `Position` to a word; if there are fewer than seats,
    they repeat. By default `greedy`, or `random` in a game that has no bots of its own.
    """

    metadata = {"render_modes": list(render.MODES), "render_fps": 1}  # noqa: RUF012 (Gymnasium's own way)

    def __init__(
        self,
        game: str,
        players: int | None = None,
        opponents: Opponent | Sequence[Opponent] | None = None,
        seat: int | None = None,
        render_mode: str | None = None,
        *,
        observation: str = "flat",
        version: int | None = None,
        **options: Any,
    ) -> None:
        self._env = Env(game, players, 0, observation=observation, version=version, **options)
        self.setup, self.form = self._env.setup, self._env.form
        self._given: list[Opponent] = read_opponents(self.setup, opponents)
        self._bots = [find_bot(self.setup, opponent) for opponent in self._given]
        self._seat = _read_seat(self.setup, seat)
        self.render_mode = render.check_mode(render_mode)
        self.action_space = spaces.Discrete(self.setup.actions)
        self.observation_space: spaces.Space[Any] = observation_space(self.setup, self.form)
        self._rng = np.zeros(1, np.uint64)
        self.seat = 0
        """The learner's seat in this game."""
        self._over = True
        self._begun = False

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_bots"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bots = [find_bot(self.setup, opponent) for opponent in self._given]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game, and let the others play until it is the learner's turn."""
        super().reset(seed=_plain(seed))
        while True:
            number = int(self.np_random.integers(1 << 62))
            self._rng[0] = derive(number, self.setup.key, "players")
            self.seat = number % self.setup.players if self._seat < 0 else self._seat
            self._env.reset(number)
            self._answer()
            if not self._env.over:
                break
        self._over, self._begun = False, True
        if self.render_mode == "human":
            self.render()
        return self._shown()

    def _answer(self) -> None:
        env, mine, seats = self._env, self.seat, self.setup.players
        while not env.over and env.to_move != mine:
            bot = self._bots[(env.to_move - mine) % seats - 1]
            env.step(bot.choose(env, self._rng))

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        observation, mask = self._env.observe(self.seat)
        info = {"action_mask": mask.copy(), "seat": self.seat}
        return {"observation": observation, "action_mask": mask}, info

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action and let the others answer."""
        if self._over:
            why = "the game is over" if self._begun else "no game has begun"
            raise gym.error.ResetNeeded(f"{why}: call reset() before step()")
        chosen, reward, wrong = read_action(action), 0.0, None
        if self._env.try_step(chosen) >= 0:
            self._answer()
            if self._env.over:
                self._over, reward = True, self._env.rewards()[self.seat]
        else:
            self._over, reward, wrong = True, -1.0, self._env.why_not(chosen)
        shown, info = self._shown()
        if wrong is not None:
            info["illegal"] = wrong
        if self.render_mode == "human":
            self.render()
        return shown, reward, self._over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, under the name that some libraries expect."""
        return self._env.observe(self.seat)[1].view(np.bool_)

    def render(self) -> Any:
        """Draw the table as the learner sees it."""
        if self.render_mode is None:
            return None
        return render.render(self.render_mode, self._env.game().view(self.seat))

    def copy(self) -> "Versus":
        """Return an independent copy of the game, with opponents of its own."""
        twin = Versus.__new__(Versus)
        twin.__setstate__({**self.__getstate__(), "_env": self._env.copy(), "_rng": self._rng.copy()})
        if self._np_random is not None:
            twin._np_random = deepcopy(self._np_random)
        return twin

    clone = copy

    def close(self) -> None:
        """Close the opponents."""
        for bot in self._bots:
            bot.close()


class VectorVersus(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games at once, compiled: like `Versus`, with opponents that answer at once.

    Opponents are bots that answer at once, by name, or functions over batches: (observations, masks) of the games in
    which it is that opponent's turn → an action for each. By default, when a game ends, the next begins in the same
    step (`AutoresetMode.SAME_STEP`): the info has `final_obs`, what the learner observed last, and `final_info`;
    `_final_obs` says for which games. With NEXT_STEP, the step after the last ignores the action and shows the next
    game; with DISABLED, games that have ended wait for `reset(options={"reset_mask": done})`. With `copy=False` the
    arrays are overwritten in place.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 (Gymnasium's own way)

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int | None = None,
        opponents: VectorOpponent | Sequence[VectorOpponent] | None = None,
        seat: int | None = None,
        threads: int = 1,
        copy: bool = True,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        observation: str = "flat",
        version: int | None = None,
        **options: Any,
    ) -> None:
        options.pop("render_mode", None)
        self.setup = env_setup(game, players, options)
        self.form = read_form(self.setup, version, observation)
        self.num_envs = from_one(num_envs, "num_envs")
        others, self._functions = vector_opponents(self.setup, self.form, read_opponents(self.setup, opponents))
        mode = _read_mode(autoreset_mode)
        self.metadata = {**VectorVersus.metadata, "autoreset_mode": mode}
        self._copy = copy
        self._threads = RowThreads(self.num_envs, cores() if threads == 0 else threads)
        self._board = new_board(self.setup, self.form, self.num_envs, 1)
        seats, waiting, turns = (np.zeros(self.num_envs, np.int64) for _ in range(3))
        self._others = others._replace(
            seat=_read_seat(self.setup, seat),
            autoreset=MODES.index(mode),
            seats=seats,
            final=np.zeros_like(self._board.observations),
            waiting=waiting,
            turns=turns,
        )
        self.single_action_space = spaces.Discrete(self.setup.actions)
        self.single_observation_space = observation_space(self.setup, self.form)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._none = np.zeros(self.num_envs, np.bool_)

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        mask = self._given(self._board.masks.view(np.int8))
        info = {"action_mask": mask, "seat": self._given(self._others.seats)}
        return {"observation": self.form.shown(self._given(self._board.observations)), "action_mask": mask}, info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Restart all games, or those that `options["reset_mask"]` names.

        The others continue; the games that follow them come from the new seed, too.
        """
        mask = self._read_mask(options)
        super().reset(seed=_plain(seed))
        self._numbers = step_numbers(self.setup, self.form.version, int(self.np_random.integers(1 << 62)))
        if mask is None:
            self._threads.run(against.begin_batch_against, self._board, self._numbers, self._others)
        else:
            for i in np.flatnonzero(mask).tolist():
                against.begin_batch_against(self._board, self._numbers, self._others, i, i + 1)
        self._ask_functions()
        return self._shown()

    def _ask_functions(self) -> None:
        """Let opponents that are functions play until it is the learner's turn in every game."""
        if not any(self._functions):
            return
        board, waiting = self._board, self._others.waiting
        while len(pending := np.flatnonzero(waiting >= 0)):
            opponent = int(waiting[pending[0]])
            rows, function = np.flatnonzero(waiting == opponent), self._functions[opponent]
            assert function is not None
            actions = function(board.observations[rows], board.masks[rows].view(np.bool_))
            wrong = against.go_on_against(board, self._numbers, self._others, rows, actions)
            if wrong >= 0:
                raise ValueError(f"opponent {opponent} chose {actions[wrong]}, which its mask does not allow")

    def _read_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_] | None:
        if options is None or "reset_mask" not in options:
            return None
        mask = options["reset_mask"]
        right = isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)
        if not right or not mask.any():
            raise ValueError(
                f"reset_mask must be an array of {self.num_envs} booleans, at least one of them True, not {mask}"
            )
        if not self._board.played.all():
            raise gym.error.ResetNeeded("no game has begun: call reset() for all games before restarting some of them")
        return cast(NDArray[np.bool_], mask)

    def step(self, actions: ArrayLike) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play the learner's actions and let the others answer."""
        board = self._board
        if not board.played.all():
            raise gym.error.ResetNeeded("no game has begun: call reset() before step()")
        chosen = read_actions(actions, self.num_envs)
        if self._others.autoreset == against.DISABLED and board.done.any():
            ended = np.flatnonzero(board.done).tolist()
            raise gym.error.ResetNeeded(
                f'games {ended} are over: call reset(options={{"reset_mask": …}}) before step()'
            )
        self._threads.run(against.step_batch_against, board, self._numbers, self._others, chosen)
        self._ask_functions()
        shown, info = self._shown()
        done = self._given(board.done)
        if board.done.any():
            scores, moves = self._given(board.final_scores), self._given(board.final_moves)
            info["final_info"] = {"scores": scores, "_scores": done, "moves": moves, "_moves": done}
            info["_final_info"] = done
            if self._others.autoreset == against.SAME_STEP:
                final = np.full(self.num_envs, None, object)
                for i in np.flatnonzero(board.done):
                    last = self.form.shown(self._others.final[i].copy())
                    final[i] = {"observation": last, "action_mask": np.zeros(self.setup.actions, np.int8)}
                info["final_obs"], info["_final_obs"] = final, done
        return shown, self._given(board.rewards[:, 0]).astype(np.float64), done, self._none.copy(), info

    def bot(self, name: str) -> NDArray[np.int64]:
        """Return what a bot that answers at once would play in the learner's place, in each game."""
        return bot_actions(self.setup, self.form, self._board, self._threads, name)

    def copy(self) -> "VectorVersus":
        """Return an independent copy of the games."""
        twin = VectorVersus.__new__(VectorVersus)
        twin.__dict__.update(self.__dict__)
        twin._threads = RowThreads(self.num_envs, self._threads.threads)
        twin._board = copy_board(self._board)
        arrays = {name: getattr(self._others, name).copy() for name in ("seats", "final", "waiting", "turns")}
        twin._others = self._others._replace(**arrays)
        twin._np_random = deepcopy(self._np_random)
        return twin

    clone = copy

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads."""
        self._threads.close()
