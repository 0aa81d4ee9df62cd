"""Pack the Python that the browser's table runs: what `browser.table` and the games' `people.py` need, and no more.

From each module the statements are taken that are needed, found from name to name (`plainer` rewrites them). A module
with compiled rules is cut: its constants by their values, its small functions by their text. Modules that build on
NumPy, msgspec or the standard library have a stand-in in `micropython/`.
"""

import ast
import importlib
import inspect
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from tavolino.bots.calibration import FILE
from tavolino.browser.plainer import HELPERS, NotPlain, bare, parse
from tavolino.engine.registry import GAMES, GameFolder, folder_of
from tavolino.lab.judge import TRIES

ROOT = "tavolino.browser.table"
"""The module that the page calls: all of it is packed."""
REVIEW = "tavolino.browser.review"
"""The module that reviews a game; what only it needs is a pack of its own, loaded when someone asks for a review."""
TRYING = "trying"
"""The stand-in that only a review needs."""
STAND_INS = Path(__file__).parent / "micropython"
REPLACED = {
    "tavolino.engine.registry": "registry",
    "tavolino.engine.kernels": "kernels",
    "tavolino.engine.jit": "jit",
    "tavolino.bots.calibration": "calibration",
    "tavolino.lab.trying": TRYING,
    "numpy": "numpy",
    "msgspec": "msgspec",
    "time": "py_time",
    "hashlib": "py_hashlib",
    "hmac": "py_hmac",
    "operator": "py_operator",
    "pathlib": "py_pathlib",
    "secrets": "py_secrets",
    "unicodedata": "py_unicodedata",
}
"""Modules with a stand-in, by the name of its file, under which the browser imports it."""
AIDED = ("collections", "collections.abc", "functools", "itertools", "math", "dataclasses", "copy", "importlib")
"""Modules of which `plain_python` has what is needed."""
BUILT_IN = ("json", "re", "struct", "binascii")
"""Modules that MicroPython has itself."""
FORMATS = {1: "b", 2: "h", 8: "q"}


