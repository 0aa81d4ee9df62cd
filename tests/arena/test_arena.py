"""Arenas: mirrored, reproducible, resumable, and honest about failures."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tavolino.arena.arena import Progress, RunSettings, arena
from tavolino.arena.deals import find_player
from tavolino.arena.result import ArenaResult
from tavolino.bots.position import Limits
from tavolino.play.records import check, lines
from tavolino.play.setup import read_setup
from tests.arena.bots import load

CLOCKS = ("ms_per_move", "slowest_ms", "late")


def run(game: str, *bots: str, games: int = 20, **more: Any) -> ArenaResult:
    given: dict[str, Any] = {"seed": 1, "workers": 1, "load": load} | more
    how = {name: given.pop(name) for name in ("seed", "limits", "load") if name in given}
    setup = read_setup(game, *[given.pop(name, None) for name in ("players", "options", "first")])
    return arena(setup, bots, games, **how, settings=RunSettings(**given))


def timeless(result: ArenaResult) -> dict[str, Any]:
    """Return all that does not depend on the clock."""
    data = asdict(result)
    for bot in data["bots"]:
        for key in CLOCKS:
            del bot[key]
    return data


def read(path: Path) -> list[Any]:
    return [record for _, record in lines(path)]


def test_the_same_seed_gives_the_same_on_any_number_of_workers(tmp_path: Path) -> None:
    """Down to the records; another seed gives other games."""
    once = run("orma", "random", "first", "random", games=24, records=tmp_path / "1")
    twice = run("orma", "random", "first", "random", games=24, records=tmp_path / "2", workers=2)
    other = run("orma", "random", "first", "random", games=24, seed=2)
    assert timeless(once) == timeless(twice)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert timeless(once)["bots"] != timeless(other)["bots"]


@pytest.mark.parametrize(("key", "players"), [("face-to-face", 2), ("orma", 3), ("out-of-sock", 4)])
def test_deals_are_mirrored(key: str, players: int, tmp_path: Path) -> None:
    """All games on a deal have the same cards and the same start; each bot sits in each seat."""
    result = run(key, "random", "first", games=12, players=players, records=tmp_path / "records")
    records = read(tmp_path / "records")
    each = result.games_per_deal
    assert len(records) == result.games == each * result.deals
    for begin in range(0, len(records), each):
        same = records[begin : begin + each]
        assert all((record["deal"], record["first"]) == (same[0]["deal"], same[0]["first"]) for record in same)
        assert len({tuple(record["players"]) for record in same}) == each
        assert len({tuple(record["moves"]) for record in same}) > 1
    assert len({json.dumps(record["deal"]) for record in records}) == result.deals
    for record in records:
        check(record)


def test_results_follow_from_the_records(tmp_path: Path) -> None:
    """Wins counted by hand."""
    result = run("orma", "random", "first", games=8, players=3, records=tmp_path / "records")
    wins = dict.fromkeys(("random", "first"), 0.0)
    for record in read(tmp_path / "records"):
        for seat in record["winners"]:
            wins[record["players"][seat]] += 1 / len(record["winners"])
    assert {bot.name: bot.wins for bot in result.bots} == pytest.approx(wins)
    assert sum(bot.games for bot in result.bots) == 3 * result.games


def test_equal_bots_are_equal() -> None:
    """The interval of random against itself holds 50 %, and the second has a name of its own."""
    result = run("face-to-face", "random", "random", games=100)
    assert [bot.name for bot in result.bots] == ["random", "random#2"]
    low, high = result.pairs[0].ci95
    assert low < 0.5 < high
    assert result.bots[0].win_rate + result.bots[1].win_rate == pytest.approx(1)


def test_json_has_the_agreed_shape() -> None:
    """All agreed keys are there, plain data throughout."""
    data = run("orma", "random", "first", "random").as_json()
    assert json.loads(json.dumps(data))["game"] == "orma"
    assert {"game", "players", "games", "bots", "pairs"} <= set(data)
    keys = {"name", "games", "wins", "win_rate", "ci95", "rating", "ms_per_move", "errors"}
    assert all(keys <= set(bot) for bot in data["bots"])
    assert all({"a", "b", "games", "a_wins", "win_rate", "ci95"} <= set(pair) for pair in data["pairs"])
    assert [(pair["a"], pair["b"]) for pair in data["pairs"]] == [
        ("random", "first"),
        ("random", "random#2"),
        ("first", "random#2"),
    ]
    for pair in data["pairs"]:
        assert pair["win_rate"] == pytest.approx(pair["a_wins"] / pair["games"])


def test_failing_bots_lose_and_the_others_go_on() -> None:
    """Each failure is counted by kind, and the first one's last words are kept."""
    result = run("face-to-face", "random", "cheats", "sometimes", games=60)
    fair, cheat, sometimes = result.bots
    assert (fair.errors, cheat.errors) == (0, cheat.games)
    assert cheat.wins == 0
    assert cheat.failures == {"illegal": cheat.games}
    assert 0 < sometimes.errors < sometimes.games
    assert sometimes.wins > 20  # all those against the cheat, but for its own breaks
    assert sometimes.first_failure is not None
    assert "no move comes to my mind" in sometimes.first_failure


