"""The store on both databases: what is acknowledged is there, once, whatever happens."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from tavolino.server import store as store_module
from tavolino.server.database import TableValues, Values, transaction
from tavolino.server.entries import AnyEntry, Began, Closed, Ended, Moved, Opened, Rematched, Sat
from tavolino.server.settings import TableSettings
from tavolino.server.store import Conflict, NotSaved, Row, Store
from tests.server.databases import Server, away, create, database, postgres  # noqa: F401

NOW = time.time_ns() // 1_000_000
DAY = 86_400_000


def opening(table: str, who: str = "ann", at: int = NOW) -> Row:
    return Row(table, 0, at, Opened(TableSettings("orma", ["me", "open"]), who, "Ann"), f"{who}:open", who)


def entry(table: str, number: int, what: AnyEntry, at: int = NOW) -> Row:
    return Row(table, number, at, what, None, what.who if isinstance(what, Sat) else None)


def move(table: str, number: int, message: str | None = None, word: str = "u17") -> Row:
    return Row(table, number, NOW + number, Moved(0, [word]), message)


@contextlib.asynccontextmanager
async def started(url: str | Path, patience: float = 20.0) -> AsyncIterator[Store]:
    store = Store(url, patience=patience)
    await store.start()
    try:
        yield store
    finally:
        await store.close()


async def outcome(append: Coroutine[Any, Any, None]) -> type[Exception] | None:
    try:
        await append
    except (Conflict, NotSaved) as error:
        return type(error)
    return None


def test_what_is_stored_comes_back_in_order(database: str) -> None:  # noqa: F811
    """A table's entries are loaded as they were appended, also by another process after a restart."""
    rows = [opening("a"), *(move("a", n, f"ann:{n}", f"è{n}\n'\"%s") for n in range(1, 8))]

    async def write() -> None:
        async with started(database) as store:
            await store.append(rows[:1], listed=False)
            await store.append(rows[1:5])
            await store.append(rows[5:])
            assert await store.load("a") == rows

    async def read() -> None:
        async with started(database) as store:
            assert await store.load("a") == rows
            assert await store.load("a", 6) == rows[6:]
            assert await store.load("a", 8) == []
            assert await store.load("b") == []

    asyncio.run(write())
    asyncio.run(read())


def test_an_append_is_stored_whole_or_not_at_all(database: str) -> None:  # noqa: F811
    """If one row conflicts, none of the append is stored, and others written in the same moment are."""

    async def play() -> None:
        async with started(database) as store:
            await store.append([opening("a"), move("a", 1, "ann:1"), move("a", 2)])
            await store.append([opening("b")])
            appends = [
                ([move("a", 3), move("a", 2)], Conflict),  # a number
                ([move("a", 3), move("a", 3)], Conflict),  # with itself
                ([opening("a")], Conflict),
                ([move("nowhere", 1)], Conflict),  # no such table
                ([move("b", 1, "ann:1")], None),
                ([opening("c"), move("c", 1)], None),
            ]
            found = await asyncio.gather(*(outcome(store.append(rows)) for rows, _ in appends))
            assert found == [expected for _, expected in appends]
            assert [row.number for row in await store.load("a")] == [0, 1, 2]
            assert [row.number for row in await store.load("b")] == [0, 1]
            assert [row.number for row in await store.load("c")] == [0, 1]
            assert await store.load("nowhere") == []

    asyncio.run(play())


def test_any_text_is_a_message(database: str) -> None:  # noqa: F811
    """Clients choose the ids of their messages: whatever text they send is stored as it is."""

    async def play() -> None:
        async with started(database) as store:
            await store.append([opening("a")])
            messages = ["🧦\u2028", "'; --", "%s {} \\u0000", " "]
            for number, message in enumerate(messages, 1):
                await store.append([move("a", number, message)])
            assert [row.message for row in await store.load("a", 1)] == messages

    asyncio.run(play())


