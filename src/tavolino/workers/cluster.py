"""Work on a Ray cluster: a lost machine costs time, not work, since its items are done again on another.

Items travel in groups that take about a second: sent alone, each would cost a tenth of the time of a few thousand
random games. Nothing is kept on the cluster, and few groups are in progress at a time, so that memory stays flat.
"""

import hashlib
import logging
import os
import pickle
import signal
import socket
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tavolino.workers import Item, Job, Made

GROUP_SECONDS = 1.0
"""How many seconds a group of items should take at least; Ray's own work per group is about a millisecond."""
GROUPS_A_SECOND = 100
"""The most groups per second: with many cores groups take longer, so that one process can coordinate them all."""
GROUPS_A_CORE = 2
"""One that runs, and one that waits."""
AHEAD = 8
"""Groups per core that may be finished before the oldest one is: those that wait are held in memory."""
RETRIES = 20
"""How often a group is restarted when its worker or machine is lost."""
PATIENCE = 5.0
"""Seconds to wait for an address to answer."""
TICK = 0.25
"""Seconds between two checks for finished groups and for Ctrl-C."""
AT_WORK = ("engine", "games", "workers", "play", "bots", "arena", "lab")
"""The folders whose code runs on the nodes."""
COUNT_SECONDS = 5.0
"""Seconds between two counts of the cores: machines come and go."""


class NoCluster(RuntimeError):
    """There is no cluster to work on; the message says what is wrong."""


@contextmanager
def cluster(address: str, cores: int | None = None) -> Iterator["Cluster"]:
    """Connect to a Ray cluster: `host:port`, `auto` for the one on this machine, `local` to start one here.

    A local one uses `cores`, by default all, and is stopped afterwards. NoCluster says what is wrong, within seconds.
    """
    ray = _ray()
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, address, cores)
    try:
        yield Cluster(ray, ray.remote(num_cpus=1, max_retries=RETRIES)(_run))
    finally:
        if ours:
            ray.shutdown()


def _ray() -> Any:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # Ray's way to be spared a warning on GPUs
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody asked the user
    try:
        import ray
    except ImportError:
        raise NoCluster('--ray needs Ray, which is not installed: pip install "tavolino[ray]"') from None
    return ray


def _connect(ray: Any, address: str, cores: int | None) -> None:
    previous = signal.getsignal(signal.SIGTERM)
    try:
        if address != "local":
            _knock(address)
        own = {"include_dashboard": False, "num_cpus": cores} if address == "local" else {}
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except (Exception, SystemExit) as error:
        ray.shutdown()  # what was begun
        raise NoCluster(f"no Ray cluster at {address}: {_one_line(error)}") from None
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, previous)  # Ray takes it, and would end us with another code


def _knock(address: str) -> None:
    """Check that something is listening: Ray itself would try for minutes."""
    from ray._private.services import canonicalize_bootstrap_address

    client = address.startswith("ray://")
    place = address.removeprefix("ray://") if client else canonicalize_bootstrap_address(address)
    if place is None:
        raise ConnectionError("none is running on this machine (ray start --head starts one)")
    host, _, port = place.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except OSError as error:
        raise ConnectionError(f"nobody answers at {place} ({error.strerror or error})") from None


@dataclass(frozen=True)
class Cluster:
    """A cluster that we are connected to."""

    _module: Any
    _task: Any
    """`_run` as a remote function of Ray."""

    @property
    def cores(self) -> int:
        """How many cores there are at the moment."""
        return int(self._module.cluster_resources().get("CPU", 0))

    @property
    def nodes(self) -> int:
        """How many machines there are at the moment."""
        return sum(bool(node["Alive"]) for node in self._module.nodes())

    def each(self, job: Job[Item, Made], items: Sequence[Item]) -> Generator[tuple[int, Made]]:
        """Do the job for each item; yield (index, result) as they finish.

        If you stop early, groups in progress run to their end for nothing, unless we disconnect, which ends them. Ray
        could cancel them, but then ends our own process if one happens to finish at that moment (2.60).
        """
        with job():
            pass  # what is wrong with it comes up here, not on a machine far away
        ray = self._module
        packed = ray.put(ray.cloudpickle.dumps(job))  # as bytes: Ray's own arrays could not be written to
        groups: dict[Any, tuple[int, range]] = {}
        """By Ray's reference: the number of the group and the indices of its items."""
        begun, at, size = 0, 0, 1
        cores, counted = self.cores or 1, time.monotonic()
        while at < len(items) or groups:
            if time.monotonic() - counted > COUNT_SECONDS:
                cores, counted = self.cores or 1, time.monotonic()
            oldest = min((number for number, _ in groups.values()), default=begun)
            while at < len(items) and len(groups) < GROUPS_A_CORE * cores and begun - oldest < AHEAD * cores:
                fair = (len(items) - at) // (2 * GROUPS_A_CORE * cores)  # smaller ones at the end: all end together
                span = range(at, min(at + max(1, min(size, fair)), len(items)))
                groups[self._task.remote(packed, [items[i] for i in span], stamp())] = begun, span
                begun, at = begun + 1, span.stop
            for group in ray.wait(list(groups), num_returns=len(groups), timeout=TICK)[0]:
                made, seconds = self._answer(group)
                _, span = groups.pop(group)
                goal = max(GROUP_SECONDS, cores / GROUPS_A_SECOND)
                size = max(1, int(goal * len(span) / max(seconds, 1e-6)))
                yield from zip(span, made, strict=True)

    def _answer(self, group: Any) -> tuple[list[Any], float]:
        try:
            made, seconds = self._module.get(group)
        except self._module.exceptions.RayTaskError as error:
            raise RuntimeError(f"a Ray worker failed: {_one_line(error.cause)}") from None
        except self._module.exceptions.RayError as error:
            raise RuntimeError(f"Ray failed: {_one_line(error)}") from None
        return pickle.loads(made), seconds


def _run(packed: bytes, items: list[Any], wanted: str) -> tuple[bytes, float]:
    """Do a group of items on a worker; return the results and the seconds they took."""
    if stamp() != wanted:
        where = socket.gethostname()
        raise RuntimeError(f"{where} has different code ({stamp()}, here {wanted}): install the same on all nodes")
    began = time.perf_counter()
    with pickle.loads(packed)() as work:
        made = [work(item) for item in items]
    return pickle.dumps(made, pickle.HIGHEST_PROTOCOL), time.perf_counter() - began


@cache
def stamp() -> str:
    """Return what identifies the code here: only the same code gives the same results."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for folder in AT_WORK:
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    python = ".".join(map(str, sys.version_info[:2]))
    parts = (f"tavolino {version('tavolino')}/{digest.hexdigest()[:8]}", f"Python {python}")
    return ", ".join((*parts, *(f"{name} {version(name)}" for name in ("numba", "numpy"))))


def _one_line(error: BaseException | None) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
