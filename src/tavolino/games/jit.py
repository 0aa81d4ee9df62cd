"""Compile the rules: `rule` is the one decorator, `lowest`, `count` and `nth` the bit tricks they share.

Numba compiles a function when it is first called and keeps the result on disk. Its own cache looks only at the
file of the function called, so a change in a callee elsewhere would be missed. Here every file that may hold
compiled code goes into one digest, the cache folder is named by it, and `rule` refuses functions of ours from
outside: a stale cache cannot happen. See docs/decisions/0001-numba-records.md.
"""

import contextlib
import hashlib
import os
import pathlib
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import njit, types
from numba.core import caching, config, event
from numba.extending import intrinsic

from tavolino.games import carried

F = TypeVar("F", bound=Callable[..., Any])
State = Any
"""The state of a game: one NumPy record, with the fields that the game's STATE lists."""

PACKAGE = pathlib.Path(__file__).parent.parent
COMPILED = {"games": ("games",), "bots": ("games", "bots"), "envs/compiled": ("games", "bots", "envs/compiled")}
"""The folders whose functions may be compiled, each with those it calls: all their files are in its digest."""
STALE_AFTER_DAYS = 30

INTERPRETED = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]
_Watcher = Callable[[str], None]
watchers: list[_Watcher] = []
"""Each is called with a function's name just before that function is compiled (not when it is read from disk)."""


def _tell_terminal(name: str) -> None:
    """Say on a terminal what is compiled, where nobody else watches: a first call from Python is no silent pause."""
    if sys.stderr.isatty():
        print(f"\rTavolino compiles its rules, once: {name:<40}", end="", file=sys.stderr, flush=True)


class _Forbid(event.Listener):
    """Refuse to compile anything; TAVOLINO_COMPILE=never proves that a wheel carries all."""

    def on_start(self, event: Any) -> None:
        name = event.data["dispatcher"].py_func.__name__
        raise RuntimeError(f"{name} would have to be compiled, and TAVOLINO_COMPILE=never forbids it")

    def on_end(self, event: Any) -> None: ...


if os.environ.get("TAVOLINO_COMPILE") == "never":
    event.register("numba:compile", _Forbid())


def _digest(folders: tuple[str, ...]) -> str:
    """Return a digest of the sources of compiled code and of the compiler."""
    checked = bool(config.BOUNDSCHECK)  # type: ignore[attr-defined]
    digest = hashlib.sha256(f"{numba.__version__} {checked}".encode())
    for folder in folders:
        for path in sorted((PACKAGE / folder).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:24]


def cache_root() -> pathlib.Path:
    """Return the folder of compiled code: `TAVOLINO_CACHE`, else the user's cache folder."""
    if given := os.environ.get("TAVOLINO_CACHE"):
        return pathlib.Path(given)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or pathlib.Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = pathlib.Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "tavolino"


DIGESTS = {name: _digest(folders) for name, folders in COMPILED.items()}
CACHE = {
    name: cache_root() / hashlib.sha256(f"{np.__version__} {digest}".encode()).hexdigest()[:24]
    for name, digest in DIGESTS.items()
}
"""Where the code compiled here is kept. NumPy's version decides how Numba types arithmetic; code compiled before, by
whoever built the package, is the same machine code whichever NumPy runs beside it."""
CARRIED = carried.find(DIGESTS, llvm.get_host_cpu_features())


def _home(file: pathlib.Path) -> str:
    """Return the folder of a file of ours as COMPILED names it."""
    return file.parent.relative_to(PACKAGE).as_posix()


class _Locator(caching._CacheLocator):
    """Tell Numba to keep compiled functions in `CACHE`, whatever the time stamps of the sources say."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._folder = CACHE[_home(pathlib.Path(py_file))]
        self._line = str(py_func.__code__.co_firstlineno)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_func, py_file)  # also where nothing can be written: a filled cache is still read

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return self._line


class _CacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 (the base class has a list)


class _Target:
    """What Numba asks its code generator for when it looks something up: the processor that code is for."""

    def __init__(self, target: tuple[Any, ...]) -> None:
        self.magic_tuple = lambda: target


class _Cache(caching.FunctionCache):
    _impl_class = _CacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return compiled code from the cache, else what came with the package; None if it must be compiled."""
        try:
            found = super().load_overload(sig, target_context) or self._load_carried(sig, target_context)
        except Exception:
            found = None  # unreadable or damaged, whatever the reason: compile it again
        if found is None:
            for tell in watchers or (_tell_terminal,):
                tell(self._py_func.__name__)
        return found

    def _load_carried(self, sig: Any, target_context: Any) -> Any:
        home = _home(pathlib.Path(self._py_func.__code__.co_filename))
        if CARRIED is None or home not in CARRIED.folders:
            return None
        folder = CARRIED.folders[home]
        file = caching.IndexDataCacheFile(str(folder), self._impl.filename_base, folder.name)
        data = file.load(self._index_key(sig, _Target(CARRIED.target)))
        return None if data is None else self._impl.rebuild(target_context, data)

    def save_overload(self, sig: Any, data: Any) -> None:
        # On a read-only or full disk this process keeps the code in memory; the next compiles again.
        with contextlib.suppress(OSError), _alone(pathlib.Path(self.cache_path)):
            super().save_overload(sig, data)


@contextlib.contextmanager
def _alone(folder: pathlib.Path) -> Iterator[None]:
    """Let one process at a time change a folder: an index of Numba's is read, added to and written back."""
    try:
        import fcntl
    except ImportError:  # not on Windows: there a lost entry is compiled again
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def sweep() -> None:
    """Delete the compiled code of other versions that nobody has used for a month."""
    with contextlib.suppress(OSError):
        ours = set(CACHE.values())
        for folder in ours:
            if folder.exists():
                os.utime(folder)
        for folder in cache_root().iterdir():
            if folder not in ours and time.time() - folder.stat().st_mtime > STALE_AFTER_DAYS * 86400:
                shutil.rmtree(folder, ignore_errors=True)


def rule(function: F) -> F:
    """Compile a function of the rules (nogil, cached on disk); leave it as it is when the JIT is off."""
    if INTERPRETED:
        return function
    file = pathlib.Path(function.__code__.co_filename)
    if PACKAGE in file.parents and _home(file) not in COMPILED:
        raise RuntimeError(f"{file} may not hold compiled code: only {', '.join(COMPILED)}/ is in the cache's digest")
    dispatcher: Any = njit(nogil=True)(function)
    dispatcher._cache = _Cache(function)  # what cache=True does, with our folder and our stamp
    # Numba would compile a function anew for each constant it is called with: over(n, 4), over(n, 8), …
    find = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: find([types.unliteral(arg) for arg in args], kws)
    return dispatcher


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
    """Return a small field as 64 bits, before it is shifted or added to: interpreted, NumPy would stay small."""
    return np.int64(number)  # type: ignore[return-value]


@rule
def nth(mask: int, n: int) -> int:
    """Return the index of the n-th set bit from below, counted from 0; there must be one."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)
