"""PettingZoo: every seat is an agent. `tavolino.envs.pettingzoo.env(KEY, players=3)`."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from tavolino.envs import render
from tavolino.envs.env import Env, read_action
from tavolino.envs.gymnasium import observation_space
from tavolino.envs.setup import env_setup
from tavolino.play.seeds import fresh_seed

Observation = dict[str, NDArray[Any]]


class AEC(AECEnv[str, Observation, int]):
    """A game whose agents, `player_0`, `player_1`, …, move one at a time.

    An observation is a dict of `observation` and `action_mask`; the mask of the agent to move is in its info, too.
    Rewards come at the end. An illegal action ends the game: −1 for the agent that tried it, 0 for the others, and
    `illegal` in its info says why.
    """

    metadata = {"render_modes": list(render.MODES), "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012

    def __init__(self, game: str, players: int | None = None, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self.setup = env_setup(game, players, options)
        self.render_mode = render.check_mode(render_mode)
        self.metadata = {**AEC.metadata, "name": f"tavolino_{self.setup.key.replace('-', '_')}_v0"}
        self.possible_agents = [f"player_{seat}" for seat in range(self.setup.players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(self.setup) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.setup.actions) for agent in self.possible_agents}
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._env = Env(game, self.setup.players, fresh_seed(), **options)
        self._nothing: dict[str, Any] = {"action_mask": np.zeros(self.setup.actions, np.int8)}

    def __repr__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> spaces.Dict:
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
        self._turn()
        if self.render_mode == "human":
            self.render()

    def _turn(self) -> None:
        """Show the table to the seat to move."""
        env = self._env
        seat = env.to_move
        agent = self.agent_selection = self.possible_agents[seat]
        observation, mask = env.observe(seat)
        self._shown: Observation = {"observation": observation, "action_mask": mask}
        self.infos[agent] = {"action_mask": mask}

    def observe(self, agent: str) -> Observation:
        """Return what an agent observes now."""
        if agent == self.agent_selection and not self.terminations[agent]:
            return self._shown
        observation, mask = self._env.observe(self._seats[agent])
        return {"observation": observation, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play an action for the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        env, chosen = self._env, read_action(action)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = self._nothing
        if not env.is_legal(chosen):
            self.infos[agent] = {**self._nothing, "illegal": env.why_not(chosen)}
            self._finish({name: -1.0 if name == agent else 0.0 for name in self.agents})
        elif env.step(chosen):
            self._turn()
        else:
            self._finish(dict(zip(self.agents, env.rewards(), strict=True)))
        if self.render_mode == "human":
            self.render()

    def _finish(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        """Draw the table as the agent to move sees it; once the game is over, with all hands open."""
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
