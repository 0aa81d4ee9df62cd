"""The default studies: the sentence on top of each page says what its numbers say."""

import re
from pathlib import Path

import pytest

from tavolino.intervals import Estimate, among
from tavolino.lab.fingerprint import bots_of, judge_of
from tools import questions, studies
from tools.questions import GIFTS, SIZES, aim_sentence, helping_sentence
from tools.studies import FOLDER, PAGES, SOCKS, blacks_sentence, bots_told, files, skill_by_set, starting_sentence

NUMBER = r"[−+-]?\d+(?:\.\d+)?"
SPAN = re.compile(rf"({NUMBER})(?: %)? \(({NUMBER}) to ({NUMBER})\)")


def page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


def spans(text: str) -> list[tuple[float, ...]]:
    """Return the numbers with intervals in a text."""
    return [tuple(float(part.replace("−", "-")) for part in found) for found in SPAN.findall(text)]


def rows(text: str) -> dict[str, list[str]]:
    """Return the rows of all tables of a page, by their first cell."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return {cells[0].strip("` "): cells[1:] for cells in lines}


@pytest.mark.parametrize("name", PAGES)
def test_each_has_a_sentence_a_plot_and_a_method(name: str) -> None:
    text = page(name)
    title, bold = text.split("\n")[0], text.index("**")
    assert title.startswith("# ")
    assert title.endswith("?")
    assert bold < text.index("![") < text.index("Made by")
    assert all((FOLDER / svg).is_file() for svg in re.findall(r"\((\S+\.svg)\)", text))
    assert re.search(r"`(naive|greedy|value|hard)`", text), "who played"
    assert re.search(r"[\d,]+ (deals|games)|Games of|\| games \|", text), "how many games"
    assert "95 % intervals" in text, "how sure it is"


@pytest.mark.parametrize("name", ["deepest", "luck", "with-five"])
def test_pages_of_the_fingerprints_are_those_that_ship(name: str) -> None:
    """Made again from the data in the games' folders, each is what stands in docs/, to the letter."""
    made = dict(files(name, PAGES[name]()))
    assert {path.name for path in made} == {f"{name}.md", f"{name}.svg"}
    for path, text in made.items():
        assert Path(path).read_text("utf-8") == text


@pytest.mark.parametrize("name", ["deepest", "luck", "with-five"])
def test_what_older_bots_have_played_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the networks of a game change, the page in docs/ is no longer the one that is made."""
    monkeypatch.setattr(
        questions, "bots_of", lambda key: bots_of(key) | {"networks": "others"} if key == "orma" else bots_of(key)
    )
    assert "The bots of Orma have changed since" in "".join(PAGES[name]().text)


def test_what_an_older_judge_has_said_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances corrected otherwise: of the pages only the one that is about chances says so."""
    monkeypatch.setattr(questions, "judge_of", lambda key: "other" if key == "orma" else judge_of(key))
    assert "The bots of Orma have changed since" in "".join(PAGES["with-five"]().text)
    assert "have changed since" not in "".join(PAGES["luck"]().text)


@pytest.mark.parametrize("name", PAGES)
def test_each_page_is_of_the_bots_of_today(name: str) -> None:
    """If not: `make studies ARGS=NAME`, or `python -m tools.fingerprints`; what the page says may have changed."""
    assert bots_told(name) in page(name)


def test_other_bots_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other networks, or another rule of thumb, and the page in docs/ is no longer that of the bots."""
    now = bots_told("spare-blacks")
    with monkeypatch.context() as patch:
        patch.setattr(studies, "bots_of", lambda _: {"networks": "others"})
        assert bots_told("spare-blacks") != now
    monkeypatch.setattr(studies, "THUMBS", ("random", "greedy", "greedy"))
    assert bots_told("spare-blacks") != now


def test_the_sentence_about_aims_is_that_of_its_table() -> None:
    text = page("aims")
    found = {
        aim: Estimate(*(part / 100 for part in spans(cells[1])[0]))
        for aim, cells in rows(text).items()
        if aim.startswith("always") and spans(cells[1])
    }
    assert len(found) == 6
    assert f"**{aim_sentence(found)}**" in text


def test_the_sentence_about_helping_is_that_of_its_tables() -> None:
    text = page("helping")
    table = rows(text)
    found = {
        rule: Estimate(*(part / 100 for part in spans(cells[1])[0])) for rule, cells in table.items() if "help" in rule
    }
    assert len(found) == 2 + len(GIFTS)
    helped = {size: Estimate(*(part / 100 for part in spans(table[size][1])[0])) for size in SIZES}
    assert f"**{helping_sentence(helped, found)}**" in text


def test_a_sentence_names_no_difference_where_there_is_none() -> None:
    level, clear = Estimate(-0.01, -0.05, 0.03), Estimate(-0.3, -0.35, -0.25)
    often, seldom = Estimate(0.8, 0.78, 0.82), Estimate(0.1, 0.05, 0.15)
    rules = {"never help": clear, "always help": level}
    said = helping_sentence({SIZES[0]: often, SIZES[-1]: seldom}, rules)
    assert said.startswith("Help while it is cheap: who chooses freely does so in 80 % (78 to 82) of the turns")
    assert "never helping costs 30.0 (25.0 to 35.0) points" in said
    assert said.endswith("helping whenever one can makes no clear difference.")
    assert helping_sentence({SIZES[0]: often, SIZES[-1]: often}, rules).startswith("How cheap it is makes no clear")


def test_the_sentences_about_starting_are_those_of_its_tables() -> None:
    """For each table of each game: the starter's share, and whether it differs from a fair one."""
    text = page("starting")
    tables = []
    for own in text.split("\n## ")[1:]:
        shares = {
            name: Estimate(*(part / 100 for part in spans(cells[1])[0]))
            for name, cells in rows(own).items()
            if name.endswith(("greedy", "value"))
        }
        for players in dict.fromkeys(int(name[0]) for name in shares):
            weak, strong = (shares[f"{players}, {bot}"] for bot in ("greedy", "value"))
            tables.append((f"{own.splitlines()[0]} with {players}", 1 / players, weak, strong))
    assert f"**{starting_sentence(tables)}**" in text
    lines = re.findall(r"^- (.+), (\d) players: (.*)$", text, re.MULTILINE)
    assert len(lines) == 8
    for title, players, said in lines:
        value, low, high = spans(said)[0]
        fair = 100 / int(players)
        strict = among(Estimate(value, low, high), len(lines))
        assert ("no clear difference" in said) == (strict.low <= fair + 0.05 and strict.high >= fair - 0.05)
        own = text.split(f"## {title}\n")[1].split("\n## ")[0]
        assert spans(rows(own)[f"{players}, value"][1])[0] == (value, low, high)


def test_the_sentence_about_spare_blacks_is_that_of_its_tables() -> None:
    text, shorter, passes = page("spare-blacks"), [], []
    for own in text.split("\n## ")[1:]:
        none, mixed = ([Estimate(*spans(cell)[0]) for cell in rows(own)[value]] for value in ("0", "mixed"))
        shorter.append(mixed[1].minus(none[1]))
        passes.append(none[4].minus(mixed[4]))
    assert len(shorter) == 4
    assert f"**{blacks_sentence(shorter, passes)}**" in text


def test_the_sentence_about_socks_is_that_of_its_table() -> None:
    text = page("sock-values")
    found = [
        (name.partition("`")[0], Estimate(*(part / 100 for part in spans(cells[0])[0])))
        for name, cells in rows(text).items()
        if cells and spans(cells[0])
    ]
    assert len(found) == len(SOCKS)
    assert f"**{skill_by_set(found)}**" in text
