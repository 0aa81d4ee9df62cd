"""Games that begin with fewer cards than the rules deal: the rest of the record as if those had been played."""

from tavolino.games.face_to_face import start_turn
from tavolino.games.jit import rule
from tavolino.games.kernels import States


@rule
def begin_face_to_face(states: States, first: int) -> None:
    """Begin Face to Face with piles, decks and hands as they lie."""
    states[0].first = first
    start_turn(states[0], first)
