"""The table in the terminal: drawn by the game's own `terminal.py`, or else its view, listed."""

from collections.abc import Sequence
from typing import cast

from rich.text import Text

from tavolino.engine.contract import Offer, Terminal, View
from tavolino.engine.registry import GAMES
from tavolino.play import plain_table, text


def table_of(key: str) -> Terminal:
    """Return how a game's table is drawn."""
    return cast(Terminal, GAMES[key].part("terminal") or plain_table)


def seat_names(players: int, you: int | None = None) -> list[str]:
    """Return the names of the seats.

    >>> seat_names(2, you=1)
    ['seat 0', 'seat 1 (you)']
    """
    return [f"seat {seat} (you)" if seat == you else f"seat {seat}" for seat in range(players)]


def move_line(table: Terminal, view: View, offer: Offer, names: Sequence[str]) -> Text:
    """Say in one line who makes a move and what it does; the view is the one before it."""
    who = text.say(GAMES[view["game"]], "label.chance", {}) if view["to_move"] is None else names[view["to_move"]]
    return (
        Text(f"{who:<{max(map(len, names))}}  ")
        .append(f"{offer['word']:<10}", "bold")
        .append(f"  {table.meaning(view, offer)}")
    )