MINE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if "--quit" in sys.argv and len(asked["view"]["moves"]) > 8:
            sys.exit("I have had enough")
        print(json.dumps({"id": asked["id"], "move": asked["legal_moves"][-1]}), flush=True)
"""


def test_programs_and_functions_play(tmp_path: Path) -> None:
    """In workers, each seat with a process of its own; who leaves loses, and its last words are kept."""
    (tmp_path / "program.py").write_text(MINE)
    (tmp_path / "function.py").write_text("def choose(view, legal_moves):\n    return legal_moves[-1]\n")
    program = f"cmd:{sys.executable} {tmp_path / 'program.py'}"
    bots = (program, f"{tmp_path / 'function.py'}", f"{program} --quit")
    result = run("orma", *bots, games=6, players=3, workers=2, load=find_player)
    assert [bot.errors for bot in result.bots] == [0, 0, 6]
    assert [bot.name for bot in result.bots] == list(bots)
    assert "I have had enough" in (result.bots[2].first_failure or "")
    assert result.bots[0].wins + result.bots[1].wins == 6


BROKEN = {
    "none.py": ("x = 1\n", "none.py has no function 'choose'"),
    "wrong.py": ("def choose(:\n", "SyntaxError"),
    "lost.py": ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
    "silent.py": ("import os; os._exit(1)\n", "it ended before it was ready"),
}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_function_that_cannot_be_loaded_is_an_error_before_the_games(workers: int, tmp_path: Path) -> None:
    """Not a bot that loses them all."""
    wrong = {"os:nothing": "os:nothing: os has no function 'nothing'"}
    for name, (text, says) in BROKEN.items():
        (tmp_path / name).write_text(text)
        wrong[f"{tmp_path / name}"] = says
    played: list[Progress] = []
    for bot, says in wrong.items():
        with pytest.raises(ValueError, match=says):
            run("orma", "random", bot, workers=workers, load=find_player, progress=played.append)
    assert not played


def test_a_dying_worker_is_an_error() -> None:
    """It could be anyone's fault."""
    with pytest.raises(RuntimeError, match="a worker process ended unexpectedly, with exit code 7"):
        run("face-to-face", "random", "dies", workers=2)


def test_an_unknown_bot_is_an_error_before_the_games() -> None:
    """As are too few of them."""
    with pytest.raises(ValueError, match="no player 'nobody'"):
        run("orma", "random", "nobody", workers=2)
    with pytest.raises(ValueError, match="at least two bots"):
        run("orma", "random")
    with pytest.raises(ValueError, match="games must be"):
        run("orma", "random", "first", games=0)


