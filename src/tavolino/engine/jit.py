"""Compile the rules: `rule` is the only decorator; `lowest`, `count` and `nth` are bit tricks that they share.

Compiled code is kept on disk (`cache`); `once` decides how little of it is turned into machine code.
"""

import os
import pathlib
import sys
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numpy as np
from numba import njit, types
from numba.core import config
from numba.extending import intrinsic

from tavolino.engine import cache, once

F = TypeVar("F", bound=Callable[..., Any])

PLAIN = "plain:"
"""The prefix of the names of modules that are imported a second time, to run as plain Python (`tiers`)."""
INTERPRETED = bool(config.DISABLE_JIT) or __name__.startswith(PLAIN)  # type: ignore[attr-defined]
FORBIDDEN = os.environ.get("TAVOLINO_COMPILE") == "never"
"""Whether compiling is forbidden: a function that is not on disk is then an error."""
ONCE = once.why_not() is None
_Watcher = Callable[[str], None]
watchers: list[_Watcher] = []
"""Each is called with a function's name just before that function is compiled (not when it is read from disk)."""


class NotCompiled(RuntimeError):
    """A function is neither in memory nor on disk, and may not be compiled."""


def _tell_terminal(name: str) -> None:
    """Say on a terminal what is being compiled if nobody else watches, so that a first call is no silent pause."""
    if sys.stderr.isatty():
        print(f"\rTavolino compiles its rules, once: {name:<40}", end="", file=sys.stderr, flush=True)


def rule(function: F) -> F:
    """Compile a function of the rules (nogil, cached on disk); leave it as it is if the JIT is off."""
    if INTERPRETED:
        return function
    dispatcher = _dispatcher(function)
    callee: Any = dispatcher
    if ONCE:
        # What compiled code calls is compiled apart from what Python calls, without a wrapper for Python.
        callee = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)  # type: ignore[call-overload]
        callee._compiling_counter = dispatcher._compiling_counter  # by which Numba notices recursion
        dispatcher.get_overload = callee.get_overload
        _announce(callee)
        _compile_once(dispatcher)
    _call_without_literals(dispatcher, callee)
    return dispatcher


def shared(function: F) -> F:
    """Compile a large function as `rule` does, yet once for all that call it, instead of into each of them.

    Nothing of it is inlined into a caller: that costs some nanoseconds per call, and saves a second of compiling each.
    """
    if INTERPRETED or not ONCE:
        return rule(function)
    dispatcher = _dispatcher(function)
    once.shared[function.__module__, function.__name__] = dispatcher
    _compile_once(dispatcher)
    compile_entry = dispatcher._compiler.compile

    def share(result: Any) -> None:
        once.share(result, function)

    def compile_shared(args: Any, return_type: Any) -> Any:
        result = compile_entry(args, return_type)
        share(result)
        return result

    dispatcher._compiler.compile, dispatcher._cache.loaded = compile_shared, share
    _call_without_literals(dispatcher, dispatcher)
    return dispatcher


def _dispatcher(function: Any) -> Any:
    """Return Numba's dispatcher for what Python calls, with our cache."""
    cache.check_source(pathlib.Path(function.__code__.co_filename))
    dispatcher: Any = njit(nogil=True)(function)
    dispatcher._cache = cache.Cache(function)
    _announce(dispatcher)
    return dispatcher


def _call_without_literals(dispatcher: Any, callee: Any) -> None:
    """Let compiled code call `callee`, which Numba would compile anew for each constant: over(n, 4), over(n, 8)."""
    find = callee.get_call_template
    dispatcher.get_call_template = lambda args, kws: find([types.unliteral(arg) for arg in args], kws)


def uncompiled(function: F) -> F:
    """Return a small function of the rules, and what it calls, as plain Python: where compiling is not worthwhile."""
    plain = getattr(function, "py_func", function)
    scope = {name: value for name, value in plain.__globals__.items() if name in plain.__code__.co_names}
    for name, value in scope.items():
        if hasattr(value, "py_func"):
            scope[name] = uncompiled(value)
    return FunctionType(plain.__code__, scope)  # type: ignore[return-value]


