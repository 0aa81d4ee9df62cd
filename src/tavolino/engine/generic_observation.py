"""The observation of a game without an `observation.py`: the fields of its state that a seat may know, as they are.

`rules.py` names them (`engine.contract.Seen`). Seats are counted from the observer: its own row comes first. The code
depends only on the rules, which the cache of compiled code knows by their digest.
"""

from types import SimpleNamespace
from typing import Any

import numba
import numpy as np

from tavolino.engine.fields import Field, offsets, total
from tavolino.engine.jit import INTERPRETED
from tavolino.engine.kernels import MAX_SEATS
from tavolino.engine.registry import GameFolder

LARGEST_SCORE = 32768.0
Part = tuple[Field, str]
"""A field, and the lines that write it, with {at} for where it begins."""


def encoder_of(game: GameFolder) -> Any:
    """Return what an `observation.py` would offer: who is to move, how it stands and ended, then the state's fields."""
    endings = len(game.people.ENDINGS)
    ending = f"for i in range({endings}): out[{{at}} + i] = s.ending == i"
    standing = [
        (Field("first", (MAX_SEATS,), "1 for who started, counted from me"), _who("s.first")),
        (Field("seats", (MAX_SEATS,), "1 for each seat that there is"), "for i in range(seats): out[{at} + i] = 1"),
        (Field("over", (1,), "1 once the game is over"), "out[{at}] = s.over"),
        (
            Field("winners", (MAX_SEATS,), "1 for each seat that has won, counted from me"),
            "for i in range(seats): out[{at} + i] = s.winners >> (seat + i) % seats & 1",
        ),
        (Field("ending", (endings,), "1 at how the game ended; 0 before"), ending),
        (
            Field("scores", (MAX_SEATS,), "the score of each seat, mine first"),
            f"points = np.empty({MAX_SEATS}, np.int64)\n    scores(s, points)\n"
            "    for i in range(seats): out[{at} + i] = points[(seat + i) % seats]",
        ),
    ]
    seen = _fields(game)
    names = {field.name for field, _ in seen}  # a game may show such a field of its state itself
    parts = [_to_move(), *(part for part in standing if part[0].name not in names), *seen]
    return _encoder(game, 1, parts, max(_bound(game, seen), LARGEST_SCORE))


def first_encoder_of(game: GameFolder) -> Any:
    """Return the encoder of version 0: who is to move, then the state's fields."""
    seen = _fields(game)
    return _encoder(game, 0, [_to_move(), *seen], _bound(game, seen))


def _to_move() -> Part:
    return Field("to_move", (MAX_SEATS,), "1 for who is to move, counted from me"), _who("s.player")


def _fields(game: GameFolder) -> list[Part]:
    """Return the fields of the state that the rules let learners see."""
    state, found = game.rules.STATE, list[Part]()
    named = [name for each in ("OPEN", "EACH", "WHO", "OWN") for name in getattr(game.rules, each, ())]
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise ValueError(f"{game.key}: {', '.join(twice)} may stand in only one of OPEN, EACH, WHO and OWN")
    for name in getattr(game.rules, "OPEN", ()):
        shape = state[name].shape
        found.append((Field(name, shape or (1,), f"the field {name} of the state"), _copy(f"s.{name}", shape)))
    for name in getattr(game.rules, "EACH", ()):
        meaning = f"the field {name} of the state, a row for each seat, mine first"
        found.append(
            (Field(name, state[name].shape, meaning), _copy(f"s.{name}", state[name].shape, "(seat + i) % seats"))
        )
    for name in getattr(game.rules, "WHO", ()):
        found.append(
            (Field(name, (MAX_SEATS,), f"1 for the seat that {name} names, counted from me"), _who(f"s.{name}"))
        )
    for name in getattr(game.rules, "OWN", ()):
        shape = state[name].shape[1:]
        found.append(
            (Field(name, shape or (1,), f"my row of the field {name} of the state"), _copy(f"s.{name}[seat]", shape))
        )
    return found


def decoded(game: GameFolder, numbers: Any, seats: int, seat: int) -> Any:
    """Return the state as far as an observation of version 1 made by `encoder_of` tells it, for the game's own views.

    A field that is not told is missing: to read it is an AttributeError.
    """
    fields, at = encoder_of(game).FIELDS, encoder_of(game).AT
    whole = np.rint(numbers).astype(int)
    rows = {f.name: whole[at[f.name] :][: int(np.prod(f.shape))].reshape(f.shape) for f in fields}
    order = [(place - seat) % seats for place in range(seats)]

    def who(name: str) -> int:
        named = np.flatnonzero(rows[name][order])
        return int(named[0]) if len(named) else -1

    state, found = game.rules.STATE, dict[str, Any]()
    for name in ("OPEN", "EACH", "WHO", "OWN"):
        for field in getattr(game.rules, name, ()):
            shape = state[field].shape
            if name == "OPEN":
                found[field] = rows[field].tolist() if shape else int(rows[field][0])
            elif name == "WHO":
                found[field] = who(field)
            elif name == "EACH":
                found[field] = rows[field][order].tolist()
            else:
                found[field] = [rows[field].tolist() if shape[1:] else int(rows[field][0])] * seats
    ended = np.flatnonzero(rows["ending"])
    standing = {
        "seats": seats,
        "player": who("to_move"),
        "first": who("first"),
        "over": int(rows["over"][0]),
        "winners": sum(1 << place for place in range(seats) if rows["winners"][order[place]]),
        "ending": int(ended[0]) if len(ended) else -1,
        "scores": rows["scores"][order].tolist(),
    }
    return SimpleNamespace(**{**standing, **found})


def _encoder(game: GameFolder, version: int, parts: list[Part], bound: float) -> Any:
    """Make the code that writes these parts. Numba reads a record's fields by names that stand in the code."""
    fields = tuple(field for field, _ in parts)
    at, size = offsets(fields), total(fields)
    lines = [line.replace("{at}", str(at[field.name])) for field, line in parts]
    body = "\n    ".join(["seats = max(s.seats, 1)", f"out[:{size}] = 0", *lines])
    scope: dict[str, Any] = {"np": np, "scores": game.rules.scores}
    exec(f"def observe(s, seat, out):\n    {body}", scope)
    observe = scope["observe"] if INTERPRETED else numba.njit(nogil=True)(scope["observe"])
    return SimpleNamespace(VERSION=version, FIELDS=fields, AT=at, SIZE=size, BOUND=bound, observe=observe)


def _bound(game: GameFolder, parts: list[Part]) -> float:
    """Return the largest absolute value that the fields of the state can hold."""
    state = game.rules.STATE
    sizes = [state[field.name].base.itemsize for field, _ in parts if field.name in (state.names or ())]
    return float(1 << (8 * max(sizes, default=1) - 1))


def _who(source: str) -> str:
    """Return a line that writes 1 for a seat, if there is one."""
    return f"if {source} >= 0: out[{{at}} + ({source} - seat) % seats] = 1"


def _copy(source: str, shape: tuple[int, ...], row: str = "i") -> str:
    """Return a line that copies a field into the observation; `row` says which row of it comes at place i."""
    if not shape:
        return f"out[{{at}}] = {source}"
    rows = str(shape[0]) if row == "i" else f"min(seats, {shape[0]})"
    if len(shape) == 1:
        return f"for i in range({rows}): out[{{at}} + i] = {source}[{row}]"
    columns = shape[1]
    return (
        f"for i in range({rows}):\n"
        f"        for j in range({columns}): out[{{at}} + {columns} * i + j] = {source}[{row}, j]"
    )
