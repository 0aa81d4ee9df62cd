"""What an environment is made of: the game asked for, checked once, and the shape of what goes in and out."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from tavolino.envs.compiled.fields import Field
from tavolino.envs.compiled.observe import ENCODERS
from tavolino.games.kernels import Ints
from tavolino.play.options import codes, find_rules, read_first, read_options, read_players
from tavolino.play.seeds import Seed, derive


@dataclass(frozen=True)
class Setup:
    """A game as it was asked for."""

    rules: ModuleType
    seats: int
    options: dict[str, Any]
    first: int
    """The seat that starts; -1: another one by lot each game."""

    def __reduce__(self) -> tuple[Any, ...]:
        first = None if self.first < 0 else self.first
        return read_setup, (self.key, self.seats, {**self.options, "first": first})  # a module cannot be pickled

    @property
    def key(self) -> str:
        """The game's key."""
        return str(self.rules.KEY)

    @property
    def actions(self) -> int:
        """The number of actions: 64 · words of `legal`, the same in all environments. Most are never legal at once."""
        return 64 * int(self.rules.STATE["legal"].shape[0])

    @property
    def observed(self) -> int:
        """How many numbers an observation has."""
        return int(ENCODERS[self.key].SIZE)

    def numbers(self, seed: Seed) -> Ints:
        """Return what the compiled steps are given: seats, first, seed, codes of the options."""
        bits = np.uint64(derive(seed, self.key, "simulate")).view(np.int64)
        return np.array([self.seats, self.first, bits, *codes(self.rules, self.options)], np.int64)


def read_setup(game: str, players: int | None, options: dict[str, Any]) -> Setup:
    """Check what was asked for; ValueError says what would be right."""
    rules = find_rules(game)
    seats = read_players(rules, players)
    given = dict(options)
    first = given.pop("first", None)
    return Setup(rules, seats, read_options(rules, seats, given), -1 if first is None else read_first(seats, first))


def fields(game: str) -> dict[str, tuple[slice, Field]]:
    """Return the fields of a game's observation: where each lies, and what it means.

    >>> where, field = fields("orma")["drawn"]
    >>> where, field.meaning
    (slice(6, 12, None), '1 for the colour I have just drawn and must lay or keep')
    """
    encoder = ENCODERS[str(find_rules(game).KEY)]
    sizes = [int(np.prod(field.shape)) for field in encoder.FIELDS]
    return {
        field.name: (slice(encoder.AT[field.name], encoder.AT[field.name] + size), field)
        for field, size in zip(encoder.FIELDS, sizes, strict=True)
    }


def version(game: str) -> int:
    """Return the version of a game's observation: it changes whenever the numbers mean something else."""
    return int(ENCODERS[str(find_rules(game).KEY)].VERSION)
