"""The named fields that an observation, a row of numbers, is made of: for the code and for the docs."""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.jit import rule

Row = NDArray[np.float32]
"""An observation, or a part of one, to write into."""

# To multiply by instead of dividing. In single precision those are exact that divide by a power of two, and thirds.
BY_3, BY_5, BY_6, BY_9, BY_12, BY_20, BY_52, BY_58, BY_60, BY_72, BY_100 = (
    1 / n for n in (3, 5, 6, 9, 12, 20, 52, 58, 60, 72, 100)
)
BY_2, THIRD, BY_8, BY_32 = (np.float32(1 / n) for n in (2, 3, 8, 32))


@rule
def times(number: int, by: np.float32) -> np.float32:
    """Return a whole number times one of these, without the detour through double precision that `*` takes."""
    return np.float32(number) * by


@dataclass(frozen=True)
class Field:
    """A part of an observation."""

    name: str
    shape: tuple[int, ...]
    meaning: str


def offsets(fields: tuple[Field, ...]) -> dict[str, int]:
    """Return where each field begins.

    >>> offsets((Field("hand", (3, 2), ""), Field("turn", (1,), "")))
    {'hand': 0, 'turn': 6}
    """
    at, found = 0, {}
    for field in fields:
        found[field.name] = at
        at += prod(field.shape)
    return found


def pick(fields: tuple[Field, ...], *names: str) -> tuple[Field, ...]:
    """Return the fields with these names, in this order."""
    named = {field.name: field for field in fields}
    return tuple(named[name] for name in names)


def total(fields: tuple[Field, ...]) -> int:
    """Return how many numbers an observation has."""
    return sum(prod(field.shape) for field in fields)
