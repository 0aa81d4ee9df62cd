"""Compiled code that comes with the package: used where it is right for sources and processor, and only there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

import tavolino
from tavolino.engine import bundled, cache, jit

if jit.INTERPRETED or not bundled.levels():
    pytest.skip("nothing is compiled, or there is no level for this machine", allow_module_level=True)

SOURCE = Path(tavolino.__file__).parent
LEVELS = list(bundled.levels())
PLAY = "import tavolino; game = tavolino.new('orma', seed=7); game.play(game.legal_moves[0]); print(len(game.moves))"
ASK = """
import json
from numba.core.registry import cpu_target
print(json.dumps(cpu_target.target_context.codegen().magic_tuple()))
"""


def manifest(target: object, *levels: str) -> str:
    folders = {p.name: {"name": p.folder.name, "digest": cache.digest_of(*p)} for p in cache.places()}
    return json.dumps({"levels": dict.fromkeys(levels, target), "folders": folders})


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a copy of the package that carries what was compiled here, as if it were for its lowest level."""
    code = f"{PLAY}\n{ASK}"  # what is not in the cache yet is compiled now
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folder = tmp_path_factory.mktemp("package") / "tavolino"
    leave = shutil.ignore_patterns("static", "__pycache__", "compiled" if (SOURCE / "compiled").exists() else "")
    shutil.copytree(SOURCE, folder, ignore=leave)
    for place in cache.places():
        if place.folder.exists():
            shutil.copytree(place.folder, folder / "compiled" / LEVELS[-1] / place.folder.name)
    (folder / "compiled" / "manifest.json").write_text(manifest(json.loads(told.stdout.splitlines()[-1]), LEVELS[-1]))
    return folder


def play(package: Path, empty: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Play a move with a cache that is empty, and without compiling."""
    variables = {"PYTHONPATH": str(package.parent), "TAVOLINO_CACHE": str(empty), "TAVOLINO_COMPILE": "never"}
    return subprocess.run(
        [sys.executable, "-c", PLAY], env=os.environ | variables | env, capture_output=True, text=True
    )


def test_what_comes_with_the_package_is_not_compiled_again(package: Path, tmp_path: Path) -> None:
    done = play(package, tmp_path)
    assert done.stdout == "1\n", done.stderr
    assert list(tmp_path.rglob("*.nb[ic]")) == []


def test_native_code_is_asked_for_by_name(package: Path, tmp_path: Path) -> None:
    done = play(package, tmp_path, TAVOLINO_CPU="native")
    assert done.returncode == 1
    assert "NotCompiled" in done.stderr


def test_code_of_other_sources_is_left_alone(package: Path, tmp_path: Path) -> None:
    other = tmp_path / "tavolino"
    shutil.copytree(package, other)
    with (other / "games" / "orma" / "rules.py").open("a") as file:
        file.write("# changed\n")
    done = play(other, tmp_path / "cache")
    assert done.returncode == 1
    assert "NotCompiled" in done.stderr


def test_code_for_a_better_processor_is_never_loaded(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest(["triple", "cpu", ""], *LEVELS))
    everything = dict.fromkeys(set().union(*bundled.levels().values()), True)
    for number, level in enumerate(LEVELS):
        needs = bundled.levels()[level]
        features = dict.fromkeys(needs, True)
        found = bundled.find(features, tmp_path)
        assert found is not None
        assert found.level == level
        for one in needs:
            without = bundled.find(everything | {one: False}, tmp_path)
            assert without is None or one not in bundled.levels()[without.level]
        assert bundled.can_run(everything, level) == LEVELS[number:]
    assert bundled.can_run(everything, bundled.NATIVE) == []
    assert bundled.can_run({}) == [level for level, needs in bundled.levels().items() if not needs]


def test_this_processor_runs_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM's names of the features are those that LEVELS asks for: a typing error would find no level at all."""
    features = llvm.get_host_cpu_features()
    assert all(name in features for needs in bundled.levels().values() for name in needs)
