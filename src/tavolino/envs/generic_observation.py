"""An observation for a game that brings none: the fields of its state that a seat may know, as they are.

`rules.OPEN` names the fields that everyone may know, `rules.OWN` those of which a seat may know its own row (their first
axis is the seat). Seats are counted from the observer: its own row comes first.
"""

from math import prod
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np

from tavolino.engine.fields import Field, offsets, total
from tavolino.engine.jit import INTERPRETED
from tavolino.engine.registry import GameFolder


def encoder_of(game: GameFolder) -> Any:
    """Return what an `observation.py` would offer."""
    state = game.rules.STATE
    fields = [Field("to_move", (game.people.PLAYERS[-1],), "1 for who is to move, counted from me")]
    lines = ["if s.player >= 0: out[(s.player - seat) % s.seats] = 1"]
    at = game.people.PLAYERS[-1]
    for name in getattr(game.rules, "OPEN", ()):
        shape = state[name].shape
        fields.append(Field(name, shape or (1,), f"the field {name} of the state, which everyone may know"))
        lines.append(_copy(f"s.{name}", shape, at))
        at += prod(shape)
    for name in getattr(game.rules, "OWN", ()):
        shape = state[name].shape[1:]
        fields.append(Field(name, shape or (1,), f"my own part of the field {name} of the state"))
        lines.append(_copy(f"s.{name}[seat]", shape, at))
        at += prod(shape)
    # Numba reads a record's fields by names that stand in the code, so the code is made from them.
    scope: dict[str, Any] = {"np": np}
    body = "\n    ".join([f"out[:{at}] = 0", *lines])
    exec(f"def observe(s, seat, out):\n    {body}\ndef mask_bytes(s):\n    return 8", scope)
    compiled = {
        name: scope[name] if INTERPRETED else numba.njit(nogil=True)(scope[name]) for name in ("observe", "mask_bytes")
    }
    found = tuple(fields)
    return SimpleNamespace(VERSION=0, FIELDS=found, AT=offsets(found), SIZE=total(found), **compiled)


def _copy(source: str, shape: tuple[int, ...], at: int) -> str:
    """Return a line that copies a field into the observation."""
    if not shape:
        return f"out[{at}] = {source}"
    if len(shape) == 1:
        return f"for i in range({shape[0]}): out[{at} + i] = {source}[i]"
    rows, columns = shape
    return f"for i in range({rows}):\n        for j in range({columns}): out[{at} + {columns} * i + j] = {source}[i, j]"
