"""One thing happens at a table at a time: in turn, and a move without waiting where nothing is in its way."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from tavolino.server.bot_pool import BotPool
from tavolino.server.config import Config
from tavolino.server.connection import Connection
from tavolino.server.entries import Began, Moved, Opened, Sat
from tavolino.server.live import Live
from tavolino.server.messages import Move
from tavolino.server.settings import ClockSettings, TableSettings, read_settings
from tavolino.server.store import Conflict, Meanwhile, NotSaved, Row, Then
from tavolino.server.table import Table
from tavolino.server.turns import Turns


def test_turns_are_passed_on_in_the_order_people_came() -> None:
    async def main() -> list[int]:
        turns, had = Turns(), list[int]()

        async def one(number: int) -> None:
            async with turns:
                await asyncio.sleep(0)
                had.append(number)

        assert turns.take()
        assert not turns.take()
        waiting = [asyncio.create_task(one(number)) for number in range(4)]
        await asyncio.sleep(0)
        waiting[1].cancel()
        turns.give()
        assert not turns.take()  # who waits goes first
        await asyncio.gather(*waiting, return_exceptions=True)
        assert not turns.taken
        return had

    assert asyncio.run(main()) == [0, 2, 3]


def test_a_turn_that_came_to_who_was_cancelled_goes_to_the_next() -> None:
    async def main() -> None:
        turns, had = Turns(), list[str]()

        async def one(name: str) -> None:
            async with turns:
                had.append(name)

        turns.take()
        first, second = asyncio.create_task(one("first")), asyncio.create_task(one("second"))
        await asyncio.sleep(0)
        turns.give()
        first.cancel()  # it has the turn, and does not know yet
        await asyncio.gather(first, second, return_exceptions=True)
        assert had == ["second"]
        assert not turns.taken

    asyncio.run(main())


class Held:
    """A store that keeps what it is given until it is told how that went."""

    def __init__(self) -> None:
        self.stored: list[Row] = []
        self.held: list[tuple[list[Row], Then]] = []

    def put(self, rows: list[Row], then: Then, meanwhile: Meanwhile) -> None:
        self.held.append((rows, then))
        meanwhile()

    async def append(self, rows: list[Row], listed: bool | None = None) -> None:
        if any((row.table, row.number) == (other.table, other.number) for row in rows for other in self.stored):
            raise Conflict
        self.stored += rows

    async def load(self, table: str, begin: int = 0) -> list[Row]:
        return [row for row in self.stored if row.number >= begin]

    def settle(self, error: Exception | None = None) -> None:
        rows, then = self.held.pop(0)
        if error is None:
            self.stored += rows
        then(error)


class Ada:
    """Somebody who sits at both sides of a table and plays its legal moves."""

    def __init__(self, clock: ClockSettings | None = None) -> None:
        settings = read_settings(TableSettings("face-to-face", ["me", "open"], clock=clock))
        table = Table.open("AAAAAAAAAAAAAAAA", Opened(settings, "ada", "Ada"))
        table.apply(Sat(1, "bob", "Bob"), 1)
        table.apply(Began("00" * 16, 0), 1)
        self.store = Held()
        self.live = Live(table, self.store, BotPool(1), lambda *_: None, Config(database="unused"))
        self.heard: list[dict[str, Any]] = []
        self.done: list[tuple[str, bool]] = []
        self.connection = Connection("ada", lambda text: self.heard.append(msgspec.json.decode(text)), lambda: b"{}")

    async def come(self) -> None:
        await self.live.join(self.connection)
        self.heard.clear()

    def move(self, name: str, word: str | None = None, at: int | None = None) -> Move:
        current = self.live.table.current
        assert current is not None
        return Move(name, self.live.table.number if at is None else at, word or current.game.legal_moves[0])

    def start(self, move: Move) -> bool:
        return self.live.start(self.connection, move, lambda move, done: self.done.append((move.id, done)))

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


def test_a_move_is_told_only_when_it_is_stored() -> None:
    async def test(ada: Ada) -> None:
        number = ada.live.table.number
        assert ada.start(ada.move("m1"))
        assert (ada.what(), ada.done, ada.live.table.number) == ([], [], number)
        assert not ada.start(ada.move("m2"))  # one at a time: this one has to wait
        ada.store.settle()
        assert (ada.what(), ada.done, ada.live.table.number) == ([("update", "m1")], [("m1", True)], number + 1)
        assert ada.start(ada.move("m1"))  # the same again: it acts once
        assert ada.what()[1:] == [("accepted", "m1")]
        assert not ada.store.held

    with_ada(test)


@pytest.mark.parametrize(("word", "at", "code"), [("end", None, "illegal"), (None, 0, "stale")])
def test_a_refused_move_leaves_the_turn_to_others(word: str | None, at: int | None, code: str) -> None:
    async def test(ada: Ada) -> None:
        assert ada.start(ada.move("m1", word, at))
        assert ada.what()[0] == ("refused", code)
        assert ada.done == [("m1", True)]
        assert ada.start(ada.move("m2"))
        ada.store.settle()
        assert ada.what()[-1] == ("update", "m2")

    with_ada(test)


def test_a_move_that_was_not_saved_is_said_so_and_the_store_is_asked_before_the_next() -> None:
    async def test(ada: Ada) -> None:
        first = ada.move("m1")
        ada.start(first)
        row = ada.store.held[0][0][0]
        ada.store.settle(NotSaved("away"))
        assert ada.what() == [("refused", "not_saved")]
        assert ada.done == [("m1", True)]
        ada.store.stored.append(row)  # it was stored after all
        assert not ada.start(first)
        await ada.live.handle(ada.connection, first)
        assert ada.what()[-1] == ("accepted", "m1")
        assert ada.start(ada.move("m2"))

    with_ada(test)


def test_of_two_who_play_the_same_number_the_second_sees_the_position() -> None:
    async def test(ada: Ada) -> None:
        move, number = ada.move("m1"), ada.live.table.number
        ada.store.stored.append(Row(ada.live.table.id, number, 2, Moved(0, [move.word]), "another:1"))
        ada.start(move)
        ada.store.settle(Conflict())
        assert (ada.what(), ada.done) == ([], [("m1", False)])
        await ada.live.handle(ada.connection, move)  # as who asked does then
        assert ada.what() == [("update", None), ("refused", "stale"), ("snapshot", None)]
        assert ada.live.table.number == number + 1

    with_ada(test)


def test_a_fault_in_telling_is_made_good() -> None:
    async def test(ada: Ada) -> None:
        def fail(*_: object) -> None:
            raise ZeroDivisionError

        move = ada.move("m1")
        ada.start(move)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ada.live, "_told", fail)
            with pytest.raises(ZeroDivisionError):
                ada.store.settle()
        assert ada.done == [("m1", False)]
        await ada.live.handle(ada.connection, move)
        assert ada.what() == [("accepted", "m1")]
        assert ada.start(ada.move("m2"))

    with_ada(test)
