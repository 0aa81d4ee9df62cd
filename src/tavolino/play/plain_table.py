"""The table of a game that has no picture of its own: its view as it is."""

from collections.abc import Sequence
from typing import Any

from rich.pretty import Pretty

from tavolino.engine.contract import Offer, View
from tavolino.engine.phrases import win_line

HOW = "Choose one of the moves listed. The rules tell what they do."
COMMON = ("game", "seats", "options", "first", "moves")


def picture(views: Sequence[View], names: Sequence[str]) -> Pretty:
    shown: list[dict[str, Any]] = [{k: v for k, v in view.items() if k not in COMMON} for view in views]
    return Pretty(shown, max_length=20)


def meaning(view: View, offer: Offer) -> str:
    return ""


def ending(view: View, names: Sequence[str]) -> list[str]:
    scores = ", ".join(f"{name}: {score}" for name, score in zip(names, view["scores"], strict=True))
    return [win_line(view, names, view["ending"]), f"Scores: {scores}."]
