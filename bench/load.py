"""Load on the tables server: whole games of Face to Face over WebSocket, loopback only.

`python bench/load.py` plays 50 tables without thinking time; `--open 1000 --every 5` holds 1,000 tables with a move
every 5 seconds each. Prints durable moves per CPU second of the server, the time from a move to its acknowledgement,
bytes a move and the server's memory a table, as JSON.

`--processes 2 --postgresql` plays at two server processes on a PostgreSQL of its own (with fsync), each table at one of
them; with `--apart`, the two people of each table are at different processes, so that every move goes through
LISTEN/NOTIFY. PostgreSQL's CPU time is counted too. `--games 20000` plays so many short games, each at a table of its
own, and prints the server's memory after the first thousand and after the last.

`--peer` measures boardgame.io's server (npm, Node) in the same way after ours: as many matches of a tiny game for two,
kept in memory only, each move sent to both sockets. Ours stores every move before it is acknowledged, judges real rules
and sends legal moves and events too, which is kind to the peer; its players are its own client's, heavier than ours,
which is not: a server that is asked more at once needs less for each.
"""

import argparse
import asyncio
import contextlib
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
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec

from tavolino.server.config import Config
from tavolino.server.hub import SWEEP_SECONDS
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
        limits = dict.fromkeys(("messages_a_second", "requests_a_second", "tables_an_hour"), 1e9)
        config = Config(database=database, tables_each=10_000, sockets_each=10_000, **limits)
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            runner.run(serve(config, bound, lambda: os.write(done, b".") and None))
        os._exit(0)
    bound.close()
    os.read(ready, 1)
    return number, port


def stop_server(number: int) -> None:
    """End a server and wait until it has."""
    os.kill(number, signal.SIGTERM)
    os.waitpid(number, 0)


def cpu_seconds(number: int) -> float:
    """Return the CPU time a process has used."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family_cpu(parent: int) -> float:
    """Return the CPU time of a process and all it has started, those that ended included."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has just ended
            fields = stat.read_text().rpartition(")")[2].split()
            if int(stat.parent.name) == parent:
                ticks += sum(map(int, fields[11:15]))
            elif int(fields[1]) == parent:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def own_postgres() -> Iterator[tuple[str, int]]:
    """Run a PostgreSQL that waits for its disk; yield its address and process number."""
    import psycopg

    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.server.databases import Server, create

    folder = Path(tempfile.mkdtemp(prefix="tavolino-"))
    server = Server(folder)
    try:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(b"ALTER SYSTEM SET fsync = on")
            connection.execute(b"SELECT pg_reload_conf()")
        yield create(server.url), int((folder / "postmaster.pid").read_text().split()[0])
    finally:
        server.close()


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
        """From a move to its acknowledgement."""
        self.told: list[float] = []
        """From a move until the other person has it."""
        self.received = 0
        self.stop = False

    def clear(self) -> None:
        """Begin to count."""
        self.waits.clear()
        self.told.clear()
        self.received = 0


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


async def play(ports: list[int], cookies: list[str], table: str, every: float, tally: Tally, seed: int) -> None:
    """Two people play at a table, game after game, each at a port."""
    rng = random.Random(seed)
    sockets = [await join(port, cookie, table) for port, cookie in zip(ports, cookies, strict=True)]
    sockets[1].send({"type": "sit", "id": "sit", "name": "Bob"})
    seen = [await until(sockets[0]), await until(sockets[1], "sit")]
    while seen[0].number < seen[1].number:  # at another process each entry is told by itself
        seen[0] = await until(sockets[0])
    moves, asking = 0, 1
    if every:
        await asyncio.sleep(rng.random() * every)
    while not tally.stop:
        mover = next((seat for seat in range(2) if seen[seat].legal), None)
        name = f"m{moves}"
        moves += 1
        began = time.perf_counter()
        if mover is None:
            mover = asking = 1 - asking  # both have to want one
            sockets[mover].send({"type": "rematch", "id": name})
        else:
            word = rng.choice(seen[mover].legal).word
            sockets[mover].send({"type": "move", "id": name, "at": seen[mover].number, "word": word})
        answer = await until(sockets[mover], name)
        if answer.type == "update":
            tally.waits.append(time.perf_counter() - began)
        other = await until(sockets[1 - mover])
        while other.number < answer.number:
            other = await until(sockets[1 - mover])
        if answer.type == "update":
            tally.told.append(time.perf_counter() - began)
        tally.received += answer.bytes + other.bytes
        seen[mover], seen[1 - mover] = answer, other
        if answer.type == "snapshot" and answer.seat != mover:  # seats were rotated
            sockets.reverse()
            seen.reverse()
        if every:
            await asyncio.sleep(every)
    for socket in sockets:
        socket.close()


