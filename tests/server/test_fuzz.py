"""Nonsense, over HTTP and over WebSockets: never an error of ours, never a table that changed without a legal act."""

import asyncio
import contextlib
import json
import random
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from websockets.exceptions import ConnectionClosed

from tavolino.server.app import Server as App
from tavolino.server.app import schema
from tavolino.server.config import Config
from tavolino.server.entries import Filled, Moved, Sat, Undone
from tavolino.server.messages import MAX_MESSAGE, Incoming
from tavolino.server.store import Row
from tests.server.servers import PATIENCE, Person, Server, Zygote, person
from tests.server.test_kill import fold, logs

Meet = Callable[[str], Person]

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "tables.sqlite"


@pytest.fixture(scope="module")
def fuzzed(zygote: Zygote, place: Path) -> Iterator[Server]:
    one = Server(zygote, str(place), pace=1000.0)  # bots stay out of it
    yield one
    one.kill()


@pytest.fixture
def meet(fuzzed: Server) -> Iterator[Callable[[str], Person]]:
    """Make people by name."""
    with contextlib.ExitStack() as stack:
        yield lambda name: stack.enter_context(person(fuzzed.url, name))


def described() -> dict[str, Any]:
    """Return the description of the API, as the server gives it."""
    return schema(App(Config(database="unused.sqlite")).api)


API = schemathesis.openapi.from_dict(described())


@API.parametrize()
@settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_described(case: schemathesis.Case[Any], fuzzed: Server) -> None:
    """Schemathesis: data as described and data that is not; never a 5xx, every answer in the shape it should have."""
    case.call_and_validate(
        base_url=fuzzed.url,
        checks=[not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance],
        timeout=PATIENCE,
    )


def test_the_description_is_the_servers(fuzzed: Server) -> None:
    given = httpx.get(f"{fuzzed.url}/api/openapi.json").json()
    assert given == msgspec.json.decode(msgspec.json.encode(described()))
    assert len(given["paths"]) >= 8


# WebSocket

KINDS = {kind.__struct_config__.tag: kind for kind in Incoming.__args__}
ODD: list[Any] = [
    None, True, -1, 0, 1, 2, 4, 5, 17, 10**6, 2**63, -(2**63), 1e308, 0.5, "", "0", "u17", "end", "x" * 41, "\u0000",
    "\ud7ff", "😀", "' OR 1=1 --", "<script>", [], [[]], {}, {"a": 1}, "hello", "medium", "bot:easy",
]  # fmt: skip
BROKEN = ["", "{", "}", "[", "null", "{}", "[]", '"', "\x00", '{"type"', '{"type":"move"', "{" * 900]
WORDS = ["end", "u17", "d99", "green@r1", "draw", "keep", "take:1", "roll:1,2,3", "split", "single"]


class Fuzzer:
    """Makes messages from a seed."""

    def __init__(self, seed: int, *without: str) -> None:
        self.rng = random.Random(seed)
        self.ids: list[str] = []
        self.kinds = [kind for kind in (*KINDS, "move", "undo", "sit", "fill") if kind not in without]

    def message(self, number: int) -> str | bytes:
        """Return any message: now and then a sound one, mostly not."""
        rng = self.rng
        match rng.randrange(10):
            case 0:
                return rng.choice(
                    ["", "{", "}", "[", "null", "{}", "[]", '"', "\x00", '{"type"', '{"type":"move"', "{" * 900]
                )
            case 1:
                return rng.randbytes(rng.randrange(0, 60))
            case 2:
                return "x" * rng.choice([MAX_MESSAGE - 1, MAX_MESSAGE, MAX_MESSAGE + 1, 3 * MAX_MESSAGE])
            case 3:
                return msgspec.json.encode({rng.choice(["type", "kind", "v"]): rng.choice(ODD)}).decode()
            case _:
                return self.nearly(number)

    def nearly(self, number: int) -> str:
        """Return a message of a kind that exists, with fields that fit or do not."""
        rng = self.rng
        kind = rng.choice(self.kinds)
        fields: dict[str, Any] = {"type": kind}
        for name in KINDS[kind].__struct_fields__:
            fields[name] = rng.choice(ODD) if rng.random() < 0.25 else self.fitting(name, number)
        if rng.random() < 0.1:
            fields[rng.choice(["extra", "seat", "at", "word"])] = rng.choice(ODD)
        if rng.random() < 0.1:
            fields.pop(rng.choice(list(fields)))
        return msgspec.json.encode(fields).decode()

    def fitting(self, name: str, number: int) -> Any:
        rng = self.rng
        match name:
            case "id":
                self.ids.append(rng.choice(self.ids) if self.ids and rng.random() < 0.3 else f"f{rng.randrange(10**9)}")
                return self.ids[-1]
            case "at":
                return max(0, number + rng.choice([0, 0, 0, -1, -2, 1, 50]))
            case "word":
                return rng.choice(
                    ["end", "u17", "d99", "green@r1", "draw", "keep", "take:1", "roll:1,2,3", "split", "single"]
                )
            case "seat":
                return rng.randrange(5)
            case "level":
                return rng.choice(["easy", "expert"])
            case "emote":
                return "hello"
            case "name":
                return rng.choice(["Mallory", "<b>", " "])
            case _:
                return 1


