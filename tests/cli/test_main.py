"""The command as a whole: help, errors, exit codes, signals."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tavolino
from tavolino.cli import cli
from tavolino.play.fairness import fair_part
from tavolino.play.records import line
from tests.cli.conftest import Run, environment, process, run_apart


def test_help_names_every_command(run: Run) -> None:
    ran = run("--help")
    assert ran.code == 0
    assert all(name in ran.out for name in cli.commands)


@pytest.mark.parametrize("name", list(cli.commands))
def test_every_command_has_help_with_an_example(name: str, run: Run) -> None:
    ran = run(name, "-h")
    assert ran.code == 0
    assert f"xample: tavolino {name}" in ran.out


def test_version(run: Run) -> None:
    assert run("--version").out == f"tavolino {tavolino.__version__}\n"


HEAVY = {
    "numba",
    "llvmlite",
    "numpy",
    "scipy",
    "fastapi",
    "pydantic",
    "uvicorn",
    "sqlalchemy",
    "rich",
    "msgspec",
    "asyncio",
}
LIGHT = {
    "tavolino --help": ["--help"],
    "tavolino --version": ["--version"],
    "tavolino study --help": ["study", "--help"],
    "tavolino rules": ["rules", "orma"],
}


@pytest.mark.parametrize("what", list(LIGHT))
def test_what_must_come_at_once_imports_nothing_heavy(what: str) -> None:
    assert imported(f"sys.argv[0] = '/bin/tavolino'; from tavolino.cli import _run; _run({LIGHT[what]})") == set()


def test_a_program_that_imports_the_package_pays_for_no_compiler() -> None:
    """Gymnasium, if it is installed, is told about the environments; it brings NumPy, which every use needs anyway."""
    assert imported("import tavolino") <= {"numpy"}


def imported(code: str) -> set[str]:
    """Run a program and return which of the heavy modules it has imported."""
    script = f"import sys; {code}\nprint(*sorted(set(sys.modules) & {HEAVY}), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_the_package_gives_its_names_whatever_was_imported_before() -> None:
    """`tavolino.games` is a function and a folder: it stays the function when something imports the folder."""
    script = """
from tavolino.engine.registry import GAMES
import tavolino
assert [one['key'] for one in tavolino.games()] == list(GAMES)
assert tavolino.new is tavolino.play.game.new
from tavolino import games
assert games is tavolino.games
assert set(tavolino.__all__) <= set(dir(tavolino))
for name in tavolino.__all__:
    getattr(tavolino, name)
"""
    done = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = tavolino.nonsense


@pytest.mark.parametrize("args", [["nonsense"], ["simulate"], ["simulate", "orma", "--nonsense"], ["rules", "chess"]])
def test_wrong_usage_is_exit_2_and_said_on_stderr(args: list[str], run: Run) -> None:
    ran = run(*args)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("tavolino")


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    """As with `tavolino check … | head`: the reader leaves, the writer too."""
    (tmp_path / "bad.jsonl").write_text("{}\n" * 20_000)
    with process("check", tmp_path / "bad.jsonl") as started:
        assert started.stdout is not None
        assert started.stderr is not None
        assert "format is missing" in started.stdout.readline()
        started.stdout.close()
        assert started.stderr.read() == ""
    assert started.returncode == 1


def test_a_letter_the_terminal_lacks_is_no_error() -> None:
    ran = run_apart("rules", "orma", "--lang", "it", env=environment(PYTHONIOENCODING="ascii"))
    assert ran.code == 0
    assert "Orma" in ran.out


def test_one_of_a_thing_is_no_plural(run: Run, tmp_path: Path) -> None:
    """Wherever a command says how many there are."""
    game = tavolino.new("orma", 2, "secret")
    game.play(game.legal_moves[0])
    record = tmp_path / "one.jsonl"
    record.write_bytes(line(game.record() | {"fair": fair_part("secret", True)}))
    said = [
        run("simulate", "orma", "--games", 1, "--records", tmp_path / "records"),
        run("arena", "orma", "--games", 1, "--bots", "expert,random", "--simulations", 1, "--workers", 1),
        run("arena", "orma", "--games", 1, "--bots", "expert,random", "--time", 0.0001, "--workers", 1),
        run("train", "orma", "--games", 1, "--out", tmp_path / "net.npz"),
        run("analyse", record, "--tries", 2, "--out", tmp_path / "page.html"),
        run("analyse", record, "--game", 2, "--out", tmp_path / "page.html"),
        run("check", record),
        run("replay", record, "--game", 2),
        run("verify", record),
        run("play", "orma", "--against", "easy,easy"),
    ]
    shown = " ".join(word for ran in said for word in f"{ran.err} {ran.out}".split())
    for thing in ("game", "deal", "record", "simulation", "move", "other seat", "blunder", "time", "core", "function"):
        assert not re.search(rf"(?<![.,\d])1 (random )?{thing}s\b", shown), thing
    for thing in ("random game", "deal", "record", "simulation", "move", "other seat"):
        assert re.search(rf"(?<![.,\d])1 {thing}\b", shown), thing
    assert "1 move," in repr(game)
