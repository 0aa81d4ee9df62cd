"""What every game offers to compiled code: called with a state, each function runs the rules of the state's game.

Compiled, Numba picks the game by the type of the record, once, when a kernel is compiled for it; interpreted, by its
dtype. Passing functions as arguments or building kernels in a closure would never hit the cache on disk
(docs/decisions/0001-numba-records.md).
"""

from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from tavolino.engine.contract import State, Stream
from tavolino.engine.jit import INTERPRETED
from tavolino.engine.registry import by_state

_RULES = {state: game.rules for state, game in by_state().items()}


def deal(s: State, seats: int, first: int, options: NDArray[np.int64], streams: Stream) -> None:
    """Shuffle and start; `first` is a seat, or -1 for a random one; one stream per name in the game's STREAMS."""
    _RULES[s.dtype].deal(s, seats, first, options, streams)


def start(s: State, seats: int, first: int) -> None:
    """Start with the cards or tokens as they lie."""
    _RULES[s.dtype].start(s, seats, first)


def apply(s: State, action: int) -> None:
    """Play an action; the caller guarantees that it is legal."""
    _RULES[s.dtype].apply(s, action)


def chance(s: State, streams: Stream) -> int:
    """Return an outcome of chance; one stream per seat. Only if no move is legal and the game is not over."""
    return _RULES[s.dtype].chance(s, streams)


def scores(s: State, out: NDArray[np.int64]) -> None:
    """Write the score of each seat."""
    _RULES[s.dtype].scores(s, out)


def redeal(s: State, viewer: int, rng: Stream) -> None:
    """Deal anew what `viewer` (-1: a spectator) cannot know, uniformly over all possibilities."""
    _RULES[s.dtype].redeal(s, viewer, rng)


def dispatch(function: Callable[..., Any], modules: Mapping[np.dtype[Any], Any]) -> None:
    """Teach Numba to compile a call into one of the function with that name in the module of the state's game."""
    by_type = {numba.from_dtype(state): module for state, module in modules.items()}
    code = function.__code__
    names = ", ".join(code.co_varnames[: code.co_argcount])
    scope: dict[str, Any] = {"by_type": by_type}
    # Numba wants the overload's parameter names to be the function's own, so its text is made from them.
    exec(f"def pick({names}):\n  f = by_type[s].{function.__name__}\n  return lambda {names}: f({names})", scope)
    overload(function)(scope["pick"])


if not INTERPRETED:
    for _function in (deal, start, apply, chance, scores, redeal):
        dispatch(_function, _RULES)
