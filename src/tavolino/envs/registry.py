"""Register the environments with Gymnasium: `Tavolino/GAME-v1`, one per game, and `-v0` with the first observations.

Importing `tavolino` calls `register`, so that the names are known whatever is imported first.
"""

from itertools import product

from gymnasium.envs.registration import register as add
from gymnasium.envs.registration import registry

from tavolino.engine.registry import packages

VERSIONS = (0, 1)
"""Those of `engine.observe.ENCODERS`, which takes long to import."""


def register() -> None:
    """Register the environments by name; their code is imported when one is made."""
    for key, version in product(packages(), VERSIONS):
        name = f"Tavolino/{key.title().replace('-', '')}-v{version}"
        if name not in registry:
            add(
                name,
                entry_point="tavolino.envs.gymnasium:Versus",
                vector_entry_point="tavolino.envs.gymnasium:VectorVersus",
                kwargs={"game": key, "version": version},
            )
