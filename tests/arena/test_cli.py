"""`tavolino arena`: tables, JSON, and what is said when something is wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tavolino.arena.arena import RunSettings, arena
from tavolino.bots import players
from tavolino.cli import main
from tavolino.cli.arena import read_bots
from tavolino.play.records import check, lines
from tests.arena.bots import CHOICES, load

Run = Callable[..., tuple[int, str, str]]
ALONE = RunSettings(workers=1)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `tavolino arena` in this process with the tests' bots; return exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(players, "BUILTIN", CHOICES)

    def go(*args: object) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main(["arena", *map(str, args), "--workers", "1"])
        said = capsys.readouterr()
        assert isinstance(exit_.value.code, int)
        assert "Traceback" not in said.err
        return exit_.value.code, said.out, said.err

    return go


def test_json_is_all_of_stdout_and_says_what_arena_says(run: Run) -> None:
    """But for the clock."""
    code, out, err = run("orma", "--bots", "random,first", "--games", 10, "--seed", 3, "--json")
    data = json.loads(out)
    mine = json.loads(json.dumps(arena("orma", ["random", "first"], 10, seed=3, load=load, settings=ALONE).as_json()))
    for result in (data, mine):
        for bot in result["bots"]:
            bot["ms_per_move"] = bot["slowest_ms"] = 0
    assert (code, data, err) == (0, mine, "")


def test_the_tables_show_the_numbers(run: Run) -> None:
    """Within 80 columns; games are rounded up, and that is said."""
    code, out, err = run("face-to-face", "--bots", "random,close", "--bots", "cheats", "--games", 11, "--seed", 3)
    result = arena("face-to-face", ["random", "close", "cheats"], 11, seed=3, load=load, settings=ALONE)
    assert (code, err) == (0, "Rounded up to whole deals: 12 games, 6 deals of 2 each.\n")
    for bot in result.bots:
        assert f"{100 * bot.win_rate:.2f} %" in out
        assert f"{bot.rating:.0f}" in out
    for pair in result.pairs:
        assert "{:.2f} … {:.2f} %".format(*(100 * end for end in pair.ci95)) in out
    assert "cheats lost games by failing (8 × illegal)" in out
    assert "deal 1: illegal: u999" in out.replace("\n", " ")
    assert max(map(len, out.splitlines())) <= 80


def test_larger_tables_show_who_sat_alone(run: Run) -> None:
    """And explain the rates."""
    _, out, _ = run("orma", "--bots", "random,first", "--players", 5, "--games", 20, "--seed", 1, "--stop")
    assert "alone among copies of the other" in out
    assert "A fair share is 20.0 % per seat." in out
    assert max(map(len, out.splitlines())) <= 80


def test_records_and_resume(run: Run, tmp_path: Path) -> None:
    """Both files as promised; the second run plays nothing anew."""
    state, records = tmp_path / "state.jsonl", tmp_path / "records.jsonl"
    args = ("out-of-sock", "--bots", "random,first", "--games", 6, "--resume", state, "--records", records, "--json")
    _, first, _ = run(*args)
    written = records.read_bytes()
    _, again, _ = run(*args)
    assert first == again
    assert records.read_bytes() == written
    games = [check(record) for _, record in lines(records) if isinstance(record, dict)]
    assert [game.over for game in games] == [True] * 6


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("chess", "--bots", "random,first"), "no game 'chess'"),
        (("orma", "--bots", "random"), "at least two bots"),
        (("orma", "--bots", "random,nobody"), "no player 'nobody'"),
        (("orma", "--bots", "random,,first"), "--bots takes names separated by commas"),
        (("orma", "--bots", "random,first", "--games", 0), "--games must be"),
        (("orma", "--bots", "random,first", "--time", 0), "--time must be"),
        (("orma", "--bots", "random,first", "--time", 1, "--simulations", 5), "not both"),
        (("orma", "--bots", "random,first", "--players", 9), "2 to 5 players"),
        (("orma", "--bots", "random,first", "--resume", "/nowhere/state"), "/nowhere/state"),
        (("orma", "--bots", "random,first", "--records", "/nowhere/records"), "/nowhere"),
    ],
)
def test_what_is_wrong_is_said(run: Run, args: tuple[object, ...], message: str) -> None:
    """With exit code 2, and nothing on stdout."""
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("a,b", ["a", "b"]),
        ("a, module:function ,file.py", ["a", "module:function", "file.py"]),
        ('cmd:bot "x,y" z,b', ['cmd:bot "x,y" z', "b"]),
        ("a,cmd:python bot.py", ["a", "cmd:python bot.py"]),
    ],
)
def test_bots_are_read_as_typed(text: str, bots: list[str]) -> None:
    """Commas inside a command's quotes are its own."""
    assert read_bots(text) == bots
