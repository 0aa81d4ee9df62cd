"""`study` and `analyse`: pages, JSON, plots, what is told when something is wrong."""

import json
from pathlib import Path

import pytest

from tavolino.cli.study import read_vary
from tavolino.intervals import Estimate
from tavolino.lab import review, study
from tavolino.lab.plots import Whisker, can_letter, png_of, standalone, whiskers
from tavolino.lab.report import report
from tavolino.lab.variants import Side
from tests.cli.conftest import Run
from tests.lab.test_review import played
from tests.lab.test_studies import read_page


def test_study_writes_the_page_and_the_plots(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavolino.lab.plots.can_letter", lambda: True)  # letters have a test of their own
    page, plots = tmp_path / "report.html", tmp_path / "plots"
    ran = run(
        "study", "face-to-face", "--details", "--games", 20, "--seed", 7, "--out", page, "--svg", plots, "--png", plots
    )
    assert ran.code == 0
    assert "seed 7" in ran.out
    html = page.read_text()
    read_page(html)
    assert html == report(study("face-to-face", games=20, seed=7))
    assert (plots / "start.svg").read_text().startswith("<svg")
    assert {path.stem for path in plots.glob("*.png")} == {path.stem for path in plots.glob("*.svg")}


def test_a_picture_shows_the_plot_and_its_letters() -> None:
    """Without its letters (where the machine has a font for them), or in other colours, it is another picture."""
    svg = standalone(whiskers("Title", [Whisker("label", Estimate(0.5, 0.4, 0.6))]))
    picture = png_of(svg)
    assert picture.startswith(b"\x89PNG")
    assert (png_of(svg.replace("Title", "").replace("label", "")) != picture) == can_letter()
    assert png_of(svg.replace("var(--c0)", "#000000")) != picture


def test_without_a_font_it_is_said_before_the_work(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavolino.lab.plots.can_letter", lambda: False)
    ran = run("study", "orma", "--games", 10**9, "--png", tmp_path)
    assert ran.code == 2
    assert "finds no font" in ran.err


def test_without_resvg_it_is_said_before_the_work(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ran = run("study", "orma", "--games", 10**9, "--png", tmp_path)
    assert ran.code == 2
    assert ran.err.endswith('pip install "tavolino[png]"\n')


def test_json_is_all_of_stdout(run: Run) -> None:
    ran = run("study", "orma", "--games", 16, "--seed", "x", "--vary", "spare_blacks=mixed,2", "--json")
    data = json.loads(ran.out)
    mine = study("orma", games=16, seed="x", vary=("spare_blacks", ["mixed", 2])).as_json()
    assert data == json.loads(json.dumps(mine))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["study", "orma"], "--out report.html"),
        (["study", "chess", "--json"], "no game 'chess'"),
        (["study", "orma", "--players", 9, "--json"], "is for 2 to 5 players"),
        (["study", "orma", "--bots", "deep", "--json"], "no player 'deep'"),
        (["study", "orma", "--vary", "spare_blacks", "--json"], "key=a,b,c"),
        (["study", "orma", "--vary", "spare_blacks=1,99", "--json"], "spare_blacks must be"),
        (["study", "orma", "--option", "first=0", "--json"], "random seat"),
        (["study", "orma", "--games", 0, "--json"], "games must be"),
        (["study", "orma", "--players", "two", "--json"], "such as 2 or 2,3"),
        (["study", "orma", "--rules", "nowhere.py", "--json"], "cannot read nowhere.py"),
        (["study", "orma", "--rules", "nowhere.py", "--until", 1, "--json"], "--rules cannot be used with"),
        (["study", "orma", "--details", "--players", "2,3", "--json"], "one number of players"),
        (["analyse", "nowhere.jsonl"], "--out page.html"),
        (["analyse", "nowhere.jsonl", "--json"], "nowhere.jsonl"),
    ],
)
def test_what_is_wrong_is_said(run: Run, arguments: list[object], reason: str) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert reason in ran.err
    assert "Traceback" not in ran.err


def test_a_wrong_variant_is_told_before_anything_is_measured(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither side is trained or played."""
    measured: list[object] = []
    monkeypatch.setattr("tavolino.lab.variants.measured", lambda *asked: measured.append(asked))
    rules = tmp_path / "wrong.py"
    rules.write_text("NO_SUCH_NUMBER = 5\n")
    ran = run("study", "orma", "--rules", rules, "--json")
    assert ran.code == 2
    assert "NO_SUCH_NUMBER: the rules of Orma have no such name; constants are" in ran.err
    assert measured == []


def test_the_rules_as_they_are_are_measured_once(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a file to resume from, for all variants that are tried; a variant that was measured is not, either."""
    measured: list[str] = []

    def measure(side: Side, *_: object) -> dict[str, object]:
        measured.append(side.name)
        return {"ladder": ["random", "value"], "tables": []}

    monkeypatch.setattr("tavolino.lab.variants.measured", measure)
    notes = tmp_path / "notes.json"
    for name, text in (("five", "HAND = 5\n"), ("four", "HAND = 4\n"), ("five", "HAND = 5\n")):
        rules = tmp_path / f"{name}.py"
        rules.write_text(text)
        ran = run("study", "face-to-face", "--rules", rules, "--resume", notes, "--json")
        assert ran.code == 0, ran.err
    assert measured == ["original", "five", "four"]


def test_what_varies_may_hold_commas() -> None:
    assert read_vary("sock_values=2,2,4,4,6,8/4,4,4,4,4,4") == ("sock_values", [[2, 2, 4, 4, 6, 8], [4] * 6])


def test_analyse_writes_the_page(run: Run, tmp_path: Path) -> None:
    records, page = tmp_path / "games.jsonl", tmp_path / "page.html"
    record = played("orma", 2, 2, moves=8)
    records.write_text("\n" + json.dumps(record) + "\n")
    ran = run("analyse", records, "--tries", 4, "--out", page, "--json")
    assert ran.code == 0
    assert json.loads(ran.out) == json.loads(json.dumps(review(record, tries=4)))
    read_page(page.read_text())
    told = run("analyse", records, "--tries", 4, "--out", page)
    assert "own errors" in told.out
    assert "luck" in told.out


def test_a_broken_record_is_told_with_code_1(run: Run, tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    record = played("orma", 2, 2, moves=2)
    records.write_text(json.dumps({**record, "moves": ["pass"]}) + "\nnonsense\n")
    for number, reason in ((1, "move 1"), (2, "not JSON")):
        ran = run("analyse", records, "--game", number, "--json")
        assert ran.code == 1
        assert reason in ran.out
    assert run("analyse", records, "--game", 3, "--json").code == 2
