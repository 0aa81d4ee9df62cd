"""Parts that break: the database away, a full disk, a client that does not read, everyone at once, the end."""

import asyncio
import contextlib
import os
import resource
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tavolino.server.connection import MAX_WAITING, Connection, encoded
from tavolino.server.guard import COOKIE
from tavolino.server.messages import Accepted, Pong, Refused
from tests.server.databases import Server as Postgres
from tests.server.databases import away, create, drop, postgres  # noqa: F401
from tests.server.players import address, playing, rest, seat_people
from tests.server.servers import PATIENCE, Person, Server, Socket, Zygote
from tests.server.test_kill import fold, logs, lost_and_doubled


@pytest.fixture
def fresh(zygote: Zygote, sqlite_file: str) -> Iterator[Server]:
    one = Server(zygote, sqlite_file)
    yield one
    one.kill()


def two_at(server: Server, **settings: Any) -> tuple[str, list[Person], list[Socket], list[dict[str, Any]]]:
    """Return a table with two people, their sockets and what they see."""
    people = [Person(server.url, name) for name in ("Ada", "Bob")]
    table = people[0].open("face-to-face", **settings)
    first, _ = people[0].sit_at(table)
    second, seen = people[1].sit_at(table)
    return table, people, [first, second], [first.until("snapshot"), seen]


def mover_of(seen: list[dict[str, Any]]) -> int:
    return next(seat for seat, one in enumerate(seen) if one["legal"])


