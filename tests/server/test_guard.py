"""Who may come in, how much and how often; what every answer says, and what no answer and no log ever says."""

import asyncio
import json
import re
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import tavolino
from tavolino.cli.serve import serve as serve_command
from tavolino.server.app import STATIC
from tavolino.server.config import Config
from tavolino.server.guard import (
    COOKIE,
    HEADERS,
    MAX_BODY,
    Guard,
    RateLimits,
    address_of,
    host_allowed,
    is_loopback,
    origin_allowed,
)
from tavolino.server.messages import MAX_MESSAGE, VERSION
from tests.server.servers import PATIENCE, Person, Server, Zygote

FOLDERS = (Path.home(), Path(tempfile.gettempdir()), Path(sys.prefix), Path(tavolino.__file__).parents[2])
INSIDE = re.compile(
    "|".join(
        [
            r"Traceback|File \"|\.py\b|site-packages|sqlite3|psycopg|SELECT |INSERT ",
            *(re.escape(f"{f}/") for f in FOLDERS),
        ]
    ),
    re.IGNORECASE,
)
"""What only someone on this machine should see: code, queries, the folders we run in."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("guard")


@pytest.fixture(scope="module")
def strict(zygote: Zygote, place: Path) -> Iterator[Server]:
    """A server with limits that are reached soon."""
    one = Server(
        zygote,
        str(place / "tables.sqlite"),
        origins=["https://tavolino.example"],
        requests_a_second=200.0,
        messages_a_second=5.0,
        sockets_each=3,
        tables_each=4,
    )
    yield one
    one.kill()


@pytest.fixture
def ada(strict: Server) -> Iterator[Person]:
    one = Person(strict.url, "Ada")
    yield one
    one.close()


def body(name: str = "Ada", **settings: Any) -> dict[str, Any]:
    return {"name": name, "settings": {"game": "orma", "seats": ["me", "open"], **settings}}


def status(person: Person, table: str, **headers: str) -> int:
    """Return how a WebSocket's handshake is answered."""
    try:
        person.connect(table, **headers).close()
    except InvalidStatus as error:
        return error.response.status_code
    return 101


# Origin and Host


@pytest.mark.parametrize(
    ("origin", "good"),
    [
        (None, True),  # programs send none
        ("same", True),
        ("https://tavolino.example", True),
        ("https://evil.example", False),
        ("http://tavolino.example", False),
        ("https://tavolino.example.evil.example", False),
        ("https://eviltavolino.example", False),
        ("null", False),
        ("", False),
        ("http://[", False),
        ("file://", False),
    ],
)
def test_only_our_own_pages_may_act(strict: Server, ada: Person, origin: str | None, good: bool) -> None:
    """WebSockets and everything that changes something ask for the origin; a foreign page gets 403."""
    table = "AAAAAAAAAAAAAAAA"
    headers = {} if origin is None else {"Origin": strict.url if origin == "same" else origin}
    assert status(ada, table, **headers) == (101 if good else 403)
    answer = ada.http.post("/api/tables", json=body(game="chess"), headers=headers)
    assert answer.status_code == (422 if good else 403)
    if not good:
        assert answer.json()["code"] == "bad_origin"


