"""The learning curves and baselines in the docs are those that were measured."""

import json
from types import ModuleType

import pytest

from tools import baselines, learning


@pytest.mark.parametrize("tool", [learning, baselines], ids=lambda tool: tool.__name__)
def test_the_page_says_what_was_measured(tool: ModuleType) -> None:
    """Its table is what the tool makes of the data; its plots are there."""
    kept = json.loads(tool.DATA.read_text("utf-8"))
    said = tool.table(kept) if tool is learning else tool.table(kept["game"], kept["curves"])
    page = tool.PAGE.read_text("utf-8")
    assert f"{tool.BEGIN}{said}{tool.END}" in page, f"docs/envs.md is stale: python -m {tool.__name__} --draw"
    drawn = {"learning.svg": learning.plot(kept)} if tool is learning else baselines.plots(kept["game"], kept["curves"])
    for name, plot in drawn.items():
        assert (tool.ROOT / "docs/img" / name).read_text("utf-8") == tool.standalone(plot) + "\n"
        assert f"(img/{name})" in page
