"""Compile once: only a function that Python calls is optimised and turned into machine code; its callees are not.

By default, Numba optimises every function and turns it into machine code before linking it into each of its callers,
where it is optimised again: for one game 170 modules, of which Python calls 13. Here a callee is left as plain LLVM IR
(`_Callee`). The function that Python calls (`_Entry`) links in everything it reaches, hides it (nobody else calls it,
so LLVM may inline it and drop arguments and dead results) and optimises the whole. That takes half the time, and the
code is faster: LLVM sees through all calls. See docs/decisions/0003-cold-start.md.

No reference to an array is counted where a function only uses what its caller holds (`_only_borrows`): a count is an
atomic instruction, and LLVM has to suppose that it changes all memory.

A large function that many entries call (`jit.shared`) is an entry of its own: the others only declare it, so that it is
optimised once. Code on disk names what it needs in this way (`Shared`), and that is loaded first.

This uses private parts of Numba, so pyproject.toml pins its minor version; `why_not` says if they are not as expected,
and `jit.rule` then compiles the ordinary way. Numba is changed only while a function of ours is compiled, under its own
lock; if somebody else's function links a library of ours later, that library brings everything it needs.
"""

import contextlib
import gc
import hashlib
import importlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import llvmlite.ir as llvmir
import numba
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import codegen, compiler, cpu, errors, event, lowering, types
from numba.core.typing import templates

