"""Many games at once, and one: the same games, whatever the size and the threads."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino import Batch
from tavolino.envs.env import Env
from tavolino.envs.gymnasium import VectorVersus, Versus
from tavolino.envs.pettingzoo import AEC
from tests.cases import CASES, IDS, Case

every_case = pytest.mark.parametrize("case", CASES, ids=IDS)
GAMES = [("out-of-sock", 4), ("face-to-face", 2), ("orma", 3)]
every_game = pytest.mark.parametrize(("key", "players"), GAMES)


def steps(batch: Batch, number: int) -> Iterator[tuple[bytes, ...]]:
    """Play by the batch's own samples; give what the first three games show after each step."""
    for _ in range(number):
        batch.step(batch.sample())
        arrays = (batch.observations, batch.masks, batch.to_move, batch.rewards, batch.done, batch.final_scores)
        yield tuple(array[:3].tobytes() for array in arrays)


@every_game
def test_a_game_is_the_same_in_any_batch(key: str, players: int) -> None:
    """Neither size nor threads change game i; another seed does."""
    alone = list(steps(Batch(key, players, size=3, seed=5), 250))
    with_others = Batch(key, players, size=50, seed=5, threads=3)
    assert list(steps(with_others, 250)) == alone
    assert with_others.done.dtype == bool
    with_others.reset(5)
    assert list(steps(with_others, 9)) == alone[:9]
    assert list(steps(Batch(key, players, size=3, seed=6), 9)) != alone[:9]
    with_others.close()


@every_case
def test_batch_env_and_game_agree(case: Case) -> None:
    """Row 0 of a batch is the lean environment; both end as the game that people would have played, replayed."""
    batch = Batch(case.key, case.players, size=1, seed="a", **case.options)
    env = Env(case.key, case.players, seed="a", **case.options)
    ends = 0
    for _ in range(300):
        seat = int(batch.to_move[0])
        assert env.to_move == seat
        observation, mask = env.observe(seat)
        assert batch.observations[0].tobytes() == observation.tobytes()
        assert batch.masks[0].tobytes() == mask.tobytes()
        assert env.legal[: env.count].tolist() == np.flatnonzero(mask).tolist()
        action = int(batch.sample()[0])
        batch.step([action])
        left = env.step(action)
        assert (left == 0) == batch.done[0] == env.over
        assert batch.rewards[0].tolist() == pytest.approx(env.rewards())
        if env.over:
            game = tavolino.replay(env.game().record())
            assert game.scores == batch.final_scores[0].tolist()
            assert game.winners == [s for s, r in enumerate(env.rewards()) if r == max(env.rewards())]
            assert sum(env.rewards()) == pytest.approx(0)
            assert int(batch.final_moves[0]) == sum(
                mover is not None and "roll" not in word for mover, word in zip(game.movers, game.moves, strict=True)
            )
            env.reset()
            ends += 1
    assert ends


@every_game
def test_copies_go_their_own_way(key: str, players: int) -> None:
    """A copy made in the middle plays on alike, and neither changes the other."""
    batch = Batch(key, players, size=8, seed=1)
    list(steps(batch, 40))
    twin = batch.copy()
    seen = batch.observations.copy()
    there = list(steps(twin, 100))
    assert batch.observations.tobytes() == seen.tobytes()
    assert list(steps(batch, 100)) == there
    env = Env(key, players, seed=1)
    for _ in range(20):
        env.step(env.legal[0])
    other = env.copy()
    before = env.observe(0)[0].tobytes()
    while other.count:
        other.step(other.legal[other.count - 1])
    assert env.observe(0)[0].tobytes() == before
    assert env.game().moves == other.game().moves[: len(env.game().moves)]
    while env.count:
        env.step(env.legal[env.count - 1])
    assert env.game().record() == other.game().record()


@every_game
def test_arrays_are_written_in_place(key: str, players: int) -> None:
    """What a step brings is in the arrays one already has."""
    batch = Batch(key, players, size=4, seed=2)
    names = ("observations", "to_move", "rewards", "done", "final_scores", "final_moves")
    before = {name: getattr(batch, name) for name in names}
    masks = batch.masks
    list(steps(batch, 3))
    assert all(getattr(batch, name) is before[name] for name in names)
    assert np.shares_memory(masks, batch.masks)
    assert masks.dtype == bool
    assert masks.any(axis=1).all()


@every_game
def test_bots_are_policies(key: str, players: int) -> None:
    """A bot's move for every game at once is legal; a bot that thinks is refused by name."""
    batch = Batch(key, players, size=16, seed=3)
    for name in ("random", "greedy", "value", "greedy"):
        actions = batch.bot(name)
        assert batch.masks[np.arange(16), actions].all()
        batch.step(actions)
    with pytest.raises(ValueError, match="knows the bots random"):
        batch.bot("search")


