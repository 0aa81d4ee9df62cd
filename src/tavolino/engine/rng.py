"""The random generator: SplitMix64, whose state is one uint64 in an array that the caller holds.

The state of a game never holds random numbers: the caller passes them in. A stream is an array, and the functions here
use and advance its entry 0; `streams[k:]` is stream number k of several.
"""

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.jit import INTERPRETED, rule, wide

Stream = NDArray[np.uint64]

if INTERPRETED:
    np.seterr(over="ignore")  # wrapping around is what the generator is made of

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@rule
def mix(z: np.uint64) -> np.uint64:
    """Scramble 64 bits so that near inputs have unrelated outputs."""
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@rule
def next64(rng: Stream) -> np.uint64:
    """Return the next 64 random bits of a stream."""
    rng[0] = rng[0] + GAMMA
    return mix(rng[0])


@rule
def below(bits: np.uint64, n: int) -> int:
    """Turn the upper half of 64 random bits into a whole number from 0 to n − 1."""
    return wide(((bits >> S32) * np.uint64(n)) >> S32)


@rule
def randint(rng: Stream, n: int) -> int:
    """Return a random whole number from 0 to n − 1."""
    return below(next64(rng), n)


@rule
def shuffle(rng: Stream, items: NDArray[np.int8]) -> None:
    """Shuffle in place."""
    for i in range(len(items) - 1, 0, -1):
        j = randint(rng, i + 1)
        item = items[i]
        items[i] = items[j]
        items[j] = item


@rule
def sort_small(numbers: NDArray[np.int8]) -> None:
    """Sort whole numbers from 0 to 127 in place, by counting them; Numba's own sort takes a second to compile."""
    counts = np.empty(128, np.int8)
    for number in range(128):
        counts[number] = 0
    for i in range(len(numbers)):
        counts[numbers[i]] += 1
    at = 0
    for number in range(128):
        for _ in range(counts[number]):
            numbers[at] = number
            at += 1
