"""The account of a reviewed game, in plain values without NumPy: errors and luck, which add up to the result.

For each seat, exactly: start + own errors + others' errors + luck = end. Own errors are at most 0, the others' errors
at least 0, and each kind of luck adds up to 0 over the seats:

- `deal`: the seats and hands dealt, from an equal share each.
- `draw`, `dice`: what was drawn, uncovered or rolled.
- `hidden`: a move that was right by what its seat could know may still meet the wrong hidden hands, and the reverse.
- `favour`: among three and more, whom of the others an error helped; what it gave away is shared out by their chances.
- `unforeseen`: a move was made that the judge had not expected, and that is no error beyond its noise; or it sees
  further by now, and would whatever had been drawn or rolled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from tavolino.intervals import Estimate

KINDS = ("deal", "draw", "dice", "hidden", "favour", "unforeseen")
BLUNDER, SLIP = 0.10, 0.04
"""Errors from which a move is called that, in win chance."""
RATE = 1000
"""The unit of an error rate: backgammon's is 500 times the equity lost per decision, and equity is twice the chance."""


@dataclass(frozen=True)
class Weighed:
    """A decision as the judge weighed it; lists have one entry per seat."""

    error: Estimate
    gains: Sequence[float]
    """What the error gave each seat, by what the mover could know: adds up to 0."""
    shares: Sequence[float]
    """Each seat's chance by the move played, by the same knowledge."""
    before: Sequence[float]
    """The chances with all hands open, if the best move is played."""
    after: Sequence[float]
    """The same after the move played, before anything is drawn."""


@dataclass(frozen=True)
class Shift:
    """What one step changed for each seat: error + luck."""

    error: list[float]
    luck: dict[str, list[float]]
    """By kind."""

    @property
    def lucks(self) -> list[float]:
        """All kinds of luck together."""
        return [sum(parts) for parts in zip(*self.luck.values(), strict=True)]


def change_of(seat: int, weighed: Weighed, before: Sequence[float], after: Sequence[float], kind: str) -> Shift:
    """Split what a decision of a seat changed, from the chances before it to those once everything has come to light.

    `kind` is what came to light: `draw`, or `unforeseen` for nothing. What the move changed with all hands open, beyond
    its error, is put down to what was hidden if there is an error, else to a move that was not expected.
    """
    lost = weighed.error.value
    players = range(len(after))
    error = [0.0] * len(after)
    if lost:
        gifts = _gifts(seat, weighed)
        error = [-lost if one == seat else lost * gifts[one] for one in players]
    gains = weighed.gains or [0.0] * len(after)
    more = [weighed.after[one] - before[one] - gains[one] for one in players]
    came = [after[one] - weighed.after[one] for one in players]
    luck = {"hidden" if lost else "unforeseen": more, "favour": [gains[one] - error[one] for one in players]}
    luck[kind] = [a + b for a, b in zip(luck[kind], came, strict=True)] if kind in luck else came
    return Shift(error, luck)


def foreseen(shift: Shift, kind: str, came: Sequence[float], usual: Sequence[float]) -> Shift:
    """Call luck of a draw or roll only what sets it apart from the others that were possible; the rest is unforeseen.

    Given are the chances after the one that came, and the mean of those after others. What all of them change is no
    luck of the draw: the judge had expected something else before it, for it did not see as far.

    >>> foreseen(Shift([0.0, 0.0], {"draw": [0.375, -0.375]}), "draw", [0.75, 0.25], [0.5, 0.5]).luck
    {'draw': [0.25, -0.25], 'unforeseen': [0.125, -0.125]}
    """
    own = [a - b for a, b in zip(came, usual, strict=True)]
    rest = [a - b for a, b in zip(shift.luck[kind], own, strict=True)]
    before = shift.luck.get("unforeseen", [0.0] * len(rest))
    return Shift(
        shift.error, {**shift.luck, kind: own, "unforeseen": [a + b for a, b in zip(before, rest, strict=True)]}
    )


def error_rate(lost: float, decisions: int) -> float:
    """Return the chance lost per decision as backgammon players count it: their performance rating.

    >>> error_rate(0.12, 30)
    4.0
    """
    return RATE * lost / decisions if decisions else 0.0


def total(decided: Sequence["JudgedDecision"], weights: Sequence[float]) -> Estimate:
    """Add up errors, each with its weight: decisions of one turn share their worlds, those of two turns do not."""
    value = 0.0
    below: dict[int, float] = {}
    above: dict[int, float] = {}
    for one, weight in zip(decided, weights, strict=True):
        error = one.weighed.error
        value += weight * error.value
        below[one.since] = below.get(one.since, 0.0) + weight * (error.value - error.low)
        above[one.since] = above.get(one.since, 0.0) + weight * (error.high - error.value)
    low, high = (sqrt(sum(part**2 for part in parts.values())) for parts in (below, above))
    return Estimate(value, max(0.0, value - low), value + high)


def verdict(error: float, is_best: bool) -> str:
    """Name a decision: `best`, `fine`, `slip` or `blunder`."""
    if error >= SLIP:
        return "blunder" if error >= BLUNDER else "slip"
    return "best" if is_best else "fine"


@dataclass(frozen=True)
class JudgedDecision:
    """A decision in the account: who decided, how it was weighed."""

    seat: int
    since: int
    """How many moves had been made when its turn began."""
    verdict: str
    weighed: Weighed


def _gifts(seat: int, weighed: Weighed) -> list[float]:
    """Return which part of an error goes to each of the others: by their chances, so that nobody's is below 0."""
    left = sum(chance for one, chance in enumerate(weighed.shares) if one != seat)
    return [0.0 if one == seat or not left else chance / left for one, chance in enumerate(weighed.shares)]


def accounts(
    start: Sequence[float], end: Sequence[float], changes: Sequence[Shift], decided: Sequence[JudgedDecision]
) -> list[dict[str, Any]]:
    """Return the account of each seat, as plain data; `changes` begin with that of the deal."""
    found = []
    for seat in range(len(start)):
        mine = [one for one in decided if one.seat == seat]
        theirs = [one for one in decided if one.seat != seat]
        own = total(mine, [1.0] * len(mine))
        weights = [_gifts(one.seat, one.weighed)[seat] for one in theirs]
        others = total(theirs, weights)
        parts = {kind: sum(change.luck[kind][seat] for change in changes if kind in change.luck) for kind in KINDS}
        luck = sum(parts.values())
        low = sqrt((own.value - own.low) ** 2 + (others.high - others.value) ** 2)
        high = sqrt((own.high - own.value) ** 2 + (others.value - others.low) ** 2)
        found.append(
            {
                "seat": seat,
                "start": start[seat],
                "own_errors": {"value": -own.value, "low": -own.high, "high": -own.low},
                "others_errors": plain(others),
                "luck": {"value": luck, "low": luck - low, "high": luck + high},
                "luck_parts": parts,
                "end": end[seat],
                "decisions": len(mine),
                "best": sum(one.verdict == "best" for one in mine),
                "slips": sum(one.verdict == "slip" for one in mine),
                "blunders": sum(one.verdict == "blunder" for one in mine),
                "error_rate": error_rate(own.value, len(mine)),
            }
        )
    return found


def plain(estimate: Estimate) -> dict[str, float]:
    """Return an estimate as plain data."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
