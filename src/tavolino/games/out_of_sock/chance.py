"""Out of Sock: chance spelled out, for OpenSpiel."""

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from tavolino.engine import kernels
from tavolino.engine.chance_nodes import EVERYONE, Dealer, Event, Log, Outcomes
from tavolino.engine.contract import Stream
from tavolino.engine.kernels import States
from tavolino.engine.plain import copied
from tavolino.games.out_of_sock import people
from tavolino.games.out_of_sock.rules import BAN, CONVERSION, DECKS, DICE, DOUBLE, HEIGHT, ROLLED

PARAMETERS: Mapping[str, Any] = {"players": 2, "first": -1, "basket": "aimed", "height": 12}
"""What can be chosen, with defaults; `first` is -1 for a random seat."""
LENGTHS = (3000, 12000)
"""The most decisions and chances of a game. There is no such bound, but skipped turns do not go on for long."""
PERFECT_INFORMATION = True  # nobody knows more than the others
SMALL: tuple[Mapping[str, Any], ...] = ()
"""Turns can be skipped any number of times, so the tree is infinite however small the game is."""


def options(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the parameters stand for."""
    return {"basket": parameters["basket"]}


def dealer(parameters: Mapping[str, Any]) -> Dealer:
    """Return what deals by these parameters."""
    p = parameters
    return CardsAndDice(p["players"], people.OPTIONS[0].code(p["basket"]), p["height"])


class CardsAndDice:
    """Cards as they come to lie open, dice place by place.

    Events: (top, deck, place in it) at the start, (card, deck, place in it), (dice, place, aim).
    """

    unseen = ("deck",)

    def __init__(self, seats: int, basket: int, height: int) -> None:
        if not 1 <= height <= HEIGHT:
            raise ValueError(f"height must be from 1 to {HEIGHT}, not {height}")
        self.seats, self.basket, self.height = seats, basket, height
        d, c, b = DOUBLE, CONVERSION, BAN
        faces = (4, d, 6, c, 2, b, 8, c, 4, d, 2, c)  # all twelve of a suit; the first ones where decks are low
        self.cards = sorted(16 * suit + face for suit in range(6) for face in faces[:height])

    def prepare(self, s: Any) -> None:
        s.seats, s.basket, s.ending, s.player = self.seats, self.basket, -1, -1
        for d in range(6):
            s.deck[d] = (*self.cards[d * self.height : (d + 1) * self.height], *[0] * (12 - self.height))
        s.left[:] = self.height

    def deal(self) -> list[Event]:
        return [("top", d, self.height - 1) for d in range(6)]

    def begin(self, states: States, first: int) -> None:
        kernels.start_one(states, self.seats, first)
        states[0].left[:] = self.height

    def revealed(self, before: Any, after: Any) -> list[Event]:
        now, then = before.left.tolist(), after.left.tolist()
        return [("card", d, i) for d in range(6) for i in range(now[d] - 2, max(then[d], 1) - 2, -1)]

    def _unseen(self, s: Any, event: Event) -> list[tuple[int, int]]:
        """Return where cards lie that nobody has seen."""
        kind, deck, place = event
        left = s.left.tolist()
        unseen = [n if kind == "top" and d > deck else n - 1 for d, n in enumerate(left)]
        unseen[deck] = place + 1
        return [(d, i) for d in range(6) for i in range(unseen[d])]

    def outcomes(self, s: Any, event: Event, said: Sequence[int]) -> Outcomes:
        if event[0] == "dice":
            _, place, aim = event
            dice = DICE - sum(said)
            share = aim / 48 / (1 - place * aim / 48)  # of the dice that lie at none of the places before
            return [(k, comb(dice, k) * share**k * (1 - share) ** (dice - k)) for k in range(dice + 1)]
        cards = [int(s.deck[d, i]) for d, i in self._unseen(s, event)]
        return [(card, cards.count(card) / len(cards)) for card in sorted(set(cards))]

    def place(self, s: Any, event: Event, outcome: int, said: Sequence[int]) -> None:
        if event[0] != "dice":
            _, deck, place = event
            d, i = next((d, i) for d, i in self._unseen(s, event) if s.deck[d, i] == outcome)
            s.deck[d, i], s.deck[deck, place] = s.deck[deck, place], outcome

    def knows(self, event: Event) -> int:
        return EVERYONE

    def word(self, event: Event, outcome: int) -> str:
        return f"{event[1] + 2}:{outcome if event[0] == 'dice' else people.CARD_WORD[outcome]}"

    def redealt(self, states: States, begun: States, log: Log, viewer: int, rng: Stream) -> tuple[States, States, Log]:
        states = copied(states)
        kernels.redeal_one(states, viewer, rng)
        return states, copied(begun), list(log)

    def due(self, s: Any) -> list[Event]:
        return [("dice", place, int(s.aim)) for place in range(DECKS)]

    def rolled(self, said: Sequence[int]) -> int:
        return ROLLED + sum(number << (4 * place) for place, number in enumerate(said))