class Counters(NamedTuple):
    """What was used so far."""

    servers: float
    """CPU seconds of all server processes."""
    postgres: float
    """CPU seconds of PostgreSQL; 0 without one of ours."""
    moves: int


async def meet(client: httpx.AsyncClient) -> list[str]:
    """Return the cookies of two people."""
    cookies = []
    for _ in range(2):
        client.cookies.clear()
        await client.get("/api/me")
        cookies.append(f"tavolino={client.cookies['tavolino']}")
    client.cookies.clear()
    return cookies


async def open_table(client: httpx.AsyncClient, cookie: str) -> str:
    """Open a table for two, and return its id."""
    body = {"name": "Ada", "settings": {"game": "face-to-face", "seats": ["me", "open"]}}
    answer = await client.post("/api/tables", json=body, headers={"Cookie": cookie})
    return str(answer.raise_for_status().json()["id"])


async def load(servers: Sequence[tuple[int, int]], postgres: int | None, given: argparse.Namespace) -> dict[str, Any]:
    """Play for a while at some servers (their process numbers and ports) and return what was measured."""
    tally, tables, seconds = Tally(), min(given.tables, 2000), given.seconds
    numbers, ports = [number for number, _ in servers], [port for _, port in servers]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{ports[0]}", timeout=60) as client:
        cookies = await meet(client)
        before = sum(map(memory, numbers))
        names = [await open_table(client, cookies[0]) for _ in range(tables)]
    players = []
    for i, name in enumerate(names):
        there = [ports[(i + seat * given.apart) % len(ports)] for seat in range(2)]
        players.append(asyncio.create_task(play(there, cookies, name, given.every, tally, i)))
    await asyncio.sleep(1 + tables / 200 + given.every)
    tally.clear()

    def count() -> Counters:
        database = 0.0 if postgres is None else family_cpu(postgres)
        return Counters(sum(map(cpu_seconds, numbers)), database, len(tally.waits))

    began = time.monotonic()
    counted = [count()]
    while (left := began + seconds - time.monotonic()) > 0:
        await asyncio.sleep(min(2.0, left))
        counted.append(count())
    used, wall = counted[-1].servers - counted[0].servers, time.monotonic() - began
    waits, told, held = sorted(tally.waits), sorted(tally.told), sum(map(memory, numbers))
    tally.stop = True
    for one in players:
        one.cancel()
    failed = [one for one in await asyncio.gather(*players, return_exceptions=True) if isinstance(one, Exception)]
    if failed:
        raise failed[0]
    found = {
        "processes": len(servers),
        "tables": tables,
        "moves": len(waits),
        "seconds": round(wall, 2),
        "moves_per_second": round(len(waits) / wall),
        "server_cpu_seconds": round(used, 2),
        "moves_per_server_cpu_second": round(len(waits) / used),
        "in_the_best_two_seconds": best_of([(one.servers, one.moves) for one in counted]),
        "ms_p50": round(1000 * waits[len(waits) // 2], 2),
        "ms_p99": round(1000 * waits[int(len(waits) * 0.99)], 2),
        "ms_p99_until_the_other_has_it": round(1000 * told[int(len(told) * 0.99)], 2),
        "bytes_per_move": round(tally.received / len(waits)),
        "server_kb_per_table": round((held - before) / 1024 / tables, 1),
        "load_of_the_machine": round(os.getloadavg()[0], 1),  # beyond its cores, figures are worse than they could be
    }
    if postgres is not None:
        database = counted[-1].postgres - counted[0].postgres
        found["postgresql_cpu_seconds"] = round(database, 2)
        found["moves_per_cpu_second_of_all"] = round(len(waits) / (used + database))
    return found


def shortest(offers: list[Offer]) -> str:
    """Return the move that brings the end of a game nearest: the one that leaves a pile least room."""
    up = [offer.word for offer in offers if offer.word[0] in "uU"]
    down = [offer.word for offer in offers if offer.word[0] in "dD"]
    last = max(up, key=lambda word: int(word[1:])) if up else min(down, key=lambda word: int(word[1:]), default="")
    return last or offers[0].word


async def one_game(port: int, cookies: list[str], table: str) -> None:
    """Play a short game at a table, and leave."""
    sockets = [await join(port, cookie, table) for cookie in cookies]
    sockets[1].send({"type": "sit", "id": "sit", "name": "Bob"})
    seen = [await until(sockets[0]), await until(sockets[1], "sit")]
    moves = 0
    while any(one.legal for one in seen):
        mover = 0 if seen[0].legal else 1
        moves += 1
        word = shortest(seen[mover].legal)
        sockets[mover].send({"type": "move", "id": f"m{moves}", "at": seen[mover].number, "word": word})
        seen[mover], seen[1 - mover] = await until(sockets[mover], f"m{moves}"), await until(sockets[1 - mover])
    for socket in sockets:
        socket.close()


async def many_games(number: int, port: int, games: int) -> dict[str, Any]:
    """Play so many games, 20 at a time; return the server's memory on the way."""
    held: dict[str, float] = {}
    kept = httpx.Limits(keepalive_expiry=2.0)  # sooner than the server closes what is idle, just when it is used again
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60, limits=kept) as client:
        cookies = await meet(client)
        left = iter(range(games))
        done = 0

        async def some() -> None:
            nonlocal done
            for _ in left:
                await one_game(port, cookies, await open_table(client, cookies[0]))
                done += 1
                if done in (1000, games) or done % 5000 == 0:
                    held[f"mb_after_{done}_games"] = round(memory(number) / 2**20, 1)
                if sys.stderr.isatty():
                    print(f"\r{done} of {games} games ", end="", file=sys.stderr, flush=True)

        await asyncio.gather(*(some() for _ in range(20)))
    await asyncio.sleep(2.5 * SWEEP_SECONDS)  # what nobody is at is dropped
    return {"games": games, **held, "mb_when_all_have_gone": round(memory(number) / 2**20, 1)}


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
    parser.add_argument("--postgresql", action="store_true", help="use a PostgreSQL of its own, and count its CPU time")
    parser.add_argument("--processes", type=int, default=1, help="server processes, on PostgreSQL only (default 1)")
    parser.add_argument("--apart", action="store_true", help="seat the two people of a table at different processes")
    parser.add_argument("--games", type=int, default=0, help="play so many short games and print the server's memory")
    parser.add_argument("--peer", action="store_true", help="measure boardgame.io too")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (20_000, 20_000))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        database, postgres = given.database or f"{folder}/tables.sqlite", None
        if given.postgresql:
            database, postgres = stack.enter_context(own_postgres())
        if given.processes > 1 and "://" not in database:
            parser.error("only one process can use a SQLite file: --postgresql, or --database postgresql://…")
        servers = []
        for _ in range(given.processes):
            servers.append(start_server(database))
            stack.callback(stop_server, servers[-1][0])
        with asyncio.Runner(loop_factory=fast_loop()) as runner:
            if given.games:
                found = runner.run(many_games(*servers[0], given.games))
            else:
                found = runner.run(load(servers, postgres, given))
    if given.peer:
        found = {"tavolino": found, "boardgame.io, in memory": peer(found["tables"], given.seconds)}
    json.dump(found, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
