"""Catch what Numba makes of compiled functions, as LLVM IR, and write what WebAssembly exports for them.

Every function that Numba lowers passes through `CPUCodeLibrary.add_ir_module` as IR, before any pass has run and before
anything of this machine is in it but two header lines (`emit` replaces them). So that method is replaced by one that
keeps the text, and everything after it is switched off: machine code, wrappers for Python, the cache on disk.

That is for a process of its own, which compiles nothing else: call `start` before any module with rules is imported.
These are private parts of Numba, whose minor version pyproject.toml pins; `missing` says which are not as expected.
"""

import traceback
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import llvmlite.ir as ir
import numba
import numpy as np
from numba import _dynfunc, types  # type: ignore[attr-defined]
from numba.core import callconv, cgutils, codegen, cpu
from numba.core.registry import cpu_target
from numba.np import arrayobj

from tavolino.engine import once

_USED: dict[Any, tuple[str, ...]] = {
    codegen.CPUCodeLibrary: ("add_ir_module", "add_linking_library", "finalize"),
    cpu.CPUContext: ("create_cpython_wrapper", "create_cfunc_wrapper", "get_executable"),
    callconv.CPUCallConv: ("get_function_type", "call_function"),
    arrayobj: ("make_array", "populate_array"),
    cgutils: ("normalize_ir_text",),
    _dynfunc: ("make_function",),
}


class CannotCapture(RuntimeError):
    """Code cannot be captured: Numba is built differently from what is known here, or needs what is not there."""


class Export(NamedTuple):
    """A compiled function that WebAssembly exports: its name there, and the types it is compiled for."""

    name: str
    function: Any
    arguments: tuple[Any, ...]


class Lowered(NamedTuple):
    """A function as LLVM IR."""

    name: str
    text: str


def array(dtype: Any, axes: int = 1) -> Any:
    """Return the Numba type of an array as it is passed from outside: contiguous and writable."""
    return types.Array(numba.from_dtype(np.dtype(dtype)), axes, "C")


def missing() -> list[str]:
    """Return the parts of Numba that are used here and not there: none, if the capture can work."""
    return [f"{kind.__name__}.{name}" for kind, names in _USED.items() for name in names if not hasattr(kind, name)]


def start() -> list[Lowered]:
    """Let Numba lower functions without compiling them, for the rest of this process; return the list it fills."""
    if gone := missing():
        raise CannotCapture(
            f"Numba {numba.__version__} cannot be captured for WebAssembly: it has no {', '.join(gone)}, which"
            f" {__name__} relies on; Numba {once.TESTED} has them"
        )
    lowered: list[Lowered] = []

    def keep(self: Any, module: Any) -> None:
        lowered.append(Lowered(module.name, cgutils.normalize_ir_text(str(module))))  # type: ignore[no-untyped-call]

    def finish(self: Any) -> None:
        self._finalized = True

    def stand_in(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
        """Return a function that is never called; its address is a number of its own, by which Numba knows it."""
        name = fndesc.qualname.split(".")[-1]
        return _dynfunc.make_function(fndesc.lookup_module(), name, "", len(lowered), env, (library,))

    nothing: Any = lambda *args, **options: None  # noqa: E731
    for kind, name, ours in (
        (codegen.CPUCodeLibrary, "add_ir_module", keep),
        (codegen.CPUCodeLibrary, "add_linking_library", nothing),
        (codegen.CPUCodeLibrary, "finalize", finish),
        (cpu.CPUContext, "create_cpython_wrapper", nothing),
        (cpu.CPUContext, "create_cfunc_wrapper", nothing),
        (cpu.CPUContext, "get_executable", stand_in),
    ):
        setattr(kind, name, ours)
    once.why_not = lambda: "for WebAssembly"  # the ordinary way of compiling, which this replaces
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tavolino.engine import cache, jit

    if jit.ONCE:
        raise CannotCapture("a module with rules was imported before the capture started")
    cache.Cache.load_overload = nothing  # type: ignore[method-assign]
    cache.Cache.save_overload = nothing  # type: ignore[method-assign]
    return lowered


def compiled(function: Any) -> Any:
    """Return the compiled function behind one that Python calls: `tiers.entry` puts a choice before it."""
    if hasattr(function, "overloads"):
        return function
    for cell in function.__closure__ or ():
        if hasattr(cell.cell_contents, "overloads"):
            return cell.cell_contents
    raise TypeError(f"{function!r} is not compiled")


def export(wanted: Export) -> tuple[Lowered, dict[str, Any]]:
    """Lower a function and return what is exported for it, and its description.

    Outside, an array is its address and the length of each axis, as 32-bit numbers; a number is itself. An error of
    Numba's (an index, a division by zero) traps.
    """
    dispatcher, context = compiled(wanted.function), cpu_target.target_context
    dispatcher.compile(wanted.arguments)
    fndesc = dispatcher.overloads[wanted.arguments].fndesc
    module = ir.Module(f"export {wanted.name}")
    flat: list[Any] = []
    for kind in wanted.arguments:
        flat += [_POINTER] + [_I32] * kind.ndim if isinstance(kind, types.Array) else [context.get_value_type(kind)]
    returned = fndesc.restype
    kind_out = ir.VoidType() if returned == types.none else context.get_value_type(returned)
    function = ir.Function(module, ir.FunctionType(kind_out, flat), wanted.name)
    builder = ir.IRBuilder(function.append_basic_block())
    outside = iter(function.args)
    inside = [_argument(context, builder, kind, outside) for kind in wanted.arguments]
    callee = ir.Function(module, context.call_conv.get_function_type(returned, fndesc.argtypes), fndesc.llvm_func_name)
    status, result = context.call_conv.call_function(builder, callee, returned, fndesc.argtypes, inside)
    with builder.if_then(status.is_error, likely=False):
        builder.call(module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), ())), ())
        builder.unreachable()
    if returned == types.none:
        builder.ret_void()
    else:
        builder.ret(result)
    names = dispatcher.py_func.__code__.co_varnames
    about = {"takes": [_describe(name, kind) for name, kind in zip(names, wanted.arguments, strict=False)]}
    return Lowered(wanted.name, str(module)), about | {"gives": None if returned == types.none else str(returned)}