def log_of(place: Path, table: str) -> list[Row]:
    return asyncio.run(logs(str(place), {table}))[table]


def views(server: Server, table: str, cookies: list[str]) -> list[dict[str, Any]]:
    """Return what each person sees who comes now, but for who is here."""
    found = []
    for cookie in cookies:
        with person(server.url) as one:
            seen = one.connect(table, Cookie=cookie).hello()
        seen["table"] |= {"watching": 0, "seats": [seat | {"here": True} for seat in seen["table"]["seats"]]}
        found.append(seen)
    return found


def cookie_of(person: Person) -> str:
    return "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())


@pytest.mark.parametrize("game", ["face-to-face", "orma", "out-of-sock"])
@pytest.mark.parametrize("role", ["seated", "spectator"])
def test_a_table_changes_by_legal_acts_only(fuzzed: Server, meet: Meet, place: Path, game: str, role: str) -> None:
    """About 2,000 messages in all, from a player and from a stranger, at a table that waits, plays and is watched."""
    ada, bob, eve = meet("Ada"), meet("Bob"), meet("Eve")
    table = ada.open(game, ("me", "open"))
    bob_socket, _ = bob.sit_at(table)
    # Ada is away; whoever fuzzes is Bob or a stranger.
    socket = bob_socket if role == "seated" else eve.connect(table)
    if role == "spectator":
        socket.hello()
    people = [cookie_of(one) for one in (ada, bob, eve)]
    fuzz = Fuzzer(len(game) + 100 * (role == "seated"), "leave" if role == "seated" else "")
    heard: Counter[str] = Counter()
    for _ in range(6):
        before_log, before_views = log_of(place, table), views(fuzzed, table, people)
        number = before_views[0]["number"]
        changed = False
        for _ in range(56):
            message = fuzz.message(number)
            socket.raw.send(message)
            socket.send(type="ping")
            while (answer := socket.read())["type"] != "pong":
                heard[answer.get("code", answer["type"])] += 1
                assert answer.get("code") != "internal"
                if answer["type"] in ("update", "snapshot") and answer["number"] != number:
                    number, changed = answer["number"], True
        if not changed:
            assert log_of(place, table) == before_log
            assert views(fuzzed, table, people) == before_views
        else:
            assert role == "seated", "a stranger changed the table"
            after = log_of(place, table)
            assert after[: len(before_log)] == before_log
            assert {type(row.entry) for row in after[len(before_log) :]} <= {Moved, Undone, Sat, Filled}
            fold(after)  # every move is legal
    assert heard["bad_message"] > 50
    assert fuzzed_is_well(fuzzed)


def test_before_hello_nothing_is_done(fuzzed: Server, meet: Meet, place: Path) -> None:
    ada = meet("Ada")
    table = ada.open("orma", ("me", "open"))
    before = log_of(place, table)
    fuzz = Fuzzer(7)
    socket = ada.connect(table)
    for _ in range(300):
        message = fuzz.message(0)
        if isinstance(message, str) and '"hello"' in message:
            continue
        socket.raw.send(message)
        answer = socket.read()
        assert (answer["type"], answer["code"]) == ("refused", "bad_message")
    assert socket.hello()["type"] == "snapshot"
    assert log_of(place, table) == before


