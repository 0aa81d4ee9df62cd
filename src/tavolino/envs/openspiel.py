"""OpenSpiel: importing this module registers every game that has a `chance.py`, as `tavolino_GAME`.

They are Python games with explicit chance: `pyspiel.load_game("tavolino_GAME(players=3)")`. A state holds a `World`
(chance_nodes.py). Parameters make each game small enough for algorithms that walk the whole tree.
"""

import base64
import pickle
from typing import Any

import numpy as np
import pyspiel

from tavolino.engine.chance_nodes import CHANCE
from tavolino.engine.observe import ENCODERS, NEWEST
from tavolino.engine.registry import GAMES
from tavolino.envs.chance_nodes import World
from tavolino.envs.setup import fields
from tavolino.play.setup import Setup, read_setup

NO_ATTRIBUTES = base64.b64encode(pickle.dumps({})).decode()
TOLD = 400
"""How many of the latest things a seat was told are in the tensor of its information state."""


GAMES_WITH_CHANCE = {key: chance for key, game in GAMES.items() if (chance := game.part("chance")) is not None}
"""The games with explicit chance, which OpenSpiel needs."""


def _type(key: str, chance: Any) -> Any:
    people = GAMES[key].people
    kinds = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=f"tavolino_{key.replace('-', '_')}",
        long_name=people.TITLE,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.PERFECT_INFORMATION if chance.PERFECT_INFORMATION else kinds.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=people.PLAYERS[-1],
        min_num_players=people.PLAYERS[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(chance.PARAMETERS),
    )


class SpielGame(pyspiel.Game):
    """One of our games, as a game of OpenSpiel."""

    def __init__(self, key: str, params: dict[str, Any] | None = None) -> None:
        chance = GAMES_WITH_CHANCE[key]
        given = {**chance.PARAMETERS, **(params or {})}
        first = None if given["first"] < 0 else given["first"]
        self.setup = read_setup(key, given.get("players"), chance.options(given), first)
        self.dealer = chance.dealer(given)
        decisions, self._chances = chance.LENGTHS
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.actions,
            max_chance_outcomes=96,
            num_players=self.setup.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(TYPES[key], info, params or {})
        self._start = World(self.setup, self.dealer)

    def max_chance_nodes_in_history(self) -> int:
        """Return the largest number of chance nodes in a game."""
        return int(self._chances)

    def new_initial_state(self) -> "SpielState":
        """Return the initial state, before anything is dealt."""
        return SpielState(self, self._start.copy())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return an observer for observations, or for information states with perfect recall."""
        if params:
            raise ValueError(f"observations have no parameters, not {params}")
        return Observer(self.setup, bool(iig_obs_type and iig_obs_type.perfect_recall))


class SpielState(pyspiel.State):
    """A game in play."""

    def __init__(self, game: SpielGame, world: World) -> None:
        super().__init__(game)
        self.world = world

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or the end."""
        if self.world.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.world.player if self.world.player != CHANCE else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return self.world.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes of chance with their probabilities."""
        return self.world.outcomes()

    def _apply_action(self, action: int) -> None:
        self.world.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE:
            return str(self.world.setup.game.people.WORDS.get(action, action))
        return self.world.word(CHANCE, action, self.world.todo[0]) if self.world.todo else f"chance:{action}"

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.world.over

    def returns(self) -> list[float]:
        """Return the result by seat: 1 for winning alone; they sum to 0."""
        return self.world.returns()

    def __str__(self) -> str:
        return " ".join(self.world.word(*item) for item in self.world.log)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> "SpielState":
        """Return a state sampled uniformly from all those that look the same to a seat."""
        seed = int(probability_sampler() * (1 << 53))
        twin: SpielState = _with_history(self.get_game(), self.world.redealt(player_id, seed))
        return twin


def _with_history(game: Any, world: World) -> Any:
    """Return the state of a world; OpenSpiel's own history can only be set by deserializing it."""
    history = ",".join(f"{who}:{action}" for who, action, _ in world.log)
    state = game.deserialize_state(f"history={history}\nmove_number={len(world.log)}\n__dict__={NO_ATTRIBUTES}")
    state.world = world
    return state


class Observer:
    """Write what a seat observes; with perfect recall, also everything it was told, in order."""

    def __init__(self, setup: Setup, recall: bool) -> None:
        self._setup, self._recall = setup, recall
        size = int(ENCODERS[NEWEST][setup.key].SIZE)
        self.tensor = np.zeros(size + (TOLD if recall else 0), np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if recall:
            self.dict["told"] = self.tensor[size:]

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the tensor."""
        self.dict["observation"][:] = state.world.observation(player)
        if self._recall:
            told = [1 + action for _, action, _ in state.world.known(player)][-TOLD:]
            self.dict["told"][:] = 0
            self.dict["told"][: len(told)] = told

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the same in words."""
        world = state.world
        if self._recall:
            return " ".join([f"p{player}", *(world.word(*item) for item in world.known(player))])
        seen = world.observation(player)
        parts = [f"p{player}"]
        for name, (where, _) in fields(self._setup.key).items():
            values = seen[where]
            parts.append(f"{name}={','.join(f'{i}:{values[i]:.4g}' for i in np.flatnonzero(values))}")
        return " ".join(parts)


def _maker(key: str) -> Any:
    """Return the function that OpenSpiel calls to make a game."""

    def make(params: dict[str, Any] | None = None) -> SpielGame:
        return SpielGame(key, params)

    make.itself = make  # type: ignore[attr-defined]
    # OpenSpiel lets go of it after Python has ended, when nothing may be freed any more: a cycle never is.
    return make


TYPES = {key: _type(key, chance) for key, chance in GAMES_WITH_CHANCE.items()}
for _key, _kind in TYPES.items():
    pyspiel.register_game(_kind, _maker(_key))
