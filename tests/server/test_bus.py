"""Processes on one database hear of each other."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable

import psycopg
import pytest

from tavolino.server.bus import Bus, LocalBus, PostgresBus, make_bus, news_of_entries, read_news, this_process
from tavolino.server.store import Store
from tests.server.databases import Server, away, create, postgres  # noqa: F401
from tests.server.servers import PATIENCE
from tests.server.test_store import move, opening

Heard = list[tuple[str, bytes]]


@contextlib.asynccontextmanager
async def process(url: str, name: str) -> AsyncIterator[tuple[Store, Bus, Heard]]:
    """A store and a bus, as a server process has them."""
    store, bus, heard = Store(url, process=name), make_bus(url, name), Heard()
    await store.start()
    await bus.start(lambda table, payload: heard.append((table, payload)))
    try:
        yield store, bus, heard
    finally:
        await bus.close()
        await store.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.fixture
def fresh(postgres: str) -> str:  # noqa: F811
    return create(postgres)


def test_others_hear_and_oneself_does_not(fresh: str) -> None:
    """What one process publishes or stores, the others hear in order; it does not hear itself."""

    async def play() -> None:
        async with process(fresh, "one") as (store, bus, mine), process(fresh, "two") as (_, other, theirs):
            await store.append([opening("a")])
            await until(lambda: theirs == [("a", b"entries")])
            await asyncio.gather(store.append([move("a", 1)]), store.append([opening("b")]))
            await until(lambda: len(theirs) == 3)
            assert sorted(theirs[1:]) == [("a", b"entries"), ("b", b"entries")]
            for payload in (b"here", bytes(range(256)), b"", b"x" * 4000):
                bus.publish("a", payload)
            await until(lambda: len(theirs) == 7)
            assert theirs[3:] == [("a", payload) for payload in (b"here", bytes(range(256)), b"", b"x" * 4000)]
            other.publish("b", b"hello")
            await until(lambda: mine == [("b", b"hello")])
            with pytest.raises(ValueError, match="at most 4000 bytes"):
                bus.publish("a", b"x" * 4001)

    asyncio.run(play())


def test_a_conflict_is_no_news(fresh: str) -> None:
    """Who hears of entries finds them: nothing is told of what was not stored."""

    async def play() -> None:
        async with process(fresh, "one") as (store, bus, _), process(fresh, "two") as (reader, _, theirs):
            await store.append([opening("a")])
            with contextlib.suppress(Exception):
                await store.append([move("a", 1), move("a", 1)])
            bus.publish("end", b"")
            await until(lambda: ("end", b"") in theirs)
            assert theirs == [("a", b"entries"), ("end", b"")]
            assert len(await reader.load("a")) == 1

    asyncio.run(play())


def test_many_tables_in_one_batch(fresh: str) -> None:
    """News of more tables than fit one notification are split."""

    async def play() -> None:
        async with process(fresh, "one") as (store, _, _), process(fresh, "two") as (_, _, theirs):
            names = {f"{n:06}-{'long' * 20}" for n in range(300)}
            await asyncio.gather(*(store.append([opening(name)]) for name in names))
            await until(lambda: len(theirs) == 300)
            assert {table for table, _ in theirs} == names

    asyncio.run(play())


def test_close_tells_what_was_published(fresh: str) -> None:
    """The last words before closing are heard."""

    async def play() -> None:
        async with process(fresh, "two") as (_, _, theirs):
            async with process(fresh, "one") as (_, bus, _):
                bus.publish("a", b"bye")
            await until(lambda: theirs == [("a", b"bye")])

    asyncio.run(play())


def test_a_listener_that_fails_hears_the_rest(fresh: str, caplog: pytest.LogCaptureFixture) -> None:
    """An error while hearing one thing, or words nobody understands, do not stop the bus."""

    async def play() -> None:
        heard = []

        def hear(table: str, payload: bytes) -> None:
            heard.append(table)
            raise RuntimeError("oh")

        bus = make_bus(fresh, "one")
        await bus.start(hear)
        async with await psycopg.AsyncConnection.connect(fresh, autocommit=True) as stranger:
            for words in (
                "",
                "x",
                "x y z",
                "x told a !!",
                "x told a",
                "one told a aGk=",
                "x told a aGk=",
                "x entries b",
            ):
                await stranger.execute("SELECT pg_notify('tavolino', %s)", (words,))
        await until(lambda: heard == ["a", "b"])
        await bus.close()

    asyncio.run(play())
    assert caplog.text.count("RuntimeError: oh") == 2


def test_the_database_away_and_back(away: Server) -> None:  # noqa: F811
    """After PostgreSQL was away the bus listens again, and says once that something may have been missed."""

    async def play() -> None:
        url = create(away.url)
        async with process(url, "one") as (_, bus, mine), process(url, "two") as (store, _, theirs):
            bus.publish("a", b"before")
            await until(lambda: theirs == [("a", b"before")])
            await asyncio.to_thread(away.stop)
            for _ in range(3000):
                bus.publish("a", b"lost")  # best effort, and never blocks
            await asyncio.sleep(0.3)
            await asyncio.to_thread(away.start)
            await until(lambda: ("", b"") in theirs and ("", b"") in mine)
            await store.append([opening("a")])
            bus.publish("a", b"after")
            await until(lambda: ("a", b"after") in theirs and ("a", b"entries") in mine)
            assert theirs == [("a", b"before"), ("", b""), ("a", b"after")]
            assert mine == [("", b""), ("a", b"entries")]
            await asyncio.to_thread(away.stop)  # closing while it is away does not wait for it
        await asyncio.to_thread(away.start)

    asyncio.run(play())


def test_a_bus_for_one() -> None:
    """On SQLite there is one process and nobody to tell."""

    async def play() -> None:
        bus = make_bus("tables.db")
        assert isinstance(bus, LocalBus)
        await bus.start(lambda table, payload: pytest.fail("heard something"))
        bus.publish("a", b"x")
        await bus.close()

    asyncio.run(play())


def test_no_database_to_listen_to() -> None:
    """A bus that cannot begin says so."""

    async def play() -> None:
        bus = make_bus("postgresql://ann:secret@127.0.0.1:1/x")
        assert isinstance(bus, PostgresBus)
        with pytest.raises(RuntimeError, match="cannot be listened to: connection") as caught:
            await bus.start(lambda table, payload: None)
        assert "secret" not in str(caught.value)
        bus.publish("a", b"x")
        await bus.close()

    asyncio.run(play())


def test_news_fit_postgres() -> None:
    """No notification is longer than PostgreSQL takes, and none is lost in splitting."""
    names = [f"{n}é" * 20 for n in range(400)]
    news = news_of_entries("me", names)
    assert all(len(one.encode()) < 8000 for one in news)
    assert sorted(table for one in news for table, _ in read_news("you", one)) == sorted(names)
    assert [read_news("me", one) for one in news] == [[]] * len(news)


def test_a_forked_process_has_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers forked from one parent are not mistaken for each other."""
    mine = this_process()
    assert this_process() == mine
    monkeypatch.setattr(os, "getpid", os.getppid)
    assert this_process() != mine
