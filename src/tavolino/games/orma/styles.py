"""Styles of play in Orma: who waits, who lays, who closes rows."""

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.jit import rule
from tavolino.games.orma.rules import BLACK, DRAW, KEEP, ROW

STYLES = ("patient", "bold", "prickly")
PATIENT, BOLD, PRICKLY = 1, 2, 3
LEANS = np.array(
    [  # with 2, 3, 4 and 5 players; each by style; for medium, hard, expert
        [
            [(0.3, 0.73), (0.164, 0.44), (0.1, 1.0)],
            [(0.6, 1.1), (0.26, 0.68), (0.1, 1.0)],
            [(0.35, 0.79), (0.22, 0.68), (0.1, 1.0)],
        ],
        [
            [(0.18, 0.73), (0.06, 0.45), (0.1, 1.0)],
            [(0.53, 1.05), (0.13, 0.6), (0.1, 1.0)],
            [(0.35, 0.88), (0.15, 0.65), (0.1, 1.0)],
        ],
        [
            [(0.18, 0.74), (0.06, 0.45), (0.1, 1.0)],
            [(0.41, 0.99), (0.13, 0.6), (0.1, 1.0)],
            [(0.35, 0.91), (0.15, 0.65), (0.1, 1.0)],
        ],
        [
            [(0.2, 0.8), (0.06, 0.45), (0.1, 1.0)],
            [(0.3, 0.92), (0.13, 0.6), (0.1, 1.0)],
            [(0.35, 0.88), (0.15, 0.65), (0.1, 1.0)],
        ],
    ]
)
"""As measured: with these, a style is as strong as none."""


@rule
def likes(s: State, action: int, style: int) -> float:
    """Return 1 for what a style likes: to draw and keep; to lay a colour; to close a row. 0 for the rest."""
    colour, where = action >> 6, action & 63
    if style == PATIENT:
        return 1.0 if action in (DRAW, KEEP) else 0.0
    if style == BOLD:
        return 1.0 if colour != BLACK else 0.0
    return 1.0 if colour == BLACK and where >= ROW else 0.0


@rule
def leans(s: State, style: int, level: int) -> tuple[float, float]:
    """Return what a style gives up at most, in log odds, and the scale that keeps it as strong."""
    return LEANS[s.seats - 2, style - 1, level - 1, 0], LEANS[s.seats - 2, style - 1, level - 1, 1]
