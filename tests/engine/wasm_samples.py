"""Small compiled functions for test_wasm.py: what rules may use besides numbers and records."""

from typing import Any

import numpy as np
from numba import njit, types

from tavolino.engine.wasm.capture import Export, array


@njit
def sorted_sum(numbers: Any) -> Any:
    """Make arrays and a list, copy by slices, and change shapes."""
    mine = np.empty(len(numbers), np.int64)
    mine[:] = numbers
    table = mine.reshape(2, len(numbers) // 2)
    kept = [numbers[0]]
    for number in table.ravel():
        if number % 2:
            kept.append(number)
    total = table[1, 0]
    for i in range(len(kept)):
        total += i * kept[i]
    return total


@njit
def big(size: int) -> Any:
    """Need more memory than there is at first."""
    room = np.ones(size, np.int64)
    return room.sum()


@njit
def divide(a: int, b: int) -> int:
    return a // b


@njit
def unequal(n: int) -> Any:
    """Assign a slice of another size."""
    room = np.zeros(2, np.int64)
    room[:] = np.ones(n, np.int64)
    return room[0]


@njit
def deep(n: int) -> Any:
    """Call itself, each time with an array on the stack that is used after the call."""
    if n == 0:
        return 0
    return deep(n - 1) * n + 1


@njit
def add_row(row: Any, layer: Any) -> None:
    """Add a row of a network to a layer; no other function here adds float32."""
    for i in range(64):
        layer[i] += row[i]


@njit
def unknown(n: int) -> Any:
    return open(n)


def exports(key: str) -> list[Export]:
    i64 = types.int64
    return [
        Export("sorted_sum", sorted_sum, (array("i8"),)),
        Export("big", big, (i64,)),
        Export("divide", divide, (i64, i64)),
        Export("unequal", unequal, (i64,)),
        Export("deep", deep, (i64,)),
        Export("add_row", add_row, (array("f4"), array("f4"))),
    ]


def broken(key: str) -> list[Export]:
    return [Export("unknown", unknown, (types.int64,))]
