"""What an environment is made from: the setup, and the shape of what goes in and comes out."""

from typing import Any

import numpy as np

from tavolino.engine.fields import Field
from tavolino.engine.kernels import Ints
from tavolino.envs.compiled.observe import ENCODERS
from tavolino.play.seeds import Seed, derive
from tavolino.play.setup import Setup, find_game, read_setup

BOUND = 16.0
"""The bound for a game whose encoder names none: its numbers are scaled."""


def env_setup(game: str, players: int | None, options: dict[str, Any]) -> Setup:
    """Read a setup with `first` among the options; ValueError says what would be right."""
    given = dict(options)
    first = given.pop("first", None)
    return read_setup(game, players, given, first)


def observed(setup: Setup) -> int:
    """Return how many numbers an observation has."""
    return int(ENCODERS[setup.key].SIZE)


def bound_of(setup: Setup) -> float:
    """Return the largest absolute value in an observation."""
    return float(getattr(ENCODERS[setup.key], "BOUND", BOUND))


def step_numbers(setup: Setup, seed: Seed) -> Ints:
    """Return the arguments of the compiled steps: players, first, seed, codes of the options."""
    bits = np.uint64(derive(seed, setup.key, "simulate")).view(np.int64)
    return np.array([setup.players, setup.starter, bits, *setup.codes], np.int64)


def fields(game: str) -> dict[str, tuple[slice, Field]]:
    """Return the fields of a game's observation: where each one is, and what it means.

    >>> where, field = next(iter(fields(KEY).values()))
    >>> where.start, bool(field.meaning)
    (0, True)
    """
    encoder = ENCODERS[find_game(game).key]
    sizes = [int(np.prod(field.shape)) for field in encoder.FIELDS]
    return {
        field.name: (slice(encoder.AT[field.name], encoder.AT[field.name] + size), field)
        for field, size in zip(encoder.FIELDS, sizes, strict=True)
    }


def version(game: str) -> int:
    """Return the version of a game's observation; it changes whenever the meaning of a number does."""
    return int(ENCODERS[find_game(game).key].VERSION)
