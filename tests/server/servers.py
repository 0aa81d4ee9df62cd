"""Real servers for tests: started, killed, started again; and people who play at them over real sockets."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.sync.client import ClientConnection, connect

HERE = Path(__file__).parent
PATIENCE = 60.0
"""Seconds after which a test gives up: far more than anything takes on a busy machine."""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Zygote:
    """The process that forks servers."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._log = log.open("ab")
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "zygote.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            bufsize=1,
        )
        assert self._read() == "warm"

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise RuntimeError(f"no server began; see {self._log.name}")
        return line

    def start(self, port: int, config: dict[str, Any]) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode((port, config)).decode() + "\n")
        number = int(self._read())
        assert self._read() == f"ready {number}"
        return number

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._log.close()


class Server:
    """One server, which can be killed and started again at the same address."""

    def __init__(self, zygote: Zygote, database: str, pace: float = 0.0, **config: Any) -> None:
        """Start it; `config` has other fields of `Config`."""
        self._zygote, self._config = zygote, {"database": database, "pace": pace, **config}
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.number = 0
        self.start()

    def start(self) -> None:
        self.number = self._zygote.start(self.port, self._config)

    def kill(self, how: int = signal.SIGKILL) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.number, how)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                os.kill(self.number, 0)
            except ProcessLookupError:
                return
            time.sleep(0.005)
        raise RuntimeError("the server does not end")


class Socket:
    """One WebSocket at a table."""

    def __init__(self, raw: ClientConnection) -> None:
        self.raw = raw
        self.ids = 0

    def send(self, **message: Any) -> None:
        self.raw.send(msgspec.json.encode(message).decode())

    def read(self, timeout: float = PATIENCE) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.raw.recv(timeout))
        return found

    def until(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of these kinds."""
        while True:
            message = self.read()
            if message["type"] in kinds:
                return message

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a message with a fresh id and return what answers it."""
        self.ids += 1
        name = fields.pop("id", f"t{self.ids}")
        self.send(type=kind, id=name, **fields)
        while True:
            message = self.read()
            if message.get("id") == name:
                return message

    def hello(self) -> dict[str, Any]:
        self.send(type="hello", v=1)
        return self.until("snapshot", "refused", "reload")

    def close(self) -> None:
        self.raw.close()


class Person:
    """A browser: its cookie, its requests, its sockets."""

    def __init__(self, url: str, name: str = "Ada", share: bool = False) -> None:
        """Visit a server; `share` says whether deals get a share of the chance from here."""
        self.url, self.name, self._share = url, name, {"share": True} if share else {}
        self._stack = contextlib.ExitStack()
        # To load the world's certificates, for http, would take longer than most tests.
        self.http = self._stack.enter_context(httpx.Client(base_url=url, timeout=PATIENCE, verify=False))
        self.http.get("/api/me").raise_for_status()

    def open(self, game: str = "face-to-face", seats: tuple[str, ...] = ("me", "open"), **settings: Any) -> str:
        body = {"name": self.name, **self._share, "settings": {"game": game, "seats": list(seats), **settings}}
        answer = self.http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def connect(self, table: str, **headers: str) -> Socket:
        cookie = "; ".join(f"{k}={v}" for k, v in self.http.cookies.items())
        url = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/ws"
        # A socket whose messages nobody reads does not see the other side's goodbye: it need not wait long for it.
        raw = connect(url, additional_headers={"Cookie": cookie, **headers}, compression=None, close_timeout=0.5)
        return Socket(self._stack.enter_context(raw))

    def sit_at(self, table: str) -> tuple[Socket, dict[str, Any]]:
        """Connect, take a free seat if there is none of one's own, and return the socket and the snapshot."""
        one = self.connect(table)
        found = one.hello()
        if not found["yours"] and any(seat["kind"] == "open" for seat in found["table"]["seats"]):
            found = one.ask("sit", name=self.name, **self._share)
            assert found["type"] == "snapshot", found
        return one, found

    def play_out(self, table: str, *others: "Person") -> None:
        """Play every move of one's own seat, and of the others', to the end: what scores most, tokens before draws."""
        for each in (self, *others):
            each.sit_at(table)[0].close()
        sockets = [each.connect(table) for each in (self, *others)]
        seen = [one.hello() for one in sockets]
        while seen[0]["type"] != "snapshot" or seen[0]["table"]["phase"] == "playing":
            for one, now in zip(sockets, seen, strict=True):
                if now["legal"]:
                    word = max(now["legal"], key=lambda offer: ("@" in offer["word"], offer.get("points", 0)))["word"]
                    one.send(type="move", id=f"m{now['number']}", at=now["number"], word=word)
            seen = [one.until("snapshot", "update") for one in sockets]
        for one in sockets:
            one.close()

    def close(self) -> None:
        self._stack.close()


@contextlib.contextmanager
def person(url: str, name: str = "Ada") -> Iterator[Person]:
    one = Person(url, name)
    try:
        yield one
    finally:
        one.close()