def memory_of(server: Server) -> int:
    """Return the resident memory of a server, in bytes."""
    return int(Path(f"/proc/{server.number}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


# The database


def test_the_database_away_for_ten_seconds(zygote: Zygote, away: Postgres) -> None:  # noqa: F811
    """People go on playing when it is back: nothing acknowledged is lost, nothing unacknowledged is doubled."""
    database = create(away.url)
    server = Server(zygote, database)
    url = [server.url]
    players = [
        *seat_people(url, "face-to-face", ("me", "open"), 2, 1),
        *seat_people(url, "orma", ("me", "bot:easy"), 1, 2),
    ]
    moves: list[int] = []

    async def story() -> None:
        async with playing(players):
            await asyncio.sleep(0.5)
            await asyncio.to_thread(away.stop)
            stopped = time.monotonic()
            async with asyncio.timeout(PATIENCE):
                while True:  # until a move could not be saved
                    health = await asyncio.to_thread(httpx.get, f"{server.url}/healthz", timeout=PATIENCE)
                    if health.status_code == 503:
                        break
                    await asyncio.sleep(0.05)
            assert health.json()["code"] == "not_saved"
            await asyncio.sleep(0.5)  # what was acknowledged before is heard
            moves.append(sum(len(one.moves) for one in players))
            await asyncio.sleep(max(0.0, 10 - (time.monotonic() - stopped)))
            moves.append(sum(len(one.moves) for one in players))
            await asyncio.to_thread(away.start)
            async with asyncio.timeout(PATIENCE):
                while (
                    any(len(one.moves) < 3 for one in players) or sum(len(one.moves) for one in players) < moves[0] + 9
                ):
                    await asyncio.sleep(0.05)
            await rest(players, 30)

    asyncio.run(story())
    assert httpx.get(f"{server.url}/healthz").json() == {"ok": True}
    server.kill()
    found = asyncio.run(logs(database, {one.table for one in players}))
    assert moves[0] == moves[1]  # nothing was acknowledged while it was away
    for one in players:
        fold(found[one.table])
        assert lost_and_doubled(one, found[one.table]) == (0, 0)
        assert {no["code"] for no in one.refused} <= {"not_saved"}
    drop(database)


def test_a_full_disk(fresh: Server, sqlite_file: str) -> None:
    """No file can grow: `not_saved`, and the table is as it was; with space again, the very same message plays."""
    table, people, sockets, seen = two_at(fresh)
    mover = mover_of(seen)
    one = sockets[mover]
    message = {"id": "same", "at": seen[mover]["number"], "word": seen[mover]["legal"][0]["word"]}
    limits = resource.prlimit(fresh.number, resource.RLIMIT_FSIZE)
    resource.prlimit(fresh.number, resource.RLIMIT_FSIZE, (Path(f"{sqlite_file}-wal").stat().st_size, limits[1]))
    for _ in range(3):
        refused = one.ask("move", **message)
        assert (refused["code"], refused["number"]) == ("not_saved", seen[mover]["number"])
    opened = people[0].http.post("/api/tables", json={"name": "A", "settings": {"game": "orma", "seats": ["me", "me"]}})
    assert (opened.status_code, opened.json()["code"]) == (503, "not_saved")
    health = people[0].http.get("/healthz")
    assert (health.status_code, health.json()["code"]) == (503, "not_saved")
    assert people[0].http.get("/livez").json() == {"ok": True}
    before = asyncio.run(logs(sqlite_file, {table}))[table]
    assert len(before) == seen[mover]["number"]
    fresh_look = people[mover].connect(table).hello()
    assert (fresh_look["view"], fresh_look["legal"]) == (seen[mover]["view"], seen[mover]["legal"])
    resource.prlimit(fresh.number, resource.RLIMIT_FSIZE, limits)
    assert people[0].http.get("/healthz").json() == {"ok": True}
    assert one.ask("move", **message)["type"] == "update"
    sockets[1 - mover].until("update")
    rows = asyncio.run(logs(sqlite_file, {table}))[table]
    assert len(rows) == len(before) + 1
    for person in people:
        person.close()


# Clients


def test_a_slow_connection_is_given_a_snapshot_and_the_answers_it_is_owed() -> None:
    """The queue is bounded; answers to its own messages are not lost, and who never reads is let go."""
    sent: list[bytes] = []
    one = Connection("ada", sent.append, lambda: b"snapshot")
    one.put(b"first")
    one.flow(False)
    one.put(b"update", Accepted("mine", 5))
    for _ in range(3 * MAX_WAITING):
        one.put(b"update")
        one.say(Pong())
    one.say(Refused("illegal", "no", 5, id="other"))
    assert sent == [b"first"]
    one.flow(True)
    assert sent == [
        b"first",
        b"snapshot",
        encoded(Accepted("mine", 5)),
        encoded(Refused("illegal", "no", 5, id="other")),
    ]
    one.put(b"then")
    assert sent[-1] == b"then"
    assert not one.lost
    one.flow(False)
    one.put(b"a little")
    one.put(b"later")
    one.flow(True)
    assert sent[-2:] == [b"a little", b"later"]  # few enough to keep, and in order
    one.flow(False)
    for n in range(5 * MAX_WAITING):
        one.say(Accepted(str(n), 5))
    assert one.lost
    assert len(one._owed) <= 2 * MAX_WAITING + 1


def frame(**message: Any) -> bytes:
    text = msgspec.json.encode(message)
    return b"\x81" + bytes([0x80 | len(text)]) + b"\0\0\0\0" + text


def deaf(server: Server, table: str, cookie: str) -> socket.socket:
    """Return the raw socket of a client that said hello and takes next to nothing in."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.settimeout(PATIENCE)
    one.connect(("127.0.0.1", server.port))
    one.sendall(
        f"GET /api/tables/{table}/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Cookie: {cookie}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += one.recv(1)
    assert answer.startswith(b"HTTP/1.1 101")
    one.sendall(frame(type="hello", v=1))
    return one


def test_a_client_that_does_not_read(fresh: Server) -> None:
    """It costs no memory and no time of others; when it reads again, it gets the position as it is then."""
    _, people, sockets, _ = two_at(fresh)
    eve = Person(fresh.url, "Eve")
    table = eve.open("orma", ("me", "me"))
    quick, position = eve.sit_at(table)
    slow = [deaf(fresh, table, f"{COOKIE}={eve.http.cookies[COOKIE]}") for _ in range(2)]
    before = memory_of(fresh)
    asked = 0
    while asked < 5000:  # more than the buffers of the kernel and the server hold together
        for one in slow:
            one.sendall(frame(type="look", seat=position["curtain"]) * 50)
        asked += 50
        assert sockets[0].ask("next")["code"] == "not_now"
    assert memory_of(fresh) - before < 40_000_000
    quick.send(type="look", seat=position["curtain"])
    moved = quick.until("snapshot")
    moved = quick.ask("move", at=moved["number"], word=moved["legal"][0]["word"])
    now = f'{{"type":"snapshot","v":1,"number":{moved["number"]},'.encode()
    data = b""
    with contextlib.closing(slow[0]):
        while now not in data:
            data += slow[0].recv(65536)
    assert data.count(b'{"type":"snapshot"') < asked  # most were dropped for a later one
    for raw in slow:
        raw.close()
    for person in (*people, eve):
        person.close()


def test_a_thousand_reconnects_at_once(fresh: Server) -> None:
    """After a restart everyone comes at the same moment; all have their snapshot soon."""
    ada = Person(fresh.url, "Ada")
    tables = [ada.open(game) for game in ("face-to-face", "orma", "out-of-sock") * 30]
    cookie = f"{COOKIE}={ada.http.cookies[COOKIE]}"
    fresh.kill()
    fresh.start()

    async def come(n: int) -> float:
        began = time.monotonic()
        table = tables[0] if n % 2 else tables[n % len(tables)]  # half of them watch the same table
        async with connect(
            address(fresh.url, table),
            additional_headers={"Cookie": cookie} if n % 3 == 0 else {},
            compression=None,
            open_timeout=PATIENCE,
            ping_interval=None,
        ) as one:
            await one.send('{"type":"hello","v":1}')
            while (message := msgspec.json.decode(await one.recv()))["type"] != "snapshot":
                pass
            assert message["table"]["id"] == table
            here = time.monotonic() - began
            await done.wait()
            return here

    done = asyncio.Event()

    async def story() -> list[float]:
        tasks = [asyncio.create_task(come(n)) for n in range(1000)]
        began = time.monotonic()
        async with asyncio.timeout(PATIENCE):
            while True:
                metrics = (await asyncio.to_thread(httpx.get, f"{fresh.url}/metrics", timeout=PATIENCE)).text
                if "tavolino_connections 1000.0" in metrics:
                    break
                await asyncio.sleep(0.1)
        done.set()
        found = await asyncio.gather(*tasks)
        print(f"1,000 were back after {time.monotonic() - began:.1f} s; the last snapshot after {max(found):.1f} s")
        return found

    took = asyncio.run(story())
    assert len(took) == 1000
    assert httpx.get(f"{fresh.url}/healthz", timeout=PATIENCE).json() == {"ok": True}
    ada.close()


# Going and coming


def test_asked_to_end_it_ends_well(zygote: Zygote, sqlite_file: str) -> None:
    """SIGTERM: sockets are closed with 1012, what was said is stored, the process is gone."""
    server = Server(zygote, sqlite_file)
    table, people, sockets, seen = two_at(server)
    mover = mover_of(seen)
    answer = sockets[mover].ask("move", at=seen[mover]["number"], word=seen[mover]["legal"][0]["word"])
    os.kill(server.number, signal.SIGTERM)
    for one in sockets:
        with pytest.raises(ConnectionClosed) as error:
            one.until("never")
        assert error.value.rcvd is not None
        assert error.value.rcvd.code == 1012
    server.kill(signal.SIGTERM)
    rows = asyncio.run(logs(sqlite_file, {table}))[table]
    assert fold(rows).number == answer["number"]
    for person in people:
        person.close()


def test_who_is_away_may_be_replaced_and_takes_the_seat_back(zygote: Zygote, sqlite_file: str) -> None:
    server = Server(zygote, sqlite_file, away=0.6)
    _, people, sockets, seen = two_at(server)
    table = seen[0]["table"]["id"]
    assert sockets[0].ask("fill", seat=1)["code"] == "not_allowed"
    sockets[1].close()
    while sockets[0].until("presence")["here"][1]:
        pass
    assert sockets[0].ask("fill", seat=1)["code"] == "not_allowed"  # not for long enough yet
    while not (told := sockets[0].until("presence"))["may_replace"][1]:
        pass
    assert told["may_replace"] == [False, True]
    filled = sockets[0].ask("fill", seat=1, level="easy")
    assert filled["table"]["seats"][1] | {"name": ""} == {
        "kind": "person", "name": "", "level": "easy", "you": False, "here": True, "may_replace": False,
        "ready": True, "member": 1,
    }  # fmt: skip
    seen_now = filled
    for _ in range(6):  # the bot plays for Bob
        while not seen_now["legal"]:
            seen_now = sockets[0].until("update", "snapshot")
        seen_now = sockets[0].ask("move", at=seen_now["number"], word=seen_now["legal"][0]["word"])
    back, again = people[1].sit_at(table)
    assert (again["seat"], again["table"]["seats"][1]["level"]) == (1, None)
    assert again["table"]["seats"][1]["name"] == "Bob"
    assert back.ask("move", at=again["number"], word="nonsense", id="after")["code"] in ("illegal", "not_your_turn")
    server.kill()
    for person in people:
        person.close()
