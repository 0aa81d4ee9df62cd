"""`check`: each wrong record is named by its line, and the exit code says whether there was one."""

import json
from pathlib import Path
from typing import Any

import pytest

from tavolino.lab.simulate import simulate
from tests.cli.conftest import Run, run_apart


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Some games of each kind, in one file."""
    path = tmp_path / "games.jsonl"
    parts = []
    for key in ("out-of-sock", "face-to-face", "orma"):
        simulate(key, games=4, seed=3, records=tmp_path / "part")
        parts.append((tmp_path / "part").read_bytes())
    path.write_bytes(b"".join(parts))
    return path


def change(path: Path, line: int, **parts: Any) -> None:
    """Change parts of the record in a line, counted from 1."""
    texts = path.read_text().splitlines()
    texts[line - 1] = json.dumps(json.loads(texts[line - 1]) | parts)
    path.write_text("\n".join(texts) + "\n")


def test_all_right(records: Path, run: Run) -> None:
    ran = run("check", records)
    assert (ran.code, ran.out) == (0, "12 records, all right\n")


def test_wrong_ones_are_named_by_line_and_reason(records: Path, run: Run) -> None:
    change(records, 3, winners=[0, 1])
    change(records, 6, moves=["u1", "end"])
    change(records, 11, scores=None)
    with records.open("a") as file:
        file.write("\n{broken\n")
    ran = run("check", records)
    assert ran.code == 1
    found = [line for line in ran.out.splitlines() if line.startswith(f"{records}:")]
    assert [line.removeprefix(f"{records}:").split(":")[0] for line in found] == ["3", "6", "11", "14"]
    assert "winners must be" in found[0]
    assert "move 1 ('u1')" in found[1]
    assert "scores is missing" in found[2]
    assert "not JSON" in found[3]
    assert ran.out.splitlines()[-1] == "13 records, 4 wrong"


def test_json(records: Path, run: Run) -> None:
    change(records, 2, first=1, winners=[])
    ran = run("check", records, "--json")
    data = json.loads(ran.out)
    assert ran.code == 1
    assert data["records"] == 12
    assert [(wrong["file"], wrong["line"]) for wrong in data["wrong"]] == [(str(records), 2)]
    assert data["unreadable"] == []


def test_several_files_and_one_that_is_missing(records: Path, run: Run, tmp_path: Path) -> None:
    ran = run("check", records, tmp_path / "missing", tmp_path, records)
    assert ran.code == 2
    assert ran.out == "24 records, all right\n"
    assert f"{tmp_path / 'missing'}: No such file or directory" in ran.err
    assert f"{tmp_path}: Is a directory" in ran.err


def test_an_empty_file_is_no_error_but_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    ran = run("check", tmp_path / "empty")
    assert (ran.code, ran.out) == (0, "0 records, nothing to check\n")


def test_standard_input(records: Path) -> None:
    text = records.read_text()
    ran = run_apart("check", "-", typed=text + "[]\n")
    assert ran.code == 1
    assert ran.out == "-:13: a record is a JSON object\n13 records, 1 wrong\n"


@pytest.mark.parametrize(
    "text", ["[]", "3", "null", '"x"', "{}", '{"game": []}', '{"game": "orma"}', "\x00", "[" * 9999]
)
def test_nothing_a_file_may_hold_is_a_crash(text: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text(text)
    ran = run("check", tmp_path / "odd")
    assert ran.code == 1
    assert ran.out.startswith(f"{tmp_path / 'odd'}:1: ")
