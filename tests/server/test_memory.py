"""What is over is forgotten: tables, their games and the sockets at them go without waiting for the collector."""

import asyncio
import contextlib
import gc
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from tavolino.engine.registry import GAMES
from tavolino.play.game import Game
from tavolino.server import hub as hub_module
from tavolino.server import store as store_module
from tavolino.server.app import Server
from tavolino.server.config import Config
from tavolino.server.connection import Connection
from tavolino.server.guard import COOKIE, new_token
from tavolino.server.live import Live
from tavolino.server.presence import PresenceTracker
from tavolino.server.run import listen, tune_collector, uvicorn_config
from tavolino.server.session import Session
from tavolino.server.table import Table
from tavolino.server.wire import Wire
from tests.server.servers import PATIENCE

EYES = (new_token(), new_token())


@contextlib.asynccontextmanager
async def served(database: Path) -> AsyncIterator[tuple[Server, str]]:
    """A server in this very process, so that its objects can be looked at; its address is real."""
    server = Server(Config(database=str(database), pace=0.0, requests_a_second=1e6))
    await server.start()
    with contextlib.closing(listen("127.0.0.1", 0)) as bound:
        running = uvicorn.Server(uvicorn_config(server.app, Config(database="unused")))
        serving = asyncio.create_task(running.serve(sockets=[bound]))
        try:
            yield server, f"127.0.0.1:{bound.getsockname()[1]}"
        finally:
            running.should_exit = True
            await serving
            await server.close()


async def said(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = msgspec.json.decode(await socket.recv())
        if message["type"] in kinds:
            return message


async def sit(stack: contextlib.AsyncExitStack, address: str, table: str, token: str) -> ClientConnection:
    url = f"ws://{address}/api/tables/{table}/ws"
    headers = {"Cookie": f"{COOKIE}={token}"}
    patient: dict[str, Any] = {"open_timeout": None, "ping_interval": None}  # the first game may have to be compiled
    socket = await stack.enter_async_context(connect(url, additional_headers=headers, compression=None, **patient))
    await socket.send('{"type":"hello","v":1}')
    await said(socket, "snapshot")
    return socket


async def play(sockets: list[ClientConnection], moves: int) -> None:
    """Play so many moves, whoever is asked for one."""
    played = 0

    async def person(socket: ClientConnection, name: str) -> None:
        nonlocal played
        n = 0
        while played < moves:
            seen = await said(socket, "snapshot", "update")
            if seen["legal"]:
                n += 1
                played += 1
                wish = {"type": "move", "id": f"{name}{n}", "at": seen["number"], "word": seen["legal"][0]["word"]}
                await socket.send(msgspec.json.encode(wish).decode())

    people = [asyncio.create_task(person(socket, f"p{n}")) for n, socket in enumerate(sockets)]
    await asyncio.wait(people, return_when=asyncio.FIRST_COMPLETED)
    for one in people:
        one.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    assert played >= moves


KINDS = (Live, Table, Game, PresenceTracker, Session, Connection, Wire)


def held() -> Counter[str]:
    """Count what there is of a table and its sockets, garbage that waits for the collector included."""
    kinds = (type(one) for one in gc.get_objects())
    return Counter(kind.__name__ for kind in kinds if kind in KINDS)


class Knot:
    """Something that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_does_not_pile_up() -> None:
    """Not even what lives for a while, as a request or a socket does, and so has outlived the first collections."""
    before = gc.get_threshold()
    try:
        tune_collector()
        alive: deque[Knot] = deque(maxlen=30_000)
        for _ in range(20):
            alive.extend(Knot() for _ in range(50_000))
            assert sum(type(one) is Knot for one in gc.get_objects()) < 10 * len(alive)
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
        alive.clear()
        gc.collect()


@pytest.mark.parametrize(("game", "quick"), [*((game, True) for game in GAMES), (next(iter(GAMES)), False)])
def test_a_table_goes_with_the_last_who_leaves(
    game: str, quick: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closed by its people, or left as it is and forgotten by the sweep: nothing of it waits for a collection.

    Whether the disk is quick, and the event loop writes, or slow, and the thread does.
    """
    monkeypatch.setattr(hub_module, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(store_module, "QUICK", 3600.0 if quick else -1.0)
    monkeypatch.setattr(store_module, "MOST_SLOW", 1)

    async def visit(server: Server, address: str, leave: bool) -> None:
        async with contextlib.AsyncExitStack() as stack:
            body = {"name": "Ada", "settings": {"game": game, "seats": ["me", "open"]}}
            async with httpx.AsyncClient(base_url=f"http://{address}", cookies={COOKIE: EYES[0]}, timeout=None) as http:
                table = (await http.post("/api/tables", json=body)).raise_for_status().json()["id"]
            sockets = [await sit(stack, address, table, token) for token in EYES]
            await sockets[1].send('{"type":"sit","id":"sit","name":"Bob"}')
            await play(sockets, 6)
            for socket in sockets:  # one of them is to move
                await socket.send('{"type":"hint","id":"hint"}')
                await said(socket, "hinted", "refused")
            for socket in sockets if leave else ():
                await socket.send('{"type":"leave","id":"leave"}')
                while (await said(socket, "snapshot")).get("id") != "leave":
                    pass
            assert set(held()) == {kind.__name__ for kind in KINDS}
            assert server.hub.tables[table].table.closed is leave

    async def story() -> None:
        async with served(tmp_path / "tables.sqlite") as (server, address):
            for leave in (True, False):
                await visit(server, address, leave)
                until = time.monotonic() + PATIENCE
                while (left := held() - before) and time.monotonic() < until:
                    await asyncio.sleep(0.1)
                assert left == Counter()

    gc.collect()
    before = held()  # a game that another test in this process keeps
    gc.disable()
    try:
        asyncio.run(story())
    finally:
        gc.enable()
