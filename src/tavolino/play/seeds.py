"""Named streams of random numbers, derived from one seed.

A stream is named by what it is for (`deal/0`, `stack`, `dice/1/7`: the eighth roll of the game, by seat 1). Its
generator starts from the first 8 bytes, little-endian, of HMAC-SHA256 with the seed's text as key and
`tavolino/1:GAME:NAME` as message. So a stream reveals nothing about the others, and whoever learns the seed can
check them all.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable

import numpy as np

from tavolino.engine.plain import whole
from tavolino.engine.rng import Stream

Seed = int | str


def fresh_seed() -> str:
    """Return a seed that nobody can guess: 128 random bits."""
    return secrets.token_hex(16)


def check_seed(seed: Seed | None) -> Seed:
    """Return the seed, or a new one for None; ValueError if it is neither a whole number nor a string."""
    if seed is None:
        return fresh_seed()
    if isinstance(seed, str):
        return str(seed)
    try:
        return whole(seed)  # NumPy's too: as Python's, which JSON can write
    except TypeError:
        raise ValueError(f"seed must be a whole number or a string, not {seed!r}") from None


def derive(seed: Seed, game: str, name: str) -> int:
    """Return the 64 bits that a stream starts from.

    >>> derive(7, KEY, "first") == derive("7", KEY, "first")
    True
    """
    digest = hmac.digest(str(seed).encode(), f"tavolino/1:{game}:{name}".encode(), hashlib.sha256)
    return int.from_bytes(digest[:8], "little")


def streams(seed: Seed, game: str, names: Iterable[str]) -> Stream:
    """Return the streams with these names, one entry each."""
    return np.array([derive(seed, game, name) for name in names], np.uint64)
