"""PettingZoo: its own tests, and what they do not look at."""

import copy
import pickle
import random
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from tavolino.bench.envs import wrap
from tavolino.envs import pettingzoo
from tavolino.envs.pettingzoo import AEC

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # they import environments of theirs in an old way
    from pettingzoo.test import api_test, render_test, seed_test

CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("orma", 2, {}),
    ("orma", 5, {"spare_blacks": 2}),
    ("face-to-face", 2, {"first": 1}),
    ("out-of-sock", 3, {}),
    ("out-of-sock", 4, {"basket": "table"}),
]
every_case = pytest.mark.parametrize(("key", "players", "options"), CASES)


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@every_case
def test_api(key: str, players: int, options: dict[str, Any]) -> None:
    """PettingZoo's own tests of the interface and of seeds; it warns of every dict outside its own environments."""
    api_test(pettingzoo.env(key, players, **options), num_cycles=60)
    seed_test(lambda: pettingzoo.env(key, players, **options), num_cycles=40)


def play(env: AEC, moves: int, seed: int = 1) -> None:
    rng = random.Random(seed)
    for _ in env.agent_iter(moves):
        shown, _, over, _, _ = env.last()
        env.step(None if over else rng.choice(np.flatnonzero(shown["action_mask"]).tolist()))


@pytest.mark.parametrize(("key", "players"), [("orma", 3), ("face-to-face", 2), ("out-of-sock", 2)])
def test_render(key: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    """PettingZoo's own test of the pictures; SVG is a picture too, and no hand is shown but the mover's."""
    render_test(
        lambda **how: pettingzoo.env(key, players, **how),
        custom_tests={"svg": lambda res: res.startswith("<svg ") and res.endswith("</svg>") and "seat 0" in res},
    )
    assert "seat 0" in capsys.readouterr().out
    env = pettingzoo.env(key, players, render_mode="rgb_array")
    env.reset(seed=2)
    play(env, 20)
    drawn = env.render()
    assert drawn.any(axis=2).mean() > 0.9  # paper is not black
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) >= 3


@every_case
def test_games_to_the_end(key: str, players: int, options: dict[str, Any]) -> None:
    """Masks stand in observation and info; rewards add up to 0 and come to everyone at the end."""
    env = pettingzoo.env(key, players, **options)
    rng = random.Random(1)
    for seed in range(5):
        env.reset(seed=seed)
        got = {}
        for agent in env.agent_iter():
            shown, reward, over, truncated, info = env.last()
            assert shown is not None
            assert not truncated
            assert shown["action_mask"].tolist() == info["action_mask"].tolist()
            if over:
                got[agent] = reward
                assert not shown["action_mask"].any()
                env.step(None)
                continue
            assert reward == 0
            for other in env.agents:
                assert env.observe(other)["action_mask"].any() == (other == agent)
            env.step(rng.choice(np.flatnonzero(shown["action_mask"]).tolist()))
        assert set(got) == set(env.possible_agents)
        assert sum(got.values()) == pytest.approx(0)
        assert max(got.values()) > 0


def test_copies() -> None:
    """A copy made in the middle goes its own way."""
    env = pettingzoo.env("orma", 3)
    env.reset(seed=1)
    play(env, 15)
    twin = env.copy()
    before = env.last()[0]
    play(twin, 30)
    assert env.last()[0] is before
    play(env, 30)
    mine, yours = env.last(), twin.last()
    assert mine[0]["observation"].tobytes() == yours[0]["observation"].tobytes()


def test_what_is_given_stays() -> None:
    """An observation given out is not written over by later moves."""
    env = pettingzoo.env("face-to-face")
    env.reset(seed=1)
    shown = env.last()[0]
    assert shown is not None
    before = shown["observation"].tobytes()
    play(env, 9)
    assert shown["observation"].tobytes() == before


def test_an_illegal_action_loses() -> None:
    """It ends the game for all."""
    env = pettingzoo.env("face-to-face", first=0)
    env.reset(seed=1)
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0}
    assert "at least 2 cards" in env.infos["player_0"]["illegal"]


def test_before_reset_and_without_an_action() -> None:
    """A step too early, and None for an agent that is to move, are refused in words; nothing changes."""
    env = pettingzoo.env("orma")
    with pytest.raises(RuntimeError, match=r"no game is being played: call reset\(\) before step\(\)"):
        env.step(0)
    env.reset(seed=1)
    before = env._env.states.tobytes()
    with pytest.raises(ValueError, match="an action must be a whole number, not None"):
        env.step(None)
    assert env._env.states.tobytes() == before


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_wrappers_check_is_checked(wrapped: bool) -> None:
    """Whatever PettingZoo's wrappers refuse around an environment, ours refuses without them."""
    bare: Any = pettingzoo.env("orma")
    env = wrap(bare) if wrapped else bare
    for name in ("rewards", "terminations", "truncations", "infos", "agent_selection"):
        with pytest.raises(AttributeError, match="reset"):
            getattr(env, name)
    for call in (env.last, env.agent_iter, env.render, partial(env.step, 0), partial(env.observe, "player_0")):
        with pytest.raises((AttributeError, RuntimeError, AssertionError), match="reset"):
            call()
    env.reset(seed=1)
    turns = iter(env.agent_iter())
    next(turns)
    with pytest.raises((RuntimeError, AssertionError), match=r"call step\(\)"):
        next(turns)
    env.reset(seed=1)
    agent = env.agent_selection
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    env.step(illegal)
    assert all(env.terminations.values())
    assert env.rewards[agent] == -1
    for _ in env.agents.copy():
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("observation", ["flat", "fields"])
def test_mask_only_in_the_info(observation: str) -> None:
    """On request observations are bare numbers, and the mask is only in the info."""
    env = pettingzoo.env("orma", 3, mask="info", observation=observation)
    env.reset(seed=1)
    for agent in env.agent_iter(40):
        shown, _, over, _, info = env.last()
        assert shown in env.observation_space(agent)
        assert ("hand" in shown) if observation == "fields" else shown.shape == (env.form.size,)
        env.step(None if over else int(info["action_mask"].argmax()))
    with pytest.raises(ValueError, match="mask must be 'observation' or 'info', not 'both'"):
        pettingzoo.env("orma", mask="both")


def test_names_have_the_version() -> None:
    """The name says which observations it shows."""
    assert str(pettingzoo.env("orma")) == "tavolino_orma_v1"
    assert str(pettingzoo.env("orma", version=0)) == "tavolino_orma_v0"


def test_pickled_games_go_on() -> None:
    """A pickled or deeply copied environment plays on as the first does."""
    ways: list[Callable[[Any], Any]] = [lambda env: pickle.loads(pickle.dumps(env)), copy.deepcopy]
    for twice in ways:
        env = pettingzoo.env("orma", 3)
        env.reset(seed=1)
        play(env, 15)
        twin = twice(env)
        play(env, 30)
        play(twin, 30)
        mine, yours = env.last(), twin.last()
        assert mine[0]["observation"].tobytes() == yours[0]["observation"].tobytes()
