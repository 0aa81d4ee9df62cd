"""What holds for all tests."""

import asyncio
import fcntl
import functools
import gc
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tavolino.engine import tiers
from tavolino.engine.registry import GAMES
from tests.server.servers import Zygote

# Before NumPy is imported, and for all processes of ours: threads of BLAS that wait for each other burn the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

gc.disable()  # until all tests are collected: most of what is made until then stays, and is looked at in vain

BROWSER = ("web",)
"""The page in Chromium, most of it at a server that serves it."""
SERVERS = (  # servers and commands: processes, and waiting for them
    "server/test_kill.py",
    "server/test_broken_parts.py",
    "cli",
    "examples",
    "bench",
    "workers",  # processes and a Ray cluster
    "wheel",
    "server/test_bus.py",
    "server/test_chaos.py",
    "server/test_clock.py",
    "server/test_connections.py",
    "server/test_docs.py",
    "server/test_fairness.py",
    "server/test_fuzz.py",
    "server/test_identities.py",
    "server/test_memory.py",
    "server/test_migrations.py",
    "server/test_processes.py",
    "server/test_reviews.py",
    "server/test_store.py",
    "server/test_store_trouble.py",
    "server/test_tables.py",
    "server/test_tls.py",
    "server/test_warming.py",
    "server/test_wire_leak.py",
    "test_setup.py",
    "test_site.py",
)
PLAYED = (  # many games in the worker itself, or compiling
    "lab",
    "engine/test_compiled.py",
    "engine/test_wasm.py",
    "engine/test_bundled.py",
    "engine/test_shared.py",
    "engine/test_tiers.py",
    "browser",  # another Python
    "arena/test_arena.py",
    "bots/test_external.py",
    "bots/test_names.py",
    "bots/test_players.py",
    "envs/test_batch.py",
    "envs/test_openspiel.py",
    "envs/test_selfplay.py",
    "test_docs.py",
)
PARTS = (BROWSER, SERVERS, PLAYED)
"""What `make quick` leaves out, in the order in which a worker takes it; what a part needs is made in one worker."""
HERE = Path(__file__).parent


@functools.cache  # thousands of tests, a hundred files
def place(path: Path) -> tuple[int, int] | None:
    """Return which part a slow file is in, and where there."""
    around = (path, *path.parents)
    return next(((n, i) for n, part in enumerate(PARTS) for i, one in enumerate(part) if HERE / one in around), None)


def slow(path: Path) -> bool:
    return place(path) is not None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even read what `make quick` leaves out: that takes longer than many tests."""
    return True if "not slow" in config.option.markexpr and slow(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if slow(item.path):
            item.add_marker(pytest.mark.slow)
    if workers := getattr(config, "workerinput", {}).get("workercount", 0):
        items[:] = slow_first(items, workers)


def slow_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Order tests so that each worker begins with slow files, of one part if it can, and ends with quick tests.

    pytest-xdist gives each worker an equal number, in order, and moves tests from the end of what one has to who has
    none left: a long test there would let the other cores wait. What a part needs (a browser, servers, compiled code of
    every kind) costs seconds in each worker that begins it.
    """
    parts: list[list[tuple[tuple[int, int], pytest.Item]]] = [[] for _ in range(workers)]
    quick: list[pytest.Item] = []
    for item in items:
        if (at := place(item.path)) is None:
            quick.append(item)
        else:
            parts[min(at[0], workers - 1)].append((at, item))
    found: list[pytest.Item] = []
    for worker, part in enumerate(parts):
        found += [item for _, item in sorted(part, key=lambda one: one[0])]
        fill = max(0, len(items) * (worker + 1) // workers - len(found))
        found += quick[:fill]
        del quick[:fill]
    return found + quick


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


Once = Callable[[str, Callable[[Path], Any]], Any]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Make something dear once for all workers of a test run: `once(name, make)`, where `make` may fill a folder."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent

    def get(name: str, make: Callable[[Path], Any]) -> Any:
        folder, made = root / "once" / name, root / "once" / f"{name}.pickle"
        folder.mkdir(parents=True, exist_ok=True)
        with made.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                made.write_bytes(pickle.dumps(make(folder)))
        return pickle.loads(made.read_bytes())

    return get


@pytest.fixture(scope="session")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    """The process that forks servers, one for all tests of a worker: to load all compiled code takes it seconds."""
    one = Zygote(tmp_path_factory.mktemp("zygote") / "log.jsonl")
    yield one
    one.close()


@pytest.fixture(autouse=True)
def own_event_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a test run a loop of its own, also in a worker whose browser keeps one: Playwright's rests meanwhile."""
    resting = asyncio._get_running_loop()
    if resting is None or "playwright" in request.fixturenames:
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(resting)


@pytest.fixture(autouse=True)
def compiled_again() -> Iterator[None]:
    """Play by compiled rules after a test: a command that runs in this process may have begun on plain ones."""
    yield
    tiers.use_compiled(*GAMES)


if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # started in the background of a shell: processes of ours inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
