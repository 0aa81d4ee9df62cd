"""`tavolino.lab.simulate` under its first name."""

from tavolino.lab.simulate import simulate

__all__ = ["simulate"]
