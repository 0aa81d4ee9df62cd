"""For whom a state is dealt anew, where it is no seat: `redeal` takes a seat or one of these."""

from tavolino.engine.jit import rule

SPECTATOR = -1
"""Somebody who sees no hand."""
ALL_HANDS = -2
"""Somebody who sees every hand, but not what is still to be drawn."""


@rule
def is_hidden(seat: int, viewer: int) -> bool:
    """Tell whether a viewer cannot see the hand of a seat."""
    return viewer != ALL_HANDS and seat != viewer
