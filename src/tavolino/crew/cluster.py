"""`tavolino.workers.cluster` under its first name."""

from tavolino.workers.cluster import cluster

__all__ = ["cluster"]
