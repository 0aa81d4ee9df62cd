"""What is played: a game, how many players, which options, who starts. Errors say what is allowed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.plain import whole
from tavolino.engine.registry import GAMES, GameFolder


def games() -> list[dict[str, Any]]:
    """List the games: key, title, numbers of players, and options with defaults and choices.

    >>> KEY in [game["key"] for game in games()]
    True
    """
    first = {"name": "first", "default": None, "choices": None, "allowed": "a seat, or None for a random one"}
    return [
        {
            "key": game.key,
            "title": game.title,
            "players": list(game.people.PLAYERS),
            "options": [
                first.copy(),
                *(
                    {
                        "name": option.name,
                        "default": option.default,
                        "choices": None if option.choices is None else list(option.choices),
                        "allowed": option.allowed,
                    }
                    for option in game.people.OPTIONS
                ),
            ],
        }
        for game in GAMES.values()
    ]


@dataclass(frozen=True)
class Setup:
    """What is to be played; made by `read_setup`, which checks it."""

    game: GameFolder
    players: int
    options: dict[str, Any]
    """All options with their values; defaults for those not given."""
    first: int | None = None
    """The seat that starts; None: a random one."""

    @property
    def key(self) -> str:
        """The game's key."""
        return self.game.key

    @property
    def chosen(self) -> dict[str, Any]:
        """The options whose values are not the defaults, as a record keeps them."""
        defaults = {option.name: option.default for option in self.game.people.OPTIONS}
        return {name: value for name, value in self.options.items() if value != defaults[name]}

    @property
    def codes(self) -> NDArray[np.int64]:
        """The options as the compiled rules know them."""
        return np.array(
            [option.code(self.options[option.name]) for option in self.game.people.OPTIONS] or [0], np.int64
        )

    @property
    def starter(self) -> int:
        """The seat that starts as the compiled rules know it: -1 for a random one."""
        return -1 if self.first is None else self.first

    @property
    def actions(self) -> int:
        """The number of actions, 64 per entry of `legal`; most are never legal at once."""
        return 64 * int(self.game.rules.STATE["legal"].shape[0])


def setup_of(game: str | Setup, players: Any = None) -> Setup:
    """Return the setup that is meant: one as it is, or a game's key, with the number of players where it is given."""
    if not isinstance(game, Setup):
        return read_setup(game, players)
    if players is not None:
        raise ValueError("a setup says how many players there are: leave players out")
    return game


def read_setup(game: Any, players: Any = None, options: Mapping[str, Any] | None = None, first: Any = None) -> Setup:
    """Return a checked setup; by default for the fewest players, with default options and a random first seat.

    >>> read_setup(KEY, 3).players
    3
    """
    found = find_game(game)
    number = _read_players(found, players)
    values = _read_options(found, number, {} if options is None else options)
    return Setup(found, number, values, None if first is None else read_seat(number, first, "first must be a seat"))


def find_game(key: Any) -> GameFolder:
    """Return a game by its key."""
    if not isinstance(key, str) or key not in GAMES:
        raise ValueError(f"no game {key!r}; there are {', '.join(GAMES)}")
    return GAMES[key]


def _read_players(game: GameFolder, players: Any) -> int:
    allowed = game.people.PLAYERS
    if players is None:
        return allowed[0]
    try:
        number = whole(players)
    except TypeError:
        number = -1
    if number not in allowed:
        listed = " or ".join(map(str, allowed)) if len(allowed) < 3 else f"{allowed[0]} to {allowed[-1]}"
        raise ValueError(f"{game.title} is for {listed} players, not {players!r}")
    return number


def _read_options(game: GameFolder, players: int, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise ValueError(f"options must be an object, not {given!r}")
    names = [option.name for option in game.people.OPTIONS]
    for name in given:
        if name == "first":
            raise ValueError("first is not one of these options: pass it separately, where a seat can be chosen")
        if name not in names:
            raise ValueError(f"{game.title} has no option {name!r}; it has {', '.join(['first', *names])}")
    values = {}
    for option in game.people.OPTIONS:
        value = given.get(option.name, option.default)
        try:
            values[option.name] = option.read(value, players)
        except (ValueError, TypeError):
            raise ValueError(f"{option.name} must be {option.allowed}, not {value!r}") from None
    return values


def read_seat(players: int, seat: Any, wanted: str = "seat must be") -> int:
    """Return a seat; `wanted` begins the sentence that says which seats there are."""
    try:
        number = whole(seat)
    except TypeError:
        number = -1
    if not 0 <= number < players:
        raise ValueError(f"{wanted} from 0 to {players - 1}, not {seat!r}")
    return number


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
