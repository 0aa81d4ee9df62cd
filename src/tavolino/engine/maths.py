"""The exponential and the logarithm, as rules: the same bits on every machine, compiled or not, and in a browser.

Each C library has its own `exp` and `log`, which differ in the last bit; one such bit can change what a bot plays.
Here are only additions, multiplications and divisions of 64-bit numbers in a fixed order, which IEEE 754 defines to the
last bit. Both are within 1 unit in the last place of the true value.
"""

import math
import struct
from typing import Any

from numba import types
from numba.extending import intrinsic

from tavolino.engine.jit import INTERPRETED, rule

LN2 = math.log(2.0)
LN2_HIGH = float.fromhex("0x1.62e42feep-1")
"""The first 32 bits of ln 2: its product with an exponent is exact."""
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
"""The rest of ln 2."""
PER_LN2 = 1.0 / LN2
TO_WHOLE = 1.5 * 2.0**52
"""Added and taken away again, it rounds a number below 2^51 to the nearest whole one."""
MANTISSA, ONE, HALF_ROOT = (1 << 52) - 1, 1023 << 52, 0x6A09E667F3BCD  # bits of a mantissa, of 1.0, of √2's mantissa

E2, E3, E4, E5, E6, E7 = (1.0 / math.factorial(n) for n in range(2, 8))
E8, E9, E10, E11, E12, E13 = (1.0 / math.factorial(n) for n in range(8, 14))
L1, L2, L3, L4, L5, L6, L7, L8, L9, L10, L11 = (2.0 / (2 * n + 1) for n in range(1, 12))

if INTERPRETED:

    def _bits(x: float) -> int:
        """Return the 64 bits of a number as a whole one."""
        return int(struct.unpack("<q", struct.pack("<d", x))[0])

    def _number(bits: int) -> float:
        """Return the number with these 64 bits."""
        return float(struct.unpack("<d", struct.pack("<q", bits))[0])

else:

    @intrinsic
    def _bits(typing_context: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], context.get_value_type(types.int64))

        return types.int64(types.float64), generate

    @intrinsic
    def _number(typing_context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], context.get_value_type(types.float64))

        return types.float64(types.int64), generate


@rule
def exp(x: float) -> float:
    """Return e to the power x, which may be any number but NaN."""
    if x > 709.782712893384:
        return math.inf
    if x < -745.1332191019412:
        return 0.0
    whole = (x * PER_LN2 + TO_WHOLE) - TO_WHOLE
    r = (x - whole * LN2_HIGH) - whole * LN2_LOW  # at most ln 2 / 2: the series ends soon
    r2 = r * r
    r4 = r2 * r2
    low = (E2 + r * E3) + r2 * (E4 + r * E5)
    middle = (E6 + r * E7) + r2 * (E8 + r * E9)
    high = (E10 + r * E11) + r2 * (E12 + r * E13)
    y = 1.0 + (r + r2 * (low + r4 * (middle + r4 * high)))
    k = int(whole)
    half = k >> 1  # in two steps, of which only the second can round: a result may be too small for one
    return y * _number((half + 1023) << 52) * _number((k - half + 1023) << 52)


@rule
def log(x: float) -> float:
    """Return the natural logarithm of x, which must be above 0, finite and no subnormal number."""
    bits = _bits(x)
    k = (bits >> 52) - 1023
    mantissa = bits & MANTISSA
    f = _number(mantissa | ONE)
    if mantissa >= HALF_ROOT:  # from √½ to √2: the series ends soon
        f *= 0.5
        k += 1
    f -= 1.0
    # log((1 + s) / (1 − s)) = 2 s (1 + s²/3 + s⁴/5 + …), where 1 + f = (1 + s) / (1 − s) and 2 s = f − s f.
    s = f / (2.0 + f)
    s2 = s * s
    s4 = s2 * s2
    s8 = s4 * s4
    low = (L1 + s2 * L2) + s4 * (L3 + s2 * L4)
    middle = (L5 + s2 * L6) + s4 * (L7 + s2 * L8)
    high = (L9 + s2 * L10) + s4 * L11
    series = s2 * (low + s8 * (middle + s8 * high))
    square = 0.5 * f * f
    return k * LN2_HIGH - ((square - (s * (square + series) + k * LN2_LOW)) - f)
