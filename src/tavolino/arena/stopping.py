"""When to stop: a sequential test for each pair of bots, so that no more games are played than the question needs.

Of a and b, three answers are possible: a is stronger, b is stronger, or they are within `MARGIN` Elo points. Two
generalised sequential probability ratio tests (GSPRT) run side by side on the deals' scores: 0 against +MARGIN, and 0
against −MARGIN. Mirrored deals make the variance of a deal small; it is estimated as the deals come in.

With equal players the chance of calling one stronger is at most 5 %; with players MARGIN or more apart, so is the
chance of not finding the stronger one.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from math import log

MARGIN = 20.0
WRONG = 0.025
"""For each of the two tests, so that together they call equal players unequal at most 5 % of the time."""
MISSED = 0.05
ACCEPT, REJECT = log((1 - MISSED) / WRONG), log(MISSED / (1 - WRONG))
MIN_DEALS = 20
"""Before this the variance is not known well enough."""
EDGE = 1 / (1 + 10 ** (-MARGIN / 400)) - 0.5
"""What MARGIN is worth in wins over 50 %."""


@dataclass
class PairTest:
    """The test of one pair: `add` each deal in order, then look at `verdict`."""

    games: int = 2
    """On each deal."""
    deals: int = 0
    verdict: int | None = None
    """1: the first is stronger, −1: the second, 0: within the margin; None: not settled."""
    _for: float = 0.0
    _against: float = 0.0
    _squares: float = 0.0
    _cross: float = 0.0
    _not: list[bool] = field(default_factory=lambda: [False, False])

    def add(self, won: float, lost: float) -> None:
        """Count a deal: what each won of it over the other, per seat. A deal that neither won counts too."""
        self.deals += 1
        self._for += won
        self._against += lost
        self._squares += won * won + lost * lost
        self._cross += won * lost
        if self.verdict is None and self.deals >= MIN_DEALS and self._for + self._against > 0:
            self._decide()

    def _decide(self) -> None:
        n = self.deals
        decided = (self._for + self._against) / n  # wins of either in a deal: 1 at tables of two
        lead = (self._for - self._against) / (2 * n * decided)  # the first's rate, less a half
        squares = (self._squares - 2 * self._cross) / (2 * decided) ** 2
        # As in `rate_of`: two games' worth of plain variance more, lest none be seen.
        variance = (max(0.0, squares - n * lead * lead) + 0.25 * 2 / self.games) / n
        for side, sign in enumerate((1, -1)):
            ratio = n * EDGE * (sign * lead - EDGE / 2) / variance
            if ratio >= ACCEPT and not self._not[side]:
                self.verdict = sign
                return
            if ratio <= REJECT:
                self._not[side] = True
        if all(self._not):
            self.verdict = 0


def settled(tests: dict[tuple[int, int], PairTest], ranking: list[int]) -> bool:
    """Tell whether each bot of the ranking, best first, is settled against the one that follows."""
    return all(tests[min(a, b), max(a, b)].verdict is not None for a, b in pairwise(ranking))
