"""Who sits where: the line-ups of bots, and the seatings of each line-up."""

from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial

Seating = tuple[int, ...]
"""The number of the bot in each seat."""


@dataclass(frozen=True)
class Schedule:
    """The seatings that each deal is played in. Deals cycle through the line-ups, so that all meet equally often.

    - 2 seats: every pair of bots; each deal in both orders.
    - 2 bots at a larger table: each alone among copies of the other, in every seat.
    - More bots: every choice of as many bots as there are seats or, if there are too few, all of them, as evenly as
      possible. Each deal is played in all rotations, so that all sit in every seat; the order round the table changes
      from one turn to the next.
    """

    bots: int
    seats: int

    @property
    def line_ups(self) -> list[list[Seating]]:
        """The line-ups; each is a list of orders round the table, all of whose rotations are played."""
        if self.bots == 2 and self.seats > 2:
            return [[(0,) + (1,) * (self.seats - 1), (1,) + (0,) * (self.seats - 1)]]
        if self.bots >= self.seats:
            return [[chosen] for chosen in combinations(range(self.bots), self.seats)]
        once, over = divmod(self.seats, self.bots)
        everyone = tuple(range(self.bots)) * once
        return [[everyone + more] for more in combinations(range(self.bots), over)]

    @property
    def games_a_deal(self) -> int:
        """Games on each deal."""
        return self.seats * len(self.line_ups[0])

    def line_up(self, deal: int) -> int:
        """Return the number of the line-up that plays a deal."""
        return deal % len(self.line_ups)

    def seatings(self, deal: int) -> list[Seating]:
        """Return the seatings a deal is played in."""
        turn, number = divmod(deal, len(self.line_ups))
        orders = self.line_ups[number]
        if len(orders) == 1:
            orders = [_reordered(orders[0], turn)]
        return [order[-by:] + order[:-by] for order in orders for by in range(self.seats)]

    def deals(self, games: int) -> int:
        """Return how many deals give at least so many games and let every line-up play."""
        return max(len(self.line_ups), -(-games // self.games_a_deal))


def _reordered(order: Seating, turn: int) -> Seating:
    """Return one of the orders round the table that keep the first in place: a different one each turn."""
    rest = order[1:]
    wanted = turn % factorial(len(rest))
    return order[:1] + next(found for number, found in enumerate(permutations(rest)) if number == wanted)
