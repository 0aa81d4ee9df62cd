"""`tavolino serve`, `verify` and `prune`, as processes of their own."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tavolino import new
from tavolino.play.fairness import fair_part
from tavolino.play.records import line
from tests.cli.conftest import Run, environment


def start(*args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tavolino", "serve", *args]
    return subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_serve_begins_answers_and_ends_when_asked(tmp_path: Path, how: signal.Signals) -> None:
    file = tmp_path / "new" / "tables.sqlite"
    with start("--port", "0", "--database", str(file)) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        while "Tavolino is at" not in said:  # the games may be compiled meanwhile
            assert said, "it ended"
            said = process.stderr.readline()
        address = said.split()[3]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(f"{address}/healthz", timeout=60) as answer:
            assert json.load(answer) == {"ok": True}
        process.send_signal(how)
        rest = process.stderr.read()
        assert process.wait(60) == 0, rest
    assert "Traceback" not in rest
    assert file.exists()


def test_a_taken_port_names_a_free_one_as_it_is_typed(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "t.sqlite")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        monkeypatch.delenv("TAVOLINO_BY_MAKE", raising=False)
        ran = run("serve", "--port", port, "--database", database)
        monkeypatch.setenv("TAVOLINO_BY_MAKE", "1")
        by_make = run("serve", "--port", port, "--database", database)
    assert ran.code == by_make.code == 2
    assert f"127.0.0.1:{port} cannot be used" in ran.err
    found = re.search(r"this one is free: --port (\d+)$", ran.err)
    assert found, ran.err
    with socket.socket() as free:
        free.bind(("127.0.0.1", int(found[1])))
    assert re.search(r'this one is free: make play ARGS="--port \d+"$', by_make.err), by_make.err


def test_serve_says_why_it_cannot_begin(tmp_path: Path, run: Run) -> None:
    ran = run("serve", "--host", "203.0.113.1", "--port", "0", "--database", str(tmp_path / "t.sqlite"))
    assert ran.code == 2
    assert ran.err.startswith("tavolino: 203.0.113.1:0 cannot be used (")
    assert "--port" not in ran.err
    for url in ("mysql://localhost/x", str(tmp_path)):
        ran = run("serve", "--port", "0", "--database", url)
        assert ran.code == 2, ran.err
        assert "Traceback" not in ran.err
        assert ran.err.startswith("tavolino: ")


def test_serve_says_what_is_wrong_with_a_bot_of_its_own(tmp_path: Path, run: Run) -> None:
    ran = run("serve", "--bot", f"Mine={tmp_path / 'gone.npz'}")
    assert ran.code == 2
    assert "--bot: " in ran.err
    assert "there is no such file" in ran.err


def test_verify_tells_fair_records_from_others(tmp_path: Path, run: Run) -> None:
    fair = new("orma", 2, "secret").record() | {"fair": fair_part("secret", True)}
    file = tmp_path / "games.jsonl"
    file.write_bytes(line(fair))
    ran = run("verify", str(file))
    assert (ran.code, "fair." in ran.out, "by turn" in ran.out) == (0, True, False)
    chosen = new("orma", 2, "secret", first=1).record() | {"fair": fair_part("secret", False)}
    file.write_bytes(line(chosen))
    assert "Seat 1 started by turn, not by chance" in run("verify", str(file)).out
    file.write_bytes(line(fair) + line(new("orma", 2, "secret").record()) + b"{\n")
    ran = run("verify", str(file))
    assert ran.code == 1
    assert "line 2: fair.secret is missing" in ran.out
    assert "line 3: not JSON" in ran.out
    assert run("verify", str(file), "--commitment", "00" * 32).code == 1
    assert run("verify", str(tmp_path / "none.jsonl")).code == 2


def test_prune_of_an_empty_store(tmp_path: Path, run: Run) -> None:
    ran = run("prune", "--days", "30", "--database", str(tmp_path / "t.sqlite"))
    assert (ran.code, ran.out) == (0, "0 tables removed.\n")
    assert run("prune").code == 2
