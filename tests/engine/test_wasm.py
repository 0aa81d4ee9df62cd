"""WebAssembly from Numba's IR: the same bytes each time, kept by its sources' digest, clear about what it lacks."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from numba.core.cpu import CPUContext

from tavolino.bots import wasm
from tavolino.cli import cli
from tavolino.engine.registry import GAMES
from tavolino.engine.wasm import build, capture, link
from tavolino.engine.wasm.capture import CannotCapture, Lowered
from tavolino.engine.wasm.emit import emit
from tests.engine import wasm_samples

KEY = next(iter(GAMES))


def run(wasm: bytes, folder: Path, code: str) -> str:
    """Instantiate a module in Node as `x` and return what the code prints."""
    file = folder / "module.wasm"
    file.write_bytes(wasm)
    head = "const module = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]))\n"
    head += "const x = new WebAssembly.Instance(module).exports\n"
    done = subprocess.run(["node", "-e", head + code, str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def sample() -> build.Built:
    """A module of functions that use what rules may use: arrays and lists of their own, slices, reshaping, errors."""
    return build.build(wasm_samples.exports, KEY)


def test_two_builds_give_the_same_bytes(sample: build.Built) -> None:
    assert build.build(wasm_samples.exports, KEY) == sample


def test_a_loop_of_a_network_uses_simd(sample: build.Built) -> None:
    """LLVM would unroll it first, and not vectorise it then."""
    add_four = bytes([0xFD, 0xE4, 0x01])  # f32x4.add
    assert add_four in sample.wasm


def test_memory_of_a_call_is_given_back(sample: build.Built, tmp_path: Path) -> None:
    """Arrays and lists that a call makes are gone at its end: a thousand calls need no more memory than one."""
    code = """
    const at = x.reserve(80), numbers = () => new BigInt64Array(x.memory.buffer, at, 10)
    for (let i = 0; i < 10; i++) numbers()[i] = BigInt(i * i)
    const first = x.sorted_sum(at, 10), size = x.memory.buffer.byteLength
    for (let i = 0; i < 1000; i++) if (x.sorted_sum(at, 10) !== first) throw Error('differs')
    console.log(first, size === x.memory.buffer.byteLength, x.big(1n << 20n))
    """
    numbers = [i * i for i in range(10)]
    expected = f"{wasm_samples.sorted_sum(np.array(numbers))}n true {wasm_samples.big(1 << 20)}n"
    assert run(sample.wasm, tmp_path, code) == expected


def test_an_error_of_numba_and_a_stack_that_is_too_deep_trap(sample: build.Built, tmp_path: Path) -> None:
    """They never overwrite what lies beside them: data lie above the stack, which ends at address 0."""
    code = """
    for (const run of [() => x.divide(1n, 0n), () => x.unequal(3n), () => x.deep(1n << 40n)])
      try { run(); console.log('no trap') } catch (error) { console.log(error.name) }
    """
    assert set(run(sample.wasm, tmp_path, code).split()) <= {"RuntimeError", "RangeError"}


def test_what_is_not_there_is_named_with_its_user() -> None:
    text = 'declare double @"cbrt"(double)\ndefine double @"root"(double %x) {\n  %y = call double @"cbrt"(double %x)\n'
    text += "  ret double %y\n}"
    with pytest.raises(CannotCapture, match=r"needs what WebAssembly does not have: cbrt \(in my_rule\$1\)"):
        emit([Lowered("my_rule$1", text)], ["root"])


def test_another_numba_is_refused_with_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(capture._USED, CPUContext, ("get_executable", "make_coffee"))
    with pytest.raises(CannotCapture, match=r"it has no CPUContext\.make_coffee, which tavolino\.engine\.wasm"):
        capture.start()


def test_a_function_that_cannot_be_lowered_is_named() -> None:
    with pytest.raises(build.BuildFailed, match=r"wasm_samples\.unknown, exported as unknown, cannot be lowered"):
        build.build(wasm_samples.broken, KEY)


CHANGED = """
import sys
from numba.core.lowering import BaseLower
from tavolino.engine.wasm import build
lower = BaseLower.lower
def changed(self):
    library = type(self.library)
    kept = library.add_ir_module
    library.add_ir_module = lambda self, module: CHANGE
    try:
        return lower(self)
    finally:
        library.add_ir_module = kept
