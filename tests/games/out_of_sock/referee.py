"""Out of Sock, read literally from its rules page (clauses S...)."""

from itertools import combinations_with_replacement
from typing import Any

SUITS = ["yellow", "green", "pink", "red", "orange", "blue"]  # S1.1
PLACES = [2, 3, 4, 5, 6, 7]  # S1.3: the places, and the faces of a die


def roll_word(dice: list[int]) -> str:
    """Name a roll: the dice ascending."""
    return "roll:" + ",".join(str(die) for die in sorted(dice))


# S1.3: 0 to 8 dice fall out, each showing 2 to 7
ROLLS = {roll_word(list(dice)) for number in range(9) for dice in combinations_with_replacement(PLACES, number)}


def all_cards(sock_values: list[int]) -> list[str]:
    """List the 72 cards (S1.1, S1.2)."""
    kinds = ["conversion"] * 3 + ["double"] * 2 + ["ban"] + [str(value) for value in sock_values]
    return [f"{suit}:{kind}" for suit in SUITS for kind in kinds]


def sock_cards(cards: list[str]) -> list[str]:
    """Pick the Sock cards, special cards left out."""
    return [card for card in cards if card.split(":")[1].isdigit()]


def score(cards: list[str]) -> int:
    """Count a player's points."""
    total = 0
    for suit in SUITS:
        column = [card for card in cards if card.split(":")[0] == suit]
        points = sum(int(card.split(":")[1]) for card in sock_cards(column))  # S7.1
        for card in column:
            if card == f"{suit}:double":  # S7.2
                points = points * 2
            if card == f"{suit}:conversion":  # S7.2
                points = -points
        if f"{suit}:ban" in column:  # S7.2
            points = 0
        total += points  # S7.3
    return total


