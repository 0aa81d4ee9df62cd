"""One thing happens at a table at a time, in the order it was asked for, and only once it is stored."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from tavolino.server.bot_pool import BotPool
from tavolino.server.config import Config
from tavolino.server.connection import Connection
from tavolino.server.entries import AnyEntry, Began, Moved, Opened, Sat, Sealed, Sealing
from tavolino.server.live import Live
from tavolino.server.messages import Move, Undo
from tavolino.server.mutex import Mutex
from tavolino.server.settings import ClockSettings, TableSettings, read_settings
from tavolino.server.store import Conflict, Meanwhile, NotSaved, Row, Then
from tavolino.server.table import Table


def test_the_lock_is_passed_on_in_the_order_people_came() -> None:
    """To functions and tasks alike; who was cancelled is left out."""

    async def main() -> list[int]:
        mutex, had = Mutex(), list[int]()

        async def one(number: int) -> None:
            async with mutex:
                await asyncio.sleep(0)
                had.append(number)

        def other(number: int) -> None:
            had.append(number)
            mutex.release()

        mutex.run(lambda: had.append(0))
        waiting = [asyncio.create_task(one(number)) for number in (1, 2, 3)]
        await asyncio.sleep(0)
        mutex.run(lambda: other(4))
        waiting[1].cancel()
        await asyncio.sleep(0)
        mutex.release()
        mutex.run(lambda: other(5))  # who waits goes first
        await asyncio.gather(*waiting, return_exceptions=True)
        await asyncio.sleep(0.01)
        assert not mutex.held
        return had

    assert asyncio.run(main()) == [0, 1, 3, 4, 5]


def test_a_lock_that_came_to_who_was_cancelled_goes_to_the_next() -> None:
    async def main() -> None:
        mutex, had = Mutex(), list[str]()

        async def one(name: str) -> None:
            async with mutex:
                had.append(name)

        mutex.run(lambda: None)
        first, second = asyncio.create_task(one("first")), asyncio.create_task(one("second"))
        await asyncio.sleep(0)
        mutex.release()
        await asyncio.sleep(0)
        first.cancel()  # it has the lock, and does not know yet
        await asyncio.gather(first, second, return_exceptions=True)
        assert had == ["second"]
        assert not mutex.held

    asyncio.run(main())


class Held:
    """A store that keeps what it is given until it is told how that went."""

    def __init__(self) -> None:
        self.stored: list[Row] = []
        self.held: list[tuple[list[Row], Then]] = []

    def put(self, rows: list[Row], then: Then, meanwhile: Meanwhile) -> None:
        self.held.append((rows, then))
        meanwhile()

    async def load(self, table: str, begin: int = 0) -> list[Row]:
        return [row for row in self.stored if row.number >= begin]

    def settle(self, error: Exception | None = None) -> None:
        rows, then = self.held.pop(0)
        if error is None:
            self.stored += rows
        then(error)


class Ada:
    """Somebody who sits at both sides of a table and plays its legal moves."""

    def __init__(self, clock: ClockSettings | None = None, *preparing: AnyEntry) -> None:
        settings = read_settings(TableSettings("face-to-face", ["me", "open"], clock=clock))
        opened = Opened(settings, "ada", "Ada", share=bool(preparing))
        log: list[AnyEntry] = [opened, Sat(1, "bob", "Bob", share=bool(preparing))]
        log += preparing or (Began("00" * 16, 0),)
        table = Table.open("AAAAAAAAAAAAAAAA", opened)
        for entry in log[1:]:
            table.apply(entry, 1)
        self.store = Held()
        self.store.stored = [Row(table.id, number, 1, entry) for number, entry in enumerate(log)]
        self.live = Live(table, self.store, BotPool(1), lambda *_: None, Config(database="unused"))
        self.heard: list[dict[str, Any]] = []
        self.done: list[tuple[str, str]] = []
        """Which messages were dealt with, and what went wrong on our side."""
        self.connection = Connection("ada", lambda text: self.heard.append(msgspec.json.decode(text)), lambda: b"{}")

    async def come(self) -> None:
        await self.live.join(self.connection)
        self.heard.clear()

    def move(self, name: str, word: str | None = None, at: int | None = None) -> Move:
        current = self.live.table.current
        assert current is not None
        return Move(name, self.live.table.number if at is None else at, word or current.game.legal_moves[0])

    def ask(self, message: Move | Undo) -> None:
        self.live.handle(
            self.connection,
            message,
            lambda error: self.done.append((message.id, type(error).__name__ if error else "")),
        )

    def what(self) -> list[tuple[str, str | None]]:
        """Return what was heard, each with its id or code."""
        return [(one["type"], one.get("code", one.get("id"))) for one in self.heard if one["type"] != "presence"]


def with_ada(test: Callable[[Ada], Awaitable[None]]) -> None:
    async def main() -> None:
        ada = Ada()
        await ada.come()
        await test(ada)
        ada.live.close()

    asyncio.run(main())


@pytest.mark.parametrize("sealed", [1, 2])
def test_a_deal_of_an_earlier_version_begins_anew_unless_all_have_sealed(sealed: int) -> None:
    """Then the fingerprint has been shown, and somebody may have opened a share."""

    async def main() -> None:
        ada = Ada(None, Sealing("5" * 64), *(Sealed([seat], str(seat) * 64) for seat in range(sealed)))
        coming = asyncio.create_task(ada.live.join(ada.connection))
        await asyncio.sleep(0)
        if sealed == 1:
            ada.store.settle()
        await coming
        now = ada.live.table.round
        assert now is not None
        assert not ada.store.held
        assert (now.complete, now.terms is None, now.secret == "5" * 64) == ((sealed == 2,) * 3)
        assert ada.heard[-1]["table"]["sealing"]["round"] == now.number
        ada.live.close()

    asyncio.run(main())


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.001)


def test_a_move_is_told_only_when_it_is_stored() -> None:
    async def test(ada: Ada) -> None:
        number = ada.live.table.number
        first = ada.move("m1")
        ada.ask(first)
        assert (ada.what(), ada.done, ada.live.table.number) == ([], [], number)
        assert len(ada.store.held) == 1
        ada.ask(Undo("m2", number))  # one at a time: this one has to wait
        assert len(ada.store.held) == 1
        ada.store.settle()
        assert (ada.what(), ada.done, ada.live.table.number) == ([("update", "m1")], [("m1", "")], number + 1)
        await until(lambda: ("m2", "") in ada.done)
        assert ada.what()[1:3] == [("refused", "stale"), ("snapshot", None)]
        ada.ask(first)  # the same again: it acts once
        assert ada.what()[3:] == [("accepted", "m1")]
        assert not ada.store.held

    with_ada(test)


@pytest.mark.parametrize(("word", "at", "code"), [("end", None, "illegal"), (None, 0, "stale")])
def test_a_refused_move_leaves_the_turn_to_others(word: str | None, at: int | None, code: str) -> None:
    async def test(ada: Ada) -> None:
        ada.ask(ada.move("m1", word, at))
        assert ada.what()[0] == ("refused", code)
        assert ada.done == [("m1", "")]
        ada.ask(ada.move("m2"))
        ada.store.settle()
        assert ada.what()[-1] == ("update", "m2")

    with_ada(test)


def test_a_move_that_was_not_saved_is_said_so_and_the_store_is_asked_before_the_next() -> None:
    async def test(ada: Ada) -> None:
        first = ada.move("m1")
        ada.ask(first)
        row = ada.store.held[0][0][0]
        ada.store.settle(NotSaved("away"))
        assert ada.what() == [("refused", "not_saved")]
        assert ada.done == [("m1", "")]
        ada.store.stored.append(row)  # it was stored after all
        ada.ask(first)
        await until(lambda: len(ada.done) == 2)
        assert ada.what()[-1] == ("accepted", "m1")
        ada.ask(ada.move("m2"))
        assert ada.store.held

    with_ada(test)


def test_of_two_who_play_the_same_number_the_second_sees_the_position() -> None:
    async def test(ada: Ada) -> None:
        move, number = ada.move("m1"), ada.live.table.number
        ada.store.stored.append(Row(ada.live.table.id, number, 2, Moved(0, [move.word]), "another:1"))
        ada.ask(move)
        ada.store.settle(Conflict())
        assert (ada.what(), ada.done) == ([], [])
        await until(lambda: ada.done == [("m1", "")])
        assert ada.what() == [("update", None), ("refused", "stale"), ("snapshot", None)]
        assert ada.live.table.number == number + 1

    with_ada(test)


def test_a_move_that_another_entry_came_before_is_stored_after_it() -> None:
    """Where that entry did not change the position."""

    async def test(ada: Ada) -> None:
        move, number = ada.move("m1"), ada.live.table.number
        ada.store.stored.append(Row(ada.live.table.id, number, 2, Sat(1, "bob", "Rob"), "bob:1"))
        ada.ask(move)
        ada.store.settle(Conflict())
        await until(lambda: ada.store.held)
        ada.store.settle()
        assert (ada.what(), ada.done) == ([("snapshot", None), ("update", "m1")], [("m1", "")])
        assert [row.number for row in ada.store.stored] == list(range(number + 2))

    with_ada(test)


def test_a_table_that_is_gone_is_said_to_be() -> None:
    async def test(ada: Ada) -> None:
        ada.ask(ada.move("m1"))
        ada.store.stored.clear()
        ada.store.settle(Conflict())
        await until(lambda: ada.done)
        assert ada.what() == [("refused", "not_found")]

    with_ada(test)


def test_a_fault_in_telling_is_made_good(caplog: pytest.LogCaptureFixture) -> None:
    async def test(ada: Ada) -> None:
        def fail(*_: object) -> None:
            raise ZeroDivisionError

        ada.ask(ada.move("m1"))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ada.live, "_tell", fail)
            ada.store.settle()
        await until(lambda: ada.done == [("m1", "")])
        assert ada.what() == [("accepted", "m1")]
        ada.ask(ada.move("m2"))
        assert ada.store.held

    with_ada(test)
    assert "ZeroDivisionError" in caplog.text


def test_a_fault_in_the_rules_leaves_the_turn_to_others() -> None:
    """Whoever asked hears that something is wrong on our side."""

    async def test(ada: Ada) -> None:
        def fail(*_: object) -> None:
            raise ZeroDivisionError

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tavolino.server.live.decide", fail)
            ada.ask(ada.move("m1"))
        assert ada.done == [("m1", "ZeroDivisionError")]
        ada.ask(ada.move("m2"))
        ada.store.settle()
        assert ada.what() == [("update", "m2")]

    with_ada(test)
