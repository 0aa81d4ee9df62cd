"""Styles of play in The Game: Face to Face: who gives gifts, who lays long turns."""

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.jit import rule
from tavolino.games.face_to_face.rules import END, THEIRS_UP

STYLES = ("generous", "bold")
GENEROUS, BOLD = 1, 2
LEANS = np.array(
    [  # medium, hard, expert
        [(0.2, 0.9), (0.13, 0.6), (0.1, 1.0)],
        [(0.15, 0.76), (0.085, 0.4), (0.1, 1.0)],
    ]
)
"""As measured: with these, a style is as strong as none."""


@rule
def likes(s: State, action: int, style: int) -> float:
    """Return 1 for what a style likes: a card for the other side; one more card where the turn may end. 0 for the rest.

    Before it may end, every move lays a card: then one who likes long turns likes all of them alike.
    """
    if style == GENEROUS:
        return 1.0 if action >> 6 >= THEIRS_UP else 0.0
    return 1.0 if action != END else 0.0


@rule
def leans(s: State, style: int, level: int) -> tuple[float, float]:
    """Return what a style gives up at most, in log odds, and the scale that keeps it as strong."""
    return LEANS[style - 1, level - 1, 0], LEANS[style - 1, level - 1, 1]
