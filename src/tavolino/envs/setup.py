"""What an environment is made from: the setup, and the shape of what goes in and comes out."""

from typing import Any

import numpy as np

from tavolino.engine.kernels import Ints
from tavolino.play.observing import Form as Form
from tavolino.play.observing import fields as fields
from tavolino.play.observing import read_form as read_form
from tavolino.play.seeds import Seed, derive
from tavolino.play.setup import Setup, read_setup


def env_setup(game: str, players: int | None, options: dict[str, Any]) -> Setup:
    """Read a setup with `first` among the options; ValueError says what would be right."""
    given = dict(options)
    first = given.pop("first", None)
    return read_setup(game, players, given, first)


def step_numbers(setup: Setup, version: int, seed: Seed) -> Ints:
    """Return the arguments of the compiled steps: players, first, seed, version, codes of the options."""
    bits = np.uint64(derive(seed, setup.key, "simulate")).view(np.int64)
    return np.array([setup.players, setup.starter, bits, version, *setup.codes], np.int64)
