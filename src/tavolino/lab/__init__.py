"""Studying the games: simulations by the million, reports with plots, the review of a played game."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tavolino.lab.reviewing import review
    from tavolino.lab.studies import study

__all__ = ["review", "study"]


def __getattr__(name: str) -> Any:
    """Import the two when they are needed: a simulation needs neither."""
    if name == "study":
        from tavolino.lab.studies import study

        return study
    if name == "review":
        from tavolino.lab.reviewing import review

        return review
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
