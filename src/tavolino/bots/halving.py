"""Sequential halving, compiled: which lines a look-ahead tries next, and what it has found about them.

Everything lies in one record, so thinking can be cut into slices anywhere: between threads, or in a browser between two
messages. The loop around it is `thinking.look_ahead`:

    begin(notes, …); while (worlds := next_slice(notes)): try alive_lines(notes, …) in so many worlds; hear(notes, …)
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.strategy import MAX_PLAN
from tavolino.engine.jit import rule
from tavolino.engine.kernels import Ints
from tavolino.engine.maths import exp

CANDIDATES = 10
"""How many of the moves or turns that the network likes best are looked at."""
FAR_BEHIND = 1.5
"""Lines are not tried whose odds to win, by the network, are further behind the best one's than this in log odds."""
EDGE = 1e-4
"""The network's word counts as so much away from 0 and 1 at least."""
PRIOR = 10.0
"""How many worlds the network's own word counts for."""
SLICE = 8
"""The most worlds in a slice, between two looks at the clock: a few milliseconds."""
CLEAR, CLEAR_WORLDS = 3.5, 32
"""Thinking ends when the best line leads each other one by so many standard errors, after so many worlds."""

NOTES = np.dtype(
    (
        np.record,
        [
            ("lines", "i8", (CANDIDATES, MAX_PLAN)),  # each a row of actions, ended by -1; the favourite first
            ("priors", "f8", (CANDIDATES,)),  # what the network says of each
            ("count", "i8"),  # of lines
            ("alive", "i8", (CANDIDATES,)),  # the lines still tried; the first `left` entries
            ("left", "i8"),
            ("tried", "i8", (CANDIDATES,)),  # in how many worlds
            ("sums", "f8", (CANDIDATES,)),  # of what was found for a line
            ("products", "f8", (CANDIDATES, CANDIDATES)),  # sums of products of what was found for two lines
            ("budget", "i8"),  # tries in all; 0: as many as there is time for
            ("finished", "i8"),  # rounds
            ("rounds", "i8"),
            ("done", "i8"),  # worlds in this round
            ("world", "i8"),  # the number of the next world
        ],
    )
)
"""What a look-ahead knows. The caller writes `lines`, `priors`, `count` and `budget`, then calls `begin`."""
Notes = NDArray[Any]


@rule
def begin(notes: Notes) -> None:
    """Choose the lines to try: those that the network does not say are far behind."""
    n = notes[0]
    odds = 0.0
    n.left = 0
    for i in range(n.count):
        chance = min(max(n.priors[i], EDGE), 1.0 - EDGE)
        mine = chance / (1.0 - chance)
        if i == 0:
            odds = mine * exp(-FAR_BEHIND)
        if mine >= odds:
            n.alive[n.left] = i
            n.left += 1
    n.rounds = 1  # the only move is tried, too: its chance may be asked for
    while 1 << n.rounds < n.left:
        n.rounds += 1


@rule
def mean(n: Any, line: int) -> float:
    """Return the chance to win by a line, by all that is known."""
    return (PRIOR * n.priors[line] + n.sums[line]) / (PRIOR + n.tried[line])


@rule
def is_clear(n: Any) -> bool:
    """Tell whether one of the lines, all tried in the same worlds, is better than each other beyond doubt."""
    worlds = n.tried[n.alive[0]]
    if worlds < CLEAR_WORLDS or worlds & (worlds - 1):  # now and then is enough
        return False
    best = n.alive[0]
    for k in range(1, n.left):
        if n.sums[n.alive[k]] > n.sums[best]:
            best = n.alive[k]
    for k in range(n.left):
        other = n.alive[k]
        lead = (n.sums[best] - n.sums[other]) / worlds
        square = (n.products[best, best] - 2.0 * n.products[best, other] + n.products[other, other]) / worlds
        # lead > CLEAR · √(variance / worlds), without the root
        if other != best and (lead <= 0.0 or lead * lead * worlds <= CLEAR * CLEAR * (square - lead * lead)):
            return False
    return True


@rule
def end_round(notes: Notes) -> None:
    """Drop the worse half of the lines; after the last round nothing is left to try."""
    n = notes[0]
    for k in range(1, n.left):  # sorted by what is known, equals as they were
        line = n.alive[k]
        at = k
        while at > 0 and mean(n, n.alive[at - 1]) < mean(n, line):
            n.alive[at] = n.alive[at - 1]
            at -= 1
        n.alive[at] = line
    n.left = max(1, (n.left + 1) // 2)
    n.finished += 1
    n.done = 0


@rule
def next_slice(notes: Notes) -> int:
    """Return in how many worlds the lines alive are to be tried next, from number `world` on; 0: thinking is over."""
    n = notes[0]
    while n.finished < n.rounds:
        worlds = max(1, n.budget // (n.rounds * n.left)) if n.budget > 0 else n.done + SLICE
        if n.done < worlds and not is_clear(n):
            return min(SLICE, worlds - n.done)
        end_round(notes)
    return 0


@rule
def alive_lines(notes: Notes, lines: Ints) -> int:
    """Write the lines that are still tried; return their number."""
    n = notes[0]
    for k in range(n.left):
        for i in range(MAX_PLAN):
            lines[k, i] = n.lines[n.alive[k], i]
    return n.left


@rule
def hear(notes: Notes, worths: NDArray[np.float64], worlds: int) -> None:
    """Take in what was found: a row for each of the next worlds, a column for each line alive."""
    n = notes[0]
    for world in range(worlds):
        for k in range(n.left):
            line, worth = n.alive[k], worths[world, k]
            n.tried[line] += 1
            n.sums[line] += worth
            for j in range(n.left):
                n.products[line, n.alive[j]] += worth * worths[world, j]
    n.done += worlds
    n.world += worlds


@rule
def rank(notes: Notes, order: Ints, chances: NDArray[np.float64], errors: NDArray[np.float64]) -> int:
    """List the best line of each move, best first, with chances and their standard errors; return their number.

    What was tried longer is known better: it ranks above what was tried less, and equals by their chances.
    """
    n = notes[0]
    found = 0
    for line in range(n.count):
        at = found
        while at > 0:
            other = order[at - 1]
            if n.tried[other] > n.tried[line] or (n.tried[other] == n.tried[line] and mean(n, other) >= mean(n, line)):
                break
            order[at] = other
            at -= 1
        order[at] = line
        found += 1
    kept = 0
    for k in range(found):
        line = order[k]
        again = False
        for j in range(kept):
            again = again or n.lines[order[j], 0] == n.lines[line, 0]
        if not again:
            order[kept] = line
            chances[kept] = mean(n, line)
            tried = n.tried[line]
            errors[kept] = 0.0
            if tried > 0:
                variance = n.products[line, line] / tried - (n.sums[line] / tried) * (n.sums[line] / tried)
                errors[kept] = np.sqrt(max(variance, 0.0) / tried)
            kept += 1
    return kept
