"""Rows of arrays without Numba's overhead: counting references, and copying number by number."""

from typing import Any

from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic
from numba.np import arrayobj

from tavolino.engine.jit import INTERPRETED, rule

if INTERPRETED or config.BOUNDSCHECK:  # type: ignore[attr-defined]

    @rule
    def borrow(array: Any, i: int) -> Any:
        """Return row i of an array."""
        return array[i]

    @rule
    def put(out: Any, at: int, table: Any, i: int) -> None:
        """Copy row i of a table to out[at:]."""
        for k in range(table.shape[1]):
            out[at + k] = table[i, k]

else:

    @intrinsic
    def borrow(typing_context: Any, array: Any, i: Any) -> Any:
        """Return row i of an array that the caller holds for as long as the row is used.

        `array[i]` would count a reference to the array, atomically, which takes some nanoseconds each time.
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

    @intrinsic
    def put(typing_context: Any, out: Any, at: Any, table: Any, i: Any) -> Any:
        """Copy row i of a table to out[at:], several numbers per instruction: a loop would store one by one."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            to, source = (context.make_array(kind)(context, builder, args[k]) for k, kind in ((0, out), (2, table)))
            width = builder.extract_value(source.shape, 1)  # a constant where the table is one
            source_at = builder.gep(source.data, [builder.mul(args[3], width)])
            size = out.dtype.bitwidth // 8
            out_at = builder.gep(to.data, [args[1]])
            cgutils.raw_memcpy(builder, out_at, source_at, width, size, align=size)  # type: ignore[no-untyped-call]
            return context.get_dummy_value()

        if out.layout != "C" or table.layout != "C":
            return None
        return types.void(out, types.int64, table, types.int64), generate
