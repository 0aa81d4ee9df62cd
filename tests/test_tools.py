"""What the tools for the tests say before they do something with root's rights."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools import browser, nginx


@pytest.mark.parametrize("tool", [browser, nginx], ids=lambda tool: tool.__name__)
def test_nothing_is_done_as_root_before_it_is_said(
    tool: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As root on a Debian where nothing can be had: every use of root's rights was announced, in its own words."""
    said = ""
    before: dict[str, str] = {}
    """What had been said before each command was run."""

    def fails(*command: str) -> bool:
        nonlocal said
        before[" ".join(command)] = said = said + capsys.readouterr().out
        return False

    which: Callable[..., str | None] = lambda name, **_: f"/usr/bin/{name}" if name in ("apt-get", "dpkg") else None  # noqa: E731
    monkeypatch.setattr(shutil, "which", which)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(tool, "_try", fails)
    monkeypatch.setattr(tool, "find", lambda: None)
    monkeypatch.setattr(tool, "PLACE", tmp_path / "place", raising=False)
    tool.main()
    rooted = [command for command in before if command.startswith(("apt-get update", "apt-get install"))]
    assert rooted
    for command in rooted:
        assert "root's rights" in before[command]
        assert command in before[command]
    assert "will be skipped" in capsys.readouterr().out