@pytest.mark.parametrize(
    ("host", "good"),
    [
        ("127.0.0.1", True),
        ("localhost:1234", True),
        ("[::1]:80", True),
        ("tavolino.example", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("192.168.1.7", False),
        ("[", False),
        ("", False),
    ],
)
def test_no_foreign_name_can_be_pointed_at_this_machine(strict: Server, ada: Person, host: str, good: bool) -> None:
    """DNS rebinding: a name that is not ours gets 421, for reading too."""
    answer = ada.http.get("/api/me", headers={"Host": host})
    assert answer.status_code == (200 if good else 421), answer.text
    with socket.create_connection(("127.0.0.1", strict.port), 5) as raw:
        raw.sendall(
            f"GET /api/tables/AAAAAAAAAAAAAAAA/ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert raw.recv(100).startswith(b"HTTP/1.1 101" if good else b"HTTP/1.1 403")


def test_names_and_origins() -> None:
    assert is_loopback("127.8.9.1")
    assert is_loopback("::ffff:127.0.0.1")
    assert not is_loopback("::ffff:192.0.2.1")
    assert is_loopback("tavolino.localhost")
    assert not is_loopback("localhost.evil.example")
    assert origin_allowed({"origin": "http://a:1", "host": "a:1"}, ())
    assert not origin_allowed({"origin": "http://a:2", "host": "a:1"}, ())
    assert not origin_allowed({"origin": "http://a"}, ())
    assert host_allowed({"host": "anything"}, (), True)


def test_this_machine_only_by_default() -> None:
    host = next(option for option in serve_command.params if option.name == "host")
    assert host.default == "127.0.0.1"
    assert Config(database="unused").anywhere is False


# Identity


def test_the_cookie(strict: Server, place: Path) -> None:
    """128 bits, for no script, not sent from other sites, over TLS only where there is TLS; stored as a hash only."""
    with httpx.Client(base_url=strict.url) as http:
        said = http.get("/api/me").headers["set-cookie"]
        assert {"httponly", "samesite=lax", "path=/"} <= set(said.lower().split("; "))
        assert "secure" not in said.lower()
        assert "max-age=63072000" in said.lower()
        token = http.cookies[COOKIE]
        assert re.fullmatch("[A-Za-z0-9_-]{22}", token)
        assert http.get("/api/me").json() == {"known": True, "v": VERSION, "link": False, "devices": 0}
        assert "set-cookie" not in http.get("/api/me").headers
        assert http.post("/api/tables", json=body()).status_code == 201
    with httpx.Client(base_url=strict.url, headers={"X-Forwarded-Proto": "https"}) as http:
        assert "secure" in http.get("/api/me").headers["set-cookie"].lower().split("; ")
    with sqlite3.connect(place / "tables.sqlite") as database:
        rows = list(database.execute("SELECT who, message, body FROM entries"))
    database.close()
    assert rows
    stored = b"".join(path.read_bytes() for path in place.glob("tables.sqlite*"))
    for part in (token, token[:12], token[-12:]):
        assert part.encode() not in stored


def test_tokens_are_not_guessed(strict: Server) -> None:
    tokens = set()
    for _ in range(20):
        with httpx.Client(base_url=strict.url) as http:
            http.get("/api/me")
            tokens.add(http.cookies[COOKIE])
    assert len(tokens) == 20


@pytest.mark.parametrize("cookie", ["", "short", "x" * 65, "ünïcödé-but-long-enough"])
def test_a_cookie_that_is_none_of_ours_is_nobody(strict: Server, cookie: str) -> None:
    headers = [(b"cookie", f"{COOKIE}={cookie}".encode("latin-1"))]
    assert httpx.get(f"{strict.url}/api/me", headers=headers).json()["known"] is False


def test_who_has_no_cookie_can_watch_but_holds_no_seat(strict: Server, ada: Person) -> None:
    table = ada.open("orma")
    ada.http.cookies.clear()
    nobody = ada.connect(table)
    assert nobody.hello()["type"] == "snapshot"
    assert nobody.ask("sit", name="Nobody")["code"] == "not_allowed"


# Headers and pages


def test_every_answer_has_the_headers(strict: Server, ada: Person) -> None:
    """Data, pages, files, refusals, errors of every kind."""
    asset = next((path.name for path in (STATIC / "assets").glob("*.js")), "none.js") if STATIC.exists() else "none.js"
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/", {}),
        ("GET", "/t/AAAAAAAAAAAAAAAA", {}),
        ("GET", f"/assets/{asset}", {}),
        ("GET", "/assets/none.js", {}),
        ("GET", "/api/docs", {}),
        ("GET", "/api/openapi.json", {}),
        ("GET", "/api/games", {}),
        ("GET", "/api/none", {}),
        ("GET", "/api/tables/AAAAAAAAAAAAAAAA", {}),
        ("GET", "/api/tables/x", {}),
        ("POST", "/api/tables", {"content": b"{"}),
        ("POST", "/api/tables", {"content": b"x" * (MAX_BODY + 1)}),
        ("POST", "/api/tables", {"json": body(), "headers": {"Origin": "https://evil.example"}}),
        ("DELETE", "/api/tables", {}),
        ("GET", "/healthz", {}),
        ("GET", "/metrics", {}),
        ("GET", "/api/me", {"headers": {"Host": "evil.example"}}),
    ]
    for method, path, more in requests:
        answer = ada.http.request(method, path, **more)
        for name, value in HEADERS.items():
            assert answer.headers.get(name) == value, (method, path, answer.status_code)
        assert "server" not in answer.headers
        assert answer.status_code < 500 or "page is not built" in answer.text, (method, path)
        if path.startswith("/api/") and answer.headers["content-type"] == "application/json":
            assert answer.headers["cache-control"] == "no-store"
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "'unsafe-eval'" not in policy  # WebAssembly has a permission of its own
    assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]


