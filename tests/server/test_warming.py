"""A server with nothing compiled: tables at once, hard in the expert's place, and no harm when compiling fails."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tavolino.engine import jit, tiers
from tavolino.engine.registry import GAMES
from tavolino.server import warming
from tavolino.server.descriptions import Warmth
from tavolino.server.warming import Compiler, WarmUp
from tests.server.servers import PATIENCE, Person, Socket, person

if jit.INTERPRETED:
    pytest.skip("nothing is compiled", allow_module_level=True)


@contextlib.contextmanager
def serving(folder: Path, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run `tavolino serve` with an empty cache; its log goes to a file."""
    env = {**os.environ, "TAVOLINO_CACHE": str(folder / "cache"), **environment}
    command = [sys.executable, "-m", "tavolino", "serve", "--port", "0", "--database", str(folder / "tables.sqlite")]
    log = folder / "log"
    with log.open("w") as file, subprocess.Popen(command, env=env, stderr=file, text=True) as process:
        try:
            said = wait_for(lambda: [one for one in log.read_text().splitlines() if "Tavolino is at" in one])
            yield said[0].split()[3], process
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0


def wait_for(look: Callable[[], Any]) -> Any:
    until = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < until, "it never came"
        time.sleep(0.05)
    return found


def play_some(socket: Socket, said: dict[str, Any], moves: int = 6) -> int:
    """Play first legal moves until the bot has answered so many times; return how often it has."""
    answered = 0
    while answered < moves and not (said.get("position") or said["view"])["over"]:
        if said["legal"]:
            said = socket.ask("move", at=said["number"], word=said["legal"][0]["word"])
        else:
            said = socket.until("update", "snapshot")
            answered += 1
    return answered


def test_tables_where_compiling_is_impossible(tmp_path: Path) -> None:
    """Every game opens and its bots answer; for the expert hard does, which is told; hints are not there yet."""
    with serving(tmp_path, TAVOLINO_COMPILE="never") as (url, _), person(url) as ada:
        for key in GAMES:
            for level in ("easy", "expert"):
                socket = ada.connect(ada.open(key, ("me", f"bot:{level}")))
                found = socket.hello()
                assert found["table"]["warming"] is not None
                assert found["table"]["seats"][1]["level"] == level
                assert play_some(socket, found, 2) > 0
        wait_for(lambda: "TAVOLINO_COMPILE is never" in (tmp_path / "log").read_text())
        assert (tmp_path / "log").read_text().count("compiling failed") == 1
        socket, found = my_turn(ada)
        assert found["table"]["warming"] == {"done": 0, "total": 0}
        assert socket.ask("hint")["code"] == "not_now"


def my_turn(one: Person) -> tuple[Socket, dict[str, Any]]:
    """Open a table where this person begins."""
    while True:
        socket = one.connect(one.open("orma", ("me", "bot:easy")))
        found = socket.hello()
        if found["legal"]:
            return socket, found


def children(process: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True)
    return [int(number) for number in found.stdout.split()]


def test_killing_the_compiling_processes_leaves_a_playable_table(tmp_path: Path) -> None:
    with serving(tmp_path) as (url, process), person(url) as ada:
        socket = ada.connect(ada.open("orma", ("me", "bot:expert")))
        found = socket.hello()
        assert found["table"]["warming"]["total"] > 0
        for number in wait_for(lambda: children(process.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        assert play_some(socket, found, 3) > 0
        left = children(process.pid)
    wait_for(lambda: not any(Path(f"/proc/{number}").exists() for number in left))  # they end with the server


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch) -> WarmUp:
    monkeypatch.setattr(warming, "AGAIN", 0.0)
    made = WarmUp(lambda key: None)
    made.begin()
    return made


def compiler(folder: Path, script: str) -> Compiler:
    """Return a compiler for which a game is on disk if there is a file with its name."""

    def load(key: str) -> None:
        if not (folder / key).exists():
            raise jit.NotCompiled(key)

    return Compiler(lambda key: [[sys.executable, "-c", script, str(folder / key)]], load, lambda key: 1)


def test_the_game_that_is_asked_for_goes_first(tmp_path: Path, warm: WarmUp) -> None:
    """Another, that nobody plays, makes way; all get ready in the end."""
    first, *_, last = GAMES
    order: list[str] = []
    sleep = f"600 if {last!r} not in sys.argv[1] and not pathlib.Path({str(tmp_path / 'go')!r}).exists() else 0"
    script = f"import pathlib, sys, time; time.sleep({sleep}); pathlib.Path(sys.argv[1]).touch(); print('a part')"

    def tell(key: str) -> None:
        if warm.of(key) is None:
            order.append(key)

    async def go() -> None:
        warm._tell = tell
        task = asyncio.create_task(warm.run(compiler(tmp_path, script)))
        while warm._work is None:
            await asyncio.sleep(0.01)
        assert warm._compiling == first
        assert warm.of(first) == Warmth(0, 1)
        (tmp_path / "go").touch()  # whoever begins from now on is quick: `first` sleeps on
        warm.ask(last)
        await task

    asyncio.run(go())
    assert order[0] == last
    assert set(order) == set(GAMES)
    assert not any(map(tiers.is_plain, GAMES))


@pytest.mark.parametrize("script", ["raise SystemExit(1)", "pass", None], ids=["dies", "keeps nothing", "no process"])
def test_games_stay_plain_when_compiling_fails(
    tmp_path: Path, warm: WarmUp, script: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    made = compiler(tmp_path, script or "")
    if script is None:
        made = Compiler(lambda key: [[str(tmp_path / "nothing here")]], made.load, lambda key: 1)
    asyncio.run(warm.run(made))
    assert all(map(tiers.is_plain, GAMES))
    assert all(warm.of(key) == Warmth(0, 0) for key in GAMES)
    assert "compiling failed" in caplog.text


def test_what_lies_on_disk_is_used_at_once(tmp_path: Path, warm: WarmUp) -> None:
    for key in GAMES:
        (tmp_path / key).touch()
    asyncio.run(warm.run(compiler(tmp_path, "raise SystemExit(1)")))
    assert not any(map(tiers.is_plain, GAMES))