@dataclass
class _Module:
    """A module, statement by statement."""

    name: str
    body: list[ast.stmt]
    cut: ModuleType | None = None
    """The imported module, if it is one of compiled rules, of which constants are taken by value."""
    kept: set[int] = field(default_factory=set)
    values: dict[str, Any] = field(default_factory=dict)
    aids: set[str] = field(default_factory=set)

    def binding(self, name: str) -> list[int]:
        """Return the statements that give a name its value."""
        return [i for i, one in enumerate(self.body) if name in _bound(one)]


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(one.asname or one.name).split(".")[0] for one in node.names}
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _used(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


class _Packer:
    def __init__(self) -> None:
        self._modules: dict[str, _Module] = {}
        self._needed: set[tuple[str, str]] = set()

    def module(self, name: str) -> _Module:
        """Return a module, read once."""
        if name not in self._modules:
            if name in REPLACED.values() or name == HELPERS:
                made = _Module(name, bare(STAND_INS / f"{name}.py"))
                self._modules[name] = made
                self.whole(name)
            else:
                spec = find_spec(name)
                if spec is None or spec.origin is None:
                    raise NotPlain(f"no module {name}")
                body = parse(Path(spec.origin))
                compiled = any(isinstance(one, ast.ImportFrom) and one.module == "tavolino.engine.jit" for one in body)
                is_cut = compiled and any("rule" in _bound(one) for one in body)
                self._modules[name] = _Module(name, body, importlib.import_module(name) if is_cut else None)
        return self._modules[name]

    def whole(self, name: str) -> None:
        """Take all of a module."""
        module = self.module(name)
        if name in REPLACED.values() or name == HELPERS:
            module.kept = set(range(len(module.body)))
            return
        for i in range(len(module.body)):
            self._keep(module, i)

    def need(self, name: str, wanted: str) -> None:
        """Take what a name of a module needs."""
        if (name, wanted) in self._needed:
            return
        self._needed.add((name, wanted))
        module = self.module(name)
        places = module.binding(wanted)
        functions = [i for i in places if isinstance(module.body[i], ast.FunctionDef)]
        if module.cut is not None and not functions and hasattr(module.cut, wanted):
            value = getattr(module.cut, wanted)
            if not inspect.ismodule(value) and not callable(value):
                module.values[wanted] = _plain(value, f"{name}.{wanted}")
                return
        for i in places:
            self._keep(module, i)

    def _keep(self, module: _Module, i: int) -> None:
        if i in module.kept:
            return
        module.kept.add(i)
        node = module.body[i]
        if module.cut is not None and isinstance(node, ast.FunctionDef):
            node.decorator_list = []
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return  # name by name, in `_follow`
        for one in _used(node):
            if one.startswith("py_"):
                module.aids.add(one)
                self.module(HELPERS)
            else:
                self._follow(module, one, node)

    def _follow(self, module: _Module, name: str, node: ast.AST) -> None:
        """Take what a name stands for that a statement uses."""
        for i in module.binding(name):
            source = module.body[i]
            if isinstance(source, ast.ImportFrom):
                target = _target(source, name)
                if target is None:
                    continue
                found, wanted = target
                if found in REPLACED:
                    module.kept.add(i)
                    self.module(REPLACED[found])
                elif wanted is None:  # a module: what is asked of it
                    module.kept.add(i)
                    for one in ast.walk(node):
                        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == name:
                            self.need(found, one.attr)
                else:
                    module.kept.add(i)
                    self._needed_import(module, found, wanted)
            elif isinstance(source, ast.Import):
                module.kept.add(i)
                for one in source.names:
                    if (one.asname or one.name.split(".")[0]) == name and one.name in REPLACED:
                        self.module(REPLACED[one.name])
            else:
                self.need(module.name, name)

    def _needed_import(self, module: _Module, found: str, wanted: str) -> None:
        if found in REPLACED:
            self.module(REPLACED[found])
        elif found in AIDED:
            self.module(HELPERS)
        elif found not in BUILT_IN:
            self.need(found, wanted)

    def text(self, name: str) -> str:
        """Return a module as the browser gets it."""
        module = self.module(name)
        if name in REPLACED.values() or name == HELPERS:
            return ast.unparse(ast.Module(module.body, [])) + "\n"
        body: list[ast.stmt] = []
        used = {one for i in module.kept if not _is_import(module.body[i]) for one in _used(module.body[i])}
        for i in sorted(module.kept):
            node = module.body[i]
            body += list(_imports(node, used)) if isinstance(node, (ast.Import, ast.ImportFrom)) else [node]
        aids = [ast.alias(one.removeprefix("py_"), one) for one in sorted(module.aids)]
        head: list[ast.stmt] = [ast.ImportFrom(HELPERS, aids, 0)] if aids else []
        values = [
            ast.Assign([ast.Name(one, ast.Store())], ast.parse(_text_of(value), mode="eval").body)
            for one, value in sorted(module.values.items())
        ]
        first = next((i for i, one in enumerate(body) if not _is_import(one)), len(body))
        made = ast.Module([*head, *body[:first], *values, *body[first:]], [])
        return ast.unparse(ast.fix_missing_locations(made)) + "\n"

    def names(self) -> list[str]:
        """Return the modules of which something is taken."""
        return sorted(name for name, module in self._modules.items() if module.kept or module.values)


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _target(node: ast.ImportFrom, name: str) -> tuple[str, str | None] | None:
    """Return the module and the name in it that an import gives a name; None as the name if it is a module itself."""
    for one in node.names:
        if (one.asname or one.name) == name and node.module is not None:
            if node.module in ("typing", "numpy.typing"):
                return None
            whole = f"{node.module}.{one.name}"
            if node.module not in REPLACED and whole in REPLACED:
                return whole, None
            if node.module not in REPLACED and (
                node.module.split(".")[0] not in AIDED + BUILT_IN and _is_module(whole)
            ):
                return whole, None
            return node.module, one.name
    return None


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _imports(node: ast.Import | ast.ImportFrom, used: set[str]) -> Iterator[ast.stmt]:
    """Yield the imports of names that are used, from where the browser has them."""
    for one in node.names:
        name = one.asname or one.name.split(".")[0]
        if name not in used:
            continue
        if isinstance(node, ast.Import):
            there = REPLACED.get(one.name, one.name)
            if one.name in AIDED:
                there = HELPERS
            yield ast.Import([ast.alias(there, None if there == name else name)])
            continue
        assert node.module is not None
        whole = f"{node.module}.{one.name}"
        if whole in REPLACED:
            yield ast.Import([ast.alias(REPLACED[whole], None if REPLACED[whole] == name else name)])
        elif node.module in REPLACED:
            yield ast.ImportFrom(REPLACED[node.module], [one], 0)
        elif node.module in AIDED:
            yield ast.ImportFrom(HELPERS, [one], 0)
        elif node.module not in ("typing", "numpy.typing"):
            yield ast.ImportFrom(node.module, [one], 0)


def _plain(value: Any, where: str) -> Any:
    """Return a constant as text can say it."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist(), where)
    if isinstance(value, np.generic):
        return _plain(value.item(), where)
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return value
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(one, where) for one in value)
    if isinstance(value, (set, frozenset)):
        return {_plain(one, where) for one in value}
    if isinstance(value, dict):
        return {_plain(key, where): _plain(one, where) for key, one in value.items()}
    raise NotPlain(f"{where} is a {type(value).__name__}: people.py may use numbers, words and collections of them")


def _text_of(value: Any) -> str:
    """Return a constant as text, the same in every process: the order of a set's words differs from one to the next."""
    if isinstance(value, set):
        return "{" + ", ".join(sorted(map(_text_of, value))) + "}" if value else "set()"
    if isinstance(value, (list, tuple)):
        inside = "".join(f"{_text_of(one)}, " for one in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text_of(key)}: {_text_of(one)}" for key, one in value.items()) + "}"
    return repr(value)


