"""Tell Gymnasium of our environments, whether it is imported before Tavolino or after; imports nothing heavy.

Gymnasium imports `tavolino` when it is asked for `tavolino:…` and then looks at what is registered. If Tavolino was
imported earlier, nothing of ours runs at that moment: so we register when Gymnasium is imported.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

IDS = {"Tavolino/OutOfSock-v0": "out-of-sock", "Tavolino/FaceToFace-v0": "face-to-face", "Tavolino/Orma-v0": "orma"}


def register() -> None:
    """Register the environments by name; their code is imported when one is made."""
    from gymnasium.envs.registration import register as add
    from gymnasium.envs.registration import registry

    for name, game in IDS.items():
        if name not in registry:
            add(
                name,
                entry_point="tavolino.envs.gymnasium:Versus",
                vector_entry_point="tavolino.envs.gymnasium:VectorVersus",
                kwargs={"game": game},
            )


class _Greeter:
    """Wait for Gymnasium to be imported."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """Find Gymnasium as everyone would, and register as soon as it is there."""
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def and_register(module: ModuleType) -> None:
                run(module)
                register()

            spec.loader.exec_module = and_register  # type: ignore[method-assign]
        return spec


def announce() -> None:
    """Register now if Gymnasium is there, else when it comes."""
    if "gymnasium" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _Greeter())
