"""Games that begin with fewer cards than the rules deal: the rest of the record as if those had been played."""

from tavolino.engine.jit import rule
from tavolino.engine.kernels import States
from tavolino.games.face_to_face.rules import start_turn


@rule
def begin_small(states: States, first: int) -> None:
    """Begin Face to Face with piles, decks and hands as they lie."""
    states[0].first = first
    start_turn(states[0], first)
