"""Tavolino: the open table for Out of Sock, The Game: Face to Face and Orma.

>>> import tavolino
>>> game = tavolino.new("orma", players=2, seed=7)
>>> while not game.over:
...     game.play(game.legal_moves[0])
>>> tavolino.replay(game.record()).winners == game.winners
True
"""

from typing import TYPE_CHECKING, Any

from tavolino.envs.registry import announce
from tavolino.play.game import Game, IllegalMove, new
from tavolino.play.match import Match
from tavolino.play.options import games
from tavolino.play.records import BadRecord, replay

if TYPE_CHECKING:
    from tavolino.envs.batch import Batch

__version__ = "0.1.0"
__all__ = ["BadRecord", "Batch", "Game", "IllegalMove", "Match", "games", "new", "replay"]

announce()


def __getattr__(name: str) -> Any:
    """Import `Batch` when it is asked for: most who play never need it."""
    if name == "Batch":
        from tavolino.envs.batch import Batch

        return Batch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