def test_losers_cost_the_others_little(database: str) -> None:  # noqa: F811
    """Among many that come together, those that conflict are found without committing each one alone."""

    async def play() -> None:
        async with started(database) as store:
            names = [f"t{n}" for n in range(60)]
            await asyncio.gather(*(store.append([opening(name), move(name, 1)]) for name in names))
            store._writer = counting = Counting(store)
            appends = [store.append([move(name, 1 if n % 6 == 0 else 2)]) for n, name in enumerate(names)]
            found = await asyncio.gather(*map(outcome, appends))
            assert found == [Conflict if n % 6 == 0 else None for n in range(60)]
            assert counting.writes <= 6  # the first few may go before the others come

    asyncio.run(play())


def test_a_large_append_and_a_large_batch(database: str) -> None:  # noqa: F811
    """Neither a row too many for one statement nor more than fits one transaction is a problem."""

    async def play() -> None:
        async with started(database) as store:
            await store.append([opening("a"), *(move("a", n) for n in range(1, 130))])
            await asyncio.gather(*(store.append([opening(f"t{n}"), move(f"t{n}", 1)]) for n in range(400)))
            await store.append([move("a", n) for n in range(130, 1130)])
            assert [row.number for row in await store.load("a")] == list(range(1130))
            for n in (0, 199, 399):
                assert await store.load(f"t{n}") == [opening(f"t{n}"), move(f"t{n}", 1)]

    asyncio.run(play())


def test_two_processes_race(database: str) -> None:  # noqa: F811
    """Of many who append the same number at the same time, in two processes, exactly one wins."""

    async def play() -> None:
        async with started(database) as one, started(database) as two:
            await one.append([opening("a")])
            for round_ in range(5):
                rows = [[move("a", 1 + round_, f"ann:{round_}.{n}", f"w{n}")] for n in range(40)]
                appends = ((one, two)[n % 2].append(some) for n, some in enumerate(rows))
                found = await asyncio.gather(*map(outcome, appends))
                assert found.count(None) == 1
                assert found.count(Conflict) == 39
                assert await two.load("a", 1 + round_) == rows[found.index(None)]

    asyncio.run(play())