def test_no_inline_script_anywhere(ada: Person) -> None:
    for path in ("/", "/api/docs"):
        page = ada.http.get(path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)", page), path
        assert not re.search(r"<style|\son\w+=|javascript:", page), path


def test_files_of_the_client_only(strict: Server, ada: Person) -> None:
    """No way out of the folder, and no error for a name that cannot be one."""
    for path in (
        "/assets/../../app.py",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/..%2fapp.py",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd.txt",
        "//etc/passwd.txt",
        "/assets/..%5c..%5capp.py",
        "/%00.js",
        "/assets/" + "x" * 300 + ".js",
        "/assets/" + "x/" * 2000 + "a.js",
        "/assets",
        "/assets/",
    ):
        with socket.create_connection(("127.0.0.1", strict.port), 5) as raw:  # httpx would tidy the path
            raw.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            answer = b"".join(iter(lambda: raw.recv(65536), b""))
        first = answer.partition(b"\r\n")[0]
        assert b" 404" in first or b" 200" in first or b" 503" in first, (path, first)
        assert b"def " not in answer
        assert b"root:" not in answer
        if b" 200" in first:
            assert b"<!doctype html>" in answer.lower()


# Limits


def test_a_body_is_short(strict: Server, ada: Person) -> None:
    """Said to be long, or going on and on: 413, and the server is well."""
    long = b" " * (MAX_BODY + 1)
    answer = ada.http.post("/api/tables", content=long)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")

    def on_and_on() -> Iterator[bytes]:
        for _ in range(20):
            yield b" " * 1024

    answer = ada.http.post("/api/tables", content=on_and_on())
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert ada.http.get("/healthz").json() == {"ok": True}


def test_a_message_is_short(ada: Person) -> None:
    one = ada.connect(ada.open("orma"))
    one.hello()
    one.raw.send(json.dumps({"type": "sit", "id": "1", "name": "x" * MAX_MESSAGE}))
    assert one.until("refused")["code"] == "bad_message"
    one.raw.send("x" * 5 * MAX_MESSAGE)
    with pytest.raises(ConnectionClosed) as error:
        one.until("never")
    assert error.value.rcvd is not None
    assert error.value.rcvd.code == 1009


def test_messages_too_fast_are_refused_by_their_id(ada: Person) -> None:
    one = ada.connect(ada.open("orma"))
    one.hello()
    for n in range(40):
        one.send(type="next", id=f"n{n}")
    answers = [one.until("refused") for _ in range(40)]
    codes = [answer["code"] for answer in answers]
    assert set(codes) == {"not_now", "too_fast"}
    assert codes[:10] == ["not_now"] * 10
    assert [answer["id"] for answer in answers] == [f"n{n}" for n in range(40)]


def test_so_many_sockets_of_an_address(ada: Person) -> None:
    held = [ada.connect("AAAAAAAAAAAAAAAA") for _ in range(3)]
    assert status(ada, "AAAAAAAAAAAAAAAA") == 403
    counted = 'tavolino_refused_total{address="loopback",code="too_many_connections"} 1.0'
    assert counted in ada.http.get("/metrics").text
    held[0].close()
    for _ in range(100):
        if status(ada, "AAAAAAAAAAAAAAAA") == 101:
            break
    else:
        raise AssertionError("a closed socket still counts")
    for one in held:
        one.close()


def test_so_many_tables_of_a_person(strict: Server) -> None:
    one = Person(strict.url)
    for _ in range(4):
        one.open("orma")
    answer = one.http.post("/api/tables", json=body())
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    assert len(one.http.get("/api/tables/mine").json()) == 4
    one.close()


def test_so_many_requests_of_an_address(zygote: Zygote, tmp_path: Path) -> None:
    server = Server(zygote, str(tmp_path / "tables.sqlite"), requests_a_second=2.0)
    with httpx.Client(base_url=server.url) as http:
        codes = [http.get("/api/games").status_code for _ in range(15)]
        assert codes[:8] == [200] * 8
        assert codes[-1] == 429
        other = http.get("/api/games", headers={"X-Forwarded-For": "192.0.2.7"})  # the proxy on this machine says so
        assert other.status_code == 200
    server.kill()


