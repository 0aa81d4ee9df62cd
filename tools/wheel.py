"""Build a wheel that compiles nothing where it is installed: `make wheel`.

The rules are compiled here once for each level of processors (engine/bundled.py) and packed into the wheel, which is
then for this platform, this version of Python and this version of Numba. Levels that are compiled already are taken
from build/wheel/. The modules for the browser (bots/wasm.py), the same for every platform, are packed with them.
"""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tavolino.bots import wasm
from tavolino.engine import bundled

ROOT = Path(__file__).parent.parent
WORK = ROOT / "build" / "wheel"
PACK = WORK / "compiled"
ASK = """
import json
from numba.core.registry import cpu_target
from tavolino.engine import cache
target = cpu_target.target_context.codegen().magic_tuple()
folders = {p.name: {"name": p.folder.name, "digest": cache.digest_of(*p)} for p in cache.places() if p.folder.exists()}
print(json.dumps([target, folders]))
"""


def compile_level(level: str) -> tuple[list[Any], dict[str, dict[str, str]]]:
    """Compile everything for a level of processors and pack it; return Numba's name for it, and the folders."""
    cache = WORK / level
    env = os.environ | {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "", "TAVOLINO_CACHE": str(cache)}
    env |= {"PYTHONPATH": str(ROOT / "src"), "TAVOLINO_CPU": bundled.NATIVE}
    subprocess.run([sys.executable, "-m", "tavolino", "warm", "--all"], env=env, check=True)
    told = subprocess.run([sys.executable, "-c", ASK], env=env, check=True, capture_output=True, text=True)
    target, folders = json.loads(told.stdout)
    for folder in folders.values():
        shutil.copytree(cache / folder["name"], PACK / level / folder["name"], ignore=shutil.ignore_patterns("lock"))
    return target, folders


def main() -> None:
    """Compile for each level, then let the build backend pack the wheel with it."""
    levels = list(bundled.levels())
    if not levels:
        sys.exit("There are no levels for this kind of machine in src/tavolino/engine/bundled.py.")
    began = time.monotonic()
    shutil.rmtree(PACK, ignore_errors=True)
    made: dict[str, Any] = {"levels": {}, "folders": {}}
    for level in levels:
        print(f"Compiling for {level} …", flush=True)
        made["levels"][level], made["folders"] = compile_level(level)
    wasm.carry(PACK / wasm.CARRIED.name, lambda said: print(said, flush=True))
    (PACK / "manifest.json").write_text(json.dumps(made, indent=1))
    env = os.environ | {"TAVOLINO_COMPILED": str(PACK), "TAVOLINO_NUMBA": importlib.metadata.version("numba")}
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel"], cwd=ROOT, env=env, check=True)
    wheel = max((ROOT / "dist").glob("tavolino-*.whl"), key=lambda file: file.stat().st_mtime)
    size = wheel.stat().st_size / 1e6
    print(f"{wheel.relative_to(ROOT)}: {size:.1f} MB, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
