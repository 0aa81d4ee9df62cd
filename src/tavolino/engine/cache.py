"""Where compiled code is kept: a folder per game and layer, named by a digest of the files the code is made from.

Numba compiles a function when it is first called and keeps the result on disk. Its own cache looks only at the file of
the function called, so it would miss a change in a callee elsewhere. Here all files that the code of a layer for a game
can be made from go into a digest that names the folder, and `jit.rule` refuses functions of ours from other files: a
stale cache cannot happen. See docs/decisions/0006-a-game-is-a-folder.md.
"""

import contextlib
import functools
import hashlib
import os
import pathlib
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import caching, config

from tavolino.engine import bundled

PACKAGE = pathlib.Path(__file__).parent.parent
LAYERS = {
    "engine": ("engine",),
    "bots": ("engine", "bots"),
    "envs/compiled": ("engine", "bots", "envs/compiled"),
}
"""Our folders, besides the games', whose functions may be compiled, each with the folders it calls."""
GAMES = PACKAGE / "games"
UNCOMPILED = {
    "__init__",
    *("people", "terminal", "counts", "chance", "recipes"),  # of a game's folder
    *("bundled", "cache", "chance_nodes", "contract", "phrases", "pieces", "plain"),
    *("ready_made", "recipe", "registry", "tiers"),
    *("advice", "calibration", "external", "networks", "own_networks", "players", "policy_files"),  # of bots/
    *("characters", "knots", "position", "reasons", "thinking", "train", "wasm"),
}
"""Modules in those folders that hold no compiled code and no constants it uses: changing them compiles nothing."""
STALE_AFTER_DAYS = 30


def _files(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path for path in folder.glob("*.py") if path.stem not in UNCOMPILED)


@functools.cache
def digest_of(layer: str, game: pathlib.Path | None) -> str:
    """Return a digest of the compiler and of the sources that a layer's code for a game is made from."""
    how = f"{bool(config.BOUNDSCHECK)} {int(config.OPT)}"  # type: ignore[attr-defined]
    digest = hashlib.sha256(f"{numba.__version__} {how}".encode())
    folders = [PACKAGE / folder for folder in LAYERS[layer]] + ([] if game is None else [game])
    for folder in folders:
        for path in _files(folder):
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


class Place(NamedTuple):
    """Where code is kept: separately for each layer and game, so that a change in one game leaves the others alone."""

    layer: str
    game: pathlib.Path | None
    """The folder of the game; None for code that works for any game."""

    @property
    def name(self) -> str:
        """Its name in a wheel's manifest."""
        return f"{self.layer} {self.game.name if self.game else 'any'}"

    @property
    def folder(self) -> pathlib.Path:
        """Where code compiled here is kept.

        NumPy's version decides how Numba types arithmetic. Code that came compiled with the package is the same machine
        code whichever NumPy is installed.
        """
        name = f"{np.__version__} {digest_of(*self)}"
        return cache_root() / hashlib.sha256(name.encode()).hexdigest()[:24]


def places() -> list[Place]:
    """Return all places of the registered games' code."""
    from tavolino.engine import registry  # which imports games, and those this module

    folders = [None, *(game.folder for game in registry.GAMES.values())]
    return [Place(layer, folder) for layer in LAYERS for folder in folders]


def place_of(file: pathlib.Path, sig: Any = ()) -> Place:
    """Return where code of a function is kept: with the game of its file, or of the states it is called with."""
    layer = _layer(file)
    if layer not in LAYERS:
        return Place("engine", file.parent)  # of a game, or of somebody's own file
    return Place(layer, next((found for arg in sig if (found := _game_of(arg)) is not None), None))


@functools.cache
def _game_of(kind: Any) -> pathlib.Path | None:
    """Return the folder of the game whose state, an array of it, or a tuple with one of them, has this Numba type."""
    from tavolino.engine.registry import by_state

    if isinstance(kind, numba.types.BaseTuple):
        parts: Any = getattr(kind, "types", ())
        return next((found for part in parts if (found := _game_of(part)) is not None), None)
    record = kind if isinstance(kind, numba.types.Record) else getattr(kind, "dtype", None)
    for state, game in by_state().items() if isinstance(record, numba.types.Record) else ():
        if numba.from_dtype(state) == record:
            return game.folder
    return None


BUNDLED = bundled.find(llvm.get_host_cpu_features())


