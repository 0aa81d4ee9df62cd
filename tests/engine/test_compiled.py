"""The compiled rules are the Python ones, never stale, and work where nothing can be written."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numba
import pytest

from tavolino import Batch
from tavolino.engine.cache import GAMES as GAME_FOLDERS
from tavolino.engine.cache import LAYERS, UNCOMPILED, Cache, place_of
from tavolino.engine.registry import GAMES
from tests.conftest import Once

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "tavolino"


def run(code: str, package: Path = PACKAGE, env: dict[str, str] | None = None) -> str:
    """Run Python code in a process of its own, with that copy of the package, and return what it prints."""
    paths = os.pathsep.join([str(package.parent), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": paths, **(env or {})},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def digests(variable: str = "TAVOLINO_NOTHING") -> str:
    return run("from tests.games.digest import main; main()", env={variable: "1"})


def test_interpreted_is_the_same_byte_for_byte() -> None:
    """The plain Python functions lead to the same states, redeals included."""
    compiled = digests()
    assert compiled.count("\n") > 20
    assert digests("NUMBA_DISABLE_JIT") == compiled


def test_no_index_is_out_of_bounds() -> None:
    """With bounds checked, which compiled code does not do by itself, the same games play."""
    assert digests("NUMBA_BOUNDSCHECK") == digests()


DEAL = "import tavolino; print(tavolino.new('face-to-face', seed=1, first=0).record()['deal']['decks'][0])"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that can be edited."""
    return Path(shutil.copytree(PACKAGE, tmp_path / "copy" / "tavolino", ignore=shutil.ignore_patterns("__pycache__")))


