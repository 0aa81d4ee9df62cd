"""Gymnasium: its own checker, the vector environment, opponents of all kinds."""

import copy
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import tavolino
from tavolino import Batch
from tavolino.bots.position import Position
from tavolino.engine.observe import ENCODERS, observe_one
from tavolino.envs.env import blank
from tavolino.envs.gymnasium import VectorVersus, Versus

NAMES = ["Orma", "FaceToFace", "OutOfSock"]
every_name = pytest.mark.parametrize("name", NAMES)


def make(name: str, **how: Any) -> Versus:
    env = gym.make(f"tavolino:Tavolino/{name}-v1", **how).unwrapped
    assert isinstance(env, Versus)
    return env


def make_vec(name: str, number: int, **how: Any) -> VectorVersus:
    env = gym.make_vec(f"tavolino:Tavolino/{name}-v1", number, vectorization_mode="vector_entry_point", **how)
    assert isinstance(env, VectorVersus)
    return env


def finish(env: Versus, pick: int = -1) -> float:
    """Play on by the first or the last legal action; return the reward."""
    while True:
        _, reward, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[pick]))
        if over:
            return reward


@every_name
def test_check_env(name: str) -> None:
    """Gymnasium's own checker has nothing to say."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(name, opponents=["greedy"]))
        check_env(make(name, opponents=["random"], seat=1, render_mode="ansi"))


@pytest.mark.parametrize(
    "order", ["import tavolino, gymnasium as gym", "import gymnasium as gym", "import gymnasium as gym, tavolino"]
)
def test_registered_whatever_is_imported_first(order: str) -> None:
    """`tavolino:` finds the environments in any order of imports."""
    code = f"{order}; print(gym.envs.registration._find_spec('tavolino:Tavolino/Orma-v1'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "tavolino.envs.gymnasium:Versus" in done.stdout, done.stderr


@every_name
def test_random_games(name: str) -> None:
    """Games against bots end with a reward; what is observed stays within the space; the same seed plays the same."""
    env, twin = make(name, opponents="random"), make(name, opponents="random")
    rewards = set()
    for seed in range(12):
        shown, info = env.reset(seed=seed)
        twin.reset(seed=seed)
        assert info["seat"] == env.seat
        over = False
        while not over:
            assert shown in env.observation_space
            assert shown["action_mask"].tolist() == info["action_mask"].tolist()
            action = env.action_space.sample(shown["action_mask"])
            shown, reward, over, truncated, info = env.step(action)
            other = twin.step(action)
            assert other[0]["observation"].tobytes() == shown["observation"].tobytes()
            assert not truncated
            assert reward == 0 or over
        rewards.add(reward)
        assert env.render() is None
    assert rewards <= {-1.0, 0.0, 1.0}
    assert len(rewards) > 1


def test_an_illegal_action_loses() -> None:
    """It ends the game, and the info says why."""
    env = make("FaceToFace", opponents="random")
    with pytest.raises(gym.error.ResetNeeded, match=r"no game has begun: call reset\(\) before step\(\)"):
        env.step(0)
    with pytest.raises(gym.error.ResetNeeded, match=r"no game has begun: call reset\(\) before step\(\)"):
        make_vec("FaceToFace", 2).step([0, 0])
    env.reset(seed=1)
    _, reward, over, _, info = env.step(0)
    assert (reward, over) == (-1.0, True)
    assert "at least 2 cards" in info["illegal"]
    with pytest.raises(gym.error.ResetNeeded, match=r"the game is over: call reset\(\)"):
        env.step(0)


def first_word(position: Position) -> str:
    assert position.view["hand"] is not None
    return position.legal_moves[0]


class Careful:
    """A player of one's own."""

    name = "careful"
    closed = 0

    def choose(self, position: Position) -> str:
        return tavolino.replay(position._game.record()).legal_moves[-1]

    def close(self) -> None:
        self.closed += 1


