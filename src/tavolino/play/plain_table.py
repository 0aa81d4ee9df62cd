"""The table of a game that has no picture of its own: its view, field by field, in the game's own words."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from tavolino.engine.contract import Offer, View
from tavolino.engine.phrases import win_line
from tavolino.engine.registry import GAMES
from tavolino.play import text

HOW = "Choose one of the moves listed. The rules tell what they do."
COMMON = {"game", "seat", "seats", "options", "first", "moves", "to_move", "chance_due", "over", "winners", "ending"}
"""What each view has and a table need not show."""
SEATS = {"seat", "of", "winner"}
"""Values of these names are seats, and are told as their names."""


def picture(views: Sequence[View], names: Sequence[str]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    alike = [key for key in views[0] if all(view[key] == views[0][key] for view in views)]
    for key in (key for key in alike if key not in COMMON):
        grid.add_row(Text(_label(views[0], key), "dim"), _shown(views[0], views[0][key], names))
    for view in views:  # what only a seat may know
        for key in (key for key in view if key not in alike and key not in COMMON):
            whose = f", {names[view['seat']]}" if len(views) > 1 else ""
            grid.add_row(Text(_label(view, key) + whose, "dim"), _shown(view, view[key], names))
    return grid


def _label(view: View, key: str) -> str:
    return text.say(GAMES[view["game"]], f"label.{key}", {})


def _shown(view: View, value: Any, names: Sequence[str]) -> str:
    """Write a value in a line; a list with an entry for each seat names the seats."""
    if isinstance(value, dict):
        return ", ".join(f"{_label(view, str(key))} {_one(view, key, one, names)}" for key, one in value.items())
    if isinstance(value, (list, tuple)) and len(value) == len(names) and len(names) == view["seats"]:
        return ", ".join(f"{name}: {_one(view, '', one, names)}" for name, one in zip(names, value, strict=True))
    return _one(view, "", value, names)


def _one(view: View, key: Any, value: Any, names: Sequence[str]) -> str:
    if value is None:
        return "–"
    if key in SEATS and isinstance(value, int):
        return names[value]
    if isinstance(value, (list, tuple)):
        return " ".join(_one(view, "", one, names) for one in value) or "–"
    if isinstance(value, dict):
        return f"({_shown(view, value, names)})"
    return text.say(GAMES[view["game"]], f"value.{value}", {}) if isinstance(value, str) else str(value)


def meaning(view: View, offer: Offer) -> str:
    """Say what a move is and what would follow, by the game's sentences, or else list what the offer says."""
    game, verb = GAMES[view["game"]], offer.get("verb", "")
    words = text.words(game, "en")
    told = [text.fill(words[key], offer) for key in (f"offer.{verb}", f"offer.{verb}.then") if key in words]
    if not told:
        told = [f"{key.replace('_', ' ')} {value}" for key, value in offer.items() if key not in ("word", "verb")]
    return ", ".join(told)


def ending(view: View, names: Sequence[str]) -> list[str]:
    scores = ", ".join(f"{name}: {score}" for name, score in zip(names, view["scores"], strict=True))
    return [win_line(view, names, view["ending"]), f"Scores: {scores}."]
