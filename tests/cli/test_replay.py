"""`replay`: every move is told, hands are open, wrong records are told as far as they go."""

import json
from pathlib import Path
from typing import Any

import pytest

from tavolino.lab.simulate import simulate
from tests.cli.conftest import Run, run_apart

KEYS = ("out-of-sock", "face-to-face", "orma")


def recorded(path: Path, key: str, **changes: Any) -> dict[str, Any]:
    """Write two games to a file, the second one changed; return that one."""
    simulate(key, games=2, seed=5, records=path)
    first, second = path.read_text().splitlines()
    record: dict[str, Any] = json.loads(second) | changes
    path.write_text(f"{first}\n\n{json.dumps(record)}\n")
    return record


@pytest.mark.parametrize("key", KEYS)
def test_every_move_is_told_with_who_made_it(key: str, run: Run, tmp_path: Path) -> None:
    record = recorded(tmp_path / "games", key)
    ran = run("replay", tmp_path / "games", "--game", 2, "--moves-only")
    assert ran.code == 0
    told = [line.split() for line in ran.out.splitlines() if line[:3].strip().isdigit()]
    assert [line[0] for line in told] == [str(n + 1) for n in range(len(record["moves"]))]
    words = [line[2] if line[1] == "dice" else line[3] for line in told]
    assert words == record["moves"]
    assert f"eat {record['winners'][0]}" in ran.out.splitlines()[-3 if key == "out-of-sock" else -2]


@pytest.mark.parametrize("key", KEYS)
def test_pictures_fit_and_show_the_result(key: str, run: Run, tmp_path: Path) -> None:
    record = recorded(tmp_path / "games", key)
    ran = run("replay", tmp_path / "games", "--game", 2)
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert all(str(abs(score)) in ran.out.splitlines()[-12:][-1] + ran.out for score in record["scores"])


def test_all_hands_are_open(run: Run, tmp_path: Path) -> None:
    record = recorded(tmp_path / "games", "face-to-face")
    out = run("replay", tmp_path / "games", "--game", 2).out
    for deck in record["deal"]["decks"]:
        assert "  ".join(map(str, sorted(deck[:6]))) in out


@pytest.mark.parametrize("only", [[], ["--moves-only"]])
def test_a_wrong_record_is_told_up_to_the_wrong_move(only: list[str], run: Run, tmp_path: Path) -> None:
    record = recorded(tmp_path / "games", "orma")
    recorded(tmp_path / "games", "orma", moves=[*record["moves"][:4], "pass", *record["moves"][4:]])
    ran = run("replay", tmp_path / "games", "--game", 2, *only)
    assert ran.code == 1
    told = [line for line in ran.out.splitlines() if line[:3].strip().isdigit()]
    assert len(told) == 4
    assert "move 5 ('pass')" in ran.out.splitlines()[-1]
    assert "not over" not in ran.out


@pytest.mark.parametrize(
    ("changes", "says", "moves"),
    [
        ({"winners": [7]}, "winners must be", True),
        ({"deal": {}}, "deal must be", False),
        ({"seats": 9}, "Orma is for", False),
        ({"moves": "draw"}, "moves must be a list", False),
        ({"game": "chess"}, "no game 'chess'", False),
    ],
)
def test_other_faults_are_told_at_the_end(
    changes: dict[str, Any], says: str, moves: bool, run: Run, tmp_path: Path
) -> None:
    recorded(tmp_path / "games", "orma", **changes)
    ran = run("replay", tmp_path / "games", "--game", 2, "--moves-only")
    assert ran.code == 1
    assert says in ran.out.splitlines()[-1]
    assert any(line.startswith("  1  ") for line in ran.out.splitlines()) == moves


def test_an_unfinished_game(run: Run, tmp_path: Path) -> None:
    record = recorded(tmp_path / "games", "out-of-sock")
    recorded(tmp_path / "games", "out-of-sock", moves=record["moves"][:1], scores=None, winners=None)
    ran = run("replay", tmp_path / "games", "--game", 2)
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "The record stops here; the game is not over."


def test_a_game_that_is_not_there(run: Run, tmp_path: Path) -> None:
    recorded(tmp_path / "games", "orma")
    ran = run("replay", tmp_path / "games", "--game", 3)
    assert (ran.code, ran.out) == (2, "")
    assert "it has 2 games" in ran.err
    missing = run("replay", tmp_path / "missing")
    assert missing.code == 2
    assert missing.err == f"tavolino: {tmp_path / 'missing'}: No such file or directory\n"
    assert run("replay", tmp_path / "games", "--game", 0).code == 2


@pytest.mark.parametrize("text", ["[]", "3", "{", '{"moves": 3}'])
def test_what_is_no_record_is_said(text: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text(text)
    ran = run("replay", tmp_path / "odd")
    assert ran.code == 1
    assert ran.out.startswith(f"Wrong: game 1 of {tmp_path / 'odd'}")


def test_standard_input(tmp_path: Path) -> None:
    recorded(tmp_path / "games", "orma")
    ran = run_apart("replay", "-", "--moves-only", typed=(tmp_path / "games").read_text())
    assert ran.code == 0
    assert "seat" in ran.out
