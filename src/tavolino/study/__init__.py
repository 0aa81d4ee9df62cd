"""`tavolino.lab` under its first name, for programs written for version 0.1.0."""

from tavolino.lab import review as analyse
from tavolino.lab import study

__all__ = ["analyse", "study"]
