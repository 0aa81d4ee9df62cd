"""Where compiled code is kept: one folder on disk, named by a digest of every file the code is made from.

Numba compiles a function when it is first called and keeps the result on disk. Its own cache looks only at the
file of the function called, so a change in a callee elsewhere would be missed. Here every file that may hold
compiled code goes into one digest, the cache folder is named by it, and `jit.rule` refuses functions of ours from
outside: a stale cache cannot happen. See docs/decisions/0001-numba-records.md.
"""

import contextlib
import hashlib
import os
import pathlib
import shutil
import sys
import time
from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import caching, config

from tavolino.games import carried

PACKAGE = pathlib.Path(__file__).parent.parent
COMPILED = {"games": ("games",), "bots": ("games", "bots"), "envs/compiled": ("games", "bots", "envs/compiled")}
"""The folders whose functions may be compiled, each with those it calls: all their files are in its digest."""
STALE_AFTER_DAYS = 30


def _digest(folders: tuple[str, ...]) -> str:
    """Return a digest of the sources of compiled code and of the compiler."""
    how = f"{bool(config.BOUNDSCHECK)} {int(config.OPT)}"  # type: ignore[attr-defined]
    digest = hashlib.sha256(f"{numba.__version__} {how}".encode())
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


def home(file: pathlib.Path) -> str:
    """Return the folder of a file of ours as COMPILED names it."""
    return file.parent.relative_to(PACKAGE).as_posix()


class _Locator(caching._CacheLocator):
    """Tell Numba to keep compiled functions in `CACHE`, whatever the time stamps of the sources say."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._folder = CACHE[home(pathlib.Path(py_file))]
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

    def check_cachable(self, result: Any) -> bool:
        """Whether code can be kept: not when it holds addresses of this process, as with NUMBA_OPT=0."""
        return not result.library.has_dynamic_globals


class _Target:
    """What Numba asks its code generator for when it looks something up: the processor that code is for."""

    def __init__(self, target: tuple[Any, ...]) -> None:
        self.magic_tuple = lambda: target


class Cache(caching.FunctionCache):
    """What Numba's `cache=True` would give a function, with our folder and our stamp."""

    _impl_class = _CacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return code that was compiled here, else what came with the package; None if there is none that is sound."""
        for load in (super().load_overload, self._load_carried):
            with contextlib.suppress(Exception):  # unreadable or damaged for any reason
                if (found := load(sig, target_context)) is not None:
                    return found
        return None

    def _load_carried(self, sig: Any, target_context: Any) -> Any:
        folder_name = home(pathlib.Path(self._py_func.__code__.co_filename))
        if CARRIED is None or folder_name not in CARRIED.folders:
            return None
        folder = CARRIED.folders[folder_name]
        file = caching.IndexDataCacheFile(str(folder), self._impl.filename_base, folder.name)
        data = file.load(self._index_key(sig, _Target(CARRIED.target)))
        return None if data is None else self._impl.rebuild(target_context, data)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write compiled code; on a read-only or full disk this process keeps it in memory, the next compiles again."""
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
