"""States and masks for plain Python: a state read into plain values, or copied; the bits of a mask; common options."""

import operator
import struct
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.contract import Option, Plain


def choice(name: str, default: str, *others: str) -> Option:
    """Make an option whose value is one of a few words."""
    words = (default, *others)

    def read(value: Any, players: int) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError
        return value

    return Option(name, default, words, " or ".join(repr(word) for word in words), read, words.index)


def whole_number(name: str, default: int, least: int, most: int) -> Option:
    """Make an option whose value is a whole number."""

    def read(value: Any, players: int) -> int:
        if not least <= whole(value) <= most:
            raise ValueError
        return whole(value)

    return Option(name, default, tuple(range(most, least - 1, -1)), f"a whole number from {least} to {most}", read, int)


def whole(value: Any) -> int:
    """Return a whole number as an int; TypeError for anything else, including True and False."""
    if isinstance(value, bool):
        raise TypeError("a whole number is needed, not a boolean")
    return operator.index(value)


def copied(states: NDArray[Any]) -> NDArray[Any]:
    """Copy states by their bytes: NumPy copies records field by field, ten times as slowly."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def win_shares(winners: Collection[int], seats: int) -> list[float]:
    """Return each seat's share of the win, which its winners share evenly.

    >>> win_shares([0, 2], 3)
    [0.5, 0.0, 0.5]
    """
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]


_SET = [[[8 * place + i for i in range(8) if byte >> i & 1] for byte in range(256)] for place in range(8)]


def bits(mask: Any) -> list[int]:
    """Return the set bits of a mask of up to 63 bits, ascending."""
    return list(_bits(int(mask)))


@lru_cache(maxsize=4096)
def _bits(mask: int) -> tuple[int, ...]:
    found: list[int] = []
    for place, byte in enumerate(mask.to_bytes(8, "little")):
        if byte:
            found += _SET[place][byte]
    return tuple(found)


_CODES = {1: "b", 2: "h", 8: "q"}  # of `struct`, by the bytes of a number


LARGE = 64
"""Fields with more numbers than this are read when they are asked for."""


class _Fields:
    """The fields of a record; those not read yet are read from its bytes when needed."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__ = fields

    def __getattr__(self, name: str) -> Any:
        if name not in self.__dict__["_late"]:
            raise AttributeError(f"a state has no {name}")
        found = self.__dict__[name] = self._late[name](self._raw)
        return found


def reader(state: np.dtype[Any]) -> Callable[[Any], Plain]:
    """Make a function that reads a record of this type into plain ints and tuples, which do not change with it.

    NumPy takes a microsecond or two per field; this takes about two for all of them.
    """
    code, at = "=", 0
    places: Mapping[str, Any] = state.fields or {}
    late: dict[str, Callable[[bytes], Any]] = {}
    lines: list[tuple[str, Any]] = []
    grids: list[tuple[str, Callable[[Any], Any]]] = []
    for name in state.names or ():
        base, shape = state[name].subdtype or (state[name], ())
        size = prod(shape)
        if size > LARGE:
            late[name] = _reads(f"={size}{_CODES[base.itemsize]}", places[name][1], shape)
            code += f"{state[name].itemsize}x"
            continue
        code += f"{size}{_CODES[base.itemsize]}"
        if len(shape) == 2:
            grids.append((name, _rows(at, shape)))
        else:
            lines.append((name, slice(at, at + size) if shape else at))
        at += size
    unpack = struct.Struct(code).unpack
    names = [name for name, _ in lines]
    pick = operator.itemgetter(*(where for _, where in lines))

    def read(record: Any) -> Plain:
        raw = record.tobytes()
        flat = unpack(raw)
        fields = dict(zip(names, pick(flat), strict=True))
        fields["_raw"], fields["_late"] = raw, late
        for name, get in grids:
            fields[name] = get(flat)
        return _Fields(fields)

    return read


def _rows(at: int, shape: tuple[int, ...]) -> Callable[[Any], Any]:
    """Make a function that takes the rows of a grid out of a row of numbers."""
    return operator.itemgetter(*(slice(i, i + shape[1]) for i in range(at, at + prod(shape), shape[1])))


def _reads(code: str, at: int, shape: tuple[int, ...]) -> Callable[[bytes], Any]:
    """Make a function that reads one field from the bytes of a record."""
    unpack = struct.Struct(code).unpack_from
    if len(shape) == 1:
        return lambda raw: unpack(raw, at)
    rows = _rows(0, shape)
    return lambda raw: rows(unpack(raw, at))
