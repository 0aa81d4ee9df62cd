"""Find the games: the folders in `tavolino/games/`, and installed packages with an entry point in `tavolino.games`.

Nothing here knows a game's name, and nothing is imported before a game is needed: `GAMES` lists the keys at once and
imports a game's modules when it is looked up.
"""

import importlib.metadata
import pkgutil
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tavolino.engine.contract import People, Plain, Rules

HERE = "tavolino.games"
"""The package whose folders are games; also the group of the entry points."""


@dataclass(frozen=True)
class GameFolder:
    """A game that was found: its key, its two modules, and the optional parts of its folder."""

    key: str
    package: str
    """The name of the package, such as `tavolino.games.GAME`."""
    rules: Rules
    people: People

    @property
    def title(self) -> str:
        """The game's name."""
        return self.people.TITLE

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return folder_of(self.package)

    @cached_property
    def actions(self) -> dict[str, int]:
        """The action of each word."""
        return {word: action for action, word in self.people.WORDS.items()}

    @cached_property
    def rolls(self) -> list[str]:
        """The words of all outcomes of chance."""
        return [word for action, word in self.people.WORDS.items() if action >= self.rules.ROLLED]

    @cached_property
    def read(self) -> Callable[[Any], Plain]:
        """Read a state into plain values."""
        from tavolino.engine.plain import reader  # with NumPy, which listing the games does not need

        return reader(self.rules.STATE)

    def part(self, name: str) -> Any:
        """Return an optional module of the folder, such as `bots`; None if there is none."""
        return _module(f"{self.package}.{name}") if find_spec(f"{self.package}.{name}") else None

    def __reduce__(self) -> tuple[Any, ...]:
        return find, (self.key,)  # a module cannot be pickled


def _module(name: str) -> Any:
    """Import a module with `__import__`, which `tiers` replaces in the modules that it imports a second time."""
    return __import__(name, None, None, ["__name__"])


@cache
def packages() -> dict[str, str]:
    """Return the package of each game by its key: those that ship, then those installed, both sorted by key."""
    ours = {name.replace("_", "-"): f"{HERE}.{name}" for _, name, folder in pkgutil.iter_modules(_places()) if folder}
    found = dict(sorted(ours.items()))
    for point in sorted(importlib.metadata.entry_points(group=HERE), key=lambda point: point.name):
        if point.name not in found:
            found[point.name] = point.value
        elif found[point.name] != point.value:
            warnings.warn(f"{point.value} is ignored: there is already a game {point.name!r}", stacklevel=2)
    return found


def folder_of(package: str) -> Path:
    """Return the folder of a game's package, without importing the game."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _places() -> list[str]:
    spec = find_spec(HERE)
    assert spec is not None
    return list(spec.submodule_search_locations or ())


@cache
def find(key: str) -> GameFolder:
    """Return a game by its key, which must be registered."""
    package = packages()[key]
    game = _module(package).GAME
    return GameFolder(key, package, game.rules, game.people)


class _Games(Mapping[str, GameFolder]):
    """All games by key; each is imported when it is looked up."""

    def __getitem__(self, key: str) -> GameFolder:
        if key not in packages():
            raise KeyError(key)
        return find(key)

    def __iter__(self) -> Iterator[str]:
        return iter(packages())

    def __len__(self) -> int:
        return len(packages())

    def __contains__(self, key: object) -> bool:
        return key in packages()


GAMES: Mapping[str, GameFolder] = _Games()


@cache
def by_state() -> dict[Any, GameFolder]:
    """Return each game by the type of its state: how compiled code tells the games apart."""
    found: dict[Any, GameFolder] = {}
    for game in GAMES.values():
        if (other := found.setdefault(game.rules.STATE, game)) is not game:
            raise ValueError(
                f"{game.key} and {other.key} have states with the same fields, but games are told apart by their"
                f" fields: rename or resize one of {game.key}'s"
            )
    return found
