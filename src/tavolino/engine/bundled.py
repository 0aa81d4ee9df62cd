"""Find the compiled code that came with the package, and the level of it that this processor can run.

`make wheel` compiles for levels of processors, not for the machine it runs on, and packs what it made into `compiled/`:
a manifest, and for each level the folders of a cache as `engine/cache.py` keeps them. Where such a wheel is installed,
nothing is compiled. A checkout has no such folder, and compiles when it must.
"""

import json
import os
import pathlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FOLDER = pathlib.Path(__file__).parent.parent / "compiled"
_V2 = {"cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"}
_V3 = _V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}
LEVELS: dict[str, dict[str, set[str]]] = {
    "x86_64": {"x86-64-v3": _V3, "x86-64-v2": _V2},
    "aarch64": {"generic": set()},
}
"""The levels that a wheel carries, by machine, best first: LLVM's name of each, with the features it needs."""
NATIVE = "native"


def levels() -> dict[str, set[str]]:
    """Return the levels of this kind of machine."""
    machine = platform.machine().lower()
    return LEVELS.get({"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine), {})


def can_run(features: Mapping[str, bool], best: str | None = None) -> list[str]:
    """Return the levels that a processor with these features can run, best first; `best` excludes those above it.

    >>> can_run({})
    []
    """
    has = {name for name, there in features.items() if there}
    names = list(levels())
    if best is not None:
        names = names[names.index(best) :] if best in names else []
    return [name for name in names if levels()[name] <= has]


@dataclass(frozen=True)
class Bundled:
    """Compiled code for one level."""

    level: str
    target: tuple[Any, ...]
    """Numba's name of the processor it was compiled for, as in its index."""
    made: dict[str, dict[str, str]]
    """By the name of a place: the folder of its code and the digest of the sources it was made from."""
    root: pathlib.Path

    def folder(self, name: str, digest: str) -> pathlib.Path | None:
        """Return the folder of a place's code if its sources have not changed."""
        made = self.made.get(name)
        return self.root / made["name"] if made is not None and made["digest"] == digest else None


def find(features: Mapping[str, bool], folder: pathlib.Path = FOLDER) -> Bundled | None:
    """Return the best compiled code in the package that this processor can run.

    The environment variable TAVOLINO_CPU names the best level to use; `native` means none of them.
    """
    try:
        manifest = json.loads((folder / "manifest.json").read_text())
    except OSError:
        return None
    for level in can_run(features, os.environ.get("TAVOLINO_CPU")):
        if level in manifest["levels"]:
            return Bundled(level, tuple(manifest["levels"][level]), manifest["folders"], folder / level)
    return None
