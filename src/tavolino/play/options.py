"""Reading what is asked of a game: which one, how many players, which options. Errors say what is allowed."""

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.games import GAMES
from tavolino.games.spec import whole


def games() -> list[dict[str, Any]]:
    """Return what there is: key, title, players, and options with defaults and choices.

    >>> [game["key"] for game in games()]
    ['out-of-sock', 'face-to-face', 'orma']
    """
    first = {"name": "first", "default": None, "choices": None, "allowed": "a seat, or None for a random one"}
    return [
        {
            "key": rules.KEY,
            "title": rules.TITLE,
            "players": list(rules.PLAYERS),
            "options": [
                first.copy(),
                *(
                    {
                        "name": option.name,
                        "default": option.default,
                        "choices": None if option.choices is None else list(option.choices),
                        "allowed": option.allowed,
                    }
                    for option in rules.OPTIONS
                ),
            ],
        }
        for rules in GAMES.values()
    ]


def find_rules(key: Any) -> ModuleType:
    """Return a game's rules by its key."""
    if not isinstance(key, str) or key not in GAMES:
        raise ValueError(f"no game {key!r}; there are {', '.join(GAMES)}")
    return GAMES[key]


def read_players(rules: ModuleType, players: Any) -> int:
    """Return the number of players, the smallest table for None."""
    if players is None:
        return int(rules.PLAYERS[0])
    try:
        number = whole(players)
    except TypeError:
        number = -1
    if number not in rules.PLAYERS:
        allowed = " or ".join(map(str, rules.PLAYERS)) if len(rules.PLAYERS) < 3 else "{} to {}".format(*_ends(rules))
        raise ValueError(f"{rules.TITLE} is for {allowed} players, not {players!r}")
    return number


def _ends(rules: ModuleType) -> tuple[int, int]:
    return rules.PLAYERS[0], rules.PLAYERS[-1]


def read_first(players: int, first: Any) -> int:
    """Return the seat that starts."""
    return read_seat(players, first, "first must be a seat")


def read_seat(players: int, seat: Any, wanted: str = "seat must be") -> int:
    """Return a seat; `wanted` begins the sentence that says which ones there are."""
    try:
        number = whole(seat)
    except TypeError:
        number = -1
    if not 0 <= number < players:
        raise ValueError(f"{wanted} from 0 to {players - 1}, not {seat!r}")
    return number


def read_options(rules: ModuleType, players: int, given: Any) -> dict[str, Any]:
    """Return all options of a game, those not given by default."""
    if not isinstance(given, dict):
        raise ValueError(f"options must be an object, not {given!r}")
    names = [option.name for option in rules.OPTIONS]
    for name in given:
        if name == "first":
            raise ValueError("first is not among these options: it is given beside them, where a seat can be chosen")
        if name not in names:
            raise ValueError(f"{rules.TITLE} has no option {name!r}; it has {', '.join(['first', *names])}")
    values = {}
    for option in rules.OPTIONS:
        value = given.get(option.name, option.default)
        try:
            values[option.name] = option.read(value, players)
        except (ValueError, TypeError):
            raise ValueError(f"{option.name} must be {option.allowed}, not {value!r}") from None
    return values


def from_one(value: Any, name: str) -> int:
    """Return a whole number from 1 up; ValueError says which one is wrong."""
    return at_least(1, value, name)


def at_least(least: int, value: Any, name: str) -> int:
    """Return a whole number that is not too small; ValueError says which one is wrong."""
    try:
        number = whole(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise ValueError(f"{name} must be a whole number from {least} up, not {value!r}")
    return number


def codes(rules: ModuleType, options: dict[str, Any]) -> NDArray[np.int64]:
    """Return the options as the compiled rules know them."""
    return np.array([option.code(options[option.name]) for option in rules.OPTIONS] or [0], np.int64)
