"""The default studies: the sentence on top of each page says what its numbers say."""

import re
from pathlib import Path

import pytest

from tavolino.intervals import Estimate
from tools.questions import aim_sentence
from tools.studies import FOLDER, PAGES, files

NUMBER = r"[−+-]?\d+(?:\.\d+)?"
SPAN = re.compile(rf"({NUMBER})(?: %)? \(({NUMBER}) to ({NUMBER})\)")
ASKED = ("deepest", "luck", "with-five", "aims", "helping", "starting")
"""The questions that people ask."""


def page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


def spans(text: str) -> list[tuple[float, ...]]:
    """Return the numbers with intervals in a text."""
    return [tuple(float(part.replace("−", "-")) for part in found) for found in SPAN.findall(text)]


def rows(text: str) -> dict[str, list[str]]:
    """Return the rows of all tables of a page, by their first cell."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return {cells[0].strip("` "): cells[1:] for cells in lines}


@pytest.mark.parametrize("name", ASKED)
def test_each_has_a_sentence_a_plot_and_a_method(name: str) -> None:
    text = page(name)
    title, bold = text.split("\n")[0], text.index("**")
    assert title.startswith("# ")
    assert title.endswith("?")
    assert bold < text.index("![") < text.index("Made by")
    assert all((FOLDER / svg).is_file() for svg in re.findall(r"\((\S+\.svg)\)", text))
    assert "value" in text or "hard" in text, "who played"
    assert re.search(r"[\d,]+ (deals|games)|Games of", text), "how many games"


@pytest.mark.parametrize("name", ["deepest", "luck", "with-five"])
def test_pages_of_the_fingerprints_are_those_that_ship(name: str) -> None:
    """Made again from the data in the games' folders, each is what stands in docs/, to the letter."""
    made = dict(files(name, PAGES[name]()))
    assert {path.name for path in made} == {f"{name}.md", f"{name}.svg"}
    for path, text in made.items():
        assert Path(path).read_text("utf-8") == text


def test_the_sentence_about_aims_is_that_of_its_table() -> None:
    text = page("aims")
    found = {
        aim: Estimate(*(part / 100 for part in spans(cells[1])[0]))
        for aim, cells in rows(text).items()
        if aim.startswith("always") and spans(cells[1])
    }
    assert len(found) == 6
    assert f"**{aim_sentence(found)}**" in text


def test_the_sentence_about_helping_is_that_of_its_table() -> None:
    text, table = page("helping"), rows(page("helping"))
    said = spans(text.split("**")[1])
    assert said == [spans(table[rule][1])[0] for rule in ("never help", "always help")]
    assert all(high < 0 for _, _, high in said), "what is said to cost something clearly does"


def test_the_sentences_about_starting_are_those_of_its_tables() -> None:
    """For each table of each game: the starter's share, and whether it differs from a fair one."""
    text = page("starting")
    lines = re.findall(r"^- (.+), (\d) players: (.*)$", text, re.MULTILINE)
    assert len(lines) == 8
    for title, players, said in lines:
        value, low, high = spans(said)[0]
        fair = 100 / int(players)
        assert ("no clear difference" in said) == (low <= fair + 0.05 and high >= fair - 0.05)
        own = text.split(f"## {title}\n")[1].split("\n## ")[0]
        assert spans(rows(own)[f"{players}, value"][1])[0] == (value, low, high)
