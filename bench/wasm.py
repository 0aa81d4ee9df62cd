"""The rules and bots as WebAssembly beside native code, in Node: `python -m pytest -s bench/wasm.py`.

CPU time, the best of several runs each, alternating in the same minute: random play is to be at least 0.6 times as fast
as native, `expert` is to take at most 1.5 times as long. Beside it stands native code with SIMD of 128 bits, as wide as
WebAssembly's: what is between the two kinds of native code no module for a browser can have.
"""

import gzip
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavolino.bots import wasm
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.engine import kernels
from tavolino.engine.registry import GAMES
from tavolino.play.setup import read_setup
from tests.bots.test_players import moments
from tests.web.test_wasm import bundled, bytes_of

RANDOM_SPEED, EXPERT_TIME = 0.6, 1.5
GAMES_EACH, DECISIONS = 2000, 5
NARROW = {"x86_64": "x86-64-v2", "AMD64": "x86-64-v2"}.get(platform.machine())
"""The level of this kind of processor whose SIMD is 128 bits wide, as WebAssembly's is; None where all are so."""
ROOT = Path(__file__).parents[1]
RUN = """
import { readFileSync } from 'node:fs'
const { measure } = await import(process.argv[1])
process.stdout.write(JSON.stringify(await measure(JSON.parse(readFileSync(0)))))
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundled(tmp_path_factory.mktemp("compare"))


def random_speed(key: str, players: int) -> float:
    """Return native random moves per second."""
    setup = read_setup(key, players)
    states = np.zeros(GAMES_EACH, setup.game.rules.STATE)
    score, length = np.zeros((GAMES_EACH, kernels.MAX_SEATS), np.int64), np.zeros(GAMES_EACH, np.int64)
    actions = np.zeros((GAMES_EACH, 0), np.int32)
    best = 0.0
    for _ in range(5):
        began = time.process_time()
        played = kernels.random_games(states, players, 0, setup.codes, np.uint64(7), 0, score, length, actions)
        best = max(best, played / (time.process_time() - began))
    return best


def positions_of(key: str, players: int) -> list[Position]:
    """Return the decisions to time: the same in every process."""
    return [Position(game, game.to_move or 0, "wasm") for game in moments(key, players, DECISIONS)]


def decision_time(key: str, players: int) -> float:
    """Return the milliseconds that expert takes natively for a decision, on average of the positions."""
    positions = positions_of(key, players)
    total = 0.0
    for position in positions:
        best = float("inf")
        for _ in range(4):
            began = time.process_time()
            builtin("expert").choose(position)
            best = min(best, time.process_time() - began)
        total += best
    return 1000 * total / len(positions)


def narrow_time(key: str, players: int) -> float:
    """Return the same for native code that uses SIMD of 128 bits only."""
    if NARROW is None:
        return decision_time(key, players)
    env = os.environ | {"NUMBA_CPU_NAME": NARROW, "NUMBA_CPU_FEATURES": "", "TAVOLINO_CPU": "native"}
    ask = f"from bench.wasm import decision_time; print(decision_time({key!r}, {players}))"
    done = subprocess.run([sys.executable, "-c", ask], env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout)


@pytest.mark.parametrize("key", GAMES)
def test_webassembly_is_nearly_as_fast_as_native_code(key: str, bundle: Path) -> None:
    made = wasm.module(key)
    slow: list[str] = []
    print(f"\n{key}: {len(made.wasm) / 1e3:.0f} KB, {len(gzip.compress(made.wasm, 9)) / 1e3:.0f} KB compressed")
    for players in GAMES[key].people.PLAYERS:
        positions = positions_of(key, players)
        network = wasm.network(key, players)
        task: dict[str, Any] = {"wasm": bytes_of(made.wasm), "manifest": made.manifest, "decisions": []}
        task["networks"] = {} if network is None else {players: bytes_of(network)}
        codes = [str(code) for code in read_setup(key, players).codes.tolist()]
        task["games"] = [{"players": players, "codes": [codes], "bots": [], "count": GAMES_EACH, "peek": False}]
        for position in positions:
            past = [bytes_of(state) for state in position.last_turn()]
            state = bytes_of(position._game._states)
            seat, seed = position.seat, position.seed
            task["decisions"].append({"state": state, "seat": seat, "seed": seed, "past": past, "bot": "expert"})
        native = random_speed(key, players)
        wide, narrow = decision_time(key, players), narrow_time(key, players)
        command = ["node", "--input-type=module", "-e", RUN, bundle.as_uri()]
        done = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        speed, thinking = found["moves"][0], sum(found["decisions"]) / len(positions)
        again = decision_time(key, players), narrow_time(key, players)
        wide, narrow = min(wide, again[0]), min(narrow, again[1])
        print(
            f"  {players} players: random {speed / 1e6:.1f} M moves/s, native {native / 1e6:.1f} M"
            f" ({speed / native:.2f}); expert {thinking:.1f} ms, native {wide:.1f} ms ({thinking / wide:.2f}),"
            f" native with 128-bit SIMD {narrow:.1f} ms ({thinking / narrow:.2f});"
            f" network {len(network or b'') / 1e3:.0f} KB",
            flush=True,
        )
        slow += [f"random play of {players}"] * (speed < RANDOM_SPEED * native)
        slow += [f"expert of {players}: {thinking / wide:.2f}"] * (thinking > EXPERT_TIME * wide)
    assert not slow, "these miss their marks (docs/site.md tells by how much, and why)"
