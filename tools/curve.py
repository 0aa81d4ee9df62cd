"""What more thinking brings, in games won: an expert with so many tries a move against one with few.

The same deals for each number of tries, each deal played with the seats exchanged.
"""

from dataclasses import dataclass, replace
from typing import Any

from tavolino.arena.arena import RunSettings, arena
from tavolino.bots.position import Limits, Position, forced_move
from tavolino.bots.thinking import look_ahead

FEW = 30
"""The tries of the opponent."""
TRIES = (10, 100, 300, 1000, 3000)


@dataclass(frozen=True)
class Expert:
    """An expert that makes so many tries a move: `expert:300`."""

    name: str

    def choose(self, position: Position) -> str:
        """Return a move for the seat to move."""
        limits = Limits(simulations=int(self.name.partition(":")[2]))
        return forced_move(position) or look_ahead(replace(position, limits=limits))[0].word

    def close(self) -> None:
        """Nothing is held."""


def curve(key: str, deals: int, seed: int = 7, workers: int | None = None) -> list[dict[str, Any]]:
    """Return for each number of tries how much it wins, with its interval, and the milliseconds a move."""
    found = []
    for tries in TRIES:
        bots = (f"expert:{tries}", f"expert:{FEW}")
        settings = RunSettings(workers=workers)
        result = arena(key, bots, 2 * deals, seed=seed, load=Expert, settings=settings).as_json()["bots"][0]
        found.append({"tries": tries, "won": result["win_rate"], "ci95": result["ci95"], "ms": result["ms_per_move"]})
    return found
