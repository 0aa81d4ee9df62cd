"""Phrases that tables, reports and commands share."""

from collections.abc import Sequence
from typing import Any

from tavolino.engine.contract import View


def counted(number: int, thing: str, things: str | None = None) -> str:
    """Write a number of things.

    >>> counted(1, "token"), counted(1500, "token"), counted(2, "die", "dice")
    ('1 token', '1,500 tokens', '2 dice')
    """
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"


def joined(names: Sequence[str]) -> str:
    """Join names as people do.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def option_text(value: Any) -> str:
    """Write an option's value as it is typed.

    >>> option_text([2, 4, 6]), option_text("plain"), option_text(None)
    ('2,4,6', 'plain', 'none')
    """
    if value is None:
        return "none"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


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