BaseLower.lower = changed
build.main("tests.engine.wasm_samples:exports", sys.argv[1], sys.argv[2])
"""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "None",
            r"its code did not pass CPUCodeLibrary\.add_ir_module, where tavolino\.engine\.wasm\.capture",
        ),
        (
            "kept(self, module, 'new')",
            r"cannot be lowered by Numba .* 3 were given \(TypeError in <lambda>, .*:\d+\)",
        ),
    ],
)
def test_a_numba_that_has_changed_inside_is_told_where(change: str, said: str, tmp_path: Path) -> None:
    """Its parts have the same names: what it lowers goes another way, or is passed on otherwise."""
    command = [sys.executable, "-c", CHANGED.replace("CHANGE", change), KEY, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode
    assert re.search(rf"wasm_samples\.sorted_sum, exported as sorted_sum, .*{said}", done.stderr)


def test_a_build_that_fails_is_told_without_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by `tavolino site`: what cannot be lowered, by which Numba."""
    monkeypatch.setenv("TAVOLINO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(wasm, "CARRIED", tmp_path / "carried")
    monkeypatch.setattr(wasm, "exports", wasm_samples.broken)
    done = CliRunner().invoke(cli, ["site", "--out", str(tmp_path / "site")])
    assert done.exit_code == 1
    assert "wasm_samples.unknown, exported as unknown, cannot be lowered by Numba" in done.output
    assert "Traceback" not in done.output
    assert not (tmp_path / "site").exists()


def test_an_object_file_of_another_kind_is_refused() -> None:
    with pytest.raises(link.CannotLink, match="no object file"):
        link.link(b"\x7fELF....", [], "heap")


def test_numbers_are_written_as_they_are_read() -> None:
    for value in (0, 1, 63, 64, 127, 128, 300, 1 << 20, (1 << 32) - 1):
        assert link.Reader(link.unsigned(value)).number() == value
        assert link.Reader(link.unsigned(value, 5)).number() == value
        for sign in (1, -1):
            assert link.Reader(link.signed(sign * value, 6)).number(signed=True) == sign * value


def test_a_module_is_built_once_and_never_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes from the wheel if the sources are the same, else from the cache; a damaged file is not used."""
    made = wasm.module(KEY)
    calls: list[str] = []

    def rebuild(exports: object, key: str) -> build.Built:
        calls.append(key)
        return build.Built(made.wasm, made.manifest["exports"])

    monkeypatch.setattr(build, "build", rebuild)
    monkeypatch.setenv("TAVOLINO_CACHE", str(tmp_path / "cache"))
    carried = tmp_path / "carried"
    monkeypatch.setattr(wasm, "CARRIED", carried)
    assert wasm.module(KEY, calls.append) == wasm.module(KEY, calls.append) == made
    assert calls == [f"Building {GAMES[KEY].title} for the browser, once …", KEY]
    wasm.write(carried, KEY, build.Built(made.wasm, made.manifest["exports"]))
    shutil.rmtree(tmp_path / "cache")
    assert wasm.module(KEY) == made
    assert len(calls) == 2
    (carried / f"{KEY}.wasm").write_bytes(made.wasm[:-1])
    assert wasm.module(KEY) == made
    assert len(calls) == 3


@pytest.mark.parametrize("key", GAMES)
def test_modules_and_networks_are_small(key: str) -> None:
    """Compressed, at most 40 KB for a game's rules and bots, and 300 KB for the network of a table."""
    import zlib

    assert len(zlib.compress(wasm.module(key).wasm, 9)) <= 40_000
    for players in GAMES[key].people.PLAYERS:
        assert len(zlib.compress(wasm.network(key, players) or b"", 9)) <= 300_000
