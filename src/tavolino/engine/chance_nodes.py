"""Explicit chance: what a game needs so that every card that is revealed is an event of its own, with a probability.

A game's `chance.py` makes a `Dealer`; `envs/chance_nodes.py` plays with it.
"""

from collections.abc import Sequence
from math import comb
from typing import Any, Protocol

from tavolino.engine.contract import Stream
from tavolino.engine.kernels import States

Event = tuple[Any, ...]
"""An event that chance decides: its kind, then what it is about."""
Outcomes = list[tuple[int, float]]
Log = list[tuple[int, int, Event]]
"""What has happened: who (-1: chance), which action or outcome, and for chance the event."""
CHANCE, EVERYONE = -1, -1


def chosen(counts: Sequence[int], need: int, at: int) -> Outcomes:
    """Return how many of `need` things drawn are of kind `at`, if none is of an earlier kind: hypergeometric."""
    rest = sum(counts[at + 1 :])
    ways = comb(counts[at] + rest, need)
    return [
        (k, comb(counts[at], k) * comb(rest, need - k) / ways)
        for k in range(min(counts[at], need) + 1)
        if need - k <= rest
    ]


class Dealer(Protocol):
    """What a game needs to deal each card when it is revealed."""

    @property
    def unseen(self) -> tuple[str, ...]:
        """The fields of the state that hold cards not revealed yet."""
        ...

    def prepare(self, s: Any) -> None:
        """Lay out all cards, none of them dealt."""
        ...

    def deal(self) -> list[Event]:
        """List the events that chance decides before the game begins."""
        ...

    def begin(self, states: States, first: int) -> None:
        """Start the game with the cards as they lie."""
        ...

    def revealed(self, before: Any, after: Any) -> list[Event]:
        """List the events that chance decides before an action leads from one state to the other."""
        ...

    def outcomes(self, s: Any, event: Event, said: Sequence[int]) -> Outcomes:
        """Return the possible outcomes, ascending; `said` holds the outcomes of earlier events of this action."""
        ...

    def place(self, s: Any, event: Event, outcome: int, said: Sequence[int]) -> None:
        """Put an outcome where the rules will find it."""
        ...

    def knows(self, event: Event) -> int:
        """Return the seat that is told of an event, or EVERYONE."""
        ...

    def word(self, event: Event, outcome: int) -> str:
        """Return an outcome in words."""
        ...

    def due(self, s: Any) -> list[Event]:
        """List the events that chance decides when it is due during a game."""
        ...

    def rolled(self, said: Sequence[int]) -> int:
        """Return the action that the outcomes make up."""
        ...

    def redealt(self, states: States, begun: States, log: Log, viewer: int, rng: Stream) -> tuple[States, States, Log]:
        """Return a course of the game that looks the same to a seat: its state, its beginning, what happened."""
        ...
