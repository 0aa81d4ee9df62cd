"""Orma, read literally from its rules page (clauses O...)."""

from dataclasses import dataclass
from typing import Any

COLOURS = ["green", "red", "yellow", "blue", "violet"]  # O1.1: and black
DEALT = {2: 18, 3: 14, 4: 10, 5: 9}  # O1.2: and one black each


@dataclass
class Row:
    """A line of one colour from a black token, perhaps to another."""

    colour: str
    start: int
    length: int
    end: int | None


class Orma:
    """One game."""

    chance_due = False

    def __init__(self, record: dict[str, Any]) -> None:
        """Set up (O1)."""
        options = record["options"]
        if not set(options) <= {"spare_blacks", "first", "starts"}:
            raise ValueError("unknown option")
        if options.get("starts", "rotate") not in ["rotate", "trailing"]:  # O6.1: of matches, not of one game
            raise ValueError("unknown starts")
        self.seats: int = record["seats"]
        if self.seats not in DEALT:
            raise ValueError("2 to 5 players")
        first: int = record["first"]
        if first not in range(self.seats) or options.get("first", first) != first:  # O1.4
            raise ValueError("wrong first seat")
        self.spare_blacks: str | int = options.get("spare_blacks", "mixed")
        if self.spare_blacks != "mixed" and self.spare_blacks not in range(12 - self.seats):  # O1.3
            raise ValueError("mixed, or 0 to 11 - players")
        self.hands: list[list[str]] = [list(hand) for hand in record["deal"]["hands"]]
        self.stack: list[str] = list(record["deal"]["stack"])  # the first is drawn first
        self.check_deal()
        self.blacks = 1  # O1.2: b0 lies in the middle
        self.rows: list[Row] = []
        self.points = [0] * self.seats
        self.moves: list[str] = []
        self.winners: list[int] | None = None
        self.seat = first
        self.drawn: str | None = None  # the token just drawn
        self.passes = 0  # passes in a row

    def check_deal(self) -> None:
        """Refuse a deal that O1.1 to O1.3 cannot give."""
        if [len(hand) for hand in self.hands] != [DEALT[self.seats] + 1] * self.seats:
            raise ValueError("wrong hand sizes")
        if any("black" not in hand for hand in self.hands):
            raise ValueError("every player gets one black token")
        blacks = 11  # b0 is not listed
        if self.spare_blacks != "mixed":  # O1.3
            blacks = self.seats + int(self.spare_blacks)
            if any(hand.count("black") != 1 for hand in self.hands):
                raise ValueError("the spare black tokens are not dealt")
        tokens = [token for hand in [*self.hands, self.stack] for token in hand]
        if sorted(tokens) != sorted(COLOURS * 12 + ["black"] * blacks):
            raise ValueError("not the tokens of the game")

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.winners is not None

    @property
    def scores(self) -> list[int]:
        """The points so far."""
        return list(self.points)

    @property
    def to_move(self) -> int | None:
        """The seat to move."""
        return None if self.over else self.seat

    def may_start(self, colour: str, black: int) -> bool:
        """Tell whether a row of this colour may start at this black token."""
        touching = [row for row in self.rows if black in [row.start, row.end]]  # O2.2: the row it closes too
        if colour in [row.colour for row in touching]:  # O2.2, O2.3
            return False
        if len(touching) < 2:  # O2.2
            return True
        if len(touching) == 2:  # O2.3: a closed row has a black token at both ends
            return all(row.end is not None for row in touching)
        return False  # O2.3: never a fourth

    def fits(self, token: str) -> set[str]:
        """List every way to lay this token."""
        words = set()
        for number, row in enumerate(self.rows):
            if row.end is None and token in [row.colour, "black"]:  # O2.4, O2.5
                words.add(f"{token}@r{number}")
        for black in range(self.blacks):
            if token != "black" and self.may_start(token, black):  # O2.1
                words.add(f"{token}@b{black}")
        return words

    def legal(self) -> set[str]:
        """All words that may be played now."""
        if self.over:
            return set()
        if self.drawn is not None:
            return self.fits(self.drawn) | {"keep"}  # O3.2
        words = {"draw"} if self.stack else {"pass"}  # O3.1, O3.3
        for token in self.hands[self.seat]:
            words |= self.fits(token)  # O3.1
        return words

    def play(self, word: str) -> None:
        """Play one word."""
        if word not in self.legal():
            raise ValueError(f"not legal: {word}")
        self.moves.append(word)
        if word == "draw":
            self.drawn = self.stack.pop(0)  # O3.1
            self.hands[self.seat].append(self.drawn)
            return
        if word == "pass":
            self.passes += 1
        elif word != "keep":
            self.passes = 0
            self.lay(word)
        self.drawn = None
        if not self.hands[self.seat] or self.passes == self.seats:  # O5.1, O5.2
            self.winners = [seat for seat in range(self.seats) if self.points[seat] == max(self.points)]  # O5.1
        else:
            self.seat = (self.seat + 1) % self.seats

    def lay(self, word: str) -> None:
        """Lay a token and score it."""
        token, place = word.split("@")
        number = int(place[1:])
        self.hands[self.seat].remove(token)
        if token == "black":
            self.rows[number].end = self.blacks  # O2.5; O4.1: no points
            self.blacks += 1
        elif place[0] == "b":
            self.rows.append(Row(token, number, 1, None))  # O2.1
            self.points[self.seat] += 1  # O4.1
        else:
            self.rows[number].length += 1  # O2.4
            self.points[self.seat] += self.rows[number].length  # O4.1

    def knowledge(self, seat: int | None) -> dict[str, Any]:
        """Everything public and the seat's own hand (O1.2)."""
        return {
            "game": "orma",
            "seats": self.seats,
            "seat": seat,
            "spare_blacks": self.spare_blacks,
            "to_move": self.to_move,
            "blacks": self.blacks,
            "rows": [
                {"colour": row.colour, "start": row.start, "length": row.length, "end": row.end} for row in self.rows
            ],
            "hand_sizes": [len(hand) for hand in self.hands],
            "stack_size": len(self.stack),
            "has_drawn": self.drawn is not None,
            "passes_in_a_row": self.passes,
            "moves": list(self.moves),
            "hand": None if seat is None else sorted(self.hands[seat]),
            "drawn": self.drawn if seat == self.seat else None,
            "over": self.over,
            "scores": self.scores,
            "winners": self.winners,
        }
