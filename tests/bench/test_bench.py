"""The benchmarks: what a row says, and every measure on tiny sizes. Peers that are not installed are left out."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tavolino import bench
from tavolino.bench import BenchRow, Measure, Say, Sizes
from tavolino.bench import envs as bench_envs
from tavolino.bench import ray as bench_ray
from tavolino.bench import rules as bench_rules
from tavolino.bench import threads as bench_threads
from tavolino.engine.registry import GAMES
from tests.cli.conftest import Run, run  # noqa: F401

ROOT = Path(__file__).parents[2]
TINY = Sizes(
    rounds=1,
    random_games=20,
    lengths=5,
    rollouts=20,
    simulations=20,
    cold=(),
    steps=32,
    thread_batch=16,
    thread_steps=2,
    batches=(8,),
    decisions=50,
    agent_steps=40,
)


def quiet(_: str) -> None:
    """Say nothing."""


def test_what_a_row_says() -> None:
    compared = BenchRow("a", 10.0, "moves/s", 5.0, theirs=2.0, peers={"x": 2.0, "y": 4.0})
    assert (compared.ratio, compared.least, compared.holds) == (5.0, 2.5, True)
    assert BenchRow("a", 9.9, "moves/s", 5.0, theirs=2.0).holds is False
    alone = BenchRow("a", 512, "bytes", 512)
    assert (alone.ratio, alone.least, alone.holds) == (None, None, True)
    assert BenchRow("a", 513, "bytes", 512).holds is False
    assert BenchRow("a", 1.0, "moves/s", 5.0, missing="not installed: x").holds is None
    assert BenchRow("a", None, "", 0, failed="OSError: x").holds is False
    assert compared.data()["ratio"] == 5.0
    assert compared.data()["holds"] is True


def test_the_median_of_several_rounds_in_turn() -> None:
    asked: list[str] = []
    rates = {"a": iter([1.0, 3.0, 2.0]), "b": iter([5.0, 4.0, 6.0])}

    def rate(name: str) -> float:
        asked.append(name)
        return next(rates[name])

    found = bench.in_turn(quiet, "x", {name: partial(rate, name) for name in rates}, 3)
    assert found == {"a": 2.0, "b": 5.0}
    assert asked == ["a", "b"] * 3


def test_the_best_size_of_a_batch_is_found() -> None:
    assert bench_envs.best_of([lambda size=size: -abs(size - 60.0) for size in (16, 64, 256)])() == -4.0  # type: ignore[misc]


def test_what_is_not_installed_is_named() -> None:
    def wrapped() -> bench.Run:
        try:
            return import_module("no_such_library").run  # type: ignore[no-any-return]
        except ImportError as error:
            raise ImportError("install it in a roundabout way") from error

    runs, missing = bench.found(
        {"here": lambda: lambda: 1.0, "one": partial(import_module, "no_such_library"), "two": wrapped}  # type: ignore[dict-item]
    )
    assert list(runs) == ["here"]
    assert missing == "not installed: no_such_library (for one, two). `make bench` installs what is missing"
    assert bench.found({"here": lambda: lambda: 1.0})[1] is None


def test_the_overhead_is_the_median_of_the_rounds() -> None:
    row = bench_ray.overhead("orma", [1.0, 2.0, 4.0], [1.5, 2.1, 4.0])
    assert row.ours == pytest.approx(5.0)
    assert row.note == "median of 3 rounds, 0.0 to 50.0 %"
    assert row.holds


def test_two_threads_are_judged_only_where_two_cores_are_free() -> None:
    rates = [(10.0, 19.0), (10.0, 12.0), (10.0, 18.5)]
    row = bench_threads.gained("orma", rates, 1.96, 2)
    assert row.ratio == pytest.approx(1.85)
    assert row.note == "median of 3 rounds, 1.20 to 1.90 times; work that shares nothing 1.96 times"
    assert row.holds
    assert bench_threads.gained("orma", [(10.0, 17.0)], 1.96, 2).holds is False
    busy = bench_threads.gained("orma", [(10.0, 12.0)], 1.3, 2)
    assert busy.holds is None
    assert busy.missing == "two free cores: of 2, work that shares nothing had 1.30"


@pytest.mark.parametrize(
    "measure",
    [measure for name, measure in bench.measures().items() if name != "ray"],  # that one is in tests/workers
    ids=lambda measure: measure.__name__,
)
def test_each_measure_on_tiny_sizes(measure: Measure) -> None:
    """Ours is measured for every game; what is compared has a ratio, what is not says which library it lacks."""
    rows = list(measure(quiet, TINY))
    assert {row.name.partition(": ")[2].partition(" ")[0].strip(",") for row in rows} >= (
        set(GAMES) if measure is not bench_rules.starts else {"simulate"}
    )
    for row in rows:
        assert row.ours is not None, row
        assert row.ours > 0, row
        if row.theirs is not None:
            assert row.ratio is not None
            assert row.least is not None
            assert 0 < row.least <= row.ratio, row
        elif row.unit.endswith("/s"):
            assert row.missing, row
            assert row.holds is None, row


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="OpenSpiel is for Linux and macOS")
def test_openspiel_is_measured_where_it_is_installed() -> None:
    rows = list(bench_rules.random_play(quiet, TINY))
    assert all(row.missing is None for row in rows)
    assert all(name in rows[0].peers for name in (*bench_rules.CARDS, "connect_four"))


def test_the_wrappers_are_those_of_pettingzoos_own_games() -> None:
    """Bare beside bare, wrapped beside wrapped: what wraps ours is what its `env()` puts around its own."""
    source = Path(str(import_module("pettingzoo").__file__)).parent / "classic"
    text = (source / "connect_four" / "connect_four.py").read_text("utf-8")
    theirs = re.findall(r"wrappers\.(\w+)\(", text.partition("def env(")[2].partition("class ")[0])
    env = bench_envs.our_env(next(iter(GAMES)), wrapped=True)
    ours = []
    while hasattr(env, "env"):
        ours.append(type(env).__name__)
        env = env.env
    assert ours[::-1] == theirs


def test_all_rows_are_printed_though_a_mark_is_missed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    def mixed(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
        yield BenchRow("far: off", 1.0, "moves/s", 5.0, 2.0, "x", {"x": 2.0})
        yield BenchRow("no: peer", 1.0, "moves/s", 5.0, missing="not installed: x")

    def breaks(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
        yield BenchRow("kept", 1.0, "s", 5.0)
        raise RuntimeError("no luck")

    parts = {"mixed": mixed, "breaks": breaks, "state": bench_rules.state_size}
    monkeypatch.setattr(bench, "measures", lambda: parts)
    shown = run("bench")
    assert shown.code == 1
    for text in (
        "MISSED",
        "not compared",
        "no: peer: not installed: x",
        "FAILED",
        "RuntimeError: no luck",
        "state: orma",
    ):
        assert text in shown.out, text
    told = run("bench", "--json")
    assert told.code == 1
    rows = {row["name"]: row["holds"] for row in json.loads(told.out)["rows"]}
    assert rows == {"far: off": False, "no: peer": None, "kept": True, "breaks": False} | {
        f"state: {key}": True for key in GAMES
    }
    assert run("bench", "--only", "state").code == 0
    wrong = run("bench", "--only", "stat")
    assert wrong.code == 2
    assert "mixed, breaks, state" in wrong.err


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_make_bench_goes_on_after_a_missed_mark(tmp_path: Path) -> None:
    """With programs in place of ours that only say how they were called: nothing is set up, nothing measured."""
    for name in ("tavolino", "python"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho ran {name} "$@"\n{"exit 1" if name == "tavolino" else ""}\n')
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        ["make", "bench", f"BIN={tmp_path}", f"PYTHON={tmp_path / 'python'}", "ARGS="],  # not those of `make test`
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))},
        capture_output=True,
        text=True,
        check=False,
    )
    _, found, after = done.stdout.partition("ran tavolino bench\n")
    assert found, done.stdout + done.stderr
    for command in ("bench/load.py --peer", "bench/load.py --open 1000 --every 5"):
        assert f"ran python {command}\n" in after
    assert done.returncode != 0


@pytest.mark.parametrize("how", [(), ("--postgresql", "--processes", "2", "--apart")])
def test_the_load_on_a_server_of_two_tables(how: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "bench/load.py", "--open", "2", "--seconds", "1", *how],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["tables"] == 2
    assert found["moves"] > 0
    assert found["ms_p50"] <= found["ms_p99"] <= found["ms_p99_until_the_other_has_it"]
    assert ("postgresql_cpu_seconds" in found) is bool(how)


def test_the_benchmarks_that_pytest_runs_find_all_they_need() -> None:
    """What `make bench` runs by pytest is set up here, not run: a fixture that is missing would stop it."""
    files = [str(ROOT / "bench" / name) for name in ("page.py", "levels.py", "wasm.py")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "--setup-plan", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "test_no_frame_is_lost_while_the_computer_thinks (fixtures used: " in done.stdout
