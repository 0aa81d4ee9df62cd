"""Load on the tables server: whole games of Face to Face over WebSocket, loopback only.

`python bench/load.py` plays 50 tables without thinking time; `--open 1000 --every 5` holds 1,000 tables with a move
every 5 seconds each. Prints durable moves per CPU second of the server, the time from a move to its acknowledgement,
bytes a move and the server's memory a table, as JSON.

`--peer` measures boardgame.io's server (npm, Node) in the same way after ours: as many matches of a tiny game for two,
kept in memory only, each move sent to both sockets. Ours stores every move before it is acknowledged, judges real rules
and sends legal moves and events too, which is kind to the peer; its players are its own client's, heavier than ours,
which is not: a server that is asked more at once needs less for each.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import msgspec

from tavolino.server.config import Config
from tavolino.server.run import fast_loop, listen, serve, set_up_logs


def start_server(database: str) -> tuple[int, int]:
    """Fork a server; return its process number and port."""
    from tavolino.play.game import new

    game = new("face-to-face", seed=0)  # compiled code is loaded before the clock runs
    game.tell(game.legal_moves[0])
    bound = listen("127.0.0.1", 0)
    port = bound.getsockname()[1]
    ready, done = os.pipe()
    if (number := os.fork()) == 0:
        resource.setrlimit(resource.RLIMIT_NOFILE, (20_000, 20_000))
        set_up_logs()
        limits = dict.fromkeys(("messages_a_second", "requests_a_second"), 1e9)
        config = Config(database=database, tables_each=10_000, sockets_each=10_000, **limits)
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            runner.run(serve(config, bound, lambda: os.write(done, b".") and None))
        os._exit(0)
    bound.close()
    os.read(ready, 1)
    return number, port


def cpu_seconds(number: int) -> float:
    """Return the CPU time a process has used."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(number: int) -> int:
    """Return the memory a process holds, in bytes."""
    return int(Path(f"/proc/{number}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def best_of(counted: list[tuple[float, int]]) -> int:
    """Return the most moves per CPU second between two looks (at CPU seconds and moves): others may use the machine."""
    spans = [(after[0] - before[0], after[1] - before[1]) for before, after in pairwise(counted)]
    return max((round(moves / cpu) for cpu, moves in spans if cpu > 0.5), default=0)


class Offer(msgspec.Struct):
    """What the players look at of a legal move."""

    word: str


class Seen(msgspec.Struct):
    """What the players look at of a message."""

    type: str
    number: int = 0
    legal: list[Offer] = []
    id: str | None = None
    seat: int | None = None
    text: str = ""
    bytes: int = 0
    """How long the message was."""


read = msgspec.json.Decoder(Seen).decode


class Socket(asyncio.Protocol):
    """A WebSocket as thin as can be: the players must cost less than the server that they measure."""

    def __init__(self) -> None:
        self._came = b""
        self._messages: deque[bytes] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._transport: Any = None  # uvloop's are not asyncio's

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        self._transport = transport

    async def greet(self, host: str, path: str, cookie: str) -> None:
        """Ask for a WebSocket."""
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", f"Cookie: {cookie}", "Upgrade: websocket"]
        lines += ["Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13"]
        self._transport.write("\r\n".join([*lines, "", ""]).encode())
        if not (await self.next()).startswith(b"HTTP/1.1 101"):
            raise RuntimeError("no WebSocket")

    def data_received(self, data: bytes) -> None:
        """Cut what came into messages."""
        came = self._came + data if self._came else data
        while len(came) >= 4:
            if came.startswith(b"HTTP"):
                begin, end = 0, came.find(b"\r\n\r\n") + 4
                if end < 4:
                    break
            else:  # RFC 6455, 5.2: short or of two bytes more; nothing here is longer than that can say
                begin, size = (2, came[1]) if came[1] < 126 else (4, int.from_bytes(came[2:4]))
                end = begin + size
            if len(came) < end:
                break
            if came[0] in (0x81, ord("H")):  # all else is the end
                self._messages.append(came[begin:end])
            came = came[end:]
        self._came = came
        if self._messages:
            self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wake who waits: nothing more will come."""
        self._transport = None
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def next(self) -> bytes:
        """Return the next message."""
        while not self._messages:
            if self._transport is None:
                raise RuntimeError("the server closed a socket")
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self._messages.popleft()

    def send(self, message: dict[str, Any]) -> None:
        """Send a short message, masked with zeros."""
        text = msgspec.json.encode(message)
        assert len(text) < 126
        self._transport.write(bytes((0x81, 0x80 | len(text))) + b"\0\0\0\0" + text)

    def close(self) -> None:
        """Leave."""
        if self._transport is not None:
            self._transport.close()


class Tally:
    """What is counted over all tables."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.received = 0
        self.stop = False


async def join(port: int, cookie: str, table: str) -> Socket:
    """Return a socket at a table, which has seen what is there."""
    _, socket = await asyncio.get_running_loop().create_connection(Socket, "127.0.0.1", port)
    await socket.greet(f"127.0.0.1:{port}", f"/api/tables/{table}/ws", cookie)
    socket.send({"type": "hello", "v": 1})
    await until(socket)
    return socket


async def until(socket: Socket, name: str | None = None) -> Seen:
    """Return the next position (that answers the message `name`)."""
    while True:
        text = await socket.next()
        message = read(text)
        if message.type in ("snapshot", "update") and (name is None or message.id == name):
            message.bytes = len(text)
            return message
        if message.type == "refused":
            raise RuntimeError(message.text)


async def play(port: int, cookies: list[str], table: str, every: float, tally: Tally, seed: int) -> None:
    """Two people play at a table, game after game."""
    rng = random.Random(seed)
    sockets = [await join(port, cookie, table) for cookie in cookies]
    sockets[1].send({"type": "sit", "id": "sit", "name": "Bob"})
    seen = [await until(sockets[0]), await until(sockets[1], "sit")]
    moves = 0
    if every:
        await asyncio.sleep(rng.random() * every)
    while not tally.stop:
        mover = next((seat for seat in range(2) if seen[seat].legal), None)
        name = f"m{moves}"
        moves += 1
        began = time.perf_counter()
        if mover is None:
            mover = 0
            sockets[0].send({"type": "rematch", "id": name})
        else:
            word = rng.choice(seen[mover].legal).word
            sockets[mover].send({"type": "move", "id": name, "at": seen[mover].number, "word": word})
        answer = await until(sockets[mover], name)
        if answer.type == "update":
            tally.waits.append(time.perf_counter() - began)
        other = await until(sockets[1 - mover])
        tally.received += answer.bytes + other.bytes
        seen[mover], seen[1 - mover] = answer, other
        if answer.type == "snapshot" and answer.seat != mover:  # seats were rotated
            sockets.reverse()
            seen.reverse()
        if every:
            await asyncio.sleep(every)
    for socket in sockets:
        socket.close()


async def load(port: int, number: int, tables: int, seconds: float, every: float) -> dict[str, Any]:
    """Play for a while and return what was measured."""
    tally = Tally()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        cookies = []
        for _ in range(2):
            client.cookies.clear()
            await client.get("/api/me")
            cookies.append(f"tavolino={client.cookies['tavolino']}")
        client.cookies.clear()
        before = memory(number)
        body = {"name": "Ada", "settings": {"game": "face-to-face", "seats": ["me", "open"]}}
        names = []
        for _ in range(tables):
            answer = await client.post("/api/tables", json=body, headers={"Cookie": cookies[0]})
            names.append(answer.raise_for_status().json()["id"])
    players = [asyncio.create_task(play(port, cookies, name, every, tally, i)) for i, name in enumerate(names)]
    await asyncio.sleep(1 + tables / 200 + every)
    tally.waits.clear()
    tally.received = 0
    began = time.monotonic()
    counted = [(cpu_seconds(number), 0)]
    while (left := began + seconds - time.monotonic()) > 0:
        await asyncio.sleep(min(2.0, left))
        counted.append((cpu_seconds(number), len(tally.waits)))
    used, wall, waits = counted[-1][0] - counted[0][0], time.monotonic() - began, sorted(tally.waits)
    held = memory(number)
    tally.stop = True
    for one in players:
        one.cancel()
    failed = [one for one in await asyncio.gather(*players, return_exceptions=True) if isinstance(one, Exception)]
    if failed:
        raise failed[0]
    return {
        "tables": tables,
        "moves": len(waits),
        "seconds": round(wall, 2),
        "server_cpu_seconds": round(used, 2),
        "moves_per_server_cpu_second": round(len(waits) / used),
        "in_the_best_two_seconds": best_of(counted),
        "ms_p50": round(1000 * waits[len(waits) // 2], 2),
        "ms_p99": round(1000 * waits[int(len(waits) * 0.99)], 2),
        "bytes_per_move": round(tally.received / len(waits)),
        "server_kb_per_table": round((held - before) / 1024 / tables, 1),
        "load_of_the_machine": round(os.getloadavg()[0], 1),  # beyond its cores, figures are worse than they could be
    }


def peer(matches: int, seconds: float) -> dict[str, Any]:
    """Measure boardgame.io's server in the same way, or say why it cannot be."""
    folder = Path(__file__).parent / "boardgame"
    if shutil.which("npm") is None:
        return {"not_measured": "it needs Node.js and npm"}
    if subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=folder, stdout=sys.stderr).returncode:
        return {"not_measured": "npm could not install it"}
    server = subprocess.Popen(["node", "server.js"], cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = next(line.split()[1] for line in server.stdout if line.startswith("port "))
        players = subprocess.Popen(
            ["node", "players.js", port, str(matches), str(seconds)], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        assert players.stdout is not None
        counted, found = [], {}
        for line in players.stdout:
            if line.startswith("{"):
                found = json.loads(line)
            else:
                counted.append((cpu_seconds(server.pid), int(line.split()[1])))
        players.wait()
    finally:
        server.kill()
        server.wait()
    used = counted[-1][0] - counted[0][0]
    return {
        "matches": matches,
        "moves": found["moves"],
        "seconds": seconds,
        "server_cpu_seconds": round(used, 2),
        "moves_per_server_cpu_second": round(found["moves"] / used),
        "in_the_best_two_seconds": best_of(counted),
        **found,
    }


def main() -> None:
    """Run the load and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--open", type=int, default=50, dest="tables", help="tables (default 50)")
    parser.add_argument("--every", type=float, default=0.0, help="seconds between the moves of a table (default 0)")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long to measure (default 10)")
    parser.add_argument("--database", help="SQLite file or postgresql://… (default: a fresh SQLite file)")
    parser.add_argument("--peer", action="store_true", help="measure boardgame.io too")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (20_000, 20_000))
    with tempfile.TemporaryDirectory() as folder:
        number, port = start_server(given.database or f"{folder}/tables.sqlite")
        try:
            with asyncio.Runner(loop_factory=fast_loop()) as runner:
                found = runner.run(load(port, number, min(given.tables, 2000), given.seconds, given.every))
        finally:
            os.kill(number, signal.SIGTERM)
            os.waitpid(number, 0)
    if given.peer:
        found = {"tavolino": found, "boardgame.io, in memory": peer(found["tables"], given.seconds)}
    json.dump(found, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
