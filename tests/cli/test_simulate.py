"""`simulate`: the table, the JSON, options as they are typed, files that do not work."""

import json
import re
import resource
from pathlib import Path

import pytest

from tavolino.cli.common import read_given, read_seed, read_value
from tavolino.lab.simulate import simulate
from tavolino.play.records import check
from tests.cli.conftest import Run, environment, read, run_apart


def test_json_is_all_of_stdout_and_says_what_simulate_says(run: Run) -> None:
    ran = run("simulate", "orma", "--players", 3, "--games", "1_000", "--seed", 7, "--json")
    data = json.loads(ran.out)
    mine = simulate("orma", 3, 1000, 7).as_json()
    timed = {"seconds", "games_per_second", "moves_per_second"}
    assert {k: v for k, v in data.items() if k not in timed} == json.loads(
        json.dumps({k: v for k, v in mine.items() if k not in timed})
    )
    assert ran.err == ""


def test_the_table_shows_the_numbers(run: Run) -> None:
    result = simulate("orma", 2, 500, 7)
    out = run("simulate", "orma", "--games", 500, "--seed", 7).out
    for seat in range(2):
        assert f"{100 * result.win_rate[seat]:.2f} %" in out
        low, high = result.win_ci95[seat]
        assert f"{100 * low:.2f} … {100 * high:.2f} %" in out
        assert f"{result.points[seat].mean:.2f} ±" in out
    assert all(name in out for name in result.endings)
    assert f"{result.length.mean:.1f} moves" in out
    assert "games/s" in out
    assert "moves/s" in out
    assert max(map(len, out.splitlines())) <= 80


def test_lines_stay_whole_in_a_pipe() -> None:
    """However long: whoever reads them is no terminal."""
    env = environment()
    del env["COLUMNS"]
    options = ["--option", "sock_values=2,2,4,4,6,8", "--option", "basket=plain", "--first", 1]
    ran = run_apart("simulate", "out-of-sock", "--games", 50, *options, env=env)
    assert len(ran.out.splitlines()[0]) > 100
    assert ran.out.splitlines()[0].endswith("seat 1 starts")
    assert "moves/s" in ran.out.splitlines()[-1]


def test_a_fresh_seed_is_shown_and_gives_the_same_again(run: Run) -> None:
    out = run("simulate", "orma", "--games", 200).out
    seed = re.search(r"seed (\w+)", out)
    assert seed
    again = run("simulate", "orma", "--games", 200, "--seed", seed[1]).out
    assert again.split("Speed")[0] == out.split("Speed")[0]


def test_options_reach_the_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    given = ["--option", "basket=plain", "--option", "sock_values=2,2,2,4,6,8", "--option", "first=1"]
    ran = run("simulate", "out-of-sock", "--games", 5, "--players", 4, *given, "--records", path)
    assert ran.code == 0
    records = read(path)
    assert [check(record).players for record in records] == [4] * 5
    assert all(r["options"] == {"basket": "plain", "sock_values": [2, 2, 2, 4, 6, 8]} for r in records)
    assert all(r["first"] == 1 for r in records)
    assert str(path) in ran.out.replace("\n", "")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--option", "spare_blacks=12"], "spare_blacks must be 'mixed' or a whole number from 0 to 11"),
        (["--option", "spare_blacks=plain"], "not 'plain'"),
        (["--option", "basket=plain"], "Orma has no option 'basket'; it has first, spare_blacks"),
        (["--option", "spare_blacks"], "write an option as key=value"),
        (["--option", "spare_blacks=1", "--option", "spare_blacks=2"], "is given twice"),
        (["--option", "first=x"], "first must be a seat from 0 to 1, not 'x'"),
        (["--first", "1", "--option", "first=0"], "--first 1 contradicts"),
        (["--players", "9"], "Orma is for 2 to 5 players, not 9"),
        (["--games", "0"], "games must be a whole number from 1 up"),
        (["--games", "many"], "'many' is not a valid integer"),
    ],
)
def test_wrong_options_are_exit_2_and_say_what_is_allowed(given: list[str], says: str, run: Run) -> None:
    ran = run("simulate", "orma", *given)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_an_unknown_game(run: Run) -> None:
    ran = run("simulate", "chess")
    assert ran.code == 2
    assert "no game 'chess'; there are face-to-face, orma, out-of-sock" in ran.err


def test_values_as_they_are_typed() -> None:
    assert read_value("mixed") == "mixed"
    assert read_value("-3") == -3
    assert read_value("1_0") == "1_0"
    assert read_given(("first=none", "a=1,2"), None) == ({"a": [1, 2]}, None)
    assert read_given(("a=b=c",), 1) == ({"a": "b=c"}, 1)
    assert [read_seed(text) for text in ("7", "007", "x", "-1", None)] == [7, "007", "x", -1, None]


def test_a_folder_that_is_not_there(run: Run, tmp_path: Path) -> None:
    ran = run("simulate", "orma", "--games", 5, "--records", tmp_path / "no" / "games.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert "games.jsonl: cannot be written (No such file or directory)" in ran.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device(run: Run) -> None:
    ran = run("simulate", "orma", "--games", 50, "--records", "/dev/full")
    assert (ran.code, ran.out) == (2, "")
    assert "/dev/full: cannot be written (No space left on device)" in ran.err


def test_a_full_disk_leaves_no_half_file(tmp_path: Path) -> None:
    """A limit on the size of files stands in for a disk that fills up in the middle."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    ran = run_apart("simulate", "orma", "--games", 5000, "--records", tmp_path / "games.jsonl", preexec_fn=limit)
    assert (ran.code, ran.out) == (2, "")
    assert "games.jsonl: cannot be written (File too large)" in ran.err
    assert list(tmp_path.iterdir()) == []
