"""The observation of a game without an `observation.py`: the fields of its state that a seat may know, as they are.

`rules.py` names them (`engine.contract.Seen`). Seats are counted from the observer: its own row comes first. The code
depends only on the rules, which the cache of compiled code knows by their digest.
"""

from math import prod
from types import SimpleNamespace
from typing import Any

import numba

from tavolino.engine.fields import Field, offsets, total
from tavolino.engine.jit import INTERPRETED
from tavolino.engine.kernels import MAX_SEATS
from tavolino.engine.registry import GameFolder


def encoder_of(game: GameFolder) -> Any:
    """Return what an `observation.py` would offer."""
    state = game.rules.STATE
    fields = [Field("to_move", (MAX_SEATS,), "1 for who is to move, counted from me")]
    lines = [_who("s.player", 0)]
    at = MAX_SEATS

    def add(name: str, shape: tuple[int, ...], meaning: str, line: str) -> None:
        nonlocal at
        fields.append(Field(name, shape or (1,), meaning))
        lines.append(line)
        at += prod(shape)

    for name in getattr(game.rules, "OPEN", ()):
        shape = state[name].shape
        add(name, shape, f"the field {name} of the state", _copy(f"s.{name}", shape, at))
    for name in getattr(game.rules, "EACH", ()):
        shape = state[name].shape
        line = _copy(f"s.{name}", shape, at, "(seat + i) % seats")
        add(name, shape, f"the field {name} of the state, a row for each seat, mine first", line)
    for name in getattr(game.rules, "WHO", ()):
        add(
            name,
            (MAX_SEATS,),
            f"1 for the seat that {name} names, counted from me",
            _who(f"s.{name}", at),
        )
    for name in getattr(game.rules, "OWN", ()):
        shape = state[name].shape[1:]
        add(name, shape, f"my row of the field {name} of the state", _copy(f"s.{name}[seat]", shape, at))
    # Numba reads a record's fields by names that stand in the code, so the code is made from them.
    body = "\n    ".join(["seats = max(s.seats, 1)", f"out[:{at}] = 0", *lines])
    scope: dict[str, Any] = {}
    exec(f"def observe(s, seat, out):\n    {body}\ndef mask_bytes(s):\n    return 8", scope)
    code = {
        name: scope[name] if INTERPRETED else numba.njit(nogil=True)(scope[name]) for name in ("observe", "mask_bytes")
    }
    found = tuple(fields)
    sizes = [state[field.name].base.itemsize for field in found[1:] if field.name in (state.names or ())]
    bound = float(1 << (8 * max(sizes, default=1) - 1))
    return SimpleNamespace(VERSION=0, FIELDS=found, AT=offsets(found), SIZE=total(found), BOUND=bound, **code)


def _who(source: str, at: int) -> str:
    """Return a line that writes 1 for a seat, if there is one."""
    return f"if {source} >= 0: out[{at} + ({source} - seat) % seats] = 1"


def _copy(source: str, shape: tuple[int, ...], at: int, row: str = "i") -> str:
    """Return a line that copies a field into the observation; `row` says which row of it comes at place i."""
    if not shape:
        return f"out[{at}] = {source}"
    rows = str(shape[0]) if row == "i" else f"min(seats, {shape[0]})"
    if len(shape) == 1:
        return f"for i in range({rows}): out[{at} + i] = {source}[{row}]"
    columns = shape[1]
    return (
        f"for i in range({rows}):\n"
        f"        for j in range({columns}): out[{at} + {columns} * i + j] = {source}[{row}, j]"
    )
