"""Pictures of the table and words for the moves: one file a game, drawn from views alone.

A game without a file here still works: `plain` shows its view as it is.
"""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, cast

from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

View = dict[str, Any]


class Table(Protocol):
    """What the file of a game offers."""

    HOW: str
    """What to do in this game, in two sentences."""

    def picture(self, views: Sequence[View], names: Sequence[str]) -> "RenderableType":
        """Draw the table; the hands of those seats are open whose views are given."""
        ...

    def meaning(self, view: View, word: str) -> str:
        """Say in a few words what a legal move would do. Uses only what everyone may know."""
        ...

    def ending(self, view: View, names: Sequence[str]) -> list[str]:
        """Say who has won and how the score came about."""
        ...


def table_of(key: str) -> Table:
    """Return the pictures of a game."""
    name = f"{__name__}.{key.replace('-', '_')}"
    return cast(Table, import_module(name if find_spec(name) else f"{__name__}.plain"))


def seat_names(players: int, you: int | None = None) -> list[str]:
    """Return what seats are called.

    >>> seat_names(2, you=1)
    ['seat 0', 'seat 1 (you)']
    """
    return [f"seat {seat} (you)" if seat == you else f"seat {seat}" for seat in range(players)]


def move_line(table: Table, view: View, word: str, names: Sequence[str]) -> Text:
    """Say in one line who makes a move and what it does; the view is the one before it."""
    who = "dice" if view["to_move"] is None else names[view["to_move"]]
    return (
        Text(f"{who:<{max(map(len, names))}}  ").append(f"{word:<10}", "bold").append(f"  {table.meaning(view, word)}")
    )


def joined(names: Sequence[str]) -> str:
    """Join names as people do.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def win_line(view: View, names: Sequence[str], how: str) -> str:
    """Say who has won.

    >>> win_line({"winners": [0, 2]}, ["seat 0", "seat 1", "seat 2"], "most points")
    'Seat 0 and seat 2 share the win: most points.'
    """
    winners = [names[seat] for seat in view["winners"]]
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"{joined(winners).replace('seat', 'Seat', 1)} {verb}: {how}."


def signed(number: int) -> str:
    """Write a number with a real minus sign."""
    return str(number).replace("-", "−")
