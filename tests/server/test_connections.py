"""Connections that want nothing good, or nothing at all: they are few, short, and in nobody's way."""

import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tavolino.server.guard import HEADERS, MAX_BODY
from tavolino.server.http_protocol import LONGEST, MAX_HEADER, MAX_HEADERS
from tests.server.servers import PATIENCE, Server, Zygote, person
from tests.server.test_broken_parts import deaf, memory_of
from tests.server.test_guard import status

GET = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
UPGRADE = (
    b"GET /api/tables/AAAAAAAAAAAAAAAA/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@contextlib.contextmanager
def running(zygote: Zygote, database: Path, **config: Any) -> Iterator[Server]:
    server = Server(zygote, str(database), **config)
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="module")
def hasty(zygote: Zygote, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits half a second for a request, and lets an address have five connections."""
    place = tmp_path_factory.mktemp("connections") / "tables.sqlite"
    with running(zygote, place, request_seconds=0.5, connections_each=5, ping=0.4) as server:
        yield server


def raw(server: Server, source: str = "127.0.0.1") -> socket.socket:
    one = socket.create_connection(("127.0.0.1", server.port), 10, (source, 0))
    one.settimeout(PATIENCE)
    return one


def all_of(one: socket.socket) -> bytes:
    """Return all that is said until the other side closes."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while came := one.recv(65536):
            data += came
    return data


def answered(one: socket.socket) -> tuple[int, str]:
    """Return the status and the code of the answer, after which the connection is closed."""
    head, _, body = all_of(one).partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    given = {name: value for name, _, value in (line.partition(": ") for line in lines[1:])}
    assert given["connection"] == "close"
    assert {name: given[name] for name in HEADERS} == HEADERS
    return int(lines[0].split()[1]), msgspec.json.decode(body)["code"]


def test_silent_connections_lock_nobody_out(zygote: Zygote, tmp_path: Path) -> None:
    """More than the system's soft limit of open files, which is raised: everyone else plays."""
    with running(zygote, tmp_path / "t.sqlite", files=(128, 1024)) as server, contextlib.ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(raw(server))
        with person(server.url) as ada:
            one, seen = ada.sit_at(ada.open("orma", ("me", "bot:easy")))
            assert seen["table"]["phase"] == "playing"
            one.send(type="ping")
            one.until("pong")


def test_a_full_house_says_so_and_those_inside_play_on(zygote: Zygote, tmp_path: Path) -> None:
    """The hard limit of open files is reached: 503 in words, over files kept for it; then there is room again."""
    config = {"files": (200, 200), "request_seconds": 2.0}
    with running(zygote, tmp_path / "t.sqlite", **config) as server, contextlib.ExitStack() as stack:
        ada = stack.enter_context(person(server.url))
        table = ada.open("orma", ("me", "me"))
        inside, seen = ada.sit_at(table)
        silent = [stack.enter_context(raw(server)) for _ in range(160)]
        with raw(server) as late:
            late.sendall(GET)
            assert answered(late) == (503, "full_house")
        page = httpx.get(server.url, headers={"Accept": "text/html,*/*"})
        assert (page.status_code, "retry-after" in page.headers) == (503, True)
        assert 'lang="es"' in page.text
        assert status(ada, table) == 503
        inside.send(type="look", seat=seen["curtain"])
        seen = inside.until("snapshot")
        assert inside.ask("move", at=seen["number"], word=seen["legal"][0]["word"])["type"] != "refused"
        assert ada.http.get("/healthz").status_code == 200  # over the connection it has
        many = [raw(server) for _ in range(300)]  # more than there are files: some are closed unheard
        for one in (*many, *silent):
            assert all_of(one) == b""
            one.close()
        with person(server.url) as bob:
            assert bob.connect(table).hello()["type"] == "snapshot"
        inside.send(type="ping")
        inside.until("pong")


POST = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\n"
HALVES = [
    b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: local",
    POST + b"Content-Length: 100\r\n\r\n{",
    POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    UPGRADE,
]


def test_a_request_that_does_not_go_on(hasty: Server) -> None:
    """The first on its connection, or a later one, even if a byte comes now and then: 408; nothing without a word."""
    with contextlib.ExitStack() as stack:
        silent, *sockets = [stack.enter_context(raw(hasty)) for _ in range(1 + 2 * len(HALVES))]
        for one in sockets[len(HALVES) :]:
            one.sendall(GET)
            said = b""
            while not said.endswith(b"]"):
                said += one.recv(65536)
        for one, half in zip(sockets, 2 * HALVES, strict=True):
            one.sendall(half)
        drips = [one for one, half in zip(sockets, 2 * HALVES, strict=True) if half.endswith(b"local")]
        for _ in range(20):
            time.sleep(0.05)
            for one in drips:
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    one.sendall(b"h")
        assert all_of(silent) == b""
        assert [answered(one) for one in sockets] == [(408, "too_slow")] * len(sockets)


def test_so_many_connections_of_an_address(hasty: Server) -> None:
    """The next is told so, another address is not, and who leaves makes room; those of a proxy do not count."""
    with contextlib.ExitStack() as stack:
        first, *_ = [stack.enter_context(raw(hasty, "127.0.0.2")) for _ in range(5)]
        with raw(hasty, "127.0.0.2") as one:
            one.sendall(GET)
            assert answered(one) == (429, "too_many_connections")
        for source in ("127.0.0.3", *["127.0.0.1"] * 9):
            one = stack.enter_context(raw(hasty, source))
            one.sendall(GET)
            assert one.recv(12) == b"HTTP/1.1 200"
        first.close()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with raw(hasty, "127.0.0.2") as one:
                one.sendall(GET)
                if one.recv(12) == b"HTTP/1.1 200":
                    break
        else:
            raise AssertionError("a closed connection still counts")


def test_connections_over_the_limit_of_an_address_take_no_room_from_others(zygote: Zygote, tmp_path: Path) -> None:
    """They are told so while few wait for it; a crowd that says nothing is closed at once, and counted."""
    server = Server(zygote, str(tmp_path / "tables.sqlite"), connections=200, connections_each=5, request_seconds=60)
    with contextlib.ExitStack() as stack:
        for _ in range(400):
            stack.enter_context(raw(server, "127.0.0.2"))
        for source in ("127.0.0.1", "127.0.0.3"):
            one = stack.enter_context(raw(server, source))
            one.sendall(GET)
            assert one.recv(12) == b"HTTP/1.1 200"
        metrics = httpx.get(f"{server.url}/metrics").text
        assert 'tavolino_refused_total{address="loopback",code="too_many_connections"} 395.0' in metrics
    server.kill()


def test_websockets_do_not_count_as_connections(hasty: Server) -> None:
    """They are counted by themselves, or five tabs would leave no connection for the page."""
    with contextlib.ExitStack() as stack:
        for _ in range(7):
            one = stack.enter_context(raw(hasty, "127.0.0.4"))
            one.sendall(UPGRADE + b"\r\n")
            assert one.recv(12) == b"HTTP/1.1 101"


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 8_000_000,
        b"GET /" + b"x" * 8_000_000,
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 1_000_000,
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * MAX_HEADER + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * MAX_HEADERS + b"\r\n",
        UPGRADE + b"a: b\r\n" * MAX_HEADERS + b"\r\n",
    ],
    ids=["one header", "address", "many headers", "at once", "many at once", "WebSocket"],
)
def test_a_header_is_short(hasty: Server, said: bytes) -> None:
    """Without end, or at once: 431, and it costs next to no memory."""
    before = memory_of(hasty)
    with raw(hasty) as one:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            one.sendall(said)
        assert answered(one) == (431, "too_large")
    assert memory_of(hasty) - before < 20_000_000
    assert httpx.get(f"{hasty.url}/healthz").json() == {"ok": True}


