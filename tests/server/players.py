"""People who play by themselves over real sockets: who loses the server comes back and says again what is unheard."""

import asyncio
import contextlib
import random
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tavolino.play.fairness import commitment
from tavolino.server.guard import COOKIE, identity
from tests.server.servers import PATIENCE, Person

GONE = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError)


def address(url: str, table: str) -> str:
    return f"{url.replace('http', 'ws', 1)}/api/tables/{table}/ws"


def _is_ready(seen: dict[str, Any]) -> bool:
    return all(seen["table"]["seats"][seat]["ready"] for seat in seen["yours"])


@dataclass
class Heard:
    """An answer to a message of one's own."""

    message: dict[str, Any]
    answer: dict[str, Any]


@dataclass
class Player:
    """One person at one table, who plays whatever is legal, at once."""

    urls: list[str]
    """Where the table can be reached; the next one is tried when one is gone."""
    table: str
    token: str
    seed: int = 0
    again: bool = True
    """Whether this one wants the next game, and a rematch."""
    heard: list[Heard] = field(default_factory=list)
    """Every message of ours that was answered."""
    seen: dict[int, list[str]] = field(default_factory=dict)
    """The words of each move we were told of, by its number in the log."""
    refused: list[dict[str, Any]] = field(default_factory=list)
    waiting: dict[str, Any] | None = None
    """Said, and not answered yet."""
    sent: float = 0.0
    """When that was first said."""
    number: int = 0
    connected: int = 0
    resting: bool = False
    """Plays nothing new; answers are still awaited."""
    like_page: bool = False
    """Whether it does as the page does: says again what could not be stored, brings its share of the chance, and goes
    to another process when asked to."""
    lost: int = 0
    """How often a connection broke."""
    backward: int = 0
    """How often a position was told that is older than one seen before."""
    waits: list[tuple[float, float]] = field(default_factory=list)
    """When each answered message was first sent, and for how many seconds it was awaited."""
    _ids: int = 0
    _at: int = 0
    _talking: bool = False
    _shares: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rng = random.Random(f"{self.table}/{self.seed}")

    @property
    def who(self) -> str:
        found = identity(self.token)
        assert found is not None
        return found

    async def play(self) -> None:
        """Play until cancelled."""
        there: ClientConnection | None = None
        while True:
            try:
                async with there or await self._connect() as socket:
                    there = None
                    there = await self._talk(socket)
            except GONE:
                self.lost, self._talking = self.lost + self._talking, False
                self._at += 1
                await asyncio.sleep(0.01)

    async def _connect(self) -> ClientConnection:
        url, headers = self.urls[self._at % len(self.urls)], {"Cookie": f"{COOKIE}={self.token}"}
        return await connect(
            address(url, self.table),
            additional_headers=headers,
            compression=None,
            open_timeout=PATIENCE,
            close_timeout=0.5,
        )

    async def _talk(self, socket: ClientConnection) -> ClientConnection | None:
        """Play over a socket; return the one at another process, if it was asked to go there."""
        await socket.send('{"type":"hello","v":1}')
        greeted = False
        last: dict[str, Any] = {}
        async for text in socket:
            message: dict[str, Any] = msgspec.json.decode(text)
            kind = message["type"]
            if kind in ("snapshot", "update"):
                assert self.like_page or message["number"] >= self.number, "something that was seen is gone"
                self.backward += message["number"] < self.number
                self.number = message["number"]
            if kind == "snapshot" and not greeted:
                greeted = self._talking = True
                self.connected += 1
                if self.waiting is not None:
                    await socket.send(msgspec.json.encode(self.waiting).decode())
            if kind == "update" and message["words"]:
                self.seen[message["number"] - 1] = message["words"]
            if kind == "moving" and self.like_page:
                self._at += 1
                with contextlib.suppress(*GONE):  # nobody else is there: it stays as long as it can
                    return await self._connect()
            if self.like_page and message.get("code") == "not_saved" and self.waiting is not None:
                await asyncio.sleep(0.2)
                await socket.send(msgspec.json.encode(self.waiting).decode())
                continue
            if self.waiting is not None and message.get("id") == self.waiting["id"]:
                self.waits.append((self.sent, time.monotonic() - self.sent))
                self.heard.append(Heard(self.waiting, message))
                if kind == "refused":
                    self.refused.append(message)
                self.waiting = None
            if kind in ("snapshot", "update"):
                last = message
            if kind in ("snapshot", "update", "accepted") and self.waiting is None and not self.resting:
                await self._go_on(socket, last)
        raise EOFError

    def _bring(self, seen: dict[str, Any]) -> dict[str, Any] | None:
        """Return what a deal being prepared needs of this person."""
        now = seen["table"]["sealing"] if self.like_page and seen["type"] == "snapshot" else None
        if now is None or not any(now["awaited"][seat] for seat in seen["yours"]):
            return None
        share = self._shares.setdefault(now["round"], secrets.token_hex(32))
        if now["fingerprint"] is None:
            return {"type": "seal", "round": now["round"], "seal": commitment(share)}
        return {"type": "show", "round": now["round"], "share": share}

    async def _go_on(self, socket: ClientConnection, seen: dict[str, Any]) -> None:
        if (brought := self._bring(seen)) is not None:
            await self._say(socket, **brought)
        elif seen["type"] == "snapshot" and seen["table"]["sealing"] is not None:
            pass
        elif seen["legal"]:
            word = self._rng.choice(seen["legal"])["word"]
            await self._say(socket, type="move", at=seen["number"], word=word)
        elif self.again and seen["type"] == "snapshot" and not _is_ready(seen):
            if seen["table"]["phase"] == "between":
                await self._say(socket, type="next")
            elif seen["table"]["phase"] == "over":
                await self._say(socket, type="rematch")

    async def _say(self, socket: ClientConnection, **message: Any) -> None:
        self._ids += 1
        self.waiting = {"id": f"{self.seed}-{self._ids}", **message}
        self.sent = time.monotonic()
        await socket.send(msgspec.json.encode(self.waiting).decode())

    @property
    def moves(self) -> list[Heard]:
        """Our moves that were acknowledged."""
        return [one for one in self.heard if one.message["type"] == "move" and one.answer["type"] != "refused"]


def seat_people(
    urls: list[str],
    game: str,
    seats: tuple[str, ...],
    people: int,
    seed: int,
    like_page: bool = False,
    **settings: Any,
) -> list[Player]:
    """Open a table, seat so many people at it, and return them ready to play; `like_page` brings shares, and more."""
    players: list[Player] = []
    with contextlib.ExitStack() as stack:
        table = ""
        for n in range(people):
            one = Person(urls[0], f"P{n}", share=like_page)
            stack.callback(one.close)
            table = table or one.open(game, seats, **settings)
            socket, _ = one.sit_at(table)
            socket.close()
            token = one.http.cookies[COOKIE]
            players.append(Player(urls, table, token, 10 * seed + n, like_page=like_page))
    return players


@contextlib.asynccontextmanager
async def playing(players: list[Player]) -> Any:
    """Let them play for as long as the block lasts; an error of one is the test's."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one.play()) for one in players]
        yield
        for task in tasks:
            task.cancel()


async def rest(players: list[Player], seconds: float = PATIENCE) -> None:
    """Let everyone play nothing new and wait until all that was said is answered."""
    for one in players:
        one.resting = True
    async with asyncio.timeout(seconds):
        while any(one.waiting is not None for one in players):
            await asyncio.sleep(0.01)