def test_opponents_of_all_kinds() -> None:
    """Names, functions and players mix; the learner's seat can be chosen; what is wrong is said."""
    careful = Careful()
    env = make("Orma", players=4, opponents=[first_word, "value", careful], seat=2, first=0, spare_blacks=3)
    env.reset(seed=1)
    assert env.seat == 2
    assert len(env._env.game().moves) >= 2
    finish(env)
    env.close()
    assert careful.closed == 1
    searching = make("FaceToFace", opponents=["search"], seat=0, first=0)
    searching.reset(seed=1)
    for _ in range(3):
        searching.step(int(np.flatnonzero(searching.action_masks())[0]))
    with pytest.raises(ValueError, match="there must be 1 to 1 opponents"):
        make("FaceToFace", opponents=["greedy", "greedy"])
    with pytest.raises(ValueError, match="no player 'grandma'"):
        make("Orma", opponents=["grandma"])
    for seat in (7, -1, 0.5, True):
        with pytest.raises(ValueError, match=f"seat must be from 0 to 1, not {seat}"):
            Versus("orma", seat=seat)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=f"seat must be from 0 to 1, not {seat}"):
            VectorVersus("orma", 2, seat=seat)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="render_mode must be one of"):
        Versus("orma", render_mode="pdf")


@every_name
def test_copies(name: str) -> None:
    """A copy made in the middle ends the same way and leaves the first as it was."""
    env = make(name, opponents="greedy")
    env.reset(seed=4)
    for _ in range(5):
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    twin = env.copy()
    assert finish(twin) == finish(env)
    assert twin.reset()[0]["observation"].tobytes() == env.reset()[0]["observation"].tobytes()
    many = make_vec(name, 3, opponents="greedy")
    many.reset(seed=1)
    others = many.copy()
    for _ in range(60):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in many._board.masks.view(bool)])
        mine, yours = many.step(actions), others.step(actions)
        assert mine[0]["observation"].tobytes() == yours[0]["observation"].tobytes()


@every_name
def test_vector_environment(name: str) -> None:
    """Each game goes its own way whatever the number; ends are told as SAME_STEP says; arrays match the spaces."""
    few = make_vec(name, 3, opponents=["greedy"])
    many = make_vec(name, 40, opponents=["greedy"], threads=2)
    lean = make_vec(name, 3, opponents=["greedy"], copy=False)
    assert few.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert few.reset(seed=3)[0] in few.observation_space
    shown, info = many.reset(seed=3)
    in_place, _ = lean.reset(seed=3)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(250):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in shown["action_mask"]])
        many._others.final[:] = 9  # what is left of an earlier game must not show
        mine = few.step(actions[:3])
        lean.step(actions[:3])
        shown, rewards, over, truncated, info = many.step(actions)
        assert mine[0]["observation"].tobytes() == shown["observation"][:3].tobytes()
        assert in_place["observation"].tobytes() == mine[0]["observation"].tobytes()
        for row, seat in enumerate(info["seat"]):
            anew, mask = blank(many.setup, many.form)
            observe_one(many._board.states[row : row + 1], int(seat), many.form.version, anew, mask)
            assert shown["observation"][row].tobytes() == anew.tobytes()
        assert mine[1].tolist() == rewards[:3].tolist()
        assert not truncated.any()
        assert (rewards[~over] == 0).all()
        if over.any():
            ends += 1
            assert info["_final_obs"].tolist() == over.tolist()
            for i in np.flatnonzero(over):
                last = info["final_obs"][i]
                assert last in many.single_observation_space
                assert not last["action_mask"].any()
                assert (last["observation"] < 9).all()
    assert ends
    illegal = np.full(3, 63)
    assert few.step(illegal)[1].tolist() == [-1, -1, -1]
    for env in (few, many, lean):
        env.close()


