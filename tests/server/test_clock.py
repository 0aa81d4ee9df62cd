"""Clocks at the table: nobody pays for a server that was away, or for a time of day that was set."""

import asyncio
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tavolino.server import clock
from tavolino.server.clock import BEAT, STILL, ServiceClock
from tavolino.server.settings import ClockSettings
from tavolino.server.store import NotSaved
from tests.server.servers import Person, Server, Socket, Zygote, person
from tests.server.test_live import Ada

BANK = {"kind": "bank", "seconds": 60, "zero": "lose"}


@pytest.fixture
def own(zygote: Zygote, sqlite_file: str) -> Iterator[Server]:
    one = Server(zygote, sqlite_file)
    yield one
    one.kill()


def left(seen: dict[str, Any]) -> int:
    """Return what the one to move has left."""
    assert seen["clock"]["running"] is not None, seen
    return int(seen["clock"]["left"][seen["clock"]["running"]])


def look(socket: Socket, seen: dict[str, Any]) -> dict[str, Any]:
    """Look from the seat that is to move, on the one device."""
    socket.send(type="look", seat=seen["curtain"])
    return socket.until("snapshot")


def move(socket: Socket, seen: dict[str, Any]) -> dict[str, Any]:
    answer = socket.ask("move", id=f"at {seen['number']}", at=seen["number"], word=seen["legal"][0]["word"])
    assert answer["type"] != "refused", answer
    return answer


def at_table(ada: Person) -> tuple[str, Socket, dict[str, Any]]:
    table = ada.open("face-to-face", ("me", "me"), clock=BANK)
    socket, seen = ada.sit_at(table)
    return table, socket, look(socket, seen)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_restart_costs_nobody_time(own: Server, sqlite_file: str, how: int) -> None:
    """However long the server was away: by the log it was two minutes, more than the clock has."""
    with person(own.url) as ada:
        table, socket, seen = at_table(ada)
        time.sleep(0.3)
        seen = move(socket, seen)
        before = left(seen)
        assert before <= 60_000 - 290  # what was thought is paid
        own.kill(how)
        with sqlite3.connect(sqlite_file) as database:
            database.execute("UPDATE entries SET at = at - 120000")
        database.close()
        own.start()
        socket, seen = ada.sit_at(table)
        assert seen["table"]["phase"] == "playing"
        assert 0 <= before - left(seen) < 30_000
        seen = look(socket, seen)
        time.sleep(0.3)
        assert left(move(socket, seen)) <= before - 290


def test_a_time_of_day_that_is_set_costs_nobody_time(own: Server) -> None:
    """Forward by an hour, in the middle of a turn."""
    with person(own.url) as ada:
        _, socket, seen = at_table(ada)
        os.kill(own.number, signal.SIGUSR1)
        assert socket.ask("next")["code"] == "not_now"  # it was heard of
        seen = move(socket, seen)
        assert seen["clock"]["running"] is not None
        assert min(seen["clock"]["left"]) > 20_000


def test_the_time_of_service() -> None:
    """It runs as the machine's does, but not while the process stands still, and it never goes back."""
    now = 1000.0
    service = ServiceClock(lambda: now)
    began = service()
    for _ in range(20):
        now += BEAT
        last = service()
    assert last - began == pytest.approx(20_000 * BEAT)
    now += STILL
    assert service() - last == pytest.approx(1000 * STILL)
    last = service()
    now += 3600
    assert 0 <= service() - last <= 1000 * BEAT


def test_what_a_store_did_not_take_in_time_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time in which a move waited in vain, and some more to say it again."""
    now = 1000.0
    service = ServiceClock(lambda: now)
    for module in ("live", "outgoing"):
        monkeypatch.setattr(f"tavolino.server.{module}.service_ms", service)

    def wait(seconds: float) -> None:
        nonlocal now
        for _ in range(int(seconds / BEAT)):
            now += BEAT
            service()

    async def story() -> None:
        ada = Ada(ClockSettings("bank", 30, "lose"))
        await ada.come()
        table = ada.live.table
        wait(10)
        ada.ask(ada.move("m1"))
        wait(20)
        ada.store.settle(NotSaved("away"))
        shown = table.clock(service())
        assert shown is not None
        assert shown.left[0] == pytest.approx(20_000, abs=10)
        wait(19)
        ada.live._unsure = False
        ada.ask(ada.move("m2"))
        wait(20)
        ada.store.settle(NotSaved("away"))
        assert 5_000 < table.clock(service()).left[0] <= 15_000  # type: ignore[union-attr]
        ada.live._unsure = False
        ada.ask(ada.move("m3"))
        ada.store.settle()
        assert 5_000 < table.left[0] <= 15_000
        ada.live.close()

    asyncio.run(story())
    assert clock.service_ms is not service