def test_the_first_games_are_those_of_simulate() -> None:
    """A batch begins with the deals that `simulate` plays with the same seed."""
    from tavolino.engine.kernels import deal_of_batch
    from tavolino.play.seeds import derive

    batch = Batch("orma", 3, size=3, seed=7)
    states = np.zeros(1, batch.setup.game.rules.STATE)
    for i in range(3):
        deal_of_batch(states, 3, -1, np.array([-1]), np.uint64(derive(7, "orma", "simulate")), i)
        assert states[0].tobytes() == batch._board.states[i].tobytes()


def test_what_is_wrong_is_said() -> None:
    """An action that is not legal, a wrong shape, a wrong option: nothing is played."""
    batch = Batch("face-to-face", size=3, seed=1)
    seen = batch.observations.copy()
    for wrong in (0, -1, 256, 10**12):
        actions = batch.sample().copy()
        actions[1] = wrong
        with pytest.raises(ValueError, match=rf"actions\[1\]: {wrong} is not legal in game 1"):
            batch.step(actions)
    assert batch.observations.tobytes() == seen.tobytes()
    with pytest.raises(ValueError, match="3 whole numbers, one per game"):
        batch.step([1, 2])
    with pytest.raises(ValueError, match="is for 2 players"):
        Batch("face-to-face", 3)
    with pytest.raises(ValueError, match="size must be a whole number from 1 up"):
        Batch("orma", size=0)
    with pytest.raises(ValueError, match="no option"):
        Batch("orma", spares=3)
    env = Env("face-to-face", seed=1)
    with pytest.raises(tavolino.IllegalMove, match="end \\(0\\): a turn takes at least 2 cards"):
        env.step(0)
    with pytest.raises(tavolino.IllegalMove, match="999 is not an action"):
        env.step(999)


NOT_WHOLE = [0.99, 64.0, True, "64", None, np.float32(64), np.bool_(True), [64]]


@pytest.mark.parametrize("wrong", NOT_WHOLE, ids=repr)
def test_what_is_not_whole_is_refused(wrong: Any) -> None:
    """No number is rounded, in any environment, and nothing is played."""
    batch, env = Batch("orma", size=2, seed=1), Env("orma", seed=1)
    single, many, agents = Versus("orma"), VectorVersus("orma", 2), AEC("orma")
    for one in (single, many, agents):
        one.reset(seed=1)
    boards = [board.states for board in (batch._board, env, single._env, many._board, agents._env)]
    before = [states.tobytes() for states in boards]
    for step in (batch.step, many.step):
        mixed = [wrong, wrong if isinstance(wrong, (bool, np.bool_)) else 0]  # to NumPy [True, 0] is [1, 0]
        for actions in (mixed, np.array([wrong, wrong])):
            with pytest.raises(ValueError, match="actions must be 2 whole numbers, one per game, not "):
                step(actions)
    for alone in (env.step, single.step, agents.step):
        if alone != env.step or wrong is not True:  # its step is too quick to look at that: True is an int, 1
            with pytest.raises(ValueError, match=f"an action must be a whole number, not {re.escape(repr(wrong))}"):
                alone(wrong)
    assert [states.tobytes() for states in boards] == before
    for seat in (wrong, -1, 2, 10**6):
        if seat is not True:
            with pytest.raises(ValueError, match="seat must be from 0 to 1, not"):
                env.observe(seat)


def test_whole_numbers_of_any_kind_are_played() -> None:
    """NumPy's integers of all sizes, in lists and arrays, are what Python's are."""
    kinds: tuple[Any, ...] = (int, np.int8, np.int16, np.uint8, np.uint64, np.int64)
    for kind in kinds:
        batch, env = Batch("orma", size=2, seed=1), Env("orma", seed=1)
        single, many, agents = Versus("orma", seat=0, first=0), VectorVersus("orma", 2), AEC("orma")
        for one in (single, many, agents):
            one.reset(seed=1)
        for given in ([kind(64), kind(0)], np.array([64, 0]).astype(kind), (kind(64), kind(0))):
            twin = batch.copy()
            twin.step(given)
            assert twin.observations.tobytes() != batch.observations.tobytes()
            many.step(given)
        env.step(kind(64))
        assert "illegal" not in single.step(kind(64))[4]
        agents.step(kind(64))
        assert not any("illegal" in info for info in agents.infos.values())
        assert env.game().moves


PLAY = """
import hashlib
from tavolino import Batch
for key, players in (("face-to-face", 2), ("orma", 3), ("out-of-sock", 3)):
    batch, digest = Batch(key, players, size=2, seed=1), hashlib.sha256()
    for _ in range(120):
        batch.step(batch.sample())
        digest.update(batch.observations.tobytes() + batch.masks.tobytes() + batch.rewards.tobytes())
    print(key, digest.hexdigest())
"""


def test_interpreted_is_the_same_byte_for_byte() -> None:
    """Plain Python, and compiled code that checks every index, write the same observations, masks and rewards."""
    told = [
        subprocess.run(
            [sys.executable, "-c", PLAY], env={**os.environ, **how}, capture_output=True, text=True, check=True
        ).stdout
        for how in ({}, {"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"})
    ]
    assert told[0] == told[1] == told[2]
    assert "orma" in told[0]
