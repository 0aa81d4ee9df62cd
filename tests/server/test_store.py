"""The store on both databases: what is acknowledged is there, once, whatever happens."""

import asyncio
import contextlib
import stat
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

from tavolino.server import queries
from tavolino.server import store as store_module
from tavolino.server.database import TableValues, Values
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
            assert await store.lobby() == [("second", "bob"), ("first", "ann")]
            assert await store.lobby(limit=1) == [("second", "bob")]
            assert await store.lobby(among=["first", "closed", "private", "none"]) == [("first", "ann")]

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

    monkeypatch.setattr(store_module, "wall_ms", lambda: NOW)
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

    monkeypatch.setattr(queries, "PRUNE", 4)
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


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("mysql://localhost/tables", "SQLite or PostgreSQL, not in 'mysql'"),
        ("postgresql+asyncpg://localhost/tables", "SQLite or PostgreSQL, not in 'postgresql\\+asyncpg'"),
        ("postgresql://u:secret@host:nonsense/x", "This is not an address of a database"),
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
