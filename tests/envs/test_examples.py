"""The examples for researchers run, with tiny budgets."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("learn.py", ["--seconds", "0.5", "0.5", "--games", "500"], "after playing it: wins"),
        ("openspiel_ismcts.py", ["--simulations", "3", "--moves", "20"], "(search)"),
    ],
)
def test_example_runs(name: str, arguments: list[str], says: str) -> None:
    done = subprocess.run([sys.executable, EXAMPLES / name, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
