"""Running commands in this process (fast) and in one of their own (streams, signals, caches)."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import tavolino
from tavolino.cli import main

SOURCE = Path(tavolino.__file__).parent.parent


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


def read(path: Path) -> list[dict[str, Any]]:
    """Read a file of records."""
    return [json.loads(line) for line in path.read_text().splitlines()]


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command; `typed` is what it reads from its standard input."""
    monkeypatch.setenv("COLUMNS", "80")

    def go(*args: object, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main([str(arg) for arg in args])
        said = capsys.readouterr()
        code = exit_.value.code
        assert isinstance(code, int)
        assert "Traceback" not in said.err
        return Ran(code, said.out, said.err)

    return go


def environment(**variables: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(SOURCE), "COLUMNS": "80"} | variables


class Started(subprocess.Popen[str]):
    """A process that does not outlive a test that failed."""

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, *rest)


def process(*args: object, **how: Any) -> Started:
    """Start the command as a process of its own."""
    command = [sys.executable, "-m", "tavolino", *map(str, args)]
    pipes: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "env": environment(),
    }
    return Started(command, text=True, **(pipes | how))


def run_apart(*args: object, typed: str = "", **how: Any) -> Ran:
    """Run the command as a process of its own, to its end."""
    with process(*args, **how) as started:
        out, err = started.communicate(typed, timeout=120)
    assert "Traceback" not in err
    return Ran(started.returncode, out, err)
