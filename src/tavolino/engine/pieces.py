"""What a game's report counts besides wins: cards, tokens, aims. A game's `counts.py` holds its `PIECES`.

Everything is counted from the events that the rules tell, never from the rules themselves.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tavolino.engine.contract import Event
from tavolino.engine.registry import GameFolder

Counted = tuple[int, str]
"""(seat, name)."""


@dataclass(frozen=True)
class Topic:
    """Something that seats take or do in a game, counted by seat."""

    title: str
    note: str
    names: tuple[str, ...]
    find: Callable[[Event], Iterable[Counted]]


@dataclass(frozen=True)
class Stock:
    """Pieces of which some are never used."""

    title: str
    note: str
    names: tuple[str, ...]
    there: Callable[[dict[str, Any]], Iterable[str]]
    """From the deal as it stands in a record: all pieces by name."""
    used: Callable[[Event], Iterable[str]]


@dataclass(frozen=True)
class Opening:
    """What a seat is dealt at the start. Chance alone decides it, so a difference is an effect."""

    title: str
    note: str
    names: tuple[str, ...]
    held: Callable[[Any], Iterable[str]]
    """From the hand as a view has it."""


@dataclass(frozen=True)
class Pieces:
    """What is counted in one game."""

    topics: tuple[Topic, ...]
    stock: Stock | None = None
    opening: Opening | None = None
    score: str = "points"
    """What a seat's score counts, in words."""
    cloth: tuple[str, str] = ("#E3D5C1", "#352A3C")
    """The colours under the title of a report, in light and dark mode."""


def pieces_of(game: GameFolder) -> Pieces:
    """Return what is counted in a game: what its `counts.py` says, or nothing besides wins, length and lead."""
    counts = game.part("counts")
    return Pieces(()) if counts is None else counts.PIECES
