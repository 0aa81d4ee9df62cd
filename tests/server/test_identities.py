"""One person on several devices: the personal link gives another browser the same seats, and can be taken back."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.databases import create, drop, postgres  # noqa: F401
from tests.server.servers import Person, Server, Zygote

People = Callable[[str], Person]


def make_link(who: Person) -> str:
    made = who.http.post("/api/me/link")
    assert made.status_code == 201
    return str(made.json()["token"])


def follow(who: Person, token: str) -> httpx.Response:
    answer = who.http.post("/api/me/continue", json={"token": token})
    if answer.status_code == 200:
        who.http.cookies = httpx.Cookies({"tavolino": answer.cookies["tavolino"]})
    return answer


def about(who: Person) -> tuple[bool, int]:
    me = who.http.get("/api/me").json()
    return me["link"], me["devices"]


def test_another_browser_has_the_same_seats(people: People) -> None:
    """By the link it is the same person: it sees the tables, holds the seat and plays; the first one does, too."""
    ada, phone, bob = people("Ada"), people("Ada"), people("Bob")
    table = ada.open("face-to-face")
    bob.sit_at(table)
    assert about(ada) == (False, 0)
    token = make_link(ada)
    assert phone.http.get("/api/tables/mine").json() == []
    assert follow(phone, token).json() | {"v": 0} == {"known": False, "v": 0, "link": True, "devices": 1}
    assert [one["id"] for one in phone.http.get("/api/tables/mine").json()] == [table]
    for device in (phone, ada):
        assert device.connect(table).hello()["yours"] == [0]
        assert about(device) == (True, 1)


def test_a_link_is_hard_to_guess_and_can_be_revoked(people: People) -> None:
    """A new one replaces it, and it can be taken back; whoever came by it stays."""
    ada, phone = people("Ada"), people("Eve")
    first, second = make_link(ada), make_link(ada)
    assert len(first) == 32  # 192 bits
    assert first != second
    for wrong in (first, "x" * 32, "", second.swapcase()):
        refused = follow(phone, wrong)
        assert (refused.status_code, refused.json()["reason"]) == (404, "no_link")
    assert follow(phone, second).status_code == 200
    assert ada.http.delete("/api/me/link").json()["link"] is False
    assert follow(people("Eve"), second).status_code == 404
    assert about(phone) == (False, 1)
    nobody = httpx.post(f"{ada.url}/api/me/link")
    assert (nobody.status_code, nobody.json()["reason"]) == (403, "no_cookie")
    foreign = ada.http.post("/api/me/continue", json={"token": second}, headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403


def test_other_browsers_can_be_signed_out(people: People) -> None:
    """The first one too, from any of the others: its cookie is worth nothing then, and its sockets are closed."""
    ada, phone, pad = people("Ada"), people("Ada"), people("Ada")
    table = ada.open("face-to-face")
    token = make_link(ada)
    follow(phone, token)
    follow(pad, token)
    sockets = [one.connect(table) for one in (ada, pad)]
    for socket in sockets:
        assert socket.hello()["yours"] == [0]
    assert phone.http.delete("/api/me/devices").json()["devices"] == 0
    for socket in sockets:
        with pytest.raises(ConnectionClosed):
            socket.until("nothing")
    assert phone.connect(table).hello()["yours"] == [0]
    assert follow(people("Eve"), token).status_code == 404
    for one in (ada, pad):
        assert one.connect(table).hello()["yours"] == []
        assert one.http.get("/api/me").json()["known"] is False
        assert one.http.get("/api/tables/mine").json() == []


def test_a_socket_that_has_not_said_hello_is_signed_out_too(people: People) -> None:
    """Who is about to be signed out could keep sockets ready, and come in by one of them afterwards."""
    ada, thief, phone, eve = people("Ada"), people("Eve"), people("Ada"), people("Eve")
    table = ada.open("face-to-face")
    token = make_link(ada)
    follow(thief, token)
    follow(phone, token)
    ready = [one.connect(table) for one in (ada, thief)]
    own, watching = phone.connect(table), eve.connect(table)
    phone.http.delete("/api/me/devices").raise_for_status()
    for socket in ready:
        with pytest.raises(ConnectionClosed):
            socket.hello()
    assert own.hello()["yours"] == [0]
    assert watching.hello()["yours"] == []


def test_an_address_makes_so_many_links(people: People) -> None:
    """Each is a row in the database, for whatever cookie somebody made up."""
    ada = people("Ada")
    ada.http.headers["X-Forwarded-For"] = "192.0.2.77"
    answers = [ada.http.post("/api/me/link") for _ in range(32)]
    assert [answer.status_code for answer in answers] == [201] * 30 + [429] * 2
    assert int(answers[-1].headers["retry-after"]) > 60


def test_a_further_device_replaces_the_oldest(people: People) -> None:
    ada, devices = people("Ada"), [people("Ada") for _ in range(3)]
    token = make_link(ada)
    for _ in range(18):
        follow(devices[0], token)
    follow(devices[1], token)
    follow(devices[2], token)
    assert about(ada) == (True, 20)
    follow(people("Ada"), token)
    assert about(ada) == (True, 20)


def test_neither_logs_nor_the_database_know_a_token(zygote: Zygote, tmp_path: Path) -> None:
    """What is stolen there opens nothing."""
    place = tmp_path / "tables.sqlite"
    server = Server(zygote, str(place))
    ada, phone = Person(server.url), Person(server.url)
    token = make_link(ada)
    follow(phone, token)
    kept = [token, phone.http.cookies["tavolino"], ada.http.cookies["tavolino"]]
    server.kill()
    dump = "\n".join(sqlite3.connect(place).iterdump()) + zygote.log.read_text("utf-8")
    assert 'INSERT INTO "links"' in dump
    assert not any(one in dump for one in kept)
    server.start()  # who was known is known
    assert about(phone) == (True, 1)
    for one in (ada, phone):
        one.close()
    server.kill()


@pytest.fixture
def pair(zygote: Zygote, postgres: str) -> Iterator[list[Server]]:  # noqa: F811
    database = create(postgres)
    both = [Server(zygote, database) for _ in range(2)]
    yield both
    for one in both:
        one.kill()
    drop(database)


def test_at_another_process_one_is_signed_out_too(pair: list[Server]) -> None:
    ada, phone = Person(pair[0].url), Person(pair[1].url)
    table = ada.open("face-to-face")
    follow(phone, make_link(ada))
    socket = ada.connect(table)
    assert socket.hello()["yours"] == [0]
    phone.http.delete("/api/me/devices")
    with pytest.raises(ConnectionClosed):
        socket.until("nothing")
    assert ada.connect(table).hello()["yours"] == []
    for one in (ada, phone):
        one.close()