def test_what_follows_a_request_is_bounded_too(hasty: Server) -> None:
    """Trailers are headers after the body; they, and a body that is refused, are not listened to for ever."""
    before = memory_of(hasty)
    post = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    for rest in (
        b"0\r\nX: " + b"x" * 20_000_000,
        b"0\r\n" + b"a: b\r\n" * 3_000_000,
        b"ffffffff\r\n" + b" " * 20_000_000,
    ):
        with raw(hasty) as one:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                one.sendall(post + rest)
            all_of(one)
    assert memory_of(hasty) - before < 20_000_000
    assert LONGEST > 10 * MAX_BODY
    assert httpx.get(f"{hasty.url}/healthz").json() == {"ok": True}


def test_a_websocket_that_reads_nothing_is_let_go(hasty: Server) -> None:
    """It answers no ping, and what waits for it to be read does not hold the connection open."""
    with person(hasty.url) as ada:
        table = ada.open("orma", ("me", "me"))
        one = deaf(hasty, table, "")  # alone there: with a busy machine anyone may miss a ping
        text = msgspec.json.encode({"type": "ping"})
        with contextlib.closing(one):
            with contextlib.suppress(ConnectionError, TimeoutError):
                for _ in range(20_000):
                    one.sendall((b"\x81" + bytes([0x80 | len(text)]) + b"\0\0\0\0" + text) * 50)
            until = time.monotonic() + PATIENCE
            while "tavolino_connections 0.0" not in ada.http.get("/metrics").text:
                assert time.monotonic() < until
                time.sleep(0.05)
