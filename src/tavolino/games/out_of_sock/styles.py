"""Styles of play in Out of Sock: who aims low, who aims high, who takes two cards alone."""

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.jit import rule
from tavolino.games.out_of_sock.rules import AIM, SHAKE, SINGLE

STYLES = ("patient", "bold", "prickly")
PATIENT, BOLD, PRICKLY = 1, 2, 3
LEANS = np.array(
    [  # each style; for medium, hard, expert
        [(0.6, 0.98), (0.17, 0.85), (0.1, 1.0)],
        [(0.6, 0.98), (0.17, 0.85), (0.1, 1.0)],
        [(0.5, 0.93), (0.17, 0.85), (0.1, 1.0)],
    ]
)
"""As measured: with these, a style is as strong as none."""


@rule
def likes(s: State, action: int, style: int) -> float:
    """Return how much a style likes an action: a low aim, a high one, two cards of one deck for itself alone."""
    if style == PRICKLY:
        return 1.0 if action == SINGLE else 0.0
    if s.phase != SHAKE:
        return 0.0
    aim = action - AIM
    return (7 - aim) / 5 if style == PATIENT else (aim - 2) / 5


@rule
def leans(s: State, style: int, level: int) -> tuple[float, float]:
    """Return what a style gives up at most, in log odds, and the scale that keeps it as strong."""
    return LEANS[style - 1, level - 1, 0], LEANS[style - 1, level - 1, 1]
