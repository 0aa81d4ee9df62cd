"""PettingZoo: every seat is an agent. `tavolino.envs.pettingzoo.env(KEY, players=3)`."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from tavolino.envs import render
from tavolino.envs.env import Env, read_action
from tavolino.envs.gymnasium import numbers_space, observation_space
from tavolino.play.seeds import fresh_seed

Observation = Any
MASKS = ("observation", "info")
SINCE_RESET = ("rewards", "terminations", "truncations", "infos", "agent_selection", "_cumulative_rewards", "_shown")


class AEC(AECEnv[str, Observation, int]):
    """A game whose agents, `player_0`, `player_1`, …, move one at a time.

    An observation is a dict of `observation` and `action_mask`; the mask of the agent to move is in its info, too. With
    `mask="info"` it is only there, and observations are bare: a row of numbers, or with `observation="fields"` a dict.
    Rewards come at the end. An illegal action ends the game: −1 for the agent that tried it, 0 for the others, and
    `illegal` in its info says why. What PettingZoo's wrappers check around its own games is checked here: actions, and
    the order of calls.
    """

    metadata = {"render_modes": list(render.MODES), "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        players: int | None = None,
        render_mode: str | None = None,
        *,
        mask: str = "observation",
        observation: str = "flat",
        version: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if mask not in MASKS:
            raise ValueError(f"mask must be {' or '.join(map(repr, MASKS))}, not {mask!r}")
        self._env = Env(game, players, fresh_seed(), observation=observation, version=version, **options)
        self.setup, self.form = self._env.setup, self._env.form
        self._mask_in_observation = mask == "observation"
        self.render_mode = render.check_mode(render_mode)
        name = f"tavolino_{self.setup.key.replace('-', '_')}_v{self.form.version}"
        self.metadata = {**AEC.metadata, "name": name}
        self.possible_agents = [f"player_{seat}" for seat in range(self.setup.players)]
        self.agents: list[str] = []
        self._stepped = False
        """Whether `step` or `reset` was called since `agent_iter` has named an agent."""
        dicts = self._mask_in_observation
        self.observation_spaces = {
            agent: observation_space(self.setup, self.form) if dicts else numbers_space(self.form)
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.setup.actions) for agent in self.possible_agents}
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._nothing: dict[str, Any] = {"action_mask": np.zeros(self.setup.actions, np.int8)}

    def __repr__(self) -> str:
        return str(self.metadata["name"])

    def __getattr__(self, name: str) -> Any:
        """Say why there is no such attribute: Python asks only where it has found none."""
        if name in SINCE_RESET:
            raise AttributeError(f"there is no game yet, and so no {name.strip('_')}: call reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent can observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return what an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the seed's first game, or, without a seed, the next one."""
        self._env.reset(seed)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = dict.fromkeys(self.agents, self._nothing)
        self._stepped = True
        self._turn()
        if self.render_mode == "human":
            self.render()

    def _turn(self) -> None:
        """Show the table to the seat to move."""
        env = self._env
        seat = env.to_move
        agent = self.agent_selection = self.possible_agents[seat]
        observation, mask = env.observe(seat)
        self._shown = {"observation": observation, "action_mask": mask} if self._mask_in_observation else observation
        self.infos[agent] = {"action_mask": mask}

    def observe(self, agent: str) -> Observation:
        """Return what an agent observes now."""
        if agent == self.agent_selection and not self.terminations[agent]:
            return self._shown
        observation, mask = self._env.observe(self._seats[agent])
        return {"observation": observation, "action_mask": mask} if self._mask_in_observation else observation

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yield the agent to move until the game is over; each turn must call `step`."""
        if not self._stepped and not self.agents:
            raise RuntimeError("no game is being played: call reset() before agent_iter()")
        return self._turns(max_iter)

    def _turns(self, most: int) -> Iterator[str]:
        while self.agents and most > 0:
            if not self._stepped:
                raise RuntimeError("a turn in a loop over agent_iter() must call step() or reset()")
            self._stepped = False
            most -= 1
            yield self.agent_selection

    def step(self, action: Any) -> None:
        """Play an action for the agent to move; None for one whose game is over."""
        if not self.agents:
            raise RuntimeError("no game is being played: call reset() before step()")
        self._stepped = True
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        env, chosen = self._env, action if action.__class__ is int else read_action(action)
        count = env.try_step(chosen)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = self._nothing
        if count > 0:
            self._turn()
        elif count == 0:
            self._finish(dict(zip(self.agents, env.rewards(), strict=True)))
        else:
            self.infos[agent] = {**self._nothing, "illegal": env.why_not(chosen)}
            self._finish({name: -1.0 if name == agent else 0.0 for name in self.agents})
        if self.render_mode == "human":
            self.render()

    def _finish(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        """Draw the table as the agent to move sees it; once the game is over, with all hands open."""
        if "rewards" not in self.__dict__:
            raise RuntimeError("no game is being played: call reset() before render()")
        if self.render_mode is None:
            return None
        game = self._env.game()
        if game.over or game.to_move is None:
            views = [game.view(seat) for seat in range(game.players)]
            return render.render(self.render_mode, views[0], views[1:])
        return render.render(self.render_mode, game.view(game.to_move))

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def copy(self) -> "AEC":
        """Return an independent copy of the game."""
        twin = AEC.__new__(AEC)
        twin.__dict__.update(self.__dict__)
        twin._env = self._env.copy()
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    clone = copy


env = AEC
"""Make an environment: `env(game, players=None, render_mode=None, **options)`."""