def test_a_changed_callee_is_compiled_anew(copy: Path, filled: Path) -> None:
    """A change in a function called from another file shows at once, even with its file's old time and size."""
    # Python's own cache of bytecode goes by time and size: it would not see the edit.
    env = {"TAVOLINO_CACHE": str(filled), "PYTHONDONTWRITEBYTECODE": "1"}
    before = run(DEAL, package=copy, env=env)
    assert before.strip() == dealt()
    callee = copy / "engine" / "rng.py"
    times = callee.stat()
    text = callee.read_text()
    edited = re.sub(r"0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17", text)
    assert edited != text
    callee.write_text(edited)
    os.utime(callee, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert run(DEAL, package=copy, env=env) != before
    callee.write_text(text)
    assert run(DEAL, package=copy, env=env) == before


WATCHED = "from tavolino.engine import jit; jit.watchers.append(lambda name: print('compiled', name)); " + DEAL


@cache
def dealt() -> str:
    """Return what the command prints with the code that is compiled already."""
    return run(DEAL).strip()


@pytest.fixture(scope="module")
def first(once: Once) -> tuple[Path, list[str]]:
    """What one process has compiled, where there was nothing: in which folder, and the lines it printed. Only read."""
    found: tuple[Path, list[str]] = once(
        "compiled", lambda folder: (folder, run(WATCHED, env={"TAVOLINO_CACHE": str(folder)}).splitlines())
    )
    return found


@pytest.fixture
def filled(first: tuple[Path, list[str]], tmp_path: Path) -> Path:
    """A copy of that folder, to change."""
    return Path(shutil.copytree(first[0], tmp_path / "filled"))


def test_only_what_python_calls_becomes_machine_code(first: tuple[Path, list[str]]) -> None:
    """Callees are compiled into their callers: on disk lie the functions that were called, and what all share."""
    folder, said = first
    assert {"compiled deal_one", "compiled shuffle", "compiled next64"} <= set(said)
    called = sorted(path.name.split("-")[0] for path in folder.rglob("*.nbc"))
    assert called == ["kernels.deal_anew", "kernels.deal_one", "kernels.scores_one"]


def test_compiled_code_takes_nothing_from_files_that_are_in_no_digest() -> None:
    """A changed constant that compiled code uses is noticed: such files import types and the registry from others."""
    harmless = {"contract", "registry", "tiers", "cache"}
    folders = [PACKAGE / name for name in LAYERS] + [path for path in GAME_FOLDERS.iterdir() if path.is_dir()]
    files = [path for folder in folders for path in folder.glob("*.py") if path.stem not in UNCOMPILED]
    assert len(files) > 20
    for path in files:
        taken = re.findall(r"^from tavolino\.(?:engine|bots|games)\.(?:\w+\.)?(\w+) import", path.read_text(), re.M)
        assert {name for name in taken if name in UNCOMPILED} <= harmless, path


def test_compiled_code_works_at_another_place(copy: Path, filled: Path) -> None:
    """A copy of the package elsewhere reads what the first one compiled, though nothing may be compiled there."""
    env = {"TAVOLINO_CACHE": str(filled), "TAVOLINO_COMPILE": "never"}
    assert run(WATCHED, package=copy, env=env).strip() == dealt()


def test_compiling_can_be_forbidden(tmp_path: Path) -> None:
    """With TAVOLINO_COMPILE=never a function that is not on disk is an error that names it."""
    code = (
        f"from tavolino.engine.jit import NotCompiled\ntry:\n    {DEAL}\nexcept NotCompiled as error:\n    print(error)"
    )
    out = run(code, env={"TAVOLINO_CACHE": str(tmp_path), "TAVOLINO_COMPILE": "never"})
    assert out == f"deal_one is not compiled in {tmp_path}, and TAVOLINO_COMPILE is never\n"


def test_without_optimising(tmp_path: Path) -> None:
    """NUMBA_OPT=0 deals the same; its code holds addresses and is not kept."""
    out = run(WATCHED, env={"TAVOLINO_CACHE": str(tmp_path), "NUMBA_OPT": "0"})
    assert out.splitlines()[-1] == dealt()


def test_another_numba_compiles_the_ordinary_way(tmp_path: Path) -> None:
    """Where Numba's private parts may differ, a line says so, and the same games come out."""
    code = (
        "import numba, warnings; numba.__version__ = '0.99.1'\n"
        "with warnings.catch_warnings(record=True) as said:\n    warnings.simplefilter('always')\n"
        f"    import tavolino.engine.jit\nprint(len(said), said[0].message)\n{DEAL}"
    )
    said, deal = run(code, env={"TAVOLINO_CACHE": str(tmp_path)}).splitlines()
    assert said == "1 Numba 0.99.1 is not 0.68: compiling the rules takes twice as long"
    assert deal == dealt()


def test_others_compile_as_before(tmp_path: Path) -> None:
    """A function of someone else's links what was compiled for ours, and Numba is left as it was found."""
    code = f"""
import numba, numpy as np
from numba.core import compiler, cpu
before = compiler.CompilerBase._compile_core, cpu.CPUContext.get_executable
{DEAL}
@numba.njit
def theirs(n):
    a = np.zeros(n, np.int8)
    for i in range(n):
        a[i] = (7 * i) % n
    a.sort()
    return a.sum(), a[-1]
print(theirs(10), before == (compiler.CompilerBase._compile_core, cpu.CPUContext.get_executable))
game = tavolino.new("out-of-sock", seed=1)
game.redeal(0, seed=1)  # sorts int8, too
print(theirs(10))
"""
    out = run(code, env={"TAVOLINO_CACHE": str(tmp_path)}).splitlines()
    assert out[1:] == ["(45, 9) True", "(45, 9)"]


def test_the_second_start_compiles_nothing(first: tuple[Path, list[str]], filled: Path) -> None:
    """What one process compiled, the next reads; from a folder that takes no writing too."""
    said = first[1]
    assert "compiled deal_one" in said
    for path in [filled, *filled.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    second = run(WATCHED, env={"TAVOLINO_CACHE": str(filled)})
    assert "compiled" not in second
    assert second.splitlines()[-1] == said[-1]


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    """Where no cache can be, the rules still compile, in memory."""
    (tmp_path / "file").write_text("not a folder")
    out = run(WATCHED, env={"TAVOLINO_CACHE": str(tmp_path / "file" / "below")})
    assert "compiled deal_one" in out
    assert out.splitlines()[-1] == dealt()


def test_only_stamped_folders_hold_compiled_code(copy: Path) -> None:
    """A compiled function outside the folders of the digest would go stale: it is refused."""
    (copy / "play" / "sneaky.py").write_text("from tavolino.engine.jit import rule\n@rule\ndef f(x):\n    return x\n")
    out = run("try:\n    import tavolino.play.sneaky\nexcept RuntimeError as e:\n    print(e)", package=copy)
    assert "may not hold compiled code" in out


def test_old_caches_are_swept(tmp_path: Path) -> None:
    """Compiled code of other versions goes after a month without use; younger ones stay."""
    old, young = tmp_path / "old", tmp_path / "young"
    for folder in (old, young):
        folder.mkdir()
        (folder / "x.nbi").touch()
    os.utime(old, (1, 1))
    run("from tavolino.engine import cache; cache.sweep()", env={"TAVOLINO_CACHE": str(tmp_path)})
    assert not old.exists()
    assert young.exists()


@pytest.mark.parametrize("key", GAMES)
def test_code_for_one_state_or_many_is_kept_with_their_game(key: str) -> None:
    """Neither outlives a change of that game's rules: both are in its folder's digest."""
    record = numba.from_dtype(GAMES[key].rules.STATE)
    for kind in (record, numba.types.Array(record, 1, "C")):
        assert place_of(PACKAGE / "bots" / "search.py", (kind,)).game == GAMES[key].folder


@pytest.mark.parametrize("key", GAMES)
def test_all_code_that_knows_a_state_is_kept_with_its_game(key: str) -> None:
    """Whatever the state comes in: the arrays of a batch come in a tuple."""
    gymnasium = pytest.importorskip("tavolino.envs.gymnasium")
    batch = Batch(key, size=2, seed=1)
    batch.step(batch.sample())
    batch.redeal(seed=1)
    many = gymnasium.VectorVersus(key, 2, opponents=["random"])
    many.reset(seed=1)
    many.step(many.bot("random"))
    modules = [module for name, module in sys.modules.items() if name.startswith("tavolino.")]
    known = {id(one): one for module in modules for one in vars(module).values()}.values()
    ours: list[Any] = [one for one in known if isinstance(getattr(one, "_cache", None), Cache)]
    states = [str(numba.from_dtype(game.rules.STATE)) for game in GAMES.values()]
    places = {
        (one.py_func.__name__, place_of(Path(one.py_func.__code__.co_filename), sig).game)
        for one in ours
        for sig in one.signatures
        if any(state in str(sig) for state in states)
    }
    assert {("step_batch", GAMES[key].folder), ("step_batch_against", GAMES[key].folder)} <= places
    assert [name for name, game in places if game is None] == []
