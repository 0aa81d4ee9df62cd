"""The wheel in dist/, installed into a clean environment: it plays everything, and compiles nothing.

`make wheel` builds it and runs this. Compiling is forbidden here: whatever would have to be compiled raises an error.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tavolino.engine import bundled
from tavolino.engine.registry import GAMES
from tests.server.servers import person

pytestmark = pytest.mark.wheel
DIST = Path(__file__).parent.parent.parent / "dist"


@pytest.fixture(scope="module")
def bin_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the newest wheel as anyone would, into an environment with nothing else, and return its programs."""
    wheel = max(DIST.glob("tavolino-*.whl"), key=lambda file: file.stat().st_mtime)
    folder = tmp_path_factory.mktemp("clean")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet", str(wheel)]
    subprocess.run(pip, check=True)
    return folder / "bin"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Give the environment of someone who starts Tavolino for the first time."""
    mine = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TAVOLINO", "NUMBA", "XDG"))
    }
    return mine | {"HOME": str(tmp_path), "TAVOLINO_COMPILE": "never", "COLUMNS": "80"}


def compiled_here(home: Path) -> list[Path]:
    return list(home.rglob("*.nb[ic]"))


@pytest.mark.parametrize("level", list(bundled.levels()))
@pytest.mark.parametrize("game", list(GAMES))
def test_games_of_expert_at_every_level_of_processors(
    game: str, level: str, bin_folder: Path, env: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "games.jsonl"
    how = ["--games", "2", "--simulations", "40", "--seed", "7", "--records", str(file)]
    command = [str(bin_folder / "tavolino"), "arena", game, "--bots", "expert,greedy", *how]
    done = subprocess.run(command, env=env | {"TAVOLINO_CPU": level}, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    assert "ompil" not in done.stderr
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(records) >= 2
    assert all(record["winners"] for record in records)
    assert compiled_here(tmp_path) == []


def test_everything_that_is_compiled_anywhere_is_bundled(bin_folder: Path, env: dict[str, str], tmp_path: Path) -> None:
    command = [str(bin_folder / "tavolino"), "warm", "--all"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Everything is compiled already")
    assert compiled_here(tmp_path) == []


def test_the_modules_for_the_browser_are_carried(bin_folder: Path, env: dict[str, str], tmp_path: Path) -> None:
    code = "from tavolino.bots import wasm; print([len(wasm.module(key).wasm) for key in wasm.GAMES])"
    done = subprocess.run([bin_folder / "python", "-c", code], env=env, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    assert min(json.loads(done.stdout)) > 10_000
    assert compiled_here(tmp_path) == []


def test_a_site_is_written_without_node(bin_folder: Path, env: dict[str, str], tmp_path: Path) -> None:
    """Nothing is built for it: the wheel carries the page and the rules for the browser."""
    out, path = tmp_path / "site", str(bin_folder)
    command = [path + "/tavolino", "site", "--out", str(out)]
    done = subprocess.run(command, env=env | {"PATH": path}, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    assert "Building" not in done.stderr
    assert {file.parent.name for file in out.glob("engine/*/rules.wasm")} == set(GAMES)
    assert (out / "index.html").is_file()
    assert compiled_here(tmp_path) == []


@pytest.fixture
def served(bin_folder: Path, env: dict[str, str]) -> Iterator[str]:
    """Give the address of a server, just started for the first time."""
    command = [str(bin_folder / "tavolino"), "serve", "--port", "0"]
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        assert said.startswith("Tavolino is at "), said
        yield said.split()[3]
        server.terminate()
        rest = server.stderr.read()
        assert server.wait(20) == 0
        assert "ompil" not in rest, rest


def test_a_game_against_expert_at_a_table_of_the_server(served: str, tmp_path: Path) -> None:
    began = time.monotonic()
    with person(served) as one:
        socket, seen = one.sit_at(one.open("face-to-face", ("me", "bot:expert")))
        print(f"the table was there {time.monotonic() - began:.1f} s after the page")
        while seen["type"] != "snapshot" or seen["table"]["phase"] == "playing":
            if seen["legal"]:
                socket.send(type="move", id=str(seen["number"]), at=seen["number"], word=seen["legal"][0]["word"])
            seen = socket.until("snapshot", "update")
    assert seen["view"]["winners"]
    assert compiled_here(tmp_path) == []