def test_rates() -> None:
    now = 0.0
    rates = RateLimits(2.0, 3.0, lambda: now)
    assert [rates.allow("a") for _ in range(4)] == [True, True, True, False]
    assert rates.allow("b")
    now = 0.5
    assert [rates.allow("a") for _ in range(2)] == [True, False]
    now = 100.0
    assert [rates.allow("a") for _ in range(4)] == [True, True, True, False]


# Words


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("<script>alert(1)", "<script>alert(1)"),
        ("  Ada \t\n Lovelace ", "Ada Lovelace"),
        ("a\u202eb\u0000c", "a b c"),
        ("Ünï🧦", "Ünï🧦"),
    ],
)
def test_names_are_text(strict: Server, name: str, shown: str) -> None:
    """Markup comes back as the letters it is, in JSON that no browser takes for a page."""
    one = Person(strict.url)
    made = one.http.post("/api/tables", json=body(name))
    assert made.status_code == 201, made.text
    answer = one.http.get(f"/api/tables/{made.json()['id']}")
    assert answer.json()["seats"][0]["name"] == shown
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    one.close()


def test_errors_show_nothing_of_the_inside(ada: Person) -> None:
    one = ada.connect(ada.open("orma"))
    one.hello()
    texts = []
    for text in ("{", "[]", '{"type":"x"}', '{"type":"move","id":1}', '{"type":"hello","v":1}', "\ud7ff" * 9):
        one.raw.send(text)
        texts.append(one.until("refused")["text"])
    one.raw.send(b"\xff\x00")
    texts.append(one.until("refused")["text"])
    for method, path, content in (
        ("POST", "/api/tables", b'{"name": 1}'),
        ("POST", "/api/tables", b"\xff\xfe"),
        ("POST", "/api/tables", b"[" * 5000),
        ("POST", "/api/tables", json.dumps(body(options={"x": 1})).encode()),
        ("GET", "/api/tables/x", b""),
        ("GET", "/api/tables/AAAAAAAAAAAAAAAA/games/x/record", b""),
        ("GET", "/api/tables/AAAAAAAAAAAAAAAA/games/0/replay?seat=x", b""),
        ("GET", "/api/rules/orma/xx", b""),
        ("PUT", "/api/me", b""),
    ):
        answer = ada.http.request(method, path, content=content)
        assert 400 <= answer.status_code < 500, (path, answer.text)
        texts.append(answer.text)
        assert set(answer.json()) == {"code", "text"}
    for text in texts:
        assert not INSIDE.search(text), text


def test_an_old_page_is_told_to_load_again(ada: Person) -> None:
    one = ada.connect(ada.open("orma"))
    one.send(type="hello", v=VERSION - 1)
    assert one.read() == {"type": "reload", "v": VERSION}
    with pytest.raises(ConnectionClosed) as error:
        one.read()
    assert error.value.rcvd is not None
    assert error.value.rcvd.code == 1000


def test_a_table_that_is_not_there(ada: Person) -> None:
    for name in ("AAAAAAAAAAAAAAAA", "x", "%00", "a%20b", "x" * 500):
        one = ada.connect(name)
        assert one.hello()["code"] == "not_found"
        with pytest.raises(ConnectionClosed):
            one.read()


def test_health_and_metrics(strict: Server, ada: Person) -> None:
    for path in ("/healthz", "/readyz", "/livez"):
        assert ada.http.get(path).json() == {"ok": True}
    table = ada.open("orma")
    one = ada.connect(table)
    one.hello()
    one.ask("next")
    ada.http.get("/api/tables/none", headers={"X-Forwarded-For": "203.0.113.9"})
    metrics = ada.http.get("/metrics").text
    for name in (
        "tavolino_moves_total",
        "tavolino_connections",
        'tavolino_tables{phase="waiting"}',
        'tavolino_refused_total{address="loopback",code="not_now"}',
        'tavolino_refused_total{address="private",code="bad_message"}',
        "tavolino_commit_seconds_count",
        "tavolino_loop_lag_seconds_count",
        "tavolino_messages_out_total",
        "tavolino_bytes_out_total",
        "tavolino_bots_waiting",
    ):
        assert re.search(rf"^{re.escape(name)} \d", metrics, re.MULTILINE), name
    assert float(re.findall(r"^tavolino_bytes_out_total (\S+)", metrics, re.MULTILINE)[0]) > 1000
    assert table not in metrics
    elsewhere = ada.http.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"})
    assert elsewhere.status_code == 403


