"""What the states of all games have in common, and what rules do with it."""

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tavolino.engine.contract import State
from tavolino.engine.jit import INTERPRETED, rule


def record(legal: int, *fields: tuple[Any, ...]) -> np.dtype[Any]:
    """Return the type of a state: the fields of every game, with so many entries of `legal`, then those given.

    >>> record(1, ("dice", "i1", 4)).itemsize
    60
    """
    common = ("player", "over", "seats", "first", "winners", "ending")
    names = [("legal", "i8", legal), *((name, "i8") for name in common), *fields]
    return np.dtype((np.record, names))


if INTERPRETED:

    def clear(s: State) -> None:
        """Set all fields to 0."""
        for name in s.dtype.names:
            s[name] = 0

else:

    @intrinsic
    def clear(typing_context: Any, s: Any) -> Any:
        """Set all fields to 0, in one go."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cgutils.memset(builder, args[0], context.get_constant(types.intp, s.size), 0)  # type: ignore[no-untyped-call]
            return context.get_dummy_value()

        return types.void(s), generate


@rule
def turn_to(s: State, seat: int) -> None:
    """Let a seat move, or chance (-1); no action is legal yet."""
    s.player = seat
    for i in range(len(s.legal)):
        s.legal[i] = 0


@rule
def allow(s: State, action: int) -> None:
    """Make an action legal."""
    s.legal[action >> 6] |= 1 << (action & 63)


@rule
def next_with(things: Any, seat: int, seats: int) -> int:
    """Return the next seat that has any of these things, of which there is a number per seat."""
    for _ in range(seats):
        seat = (seat + 1) % seats
        if things[seat]:
            break
    return seat


@rule
def begin(s: State, seats: int, first: int) -> None:
    """Set the fields of every game as they are before the first move; nobody may move yet."""
    turn_to(s, -1)
    s.seats = seats
    s.first = first
    s.ending = -1


@rule
def finish(s: State, winners: int, ending: int) -> None:
    """End the game: bit s of `winners` is set if seat s has won, `ending` is an index of `people.ENDINGS`."""
    turn_to(s, -1)
    s.over = 1
    s.winners = winners
    s.ending = ending