@every_name
def test_some_games_of_a_vector_begin_anew(name: str) -> None:
    """`reset_mask`, as Gymnasium has it: those rows are dealt, the others stay where they are and play on alike."""
    env = make_vec(name, 4, opponents=["greedy"])
    with pytest.raises(gym.error.ResetNeeded):
        env.reset(seed=1, options={"reset_mask": np.array([True, False, False, False])})
    env.reset(seed=1)
    for _ in range(8):
        shown = env.step(env.bot("random"))[0]
    other = env.copy()
    mask = np.array([True, False, False, True])
    options = {"reset_mask": mask}
    again, info = env.reset(seed=5, options=options)
    assert options == {"reset_mask": mask}
    assert again["observation"][~mask].tobytes() == shown["observation"][~mask].tobytes()
    assert again["action_mask"][~mask].tobytes() == shown["action_mask"][~mask].tobytes()
    fresh = make_vec(name, 4, opponents=["greedy"])
    begun, seats = fresh.reset(seed=5)
    assert again["observation"][mask].tobytes() == begun["observation"][mask].tobytes()
    assert info["seat"][mask].tolist() == seats["seat"][mask].tolist()
    assert env.reset(seed=5, options={"reset_mask": np.ones(4, bool)})[0]["observation"].tobytes() == (
        begun["observation"].tobytes()
    )
    actions = other.bot("greedy")
    env = other.copy()
    dealt, _ = env.reset(options={"reset_mask": mask})
    mine = np.where(mask, dealt["action_mask"].argmax(axis=1), actions)
    here, there = env.step(mine), other.step(actions)
    same = ~mask & ~there[2]  # what follows a game that ends comes from the new seed
    assert same.any()
    assert here[0]["observation"][same].tobytes() == there[0]["observation"][same].tobytes()
    assert here[1][~mask].tolist() == there[1][~mask].tolist()
    for wrong in ([True, False, False, True], np.array([1, 0, 0, 1]), np.ones(3, bool), np.zeros(4, bool), None):
        with pytest.raises(ValueError, match=r"reset_mask must be an array of 4 booleans, at least one of them True"):
            env.reset(options={"reset_mask": wrong})


def test_vector_environment_says_what_is_wrong() -> None:
    """Only those that answer at once play inside; the number of actions is checked."""
    with pytest.raises(ValueError, match="must answer at once"):
        make_vec("Orma", 2, opponents=["search"])
    env = make_vec("Orma", 2, players=3, opponents=["random", "value"], seat=1)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="must be 2 whole numbers"):
        env.step(np.zeros(3, np.int64))


def first_legal(observations: Any, masks: Any) -> Any:
    """Play the first legal action in each game: a function over batches."""
    assert len(observations) == len(masks)
    return masks.argmax(axis=1)


def test_functions_over_batches_play() -> None:
    """A function in the other seats, alone or beside a bot: games are those that the function's moves make."""
    env = make_vec("Orma", 8, players=3, opponents=[first_legal, "greedy"])
    twin = make_vec("Orma", 8, players=3, opponents=[first_legal, "greedy"])
    shown, _ = env.reset(seed=1)
    again, _ = twin.reset(seed=1)
    ends = 0
    for _ in range(80):
        assert shown["observation"].tobytes() == again["observation"].tobytes()
        assert (shown["observation"][:, ENCODERS[1]["orma"].AT["seats"] + 5] == 1).all(), "the learner is to move"
        actions = shown["action_mask"].argmax(axis=1)
        shown, rewards, done, _, _ = env.step(actions)
        again = twin.step(actions)[0]
        ends += done.sum()
        assert (rewards[~done] == 0).all()
    assert ends
    wrong = make_vec("Orma", 2, opponents=lambda seen, masks: np.full(len(masks), 3), first=0, seat=0)
    wrong.reset(seed=1)
    with pytest.raises(ValueError, match="opponent 0 chose 3, which its mask does not allow"):
        list(map(wrong.step, [wrong.bot("naive")]))


