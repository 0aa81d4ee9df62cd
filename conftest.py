"""What the examples in docstrings may use: a game, so that no module outside its folder names one."""

from typing import Any

import pytest

collect_ignore_glob = ["src/tavolino/browser/micropython/*"]  # another Python runs these


@pytest.fixture(autouse=True)
def a_game(doctest_namespace: dict[str, Any]) -> None:
    """Let `KEY` be the key of a game."""
    doctest_namespace["KEY"] = "orma"