def test_many_tables_from_two_processes(database: str) -> None:  # noqa: F811
    """200 tasks at 20 tables in two processes, each at the number it last saw: every table has all its numbers."""

    async def play() -> None:
        async with started(database) as one, started(database) as two:
            names = [f"t{n}" for n in range(20)]
            await asyncio.gather(*(one.append([opening(name)]) for name in names))

            async def person(n: int) -> tuple[str, str]:
                store, name = (one, two)[n % 2], names[n // 2 % 20]
                while True:
                    number = len(await store.load(name))
                    if await outcome(store.append([move(name, number, f"p{n}:1")])) is None:
                        return name, f"p{n}:1"

            done = await asyncio.gather(*(person(n) for n in range(200)))
            for name in names:
                rows = await two.load(name)
                assert [row.number for row in rows] == list(range(11))
                assert {row.message for row in rows[1:]} == {message for where, message in done if where == name}

    asyncio.run(play())


def test_a_cancelled_append_disturbs_nobody(database: str) -> None:  # noqa: F811
    """Whoever is cancelled while waiting: the row may be there or not, and all others are served."""

    async def play() -> None:
        async with started(database) as store:
            await store.append([opening("a")])
            task = asyncio.create_task(store.append([move("a", 1)]))
            await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            number = 1 + len(await store.load("a", 1))
            while await outcome(store.append([move("a", number)])) is Conflict:
                number += 1
            assert [row.number for row in await store.load("a")] == list(range(number + 1))

    asyncio.run(play())


def test_close_writes_what_was_handed_over(database: str) -> None:  # noqa: F811
    """Closing waits for what is under way; after it, an append says so."""

    async def play() -> None:
        store = Store(database)
        await store.start()
        await store.append([opening("a")])
        last = asyncio.create_task(store.append([move("a", 1)]))
        await asyncio.sleep(0)
        await store.close()
        await last
        with pytest.raises(NotSaved, match="shutting down"):
            await store.append([move("a", 2)])
        assert not await store.healthy()
        async with started(database) as again:
            assert await again.healthy()
            assert len(await again.load("a")) == 2

    asyncio.run(play())


def test_lobby_mine_and_count(database: str, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """The lists people see have what belongs in them, in order."""

    async def play() -> None:
        async with started(database) as store:
            await store.append([opening("private", at=NOW - 9)], listed=False)
            await store.append([opening("old", at=NOW - DAY - 60_000)], listed=True)
            await store.append([opening("first", at=NOW - 8)], listed=True)
            await store.append([opening("second", "bob", at=NOW - 7)], listed=True)
            await store.append([opening("begun", at=NOW - 6), entry("begun", 1, Began("s"), NOW - 6)], listed=True)
            await store.append([opening("closed", at=NOW - 5), entry("closed", 1, Closed(), NOW - 5)], listed=True)
            assert await store.lobby() == ["second", "first"]
            assert await store.lobby(limit=1) == ["second"]

            await store.append([entry("second", 1, Sat(1, "ann", "Ann"), NOW - 4)])
            await store.append([entry("second", 2, Sat(0, "ann", "Ann"), NOW - 3)])
            assert await store.mine("ann") == ["second", "closed", "begun", "first", "private", "old"]
            assert await store.mine("ann", limit=2) == ["second", "closed"]
            assert await store.mine("bob") == ["second"]
            assert await store.mine("eve") == []

            assert await store.count_open("ann") == 4  # private, old, first, begun
            await store.append([entry("begun", 2, Ended())])
            assert await store.count_open("ann") == 3
            await store.append([entry("begun", 3, Rematched())])
            assert await store.count_open("ann") == 4
            await store.append([opening("ancient", at=NOW - 7 * DAY - 60_000)])
            assert await store.count_open("ann") == 4
            assert await store.count_open("bob") == 1

    monkeypatch.setattr(store_module, "_now", lambda: NOW)
    asyncio.run(play())


def test_prune(database: str, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """Tables are deleted whole, if they are over and nothing happened since the day given; others stay whole."""

    async def play() -> None:
        async with started(database) as store:
            old = NOW - 30 * DAY
            for name, rows in {
                "ended": [entry("ended", 1, Began("s"), old), entry("ended", 2, Ended(), old)],
                "closed": [entry("closed", 1, Closed(), old)],
                "going": [entry("going", 1, Began("s"), old)],
                "rematch": [entry("rematch", 1, Ended(), old), entry("rematch", 2, Rematched(), old)],
                "again": [
                    entry("again", 1, Ended(), old),
                    entry("again", 2, Rematched(), old),
                    entry("again", 3, Ended(), old),
                ],
                "lately": [entry("lately", 1, Ended(), NOW)],
            }.items():
                await store.append([opening(name, at=old), *rows])
            await asyncio.gather(
                *(store.append([opening(f"t{n}", at=old), entry(f"t{n}", 1, Ended(), old)]) for n in range(7))
            )
            assert await store.prune(old) == 0
            assert await store.prune(NOW - DAY) == 3 + 7
            assert await store.prune(NOW - DAY) == 0
            for name, left in {"ended": 0, "closed": 0, "going": 2, "rematch": 3, "again": 0, "lately": 2}.items():
                assert len(await store.load(name)) == left, name
            assert await outcome(store.append([entry("ended", 3, Rematched())])) is Conflict
            assert await store.load("ended") == []

    monkeypatch.setattr(store_module, "PRUNE", 4)
    asyncio.run(play())


class Counting:
    """A writer that counts."""

    def __init__(self, store: Store) -> None:
        self._writer, self.writes = store._writer, 0

    def write(
        self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str], patient: bool = True
    ) -> None:
        self.writes += 1
        self._writer.write(opened, rows, news, patient)

    def drop(self) -> None:
        self._writer.drop()


def test_what_comes_together_is_stored_together(database: str, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """A lone move is written at once; those that come shortly after a transaction wait for the next, and share it."""
    monkeypatch.setattr(store_module, "GATHER", 1.0)

    async def play() -> None:
        async with started(database) as store:
            store._writer = counting = Counting(store)
            await store.append([opening("t0")])
            began = time.monotonic()
            later = [asyncio.create_task(store.append([opening(f"u{n}")])) for n in range(20)]
            await asyncio.sleep(0.2)
            later += [asyncio.create_task(store.append([move("t0", 1)]))]
            await asyncio.gather(*later)
            assert counting.writes == 2
            assert time.monotonic() - began > 0.5

    asyncio.run(play())


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
    monkeypatch.setattr(store_module, "SLOW_FOR", 1.0)

    async def play() -> None:
        async with started(tmp_path / "tables.db") as store:
            store._writer = slow = Slow(store)
            began = time.monotonic()
            await store.append([opening("a")])
            for number in range(1, 12):
                await store.append([move("a", number)])
            assert slow.where == ["loop"] * 8 + ["thread"] * 4
            await asyncio.sleep(began + 1.5 - time.monotonic())
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
            begin = time.monotonic()
            with pytest.raises(NotSaved, match="cannot store anything just now") as caught:
                await store.append(rows)
            assert time.monotonic() - begin < 5
            assert "space" not in str(caught.value)  # internals are for the log
            assert await store.load("a") == [opening("a")]
            empty()
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
            while not waiting.done():
                began = time.monotonic()
                await asyncio.sleep(0.01)
                assert time.monotonic() - began < 0.3  # a wait for the lock would be 0.5
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


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("mysql://localhost/tables", "SQLite or PostgreSQL, not in 'mysql'"),
        ("postgresql+asyncpg://localhost/tables", "SQLite or PostgreSQL, not in 'postgresql\\+asyncpg'"),
        ("postgresql://u:secret@host:nonsense/x", "The address of the database is not one"),
        ("sqlite://", "needs a file"),
        (":memory:", "needs a file"),
        ("postgresql://ann:secret@127.0.0.1:1/x?password=secret", r"postgresql://127\.0\.0\.1:1/x cannot be used"),
        ("FOLDER", "FOLDER cannot be used: unable to open"),
        ("FOLDER/text.txt", r"text\.txt cannot be used: file is not a database"),
        ("FOLDER/text.txt/tables.db", "cannot be used: (Not a directory|File exists)"),
    ],
)
def test_wrong_addresses(url: str, text: str, tmp_path: Path) -> None:
    """What is wrong with the database is said in a sentence, without its password."""
    (tmp_path / "text.txt").write_text("not a database at all, but long enough to be one, if only it were " * 20)

    async def play() -> None:
        with pytest.raises(RuntimeError, match=text.replace("FOLDER", str(tmp_path))) as caught:
            await Store(url.replace("FOLDER", str(tmp_path))).start()
        assert "secret" not in str(caught.value)

    asyncio.run(play())


def test_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without psycopg, the error says how to get it."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(RuntimeError, match=r"pip install 'tavolino\[postgres\]'"):
        asyncio.run(Store("postgresql://localhost/tables").start())


def test_the_file_is_its_owners(tmp_path: Path) -> None:
    """The folder that is made, and all files in it, can be read by their owner only."""
    folder = tmp_path / "data" / "tavolino"

    async def play() -> None:
        async with started(f"sqlite:///{folder / 'tables.db'}") as store:
            await store.append([opening("a")])
            assert {path.name for path in folder.iterdir()} == {"tables.db", "tables.db-wal", "tables.db-shm"}
            assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    asyncio.run(play())


def test_what_is_acknowledged_is_on_the_disk(tmp_path: Path) -> None:
    """SQLite waits for the disk at every commit."""

    async def play() -> None:
        async with started(tmp_path / "tables.db") as store:
            await store.append([opening("a")])
            driver = store._writer._connection.driver_connection  # type: ignore[attr-defined]
            assert driver.execute("PRAGMA synchronous").fetchone() == (2,)
            assert driver.execute("PRAGMA journal_mode").fetchone() == ("wal",)

    asyncio.run(play())