def _announce(dispatcher: Any) -> None:
    """Tell the watchers before a function is compiled, if it may be."""
    ordinary = dispatcher._compiler.compile

    def compile_one(args: Any, return_type: Any) -> Any:
        name = dispatcher.py_func.__name__
        if FORBIDDEN:
            raise NotCompiled(f"{name} is not compiled in {cache.cache_root()}, and TAVOLINO_COMPILE is never")
        for tell in watchers or (_tell_terminal,):
            tell(name)
        return ordinary(args, return_type)

    dispatcher._compiler.compile = compile_one


def _compile_once(dispatcher: Any) -> None:
    """Compile a function that Python calls together with everything it calls, in one go."""
    ordinary = dispatcher._compiler.compile

    def compile_entry(args: Any, return_type: Any) -> Any:
        with once.entering():
            result = ordinary(args, return_type)
        once.connect(result)
        return result

    dispatcher._compiler.compile = compile_entry


if not ONCE and not INTERPRETED:
    warnings.warn(f"{once.why_not()}: compiling the rules takes twice as long", RuntimeWarning, stacklevel=2)


if INTERPRETED:

    def lowest(mask: int) -> int:
        """Return the index of the lowest set bit; the mask must not be 0."""
        mask = int(mask)
        return (mask & -mask).bit_length() - 1

    def count(mask: int) -> int:
        """Return the number of set bits."""
        return int(mask).bit_count()

else:

    @intrinsic
    def _ctz(typing_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), generate

    @intrinsic
    def _popcount(typing_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), generate

    @rule
    def lowest(mask: int) -> int:
        """Return the index of the lowest set bit; the mask must not be 0."""
        return _ctz(mask)  # type: ignore[call-arg]

    @rule
    def count(mask: int) -> int:
        """Return the number of set bits."""
        return _popcount(mask)  # type: ignore[call-arg]


@rule
def wide(number: Any) -> int:
    """Widen a small field to 64 bits before it is shifted or added to: interpreted, NumPy would keep it small."""
    return np.int64(number)  # type: ignore[return-value]


@rule
def natural(number: Any) -> int:
    """Return a number that is never negative as it is, but so that LLVM knows: an index is not counted from the end."""
    return wide(number) & 0x7FFFFFFFFFFFFFFF


_EACH_BYTE, _TOPS, _DIAGONAL = (np.uint64(n) for n in (0x0101010101010101, 0x8080808080808080, 0x8040201008040201))
_LOW_7, _PAIRS, _FOURS, _HALVES = (
    np.uint64(n) for n in (0x7F7F7F7F7F7F7F7F, 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F)
)
_1, _2, _4, _7, _8, _BYTE = (np.uint64(n) for n in (1, 2, 4, 7, 8, 255))


@rule
def _not_above(counts: np.uint64, n: np.uint64) -> int:
    """Return how many of eight counts, a byte each, are at most n; all are below 128."""
    return count(np.int64(((n * _EACH_BYTE | _TOPS) - counts) & _TOPS))  # type: ignore[arg-type]


@rule
def nth(mask: int, n: int) -> int:
    """Return the index of the n-th set bit from below, counted from 0; there must be one.

    To clear n bits in a loop would be shorter, but no processor foresees how often it goes round.
    """
    if INTERPRETED:
        for _ in range(n):
            mask &= mask - 1
        return lowest(mask)
    bits, at = np.uint64(mask), np.uint64(n)
    sums = bits - (bits >> _1 & _PAIRS)
    sums = (sums & _FOURS) + (sums >> _2 & _FOURS)
    sums = (sums + (sums >> _4) & _HALVES) * _EACH_BYTE  # in each byte: the set bits up to its end
    first = np.uint64(8 * _not_above(sums, at))  # where the byte begins that has the bit
    at -= (sums << _8) >> first & _BYTE
    spread = (
        (bits >> first & _BYTE) * _EACH_BYTE & _DIAGONAL
    ) + _LOW_7 >> _7 & _EACH_BYTE  # a byte for each of its bits
    return wide(first) + _not_above(spread * _EACH_BYTE, at)
