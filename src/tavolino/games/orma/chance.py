"""Orma: chance spelled out, for OpenSpiel."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tavolino.engine import kernels
from tavolino.engine.chance_nodes import CHANCE, Dealer, Event, Log, Outcomes, chosen
from tavolino.engine.contract import Stream
from tavolino.engine.kernels import States
from tavolino.engine.plain import copied, reader
from tavolino.games.orma import people
from tavolino.games.orma.rules import BLACK, COLOUR, DEALT, MIXED, STATE

PARAMETERS: Mapping[str, Any] = {"players": 2, "first": -1, "spare_blacks": -1, "colours": 5, "each": 12, "dealt": 0}
"""What can be chosen, with defaults; -1 stands for a random first seat, and for `spare_blacks` mixed in."""
LENGTHS = (600, 130)
"""The most decisions and the most chances of a game."""
PERFECT_INFORMATION = False
SMALL: tuple[Mapping[str, Any], ...] = ({"colours": 2, "each": 1, "dealt": 1, "spare_blacks": 0, "first": 0},)
"""Parameters of versions whose whole tree can be walked in a moment."""
read = reader(STATE)


def options(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the parameters stand for."""
    return {"spare_blacks": "mixed" if parameters["spare_blacks"] < 0 else parameters["spare_blacks"]}


def dealer(parameters: Mapping[str, Any]) -> Dealer:
    """Return what deals by these parameters."""
    p = parameters
    spare = people.OPTIONS[0].code(options(p)["spare_blacks"])
    return HandsAndStack(p["players"], spare, p["colours"], p["each"], p["dealt"])


class HandsAndStack:
    """Hands colour by colour, the stack token by token. Events: (hand, seat, colour), (stack, seat, number)."""

    unseen = ("stack",)

    def __init__(self, seats: int, spare: int, colours: int, each: int, dealt: int) -> None:
        if not 1 <= colours <= 5 or not 1 <= each <= 12:
            raise ValueError(f"colours must be from 1 to 5 and each from 1 to 12, not {colours} and {each}")
        self.seats, self.spare = seats, spare
        mixed = max(0, each - 1 - seats) if spare == MIXED else 0
        self.box = [mixed, *[each] * colours, *[0] * (5 - colours)]
        self.dealt = dealt or DEALT[seats]
        if self.dealt * seats > sum(self.box):
            raise ValueError(f"there are {sum(self.box)} tokens to deal, not {seats} times {self.dealt}: set `dealt`")

    def prepare(self, s: Any) -> None:
        s.seats, s.spare, s.ending, s.player = self.seats, self.spare, -1, -1
        s.hand[:] = 0
        s.hand[: self.seats, BLACK] = 1
        tokens = [colour for colour in range(6) for _ in range(self.box[colour])]
        s.stack[:] = 0
        s.stack[: len(tokens)] = tokens
        s.stack_left = len(tokens)

    def deal(self) -> list[Event]:
        return [("hand", seat, colour) for seat in range(self.seats) for colour in range(5)]  # violet is the rest

    def begin(self, states: States, first: int) -> None:
        s = states[0]
        if self.spare > 0:
            left = int(s.stack_left)
            s.stack[left : left + self.spare] = BLACK
            s.stack_left = left + self.spare
        kernels.start_one(states, self.seats, first)

    def revealed(self, before: Any, after: Any) -> list[Event]:
        drew = int(before.stack_left) - int(after.stack_left)
        return [("stack", int(before.player), int(before.stack_left))] if drew else []

    def _counts(self, s: Any) -> list[int]:
        return np.bincount(s.stack[: s.stack_left], minlength=6).tolist()

    def _need(self, event: Event, said: Sequence[int]) -> int:
        colour = event[2]
        return self.dealt - sum(said[len(said) - colour :] if colour else ())

    def outcomes(self, s: Any, event: Event, said: Sequence[int]) -> Outcomes:
        counts = self._counts(s)
        if event[0] == "stack":
            return [(colour, n / sum(counts)) for colour, n in enumerate(counts) if n]
        return chosen(counts, self._need(event, said), event[2])

    def _take(self, s: Any, colour: int, number: int) -> None:
        left = s.stack[: s.stack_left].tolist()
        for _ in range(number):
            left.remove(colour)
        s.stack_left = len(left)
        s.stack[: len(left)] = left

    def place(self, s: Any, event: Event, outcome: int, said: Sequence[int]) -> None:
        if event[0] == "stack":
            top = int(s.stack_left) - 1
            at = s.stack[: top + 1].tolist().index(outcome)
            s.stack[at], s.stack[top] = s.stack[top], outcome
            return
        _, seat, colour = event
        self._take(s, colour, outcome)
        s.hand[seat, colour] += outcome
        if colour == 4:
            rest = self._need(event, said) - outcome
            self._take(s, 5, rest)
            s.hand[seat, 5] += rest

    def knows(self, event: Event) -> int:
        return int(event[1])

    def word(self, event: Event, outcome: int) -> str:
        return f"+{COLOUR[outcome]}" if event[0] == "stack" else f"{COLOUR[event[2]]}:{outcome}"

    def redealt(self, states: States, begun: States, log: Log, viewer: int, rng: Stream) -> tuple[States, States, Log]:
        size = int(begun[0].stack_left)
        true, begun = copied(begun), copied(begun)
        true[0].stack[:size] = states[0].stack[:size]
        states = copied(states)
        kernels.redeal_one(states, viewer, rng)
        s = states[0]
        history = [(who, people.WORDS[action]) for who, action, _ in log if who != CHANCE]
        deal = people.deal_behind(read(states), read(true), viewer, history)
        codes = [COLOUR.index(token) for token in reversed(deal["stack"])]
        s.stack[:size] = begun[0].stack[:size] = codes
        hands = [[COLOUR.index(token) for token in hand] for hand in deal["hands"]]
        for seat in range(self.seats):
            begun[0].hand[seat] = np.bincount(hands[seat], minlength=6)
        told: Log = []
        for who, action, event in log:
            if event and event[0] == "hand":
                action = hands[event[1]].count(event[2]) - (event[2] == BLACK)
            elif event and event[0] == "stack":
                action = codes[event[2] - 1]
            told.append((who, action, event))
        return states, begun, told

    def due(self, s: Any) -> list[Event]:
        return []

    def rolled(self, said: Sequence[int]) -> int:
        raise AssertionError("nothing is left to chance but the cards")
