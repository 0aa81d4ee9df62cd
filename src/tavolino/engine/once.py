"""Compile once: only a function that Python calls is optimised and turned into machine code; its callees are not.

By default, Numba optimises every function and turns it into machine code before linking it into each of its callers,
where it is optimised again: for one game 170 modules, of which Python calls 13. Here a callee is left as plain LLVM IR
(`_Callee`). The function that Python calls (`_Entry`) links in everything it reaches, hides it (nobody else calls it,
so LLVM may inline it and drop arguments and dead results) and optimises the whole. That takes half the time, and the
code is faster: LLVM sees through all calls. See docs/decisions/0003-cold-start.md.

This uses private parts of Numba, so pyproject.toml pins its minor version; `why_not` says if they are not as expected,
and `jit.rule` then compiles the ordinary way. Numba is changed only while a function of ours is compiled, under its own
lock; if somebody else's function links a library of ours later, that library brings everything it needs.
"""

import contextlib
import gc
from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm
import llvmlite.ir as llvmir
import numba
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import codegen, compiler, cpu

TESTED = "0.68"
"""The version of Numba whose private parts these are."""
_USED = {
    codegen.CPUCodeLibrary: (
        "finalize",
        "serialize_using_object_code",
        "_get_module_for_linking",
        "_optimize_final_module",
        "_finalize_final_module",
    ),
    compiler.CompilerBase: ("_compile_core",),
    compiler.CompileResult: ("_find_referenced_environments",),
    cpu.CPUContext: ("get_executable",),
    codegen.JITCPUCodegen: ("set_env", "_module_pass_manager"),
}


def why_not() -> str | None:
    """Say why this version of Numba cannot compile in this way; None if it can."""
    if not f"{numba.__version__}.".startswith(f"{TESTED}."):
        return f"Numba {numba.__version__} is not {TESTED}"
    for kind, names in _USED.items():
        for name in names:
            if not hasattr(kind, name):
                return f"Numba {numba.__version__} has no {kind.__name__}.{name}"
    return None


def _reached(library: Any) -> list[Any]:
    """Return the libraries that one needs: those it links, and what the callees among them need."""
    found: dict[Any, None] = {}
    waiting = list(library._linking_libraries)
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found[one] = None
            if isinstance(one, _Callee):
                waiting += one._linking_libraries
    return list(found)


class _Callee(codegen.JITCodeLibrary):
    """The code of a function that only compiled code calls: never optimised nor run by itself."""

    _alone: Any = None

    def finalize(self) -> None:
        """Allow no more additions."""
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def alone(self) -> Any:
        """Return the module of this function only, to be linked any number of times."""
        if self._alone is None:
            self._alone = super()._get_module_for_linking()
            self._shared_module = None
        return self._alone

    def _get_module_for_linking(self) -> Any:
        """Return a module with all that it needs: for a function that is compiled the ordinary way."""
        if self._shared_module is None:
            module = self.alone().clone()
            for library in _reached(self):
                module.link_in(_module_of(library), preserve=True)
            self._shared_module = module
        return self._shared_module


def _module_of(library: Any) -> Any:
    return library.alone() if isinstance(library, _Callee) else library._get_module_for_linking()


class _Entry(codegen.JITCodeLibrary):
    """The code of a function that Python calls, with all that it reaches."""

    def finalize(self) -> None:
        """Link, optimise, make machine code."""
        self._raise_if_finalized()
        module = self._final_module
        own = {function.name for function in module.functions if not function.is_declaration}
        for library in _reached(self):
            self._reload_init.update(library._reload_init)
            module.link_in(_module_of(library), preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"
        self._optimize_final_module()
        module.verify()
        self._finalize_final_module()

    def serialize_using_object_code(self) -> tuple[str, str, Any]:
        """Return what is kept on disk: the machine code and the names in it, not the IR, which nobody links."""
        self._ensure_finalized()
        names = llvmir.Module(self.name)
        pointer = llvmir.IntType(8).as_pointer()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage != llvm.Linkage.internal:
                made = llvmir.Function(names, llvmir.FunctionType(llvmir.VoidType(), ()), function.name)
                llvmir.IRBuilder(made.append_basic_block()).ret_void()
        for variable in self._final_module.global_variables:
            if not variable.is_declaration and variable.linkage != llvm.Linkage.internal:
                llvmir.GlobalVariable(names, pointer, variable.name).initializer = llvmir.Constant(pointer, None)
        return self.name, "object", (self._get_compiled_object(), llvm.parse_assembly(str(names)).as_bitcode())


_ordinary_core = compiler.CompilerBase._compile_core
_ordinary_executable = cpu.CPUContext.get_executable


def _compile_core(self: Any) -> Any:
    """Compile one function into a library of ours."""
    state = self.state
    kind = _Callee if state.flags.no_cpython_wrapper else _Entry
    # Numba brings a library of its own only where it compiles a helper to be linked at once, and asks for it back.
    if state.library is None or state.flags.no_compile:
        state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
    return _ordinary_core(self)


def _get_executable(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
    """Return Numba's result for a compiled function; for a callee, which Python never calls, without machine code."""
    if not isinstance(library, _Callee):
        return _ordinary_executable(self, library, fndesc, env)
    library._ensure_finalized()
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, f"callee {fndesc.qualname!r}", 0, env, (library,))


_REPLACED: tuple[tuple[Any, str, Any, Any], ...] = (
    (compiler.CompilerBase, "_compile_core", _ordinary_core, _compile_core),
    (cpu.CPUContext, "get_executable", _ordinary_executable, _get_executable),
)


@contextlib.contextmanager
def entering() -> Iterator[None]:
    """Compile what is compiled inside as an entry and its callees; the caller holds Numba's compiler lock."""
    collecting = gc.isenabled()
    gc.disable()  # nothing of a compilation is garbage before its end: looking for it takes a tenth of the time
    for kind, name, _, ours in _REPLACED:
        setattr(kind, name, ours)
    try:
        yield
    finally:
        for kind, name, ordinary, _ in _REPLACED:
            setattr(kind, name, ordinary)
        if collecting:
            gc.enable()


def connect(result: Any) -> None:
    """Give an entry's code the environments of its callees, as Numba does when it reads code from disk."""
    for environment in result._find_referenced_environments():
        result.library.codegen.set_env(environment.env_name, environment)
