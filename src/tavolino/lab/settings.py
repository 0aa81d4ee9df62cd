"""How the lab does its work: on which workers, and whom it tells how far it has got."""

from collections.abc import Callable
from dataclasses import dataclass

from tavolino.play.cores import cores
from tavolino.play.setup import from_one
from tavolino.workers import Workers
from tavolino.workers.threads import Threads

Tell = Callable[[float], None]
"""Called with the share of the work that is done, from 0 to 1."""


def untold(part: float) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class LabSettings:
    """How a simulation or a study runs; nothing here changes its numbers."""

    workers: int | Workers | None = None
    """Who does the work: so many threads (None: one per core), or other workers, such as a cluster."""
    progress: Tell = untold


def workers_of(settings: LabSettings) -> Workers:
    """Return those who do the work."""
    given = settings.workers
    if given is not None and not isinstance(given, int):
        return given
    return Threads(cores() if given is None else from_one(given, "workers"))