def test_games_begin_anew_when_asked() -> None:
    """Autoreset as Gymnasium has it: in the same step, in the next, or by the caller alone; the games are the same."""
    same, after, never = (
        make_vec("FaceToFace", 6, opponents="random", autoreset_mode=mode)
        for mode in ("SAME_STEP", "NEXT_STEP", "DISABLED")
    )
    assert [env.metadata["autoreset_mode"].name for env in (same, after, never)] == [
        "SAME_STEP",
        "NEXT_STEP",
        "DISABLED",
    ]
    shown = [env.reset(seed=2)[0] for env in (same, after, never)]
    while True:
        actions = shown[0]["action_mask"].argmax(axis=1)
        told = [env.step(actions) for env in (same, after, never)]
        shown = [one[0] for one in told]
        assert told[0][1].tolist() == told[1][1].tolist() == told[2][1].tolist()
        if (done := told[0][2]).any():
            break
    row = int(np.flatnonzero(done)[0])
    last = told[0][4]["final_obs"][row]["observation"]
    assert shown[1]["observation"][row].tobytes() == shown[2]["observation"][row].tobytes() == last.tobytes()
    assert "final_obs" not in told[1][4]
    assert not shown[1]["action_mask"][row].any()
    began, rewards, ended, _, _ = after.step(np.where(done, 10**6, shown[1]["action_mask"].argmax(axis=1)))
    assert not ended[row]
    assert rewards[row] == 0
    assert began["observation"][row].tobytes() == shown[0]["observation"][row].tobytes()
    with pytest.raises(gym.error.ResetNeeded, match=rf"games \[{row}.*\] are over"):
        never.step(actions)
    again, _ = never.reset(options={"reset_mask": done})
    assert again["action_mask"].any(axis=1).all()
    never.step(again["action_mask"].argmax(axis=1))
    with pytest.raises(ValueError, match="autoreset_mode must be one of SAME_STEP, NEXT_STEP, DISABLED"):
        make_vec("Orma", 2, autoreset_mode="later")


def test_moves_are_counted_as_in_a_batch() -> None:
    """`final_info` counts the moves of all seats, like `Batch.final_moves`."""
    env = make_vec("FaceToFace", 1, opponents=first_legal, seat=0)
    batch = Batch("face-to-face", size=1)
    shown, _ = env.reset(seed=1)
    batch[0] = replayed(env)
    while not batch.done[0]:
        batch.step(batch.masks.argmax(axis=1))
    done = np.zeros(1, bool)
    while not done[0]:
        shown, _, done, _, info = env.step(shown["action_mask"].argmax(axis=1))
    assert info["final_info"]["moves"].tolist() == batch.final_moves.tolist()


def replayed(env: VectorVersus) -> tavolino.Game:
    """Return a game with the state of the first row, and as many moves."""
    game = tavolino.new(env.setup.key, seed=1)
    game._states = env._board.states[:1].copy()
    game._history = [(0, "end")] * int(env._board.moves[0])
    game._changed()
    return game


@pytest.mark.filterwarnings("ignore:.*is out of date")  # as Gymnasium says of every version but the last
@every_name
def test_the_first_version_stays(name: str) -> None:
    """`-v0` shows version 0 and `-v1` version 1, in single and vector environments."""
    for version in (0, 1):
        env: Any = gym.make(f"tavolino:Tavolino/{name}-v{version}").unwrapped
        assert env.form.version == version
        assert env.observation_space["observation"].shape == (ENCODERS[version][env.setup.key].SIZE,)
        many: Any = gym.make_vec(f"tavolino:Tavolino/{name}-v{version}", 2, vectorization_mode="vector_entry_point")
        assert many.form.version == version
        named: Any = gym.make(f"tavolino:Tavolino/{name}-v{version}", observation="fields").unwrapped
        assert named.reset(seed=1)[0] in named.observation_space


def test_pickled_games_go_on() -> None:
    """A pickled or deeply copied environment plays on as the first does."""
    ways: list[Callable[[Any], Any]] = [lambda env: pickle.loads(pickle.dumps(env)), copy.deepcopy]
    for twice in ways:
        env = make("Orma", opponents=["greedy"])
        env.reset(seed=4)
        twin = twice(env)
        assert finish(twin) == finish(env)
        assert twin.reset()[0]["observation"].tobytes() == env.reset()[0]["observation"].tobytes()
        many = make_vec("Orma", 3, opponents=["greedy"], threads=2)
        many.reset(seed=1)
        others = twice(many)
        for _ in range(40):
            actions = many.bot("greedy")
            assert many.step(actions)[0]["observation"].tobytes() == others.step(actions)[0]["observation"].tobytes()
        many.close()
        others.close()


def test_strength_is_the_arena_s() -> None:
    """`greedy` in the learner's seat is as strong against `naive` as the docs say: the seats are not mixed up."""
    env = make_vec("Orma", 64, opponents=["naive"])
    env.reset(seed=1)
    won: list[float] = []
    while len(won) < 200:
        _, rewards, over, _, _ = env.step(env.bot("greedy"))
        won += ((rewards[over] + 1) / 2).tolist()
    assert np.mean(won) > 0.85
