"""`tavolino.lab` under its first name, for programs written for version 0.1.0."""

from tavolino.lab import analyse, study

__all__ = ["analyse", "study"]
