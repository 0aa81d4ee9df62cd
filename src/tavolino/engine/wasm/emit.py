"""Turn captured IR into an object file for wasm32, by llvmlite alone."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import llvmlite.binding as llvm

from tavolino.engine.wasm import runtime
from tavolino.engine.wasm.capture import CannotCapture, Lowered

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+bulk-memory-opt,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
"""What every browser of the last years has: Chrome 91, Firefox 89, Safari 16.4."""
SQUARE_ROOT = re.compile(r'@"?sqrt"?(?=\()')
"""A function of the C library where WebAssembly has an instruction, exact by IEEE 754."""

ADDRESS = re.compile(r"\bgetelementptr (?!inbounds)")
IN_BOUNDS = "getelementptr inbounds "
"""An item lies in its array, as native code relies on, too: so an address of WebAssembly can hold a constant offset."""
UNROLL = "-unroll-threshold=400"
"""An option of LLVM, for a process of its own: unroll the network's loops, which are just above its usual limit."""

COUNTING = re.compile(r"^define [^\n]*@NRT_(?:incref|decref)\([^\n]*(#\d+)", re.MULTILINE)
"""Numba's functions that count references, and the group of their attributes: it lets nobody inline them, so that pairs
of calls are found."""

ONLY_WORDS = ("ol_raise_with_shape_context_cpu.",)
"""Functions of Numba's that put an error into words, with strings and floating-point logarithms: here they trap."""
BODY = re.compile(r"^(define [^\n]*\n)\{.*?^\}", re.MULTILINE | re.DOTALL)
TRAP = "{\n  call void @llvm.trap()\n  unreachable\n}"


def emit(lowered: Sequence[Lowered], exported: Iterable[str]) -> bytes:
    """Return the object file of everything that the exported functions need."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
    )
    whole = _parse(Lowered("runtime", runtime.IR), machine)
    defined: set[str] = _definitions(whole)
    for one in lowered:
        module = _parse(one, machine)
        for function in module.functions:  # the same helper may come with several functions
            if not function.is_declaration and function.name in defined:
                function.linkage = "linkonce_odr"
        defined |= _definitions(module)
        whole.link_in(module)
    kept = {*exported, runtime.RESERVE, runtime.HEAP}
    for symbol in (*whole.functions, *whole.global_variables):
        if not symbol.is_declaration and symbol.name not in kept:
            symbol.linkage = "internal"
    whole.verify()
    whole = _optimise(whole, machine)
    _check(whole, lowered)
    return machine.emit_object(whole)


def _parse(one: Lowered, machine: Any) -> Any:
    """Return a function's module, for wasm32 instead of the machine it was lowered on."""
    text = re.sub(r"^target (triple|datalayout) = .*$", "", one.text, flags=re.MULTILINE)
    if one.name.startswith(ONLY_WORDS):
        text = BODY.sub(rf"\1{TRAP}", text) + "\ndeclare void @llvm.trap()\n"
    text = ADDRESS.sub(IN_BOUNDS, SQUARE_ROOT.sub("@llvm.sqrt.f64", text))
    header = f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
    try:
        module = llvm.parse_assembly(header + text)
        module.verify()
    except RuntimeError as error:
        raise CannotCapture(f"LLVM cannot read {one.name} for {TRIPLE}: {error}") from None
    return module


def _definitions(module: Any) -> set[str]:
    return {function.name for function in module.functions if not function.is_declaration}


def _optimise(module: Any, machine: Any) -> Any:
    """Optimise as Numba does: inline cheaply, drop pairs of incref and decref, then everything.

    Loops are unrolled at the end only: for this target LLVM would unroll them first, and not vectorise them then. What
    is left of the counting of references is inlined there, too, since V8 does not do it. Returns the module.
    """
    for speed, vectorise, prune in ((1, False, True), (3, True, True), (3, True, False)):
        if not prune:
            module = _inlinable(module)
        options = llvm.create_pipeline_tuning_options(speed_level=speed)
        options.loop_vectorization = options.slp_vectorization = vectorise
        options.loop_unrolling = not prune
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        if speed == 1:
            passes.add_loop_rotate_pass()
            passes.add_instruction_combine_pass()
            passes.add_jump_threading_pass()
        if prune:
            passes.add_refprune_pass()
        passes.run(module, builder)
    module.verify()
    return module


def _inlinable(module: Any) -> Any:
    """Return a module in which the functions that count references may be inlined."""
    text = str(module)
    for group in set(COUNTING.findall(text)):
        text = re.sub(rf"^(attributes {group} = .*?) noinline\b", r"\1 nounwind", text, flags=re.MULTILINE)
    return llvm.parse_assembly(text)


def _check(module: Any, lowered: Sequence[Lowered]) -> None:
    """Say what the code needs that is not there, and where: a function of Numba's runtime or of C, or an address."""
    missing = [one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")]
    missing += [one.name for one in module.global_variables if one.is_declaration]
    missing += [one.name for one in module.global_variables if one.name.startswith("numba.dynamic.globals")]
    if missing:
        found = [f"{name} (in {', '.join(_users(name, lowered)) or 'no function by name'})" for name in sorted(missing)]
        raise CannotCapture(
            f"compiled code needs what WebAssembly does not have: {'; '.join(found)}. Add it to {runtime.__name__}, or"
            " write the rule without it"
        )


def _users(name: str, lowered: Sequence[Lowered]) -> list[str]:
    return sorted({one.name for one in lowered if re.search(rf'@"?{re.escape(name)}"?\b', one.text)})
