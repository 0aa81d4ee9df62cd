"""Rows of arrays, without the count of references that Numba adds to them."""

from typing import Any

from numba import types
from numba.core import config
from numba.extending import intrinsic
from numba.np import arrayobj

from tavolino.games.jit import INTERPRETED, rule

if INTERPRETED or config.BOUNDSCHECK:  # type: ignore[attr-defined]

    @rule
    def borrow(array: Any, i: int) -> Any:
        """Return row i of an array."""
        return array[i]

else:

    @intrinsic
    def borrow(typing_context: Any, array: Any, i: Any) -> Any:
        """Return row i of an array that the caller holds for as long as the row is used.

        `array[i]` would count as a use of the array, from its making to its end: atomic, so some nanoseconds each.
        """

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            whole = context.make_array(array)(context, builder, args[0])
            row = context.make_array(signature.return_type)(context, builder)
            length = builder.extract_value(whole.shape, 1)
            data = builder.gep(whole.data, [builder.mul(args[1], length)])
            arrayobj.populate_array(row, data, [length], [whole.itemsize], whole.itemsize, None)  # type: ignore[no-untyped-call]
            return row._getvalue()

        if array.layout != "C":
            return None  # to Numba: no such call
        return array.copy(ndim=1)(array, types.int64), generate
