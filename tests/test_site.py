"""The documentation site: what is generated for it, and that links written for the repository lead right there, too.

The site itself is built by `make docs`, strictly: a link or anchor that leads nowhere fails.
"""

import posixpath
import re

import pytest

from tavolino.engine.registry import GAMES
from tools import screenshots, site

PAGES = [*site.PAGES, *(f"docs/{path.relative_to(site.ROOT / 'docs')}" for path in (site.ROOT / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return site.generated()


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_the_same_thing_in_the_site(page: str, made: dict[str, str]) -> None:
    """Whatever a page links to in the repository is a page or picture of the site."""
    text = (site.ROOT / page).read_text("utf-8")
    here = posixpath.dirname(site.place(page))
    before, after = (site.LINK.findall(site.FENCE.sub("", one)) for one in (text, site.with_links(page, text)))
    for (_, written, _, _), (_, link, _, _) in zip(before, after, strict=True):
        if "://" in written:
            assert link == written
            continue
        path = posixpath.normpath(posixpath.join(here, link))
        assert path in made or (site.ROOT / "docs" / path).is_file(), f"{page}: {written} → {path}"
        assert site.target(page, written) == site.home(path), written


def test_code_is_left_as_it_is() -> None:
    text = "A [link](docs/envs.md).\n```md\n[link](docs/envs.md)\n```\nThen:\n- one\n- two\n"
    assert site.with_links("README.md", text) == text.replace("docs/envs.md", "envs.md", 1)
    assert site.with_lists(text) == text.replace("Then:\n", "Then:\n\n")
    assert (
        site.with_lists("- one\n  more\n- two\n\n```text\na\n- b\n```\n")
        == "- one\n  more\n- two\n\n```text\na\n- b\n```\n"
    )


def test_every_module_and_every_rule_has_a_page(made: dict[str, str]) -> None:
    for name, page in site.modules():
        assert f"::: {name}\n" in made[page]
        assert f"`{name}`" in made["reference/index.md"]
    assert {"tavolino", "tavolino.play.game", "tavolino.games.orma"} <= dict(site.modules()).keys()
    for key in GAMES:
        assert {f"rules/{key}.{language}.md" for language in ("en", "it", "es")} <= made.keys()


def test_a_folder_in_the_navigation_is_filled() -> None:
    pages = ["a.md", "d/README.md", "d/z.md", "d/b.md", "d/e/index.md", "d/e/f.md"]
    nav = [{"A": "a.md"}, {"More": [{"D": "d/"}]}]
    inside = ["d/README.md", "d/b.md", "d/z.md", {"e": ["d/e/index.md", "d/e/f.md"]}]
    assert site.filled(nav, pages) == [{"A": "a.md"}, {"More": [{"D": inside}]}]


def test_what_would_be_fetched_from_elsewhere_is_found() -> None:
    for text in (
        '<script src="https://example.org/x.js">',
        "<img alt=x src=//example.org/x.png>",
        '<link rel="stylesheet" href="http://example.org/x.css">',
    ):
        assert site.ELSEWHERE.search(text), text
    assert not site.ELSEWHERE.search('<a href="https://example.org">x</a> <img src="img/x.png"> <script src="a/b.js">')


def test_the_lock_names_no_place() -> None:
    """The locks say what to install, not where from."""
    for path in site.ROOT.glob("requirements*.lock"):
        assert not re.search(r"^\s*[^#\s].*https?://|--\w*index|--find-links", path.read_text("utf-8"), re.MULTILINE), (
            path
        )


def test_every_screen_is_pictured() -> None:
    """What tools/screenshots.py takes is what docs/screens.md shows, and every game has its board there."""
    text = (site.ROOT / "docs" / "screens.md").read_text("utf-8")
    shown = set(re.findall(r"\(img/([\w-]+)\.png\)", text))
    assert shown == {f"{name}{kind}" for name in screenshots.SCREENS for kind in ("", "-phone")}
    assert set(screenshots.SCREENS) >= set(GAMES)
    assert all(f"img/terminal-{key}.svg" in text for key in GAMES)
