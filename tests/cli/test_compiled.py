"""Compiling is announced, and what each command needs is listed in full."""

import subprocess
import sys
from pathlib import Path

import pytest

from tavolino.cli.compiled import NEEDS, PARTS
from tavolino.cli.simulate import PLAIN_GAMES
from tavolino.engine import cache, jit
from tavolino.engine.registry import GAMES
from tavolino.lab.simulate import simulate
from tavolino.play.game import new
from tests.cli.conftest import Run, environment, run_apart
from tests.conftest import Once

if jit.INTERPRETED:
    pytest.skip("nothing is compiled", allow_module_level=True)

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
import io, os, sys
from tavolino.cli import _run
from tavolino.cli.common import err
from tavolino.cli.compiled import compiling
from tavolino.engine import cache
folder, games = sys.argv[1], sys.argv[2:]
read, load = [], cache.Cache.load_overload
def noted(self, *args):
    read.append(self._name)
    return load(self, *args)
cache.Cache.load_overload = noted
def try_one(what, bots, arguments):
    for key in games:
        compiling(err(), [key], what, bots)
        assert read, "nothing was needed at all"
        read.clear()
        sys.stdin = io.StringIO("u1\\nundo\\n1\\n1\\nundo\\n1\\n")
        _run(eval(arguments, {"key": key, "folder": folder}))
        print(f"late: {what}: {key}", read, flush=True)
for each in eval(sys.stdin.read()):
    child = os.fork()  # what is imported is shared, what is loaded for a command is not
    if child == 0:
        try_one(*each)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.fixture(scope="module")
def late(once: Once) -> tuple[list[str], str]:
    """What each command reads or compiles after the parts listed for it are ready."""
    found: tuple[list[str], str] = once("late", run_all)
    return found


def run_all(folder: Path) -> tuple[list[str], str]:
    """Run every command; return what the processes printed, and what they complained of."""
    for key, game in GAMES.items():
        simulate(key, games=3, seed=1, records=folder / key)
        wrong = next(word for word in game.people.WORDS.values() if word not in new(key, seed=1).legal_moves)
        text = (folder / key).read_text().replace('"moves":[', f'"moves":["{wrong}",')
        (folder / f"{key}.wrong").write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder), *GAMES],
        input=repr([(what, BOTS.get(what, []), arguments) for what, arguments in ARGUMENTS.items()]),
        env=environment(),
        capture_output=True,
        text=True,
    )
    return done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("what", list(ARGUMENTS))
def test_a_command_needs_no_more_than_is_listed(what: str, late: tuple[list[str], str]) -> None:
    """After the parts listed for a command are ready, running it reads or compiles no other function."""
    lines, said = late
    assert [line for line in lines if line.startswith(f"late: {what}:")] == [
        f"late: {what}: {key} []" for key in GAMES
    ], said


def test_every_need_is_a_part_and_warm_has_all_but_training() -> None:
    assert all(set(needed) <= set(PARTS) for needed in NEEDS.values())
    assert set(NEEDS["warm --all"]) == set(PARTS)
    assert set(PARTS) - set(NEEDS["warm"]) == set(NEEDS["train"]) == {"training"}
    assert set(ARGUMENTS) | {"warm", "warm --all", "hint", "serve"} == set(NEEDS)


def test_compiling_is_announced_once(tmp_path: Path) -> None:
    env = environment(TAVOLINO_CACHE=str(tmp_path / "cache"))
    first, second = (
        run_apart("simulate", "face-to-face", "--games", 2 * PLAIN_GAMES, "--seed", 1, env=env) for _ in range(2)
    )
    assert "Compiling The Game: Face to Face, once …" in first.err
    assert second.err == ""
    assert first.out.split("Speed")[0] == second.out.split("Speed")[0]


def test_that_all_is_compiled_is_noted_with_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For these sources and this processor; one file less, and it is not so."""
    monkeypatch.setenv("TAVOLINO_CACHE", str(tmp_path))
    cache.note_all_is_there("warm")
    assert not cache.all_is_there("warm"), "nothing is there"
    files = [cache.places()[i].folder / f"x.{kind}" for i in (0, 3) for kind in ("nbi", "nbc")]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.touch()
    assert not cache.all_is_there("warm")
    cache.note_all_is_there("warm")
    assert cache.all_is_there("warm")
    assert not cache.all_is_there("warm --all")
    with monkeypatch.context() as other:
        other.setattr("llvmlite.binding.get_host_cpu_name", lambda: "another")
        assert not cache.all_is_there("warm")
    with monkeypatch.context() as other:
        other.setattr(cache, "digest_of", lambda layer, game: f"{layer} {game} of other sources")
        assert not cache.all_is_there("warm")
    files[-1].unlink()
    assert not cache.all_is_there("warm")


def test_warm_says_so_when_all_is_there(run: Run) -> None:
    ran = run("warm")
    if ran.out.startswith("Compiled"):
        ran = run("warm")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"Everything is compiled already, in {cache.cache_root()}\n"
