"""The example package, installed as anybody would install it, and ways to use it in processes of their own."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tavolino

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
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package."""
    source = tmp_path_factory.mktemp("package") / PACKAGE.name  # a copy: building leaves nothing in the repository
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    return install(source, tmp_path_factory.mktemp("site"))


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


@pytest.fixture(scope="session")
def run(site: Path) -> Run:
    """Run the command `tavolino` with the package installed."""

    def go(*args: object, typed: str = "", code: int = 0) -> str:
        return python("-m", "tavolino", *args, sites=(site,), typed=typed, code=code)

    return go


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
