"""The table of a game that has no picture of its own: its view, field by field, in the game's own words."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from tavolino.engine.contract import Offer, View
from tavolino.engine.phrases import win_line
from tavolino.engine.registry import GAMES
from tavolino.play import text
from tavolino.play.game import own_fields

HOW = "Choose one of the moves listed. The rules say what they do."
COMMON = {"game", "seat", "seats", "options", "first", "moves", "to_move", "chance_due", "over", "winners", "ending"}
"""What every view has and a table need not show."""
SEATS = {"seat", "of", "winner", "loser"}
"""Values with these names are seats, and are shown by the names of the players."""


def picture(views: Sequence[View], names: Sequence[str]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    alike = [key for key in views[0] if all(view[key] == views[0][key] for view in views)]
    for key in (key for key in alike if key not in COMMON):
        value, view = views[0][key], views[0]
        if key not in own_fields(view["game"]) and _by_seat(value, names):
            told = ", ".join(f"{name}: {_shown(view, one, names)}" for name, one in zip(names, value, strict=True))
        else:
            told = _shown(view, value, names)
        grid.add_row(Text(_label(view, key), "dim"), told)
    for view in views:  # what only a seat may know
        for key in (key for key in view if key not in alike and key not in COMMON):
            whose = f", {names[view['seat']]}" if len(views) > 1 else ""
            grid.add_row(Text(_label(view, key) + whose, "dim"), _shown(view, view[key], names))
    return grid


def _label(view: View, key: str) -> str:
    return text.say(GAMES[view["game"]], f"label.{key}", {})


def _shown(view: View, value: Any, names: Sequence[str]) -> str:
    """Write a value in one line."""
    if isinstance(value, dict):
        return ", ".join(
            names[one] if key == "seat" else f"{_label(view, str(key))} {_one(view, key, one, names)}"
            for key, one in value.items()
        )
    return _one(view, "", value, names)


def _by_seat(value: Any, names: Sequence[str]) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == len(names)


def _one(view: View, key: Any, value: Any, names: Sequence[str]) -> str:
    if value is None:
        return "–"
    if key in SEATS and isinstance(value, int):
        return names[value]
    if isinstance(value, (list, tuple)):
        rows = any(isinstance(one, (list, tuple)) for one in value)
        return (" · " if rows else " ").join(_one(view, "", one, names) for one in value) or "–"
    if isinstance(value, dict):
        return f"({_shown(view, value, names)})"
    return text.say(GAMES[view["game"]], f"value.{value}", {}) if isinstance(value, str) else str(value)


def meaning(view: View, offer: Offer) -> str:
    """Say what a move is and what would follow, in the game's sentences, or else list what the offer says.

    What would follow is for the eyes of the seat to move: others are told only the move.
    """
    game, verb = GAMES[view["game"]], offer.get("verb", "")
    words, mine = text.words(game, "en"), view["seat"] is not None and view["seat"] == view["to_move"]
    keys = (f"offer.{verb}", f"offer.{verb}.then")[: 2 if mine else 1]
    told = [text.fill(words[key], offer) for key in keys if key in words]
    if not told and mine:
        told = [f"{key.replace('_', ' ')} {value}" for key, value in offer.items() if key not in ("word", "verb")]
    return ", ".join(told)


def ending(view: View, names: Sequence[str]) -> list[str]:
    scores = ", ".join(f"{name}: {score}" for name, score in zip(names, view["scores"], strict=True))
    return [win_line(view, names, view["ending"]), f"Scores: {scores}."]
