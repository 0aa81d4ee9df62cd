"""What goes over the wire does not depend on what is hidden: two worlds, alike to a seat, same bytes."""

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from tavolino.engine.registry import GAMES
from tavolino.play.fairness import commitment
from tavolino.play.game import Game, new
from tavolino.play.records import replay
from tavolino.server.bot_pool import BotPool
from tavolino.server.config import Config
from tavolino.server.connection import Connection, encoded
from tavolino.server.entries import AnyEntry, Began, Opened, Sat
from tavolino.server.guard import COOKIE, identity
from tavolino.server.live import Live
from tavolino.server.messages import Move
from tavolino.server.outgoing import viewpoint
from tavolino.server.past import past
from tavolino.server.settings import TableSettings, read_settings
from tavolino.server.store import Meanwhile, Row, Store, Then
from tavolino.server.table import Table
from tests.server.servers import Person, Server, Zygote

SETTINGS = [("face-to-face", 2), ("orma", 2), ("orma", 4), ("out-of-sock", 2), ("out-of-sock", 3)]


class Nowhere:
    """A store that takes everything and has nothing."""

    def put(self, rows: list[Row], then: Then, meanwhile: Meanwhile) -> None:
        meanwhile()
        then(None)

    async def load(self, table: str, begin: int = 0) -> list[Row]:
        return []


class World:
    """A table in play, with everyone connected to it and what each of them received."""

    def __init__(self, key: str, players: int, secret: str) -> None:
        settings = read_settings(TableSettings(key, ["me", *(["open"] * (players - 1))]))
        table = Table.open("AAAAAAAAAAAAAAAA", Opened(settings, "p0", "P0"))
        for seat in range(1, players):
            table.apply(Sat(seat, f"p{seat}", f"P{seat}"), 1)
        table.apply(Began(secret), 1)
        self.live = Live(table, Nowhere(), BotPool(1), lambda *_: None, Config(database="unused"))
        self.heard: dict[str, list[bytes]] = {}
        self.connections: dict[str, Connection] = {}
        for who in (*(f"p{n}" for n in range(players)), "watcher", "screen"):
            heard = self.heard[who] = []

            def keep(text: bytes, heard: list[bytes] = heard) -> None:
                if not text.startswith(b'{"type":"presence"'):  # told a little later, as it happens
                    heard.append(text)

            self.connections[who] = Connection(who, keep, lambda: b"behind")
        screen = self.connections["screen"]
        screen.who = "p0"  # the browser of someone who plays
        screen.become_screen()

    @property
    def game(self) -> Game:
        current = self.live.table.current
        assert current is not None
        return current.game

    def take(self, game: Game) -> None:
        """Go on with another game, its dice from the same secret."""
        current = self.live.table.current
        assert current is not None
        game._own_chance, game._seed = True, self.game._seed
        current.playing = game

    async def begin(self) -> None:
        for connection in self.connections.values():
            await self.live.join(connection)

    async def play(self, number: int, word: str) -> None:
        mover = self.game.to_move
        move = Move(f"m{number}", self.live.table.number, word)
        self.live.handle(self.connections[f"p{mover}"], move, lambda _: None)

    def everything(self, who: str) -> bytes:
        """Return what a person gets who comes now, on the wire and over HTTP."""
        table, connection = self.live.table, self.connections[who]
        recalled = encoded(past(table.current, viewpoint(table, connection)[0]))
        return self.live.snapshot(connection) + encoded(self.live.info(connection.who)) + recalled

    def end(self) -> None:
        self.live.close()


def decisions(game: Game) -> list[str]:
    """Return the moves of people, without the dice."""
    return [word for word, mover in zip(game.moves, game.movers, strict=True) if mover is not None]


def at_the_start(game: Game) -> Game:
    """Return the same deal before the first decision."""
    dice = next((n for n, mover in enumerate(game.movers) if mover is not None), len(game.moves))
    return replay(game.record() | {"moves": game.moves[:dice], "scores": None, "winners": None})


async def listen(key: str, players: int, secret: str, who: str, game: Game) -> tuple[list[bytes], list[bytes]]:
    """Return all that a person receives while a game is played from its deal: messages, and what a newcomer gets."""
    world = World(key, players, secret)
    world.take(at_the_start(game))
    await world.begin()
    fresh = []
    for step, word in enumerate(decisions(game)):
        fresh.append(world.everything(who))
        await world.play(step, word)
    fresh.append(world.everything(who))
    assert world.game.moves == game.moves
    world.end()
    return world.heard[who], fresh


@pytest.mark.parametrize(("key", "players"), SETTINGS)
def test_the_bytes_a_seat_receives_do_not_depend_on_what_is_hidden(key: str, players: int) -> None:
    """Games stopped at some move: all that a seat does not know is dealt anew, and both are played over the wire."""

    async def all_seats() -> None:
        rng, compared, worlds = random.Random(players), 0, 0
        for who in ("screen", "watcher", *(f"p{n}" for n in range(players))):
            seat = int(who[1:]) if who[1:].isdigit() else None
            for n in range(4):
                secret = f"{100 * players + n:032x}"
                game = new(key, players, secret)
                stop = (3, 12, 25, 1000)[n]
                while len(decisions(game)) < stop:
                    after = game.copy()
                    after.play(rng.choice(game.legal_moves))
                    if after.over:
                        break
                    game = after
                twin = game.redeal(seat, n)
                real = await listen(key, players, secret, who, game)
                other = await listen(key, players, secret, who, twin)
                assert real == other, (who, n)
                assert not any(secret.encode() in text for part in real for text in part)
                compared += len(real[0])
                worlds += game.record()["deal"] != twin.record()["deal"]
        assert compared > 100
        assert worlds > 2 * players  # the test has teeth: the deals were not the same

    asyncio.run(all_seats())


