"""Lists of the best lines: a line is a row of actions of one seat, ended by -1; its value is the chance to win."""

from typing import Any

from tavolino.engine.jit import rule


@rule
def make_room(lines: Any, values: Any, n: int, value: float) -> int:
    """Return the row for a line of this value among n, best first, with the worse ones moved down; -1: there is none.

    The last of a full list falls out. The caller writes the line, and the value, and counts.
    """
    if len(lines) == 0 or (n == len(lines) and value <= values[n - 1]):
        return -1
    at = min(n, len(lines) - 1)
    while at > 0 and values[at - 1] < value:
        values[at] = values[at - 1]
        for i in range(lines.shape[1]):
            lines[at, i] = lines[at - 1, i]
        at -= 1
    return at


@rule
def single_moves(actions: Any, worths: Any, n: int, lines: Any, values: Any) -> int:
    """List the best of n moves as lines of one move each; return how many there are."""
    found = 0
    for i in range(n):
        at = make_room(lines, values, found, worths[i])
        if at >= 0:
            lines[at, 0], lines[at, 1] = actions[i], -1
            values[at] = worths[i]
            found = min(found + 1, len(lines))
    return found
