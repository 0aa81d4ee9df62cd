"""Measure Tavolino beside its peers: one thread, CPU time, the median of several rounds, ours and theirs in turn.

The machine may be noisy, so what counts is the ratio to something measured in the same minute. Each peer is measured in
the fastest way it has. A row says what was measured, the mark to reach and whether it holds; where a peer is not
installed, ours is shown alone. The measures themselves are in the files beside this one.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

from tavolino.engine.registry import GAMES

Say = Callable[[str], None]
Run = Callable[[], float]
"""Returns a rate, measured anew at each call."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured; smaller sizes only show that it runs."""

    rounds: int = 5
    random_games: int = 5000
    lengths: int = 300
    """Games that tell how long a random game of OpenSpiel's is."""
    rollouts: int = 20_000
    simulations: int = 4000
    cold: tuple[str, ...] = tuple(GAMES)
    """Games compiled from nothing."""
    steps: int = 60_000
    """Steps of all games of a batch together."""
    thread_batch: int = 4096
    thread_steps: int = 100
    batches: tuple[int, ...] = (64, 256, 1024, 4096)
    """Sizes tried for a batch, of the peers' and of ours: the best one counts."""
    decisions: int = 60_000
    agent_steps: int = 10_000
    ray_games: int = 1_000_000
    ray_rounds: int = 10
    groups: int = 200


@dataclass(frozen=True)
class BenchRow:
    """One line of the table."""

    name: str
    ours: float | None
    unit: str
    mark: float
    """With a peer at least this many times theirs, else at most this."""
    theirs: float | None = None
    """What the mark is for, of the peers' rates."""
    peer: str | None = None
    """What that is."""
    peers: Mapping[str, float] = field(default_factory=dict)
    """The peers' rates, of games unlike ours, too."""
    note: str | None = None
    missing: str | None = None
    """What is not installed, so that there is nothing to compare."""
    failed: str | None = None
    """Why it could not be measured."""

    @property
    def ratio(self) -> float | None:
        """How many times theirs ours is."""
        return None if self.ours is None or self.theirs is None else self.ours / self.theirs

    @property
    def least(self) -> float | None:
        """How many times the quickest of the peers' games ours is, whatever its kind."""
        return None if self.ours is None or not self.peers else self.ours / max(self.peers.values())

    @property
    def holds(self) -> bool | None:
        """Whether the mark is reached; None where something is not installed."""
        if self.missing is not None:
            return None
        if self.ours is None:
            return False
        return self.ours <= self.mark if self.ratio is None else self.ratio >= self.mark

    def data(self) -> dict[str, Any]:
        """Return it with what follows from it."""
        return {**asdict(self), "ratio": self.ratio, "least": self.least, "holds": self.holds}


Measure = Callable[[Say, Sizes], Iterator[BenchRow]]


def found(makers: Mapping[str, Callable[[], Run]]) -> tuple[dict[str, Run], str | None]:
    """Make what can be made; say of the rest which library it lacks."""
    runs, lacking = {}, dict[str, list[str]]()
    for name, make in makers.items():
        try:
            runs[name] = make()
        except ImportError as error:
            lacking.setdefault(_library(error), []).append(name)
    if not lacking:
        return runs, None
    said = "; ".join(f"{library} (for {', '.join(names)})" for library, names in lacking.items())
    return runs, f"not installed: {said}. `make bench` installs what is missing"


def _library(error: ImportError) -> str:
    """Return what could not be imported: some libraries say it in words of their own, and why."""
    cause = error.__cause__ or error.__context__
    return error.name or (_library(cause) if isinstance(cause, ImportError) else str(error))


def in_turn(say: Say, what: str, runs: Mapping[str, Run], rounds: int) -> dict[str, float]:
    """Measure each in turn, several times; return the median of each."""
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(rounds):
        say(f"{what}, round {turn + 1} of {rounds}")
        for name, run in runs.items():
            rates[name].append(run())
    return {name: median(found) for name, found in rates.items()}


def measures() -> dict[str, Measure]:
    """Return what is measured, by name."""
    from tavolino.bench import envs, ray, rules, threads  # they need this file

    return {
        "state": rules.state_size,
        "start": rules.starts,
        "random": rules.random_play,
        "search": rules.tree_search,
        "batch": envs.batches,
        "threads": threads.two_threads,
        "one": envs.one_game,
        "agents": envs.agents,
        "ray": ray.ray_overhead,
    }


def bench(say: Say, only: tuple[str, ...] = (), sizes: Sizes | None = None) -> list[BenchRow]:
    """Measure everything, or `only` some by name; `say` is told what is being measured.

    A measure that fails becomes a row that says why: the others are measured all the same.
    """
    rows: list[BenchRow] = []
    for name, measure in measures().items():
        if only and name not in only:
            continue
        try:
            rows.extend(measure(say, sizes or Sizes()))
        except Exception as error:
            rows.append(BenchRow(name, None, "", 0, failed=f"{type(error).__name__}: {error}"))
    return rows