class OutOfSock:
    """One game. Phases: shake, roll, choose (split or single), take, winner, over."""

    def __init__(self, record: dict[str, Any]) -> None:
        """Set up (S2)."""
        options = record["options"]
        if not set(options) <= {"basket", "sock_values", "first"}:
            raise ValueError("unknown option")
        self.seats: int = record["seats"]
        if self.seats not in [2, 3, 4]:
            raise ValueError("2 to 4 players")
        first: int = record["first"]
        if first not in range(self.seats) or options.get("first", first) != first:  # S2.2
            raise ValueError("wrong first seat")
        self.basket: str = options.get("basket", "aimed")  # S3.3
        if self.basket not in ["aimed", "plain", "table"]:
            raise ValueError("unknown basket")
        values: list[int] = list(options.get("sock_values", [2, 2, 4, 4, 6, 8]))  # S1.2
        if len(values) != 6 or any(value not in [2, 4, 6, 8] for value in values):
            raise ValueError("six positive even numbers up to 8")
        self.sock_values = sorted(values)
        if set(record["deal"]["decks"]) != {str(place) for place in PLACES}:
            raise ValueError("six decks, 2 to 7")
        self.decks: dict[int, list[str]] = {place: list(record["deal"]["decks"][str(place)]) for place in PLACES}
        dealt = [card for deck in self.decks.values() for card in deck]
        if any(len(deck) != 12 for deck in self.decks.values()) or sorted(dealt) != sorted(all_cards(values)):
            raise ValueError("not the 72 cards in six decks of 12")  # S2.1
        self.taken: list[list[str]] = [[] for _ in range(self.seats)]
        self.moves: list[str] = []
        self.winners: list[int] | None = None
        self.tied: list[int] = []
        self.start_round(first)

    def start_round(self, holder: int) -> None:
        """Hand the basket to the round's first player (S3.1)."""
        self.holder = holder
        self.taker = holder
        self.aim: int | None = None
        self.fallen: list[int] | None = None  # the dice that fell out in this round
        self.lying: list[int] = []  # the dice at the places
        self.phase = "shake" if self.basket == "aimed" else "roll"  # S3.3

    def left(self, seat: int) -> int:
        """Name the seat to the left."""
        return (seat + 1) % self.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def chance_due(self) -> bool:
        """Whether the basket rolls next."""
        return self.phase == "roll" and self.basket != "table"  # S3.3: at the table people roll

    @property
    def to_move(self) -> int | None:
        """The seat to move."""
        if self.over or self.chance_due:
            return None
        return self.taker if self.phase == "take" else self.holder

    @property
    def scores(self) -> list[int]:
        """The points so far."""
        return [score(cards) for cards in self.taken]

    def can_lie(self) -> list[int]:
        """Pick the fallen dice that have a card to give (S4.3)."""
        return [die for die in self.fallen or [] if self.decks[die]]

    def choices(self) -> set[str]:
        """Tell which of split and single are possible with the fallen dice."""
        number = len(self.fallen or [])
        words = set()
        if 2 <= number <= 7:  # S3.1, S3.2
            if self.can_lie():  # S4.3
                words.add("split")
            if self.decks[number]:  # S5.1, S5.2
                words.add("single")
        return words

    def legal(self) -> set[str]:
        """All words that may be played now."""
        if self.phase == "shake":
            return {f"shake:{aim}" for aim in range(2, 8)}  # S3.3
        if self.phase == "roll":
            return set(ROLLS)
        if self.phase == "choose":
            return self.choices()
        if self.phase == "take":
            return {f"take:{die}" for die in self.lying}  # S4.2
        if self.phase == "winner":
            return {f"winner:{seat}" for seat in self.tied}  # S8.2
        return set()

    def play(self, word: str) -> None:
        """Play one word."""
        if word not in self.legal():
            raise ValueError(f"not legal: {word}")
        self.moves.append(word)
        name, _, rest = word.partition(":")
        if name == "shake":
            self.aim = int(rest)
            self.phase = "roll"
        elif name == "roll":
            self.fallen = [int(die) for die in rest.split(",") if die]
            self.phase = "choose"
            if not self.choices():  # S3.1, S5.2: the turn is skipped
                self.start_round(self.left(self.holder))
        elif name == "split":
            self.lying = self.can_lie()  # S4.1, S4.3
            self.phase = "take"
        elif name == "single":
            place = len(self.fallen or [])  # S5.1
            self.take_card(self.holder, place)
            if self.decks[place]:  # S5.2: with one card left it takes that one
                self.take_card(self.holder, place)
            if self.phase == "choose":
                self.start_round(self.left(self.holder))  # S6.1
        elif name == "take":
            self.lying.remove(int(rest))  # S4.2
            self.take_card(self.taker, int(rest))
            if self.phase == "take":
                self.taker = self.left(self.taker)  # S4.2
                if not self.lying:
                    self.start_round(self.left(self.holder))  # S6.1
        elif name == "winner":
            self.winners = [int(rest)]  # S8.2
            self.phase = "over"

    def take_card(self, seat: int, place: int) -> None:
        """Give a deck's top card to a seat and see whether that ends the game."""
        self.taken[seat].append(self.decks[place].pop(0))
        if not self.decks[place]:
            self.lying = [die for die in self.lying if die != place]  # S4.3
            empty = [deck for deck in self.decks.values() if not deck]
            if len(empty) == (2 if self.seats == 2 else 1):  # S8.1
                self.end()

    def end(self) -> None:
        """Find the winner, or the seats among whom the basket holder names one (S8.2)."""
        points = self.scores
        self.tied = [seat for seat in range(self.seats) if points[seat] == max(points)]
        socks = [len(sock_cards(cards)) for cards in self.taken]  # banned suits count
        most = max(socks[seat] for seat in self.tied)
        self.tied = [seat for seat in self.tied if socks[seat] == most]
        if len(self.tied) == 1:
            self.winners = self.tied
            self.phase = "over"
        else:
            self.phase = "winner"

    def knowledge(self, seat: int | None) -> dict[str, Any]:
        """Everything public; no seat knows more (S2.1, S6.3)."""
        return {
            "game": "out-of-sock",
            "seats": self.seats,
            "seat": seat,
            "basket": self.basket,
            "sock_values": list(self.sock_values),
            "phase": self.phase,
            "to_move": self.to_move,
            "chance_due": self.chance_due,
            "basket_holder": self.holder,
            "aim": self.aim,
            "fallen_dice": None if self.fallen is None else sorted(self.fallen),
            "lying_dice": sorted(self.lying),
            "deck_tops": {str(place): deck[0] if deck else None for place, deck in self.decks.items()},
            "deck_sizes": {str(place): len(deck) for place, deck in self.decks.items()},
            "taken": [sorted(cards) for cards in self.taken],
            "tied": list(self.tied),
            "moves": list(self.moves),
            "over": self.over,
            "scores": self.scores,
            "winners": self.winners,
        }
