"""What every game offers to compiled code: called with a state, each function runs the rules of the state's game.

Compiled, Numba picks the game by the type of the record, once, when a kernel is compiled for it; interpreted, by its
dtype. Passing functions as arguments or building kernels in a closure would never hit the cache on disk
(docs/decisions/0001-numba-records.md).
"""

from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.typing.templates import infer_global
from numba.extending import models, register_model
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
    """Deal anew what `viewer` (a seat, or one of `viewers`) cannot know, uniformly over all possibilities."""
    _RULES[s.dtype].redeal(s, viewer, rng)


class _Dispatched(types.Callable, types.Dummy):
    """The type of a function of this kind: a call is typed, and compiled, as one of the game's own function."""

    def __init__(self, name: str, by_type: Mapping[Any, Any]) -> None:
        self._name, self._by_type = name, by_type
        super().__init__(f"dispatched({name})")

    def _target(self, args: Any) -> Any:
        return types.Dispatcher(getattr(self._by_type[args[0]], self._name))

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self._target(args).get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[tuple[()], bool]:
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        return self._target(sig.args).get_impl_key(sig)


register_model(_Dispatched)(models.OpaqueModel)


def dispatch(function: Callable[..., Any], modules: Mapping[np.dtype[Any], Any]) -> None:
    """Teach Numba to compile a call into one of the function with that name in the module of the state's game.

    The state is the first argument.
    """
    by_type = {numba.from_dtype(state): module for state, module in modules.items()}
    infer_global(function, _Dispatched(function.__name__, by_type))


if not INTERPRETED:
    for _function in (deal, start, apply, chance, scores, redeal):
        dispatch(_function, _RULES)
