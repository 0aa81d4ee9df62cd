"""The rules and bots as WebAssembly beside native code, in Node: `python -m pytest -s bench/wasm.py`.

CPU time, the best of several runs each, alternating in the same minute: random play is to be at least 0.6 times as fast
as native, `expert` is to take at most 1.5 times as long.
"""

import gzip
import json
import subprocess
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


def decision_time(position: Position) -> float:
    """Return the milliseconds that expert takes natively."""
    best = float("inf")
    for _ in range(4):
        began = time.process_time()
        builtin("expert").choose(position)
        best = min(best, time.process_time() - began)
    return 1000 * best


@pytest.mark.parametrize("key", GAMES)
def test_webassembly_is_nearly_as_fast_as_native_code(key: str, bundle: Path) -> None:
    made = wasm.module(key)
    print(f"\n{key}: {len(made.wasm) / 1e3:.0f} KB, {len(gzip.compress(made.wasm, 9)) / 1e3:.0f} KB compressed")
    for players in GAMES[key].people.PLAYERS:
        positions = [Position(game, game.to_move or 0, "wasm") for game in moments(key, players, DECISIONS)]
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
        native = random_speed(key, players), sum(decision_time(position) for position in positions) / len(positions)
        command = ["node", "--input-type=module", "-e", RUN, bundle.as_uri()]
        done = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        speed, thinking = found["moves"][0], sum(found["decisions"]) / len(positions)
        print(
            f"  {players} players: random {speed / 1e6:.1f} M moves/s, native {native[0] / 1e6:.1f} M"
            f" ({speed / native[0]:.2f}); expert {thinking:.1f} ms, native {native[1]:.1f} ms"
            f" ({thinking / native[1]:.2f}); network {len(network or b'') / 1e3:.0f} KB"
        )
        assert speed > RANDOM_SPEED * native[0]
        assert thinking < EXPERT_TIME * native[1]