TESTED = "0.68"
COUNTS_NEEDED = "NRT required but not enabled"
"""What Numba says where references are not counted, and must be."""
"""The version of Numba whose private parts these are."""
_USED: dict[Any, tuple[str, ...]] = {
    codegen.CPUCodeLibrary: (
        "finalize",
        "serialize_using_object_code",
        "_get_module_for_linking",
        "_optimize_final_module",
        "_finalize_final_module",
    ),
    compiler.CompilerBase: ("_compile_core",),
    compiler.CompileResult: ("_find_referenced_environments",),
    cpu.CPUContext: ("get_executable", "mangler"),
    lowering.BaseLower: ("lower",),
    codegen.JITCPUCodegen: ("set_env", "_module_pass_manager"),
    templates._OverloadFunctionTemplate: ("_get_impl", "_build_impl"),
    event: ("start_event", "end_event"),
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


class Shared(NamedTuple):
    """A shared function with the types it is compiled for: called, it makes sure that its code is in memory."""

    module: str
    name: str
    args: tuple[Any, ...]

    def __call__(self) -> None:
        importlib.import_module(self.module)
        shared[self.module, self.name].compile(self.args)


shared: dict[tuple[str, str], Any] = {}
"""The dispatchers of shared functions, by module and name."""


def share(result: Any, function: Any) -> None:
    """Let code that calls a shared function declare it instead of linking it, and load it first."""
    library = result.library
    library._reload_init.add(Shared(function.__module__, function.__name__, result.signature.args))
    library._shared_module = llvm.parse_assembly("")


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


def _tidy_up(self: Any, module: Any) -> None:
    """Tidy up what the module defines, by one manager of passes: Numba makes one for each name it declares, too."""
    module.data_layout = self._codegen._data_layout
    passes, builder = self._codegen._function_pass_manager()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


class _Callee(codegen.JITCodeLibrary):
    """The code of a function that only compiled code calls: never optimised nor run by itself."""

    _alone: Any = None

    def finalize(self) -> None:
        """Allow no more additions."""
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    _optimize_functions = _tidy_up

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


_HIDDEN = ".hidden"
"""The end of the names of hidden functions. LLVM's loader also finds hidden code by its name and takes it for what
another library defines under that name, though LLVM may have dropped arguments of it."""


class _Entry(codegen.JITCodeLibrary):
    """The code of a function that Python calls, with all that it reaches."""

    _optimize_functions = _tidy_up

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
                function.name += _HIDDEN
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


def _only_borrows(lower: Any) -> bool:
    """Tell whether every array in a function is its caller's, or a part of one: none is made, handed over or returned.

    Whatever else is counted, and every operation but to read an item or a slice that results in an array, says no.
    """
    kinds, types_of = lower.context.data_model_manager, lower.fndesc.typemap.values()

    def counted(kind: Any) -> bool:
        return bool(kinds[kind].contains_nrt_meminfo())

    def made(operation: Any, signature: Any) -> bool:
        if signature is None or not counted(signature.return_type):
            return False  # None: an item by a constant
        return getattr(operation, "op", "") not in ("getitem", "static_getitem") or counted(signature.args[1])

    return not (
        lower.generator_info
        or counted(lower.fndesc.restype)
        or any(counted(kind) and not isinstance(kind, types.Array | types.BaseTuple) for kind in types_of)
        or any(made(*call) for call in lower.fndesc.calltypes.items())
    )


_ordinary_lower = lowering.BaseLower.lower


def _lower(self: Any) -> None:
    """Turn a function into LLVM IR; its context is its own, and is used for its wrapper for Python afterwards.

    What Numba does inside an operation may need references all the same, such as the copy in `a[:] = b`.
    """
    if not self.context.enable_nrt or not _only_borrows(self):
        _ordinary_lower(self)
        return
    counting, *made_of = self.context, self.library, self.fndesc, self.func_ir, self.metadata
    self.context = counting.subtarget(enable_nrt=False)
    self.context.__dict__.pop("nrt", None)  # made by the first who asks
    try:
        _ordinary_lower(self)
    except errors.NumbaError as error:
        if COUNTS_NEEDED not in str(error):
            raise
        self.__init__(counting, *made_of)
        _ordinary_lower(self)
    else:
        self.context = counting


_ordinary_core = compiler.CompilerBase._compile_core
_ordinary_executable = cpu.CPUContext.get_executable
_ordinary_mangler = cpu.CPUContext.mangler


def _compile_core(self: Any) -> Any:
    """Compile one function into a library of ours."""
    state = self.state
    kind = _Callee if state.flags.no_cpython_wrapper else _Entry
    state.flags.no_cfunc_wrapper = True  # for code in C, which calls none of ours
    if kind is _Entry and (state.func_id.modname, state.func_id.func_name) in shared:
        state.func_id.unique_id = _SHARED
    # Numba brings a library of its own only where it compiles a helper to be linked at once, and asks for it back.
    if state.library is None or state.flags.no_compile:
        state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
    return _ordinary_core(self)


_SHARED = "shared"
"""Stands for the number by which Numba tells functions of the same name apart."""


def _mangler(self: Any, name: str, types: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
    """Return the name of a function in machine code: of a shared one the same in every process, as others call it."""
    if uid == _SHARED:
        uid, types = hashlib.sha256(repr([str(kind) for kind in types]).encode()).hexdigest()[:24], ()
    return str(_ordinary_mangler(self, name, types, abi_tags=abi_tags, uid=uid))


def _get_executable(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
    """Return Numba's result for a compiled function; for a callee, which Python never calls, without machine code."""
    if not isinstance(library, _Callee):
        return _ordinary_executable(self, library, fndesc, env)
    library._ensure_finalized()
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, f"callee {fndesc.qualname!r}", 0, env, (library,))


def _get_impl(self: Any, args: Any, kws: Any) -> Any:
    """Return how a function of NumPy's or Python's is compiled: the same for all of ours, whose flags mean the same."""
    key = self.context, tuple(args), tuple(kws.items()), "tavolino"
    found = self._impl_cache.get(key)
    return self._build_impl(key, args, kws) if found is None else found


def _say_nothing(*_: Any, **__: Any) -> None:
    """Stand in for Numba's events, two for each call of LLVM: telling them takes a twentieth of the time."""


_REPLACED: tuple[tuple[Any, str, Any, Any], ...] = (
    (compiler.CompilerBase, "_compile_core", _ordinary_core, _compile_core),
    (lowering.BaseLower, "lower", _ordinary_lower, _lower),
    (cpu.CPUContext, "get_executable", _ordinary_executable, _get_executable),
    (cpu.CPUContext, "mangler", _ordinary_mangler, _mangler),
    (templates._OverloadFunctionTemplate, "_get_impl", templates._OverloadFunctionTemplate._get_impl, _get_impl),
    (event, "start_event", event.start_event, _say_nothing),
    (event, "end_event", event.end_event, _say_nothing),
)


_inside = False


@contextlib.contextmanager
def entering() -> Iterator[None]:
    """Compile what is compiled inside as an entry and its callees; the caller holds Numba's compiler lock."""
    global _inside
    if _inside:  # a shared function that an entry needs
        yield
        return
    collecting = gc.isenabled()
    gc.disable()  # nothing of a compilation is garbage before its end: looking for it takes a tenth of the time
    _inside = True
    for kind, name, _, ours in _REPLACED:
        setattr(kind, name, ours)
    try:
        yield
    finally:
        for kind, name, ordinary, _ in _REPLACED:
            setattr(kind, name, ordinary)
        _inside = False
        if collecting:
            gc.enable()


def connect(result: Any) -> None:
    """Give an entry's code the environments of its callees, as Numba does when it reads code from disk."""
    for environment in result._find_referenced_environments():
        result.library.codegen.set_env(environment.env_name, environment)