def alike(key: str, players: int, seat: int | None) -> tuple[str, str] | None:
    """Return two secrets whose deals look the same to a seat and are not, if some are found soon."""
    seen: dict[bytes, tuple[str, dict[str, Any]]] = {}
    for n in range(400):
        secret = f"{n:032x}"
        game = new(key, players, secret)
        view = msgspec.json.encode(game.view(seat))
        deal = game.record()["deal"]
        if view in seen and seen[view][1] != deal:
            return seen[view][0], secret
        seen.setdefault(view, (secret, deal))
    return None


@pytest.fixture(scope="module")
def leaky(zygote: Zygote, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    database = str(tmp_path_factory.mktemp("leak") / "tables.sqlite")
    server = Server(zygote, database)
    yield server, database
    server.kill()


def test_over_a_real_socket_two_deals_look_the_same(leaky: tuple[Server, str]) -> None:
    """Tables stored with secrets that differ in what is hidden only: the same bytes, but for id and promise."""
    server, database = leaky
    token = "a-cookie-of-twenty-letters"
    who = identity(token)
    assert who is not None
    found = 0

    async def store_table(name: str, key: str, players: int, seat: int | None, secret: str) -> None:
        settings = read_settings(TableSettings(key, ["open"] * players))
        entries: list[AnyEntry] = [Opened(settings, "host", "Host")]
        entries += [Sat(n, str(who) if n == seat else f"p{n}", f"P{n}") for n in range(players)]
        entries += [Began(secret)]
        store = Store(database)
        await store.start()
        await store.append([Row(name, n, 1, entry) for n, entry in enumerate(entries)], False)
        await store.close()

    for key, players in SETTINGS:
        for seat in (None, *range(players)):
            secrets = alike(key, players, seat)
            if secrets is None:
                continue
            found += 1
            texts = []
            for n, secret in enumerate(secrets):
                name = f"{key[:4]}{players}{'x' if seat is None else seat}{n}".ljust(16, "_")
                asyncio.run(store_table(name, key, players, seat, secret))
                person = Person(server.url)
                person.http.cookies.clear()
                person.http.cookies.set(COOKIE, token)
                socket = person.connect(name)
                socket.send(type="hello", v=1)
                received = str(socket.raw.recv(10)) + person.http.get(f"/api/tables/{name}").text
                assert secret not in received
                texts.append(received.replace(name, "TABLE").replace(commitment(secret), "PROMISE"))
                person.close()
            assert texts[0] == texts[1]
    assert found >= 5  # spectators of every game, and seats where chance allows


@pytest.mark.parametrize("key", list(GAMES))
def test_the_secret_is_in_no_answer_before_the_end(leaky: tuple[Server, str], key: str) -> None:
    """Every byte of a whole game, to both players and a spectator, and every HTTP answer about the table."""
    server, _ = leaky
    ada, bob, eve = (Person(server.url, name) for name in ("Ada", "Bob", "Eve"))
    table = ada.open(key, listed=True)
    for person in (ada, bob):
        person.sit_at(table)[0].close()
    sockets = [person.connect(table) for person in (ada, bob)]
    watch = eve.connect(table)
    watch.send(type="hello", v=1)
    rng, before = random.Random(5), list[str]()
    addresses = [f"/api/tables/{table}{path}" for path in ("", "/games/0/record", "/games/0/replay")]
    addresses += ["/api/tables", "/api/tables/mine"]
    seen = [socket.hello() for socket in sockets]
    for step in range(1000):
        mover = next(n for n, one in enumerate(seen) if one["legal"])
        word = rng.choice(seen[mover]["legal"])["word"]
        sockets[mover].send(type="move", id=f"m{step}", at=seen[mover]["number"], word=word)
        for n, socket in enumerate(sockets):
            text = str(socket.raw.recv(10))
            while (message := msgspec.json.decode(text))["type"] not in ("update", "snapshot"):
                before.append(text)
                text = str(socket.raw.recv(10))
            seen[n] = message
            if message["type"] == "snapshot" and message["table"]["phase"] == "over":
                continue
            before.append(text)
        if seen[0]["type"] == "snapshot":
            break
        if step % 10 == 0:
            before += [person.http.get(address).text for person in (ada, eve) for address in addresses]
    secret = seen[0]["table"]["secret"]
    assert commitment(secret) == seen[0]["table"]["commitment"]
    while '"phase":"over"' not in (text := str(watch.raw.recv(10))):
        before.append(text)
    assert secret in text
    assert len(before) > 60
    assert not any(secret in text for text in before)
    for person in (ada, bob, eve):
        person.close()
