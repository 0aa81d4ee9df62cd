"""Tavolino: tabletop games to play, to write bots for and to study. `games()` lists them.

>>> import tavolino
>>> game = tavolino.new(KEY, players=2, seed=7)
>>> while not game.over:
...     game.play(game.legal_moves[0])
>>> tavolino.replay(game.record()).winners == game.winners
True
"""

from tavolino import starting  # first of all

# isort: split

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tavolino.bots.position import observe
    from tavolino.envs.batch import Batch
    from tavolino.play.game import Game, IllegalMove, new
    from tavolino.play.match import Match
    from tavolino.play.records import BadRecord, replay
    from tavolino.play.setup import games

__version__ = "0.1.0"
__all__ = ["BadRecord", "Batch", "Game", "IllegalMove", "Match", "games", "new", "observe", "replay"]

_HOMES = {
    "BadRecord": "play.records",
    "Batch": "envs.batch",
    "Game": "play.game",
    "IllegalMove": "play.game",
    "Match": "play.match",
    "games": "play.setup",
    "new": "play.game",
    "observe": "bots.position",
    "replay": "play.records",
}
"""Where each name is defined. It is imported when it is needed: NumPy and Numba take half a second."""


def __getattr__(name: str) -> Any:
    """Import a name when it is needed."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    setattr(sys.modules[__name__], name, found)
    return found


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """The package: its `games` stays the function, even after Python has imported the folder of that name."""

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; the import of a submodule does that, too."""
        if name != "games" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

if not starting.is_command() and find_spec("gymnasium"):
    from tavolino.envs.registry import register

    register()