def test_logs_hold_no_cookie_no_secret_no_table(zygote: Zygote, tmp_path: Path) -> None:
    """Even where something goes wrong: a full disk is logged, the table is not."""
    server = Server(zygote, str(tmp_path / "tables.sqlite"))
    begin = Path(zygote.log).stat().st_size
    ada = Person(server.url)
    table = ada.open("face-to-face", ("me", "me"))
    socket_, seen = ada.sit_at(table)
    ada.http.get(f"/api/tables/{table}/games/0/record")
    ada.http.get("/api/tables/" + "x" * 16)
    with sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None) as database:
        secrets = [
            json.loads(text)["secret"] for (text,) in database.execute("SELECT body FROM entries WHERE kind='began'")
        ]
        database.execute("ALTER TABLE entries RENAME TO gone")
        socket_.send(type="look", seat=seen["curtain"])
        seen = socket_.until("snapshot")
        refused = socket_.ask("move", at=seen["number"], word=seen["legal"][0]["word"])
        assert refused["code"] == "not_saved"
        assert not INSIDE.search(refused["text"])
        database.execute("ALTER TABLE gone RENAME TO entries")
    database.close()
    assert socket_.ask("move", at=seen["number"], word=seen["legal"][0]["word"])["type"] == "update"
    server.kill()
    with Path(zygote.log).open("rb") as log:
        log.seek(begin)
        lines = log.read().decode()
    assert "refuses" in lines
    for line in lines.splitlines():
        assert {"at", "level", "text"} <= set(json.loads(line))
    assert secrets
    for word in (table, ada.http.cookies[COOKIE], *secrets):
        assert word not in lines
    ada.close()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("", "unix", False),
    ],
)
def test_a_network_of_64_bits_counts_as_one_address(one: str, other: str, same: bool) -> None:
    """Whoever has one IPv6 address has them all: limits by address would be none."""
    assert (address_of(one) == address_of(other)) is same


def test_limits_count_a_network_of_64_bits_once() -> None:
    """Requests from all over a household's network are as many as from one address; the page's files count apart."""
    answers: list[int] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        answers.append(200)

    async def refused(scope: Scope, receive: Receive, send: Send) -> None:
        answers.append(429)

    async def story() -> None:
        guard = Guard(app, Config(database="unused", requests_a_second=1.0), lambda *_: refused)
        scope: Scope = {"type": "http", "method": "GET", "path": "/api/games", "headers": [(b"host", b"localhost")]}
        for n in range(20):
            await guard({**scope, "client": (f"2001:db8::{n}", 1)}, None, None)  # type: ignore[arg-type]

        files = {**scope, "path": "/assets/any.js"}
        for n in range(200):
            await guard({**files, "client": (f"2001:db8::{n}", 1)}, None, None)  # type: ignore[arg-type]

    asyncio.run(story())
    asked, files = answers[:20], answers[20:]
    assert asked[:5] == [200] * 5
    assert asked.count(429) > 10
    assert files[:50] == [200] * 50  # several phones that open the page at once all see it
    assert files.count(429) > 10


def test_a_socket_that_never_says_hello_is_closed(zygote: Zygote, place: Path) -> None:
    """Whatever else it says; who said hello in time stays."""
    server = Server(zygote, str(place / "hello.sqlite"), hello=0.5)
    ada = Person(server.url, "Ada")
    table = ada.open("face-to-face")
    greeted, _ = ada.sit_at(table)
    address = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/ws"
    with connect(address) as silent, connect(address) as babbling:
        babbling.send('{"type":"ping"}')
        assert "the first message must be hello" in str(babbling.recv())
        for one in (silent, babbling):
            with pytest.raises(ConnectionClosed) as error:
                one.recv(timeout=PATIENCE)
            assert error.value.rcvd is not None
            assert error.value.rcvd.code == 1008
    greeted.send(type="ping")
    greeted.until("pong")
    ada.close()
    server.kill()
