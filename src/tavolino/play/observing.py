"""What a seat observes of a game, as numbers: those that the environments show."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.fields import Field
from tavolino.engine.kernels import States
from tavolino.engine.observe import ENCODERS, NEWEST, action_in_state, observe_state
from tavolino.play.setup import Setup, find_game

BOUND = 16.0
"""The bound for a game whose encoder names none: its numbers are scaled."""
FORMS = ("flat", "fields")


@dataclass(frozen=True)
class Form:
    """How an environment shows a game: the version of its numbers, in one row or field by field."""

    key: str
    version: int
    fields: bool

    @property
    def encoder(self) -> Any:
        """What writes the numbers."""
        return ENCODERS[self.version][self.key]

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return int(self.encoder.SIZE)

    @property
    def bound(self) -> float:
        """The largest absolute value in an observation."""
        return float(getattr(self.encoder, "BOUND", BOUND))

    @cached_property
    def places(self) -> dict[str, tuple[slice, Field]]:
        """Where each field is, and what it means."""
        return fields(self.key, self.version)

    def shown(self, rows: NDArray[np.float32]) -> Any:
        """Return observations, with any axes in front, as the environment shows them; fields share their memory."""
        if not self.fields:
            return rows
        front = rows.shape[:-1]
        return {name: rows[..., where].reshape(front + field.shape) for name, (where, field) in self.places.items()}


def read_form(setup: Setup, version: int | None, observation: str) -> Form:
    """Return the form that is asked for, by default the newest version; ValueError says what there is."""
    if version is None:
        version = NEWEST
    if isinstance(version, bool) or version not in range(len(ENCODERS)):
        raise ValueError(f"version must be one of {', '.join(map(str, range(len(ENCODERS))))}, not {version!r}")
    if observation not in FORMS:
        raise ValueError(f"observation must be {' or '.join(map(repr, FORMS))}, not {observation!r}")
    return Form(setup.key, version, observation == "fields")


class Observed(NamedTuple):
    """What a seat observes, and what it may do."""

    observation: Any
    """Numbers in one row, or by the names of their fields."""
    mask: NDArray[np.bool_]
    """Which actions are legal: none if the seat is not to move."""


def observed(setup: Setup, form: Form, states: States, seat: int) -> Observed:
    """Return what a seat observes in a state."""
    row, mask = np.zeros(form.size, np.float32), np.zeros(setup.actions // 8, np.uint64)
    observe_state(states, seat, form.version, row, mask)
    return Observed(form.shown(row), mask.view(np.bool_))


def rules_number(states: States, action: int, version: int = NEWEST) -> int:
    """Return the rules' number of an action that the seat to move has chosen from its mask."""
    return int(action_in_state(states, action, version))


def fields(game: str, version: int = NEWEST) -> dict[str, tuple[slice, Field]]:
    """Return the fields of a game's observation: where each one is, and what it means.

    >>> where, field = next(iter(fields(KEY).values()))
    >>> where.start, bool(field.meaning)
    (0, True)
    """
    encoder = ENCODERS[version][find_game(game).key]
    sizes = [int(np.prod(field.shape)) for field in encoder.FIELDS]
    return {
        field.name: (slice(encoder.AT[field.name], encoder.AT[field.name] + size), field)
        for field, size in zip(encoder.FIELDS, sizes, strict=True)
    }
