"""Build a WebAssembly module in a process of its own: Numba is changed there and compiles nothing else.

`build` runs `python -m tavolino.engine.wasm.build MODULE:FUNCTION KEY FOLDER`; the function returns the exports for a
game. The same sources, Python, Numba and llvmlite give the same bytes.
"""

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from tavolino.engine.wasm import capture, emit, link, runtime


class Built(NamedTuple):
    """A module, and for each export what it takes and gives."""

    wasm: bytes
    exports: dict[str, Any]


class BuildFailed(RuntimeError):
    """The module could not be built; the message says what failed and where."""


def build(exports: Callable[[str], Sequence[capture.Export]], key: str) -> Built:
    """Build the module of a game; `exports` is a function of a module, by whose name the other process finds it."""
    with tempfile.TemporaryDirectory() as folder:
        # Settings of Numba for looking for faults would change the result, and so would the order of sets.
        env = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        env |= {"PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        spec = f"{exports.__module__}:{exports.__name__}"
        command = [sys.executable, "-m", __name__, spec, key, folder]
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BuildFailed(f"{key} could not be built as WebAssembly:\n{done.stderr.strip()}")
        made = Path(folder)
        return Built((made / "module.wasm").read_bytes(), json.loads((made / "exports.json").read_text()))


def main(spec: str, key: str, folder: str) -> None:
    """Build here; for a process that does nothing else."""
    llvm.set_option("tavolino", emit.UNROLL)
    lowered = capture.start()
    module, _, function = spec.partition(":")
    exports = getattr(importlib.import_module(module), function)(key)
    lowered, about = capture.lower(exports, lowered)
    names = [one.name for one in exports]
    made = link.link(emit.emit(lowered, names), [*names, runtime.RESERVE], runtime.HEAP)
    (Path(folder) / "module.wasm").write_bytes(made)
    (Path(folder) / "exports.json").write_text(json.dumps(about))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (capture.CannotCapture, link.CannotLink) as why:
        sys.exit(str(why))
