"""Databases of every version so far come up to date with all that is in them."""

import asyncio
import random
from pathlib import Path

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from hatchling.builders.wheel import WheelBuilder
from sqlalchemy import inspect, text

from tavolino.server.commands import decide_move
from tavolino.server.database import metadata, open_engine, read_url, transaction
from tavolino.server.entries import decode, encode
from tavolino.server.migrations import known_versions
from tavolino.server.store import Store
from tavolino.server.table import Table
from tests.server.databases import database, postgres  # noqa: F401
from tests.server.dumps import HERE, TABLES, restore

VERSIONS = known_versions()


def test_every_version_has_its_dumps() -> None:
    """A new migration comes with a dump of what it makes: `python -m tests.server.dumps`."""
    assert {path.name for path in HERE.glob("*.sql")} == {
        f"{version}.{kind}.sql" for version in VERSIONS for kind in ("sqlite", "postgresql")
    }
    assert [f"{number:04}" for number in range(1, len(VERSIONS) + 1)] == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_database_keeps_everything(version: str, database: str) -> None:  # noqa: F811
    """Whatever was stored by an earlier version is read by this one, and can be played on."""
    restore(version, database)

    async def play() -> None:
        for _ in range(2):  # the second start finds it done
            store = Store(database)
            await store.start()
            for rows in TABLES:
                assert await store.load(rows[0].table) == rows
            assert await store.mine("a" * 64) == ["whole", "closed"]
            await store.close()
        store = Store(database)
        await store.start()
        await store.append([TABLES[1][1]._replace(table="waiting")])
        assert await store.prune(TABLES[0][0].at + 1000) == 3
        await store.close()

    asyncio.run(play())
    check_schema(database)


@pytest.mark.parametrize("line", (HERE / "tables.jsonl").read_text(encoding="utf-8").splitlines())
def test_a_stored_table_goes_on(line: str) -> None:
    """The log of an earlier version comes to what it came to then, and the game can be played to its end."""
    then = msgspec.json.decode(line)
    log = [(decode(msgspec.json.encode(entry)), message) for entry, message in then["log"]]
    again = [msgspec.json.decode(encode(entry)) for entry, _ in log]
    settings = then["log"][0][0]["settings"]
    again[0]["settings"] = {name: again[0]["settings"][name] for name in settings}  # later ones have more
    assert again == [entry for entry, _ in then["log"]]
    table = Table.open("old", log[0][0])
    for entry, message in log[1:]:
        table.apply(entry, 1000, message)
    assert table.current is not None
    game = table.current.game
    assert (table.number, table.phase, table.to_move) == (then["number"], then["phase"], then["to_move"])
    assert (table.left, table.totals) == (then["left"], then["totals"])
    assert [msgspec.to_builtins(one.result) for one in table.played if one.over] == then["results"]
    assert (game.record(), game.legal_moves) == (then["record"], then["legal"])
    assert table.has_acted(log[-1][1])
    rng = random.Random(7)
    while table.phase == "playing":
        seat = table.to_move
        assert seat is not None
        change = decide_move(table, seat, rng.choice(game.legal_moves))
        for entry in change.entries:
            table.apply(entry, 1000, None, change.after)
        game = table.current.game
    assert table.phase == "over"


def check_schema(url: str) -> None:
    engine = open_engine(read_url(url))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        found = inspect(connection)
        for table in metadata.sorted_tables:
            indexes = {str(index["name"]): index["column_names"] for index in found.get_indexes(table.name)}
            assert indexes == {str(index.name): [column.name for column in index.columns] for index in table.indexes}
    engine.dispose()


def test_a_fresh_database_is_what_the_program_expects(database: str) -> None:  # noqa: F811
    """The migrations lead to the very tables that `database` describes."""

    async def play() -> None:
        store = Store(database)
        await store.start()
        await store.close()

    asyncio.run(play())
    check_schema(database)


def test_many_start_at_once(database: str) -> None:  # noqa: F811
    """Servers that start on an empty database at the same time wait for whoever is first."""

    async def play() -> None:
        stores = [Store(database) for _ in range(6)]
        await asyncio.gather(*(store.start() for store in stores))
        for number, rows in enumerate(TABLES):
            await stores[number].append(rows)
        assert await stores[5].load("closed") == TABLES[1]
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(play())


def test_a_database_from_the_future(database: str) -> None:  # noqa: F811
    """A program that is older than the database refuses to touch it, and says what to do."""
    restore("0001", database)
    engine = open_engine(read_url(database))
    with transaction(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(RuntimeError, match=r"newer Tavolino.*9999.*up to \d{4}.*pip install --upgrade tavolino"):
        asyncio.run(Store(database).start())


def test_a_migration_that_fails_leaves_nothing(database: str) -> None:  # noqa: F811
    """If a step fails, the database is as it was before."""
    engine = open_engine(read_url(database))
    with transaction(engine) as connection:
        connection.execute(text("CREATE TABLE entries (x INTEGER)"))  # in the way of the second table
    with pytest.raises(RuntimeError, match=r"cannot be used: .*entries.* already exists"):
        asyncio.run(Store(database).start())
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["entries"]
    engine.dispose()


def test_the_wheel_carries_the_migrations() -> None:
    """Whoever installs the package has them."""
    builder = WheelBuilder(str(Path(__file__).parents[2]))
    names = {file.distribution_path for file in builder.recurse_included_files()}
    assert sum(name.startswith("tavolino/server/migrations/versions/v") for name in names) == len(VERSIONS)
