"""The environments beside their peers: batches (pgx, EnvPool), one game from Python (OpenSpiel), agents (PettingZoo).

Theirs and ours are driven by the same loop and choose at random in the cheapest way each offers.
"""

import os
import random
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import numpy as np

from tavolino.games import GAMES
from tavolino.study.bench import REPEATS, PeerMissing, Row, Say, find_spiel

SIZE, STEPS = 1024, 60
LIKE_LENGTH = ("2048", "backgammon")
"""Games of the peers that last about as long as ours, 64 to 105 random moves: 2048 has 128, connect_four 22."""
ENVPOOL = {"2048": "Play2048-v1", "backgammon": "Backgammon-v1", "connect_four": "ConnectFour-v1"}
"""What EnvPool calls the games that pgx has too."""
CARDS = ("hearts", "crazy_eights", "euchre")


Runs = dict[str, Callable[[], float]]
"""What gives a rate, by name."""


def _best(
    say: Say, what: str, theirs: Runs, ours: Runs, rounds: int = REPEATS
) -> tuple[dict[str, float], dict[str, float]]:
    """Measure theirs and ours in turn, several times; return the best of each."""
    rates: dict[str, float] = {}
    for turn in range(rounds):
        say(f"{what}, round {turn + 1} of {rounds}")
        for name, run in {**theirs, **ours}.items():
            rates[name] = max(rates.get(name, 0.0), run())
    return {name: rates[name] for name in theirs}, {name: rates[name] for name in ours}


def _pgx_stepper(pgx: Any, name: str) -> Callable[[], float]:
    """Return what steps 1,024 games of pgx, one compiled call a step, and gives steps per CPU second."""
    jax: Any = import_module("jax")  # read alike whether it is installed or not
    jnp: Any = import_module("jax.numpy")
    auto_reset: Any = import_module("pgx.experimental").auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def random_step(state: Any, key: Any) -> tuple[Any, Any]:
        key, choice, luck = jax.random.split(key, 3)
        action = jax.random.categorical(choice, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
        return step(state, action, jax.random.split(luck, SIZE)), key

    one = jax.jit(random_step)
    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, SIZE))
    state, key = one(state, key)
    number = 3 if name == "backgammon" else STEPS

    def run() -> float:
        nonlocal state, key
        began = time.process_time()
        for _ in range(number):
            state, key = one(state, key)
        jax.block_until_ready(state)
        return SIZE * number / (time.process_time() - began)

    return run


