"""The environments beside their peers: batches (pgx, EnvPool), one game from Python (OpenSpiel), agents (PettingZoo).

Theirs and ours choose at random in the cheapest way each offers. Everyone has the size of batch that suits it best.
"""

import os
import random
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from tavolino.bench import BenchRow, Run, Say, Sizes, found, in_turn
from tavolino.engine.registry import GAMES

LIKE_LENGTH = ("2048", "backgammon")
"""Games of the peers that last about as long as ours, 64 to 105 random moves: 2048 has 128, connect_four 22."""
ENVPOOL = {"2048": "Play2048-v1", "backgammon": "Backgammon-v1", "connect_four": "ConnectFour-v1"}
"""What EnvPool calls the games that pgx has too."""
CARDS = ("hearts", "crazy_eights", "euchre")
AGENTS = ("connect_four_v3", "tictactoe_v3", "hanabi_v5")
TINY_GAMES = ("tictactoe_v3",)
"""Eight moves on nine squares: hardly more than PettingZoo's own loop."""
SHORT = "connect_four"
TRIALS = 5
BATCH_MARK, SHORT_MARK, ONE_MARK, BARE_MARK, CHECKED_MARK, WRAPPED_MARK = 5, 2.5, 1, 3, 3, 1.5


def best_of(runs: list[Run]) -> Run:
    """Return the run whose median was best in a first trial, of all in turn."""
    rates = [[run() for run in runs] for _ in range(TRIALS)]
    return runs[int(np.median(rates, axis=0).argmax())]


def _pgx(name: str, sizes: Sizes) -> Run:
    """Return what steps games of pgx with `lax.scan`, all in one compiled call, and gives steps per CPU second."""
    jax: Any = import_module("jax")  # read alike whether it is installed or not
    jnp: Any = import_module("jax.numpy")
    pgx: Any = import_module("pgx")
    auto_reset: Any = import_module("pgx.experimental").auto_reset
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def by_actions(key: Any, mask: Any) -> Any:
        return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)

    def by_one_number(key: Any, mask: Any) -> Any:
        """Quicker where there are few actions."""
        legal = jnp.cumsum(mask, axis=-1)
        wanted = jax.random.uniform(key, mask.shape[:1]) * legal[:, -1]
        return jnp.argmax(legal > wanted.astype(jnp.int32)[:, None], axis=-1)

    def stepper(choose: Callable[..., Any], size: int) -> Run:
        number = max(1, sizes.steps // size // (20 if name == "backgammon" else 1))

        def random_step(carried: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], None]:
            state, key = carried
            key, choice, luck = jax.random.split(key, 3)
            action = choose(choice, state.legal_action_mask)
            return (step(state, action, jax.random.split(luck, size)), key), None

        many = jax.jit(lambda carried: jax.lax.scan(random_step, carried, None, length=number)[0])
        key = jax.random.PRNGKey(0)
        carried = many((jax.jit(jax.vmap(env.init))(jax.random.split(key, size)), key))
        jax.block_until_ready(carried)

        def run() -> float:
            nonlocal carried
            began = time.process_time()
            carried = many(carried)
            jax.block_until_ready(carried)
            return size * number / (time.process_time() - began)

        return run

    return best_of([stepper(choose, size) for choose in (by_actions, by_one_number) for size in sizes.batches])


