"""The Game: Face to Face: chance spelled out, for OpenSpiel."""

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from tavolino.engine import kernels
from tavolino.engine.chance_nodes import Dealer, Event, Log, Outcomes
from tavolino.engine.contract import Stream
from tavolino.engine.kernels import States
from tavolino.engine.plain import copied
from tavolino.games.face_to_face.rules import END
from tavolino.games.face_to_face.small import begin_small

PARAMETERS: Mapping[str, Any] = {"first": -1, "cards": 58, "hand": 6}
"""What can be chosen, with defaults; `first` is -1 for a random seat."""
LENGTHS = (200, 120)
"""The most decisions and the most chances of a game."""
PERFECT_INFORMATION = False
SMALL: tuple[Mapping[str, Any], ...] = ({"cards": 4, "hand": 2, "first": 0},)
"""Parameters of versions whose whole tree can be walked in a minute."""


def options(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the parameters stand for."""
    return {}


def dealer(parameters: Mapping[str, Any]) -> Dealer:
    """Return what deals by these parameters."""
    return Draws(parameters["cards"], parameters["hand"])


class Draws:
    """Cards drawn together in ascending order. Events: (draw, seat, place in the deck, begin, end of those)."""

    unseen = ("deck",)

    def __init__(self, cards: int, hand: int) -> None:
        if not 2 <= cards <= 58 or not 1 <= hand <= min(6, cards):
            raise ValueError(f"cards must be from 2 to 58 and hand from 1 to 6 of them, not {cards} and {hand}")
        self.hand, self.skip = hand, 58 - cards
        low = 2 + self.skip // 2
        self.deck = list(range(low, low + cards))

    def prepare(self, s: Any) -> None:
        outside = [card for card in range(2, 60) if card not in self.deck]
        for seat in range(2):
            s.deck[seat] = outside + self.deck
            s.drawn[seat] = self.skip
            s.laid[seat] = sum(1 << card for card in outside)
            s.top[2 * seat : 2 * seat + 2] = self.deck[0] - 1, self.deck[-1] + 1
        s.seats, s.ending, s.player = 2, -1, -1

    def deal(self) -> list[Event]:
        return [event for seat in range(2) for event in self._draws(seat, self.skip, self.skip + self.hand)]

    def _draws(self, seat: int, begin: int, end: int) -> list[Event]:
        return [("draw", seat, place, begin, end) for place in range(begin, end)]

    def begin(self, states: States, first: int) -> None:
        s = states[0]
        for seat in range(2):
            s.drawn[seat] = self.skip + self.hand
            s.hand[seat] = sum(1 << int(card) for card in s.deck[seat][self.skip : self.skip + self.hand])
        begin_small(states, first)

    def revealed(self, before: Any, after: Any) -> list[Event]:
        me = int(before.player)
        return self._draws(me, int(before.drawn[me]), int(after.drawn[me]))

    def outcomes(self, s: Any, event: Event, said: Sequence[int]) -> Outcomes:
        _, seat, place, begin, end = event
        above, more = said[-1] if place > begin else 0, end - place - 1
        cards = sorted(card for card in s.deck[seat][place:].tolist() if card > above)
        ways = comb(len(cards), more + 1)
        return [(card, comb(len(cards) - i - 1, more) / ways) for i, card in enumerate(cards) if len(cards) - i > more]

    def place(self, s: Any, event: Event, outcome: int, said: Sequence[int]) -> None:
        deck, place = s.deck[event[1]], event[2]
        at = place + deck[place:].tolist().index(outcome)
        deck[at], deck[place] = deck[place], outcome

    def knows(self, event: Event) -> int:
        return int(event[1])

    def word(self, event: Event, outcome: int) -> str:
        return f"+{outcome}"

    def redealt(self, states: States, begun: States, log: Log, viewer: int, rng: Stream) -> tuple[States, States, Log]:
        true, states = states, copied(states)
        kernels.redeal_one(states, viewer, rng)
        s = states[0]
        for seat in range(2):
            deck = true[0].deck[seat].tolist()
            drawn = int(s.drawn[seat])
            if seat != viewer:  # the n-th card laid can have been the n-th drawn: at least n were drawn by then
                laid = [action & 63 for who, action, _ in log if who == seat and action != END]
                held = [card for card in range(60) if int(s.hand[seat]) >> card & 1]
                deck[self.skip : drawn] = laid + held
            deck[drawn:] = s.deck[seat].tolist()[drawn:]
            s.deck[seat] = deck
        told: Log = []
        for who, action, event in log:
            if event and event[0] == "draw" and event[1] != viewer:
                _, seat, place, begin, end = event
                action = sorted(s.deck[seat].tolist()[begin:end])[place - begin]
            told.append((who, action, event))
        return states, begun, told

    def due(self, s: Any) -> list[Event]:
        return []

    def rolled(self, said: Sequence[int]) -> int:
        raise AssertionError("nothing is left to chance but the cards")
