"""What the states of all games have in common."""

from typing import Any

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.jit import rule


def record(legal: int, *fields: tuple[Any, ...]) -> np.dtype[Any]:
    """Return the type of a state: the fields of every game, with so many entries of `legal`, then those given.

    >>> record(1, ("dice", "i1", 4)).itemsize
    60
    """
    common = ("player", "over", "seats", "first", "winners", "ending")
    names = [("legal", "i8", legal), *((name, "i8") for name in common), *fields]
    return np.dtype((np.record, names))


@rule
def begin(s: State, seats: int, first: int) -> None:
    """Set the fields of every game as they are before the first move; nobody may move yet."""
    s.legal[:] = 0
    s.player = -1
    s.over = 0
    s.seats = seats
    s.first = first
    s.winners = 0
    s.ending = -1
