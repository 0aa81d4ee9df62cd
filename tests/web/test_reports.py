"""The pages that the lab writes, opened as files in a real browser: what stands in a bar can be read."""

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser

from tavolino.lab.page import figures, page, section
from tavolino.lab.plots import stacked, standalone

READABLE = 4.5
"""WCAG's contrast for small text."""
CONTRASTS = """() => [...document.querySelectorAll('text.in')].map((text) => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((c) => c / 255).map((c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b + .05;
  };
  const bars = [light(getComputedStyle(text).fill), light(getComputedStyle(text.previousElementSibling).fill)];
  return Math.max(...bars) / Math.min(...bars);
})"""  # noqa: E501


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_labels_in_bars_can_be_read(browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    """In a page and in a plot that stands alone, for light and dark."""
    bars = stacked("Parts", [("all five", [0.2] * 5), ("two", [0.5, 0.5])], ["a", "b", "c", "d", "e"])
    (tmp_path / "page.html").write_text(
        page("A page", "of one plot", "orma", [section("Bars", figures([bars]))], "", {})
    )
    (tmp_path / "alone.svg").write_text(standalone(bars))
    for name in ("page.html", "alone.svg"):
        opened = browser.new_page(color_scheme=scheme)
        opened.goto((tmp_path / name).as_uri())
        found = opened.evaluate(CONTRASTS)
        opened.close()
        assert len(found) == 7
        assert min(found) >= READABLE, (name, found)
