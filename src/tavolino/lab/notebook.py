"""A file that keeps the results of a long study as they come, so that the same study goes on where it was stopped."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from tavolino.play.atomic_file import atomic_file

FORMAT = "tavolino-notebook-1"
T = TypeVar("T")
Fits = Callable[[Any], bool]
"""Tells whether what was found before, perhaps from fewer games, is what is asked for now."""


def fits_always(_: Any) -> bool:
    """Take what was found as it is."""
    return True


def seed_in(path: Path | None) -> Any:
    """Return the seed of the study that a file is of; None if there is no such file."""
    if path is None or not path.is_file():
        return None
    try:
        return json.loads(path.read_bytes())["about"]["seed"]
    except (ValueError, KeyError, TypeError):
        return None  # opened as a notebook, it says what is wrong


class Notebook:
    """What a study has found so far; without a file it is kept in memory only."""

    def __init__(self, path: Path | None, about: dict[str, Any]) -> None:
        """Open a notebook; ValueError if the file is of another study, as `about` describes it."""
        self._path, self._about = path, json.loads(json.dumps(about))
        self._found: dict[str, Any] = {}
        if path is None or not path.exists():
            return
        try:
            there = json.loads(path.read_bytes())
            found, was = there["found"], there["about"]
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path} is no file of a study: choose another, or remove it") from None
        different = [name for name, value in self._about.items() if was.get(name) != value]
        if different:
            raise ValueError(f"{path} is of another study (differs in: {', '.join(different)}): choose another file")
        self._found = found

    def get(self, name: str, find: Callable[[], Any], fits: Fits = fits_always) -> Any:
        """Return what was found under a name; find it and write it down if it is new or does not fit what is asked for.

        All of it is plain data.
        """
        if not self.has(name, fits):
            self._keep(name, find())
        return self._found[name]

    def rows(self, name: str, find: Callable[[int], Iterator[Any]]) -> list[Any]:
        """Return rows of plain data that take long each, and write each down as it comes.

        `find` yields those from a number on: the first that was not found yet.
        """
        for row in find(len(self._found.get(name, []))):
            self._keep(name, [*self._found.get(name, []), row])
        found: list[Any] = self._found.get(name, [])
        return found

    def keep_all(self, found: Mapping[str, Any]) -> None:
        """Write down what was found elsewhere."""
        for name, one in found.items():
            self._keep(name, one)

    def _keep(self, name: str, found: Any) -> None:
        self._found[name] = json.loads(json.dumps(found))  # ends of an interval may be infinite
        if self._path is not None:
            with atomic_file(self._path) as file:
                file.write(json.dumps({"format": FORMAT, "about": self._about, "found": self._found}).encode())

    def get_as(self, kind: type[T], name: str, find: Callable[[], Any]) -> T:
        """Return what was found under a name as a dataclass; find it and write it down if it is new."""
        return msgspec.convert(self.get(name, lambda: asdict(find())), kind)

    def has(self, name: str, fits: Fits = fits_always) -> bool:
        """Tell whether something was found under a name that fits what is asked for."""
        return name in self._found and fits(self._found[name])
