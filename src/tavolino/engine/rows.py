"""Rows of numbers without Numba's overhead: copying number by number."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic

from tavolino.engine.jit import INTERPRETED, rule

if INTERPRETED or config.BOUNDSCHECK:  # type: ignore[attr-defined]

    @rule
    def put(out: Any, at: int, table: Any, i: int) -> None:
        """Copy row i of a table to out[at:]."""
        for k in range(table.shape[1]):
            out[at + k] = table[i, k]

    @rule
    def spread(out: Any, at: int, bits: int) -> None:
        """Write 64 numbers, 1 for each set bit and 0 for the others, to out[at:], as far as it goes."""
        for k in range(min(64, len(out) - at)):
            out[at + k] = bits >> k & 1

    @rule
    def spread_bytes(out: Any, at: int, bits: int) -> None:
        """Write 64 bytes, 1 for each set bit and 0 for the others, to out[at:], eight at a time."""
        for k in range(8):
            eight = 0
            for i in range(8):
                eight |= (int(bits) >> (8 * k + i) & 1) << 8 * i
            out[at + k] = eight

    @rule
    def turn_round(out: Any, at: int, most: int, width: int, seats: int, by: int) -> None:
        """Move the rows of the seats that there are, of `most`, up by so many places, round and round."""
        rows = out[at : at + seats * width].copy()
        for i in range(seats):
            come_from = (i + by) % seats
            for k in range(width):
                out[at + width * i + k] = rows[width * come_from + k]

else:

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

    def _spread(context: Any, builder: Any, out: Any, args: Any, number: Any) -> Any:
        """Store 64 numbers of a type, 1 for each set bit, in one go."""
        to = context.make_array(out)(context, builder, args[0])
        row, bit = ir.VectorType(number, 64), ir.VectorType(ir.IntType(1), 64)
        zero, one = (ir.Constant(row, [ir.Constant(number, value)] * 64) for value in (0, 1))
        numbers = builder.select(builder.bitcast(args[2], bit), one, zero)
        where = builder.bitcast(builder.gep(to.data, [args[1]]), row.as_pointer())
        builder.store(numbers, where, align=1)
        return context.get_dummy_value()

    @intrinsic
    def spread(typing_context: Any, out: Any, at: Any, bits: Any) -> Any:
        """Write 64 numbers, 1 for each set bit and 0 for the others, to out[at:], which must be as long.

        A few instructions, where the processor has them for rows of numbers.
        """

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _spread(context, builder, out, args, context.get_data_type(out.dtype))

        if out.layout != "C":
            return None
        return types.void(out, types.int64, types.int64), generate

    @intrinsic
    def spread_bytes(typing_context: Any, out: Any, at: Any, bits: Any) -> Any:
        """Write 64 bytes, 1 for each set bit and 0 for the others, to out[at:], eight numbers of 64 bits."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _spread(context, builder, out, args, ir.IntType(8))

        if out.layout != "C":
            return None
        return types.void(out, types.int64, types.int64), generate

    @intrinsic(prefer_literal=True)
    def turn_round(typing_context: Any, out: Any, at: Any, most: Any, width: Any, seats: Any, by: Any) -> Any:
        """Move the rows of the seats that there are, of `most`, up by so many places, round and round.

        `most` and `width`, the numbers in a row, must be constants, `by` from 0 to seats − 1. All rows are read before
        one is written, with no branch but for two seats.
        """
        if not (isinstance(most, types.IntegerLiteral) and isinstance(width, types.IntegerLiteral)):
            return None
        rows, length = most.literal_value, width.literal_value

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            to = context.make_array(out)(context, builder, args[0])
            start, seats_there, by_places = builder.gep(to.data, [args[1]]), args[4], args[5]
            number = context.get_data_type(out.dtype)

            def turn(there_are: int) -> None:
                held = []
                for i in range(there_are):
                    here = ir.Constant(ir.IntType(64), i)
                    there = builder.add(here, by_places)
                    beyond = builder.icmp_signed(">=", there, seats_there)
                    there = builder.select(beyond, builder.sub(there, seats_there), there)
                    there = builder.select(builder.icmp_signed("<", here, seats_there), there, here)
                    begin = builder.mul(there, ir.Constant(ir.IntType(64), length))
                    for first, numbers in _parts(length):
                        kind = ir.VectorType(number, numbers).as_pointer()
                        source = builder.gep(start, [builder.add(begin, ir.Constant(ir.IntType(64), first))])
                        to_here = builder.gep(start, [ir.Constant(ir.IntType(64), i * length + first)])
                        loaded = builder.load(builder.bitcast(source, kind), align=1)
                        held.append((loaded, builder.bitcast(to_here, kind)))
                for loaded, where in held:
                    builder.store(loaded, where, align=1)

            two = builder.icmp_signed("==", seats_there, ir.Constant(ir.IntType(64), 2))
            with builder.if_else(two) as (then, otherwise):
                with then:
                    turn(2)
                with otherwise:
                    turn(rows)
            return context.get_dummy_value()

        if out.layout != "C":
            return None
        return types.void(out, types.int64, most, width, types.int64, types.int64), generate

    def _parts(width: int) -> list[tuple[int, int]]:
        """Return where to begin, and how many numbers, to copy a row at 16, 8, 4 … numbers a time; parts may overlap.

        >>> _parts(30), _parts(7)
        ([(0, 16), (14, 16)], [(0, 4), (3, 4)])
        """
        length = min(16, 1 << width.bit_length() - 1)
        return [(min(first, width - length), length) for first in range(0, width, length)]
