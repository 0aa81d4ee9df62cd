"""Ctrl-C and SIGTERM in the middle of work: what was played is shown, nobody loses by it, files are whole."""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tavolino.lab.simulate import simulate
from tests.cli.conftest import Run, Started, process

both = pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])


def until_written(path: Path, lines: int, among: bytes = b"") -> None:
    for _ in range(2400):
        written = path.read_bytes() if path.exists() else b""
        if written.count(b"\n") > lines and among in written:
            return
        time.sleep(0.05)
    raise AssertionError("nothing was written")


def stopped(started: Started, how: signal.Signals, group: bool = False) -> tuple[str, str]:
    """Send a signal, to all of its group if so wished, and return what was said."""
    if group:
        os.killpg(started.pid, how)
    else:
        started.send_signal(how)
    out, err = started.communicate(timeout=60)
    assert started.returncode == 128 + how, err
    assert "Traceback" not in err
    return out, err


def timeless(result: dict[str, Any]) -> dict[str, Any]:
    for bot in result["bots"]:
        for key in ("ms_per_move", "slowest_ms", "late"):
            del bot[key]
    return result


@both
@pytest.mark.parametrize("workers", [1, 2])
def test_nobody_loses_an_arena_by_a_signal(how: signal.Signals, workers: int, run: Run, tmp_path: Path) -> None:
    """The deals so far are shown and kept, all of them sound; the same command goes on from them."""
    state = tmp_path / "state.jsonl"
    # Nearly all of its time somebody thinks: that is where the signal comes.
    args = ["arena", "face-to-face", "--bots", "expert,random", "--simulations", 40, "--seed", 1, "--json"]
    args += ["--workers", workers, "--resume", state]
    with process(*args, "--games", 100_000, start_new_session=True) as started:
        until_written(state, 3, among=b'{"deal":0,')  # deals count in order; the first may end late
        out, err = stopped(started, how, group=workers > 1)
    shown, kept = json.loads(out), [json.loads(line) for line in state.read_bytes().splitlines()[1:]]
    assert shown["interrupted"]
    assert 1 <= shown["deals"] <= len(kept)
    assert {seat["status"] for deal in kept for game in deal["games"] for seat in game["seats"]} == {"ok"}
    assert [bot["errors"] for bot in shown["bots"]] == [0, 0]
    assert f"{state}: the same command resumes" in err
    again = json.loads(run(*args, "--games", shown["games"]).out)
    assert timeless(again) == timeless(shown) | {"interrupted": False}


def test_an_arena_shows_its_tables_so_far(tmp_path: Path) -> None:
    """Marked, and the file of records does not appear."""
    state = tmp_path / "state.jsonl"
    args = ["arena", "orma", "--bots", "greedy,random", "--games", 1_000_000, "--workers", 1, "--resume", state]
    with process(*args, "--records", tmp_path / "records") as started:
        until_written(state, 2)
        out, _ = stopped(started, signal.SIGINT)
    assert " of 500,000 deals, seed" in out
    assert out.splitlines()[-1].startswith("Interrupted after ")
    assert [path.name for path in tmp_path.iterdir()] == ["state.jsonl"]


def interrupted_simulation(tmp_path: Path, how: signal.Signals, *more: str) -> str:
    """Stop a simulation whose first thousands of games are written, and so counted; return what it showed."""
    args = ["simulate", "orma", "--games", 50_000_000, "--seed", 7, "--records", tmp_path / "games.jsonl"]
    with process(*args, *more) as started:
        for _ in range(2400):
            if any(path.stat().st_size > 1_000_000 for path in tmp_path.iterdir()):
                break
            time.sleep(0.05)
        out, _ = stopped(started, how)
    assert list(tmp_path.iterdir()) == []  # records appear whole or not at all
    return out


def test_a_simulation_shows_the_games_so_far(tmp_path: Path) -> None:
    """The first games, as if so many had been asked for."""
    shown = json.loads(interrupted_simulation(tmp_path, signal.SIGTERM, "--json"))
    assert shown["interrupted"]
    assert 0 < shown["games"] < 50_000_000
    whole = json.loads(json.dumps(simulate("orma", games=shown["games"], seed=7).as_json()))
    for key in ("wins", "points", "length", "endings", "moves"):
        assert shown[key] == whole[key]


def test_a_simulation_says_that_it_was_interrupted(tmp_path: Path) -> None:
    out = interrupted_simulation(tmp_path, signal.SIGINT)
    assert "of 50,000,000 random games" in out
    assert out.splitlines()[-1].startswith("Interrupted after ")


@both
def test_a_study_shows_what_it_has_found_and_goes_on_from_it(how: signal.Signals, run: Run, tmp_path: Path) -> None:
    """What the file holds at the signal is not measured again, and the end is that of a study never stopped."""
    notes = tmp_path / "notes.json"
    args = ["study", "orma", "--players", "2,3", "--games", 40, "--expert-deals", 0, "--seed", 7, "--json"]
    with process(*args, "--resume", notes) as started:
        until_written(notes, -1, among=b'"2/naive-random"')
        out, _ = stopped(started, how)
    shown, kept = json.loads(out), json.loads(notes.read_bytes())["found"]
    told = {f"{table['players']}/{name}" for table in shown["tables"] for name in table if name != "players"}
    # The signal may come between writing down the second part and showing it.
    assert {"2/start"} <= told <= set(kept), "what is shown is written down"
    again, whole = (json.loads(run(*args, *more).out) for more in (("--resume", notes), ()))
    assert again == whole
    assert json.loads(notes.read_bytes())["found"].items() >= kept.items()


def test_a_game_in_the_terminal_is_kept_at_the_end_of_the_process(tmp_path: Path) -> None:
    """SIGTERM while it waits for a move: the record is written, and the exit code tells."""
    with process("play", "orma", "--seed", 1, "--first", 0, "--save", tmp_path / "mine") as started:
        assert started.stdin is not None
        assert started.stdout is not None
        started.stdin.write("draw\n")
        started.stdin.flush()
        while "keeps the token just drawn" not in started.stdout.readline():  # what can be played after it
            pass
        stopped(started, signal.SIGTERM)
    assert json.loads((tmp_path / "mine").read_text())["moves"] == ["draw"]