def _envpool_stepper(envpool: Any, name: str) -> Callable[[], float]:
    """Return what steps 1,024 games of EnvPool in one thread of its own, and gives steps per CPU second."""
    env = envpool.make(ENVPOOL[name], env_type="gymnasium", num_envs=SIZE, batch_size=SIZE, num_threads=1, seed=1)
    _, info = env.reset()
    rng = np.random.default_rng(1)

    def run() -> float:
        nonlocal info
        began = time.process_time()
        for _ in range(STEPS // 6):
            mask = info["legal_action_mask"]
            info = env.step((rng.random(mask.shape, np.float32) * mask).argmax(axis=1).astype(np.int32))[-1]
        return SIZE * (STEPS // 6) / (time.process_time() - began)

    return run


def _our_stepper(key: str, players: int) -> Callable[[], float]:
    from tavolino.envs.batch import Batch

    batch = Batch(key, players, SIZE, seed=1)
    for _ in range(100):  # until games are at all stages
        batch.step(batch.sample())

    def run() -> float:
        began = time.process_time()
        for _ in range(STEPS):
            batch.step(batch.sample())
        return SIZE * STEPS / (time.process_time() - began)

    return run


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


def batches(say: Say) -> Iterator[Row]:
    """Steps per second of a batch of 1,024 games, with observation, mask and random choice."""
    with _on_one_core():
        yield from _batches(say)


def _batches(say: Say) -> Iterator[Row]:
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        import pgx
    except ImportError:
        raise PeerMissing("pgx is not installed; `make bench` does that (or: pip install pgx)") from None
    names = [(key, players) for key, rules in GAMES.items() for players in {rules.PLAYERS[0], rules.PLAYERS[-1]}]
    say("batches, compiling")
    peers = {f"pgx {name}": _pgx_stepper(pgx, name) for name in ENVPOOL}
    with suppress(ImportError):  # not on every system
        import envpool

        peers |= {f"EnvPool {name}": _envpool_stepper(envpool, name) for name in ENVPOOL}
    mine = {f"{key}, {n} players": _our_stepper(key, n) for key, n in names}
    theirs, ours = _best(say, "batches", peers, mine, 4 * REPEATS)  # each takes some hundredths of a second
    best = max(rate for name, rate in theirs.items() if name.endswith(LIKE_LENGTH))
    peer = "one thread, the best of those of like length; " + ", ".join(
        f"{name} {rate / 1e6:.2f} M" for name, rate in theirs.items()
    )
    by = "writing the observation (a quarter to a half), then the rules"
    for name, rate in ours.items():
        holds = rate / best >= 5 and rate >= 2e6
        yield Row(f"batch: {name}", rate, "steps/s", peer, best, rate / best, 5, holds, by)


def _spiel_loop(name: str) -> Callable[[], float]:
    """Return OpenSpiel's lean loop from Python: two calls a move, chance counted as moves."""
    game, choose = find_spiel().load_game(name), random.Random(1).random

    def run() -> float:
        moves, began = 0, time.process_time()
        while moves < 20_000:
            state = game.new_initial_state()
            while legal := state.legal_actions():
                state.apply_action(legal[int(choose() * len(legal))])
                moves += 1
        return moves / (time.process_time() - began)

    return run


def _our_loop(key: str) -> Callable[[], float]:
    from tavolino.envs.env import Env

    env, choose = Env(key, seed=1), random.Random(1).random

    def run() -> float:
        moves, began = 0, time.process_time()
        step, legal = env.step, env.legal
        while moves < 60_000:
            n = env.reset()
            while n:
                n = step(legal[int(choose() * n)])
                moves += 1
        return moves / (time.process_time() - began)

    return run


def one_game(say: Say) -> Iterator[Row]:
    """Decisions per second of one game driven from Python."""
    loops = {name: _spiel_loop(name) for name in CARDS}
    theirs, ours = _best(say, "one game from Python", loops, {key: _our_loop(key) for key in GAMES})
    best = max(theirs.values())
    peer = "OpenSpiel from Python, legal_actions and apply_action, the best of " + ", ".join(
        f"{name} {rate / 1e3:.0f} k" for name, rate in theirs.items()
    )
    by = "the way into compiled code and back, once a step"
    for key, rate in ours.items():
        yield Row(f"one game from Python: {key}", rate, "decisions/s", peer, best, rate / best, 1, rate >= best, by)


def _agents_loop(env: Any, moves: int) -> Callable[[], float]:
    """Return PettingZoo's own loop over agents, random moves by the mask."""
    choose, seeds = random.Random(1).random, iter(range(10**9))

    def run() -> float:
        played, began = 0, time.process_time()
        while played < moves:
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


def agents(say: Say) -> Iterator[Row]:
    """Steps per second of PettingZoo's agent-by-agent interface."""
    from tavolino.envs import pettingzoo as ours_in

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            from pettingzoo.classic import connect_four_v3, hanabi_v5

            peers = {"connect_four": connect_four_v3.env(), "hanabi": hanabi_v5.env()}
        except ImportError:
            raise PeerMissing("pygame or shimmy is not installed; `make bench` does that") from None
    loops = {name: _agents_loop(env, 500) for name, env in peers.items()}
    theirs, ours = _best(say, "agent by agent", loops, {key: _agents_loop(ours_in.env(key), 10_000) for key in GAMES})
    best = max(theirs.values())
    peer = "PettingZoo's own, the better of " + ", ".join(f"{name} {rate / 1e3:.1f} k" for name, rate in theirs.items())
    by = "Python: the loop, dicts, and finding the legal ones in the mask"
    for key, rate in ours.items():
        yield Row(f"agent by agent: {key}", rate, "steps/s", peer, best, rate / best, 5, rate / best >= 5, by)
