"""Deleting one's data: nothing in the database tells of the person; the others' games stay valid."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import make_url
from websockets.exceptions import ConnectionClosed

from tavolino.play.fairness import verify
from tavolino.play.records import replay
from tavolino.server.entries import AnyEntry, Arranged, Barred, Closed, Hosted, Opened, Placed, Readied, Sat
from tavolino.server.forgetting import NAMELESS, without
from tavolino.server.guard import identity
from tavolino.server.settings import TableSettings
from tests.server.databases import create, drop, postgres  # noqa: F401
from tests.server.servers import Person, Server, Zygote
from tests.server.test_identities import follow, make_link

NAME, FRIEND = "Adalgisa", "Zenobia"
"""Names that stand nowhere else; Zenobia plays on Adalgisa's device."""


@pytest.fixture(params=["sqlite", "postgres"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "tables.sqlite")
    else:
        made = create(request.getfixturevalue("postgres"))
        yield made
        drop(made)


def everything_in(database: str) -> str:
    """Return all that a database has: the bytes of SQLite's files, or every row of PostgreSQL."""
    if "://" not in database:
        here = Path(database)
        return "".join(file.read_bytes().decode("latin-1") for file in here.parent.glob(f"{here.name}*"))
    with psycopg.connect(make_url(database).set(drivername="postgresql").render_as_string(False)) as connection:
        names = ("tables", "entries", "links", "devices")
        return "".join(str(connection.execute(f"SELECT * FROM {name}").fetchall()) for name in names)


def record(who: Person, table: str) -> dict[str, Any]:
    found = who.http.get(f"/api/tables/{table}/games/0/record")
    assert found.status_code == 200, found.text
    return dict(found.json())


def test_nothing_tells_of_the_person_and_others_keep_their_games(zygote: Zygote, places: str) -> None:
    server = Server(zygote, places)
    ada, phone, bob = Person(server.url, NAME), Person(server.url, NAME), Person(server.url, "Bob")
    token = ada.http.cookies["tavolino"]
    who = str(identity(token))
    follow(phone, make_link(ada))
    alone = ada.open(seats=("me", f"me:{FRIEND}"))
    ada.connect(alone).hello()
    played, going = ada.open(), bob.open()
    ada.play_out(played, bob)
    ada.sit_at(going)
    here, _ = bob.sit_at(going)
    before = record(bob, played)
    known = everything_in(places)
    assert all(part in known for part in (NAME, FRIEND, who, f"{who[:16]}:"))

    answer = phone.http.delete("/api/me")  # from any of their browsers
    assert (answer.status_code, answer.json()["known"]) == (200, False)
    assert 'tavolino=""' in answer.headers["set-cookie"]

    known = everything_in(places)
    assert not [part for part in (NAME, FRIEND, who, f"{who[:16]}:") if part in known]
    assert "Bob" in known
    assert bob.http.get(f"/api/tables/{alone}").status_code == 404
    assert {one["id"] for one in bob.http.get("/api/tables/mine").json()} == {going, played}
    after = record(bob, played)
    assert NAMELESS in after.pop("players")
    assert NAME in before.pop("players")
    assert after == before
    assert replay(after).over
    assert verify(after).over
    room = bob.http.get(f"/api/tables/{played}/room").json()
    assert [one["name"] for one in room["members"]] == [NAMELESS, "Bob"]
    assert sum(tally["played"] for tally in room["members"][1]["tallies"]) == 1
    with pytest.raises(ConnectionClosed):  # and connects again
        here.until("nothing")
    again = bob.connect(going).hello()
    assert [seat["kind"] for seat in again["table"]["seats"]] == ["person", "bot"]
    for stranger in (Person(server.url), phone):  # each of their browsers is one now
        stranger.http.cookies = httpx.Cookies({"tavolino": token})
        assert stranger.http.get("/api/tables/mine").json() == []
        assert stranger.http.get("/api/me").json()["known"] is False
        stranger.close()
    for one in (ada, bob):
        one.close()
    server.kill()


def test_at_another_process_the_table_is_read_anew(zygote: Zygote, postgres: str) -> None:  # noqa: F811
    database = create(postgres)
    one, two = Server(zygote, database), Server(zygote, database)
    ada, bob = Person(one.url, NAME), Person(two.url, "Bob")
    table = ada.open()
    ada.sit_at(table)
    there, _ = bob.sit_at(table)
    assert ada.http.delete("/api/me").status_code == 200
    with pytest.raises(ConnectionClosed):
        there.until("nothing")
    assert NAME not in str(bob.connect(table).hello())
    assert NAME not in bob.http.get(f"/api/tables/{table}/room").text
    for person in (ada, bob):
        person.close()
    for server in (one, two):
        server.kill()
    drop(database)


def test_only_a_known_browser_on_our_own_page_can_ask(server: Server) -> None:
    nobody = httpx.delete(f"{server.url}/api/me")
    assert (nobody.status_code, nobody.json()["reason"]) == (403, "no_cookie")
    ada = Person(server.url)
    table = ada.open()
    assert ada.http.delete("/api/me", headers={"Origin": "https://evil.example"}).status_code == 403
    assert [one["id"] for one in ada.http.get("/api/tables/mine").json()] == [table]
    ada.close()


def test_every_entry_that_names_someone_is_rewritten() -> None:
    """Whatever an entry says of others stays."""
    settings = TableSettings("any", ["me", f"me:{FRIEND}", "open"])
    told: list[AnyEntry] = [
        Opened(settings, "a", NAME),
        Sat(0, "a", NAME),
        Readied("a"),
        Hosted("a"),
        Barred("a"),
        Arranged(settings, [Placed("a", NAME), Placed("b", "Bob"), Placed(None, "Mirto", "easy")]),
        Closed(),
    ]
    for entry in told[:5]:
        text = str(without(entry, "a", "x"))
        assert "'a'" not in text
        assert NAME not in text
        assert FRIEND not in text
        assert without(entry, "b", "x") == entry
    arranged = without(told[5], "a", "x")
    assert isinstance(arranged, Arranged)
    assert [(one.who, one.name) for one in arranged.chairs] == [("x", NAMELESS), ("b", "Bob"), (None, "Mirto")]
    assert without(told[6], "a", "x") == told[6]


def test_sqlite_leaves_nothing_of_what_is_deleted(tmp_path: Path) -> None:
    """The server's own connections overwrite it: without that, the file keeps the bytes."""
    from tavolino.server.database import open_engine, read_url

    place = tmp_path / "tables.sqlite"
    engine = open_engine(read_url(str(place)))
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA secure_delete").scalar() == 1
    engine.dispose()
    sqlite3.connect(place).close()
