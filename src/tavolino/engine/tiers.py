"""The rules in two tiers: compiled, and as plain Python while a game's compiled code is still being made.

In plain Python a move takes a fifth of a millisecond and a quick bot a tenth of a second: a person notices no
difference, and nobody waits for a compiler. So `plain` imports `engine/`, `games/` and `bots/` a second time with the
compiler off, beside the ordinary modules, and the functions marked with `entry` (those that Python calls to play) run
the plain twin for the games in `use_plain`. Both give the same bytes; a game can change from one to the other between
any two calls.

By default every game is compiled: only where people are waiting does play begin with the plain rules. What compiled
code calls is never an `entry`: there is nothing to choose there. See docs/decisions/0005-plain-first.md.
"""

import builtins
import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from tavolino.engine.jit import INTERPRETED, PLAIN
from tavolino.engine.registry import GAMES, packages

F = TypeVar("F", bound=Callable[..., Any])

TWICE = ("tavolino.engine", "tavolino.games", "tavolino.bots", *packages().values())
"""The packages that are imported a second time."""
_modules: dict[str, ModuleType] = {}
_importing = threading.RLock()
_plain: frozenset[np.dtype[Any]] = frozenset()
"""The states of the games that are played by plain rules."""
_changing = threading.Lock()


class _Here(threading.local):
    compiled = False


_here = _Here()


def use_plain(*keys: str) -> None:
    """Play these games by plain rules from the next call on; if the compiler is off, they are plain anyway."""
    global _plain
    if not INTERPRETED:
        with _changing:
            _plain |= {GAMES[key].rules.STATE for key in keys}


def use_compiled(*keys: str) -> None:
    """Play these games by compiled code from the next call on."""
    global _plain
    with _changing:
        _plain -= {GAMES[key].rules.STATE for key in keys}


def is_plain(key: str) -> bool:
    """Tell whether a game is played by plain rules at the moment."""
    return GAMES[key].rules.STATE in _plain


@contextlib.contextmanager
def compiled() -> Iterator[None]:
    """Use compiled code in this thread, whatever the others do, in order to load it."""
    before, _here.compiled = _here.compiled, True
    try:
        yield
    finally:
        _here.compiled = before


def entry(function: F) -> F:
    """Let Python call a kernel, or its plain twin if the game of the states, its first argument, is in `use_plain`."""
    if INTERPRETED:
        return function
    kernel: Any = function
    home, name = kernel.py_func.__module__, kernel.py_func.__name__

    @functools.wraps(kernel.py_func)
    def call(states: Any, *args: Any) -> Any:
        if _plain and states.dtype in _plain and not _here.compiled:
            with np.errstate(over="ignore"):  # the generator wraps around
                return getattr(plain(home), name)(states, *args)
        return kernel(states, *args)

    return call  # type: ignore[return-value]


def plain(name: str) -> ModuleType:
    """Return the plain twin of a module of `engine/`, `games/` or `bots/`, imported at the first call."""
    found = _modules.get(name)
    if found is None or not hasattr(found, "__done__"):
        with _importing, np.errstate():  # what the module sets for itself holds where it is called
            found = _load(name)
    return found


def _load(name: str) -> ModuleType:
    if name in _modules:
        return _modules[name]
    package = name.rpartition(".")[0]
    if package in TWICE:
        _load(package)
        if name in _modules:  # the package imports it
            return _modules[name]
    spec = find_spec(name)
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        raise ImportError(f"{name} has no source to run as plain Python")
    made = ModuleType(PLAIN + name)
    made.__dict__["__builtins__"] = {**vars(builtins), "__import__": _import}
    made.__dict__["__file__"] = spec.origin
    _modules[name] = made
    try:
        exec(spec.loader.get_code(name), made.__dict__)  # type: ignore[arg-type]
    except BaseException:
        del _modules[name]
        raise
    made.__dict__["__done__"] = True
    if package in _modules:
        setattr(_modules[package], name.rpartition(".")[2], made)
    return made


def _import(name: str, scope: Any = None, local: Any = None, names: Any = (), level: int = 0) -> Any:
    """Import for plain modules: the packages in TWICE come from them, everything else from the ordinary modules."""
    if any(name == one or name.startswith(f"{one}.") for one in TWICE):
        found = _load(name)
        for one in names or ():
            if not hasattr(found, one):
                setattr(found, one, _load(f"{name}.{one}"))
        return found
    return builtins.__import__(name, scope, local, names, level)