def _envpool(name: str, sizes: Sizes) -> Run:
    """Return what steps games of EnvPool in one thread of its own, and gives steps per CPU second."""
    envpool: Any = import_module("envpool")

    def stepper(size: int) -> Run:
        env = envpool.make(ENVPOOL[name], env_type="gymnasium", num_envs=size, batch_size=size, num_threads=1, seed=1)
        _, info = env.reset()
        rng = np.random.default_rng(1)
        number = max(1, sizes.steps // size // 6)

        def run() -> float:
            nonlocal info
            began = time.process_time()
            for _ in range(number):
                mask = info["legal_action_mask"]
                info = env.step((rng.random(mask.shape, np.float32) * mask).argmax(axis=1).astype(np.int32))[-1]
            return size * number / (time.process_time() - began)

        return run

    return best_of([stepper(size) for size in sizes.batches])


def _our_batch(key: str, players: int, sizes: Sizes) -> Run:
    from tavolino.envs.batch import Batch

    def stepper(size: int) -> Run:
        batch, number = Batch(key, players, size, seed=1), max(1, sizes.steps // size)
        for _ in range(1000):  # until games are at all stages
            batch.step(batch.sample())

        def run() -> float:
            began = time.process_time()
            for _ in range(number):
                batch.step(batch.sample())
            return size * number / (time.process_time() - began)

        return run

    return best_of([stepper(size) for size in sizes.batches])


@contextmanager
def _on_one_core() -> Iterator[None]:
    """Stay on one core for a while: JAX starts as many threads as it sees cores, and those that wait burn time too."""
    if not hasattr(os, "sched_setaffinity"):  # not on every system
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def batches(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """Steps per second of a batch of games, with observation, mask and random choice."""
    with _on_one_core():
        yield from _batches(say, sizes)


def _batches(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    say("batches, compiling theirs in several sizes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peers' own
        peers, missing = found(
            {f"pgx {name}": partial(_pgx, name, sizes) for name in ENVPOOL}
            | {f"EnvPool {name}": partial(_envpool, name, sizes) for name in ENVPOOL}
        )
        tables = [
            (key, players)
            for key, game in GAMES.items()
            for players in {game.people.PLAYERS[0], game.people.PLAYERS[-1]}
        ]
        ours = {f"{key}, {players} players": _our_batch(key, players, sizes) for key, players in tables}
        rates = in_turn(say, "batches", {**peers, **ours}, 4 * sizes.rounds)  # each takes some hundredths of a second
    theirs = {name: rates[name] for name in peers}
    note = "we spend most time on writing the observation (a quarter to a half), then on the rules"
    for group, mark, games, peer in (
        ("batch", BATCH_MARK, LIKE_LENGTH, f"the faster of {' and '.join(LIKE_LENGTH)}, on one thread"),
        (
            f"batch beside {SHORT}",
            SHORT_MARK,
            (SHORT,),
            f"the faster {SHORT}, whose games have 22 moves, on one thread",
        ),
    ):
        best = max((rate for name, rate in theirs.items() if name.endswith(games)), default=None)
        for name in ours:
            yield BenchRow(f"{group}: {name}", rates[name], "steps/s", mark, best, peer, theirs, note, missing)


def _spiel_loop(name: str, decisions: int) -> Run:
    """Return OpenSpiel's lean loop from Python: two calls a move, chance counted as moves."""
    game, choose = import_module("pyspiel").load_game(name), random.Random(1).random

    def run() -> float:
        moves, began = 0, time.process_time()
        while moves < decisions:
            state = game.new_initial_state()
            while legal := state.legal_actions():
                state.apply_action(legal[int(choose() * len(legal))])
                moves += 1
        return moves / (time.process_time() - began)

    return run


def _our_loop(key: str, decisions: int) -> Run:
    from tavolino.envs.env import Env

    env, choose = Env(key, seed=1), random.Random(1).random

    def run() -> float:
        moves, began = 0, time.process_time()
        step, legal = env.step, env.legal
        while moves < decisions:
            n = env.reset()
            while n:
                n = step(legal[int(choose() * n)])
                moves += 1
        return moves / (time.process_time() - began)

    return run


def one_game(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """Decisions per second of one game driven from Python."""
    peers, missing = found({name: partial(_spiel_loop, name, sizes.decisions) for name in CARDS})
    ours = {key: _our_loop(key, sizes.decisions) for key in GAMES}
    rates = in_turn(say, "one game from Python", {**peers, **ours}, sizes.rounds)
    theirs = {name: rates[name] for name in peers}
    best = max(theirs.values(), default=None)
    for key in ours:
        yield BenchRow(
            f"one game from Python: {key}",
            rates[key],
            "decisions/s",
            ONE_MARK,
            best,
            "the fastest with OpenSpiel's legal_actions and apply_action",
            theirs,
            "we spend most time on entering and leaving compiled code, once per step",
            missing,
        )


def _agents_loop(env: Any, steps: int) -> Run:
    """Return PettingZoo's own loop over agents, random moves by the mask."""
    choose, seeds = random.Random(1).random, iter(range(10**9))

    def run() -> float:
        played, began = 0, time.process_time()
        while played < steps:
            env.reset(seed=next(seeds))
            for _ in env.agent_iter():
                shown, _, over, cut, _ = env.last()
                if over or cut:
                    env.step(None)
                    continue
                legal = np.flatnonzero(shown["action_mask"])
                env.step(int(legal[int(choose() * len(legal))]))
                played += 1
        return played / (time.process_time() - began)

    return run


def _zoo(name: str, wrapped: bool, steps: int) -> Run:
    """Return the loop over one of PettingZoo's own games: bare, or with the wrappers its `env()` adds."""
    module: Any = import_module(f"pettingzoo.classic.{name}")
    return _agents_loop(module.env() if wrapped else module.raw_env(), steps)


def wrap(env: Any) -> Any:
    """Put the wrappers around an environment that PettingZoo's own games have."""
    from pettingzoo.utils import wrappers

    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def our_env(key: str, wrapped: bool) -> Any:
    """Return one of ours for PettingZoo: bare, or with the wrappers that PettingZoo's own games have."""
    from tavolino.envs import pettingzoo

    env: Any = pettingzoo.env(key)
    return wrap(env) if wrapped else env


def _idle(steps: int) -> Run:
    """Return the loop over an environment that does nothing, wrapped: what wrappers leave to the best one there is."""
    from tavolino.envs.pettingzoo import AEC

    class Idle(AEC):
        left = 0

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            super().reset(seed, options)
            self.left = 64

        def step(self, action: Any) -> None:
            self.left -= 1
            if self.left < 0:
                self._was_dead_step(action)
            elif self.left == 0:
                self._finish(dict.fromkeys(self.agents, 0.0))

    return _agents_loop(wrap(Idle(next(iter(GAMES)))), steps)


def _our_agents(key: str, wrapped: bool, steps: int) -> Run:
    return _agents_loop(our_env(key, wrapped), steps)


AGENT_KINDS = (
    # whether theirs and ours are wrapped, and the mark
    ("bare", False, False, BARE_MARK),
    ("env()", True, False, CHECKED_MARK),
    ("in wrappers", True, True, WRAPPED_MARK),
)
"""Bare beside bare; what `env()` makes, theirs in wrappers, ours with checks of its own; both in those wrappers."""


def agents(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """Steps per second of PettingZoo's agent-by-agent interface: bare, as `env()` makes them, in the same wrappers."""
    for kind, theirs_wrapped, ours_wrapped, mark in AGENT_KINDS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the peers' own
            steps = sizes.agent_steps
            peers, missing = found({name: partial(_zoo, name, theirs_wrapped, steps // 4) for name in AGENTS})
            ours, lacking = found({key: partial(_our_agents, key, ours_wrapped, steps) for key in GAMES})
            idle, _ = found({"idle": partial(_idle, steps)} if ours_wrapped else {})
            rates = in_turn(say, f"agent by agent, {kind}", {**peers, **ours, **idle}, sizes.rounds)
        theirs = {name: rates[name] for name in peers}
        best = max((rate for name, rate in theirs.items() if name not in TINY_GAMES), default=None)
        note = "we spend most time in Python: the loop, dicts, and finding the legal actions in the mask"
        if idle:
            beside = "" if best is None else f", {rates['idle'] / best:.1f} times theirs"
            note = f"an environment that does nothing makes {rates['idle'] / 1000:.1f} k in these wrappers{beside}"
        for key in GAMES:
            yield BenchRow(
                f"agent by agent, {kind}: {key}",
                rates.get(key),
                "steps/s",
                mark,
                best,
                f"the faster of PettingZoo's own games that are not tiny, {'wrapped' if theirs_wrapped else 'bare'}",
                theirs,
                note,
                missing or lacking,
            )
