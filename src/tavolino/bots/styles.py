"""Styles of play, compiled: what a bot prefers among moves that are nearly as good, as its game's `styles.py` says.

A style never decides alone. At each level there is a bound in log odds (`leans`) on what it gives up for what it likes.
"""

from typing import Any

from tavolino.bots.halving import Notes, mean
from tavolino.bots.strategy import leans, likes
from tavolino.engine.contract import State
from tavolino.engine.jit import rule
from tavolino.engine.kernels import States
from tavolino.engine.maths import exp, log
from tavolino.engine.tiers import entry

EXPERT = 3  # its number as a level
NOISE = 2.0
"""Lines whose lead is at most so many standard errors are not told apart."""


@rule
def log_odds(chance: float) -> float:
    """Return the log odds of a chance, which counts as 1e-4 away from 0 and 1 at least."""
    chance = min(max(chance, 1e-4), 1.0 - 1e-4)
    return log(chance / (1.0 - chance))


@rule
def lean(s: State, actions: Any, values: Any, n: int, style: int, level: int) -> None:
    """Raise the chance of each move by what a style likes about it: at most by its bound, in log odds."""
    bound = leans(s, style, level)[0]
    for i in range(n):
        values[i] = 1.0 / (1.0 + exp(-log_odds(values[i]) - bound * likes(s, actions[i], style)))


@rule
def not_worse(n: Any, best: int, line: int, bound: float) -> bool:
    """Tell whether a line, tried in the same worlds as the best one, is behind it by noise and by a bound at most."""
    worlds = n.tried[best]
    if worlds == 0 or n.tried[line] != worlds or log_odds(mean(n, best)) - log_odds(mean(n, line)) > bound:
        return False
    lead = (n.sums[best] - n.sums[line]) / worlds
    square = (n.products[best, best] - 2.0 * n.products[best, line] + n.products[line, line]) / worlds
    return bool(lead * lead * worlds <= NOISE * NOISE * (square - lead * lead))  # without the root


@entry
@rule
def favourite(states: States, notes: Notes, style: int) -> int:
    """Return the action that a style of `expert` plays: of the best line's, and of those that are not clearly worse."""
    s, n = states[0], notes[0]
    best = 0
    for line in range(1, n.count):  # as `halving.rank` has it
        longer, as_long = n.tried[line] > n.tried[best], n.tried[line] == n.tried[best]
        if longer or (as_long and mean(n, line) > mean(n, best)):
            best = line
    pick, most = best, likes(s, n.lines[best, 0], style)
    for line in range(n.count):
        if likes(s, n.lines[line, 0], style) > most and not_worse(n, best, line, leans(s, style, EXPERT)[0]):
            pick, most = line, likes(s, n.lines[line, 0], style)
    return n.lines[pick, 0]
