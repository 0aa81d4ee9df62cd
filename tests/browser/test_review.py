"""A review in the browser is the native one: the lab's Python in MicroPython, lines of play tried in WebAssembly."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tavolino.bots import wasm
from tavolino.browser.pack import packs
from tavolino.engine.registry import GAMES
from tavolino.lab import review
from tavolino.play.game import new
from tests.browser.test_micropython import MICROPYTHON
from tests.web.test_wasm import bundled, bytes_of

MOVES, TRIES = 8, 26
"""Of each game, its last moves are played by lot, and so few are reviewed: enough for errors, draws and reasons."""
pytestmark = pytest.mark.timeout(1200)
"""The first test may have to build the rules for the browser, on a busy machine."""
RUN = """
import { readFileSync } from 'node:fs'
const { reviewed } = await import(process.argv[1])
const { loadMicroPython } = await import(process.argv[2])
process.stdout.write(JSON.stringify(await reviewed(JSON.parse(readFileSync(0)), loadMicroPython)))
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundled(tmp_path_factory.mktemp("review"))


def begun(key: str, players: int) -> dict[str, Any]:
    """Return the record of a game that has just begun."""
    game, lot = new(key, players, seed=11), random.Random(5)
    while len(game.moves) < MOVES:
        game.play(lot.choice(game.legal_moves))
    return game.record()


def in_node(bundle: Path, key: str, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the reviews that the page's own code makes."""
    made, module = packs([key]), wasm.module(key)
    networks = {players: wasm.network(key, players) for players in GAMES[key].people.PLAYERS}
    task = {
        "wasm": bytes_of(module.wasm),
        "manifest": module.manifest,
        "networks": {players: bytes_of(one) for players, one in networks.items() if one is not None},
        "packs": [made.table, made.review],
        "pack": made.games[key],
        "records": records,
        "tries": TRIES,
    }
    command = ["node", "--input-type=module", "-e", RUN, bundle.as_uri(), MICROPYTHON.resolve().as_uri()]
    done = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def differences(ours: Any, native: Any, where: str = "") -> list[str]:
    """Say where two reviews differ by more than MicroPython's way of writing numbers does."""
    if isinstance(native, dict) and isinstance(ours, dict) and set(native) == set(ours):
        return [one for name in native for one in differences(ours[name], native[name], f"{where}/{name}")]
    if isinstance(native, list) and isinstance(ours, list) and len(native) == len(ours):
        return [one for i in range(len(native)) for one in differences(ours[i], native[i], f"{where}/{i}")]
    numbers = isinstance(native, (int, float)) and isinstance(ours, (int, float))
    same = abs(native - ours) < 1e-12 if numbers else native == ours
    return [] if same else [f"{where}: {ours} is not {native}"]


@pytest.mark.parametrize("key", GAMES)
def test_the_same_review(key: str, bundle: Path) -> None:
    """The same curve, candidates, reasons, account and moments, for every number of players."""
    records = [begun(key, players) for players in GAMES[key].people.PLAYERS]
    native = [review(record, tries=TRIES, all_reasons=False) for record in records]
    steps = [step for one in native for step in one["steps"]]
    assert any(step["decision"] and any(one["reasons"] for one in step["decision"]["candidates"]) for step in steps)
    assert any(one["moments"] for one in native)
    ours = in_node(bundle, key, json.loads(json.dumps(records)))
    assert not differences(ours, json.loads(json.dumps(native)))
    ours[0]["steps"][-1]["chances"][0] += 1e-9
    assert len(differences(ours, json.loads(json.dumps(native)))) == 1  # the comparison can fail
