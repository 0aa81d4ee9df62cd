"""The store when something breaks: a slow or full disk, a lost connection, a killed process."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from tavolino.server import store as store_module
from tavolino.server.database import TableValues, Values, transaction
from tavolino.server.store import Conflict, NotSaved, Row, Store
from tests.server.databases import Server, away, create, database, postgres  # noqa: F401
from tests.server.test_store import Counting, move, opening, outcome, started


class Slow(Counting):
    """A writer to a slow disk, that knows where it was called."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.where: list[str] = []

    def write(
        self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str], patient: bool = True
    ) -> None:
        self.where.append("thread" if patient else "loop")
        assert (threading.current_thread() is threading.main_thread()) is not patient
        super().write(opened, rows, news, patient)
        time.sleep(2 * store_module.QUICK)


def test_a_slow_disk_is_for_the_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop writes where that is quick; where it is not it goes on with other things and tries again later."""
    monkeypatch.setattr(store_module, "SLOW_FOR", 3600.0)

    async def play() -> None:
        async with started(tmp_path / "tables.db") as store:
            store._writer = slow = Slow(store)
            await store.append([opening("a")])
            for number in range(1, 12):
                await store.append([move("a", number)])
            assert slow.where == ["loop"] * 8 + ["thread"] * 4
            store._slow_until = 0.0  # an hour later
            await store.append([move("a", 12)])
            assert slow.where[12:] == ["loop"]
            assert [row.number for row in await store.load("a")] == list(range(13))

    asyncio.run(play())


class Broken(Counting):
    """A writer that fails after its first try, and cannot even be dropped."""

    def write(
        self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str], patient: bool = True
    ) -> None:
        super().write(opened, rows, news, patient)
        raise ZeroDivisionError

    def drop(self) -> None:
        raise ZeroDivisionError


def test_each_append_is_answered_once(database: str, caplog: pytest.LogCaptureFixture) -> None:  # noqa: F811
    """Whatever goes wrong, in writing or in what is done meanwhile."""
    heard: dict[str, list[type[Exception] | None]] = {name: [] for name in ("a", "b", "c", "d")}

    def put(store: Store, name: str, row: Row, meanwhile: Callable[[], None] = lambda: None) -> None:
        store.put([row], lambda error: heard[name].append(None if error is None else type(error)), meanwhile)

    def fail() -> None:
        raise ZeroDivisionError

    async def play() -> None:
        async with started(database) as store:
            put(store, "a", opening("a"), fail)
            put(store, "b", opening("b"))
            while not (heard["a"] and heard["b"]):
                await asyncio.sleep(0.01)
            writer, store._writer = store._writer, Broken(store)
            put(store, "c", opening("a"))  # taken
            put(store, "d", opening("d"))
            while not (heard["c"] and heard["d"]):
                await asyncio.sleep(0.01)
            store._writer = writer
            await asyncio.sleep(0.1)

    asyncio.run(play())
    assert heard == {"a": [None], "b": [None], "c": [Conflict], "d": [NotSaved]}
    assert "what can be done meanwhile failed" in caplog.text


class Forgetful:
    """A writer that stores a batch, and whose connection is lost before it can say so."""

    def __init__(self, store: Store) -> None:
        self._writer, self.losses = store._writer, 1
        self._error = psycopg.OperationalError("lost") if store.shared else sqlite3.OperationalError("locked")
        self._error.sqlite_errorcode = sqlite3.SQLITE_BUSY  # type: ignore[union-attr]

    def write(
        self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str], patient: bool = True
    ) -> None:
        self._writer.write(opened, rows, news, patient)
        if self.losses:
            self.losses -= 1
            raise self._error

    def drop(self) -> None:
        self._writer.drop()


def test_a_connection_lost_while_committing(database: str) -> None:  # noqa: F811
    """What was stored without our hearing of it is acknowledged, once; what conflicts with it is not."""

    async def play() -> None:
        async with started(database) as store:
            await store.append([opening("a")])
            store._writer = Forgetful(store)
            await store.append([move("a", 1, "ann:1"), move("a", 2)])
            store._writer = forgetful = Forgetful(store)
            rows = [[opening("b")], [opening("c"), move("c", 1)], [move("a", 3, "ann:3")]]
            assert await asyncio.gather(*(outcome(store.append(some)) for some in rows)) == [None] * 3
            assert forgetful.losses == 0
            assert await outcome(store.append([move("a", 3, "ann:3", "other")])) is Conflict
            assert [row.number for row in await store.load("a")] == [0, 1, 2, 3]
            assert await store.load("c") == rows[1]
            assert await store.healthy()

    asyncio.run(play())


def fill_disk(store: Store) -> Callable[[], None]:
    """Let the database run out of space; return what makes room again."""
    if store.shared:
        with transaction(store._engine) as connection:
            connection.execute(
                text("""
                CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left' USING ERRCODE = '53100'; END $$
                """)
            )
            connection.execute(
                text("CREATE TRIGGER full_disk AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION full_disk()")
            )

        def empty() -> None:
            with transaction(store._engine) as connection:
                connection.execute(text("DROP TRIGGER full_disk ON entries"))
    else:
        # A real SQLITE_FULL: as many pages as there are, and no more. A connection opened later knows no limit.
        driver = store._writer._connection.driver_connection  # type: ignore[attr-defined]
        (pages,) = driver.execute("PRAGMA page_count").fetchone()
        driver.execute(f"PRAGMA max_page_count = {pages}")

        def empty() -> None:
            pass

    return empty


def test_a_full_disk(database: str, caplog: pytest.LogCaptureFixture) -> None:  # noqa: F811
    """NotSaved at once, nothing half-stored, and the same append works when there is room again."""

    async def play() -> None:
        async with started(database) as store:
            await store.append([opening("a")])
            empty = fill_disk(store)
            rows = [move("a", n, f"ann:{n}", "u" * 2000) for n in range(1, 40)]
            with pytest.raises(NotSaved, match="cannot store anything at the moment") as caught:
                await store.append(rows)
            assert "space" not in str(caught.value)  # internals are for the log
            assert await store.load("a") == [opening("a")]
            if store.shared:  # SQLite's limit went with the connection
                assert not await store.healthy()
            empty()
            assert await store.healthy()
            await store.append(rows)
            assert await store.load("a", 1) == rows

    asyncio.run(play())
    assert "refuses to write" in caplog.text


def test_a_database_that_is_read_only(tmp_path: Path) -> None:
    """NotSaved at once; the next append tries anew."""

    async def play() -> None:
        async with started(tmp_path / "tables.db") as store:
            await store.append([opening("a")])
            store._writer._connection.driver_connection.execute("PRAGMA query_only = ON")  # type: ignore[attr-defined]
            assert await outcome(store.append([move("a", 1)])) is NotSaved
            assert await outcome(store.append([move("a", 1)])) is None

    asyncio.run(play())


def test_a_busy_file_is_waited_for(tmp_path: Path) -> None:
    """Another program that holds SQLite's lock delays an append and nothing else; past the patience it is NotSaved."""
    path = tmp_path / "tables.db"

    async def play() -> None:
        async with started(path, patience=0.2) as store:
            await store.append([opening("a")])
            other = sqlite3.connect(path, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            waiting = asyncio.create_task(outcome(store.append([move("a", 1)])))
            turns = 0
            while not waiting.done():
                await asyncio.sleep(0.01)
                turns += 1
            assert turns > 2  # a loop that waited for the lock itself would have had one
            assert waiting.result() is NotSaved
            other.execute("ROLLBACK")
            other.close()
            await store.append([move("a", 1)])
            assert len(await store.load("a")) == 2

    asyncio.run(play())


def test_the_database_away_and_back(away: Server) -> None:  # noqa: F811
    """Appends and reads wait for PostgreSQL to come back; past the patience they are NotSaved, and can be repeated."""

    async def play() -> None:
        url = create(away.url)
        async with started(url) as patient, started(url, patience=0.3) as hasty:
            names = [f"t{n}" for n in range(20)]
            await asyncio.gather(*(patient.append([opening(name)]) for name in names))
            stop = asyncio.Event()

            async def person(name: str) -> int:
                number = 0
                while not stop.is_set():
                    number += 1
                    await patient.append([move(name, number, f"ann:{number}")])
                return number

            people = [asyncio.create_task(person(name)) for name in names]
            for _ in range(2):  # crashes with moves in flight
                await asyncio.sleep(0.2)
                await asyncio.to_thread(away.stop)
                assert await outcome(hasty.append([opening("late")])) is NotSaved
                with pytest.raises(NotSaved, match="does not answer"):
                    await hasty.load("t0")
                assert not await hasty.healthy()
                waiting = asyncio.create_task(patient.load("t0"))
                await asyncio.sleep(0.3)
                assert not waiting.done()
                await asyncio.to_thread(away.start)
                assert len(await waiting) > 1
            await asyncio.sleep(0.2)
            stop.set()
            played = await asyncio.gather(*people)
            for name, number in zip(names, played, strict=True):
                assert [row.number for row in await patient.load(name)] == list(range(number + 1))
            await hasty.append([opening("late")])
            assert await hasty.load("late") == [opening("late")]
            assert await hasty.healthy()

    asyncio.run(play())


def test_kill_nine(database: str) -> None:  # noqa: F811
    """Every row that was acknowledged before the process was killed is there after, and no append is halved."""
    words = [sys.executable, "-m", "tests.server.appender", database]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        acknowledged = []
        for round_ in range(6):
            process.stdin.write(f"r{round_}\n")
            process.stdin.flush()
            number = int(process.stdout.readline())
            lines = [process.stdout.readline() for _ in range(40 + 17 * round_)]
            os.kill(number, signal.SIGKILL)
            while (line := process.stdout.readline()) != "dead\n":
                lines.append(line)
            acknowledged += [line.split() for line in lines]
        process.stdin.close()

    async def check() -> None:
        async with started(database) as store:
            last: dict[str, int] = {}
            for name, last_number in acknowledged:
                last[name] = max(last.get(name, 0), int(last_number))
            assert len(last) >= 30
            for name, number in last.items():
                rows = await store.load(name)
                assert len(rows) >= number + 1
                assert [row.number for row in rows] == list(range(len(rows)))
                assert len(rows) % 2 == 1  # two rows each time

    asyncio.run(check())
