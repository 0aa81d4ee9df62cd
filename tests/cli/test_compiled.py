"""Compiling is announced, and what each command needs is listed in full."""

import subprocess
import sys
from pathlib import Path

import pytest

from tavolino.cli.compiled import NEEDS, PARTS
from tavolino.cli.simulate import PLAIN_GAMES
from tavolino.engine import cache, jit
from tavolino.lab.simulate import simulate
from tests.cli.conftest import Run, environment, run_apart

if jit.INTERPRETED:
    pytest.skip("nothing is compiled", allow_module_level=True)

GAMES = ("out-of-sock", "face-to-face", "orma")
ARGUMENTS = {
    "simulate": "['simulate', key, '--games', '20']",
    "simulate --records": "['simulate', key, '--games', '20', '--records', '/dev/null']",
    "check": "['check', f'{folder}/{key}', f'{folder}/{key}.wrong']",
    "replay": "['replay', f'{folder}/{key}']",
    "play": "['play', key, '--seed', '1', '--first', '0', '--save', f'{folder}/mine']",
    "simulate --bots": "['simulate', key, '--games', '20', '--bots', 'naive,greedy']",
    "study": "['study', key, '--games', '4', '--json']",
    "analyse": "['analyse', f'{folder}/{key}', '--tries', '2', '--json']",
    "train": "['train', key, '--games', '2', '--out', f'{folder}/{key}.npz']",
}
BOTS = {"play": ["medium"], "study": ["greedy"], "simulate --bots": ["naive", "greedy"]}
SCRIPT = """
import io, sys
from tavolino.cli import _run
from tavolino.cli.common import err
from tavolino.cli.compiled import compiling
from tavolino.engine import cache
what, folder = sys.argv[1:]
read, load = [], cache.Cache.load_overload
def noted(self, *args):
    read.append(self._name)
    return load(self, *args)
cache.Cache.load_overload = noted
for key in {games}:
    compiling(err(), [key], what, {bots})
    assert read, "nothing was needed at all"
    read.clear()
    sys.stdin = io.StringIO("u1\\nundo\\n1\\n1\\nundo\\n1\\n")
    _run({arguments})
    print("late:", key, read)
"""


@pytest.mark.parametrize("what", list(ARGUMENTS))
def test_a_command_needs_no_more_than_is_listed(what: str, tmp_path: Path) -> None:
    """After the parts listed for a command are ready, running it reads or compiles no other function."""
    for key in GAMES:
        simulate(key, games=3, seed=1, records=tmp_path / key)
        (tmp_path / f"{key}.wrong").write_text(
            "".join(
                line.replace('"moves":[', f'"moves":["{word}",') + "\n" for line, word in wrong_moves(tmp_path / key)
            )
        )
    script = SCRIPT.format(games=GAMES, arguments=ARGUMENTS[what], bots=BOTS.get(what, []))
    done = subprocess.run(
        [sys.executable, "-c", script, what, str(tmp_path)], env=environment(), capture_output=True, text=True
    )
    assert [line for line in done.stdout.splitlines() if line.startswith("late:")] == [
        f"late: {key} []" for key in GAMES
    ], done.stderr


def wrong_moves(path: Path) -> list[tuple[str, str]]:
    """Pair each record with a word of its game that is no legal first move."""
    word = {"out-of-sock": "take:3", "face-to-face": "u59", "orma": "green@r0"}[path.name]
    return [(line, word) for line in path.read_text().splitlines()]


def test_every_need_is_a_part_and_warm_has_them_all() -> None:
    assert all(set(needed) <= set(PARTS) for needed in NEEDS.values())
    assert set(NEEDS["warm"]) == set(PARTS)
    assert set(ARGUMENTS) | {"warm", "hint", "serve"} == set(NEEDS)


def test_compiling_is_announced_once(tmp_path: Path) -> None:
    env = environment(TAVOLINO_CACHE=str(tmp_path / "cache"))
    first, second = (
        run_apart("simulate", "face-to-face", "--games", 2 * PLAIN_GAMES, "--seed", 1, env=env) for _ in range(2)
    )
    assert "Compiling The Game: Face to Face, once …" in first.err
    assert second.err == ""
    assert first.out.split("Speed")[0] == second.out.split("Speed")[0]


def test_warm_says_so_when_all_is_there(run: Run) -> None:
    ran = run("warm")
    if ran.out.startswith("Compiled"):
        ran = run("warm")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"Everything is compiled already, in {cache.cache_root()}\n"