_I32, _I64 = ir.IntType(32), ir.IntType(64)
_POINTER = ir.IntType(8).as_pointer()


def _describe(name: str, kind: Any) -> list[Any]:
    if not isinstance(kind, types.Array):
        return [name, str(kind)]
    return [name, "record" if isinstance(kind.dtype, types.Record) else str(kind.dtype), kind.ndim]


def _argument(context: Any, builder: Any, kind: Any, outside: Any) -> Any:
    """Return an argument as Numba's code takes it: of an array, the whole description."""
    if not isinstance(kind, types.Array):
        return next(outside)
    data = next(outside)
    shape = [builder.zext(next(outside), _I64) for _ in range(kind.ndim)]
    size = context.get_constant(
        types.intp, kind.dtype.size if isinstance(kind.dtype, types.Record) else kind.dtype.bitwidth // 8
    )
    strides: list[Any] = []
    step = size
    for length in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, length)
    made = arrayobj.make_array(kind)(context, builder)  # type: ignore[no-untyped-call]
    pointer = builder.bitcast(data, context.get_data_type(kind.dtype).as_pointer())
    arrayobj.populate_array(made, pointer, shape, strides, size, None, None)  # type: ignore[no-untyped-call]
    return made._getvalue()


def _named(wanted: Export) -> str:
    return f"{getattr(wanted.function, '__module__', '')}.{wanted.function.__name__}, exported as {wanted.name},"


def _lines_with(name: str, text: str) -> Iterator[int]:
    """Yield where the lines of a text begin that name a function."""
    at = text.find(name)
    while at >= 0:
        yield text.rfind("\n", 0, at) + 1
        at = text.find(name, at + 1)


def lower(exports: Sequence[Export], lowered: list[Lowered]) -> tuple[list[Lowered], dict[str, Any]]:
    """Lower what is exported and all it calls; return the IR of everything, and the description of each export."""
    about = {}
    for wanted in exports:
        try:
            made, about[wanted.name] = export(wanted)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            raise CannotCapture(
                f"{_named(wanted)} cannot be lowered by Numba {numba.__version__}: {error}"
                f" ({type(error).__name__} in {frame.name}, {frame.filename}:{frame.lineno})"
            ) from error
        name = compiled(wanted.function).overloads[wanted.arguments].fndesc.llvm_func_name
        if not any(one.text.startswith("define", at) for one in lowered for at in _lines_with(name, one.text)):
            raise CannotCapture(
                f"{_named(wanted)} was lowered by Numba {numba.__version__}, but its code did not pass"
                f" CPUCodeLibrary.add_ir_module, where {__name__} waits for it; with Numba {once.TESTED} it does"
            )
        lowered.append(made)
    return lowered, about
