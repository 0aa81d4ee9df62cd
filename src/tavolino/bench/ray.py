"""What a Ray cluster costs beside threads: a million games, two workers, all processes of Ray counted."""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from tavolino.bench import BenchRow, Say, Sizes
from tavolino.engine.registry import GAMES
from tavolino.lab.settings import LabSettings
from tavolino.lab.simulate import simulate
from tavolino.workers import Workers
from tavolino.workers.cluster import GROUPS_A_SECOND, Cluster, cluster
from tavolino.workers.threads import Threads

WORKERS = 2
OVERHEAD_MARK = 15


def ray_overhead(say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """CPU seconds on a Ray cluster of two cores more than on two threads, in percent; nothing where there is no /proc.

    Starting the cluster and its workers is left out: it is paid once. Each round has both, one after the other; the
    median of the rounds counts.
    """
    if not Path("/proc/self/stat").exists():
        return
    if find_spec("ray") is None:
        yield BenchRow("Ray overhead", None, "% more CPU", OVERHEAD_MARK, missing="not installed: ray")
        return
    say("starting a Ray cluster")
    with cluster("local", cores=WORKERS) as workers:
        yield from beside_threads(workers, say, sizes)


def beside_threads(workers: Cluster, say: Say, sizes: Sizes) -> Iterator[BenchRow]:
    """Measure a cluster that is there."""
    for game in GAMES:
        _seconds(game, sizes.ray_games // 10, workers, _cpu)  # workers are started, compiled code is loaded
        here, there = [], []
        for turn in range(sizes.ray_rounds):
            say(f"{sizes.ray_games:,} games of {game}, threads and Ray, round {turn + 1} of {sizes.ray_rounds}")
            here.append(_seconds(game, sizes.ray_games, Threads(WORKERS), time.process_time))
            there.append(_seconds(game, sizes.ray_games, workers, _cpu))
        yield overhead(game, here, there)
    yield _lead(workers, sizes.groups)


def overhead(game: str, here: list[float], there: list[float]) -> BenchRow:
    """Compare the CPU seconds of each round, on threads and on Ray."""
    more = sorted(100 * (ray / threads - 1) for threads, ray in zip(here, there, strict=True))
    note = f"median of {len(more)} rounds, {more[0]:.1f} to {more[-1]:.1f} %"
    return BenchRow(f"Ray overhead: {game}", statistics.median(more), "% more CPU", OVERHEAD_MARK, note=note)


def _lead(workers: Cluster, groups: int) -> BenchRow:
    """Measure what the process that leads spends on a group of items."""
    for _ in workers.each(_nothing, range(WORKERS)):
        pass  # workers are there
    began = time.process_time()
    for _ in range(groups):
        for _ in workers.each(_nothing, [0]):
            pass
    most = 1000 / GROUPS_A_SECOND  # then it does nothing else
    return BenchRow("Ray: leading a group", 1000 * (time.process_time() - began) / groups, "ms of CPU", most)


@contextmanager
def _nothing() -> Iterator[Callable[[int], int]]:
    yield abs


def _seconds(game: str, games: int, workers: Workers, clock: Callable[[], float]) -> float:
    """Play games; return the CPU seconds it took by that clock."""
    before = clock()
    simulate(game, games=games, seed=1, settings=LabSettings(workers))
    time.sleep(0.2)  # what Ray puts in order afterwards counts too
    return clock() - before


def _cpu() -> float:
    """Return the CPU seconds so far of this process and of its descendants that live."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, rest = int(stat.parent.name), stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parents[pid], ticks[pid] = int(rest[1]), int(rest[11]) + int(rest[12])

    def ours(pid: int) -> bool:
        while pid and pid != os.getpid():
            pid = parents.get(pid, 0)
        return pid != 0

    return sum(ticks[pid] for pid in parents if ours(pid)) / os.sysconf("SC_CLK_TCK")
