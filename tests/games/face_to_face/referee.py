"""The Game: Face to Face, read literally from its rules page (clauses F...)."""

from typing import Any


def lays(hand: list[int], mine: dict[str, int], theirs: dict[str, int], helped: bool) -> set[str]:
    """List every card that fits somewhere now; piles are {"u": top of ascending, "d": top of descending}."""
    words = set()
    for card in hand:
        if card > mine["u"] or card == mine["u"] - 10:  # F2.1, F2.2
            words.add(f"u{card}")
        if card < mine["d"] or card == mine["d"] + 10:  # F2.1, F2.2
            words.add(f"d{card}")
        if not helped:  # F3.1
            if card < theirs["u"]:  # F3.2
                words.add(f"U{card}")
            if card > theirs["d"]:  # F3.2
                words.add(f"D{card}")
    return words


def lay(word: str, hand: list[int], mine: dict[str, int], theirs: dict[str, int]) -> bool:
    """Lay a card (changes hand and piles); tell whether it went to the opponent's piles."""
    pile, card = word[0], int(word[1:])
    hand.remove(card)
    helps = pile in "UD"
    (theirs if helps else mine)[pile.lower()] = card
    return helps


def pairs(hand: list[int], mine: dict[str, int], theirs: dict[str, int]) -> set[tuple[str, str]]:
    """List every two-card sequence a turn can start with (F4.4), by trying them all."""
    found = set()
    for one in lays(hand, mine, theirs, helped=False):
        new_hand, new_mine, new_theirs = list(hand), dict(mine), dict(theirs)
        helped = lay(one, new_hand, new_mine, new_theirs)
        for two in lays(new_hand, new_mine, new_theirs, helped):
            found.add((one, two))
    return found


class FaceToFace:
    """One game."""

    chance_due = False

    def __init__(self, record: dict[str, Any]) -> None:
        """Set up (F1)."""
        options = record["options"]
        if not set(options) <= {"first"}:
            raise ValueError("unknown option")
        if record["seats"] != 2:
            raise ValueError("exactly 2 players")
        first: int = record["first"]
        if first not in [0, 1] or options.get("first", first) != first:  # F1.3
            raise ValueError("wrong first seat")
        decks: list[list[int]] = record["deal"]["decks"]
        if len(decks) != 2 or any(sorted(deck) != list(range(2, 60)) for deck in decks):  # F1.1
            raise ValueError("two decks of the cards 2 to 59")
        self.hands = [deck[:6] for deck in decks]  # F1.2
        self.draw_piles = [deck[6:] for deck in decks]
        self.piles = [{"u": 1, "d": 60}, {"u": 1, "d": 60}]  # F1.1
        self.points = [0, 0]  # F5.2: the cards laid
        self.moves: list[str] = []
        self.winners: list[int] | None = None
        self.start_turn(first)

    def start_turn(self, seat: int) -> None:
        """Begin a turn, or lose at once (F4.4, F5.3)."""
        self.seat = seat
        self.laid = 0  # cards laid in this turn
        self.helped = False  # whether one went to the opponent's piles
        if not pairs(self.hands[seat], self.piles[seat], self.piles[1 - seat]):
            self.winners = [1 - seat]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.winners is not None

    @property
    def scores(self) -> list[int]:
        """The cards laid so far."""
        return list(self.points)

    @property
    def to_move(self) -> int | None:
        """The seat to move."""
        return None if self.over else self.seat

    def legal(self) -> set[str]:
        """All words that may be played now."""
        if self.over:
            return set()
        hand, mine, theirs = self.hands[self.seat], self.piles[self.seat], self.piles[1 - self.seat]
        if self.laid == 0:
            return {one for one, two in pairs(hand, mine, theirs)}  # F4.4
        words = lays(hand, mine, theirs, self.helped)
        if self.laid >= 2:
            words.add("end")  # F4.1, F4.4
        return words

    def play(self, word: str) -> None:
        """Play one word."""
        if word not in self.legal():
            raise ValueError(f"not legal: {word}")
        self.moves.append(word)
        hand = self.hands[self.seat]
        if word != "end":
            if lay(word, hand, self.piles[self.seat], self.piles[1 - self.seat]):
                self.helped = True
            self.laid += 1
            self.points[self.seat] += 1
            if self.points[self.seat] == 58:  # F5.1
                self.winners = [self.seat]
                return
        if word == "end" or not hand:  # F4.4
            wanted = 6 - len(hand) if self.helped else 2  # F4.2
            for _ in range(wanted):
                if self.draw_piles[self.seat]:  # F4.2, F4.3
                    hand.append(self.draw_piles[self.seat].pop(0))
            self.start_turn(1 - self.seat)

    def knowledge(self, seat: int | None) -> dict[str, Any]:
        """Everything public (F1.2) and the seat's own hand."""
        return {
            "game": "face-to-face",
            "seats": 2,
            "seat": seat,
            "to_move": self.to_move,
            "piles": [{"ascending": pile["u"], "descending": pile["d"]} for pile in self.piles],
            "hand_sizes": [len(hand) for hand in self.hands],
            "draw_pile_sizes": [len(pile) for pile in self.draw_piles],
            "laid_this_turn": self.laid,
            "helped_this_turn": self.helped,
            "moves": list(self.moves),
            "hand": None if seat is None else sorted(self.hands[seat]),
            "over": self.over,
            "scores": self.scores,
            "winners": self.winners,
        }
