"""What the files of the games share for people: options, and reading a record's deal."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

History = list[tuple[int, str]]
"""The moves of a game, each with the seat that made it (-1: chance)."""


@dataclass(frozen=True)
class Option:
    """A rule that can be chosen when a game is made."""

    name: str
    default: Any
    choices: tuple[Any, ...] | None
    """All allowed values where they can be listed, else None."""
    allowed: str
    """The allowed values in words, for errors and help."""
    read: Callable[[Any, int], Any]
    """(value, players) -> the value as it stands in a record; ValueError or TypeError if it is not allowed."""
    code: Callable[[Any], int]
    """value -> the number the compiled rules know it by."""


def choice(name: str, default: str, *others: str) -> Option:
    """Make an option that is one of a few words."""
    words = (default, *others)

    def read(value: Any, players: int) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError
        return value

    return Option(name, default, words, " or ".join(repr(word) for word in words), read, words.index)


def whole(value: Any) -> int:
    """Return a whole number as an int; TypeError for anything else, True and False included."""
    if isinstance(value, bool):
        raise TypeError("a whole number is needed, not a truth value")
    return operator.index(value)


def bits(mask: Any) -> list[int]:
    """Return the set bits of a mask that is not negative, ascending."""
    rest, found = int(mask), []
    while rest:
        found.append((rest & -rest).bit_length() - 1)
        rest &= rest - 1
    return found


def one_of_each(data: Any, *keys: str) -> dict[str, Any]:
    """Return a record's deal if it is an object with exactly these keys; ValueError if not."""
    if not isinstance(data, dict) or set(data) != set(keys):
        raise ValueError(f"deal must be an object with exactly: {', '.join(keys)}")
    return data
