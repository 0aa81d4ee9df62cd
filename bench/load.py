"""Load on the tables server: whole games of Face to Face over WebSocket, loopback only.

`python bench/load.py` plays 50 tables without thinking time; `--open 1000 --every 5` holds 1,000 tables with a move
every 5 seconds each. Prints durable moves per CPU second of the server, the time from a move to its acknowledgement,
bytes a move and the server's memory a table, as JSON.

`--peer` measures boardgame.io's server (npm, Node) in the same way after ours: as many matches of a tiny game for two,
kept in memory only, each move sent to both sockets. Ours stores every move before it is acknowledged, judges real rules
and sends legal moves and events too; so the comparison is kind to the peer.
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
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

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


class Tally:
    """What is counted over all tables."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.received = 0
        self.stop = False


async def join(url: str, cookie: str, table: str) -> tuple[ClientConnection, dict[str, Any]]:
    """Return a socket at a table and what it sees first."""
    socket = await connect(f"{url}/api/tables/{table}/ws", additional_headers={"Cookie": cookie}, compression=None)
    await socket.send('{"type":"hello","v":1}')
    return socket, await until(socket)


async def until(socket: ClientConnection, name: str | None = None) -> dict[str, Any]:
    """Return the next position (that answers the message `name`)."""
    while True:
        text = await socket.recv()
        message = msgspec.json.decode(text)
        if message["type"] in ("snapshot", "update") and (name is None or message.get("id") == name):
            message["bytes"] = len(text)
            return message
        if message["type"] == "refused":
            raise RuntimeError(message["text"])


async def play(url: str, cookies: list[str], table: str, every: float, tally: Tally, seed: int) -> None:
    """Two people play at a table, game after game."""
    rng = random.Random(seed)
    (first, _), (second, seen_by_second) = await join(url, cookies[0], table), await join(url, cookies[1], table)
    sockets = [first, second]
    await second.send(json.dumps({"type": "sit", "id": "sit", "name": "Bob"}))
    seen = [await until(first), await until(second, "sit")]
    moves = 0
    if every:
        await asyncio.sleep(rng.random() * every)
    while not tally.stop:
        mover = next((seat for seat in range(2) if seen[seat]["legal"]), None)
        name = f"m{moves}"
        moves += 1
        if mover is None:
            mover = 0
            await sockets[0].send(json.dumps({"type": "rematch", "id": name}))
        else:
            word = rng.choice(seen[mover]["legal"])["word"]
            message = {"type": "move", "id": name, "at": seen[mover]["number"], "word": word}
            began = time.perf_counter()
            await sockets[mover].send(msgspec.json.encode(message).decode())
        answer = await until(sockets[mover], name)
        if "began" in locals() and answer["type"] == "update":
            tally.waits.append(time.perf_counter() - began)
        other = await until(sockets[1 - mover])
        tally.received += answer["bytes"] + other["bytes"]
        seen[mover], seen[1 - mover] = answer, other
        seat = {True: answer.get("seat", mover), False: other.get("seat", 1 - mover)}
        if answer["type"] == "snapshot" and seat[True] != mover:  # seats were rotated
            sockets.reverse()
            seen.reverse()
        if every:
            await asyncio.sleep(every)
    for socket in sockets:
        await socket.close()


async def load(port: int, number: int, tables: int, seconds: float, every: float) -> dict[str, Any]:
    """Play for a while and return what was measured."""
    http, url = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
    tally = Tally()
    async with httpx.AsyncClient(base_url=http, timeout=60) as client:
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
    players = [asyncio.create_task(play(url, cookies, name, every, tally, i)) for i, name in enumerate(names)]
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
    failed = [one for one in await asyncio.gather(*players, return_exceptions=True) if isinstance(one, RuntimeError)]
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
