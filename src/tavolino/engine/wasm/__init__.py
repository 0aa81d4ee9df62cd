"""The compiled rules as WebAssembly, from the same Python source: Numba lowers it, LLVM (llvmlite's) emits it.

`capture` takes what Numba makes of each function before anything of this machine is in it; `emit` turns it into an
object file for wasm32; `link` makes that a module. Nothing else is needed: llvmlite's wheel contains the back end. What
is exported is the caller's choice (`Export`), so this package knows no game. See docs/decisions/0008-webassembly.md.
"""