def test_a_replayed_conversation_does_nothing(fuzzed: Server, meet: Meet, place: Path) -> None:
    """All that a player ever said, said again by the same and by a stranger, in order and in disorder."""
    ada, bob, eve = meet("Ada"), meet("Bob"), meet("Eve")
    table = ada.open()
    sockets = [ada.sit_at(table)[0], bob.sit_at(table)[0]]
    said: list[tuple[int, dict[str, Any]]] = []
    rng = random.Random(2)
    people = [cookie_of(one) for one in (ada, bob, eve)]
    for n in range(12):
        views_now = enumerate(views(fuzzed, table, people[:2]))
        mover, seen = next(((seat, one) for seat, one in views_now if one["legal"]), (-1, {}))
        if mover < 0:  # one game in sixty is over by now
            break
        message = {"type": "move", "id": f"s{n}", "at": seen["number"], "word": rng.choice(seen["legal"])["word"]}
        said.append((mover, message))
        sockets[mover].send(**message)
        while sockets[mover].read().get("id") != f"s{n}":
            pass
    before_log, before = log_of(place, table), views(fuzzed, table, people)
    stranger = eve.connect(table)
    stranger.hello()
    for _ in range(3):
        for mover, message in said:
            for who, socket in (*enumerate(sockets), (2, stranger)):
                socket.send(**message)
                while (answer := socket.read()).get("id") != message["id"]:
                    pass
                assert answer["type"] == ("accepted" if who == mover else "refused")
        rng.shuffle(said)
    assert log_of(place, table) == before_log
    assert views(fuzzed, table, people) == before


def test_frames_that_are_none(fuzzed: Server, meet: Meet) -> None:
    """Broken UTF-8, broken frames, too much at once: the socket is closed, the server is well."""
    for frame in (
        b"\x81\x84\x00\x00\x00\x00\xff\xfe\xfd\xfc",  # text that is not UTF-8
        b"\x83\x80\x00\x00\x00\x00",  # an opcode that is none
        b"\x81\x02hi",  # not masked
        b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",  # as long as there is
        b"\x80\x81\x00\x00\x00\x00a",  # goes on with nothing
        b"\x89\xfe\x00\xff\x00\x00\x00\x00" + b"x" * 255,  # a ping too long
    ):
        ada = meet("Ada")
        socket = ada.connect(ada.open("orma"))
        socket.hello()
        socket.raw.socket.sendall(frame)
        with pytest.raises(ConnectionClosed) as error:
            socket.until("never")
        assert error.value.rcvd is None or error.value.rcvd.code in (1002, 1007, 1009)
        assert fuzzed_is_well(fuzzed)


@pytest.mark.parametrize("seed", range(4))
def test_frames_in_any_pieces(meet: Meet, seed: int) -> None:
    """However what is said is cut into frames and pieces on the way, it is heard as it was said."""
    rng = random.Random(seed)
    ada = meet("Ada")
    socket = ada.connect(ada.open("orma"))
    socket.hello()
    names = [f"{n}{'é' * rng.choice((1, 9, 60))}"[:40] for n in range(40)]
    stream, ends = b"", [0]
    for name in names:
        text = json.dumps({"type": "next", "id": name}, ensure_ascii=rng.random() < 0.5).encode()
        cut = rng.randrange(len(text)) if rng.random() < 0.3 else len(text)
        parts = [text[:cut], text[cut:]] if cut < len(text) else [text]
        for n, part in enumerate(parts):
            mask = rng.randbytes(4)
            length = bytes([0x80 | len(part)]) if len(part) < 126 else b"\xfe" + len(part).to_bytes(2)
            if 6 <= len(part) < 126:  # cut after its head, it looks like a frame by itself
                mask = bytes([part[0] ^ 0x81, part[1] ^ (0x80 | len(part) - 6)]) + mask[2:]
                ends.append(len(stream) + 6)
            body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(part))
            stream += bytes([0x80 * (n == len(parts) - 1) | (n == 0)]) + length + mask + body
            ends.append(len(stream))
            if rng.random() < 0.2:
                stream += b"\x89\x80" + rng.randbytes(4)  # a ping
                ends.append(len(stream))
    cuts = sorted({0, *rng.sample(ends, len(ends) * 3 // 4), *rng.sample(range(len(stream)), 3 * seed), len(stream)})
    for begin, end in pairwise(cuts):
        socket.raw.socket.sendall(stream[begin:end])
        time.sleep(0.002)
    assert [socket.until("refused")["id"] for _ in names] == names


def fuzzed_is_well(server: Server) -> bool:
    return bool(httpx.get(f"{server.url}/healthz", verify=False).json() == {"ok": True})