def _layer(file: pathlib.Path) -> str:
    """Return the folder of a file of ours; empty for other files."""
    return file.parent.relative_to(PACKAGE).as_posix() if PACKAGE in file.parents else ""


def check_source(file: pathlib.Path) -> None:
    """Refuse to compile a function of ours whose file is in no digest: stale code could be run."""
    in_digest = file.stem not in UNCOMPILED and (_layer(file) in LAYERS or file.parent.parent == GAMES)
    if PACKAGE in file.parents and not in_digest:
        raise RuntimeError(
            f"{file} may not hold compiled code: only {', '.join(LAYERS)} and the games' rules and bots are in the"
            " cache's digest"
        )


class _Locator(caching._CacheLocator):
    """Tell Numba where its files would be; `Cache` looks into the folder of the game instead."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._folder = cache_root()
        self._line = str(py_func.__code__.co_firstlineno)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_func, py_file)  # also where nothing can be written: a filled cache is still read

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return ""

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
    """Numba's cache of a function (as with `cache=True`), with our folder and our stamp."""

    _impl_class = _CacheImpl
    loaded: Callable[[Any], None] | None = None
    """Called with what was read from disk."""

    def _file(self, folder: pathlib.Path) -> Any:
        return caching.IndexDataCacheFile(str(folder), self._impl.filename_base, folder.name)

    def _place(self, sig: Any) -> Place:
        return place_of(pathlib.Path(self._py_func.__code__.co_filename), getattr(sig, "args", sig))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return code that was compiled here, else what came with the package; None if there is no sound code."""
        target_context.refresh()  # Numba's way to make sure that it is complete
        place = self._place(sig)
        for find in (self._find, self._find_bundled):
            with contextlib.suppress(Exception):  # unreadable or damaged for any reason
                if (data := find(place, sig, target_context)) is not None:
                    result = self._impl.rebuild(target_context, data)
                    if self.loaded is not None:
                        self.loaded(result)
                    return result
        return None

    def _find(self, place: Place, sig: Any, target_context: Any) -> Any:
        return self._file(place.folder).load(self._index_key(sig, target_context.codegen()))

    def _find_bundled(self, place: Place, sig: Any, target_context: Any) -> Any:
        folder = None if BUNDLED is None else BUNDLED.folder(place.name, digest_of(*place))
        if BUNDLED is None or folder is None:
            return None
        return self._file(folder).load(self._index_key(sig, _Target(BUNDLED.target)))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write compiled code; if the disk is read-only or full, it stays in memory for this process only."""
        if not self._impl.check_cachable(data):
            return
        folder = self._place(sig).folder
        with contextlib.suppress(OSError), _alone(folder):
            key = self._index_key(sig, data.codegen)
            self._file(folder).save(key, self._impl.reduce(data))


@contextlib.contextmanager
def _alone(folder: pathlib.Path) -> Iterator[None]:
    """Let one process at a time change a folder: Numba reads an index, adds to it and writes it back."""
    try:
        import fcntl
    except ImportError:  # not on Windows: there a lost entry is compiled again
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def note_all_is_there(what: str) -> None:
    """Note that all of something is compiled, and in which files: to load them all takes seconds."""
    with contextlib.suppress(OSError):
        file = _note(what)
        names = sorted(str(path.relative_to(cache_root())) for place in places() for path in place.folder.glob("*.nb?"))
        if names:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(names), encoding="utf-8")


def all_is_there(what: str) -> bool:
    """Tell whether it was noted that all of something is compiled, and all those files are still there."""
    with contextlib.suppress(OSError):
        names = _note(what).read_text(encoding="utf-8").splitlines()
        return all((cache_root() / name).exists() for name in names)
    return False


def _note(what: str) -> pathlib.Path:
    """Return where that is noted: for these sources, in the names of the folders, and this processor."""
    for_what = [what, *(place.folder.name for place in places())]
    for_what += [llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    return places()[0].folder / f"all-{hashlib.sha256(' '.join(for_what).encode()).hexdigest()[:24]}"


def sweep() -> None:
    """Delete the compiled code of other versions that nobody has used for a month."""
    with contextlib.suppress(OSError):
        ours = {place.folder for place in places()}
        for folder in ours:
            if folder.exists():
                os.utime(folder)
        for folder in cache_root().iterdir():
            if folder not in ours and time.time() - folder.stat().st_mtime > STALE_AFTER_DAYS * 86400:
                shutil.rmtree(folder, ignore_errors=True)
