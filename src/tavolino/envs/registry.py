"""Register the environments with Gymnasium: `Tavolino/GAME-v0`, one per game.

Importing `tavolino` calls `register`, so that the names are known whatever is imported first.
"""

from gymnasium.envs.registration import register as add
from gymnasium.envs.registration import registry

from tavolino.engine.registry import packages


def register() -> None:
    """Register the environments by name; their code is imported when one is made."""
    for key in packages():
        name = f"Tavolino/{key.title().replace('-', '')}-v0"
        if name not in registry:
            add(
                name,
                entry_point="tavolino.envs.gymnasium:Versus",
                vector_entry_point="tavolino.envs.gymnasium:VectorVersus",
                kwargs={"game": key},
            )
