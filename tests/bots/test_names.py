"""Every bot's name in every place that takes one, for every game, at the smallest table and the fullest."""

import asyncio
import logging
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tavolino
from tavolino import Batch
from tavolino.arena.arena import RunSettings, arena
from tavolino.bots import players
from tavolino.bots.networks import active, load
from tavolino.bots.players import AT_ONCE, BUILTIN, LEVELS
from tavolino.bots.policies import policy_move
from tavolino.bots.position import Limits
from tavolino.bots.strategy import BY_GAME
from tavolino.cli.compiled import BOTS
from tavolino.engine.registry import GAMES
from tavolino.envs.gymnasium import VectorVersus, Versus
from tavolino.lab.playing import dealt, play_on, read_lineup
from tavolino.play.setup import read_setup
from tavolino.server.bot_pool import BotPool
from tests.cli.conftest import Run, run  # noqa: F401

TABLES = [
    (key, players)
    for key, game in GAMES.items()
    for players in sorted({game.people.PLAYERS[0], game.people.PLAYERS[-1]})
]
every_table = pytest.mark.parametrize(("key", "seats"), TABLES)
THINKING = [name for name in BUILTIN if name not in AT_ONCE]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let those who think try little: whole games of them are played here."""
    monkeypatch.setitem(players.BUILTIN, "search", lambda position: players.think_by_search(position, 2)[0].word)
    for strategy in BY_GAME.values():
        monkeypatch.setattr(strategy, "TRIES", 2)


def test_all_names_are_known_everywhere() -> None:
    """People's levels are bots, and for each bot it is known what it needs compiled."""
    assert set(LEVELS) <= set(BUILTIN) == set(BOTS)
    assert set(AT_ONCE) < set(BUILTIN)


@every_table
def test_batches(key: str, seats: int) -> None:
    """`Batch.bot`: legal moves from all that answer at once, the others are refused; each plays far from at random."""
    for name, policy in AT_ONCE.items():
        batch = Batch(key, seats, size=16, seed=1)
        won, games = 0.0, 0
        states, streams = batch._board.states, batch._board.streams.copy()
        net = load(key, seats), active(key)
        alone = [policy_move(states[i : i + 1], policy, *net, streams[i]) for i in range(batch.size)]
        assert batch.bot(name).tolist() == alone  # by the same policy and network
        while games < 60:
            mine = batch.to_move == 0
            batch.step(np.where(mine, batch.bot(name), batch.sample()))
            won += ((batch.rewards[batch.done, 0] * (seats - 1) + 1) / seats).sum()
            games += int(batch.done.sum())
        assert name == "random" or won / games > 1.3 / seats, name
    for name in THINKING:
        with pytest.raises(ValueError, match=f"a batch knows the bots .*, not '{name}'"):
            batch.bot(name)


@every_table
def test_vector_environments(key: str, seats: int) -> None:
    """All who answer at once beat a learner that plays at random; a bot in the learner's place wins more than it."""
    for name in AT_ONCE:
        rates = []
        for learner in ("random", name):
            env = VectorVersus(key, 16, seats, opponents=[name])
            env.reset(seed=1)
            won: list[float] = []
            while len(won) < 60:
                _, rewards, over, _, _ = env.step(env.bot(learner))
                won += ((rewards[over] * (seats - 1) + 1) / seats).tolist()
            rates.append(np.mean(won))
        assert name == "random" or rates[0] < 0.7 / seats, name
        assert name == "random" or rates[0] < rates[1], name
    for name in THINKING:
        with pytest.raises(ValueError, match="must answer at once"):
            VectorVersus(key, 2, seats, opponents=[name])


@every_table
def test_single_environments(key: str, seats: int, quick: None) -> None:
    """Whole games against those who answer at once, the beginning of one against those who think."""
    rng = np.random.default_rng(1)
    for name in BUILTIN:
        env = Versus(key, seats, opponents=[name], seat=0, first=1)
        won: list[float] = []
        for seed in range(16):
            env.reset(seed=seed)
            over, steps = False, 0
            while not over and (name in AT_ONCE or steps < 2):
                _, reward, over, _, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
                steps += 1
            if over:
                won.append(reward)
            if name in THINKING:
                break
        if name in ("medium", "hard", "value", "greedy"):
            assert np.mean(won) < 0, name
        env.close()


@every_table
def test_simulations(key: str, seats: int, run: Run, quick: None) -> None:  # noqa: F811
    """`simulate --bots`: with each of them in seat 0."""
    for name in BUILTIN:
        games = 40 if name in AT_ONCE else 1
        ran = run("simulate", key, "--players", seats, "--games", games, "--seed", 1, "--bots", f"{name},random")
        assert ran.code == 0, ran.err
        assert f"0 {name}" in ran.out


@every_table
def test_studies(key: str, seats: int, quick: None) -> None:
    """A study plays a position on with each of them; what the command does with names is `read_lineup`."""
    for name in BUILTIN:
        lineup = read_lineup(key, seats, {}, [name])
        assert lineup.thinks == (name in THINKING)
        states = dealt(lineup, np.uint64(1), 0)
        play_on(lineup, states, np.array([1], np.uint64), np.arange(5, dtype=np.uint64))
        assert states["over"][0]


@every_table
def test_arenas(key: str, seats: int) -> None:
    """Two games of each against `random`, or as many as a deal takes: nobody fails."""
    setup, settings = read_setup(key, seats), RunSettings(workers=1)
    for name in BUILTIN:
        result = arena(setup, [name, "random"], 1, seed=1, limits=Limits(simulations=1), settings=settings)
        assert [bot.errors for bot in result.bots] == [0, 0], result.bots


@every_table
def test_the_terminal(key: str, seats: int, run: Run, quick: None) -> None:  # noqa: F811
    """`play --against`: the bot begins, then the person leaves."""
    for name in BUILTIN:
        ran = run("play", key, "--players", seats, "--against", name, "--first", 1, "--seed", 1, typed="quit\n")
        assert ran.code == 0, ran.err
        assert f"({name})" in ran.out


@every_table
def test_the_server(key: str, seats: int, quick: None, caplog: pytest.LogCaptureFixture) -> None:
    """Each level that people can choose makes a legal move; one that failed would be in the log."""

    async def play() -> None:
        thinkers = BotPool(1)
        try:
            for level in LEVELS:
                game = tavolino.new(key, seats, 1)
                for _ in range(3):
                    game.play(await thinkers.choose(game.copy(), game.to_move or 0, level))
        finally:
            thinkers.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(play())
    assert not caplog.records


CHECKED = """
from tavolino.bots.players import AT_ONCE
from tavolino.envs.gymnasium import VectorVersus
for seats in (2, 5):
    for name in AT_ONCE:
        env = VectorVersus("orma", 4, seats, opponents=[name])
        env.reset(seed=1)
        for _ in range(80):
            env.step(env.bot(name))
print("within bounds")
"""


def test_nothing_is_read_beyond_its_end() -> None:
    """With every index checked by the compiler: it compiles anew, so one game stands for all."""
    env = os.environ | {"NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(Path(tavolino.__file__).parent.parent)}
    done = subprocess.run([sys.executable, "-c", CHECKED], env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "within bounds\n", done.stderr
