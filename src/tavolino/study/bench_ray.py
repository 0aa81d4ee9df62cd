"""What a Ray cluster costs beside threads: a million games, two workers, all processes of Ray counted."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tavolino.crew import Crew
from tavolino.crew.cluster import GROUPS_A_SECOND, Cluster, cluster
from tavolino.crew.threads import Threads
from tavolino.games import GAMES
from tavolino.study.bench import Row, Say
from tavolino.study.simulate import simulate

GAMES_PLAYED, WORKERS, ROUNDS, LED = 1_000_000, 2, 10, 200


def ray_overhead(say: Say) -> Iterator[Row]:
    """CPU seconds on a Ray cluster of two cores more than on two threads, in per cent; nothing where there is no /proc.

    Starting the cluster and its workers is left out: it is paid once. Each round has both, one after the other; of
    each the best counts.
    """
    if not Path("/proc/self/stat").exists():
        return
    say("starting a Ray cluster")
    with cluster("local", cores=WORKERS) as crew:
        for game in GAMES:
            _seconds(game, GAMES_PLAYED // 10, crew, _cpu)  # workers are started, compiled code is loaded
            here, there = [], []
            for turn in range(ROUNDS):
                say(f"a million games of {game} on threads and on Ray, round {turn + 1} of {ROUNDS}")
                here.append(_seconds(game, GAMES_PLAYED, Threads(WORKERS), time.process_time))
                there.append(_seconds(game, GAMES_PLAYED, crew, _cpu))
            more = 100 * (min(there) / min(here) - 1)
            by = "Ray's own processes, idle or not: 4 % of a core for as long as it takes"
            yield Row(f"Ray overhead: {game}", more, "% more CPU", None, None, None, 10, more <= 10, by)
        yield _lead(crew)


def _lead(crew: Cluster) -> Row:
    """Measure what the process that leads spends on a group of items."""
    for _ in crew.each(_nothing, range(WORKERS)):
        pass  # workers are there
    began = time.process_time()
    for _ in range(LED):
        for _ in crew.each(_nothing, [0]):
            pass
    most = 1000 / GROUPS_A_SECOND  # then it does nothing else
    each = 1000 * (time.process_time() - began) / LED
    return Row("Ray: leading a group", each, "ms of CPU", None, None, None, most, each <= most)


@contextmanager
def _nothing() -> Iterator[Callable[[int], int]]:
    yield abs


def _seconds(game: str, games: int, crew: Crew, clock: Callable[[], float]) -> float:
    """Play games; return the CPU seconds it took by that clock."""
    before = clock()
    simulate(game, games=games, seed=1, crew=crew)
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