def _path(name: str) -> str:
    return name.replace(".", "/") + ".py"


def layout(game: GameFolder) -> list[tuple[str, str, int, int]]:
    """Return the fields of a state: name, format, and its one or two lengths (0: a single number)."""
    state = game.rules.STATE
    found = []
    for name in state.names or ():
        base, shape = state[name].subdtype or (state[name], ())
        lengths = (*shape, 0, 0)[:2]
        found.append((name, FORMATS[base.itemsize], int(lengths[0]), int(lengths[1])))
    return found


def _calibrations(game: GameFolder) -> dict[str, Any]:
    """Return what corrects the chances that bots say: by whose they are, and the number of players."""
    file = game.folder / FILE
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return found


class Packs(NamedTuple):
    """What the browser loads, ready for JSON; in each pack, `files` are modules by their path."""

    table: dict[str, Any]
    """What every table needs."""
    review: dict[str, Any]
    """What a review needs besides, and how deep it looks: `tries`."""
    games: dict[str, dict[str, Any]]
    """By key; a game also has its `package`, `state`, `streams`, `rolled` and `calibration`."""


def packs(keys: Iterable[str] | None = None) -> Packs:
    """Pack what the tables, the reviews and the games need; by default all games."""
    packer = _Packer()
    for name in (HELPERS, *(one for one in REPLACED.values() if one != TRYING)):
        packer.module(name)
    packer.whole(ROOT)
    games = [GAMES[key] for key in (GAMES if keys is None else keys)]
    for game in games:
        packer.whole(f"{game.package}.people")
    at_tables = set(packer.names())
    packer.whole(REVIEW)
    made = Packs({"files": {}}, {"files": {}, "tries": TRIES}, {})
    for game in games:
        words = folder_of(game.package) / "text" / "words.en.md"
        files = (
            {f"{game.package.replace('.', '/')}/text/words.en.md": words.read_text("utf-8")} if words.exists() else {}
        )
        made.games[game.key] = {
            "package": game.package,
            "state": layout(game),
            "streams": list(game.rules.STREAMS),
            "rolled": int(game.rules.ROLLED),
            "calibration": _calibrations(game),
            "files": files,
        }
    for name in packer.names():
        owner = next((game.key for game in games if name.startswith(game.package + ".")), None)
        pack = made.games[owner] if owner is not None else made.table if name in at_tables else made.review
        pack["files"][_path(name)] = packer.text(name)
    return made
