"""The short programs of examples/learners run, each with the library it is for (which must be installed)."""

import subprocess
import sys
from pathlib import Path

import pytest

LEARNERS = sorted((Path(__file__).parents[2] / "examples" / "learners").glob("*.py"))


@pytest.mark.learners
@pytest.mark.parametrize("program", LEARNERS, ids=lambda program: program.stem)
def test_it_learns(program: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.splitlines()) >= 1
