"""The example package, installed as anybody would install it, and ways to use it in processes of their own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tests.conftest import Once

SOURCE = Path(tavolino.__file__).parents[1]
PACKAGE = Path(__file__).parents[2] / "examples" / "liars_dice"
KEY = "liars-dice"
PATIENCE = 280
Run = Callable[..., str]


def install(package: Path, site: Path) -> Path:
    """Install a package into a folder of its own, without a network."""
    how = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "install", *how, "--target", str(site), str(package)]
    done = subprocess.run(pip, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return site


@pytest.fixture(scope="session")
def site(once: Once) -> Path:
    """A folder with the installed package."""

    def make(folder: Path) -> Path:
        source = folder / "package" / PACKAGE.name  # a copy: building leaves nothing in the repository
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
        return install(source, folder / "site")

    found: Path = once("liars-dice", make)
    return found


def environment(*sites: Path, **variables: str) -> dict[str, str]:
    """Return the environment of a process that finds Tavolino and these folders."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (SOURCE, *sites))), "COLUMNS": "100"} | variables


def python(*args: object, sites: tuple[Path, ...] = (), typed: str = "", code: int = 0, **how: str) -> str:
    """Run Python in a process of its own; return what it printed, and what it complained of if it was to fail."""
    done = subprocess.run(
        [sys.executable, *map(str, args)],
        env=environment(*sites, **how),
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + (done.stderr if code else "")


COMMANDS = """
import json, os, sys
import tavolino.arena.arena, tavolino.bots.players, tavolino.cli, tavolino.lab.simulate
for line in sys.stdin:
    words, streams = json.loads(line)
    if (child := os.fork()) == 0:
        for number, name in enumerate(streams):
            os.dup2(os.open(name, os.O_WRONLY if number else os.O_RDONLY), number)
        sys.stdin, code = open(0), 1
        try:
            tavolino.cli.main(words)
        except SystemExit as left:
            code = left.code or 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Runs commands, each in a fork of its own: what takes a second to import is imported once."""


@contextmanager
def commands(streams: Path, *sites: Path, cwd: Path | None = None) -> Iterator[Run]:
    """Run the command `tavolino` with these folders installed; its streams are files in a folder of their own."""
    streams.mkdir(exist_ok=True)
    files = [streams / name for name in ("typed", "out", "err")]
    how: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": cwd, "env": environment(*sites)}
    with subprocess.Popen([sys.executable, "-c", COMMANDS], text=True, **how) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def go(*args: object, typed: str = "", code: int = 0) -> str:
            for file, text in zip(files, (typed, "", ""), strict=True):
                file.write_text(text, "utf-8")
            stdin.write(json.dumps([list(map(str, args)), list(map(str, files))]) + "\n")
            stdin.flush()
            ended = stdout.readline().strip()
            out, err = (file.read_text("utf-8") for file in files[1:])
            assert ended == str(code), out + err
            assert "Traceback" not in err
            return out + (err if code else "")

        yield go
        stdin.close()


@pytest.fixture(scope="session")
def run(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run the command `tavolino` with the package installed."""
    with commands(tmp_path_factory.mktemp("streams"), site) as go:
        yield go


UNBOUNDED = """
import functools
from tavolino.server import config
names = ("messages_a_second", "requests_a_second", "sockets_each", "tables_each", "tables_an_hour")
many = dict.fromkeys(names, 10_000)
config.Config = functools.partial(config.Config, **many)
from tavolino.cli import main
main()
"""
"""The command, with room for many visitors from one address, as the tests are."""


@pytest.fixture(scope="session")
def address(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server, started as people start it, with the package installed."""
    database = tmp_path_factory.mktemp("server") / "tables.sqlite"
    command = [sys.executable, "-c", UNBOUNDED, "serve", "--port", "0", "--database", str(database)]
    with subprocess.Popen(command, env=environment(site), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        while "Tavolino is at" not in said:
            assert said, "it ended"
            said = process.stderr.readline()
        yield said.split()[3]
        process.terminate()
        rest = process.stderr.read()
        assert process.wait(60) == 0, rest
    assert "Traceback" not in rest, rest
    assert "a bot failed" not in rest, rest
