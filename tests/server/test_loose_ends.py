"""Small things that people meet: a second server, an empty name, too many emotes, a page asked for by its head only."""

import json
import signal
import socket
import sqlite3
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from tavolino.cli.serve import prune
from tavolino.play.records import check
from tavolino.server.lock import FileLock
from tavolino.server.settings import clean_name
from tests.server.servers import Server, Zygote, person

INVISIBLE = [
    "\u200b",
    "\u200d\u2060",
    " \u3000",
    "\u3164",
    "\u115f\u1160",
    "\uffa0",
    "\u2800",
    "\u034f",
    "\ufe0f",
    "\u0301",
]


def test_a_second_server_on_one_file_is_refused(zygote: Zygote, tmp_path: Path) -> None:
    """By any name of the file; killed, the first leaves nothing behind that is in the way."""
    path = tmp_path / "tables.sqlite"
    (tmp_path / "other.sqlite").symlink_to(path)
    server = Server(zygote, str(path))
    for name in ("tables.sqlite", "other.sqlite"):
        with pytest.raises(
            RuntimeError, match=rf"{name} is in use by another Tavolino server \(process {server.number}\)"
        ):
            FileLock(str(tmp_path / name))
    assert CliRunner().invoke(prune, ["--days", "1", "--database", str(path)]).exit_code == 0  # it may run beside
    server.kill(signal.SIGKILL)
    server.start()
    server.kill(signal.SIGTERM)
    FileLock(str(path)).release()


def test_abandoned_tables_are_pruned(zygote: Zygote, tmp_path: Path) -> None:
    """Those that nobody finished, after a longer time than those that are over; what is played stays."""
    path = tmp_path / "tables.sqlite"
    server = Server(zygote, str(path))
    with person(server.url) as ada:
        tables = {
            days: ada.open("orma", seats)
            for days, seats in ((100, ("me", "me")), (95, ("me", "open")), (40, ("me", "me")))
        }
        with sqlite3.connect(path) as database:
            for days, table in tables.items():
                back = days * 86_400_000
                database.execute("UPDATE tables SET opened_at = opened_at - ? WHERE id = ?", (back, table))
                database.execute(
                    "UPDATE entries SET at = at - ? WHERE table_key = (SELECT key FROM tables WHERE id = ?)",
                    (back, table),
                )
        database.close()
        for words, said in (
            ("--days 30", "2 tables"),
            ("--days 30 --abandoned 30", "1 table"),
            ("--days 0", "0 tables"),
        ):
            done = CliRunner().invoke(prune, [*words.split(), "--database", str(path)])
            assert done.output == f"{said} removed.\n"
        assert [ada.http.get(f"/api/tables/{table}").status_code for table in tables.values()] == [404] * 3
    server.kill()


def test_the_record_of_a_table_that_was_closed(server: Server) -> None:
    """Everyone left in mid-game: what was played is there, with its proof."""
    with person(server.url) as ada:
        table = ada.open("face-to-face", ("me", "me"))
        one, seen = ada.sit_at(table)
        one.send(type="look", seat=seen["curtain"])
        seen = one.until("snapshot")
        seen = one.ask("move", at=seen["number"], word=seen["legal"][0]["word"])
        address = f"/api/tables/{table}/games/0"
        assert ada.http.get(f"{address}/record").status_code == 409
        assert one.ask("leave")["table"]["secret"]
        record = ada.http.get(f"{address}/record").json()
        game = check(record)
        assert (game.over, len(game.moves), record["winners"]) == (False, 1, None)
        again = ada.http.get(f"{address}/replay").json()
        assert (len(again["steps"]), again["result"]["winners"], again["result"]["ending"]) == (1, [], "")


def test_a_body_that_breaks_off_is_no_error_of_ours(zygote: Zygote, tmp_path: Path) -> None:
    server = Server(zygote, str(tmp_path / "tables.sqlite"))
    begin = zygote.log.stat().st_size
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            raw.sendall(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
            time.sleep(0.1)
    assert httpx.get(f"{server.url}/livez").json() == {"ok": True}
    server.kill(signal.SIGTERM)
    assert zygote.log.read_bytes()[begin:] == b""


@pytest.mark.parametrize("name", INVISIBLE)
def test_a_name_can_be_seen(server: Server, name: str) -> None:
    """Over HTTP and over a socket; what cannot be seen is no part of a name that can."""
    with person(server.url) as ada:
        body = {"name": name, "settings": {"game": "orma", "seats": ["me", "open"]}}
        answer = ada.http.post("/api/tables", json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_name")
        assert ada.connect(ada.open("orma", ("open", "open"))).hello()["type"] == "snapshot"
    with pytest.raises(ValueError, match="visible"):
        clean_name(name)
    assert clean_name(f"A{name}da").replace(" ", "") in ("Ada", "\u00c1da", "A\ufe0fda")


def test_names_are_kept_as_people_write_them() -> None:
    for name in ("Ada", "Zoë", "Ünï🧦", "李", "עדה", "O’Hara", "❤\ufe0f", "C-3PO", "_", "ภาษาไทย", "नमस्ते"):
        assert clean_name(name) == name
    assert clean_name("Zoe\u0308") == "Zoë"  # one letter, however it was typed
    assert clean_name("Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306") != "Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306"


def test_a_sit_without_a_name_is_refused(server: Server) -> None:
    with person(server.url) as ada, person(server.url) as bob:
        one = bob.connect(ada.open("orma"))
        one.hello()
        assert one.ask("sit", name="\u3164")["code"] == "bad_name"


def test_emotes_are_few(server: Server) -> None:
    """However many sockets a person has; another person at the table still has theirs."""
    with person(server.url) as ada, person(server.url) as bob:
        table = ada.open("orma")
        sockets = [ada.sit_at(table)[0] for _ in range(3)]
        other, _ = bob.sit_at(table)
        for _ in range(20):
            for one in sockets:
                one.send(type="emote", emote="hurry")
        for one in sockets:
            one.send(type="ping")
            while (said := one.until("refused", "pong"))["type"] != "pong":
                assert said["code"] == "too_fast"
        other.send(type="emote", emote="oops")
        emotes = []
        while (said := other.until("emoted"))["emote"] != "oops":
            emotes.append(said)
        assert 1 <= len(emotes) <= 10


@pytest.mark.parametrize(
    "path", ["/", "/t/AAAAAAAAAAAAAAAA", "/api/games", "/healthz", "/api/docs", "/api/tables", "/none.js"]
)
def test_head_is_as_get_without_the_body(server: Server, path: str) -> None:
    get, head = httpx.get(f"{server.url}{path}"), httpx.head(f"{server.url}{path}")
    assert (head.status_code, head.content) == (get.status_code, b"")
    for name in ("content-type", "content-length", "cache-control", "content-security-policy"):
        assert head.headers.get(name) == get.headers.get(name), name


def test_head_leaves_the_connection_as_it_should_be(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 10) as raw:
        raw.sendall(b"HEAD /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
        raw.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        said = b"".join(iter(lambda: raw.recv(65536), b""))
    assert said.count(b"HTTP/1.1 200") == 2
    assert json.loads(said.rpartition(b"\r\n\r\n")[2]) == {"ok": True}