def test_a_settled_question_stops_it_early() -> None:
    """At the same deal on any number of workers; three bots need all neighbours settled."""
    once = run("face-to-face", "random", "close", games=1000, stop=True)
    assert once.stopped
    assert once.deals < 100
    assert once.pairs[0].verdict == "close"
    assert timeless(once) == timeless(run("face-to-face", "random", "close", games=1000, stop=True, workers=2))
    three = run("face-to-face", "random", "close", "first", games=1000, stop=True)
    assert three.stopped
    assert once.deals < three.deals < 300


def test_progress_is_told() -> None:
    """Once for each deal, with the running score."""
    told: list[Progress] = []
    run("orma", "random", "first", games=9, progress=told.append)
    assert [progress.games for progress in told] == [2, 4, 6, 8, 10]
    assert {progress.total for progress in told} == {10}
    assert all(sum(progress.score) == pytest.approx(1) for progress in told)


def test_an_arena_goes_on_from_its_file(tmp_path: Path) -> None:
    """More games later; the same as in one go, with the seed from the file; a torn last line is played again."""
    path = tmp_path / "state.jsonl"
    run("orma", "random", "first", games=10, resume=path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    longer = run("orma", "random", "first", games=20, resume=path, seed=None, records=tmp_path / "records")
    assert timeless(longer) == timeless(run("orma", "random", "first", games=20))
    assert len(path.read_bytes().splitlines()) == 11
    assert len(read(tmp_path / "records")) == 20
    before = path.read_bytes()
    assert timeless(run("orma", "random", "first", games=10, resume=path))["deals"] == 5
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"seed": 2}, "its seed is 1, not 2"),
        ({"players": 3}, "its players is 2, not 3"),
        ({"limits": Limits(simulations=9)}, "its simulations is None, not 9"),
        ({"first": 1}, "its first is None, not 1"),
    ],
)
def test_the_file_of_another_arena_is_refused(more: dict[str, Any], message: str, tmp_path: Path) -> None:
    """And left as it is."""
    path = tmp_path / "state.jsonl"
    run("orma", "random", "first", games=2, resume=path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=message):
        run("orma", "random", "first", games=2, resume=path, **more)
    assert path.read_bytes() == before


def test_any_other_file_is_refused(tmp_path: Path) -> None:
    """Nobody's notes are overwritten."""
    path = tmp_path / "notes.txt"
    path.write_text("dear diary\n")
    with pytest.raises(ValueError, match="not a file of an arena"):
        run("orma", "random", "first", games=2, resume=path)
    run("orma", "random", "first", games=2, resume=tmp_path / "state")
    damaged = (tmp_path / "state").read_bytes().splitlines(keepends=True)
    path.write_bytes(damaged[0] + b"{}\n" + damaged[1])
    with pytest.raises(ValueError, match="line 2: not a finished deal"):
        run("orma", "random", "first", games=2, resume=path)
    assert path.read_bytes() == damaged[0] + b"{}\n" + damaged[1]


SCRIPT = """
import sys
from pathlib import Path
from tavolino.arena.arena import RunSettings, arena
from tests.arena.bots import load
settings = RunSettings(workers=2, resume=Path(sys.argv[1]))
arena("orma", ["slow", "random"], 40, seed=1, load=load, settings=settings)
"""


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, on Linux."""
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


def alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def wait_until(what: Any) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_kill_loses_no_finished_deal(how: signal.Signals, tmp_path: Path) -> None:
    """The same result as in one go, and no worker is left behind."""
    path = tmp_path / "state.jsonl"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(path)], env=env, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 4)
        workers = children(process.pid)
        process.send_signal(how)
        assert process.wait(60) != 0
        wait_until(lambda: not any(alive(pid) for pid in workers))
    finally:
        process.kill()
        process.wait()
    assert len(workers) >= 2
    finished = path.read_bytes()
    done = finished[: finished.rindex(b"\n") + 1]
    assert 4 < done.count(b"\n") < 21
    result = run("orma", "slow", "random", games=40, resume=path)
    assert path.read_bytes().startswith(done)
    assert timeless(result) == timeless(run("orma", "slow", "random", games=40))
