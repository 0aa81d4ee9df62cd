"""References to arrays: counted where a function makes, gets or returns one, and nowhere else."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tavolino.engine import jit
from tavolino.engine.jit import rule

NRT: Any = import_module("numba.core.runtime.nrt")

if jit.INTERPRETED:
    pytest.skip("nothing is compiled", allow_module_level=True)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled here is compiled anew."""
    monkeypatch.setenv("TAVOLINO_CACHE", str(tmp_path))


class Pair(NamedTuple):
    rows: Any
    names: Any


@rule
def fill(row: Any, number: int) -> None:
    for i in range(len(row)):
        row[i] = number


@rule
def use(unused: Any, two: Pair, n: int) -> int:
    """Use rows and parts of arrays that the caller holds."""
    for i in range(n):
        row = two.rows[i]
        fill(row, i)
        fill(two.rows[i, 1:], 2 * i)
        fill(two.names[i : i + 1], i)
    return n


@rule
def later(row: Any) -> Any:
    return row[1:]


@rule
def new(n: int) -> Any:
    return np.arange(n)


@rule
def copied(rows: Any, kept: Any) -> Any:
    """Write parts of an array over each other: Numba copies what overlaps before it is lost."""
    kept[:] = rows[0]
    rows[0, 1:] = rows[0, :2]
    return rows[0, 2]


@rule
def given(rows: Any, n: int) -> int:
    """Use what others return: a part of an array, and a new one."""
    total = 0
    for i in range(n):
        part = later(rows[i])
        part[0] = i
        total += new(i + 1)[i] + part[0]
    return total


@rule
def chosen(rows: Any, n: int) -> int:
    """Use copies, which numbers as an index make, and sums of arrays."""
    total = 0
    for i in range(n):
        some = rows[i][np.array([0, 1])]
        both = some + some
        total += both[0] + (rows[i] + 1)[1]
    return total


def balanced(function: Any, array: Any, *arguments: Any) -> Any:
    """Call a function once it is compiled; what it made in memory is gone afterwards, and the array held as before."""
    function(array, *arguments)
    NRT._nrt.memsys_enable_stats()
    before, held = NRT.rtsys.get_allocation_stats(), sys.getrefcount(array)
    found = function(array, *arguments)
    after = NRT.rtsys.get_allocation_stats()
    assert sys.getrefcount(array) == held
    assert after.alloc - before.alloc == after.free - before.free
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free
    return found


def counts(function: Any) -> bool:
    """Tell whether the code of a compiled function counts references, its wrapper for Python left out."""
    code = next(iter(function.overloads.values())).library.get_llvm_str()
    own = code[code.index("define ") :].split("\n}\n")[0]
    assert function.__name__ in own.splitlines()[0]
    return "NRT_" in own


def test_what_the_caller_holds_is_not_counted() -> None:
    """Rows and slices are used without a count, and what they hold is right."""
    rows, names = np.zeros((5, 3), np.int64), np.zeros(5, np.int64)
    assert balanced(use, rows, Pair(rows, names), 5) == 5
    assert rows.tolist() == [[i, 2 * i, 2 * i] for i in range(5)]
    assert names.tolist() == [0, 1, 2, 3, 4]
    assert not counts(use)


def test_what_is_made_or_returned_is_counted() -> None:
    """New arrays are freed, and parts of others live as long as they are used."""
    rows = np.zeros((5, 3), np.int64)
    assert balanced(given, rows, 5) == 20
    assert rows[:, 1].tolist() == [0, 1, 2, 3, 4]
    assert balanced(chosen, rows, 5) == 5 + sum(range(5))
    for _ in range(9):
        assert later(rows[4].copy()).tolist() == [4, 0]
    assert counts(given)
    assert counts(chosen)


def test_what_an_operation_copies_is_counted() -> None:
    """A function that only borrows may need a count all the same, for a copy that Numba makes and frees."""
    rows, kept = np.arange(6).reshape(2, 3), np.zeros(3, np.int64)
    assert balanced(copied, rows, kept) == 0  # 0 1 2, then 0 0 1, then 0 0 0
    assert kept.tolist() == [0, 0, 1]
