"""`exp` and `log` of ours: as exact as the C library's, and the same bits compiled as in plain Python."""

import math
import random
import struct

from tavolino.engine import maths
from tavolino.engine.jit import nth
from tavolino.engine.tiers import plain

PLAIN = plain("tavolino.engine.maths")


def steps_between(a: float, b: float) -> int:
    """Return how many numbers lie from a to b, both of the same sign."""
    first, second = (struct.unpack("<q", struct.pack("<d", x))[0] for x in (a, b))
    return abs(int(first) - int(second))


def points(seed: int, count: int, *ranges: tuple[float, float]) -> list[float]:
    draw = random.Random(seed)
    return [draw.uniform(*ranges[i % len(ranges)]) for i in range(count)]


def test_the_exponential_is_right_to_the_last_place_but_one() -> None:
    """The C library is within 0.51 units of the truth: two steps from it would be more than one unit off."""
    xs = [*points(1, 6000, (-1, 1), (-40, 40), (-708, 709)), 0.0, -0.0, 1.0, math.log(2) / 2, 709.78]
    assert max(steps_between(maths.exp(x), math.exp(x)) for x in xs) == 1


def test_the_logarithm_is_right_to_the_last_place_but_one() -> None:
    xs = [math.exp(x) for x in points(2, 4000, (-0.5, 0.5), (-700, 700))] + [float(n) for n in range(2, 3000)]
    assert max(steps_between(maths.log(x), math.log(x)) for x in xs) == 1


def test_the_ends_are_right() -> None:
    assert [maths.exp(x) for x in (0.0, -746.0, -1e300, 710.0, math.inf)] == [1.0, 0.0, 0.0, math.inf, math.inf]
    assert [maths.exp(-745.1), maths.exp(-720.0)] == [math.exp(-745.1), math.exp(-720.0)]  # too small for all digits
    assert maths.log(1.0) == 0.0


def test_plain_python_gives_the_same_bits() -> None:
    for x in points(3, 3000, (-1, 1), (-30, 30), (-740, 709)):
        assert maths.exp(x) == PLAIN.exp(x)
        assert maths.log(abs(x)) == PLAIN.log(abs(x))


def test_the_nth_bit_is_found_wherever_it_is() -> None:
    """Few bits or many, up to the sign: the n-th from below is the one that a list of them has there."""
    rng = random.Random(1)
    masks = [1 << i for i in range(63)] + [-1, -(1 << 63), (1 << 63) - 1]
    masks += [rng.getrandbits(64) - (1 << 63) for _ in range(200)]
    masks += [
        rng.getrandbits(63) & rng.getrandbits(63) & rng.getrandbits(63) | 1 << rng.randrange(63) for _ in range(200)
    ]
    for mask in masks:
        bits = [i for i in range(64) if mask >> i & 1]
        assert [nth(mask, n) for n in range(len(bits))] == bits
