"""Large functions that are compiled once for all their callers: in memory, on disk, and when a file is missing."""

from pathlib import Path

import numba
import pytest

from tavolino.engine import jit
from tavolino.engine.cache import PACKAGE, Place, place_of
from tavolino.engine.registry import GAMES
from tests.engine.test_compiled import run

if jit.INTERPRETED:
    pytest.skip("nothing is compiled", allow_module_level=True)

MODULE = """
import numpy as np
from tavolino.engine.jit import rule, shared
STATE = np.dtype([("number", "i8"), ("words", "i8", (2,))])

@rule
def inner(s, k):
    return s.number + k

@shared
def large(s, n):
    total = 0
    for i in range(n):
        total += inner(s, i)
    return total

@rule
def one(states):
    return large(states[0], 10) + 1

@rule
def two(states):
    return 2 * large(states[0], 4)

@rule
def grow(unused, n):
    return n if n < 2 else grow(unused, n - 1) + grow(unused, n - 2)

@rule
def grown(states):
    return grow(0, states[0].number)
"""
CALLS = """
import numba, numpy as np
import kernels
from tavolino.engine import jit
names = []
jit.watchers.append(names.append)
{before}
states = np.zeros(1, kernels.STATE)
states["number"] = 3
print({call}, names)
"""


def calls(folder: Path, call: str, before: str = "", **env: str) -> str:
    (folder / "kernels.py").write_text(MODULE)
    code = f"import sys; sys.path.insert(0, {str(folder)!r})\n" + CALLS.format(call=call, before=before)
    return run(code, env={"TAVOLINO_CACHE": str(folder / "cache"), **env}).strip()


def test_a_shared_function_is_compiled_once_and_found_on_disk(tmp_path: Path) -> None:
    """By the second caller, by a process that may compile nothing, and by Python."""
    both = "(kernels.one(states), kernels.two(states))"
    assert calls(tmp_path, both) == "(76, 36) ['one', 'large', 'inner', 'two']"
    # Another order of types in the process: what is on disk is called by the same name.
    other = "numba.typeof(np.zeros(3, [('other', 'f4')]))"
    assert calls(tmp_path, both, other, TAVOLINO_COMPILE="never") == "(76, 36) []"
    for path in tmp_path.rglob("kernels.two-*"):
        path.unlink()
    assert calls(tmp_path, both, other) == "(76, 36) ['two']"
    assert calls(tmp_path, "kernels.large(states[0], 10)", TAVOLINO_COMPILE="never") == "75 []"


def test_a_shared_function_that_is_gone_is_compiled_anew(tmp_path: Path) -> None:
    """Before its caller is used; and somebody else's function calls it as any other."""
    assert calls(tmp_path, "kernels.one(states)") == "76 ['one', 'large', 'inner']"
    for path in tmp_path.rglob("kernels.large-*"):
        path.unlink()
    assert calls(tmp_path, "kernels.one(states)") == "76 ['large', 'inner']"
    theirs = "@numba.njit\ndef theirs(states):\n    return kernels.large(states[0], 2)"
    assert calls(tmp_path, "theirs(states)", theirs) == "7 []"


def test_someone_elses_function_does_not_call_what_ours_hides(tmp_path: Path) -> None:
    """LLVM drops an argument of `grow` where only `grown` can call it: others must not find that code by its name."""
    theirs = "@numba.njit\ndef theirs(states):\n    return kernels.grow(0, states[0].number)"
    assert calls(tmp_path, "kernels.grown(states), theirs(states)", theirs).startswith("2 2 ")


@pytest.mark.parametrize("key", GAMES)
def test_code_that_takes_one_state_is_kept_with_its_game_as_that_which_takes_many(key: str) -> None:
    """Else a change of the game's files would leave it as it was: stale code would run."""
    state, policies = numba.from_dtype(GAMES[key].rules.STATE), PACKAGE / "bots" / "policies.py"
    for kind in (state, numba.types.Array(state, 1, "C")):
        assert place_of(policies, (numba.types.int64, kind)) == Place("bots", GAMES[key].folder)
