"""Studying the games: simulations by the million, reports with plots, the analysis of a played game."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tavolino.lab.analysis import analyse
    from tavolino.lab.studies import study

__all__ = ["analyse", "study"]


def __getattr__(name: str) -> Any:
    """Import the two when they are needed: a simulation needs neither."""
    if name == "study":
        from tavolino.lab.studies import study

        return study
    if name == "analyse":
        from tavolino.lab.analysis import analyse

        return analyse
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
