"""Nobody takes the server from others: tables opened, the lobby, and the time that bots think, go by shares."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.play.game import new
from tavolino.server.bot_pool import BotPool
from tavolino.server.shares import FairShares
from tests.server.servers import PATIENCE, Server, Zygote, person
from tests.server.test_kill import logs


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fair") / "tables.sqlite"


@pytest.fixture(scope="module")
def slow(zygote: Zygote, place: Path) -> Iterator[Server]:
    """A server whose bots take their time, and that lets few tables be opened."""
    one = Server(zygote, str(place), pace=0.05, tables_each=20, tables_an_hour=1.0)
    yield one
    one.kill()


def post(server: Server, address: str, seats: tuple[str, ...] = ("me", "open"), **settings: Any) -> httpx.Response:
    """Open a table without a cookie, from an address that a proxy on this machine tells of."""
    body = {"name": "X", "settings": {"game": "orma", "seats": list(seats), **settings}}
    return httpx.post(f"{server.url}/api/tables", json=body, headers={"X-Forwarded-For": address}, verify=False)


def entries(place: Path, table: str) -> int:
    return len(asyncio.run(logs(str(place), {table}))[table])


# Tables


@pytest.mark.parametrize("addresses", [["192.0.2.1"], [f"2001:db8::{n}" for n in range(60)]])
def test_without_a_cookie_an_address_opens_so_many_tables(slow: Server, addresses: list[str]) -> None:
    """Twice what one person may have open; an IPv6 network counts as one. Another address is not concerned."""
    answers = [post(slow, addresses[n % len(addresses)]) for n in range(60)]
    assert [answer.status_code for answer in answers] == [201] * 40 + [429] * 20
    assert answers[-1].json()["code"] == "too_many_here"
    assert int(answers[-1].headers["retry-after"]) > 60
    assert post(slow, "192.0.2.99").status_code == 201


def test_spam_does_not_hide_a_table_in_the_lobby(zygote: Zygote, tmp_path: Path) -> None:
    """Tables with someone there come first; then each address in turn, the newest of each."""
    server = Server(zygote, str(tmp_path / "tables.sqlite"))
    with person(server.url) as ada, person(server.url) as bob:
        ada.http.headers["X-Forwarded-For"] = "192.0.2.8"
        absent, present = ada.open("orma", listed=True), bob.open("orma", listed=True)
        bob.sit_at(present)
        for n in range(120):
            assert post(server, "192.0.2.66" if n % 4 else f"192.0.2.{100 + n % 3}", listed=True).status_code == 201
        lobby = [one["id"] for one in ada.http.get("/api/tables").json()]
        assert len(lobby) == 50
        assert lobby[0] == present
        assert absent in lobby[:10]
        server.kill()
        server.start()  # nobody is there now, and who opened what from where is forgotten
        bob.sit_at(present)
        assert ada.http.get("/api/tables").json()[0]["id"] == present
    server.kill()


# Bots


def test_bots_rest_where_nobody_is(slow: Server, place: Path) -> None:
    """They stop when the last one leaves, and go on when someone comes; until then nothing is stored."""
    with person(slow.url) as eve:
        table = eve.open("orma", ("bot:easy",) * 5)
        assert entries(place, table) == 2
        one = eve.connect(table)
        one.hello()
        for _ in range(3):
            one.until("update")
        one.close()
        before, until = -1, time.monotonic() + PATIENCE
        while (now := entries(place, table)) != before:  # a move may be under way
            assert time.monotonic() < until
            before = now
            time.sleep(0.5)
        again = eve.connect(table)
        assert again.hello()["number"] == before
        again.until("update")


def test_who_answers_at_once_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for those who think, however many; and of these, each address has its turn."""

    def thoughtful(name: str, key: str) -> Any:
        player = builtin(name, key)

        def choose(position: Position) -> str:
            time.sleep(0.3 if name == "expert" else 0.0)
            return player.choose(position)

        return SimpleNamespace(choose=choose)

    monkeypatch.setattr("tavolino.server.bot_pool.builtin", thoughtful)

    async def story() -> list[str]:
        bots, order = BotPool(1), list[str]()

        async def choose(name: str, level: str, place: str) -> None:
            game = new("orma", seed=1)
            await bots.choose(game, game.to_move or 0, level, place)
            order.append(name)

        tasks = [asyncio.create_task(choose("spam", "expert", "a")) for _ in range(12)]
        await asyncio.sleep(0)
        honest = [asyncio.create_task(choose("expert", "expert", "b"))]
        honest += [asyncio.create_task(choose(level, level, "b")) for level in ("easy", "medium", "hard")]
        await asyncio.gather(*honest)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        bots.close()
        return order

    order = asyncio.run(story())
    assert order.index("expert") <= 5
    assert order.count("spam") <= 2
    assert set(order[:4]) >= {"easy", "medium", "hard"}


def test_shares_go_by_turns() -> None:
    """One for each who waits, in the order they came; who gives up is passed over, and none is lost."""

    async def story() -> list[str]:
        shares, order = FairShares(2), list[str]()

        async def work(name: str) -> None:
            async with shares.of(name[0]):
                order.append(name)
                await asyncio.sleep(0.001)

        names = ["a1", "a2", "a3", "a4", "b1", "c1", "b2", "a5"]
        tasks = {name: asyncio.create_task(work(name)) for name in names}
        await asyncio.sleep(0)
        tasks["c1"].cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        async with asyncio.timeout(PATIENCE):
            async with shares.of("x"), shares.of("y"):
                pass
        return order

    assert asyncio.run(story()) == ["a1", "a2", "a3", "b1", "a4", "b2", "a5"]
