"""OpenSpiel: importing this registers `tavolino_orma`, `tavolino_face_to_face` and `tavolino_out_of_sock`.

Python games of OpenSpiel with explicit chance: `pyspiel.load_game("tavolino_orma(players=3)")`. A state is a `World`
(lazy.py). By parameters each game can be made small, so that algorithms that walk the whole tree can run.
"""

import base64
import pickle
from typing import Any

import numpy as np
import pyspiel

from tavolino.envs.compiled.observe import ENCODERS
from tavolino.envs.lazy import CHANCE, Dealer, FaceToFace, Orma, OutOfSock, World
from tavolino.envs.setup import Setup, fields, read_setup
from tavolino.games import GAMES, orma, out_of_sock

NO_ATTRIBUTES = base64.b64encode(pickle.dumps({})).decode()
LENGTHS = {"face-to-face": (200, 120), "orma": (600, 130), "out-of-sock": (3000, 12000)}
"""The most decisions and chances of a game. Out of Sock has no such bound, but skipped turns do not go on for long."""
TOLD = 400
"""How many of the last things it was told are in the tensor of a seat's information state."""


def _face_to_face(p: dict[str, Any]) -> tuple[Setup, Dealer]:
    return read_setup("face-to-face", 2, _first(p)), FaceToFace(p["cards"], p["hand"])


def _orma(p: dict[str, Any]) -> tuple[Setup, Dealer]:
    spare: Any = "mixed" if p["spare_blacks"] < 0 else p["spare_blacks"]
    setup = read_setup("orma", p["players"], {**_first(p), "spare_blacks": spare})
    code = orma.OPTIONS[0].code(spare)
    return setup, Orma(setup.seats, code, p["colours"], p["each"], p["dealt"])


def _out_of_sock(p: dict[str, Any]) -> tuple[Setup, Dealer]:
    setup = read_setup("out-of-sock", p["players"], {**_first(p), "basket": p["basket"]})
    return setup, OutOfSock(setup.seats, out_of_sock.OPTIONS[0].code(p["basket"]), p["height"])


def _first(p: dict[str, Any]) -> dict[str, Any]:
    return {"first": None if p["first"] < 0 else p["first"]}


MAKERS = {"face-to-face": _face_to_face, "orma": _orma, "out-of-sock": _out_of_sock}
PARAMETERS: dict[str, dict[str, Any]] = {
    "face-to-face": {"first": -1, "cards": 58, "hand": 6},
    "orma": {"players": 2, "first": -1, "spare_blacks": -1, "colours": 5, "each": 12, "dealt": 0},
    "out-of-sock": {"players": 2, "first": -1, "basket": "aimed", "height": 12},
}


def _type(key: str, seats: tuple[int, ...], title: str) -> Any:
    kinds = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=f"tavolino_{key.replace('-', '_')}",
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.PERFECT_INFORMATION if key == "out-of-sock" else kinds.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats[-1],
        min_num_players=seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS[key],
    )


class SpielGame(pyspiel.Game):
    """One of our games, as OpenSpiel knows games."""

    def __init__(self, key: str, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS[key], **(params or {})}
        self.setup, self.dealer = MAKERS[key](given)
        decisions, self._chances = LENGTHS[key]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.actions,
            max_chance_outcomes=96,
            num_players=self.setup.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(TYPES[key], info, params or {})
        self._start = World(self.setup, self.dealer)

    def max_chance_nodes_in_history(self) -> int:
        """Return the most chances of a game."""
        return self._chances

    def new_initial_state(self) -> "SpielState":
        """Return the beginning, before anything is dealt."""
        return SpielState(self, self._start.copy())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return what writes observations, or information states with perfect recall."""
        if params:
            raise ValueError(f"observations have no parameters, not {params}")
        return Observer(self.setup, bool(iig_obs_type and iig_obs_type.perfect_recall))


class SpielState(pyspiel.State):
    """A game in play."""

    def __init__(self, game: SpielGame, world: World) -> None:
        super().__init__(game)
        self.world = world

    def current_player(self) -> int:
        """Return the seat to move, or whether chance or nobody is."""
        if self.world.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.world.player if self.world.player != CHANCE else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return self.world.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance can say, and how likely each is."""
        return self.world.outcomes()

    def _apply_action(self, action: int) -> None:
        self.world.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE:
            return str(self.world.setup.rules.WORDS.get(action, action))
        return self.world.word(CHANCE, action, self.world.todo[0]) if self.world.todo else f"chance:{action}"

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.world.over

    def returns(self) -> list[float]:
        """Return what the game came to: 1 for winning alone, the sum is 0."""
        return self.world.returns()

    def __str__(self) -> str:
        return " ".join(self.world.word(*item) for item in self.world.log)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> "SpielState":
        """Return a state that looks the same to a seat, drawn evenly from all that do."""
        seed = int(probability_sampler() * (1 << 53))
        twin: SpielState = _with_history(self.get_game(), self.world.redealt(player_id, seed))
        return twin


def _with_history(game: Any, world: World) -> Any:
    """Return a state of a world; OpenSpiel's own record of the history can only be set by reading one back."""
    history = ",".join(f"{who}:{action}" for who, action, _ in world.log)
    state = game.deserialize_state(f"history={history}\nmove_number={len(world.log)}\n__dict__={NO_ATTRIBUTES}")
    state.world = world
    return state


class Observer:
    """Write what a seat observes; with perfect recall also all it was told, in order."""

    def __init__(self, setup: Setup, recall: bool) -> None:
        self._setup, self._recall = setup, recall
        size = int(ENCODERS[setup.key].SIZE)
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
    """Return what OpenSpiel calls to make a game."""

    def make(params: dict[str, Any] | None = None) -> SpielGame:
        return SpielGame(key, params)

    make.itself = make  # type: ignore[attr-defined]
    # OpenSpiel lets go of it after Python has ended, when nothing may be freed any more: a cycle never is.
    return make


TYPES = {key: _type(key, rules.PLAYERS, rules.TITLE) for key, rules in GAMES.items()}
for _key, _kind in TYPES.items():
    pyspiel.register_game(_kind, _maker(_key))
