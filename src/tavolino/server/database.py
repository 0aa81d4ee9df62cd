"""The two databases: where they are, their tables, how a batch gets in, and what their errors mean.

All is SQLAlchemy Core but the one statement every move goes through. That is sent to the driver directly, as a whole
batch in one call and, on PostgreSQL, one round trip: Core's executemany took 3 to 4 times the time of the server.
"""

import contextlib
import enum
import logging
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from sqlalchemy import (
    URL,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError

log = logging.getLogger("tavolino.store")

CHANNEL = "tavolino"
"""PostgreSQL's NOTIFY: where server processes tell each other (`bus`)."""

metadata = MetaData()
tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Index("tables_lobby", "listed", "opened_at"),
)
entries = Table(
    "entries",
    metadata,
    # The reference keeps `prune` from taking a table away under an append.
    Column("table_id", Text, ForeignKey("tables.id", name="entries_table"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("message", Text),
    Column("who", Text),
    Column("body", Text, nullable=False),
    Index(
        "entries_message",
        "table_id",
        "message",
        unique=True,
        sqlite_where=text("message IS NOT NULL"),
        postgresql_where=text("message IS NOT NULL"),
    ),
    Index("entries_who", "who", sqlite_where=text("who IS NOT NULL"), postgresql_where=text("who IS NOT NULL")),
    # Moves are nearly all there is, and no query asks for them by kind: they stay out of this one.
    Index(
        "entries_kind",
        "table_id",
        "kind",
        "number",
        sqlite_where=text("kind <> 'moved'"),
        postgresql_where=text("kind <> 'moved'"),
    ),
)
ENTRY = ", ".join(column.name for column in entries.columns)


class Values(NamedTuple):
    """A row of `entries`, as the database has it."""

    table_id: str
    number: int
    kind: str
    at: int
    message: str | None
    who: str | None
    body: str


class TableValues(NamedTuple):
    """A row of `tables`, as the database has it."""

    id: str
    game: str
    listed: bool
    opened_at: int


class Trouble(enum.Enum):
    """What an error of the database means for what was to be stored."""

    TAKEN = "a unique number or message is there already, or the table is not there any more"
    CROSSED = "two transactions were in each other's way: try again, one by one"
    AWAY = "the connection is lost or the database is busy: try again"
    REFUSED = "the database cannot take it: the disk is full, for example"


def read_url(given: str | Path) -> URL:
    """Return where the database is; RuntimeError says what is wrong with it."""
    if isinstance(given, Path) or "://" not in given:
        given = f"{given}"
        if given in ("", ":memory:"):
            raise RuntimeError("The database needs a file, or nothing would be kept. Right: games.db")
        return URL.create("sqlite", database=given)
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise RuntimeError(
            "The address of the database is not one. Right: postgresql://user:password@host:5432/name, or a file"
        ) from None
    if url.drivername == "sqlite":
        return read_url(url.database or "")
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise RuntimeError(
        f"Tavolino keeps its tables in SQLite or PostgreSQL, not in {url.drivername!r}. "
        "Right: postgresql://user:password@host:5432/name, or a file"
    )


def name_of(url: URL) -> str:
    """Return where the database is, for people: without user and password, wherever the address has them."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    host = url.host or url.query.get("host") or "localhost"
    return f"postgresql://{host}{f':{url.port}' if url.port else ''}/{url.database or ''}"


def open_engine(url: URL) -> Engine:
    """Return an engine whose connections commit each statement by themselves; `transaction` makes several one."""
    if url.get_backend_name() == "sqlite":
        return _open_sqlite(Path(url.database or "").expanduser().absolute())
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise RuntimeError("PostgreSQL needs its driver: pip install 'tavolino[postgres]'") from error
    # What the address says itself goes first. A dead network shows after 25 s, not after the two hours of TCP.
    patience = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
    patience |= {"tcp_user_timeout": 25_000}
    arguments = {name: value for name, value in patience.items() if name not in url.query}
    return create_engine(url, isolation_level="AUTOCOMMIT", pool_size=4, max_overflow=2, connect_args=arguments)


def _open_sqlite(path: Path) -> Engine:
    if not path.parent.is_dir():
        path.parent.mkdir(mode=0o700, parents=True)
    # SQLite gives the files beside it (-wal, -shm) the same rights.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        pool_size=4,
        connect_args={"timeout": 10.0, "check_same_thread": False, "cached_statements": 256},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # an acknowledged move survives a power cut
        connection.execute("PRAGMA foreign_keys = ON")

    return engine


@contextlib.contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Give a connection whose statements hold all or none; on SQLite nobody else writes meanwhile."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            with connection.begin():
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
        else:
            connection = connection.execution_options(isolation_level="READ COMMITTED")
            with connection.begin():
                yield connection


class Writer(Protocol):
    """The connection all entries go through."""

    def write(self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str]) -> None:
        """Store all of it or nothing, for good; `news` is told to the other processes. Errors are the driver's own."""

    def drop(self) -> None:
        """Forget the connection; the next `write` opens another."""


def open_writer(engine: Engine) -> Writer:
    return SqliteWriter(engine) if engine.dialect.name == "sqlite" else PostgresWriter(engine)


class SqliteWriter:
    """Write to SQLite: one statement with many rows, which is a transaction by itself."""

    MOST = 64
    TABLE = f"INSERT INTO tables ({', '.join(column.name for column in tables.columns)}) VALUES (?, ?, ?, ?)"
    ROWS = tuple(f"INSERT INTO entries ({ENTRY}) VALUES {', '.join(['(?, ?, ?, ?, ?, ?, ?)'] * n)}" for n in range(65))

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Any = None

    def write(self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str]) -> None:
        if self._connection is None:
            self._connection = self._engine.raw_connection()
            self._connection.driver_connection.execute("PRAGMA busy_timeout = 500")  # the store itself tries again
        driver: sqlite3.Connection = self._connection.driver_connection
        if not opened and len(rows) <= self.MOST:
            driver.execute(self.ROWS[len(rows)], [value for row in rows for value in row])
            return
        try:
            driver.execute("BEGIN IMMEDIATE")
            driver.executemany(self.TABLE, opened)
            for begin in range(0, len(rows), self.MOST):
                some = rows[begin : begin + self.MOST]
                driver.execute(self.ROWS[len(some)], [value for row in some for value in row])
            driver.execute("COMMIT")
        except BaseException:
            if driver.in_transaction:
                driver.execute("ROLLBACK")
            raise

    def drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()


class PostgresWriter:
    """Write to PostgreSQL: entries, new tables and the news of them in one statement, one round trip."""

    # The references are checked when the whole statement is done, so the order of its parts does not matter.
    WRITE = f"""
        WITH opened AS (
            INSERT INTO tables (id, game, listed, opened_at)
            SELECT * FROM unnest(%s::text[], %s::text[], %s::boolean[], %s::bigint[])
        ), added AS (
            INSERT INTO entries ({ENTRY})
            SELECT * FROM unnest(
                %s::text[], %s::integer[], %s::text[], %s::bigint[], %s::text[], %s::text[], %s::text[]
            )
        )
        SELECT pg_notify('{CHANNEL}', news) FROM unnest(%s::text[]) AS news
    """
    NO_TABLES: tuple[list[Any], ...] = ([], [], [], [])

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Any = None

    def write(self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str]) -> None:
        if self._connection is None:
            self._connection = self._engine.raw_connection()
            self._connection.driver_connection.autocommit = True
        # In one order for all processes: whoever waits for another's row holds none that comes later (no deadlock).
        rows = sorted(rows, key=lambda row: row[:2])
        tables = map(list, zip(*opened, strict=True)) if opened else self.NO_TABLES
        self._connection.driver_connection.execute(
            self.WRITE, (*tables, *map(list, zip(*rows, strict=True)), list(news)), prepare=True
        )

    def drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()


def trouble(error: Exception) -> Trouble:
    """Return what an error of a driver (or SQLAlchemy's wrapping of it) means."""
    if isinstance(error, DBAPIError) and isinstance(error.orig, Exception):
        error = error.orig
    if isinstance(error, sqlite3.Error):
        return _sqlite_trouble(error)
    try:
        import psycopg
    except ImportError:
        return Trouble.REFUSED
    if isinstance(error, psycopg.IntegrityError):
        return Trouble.TAKEN
    state = getattr(error, "sqlstate", None) or ""
    if state in ("40001", "40P01"):
        return Trouble.CROSSED
    if state[:2] in ("53", "54", "58") and state != "53300":  # no space, no memory, too large, a broken disk
        return Trouble.REFUSED
    # 25006: a standby that has not yet taken over. Without a state it is the connection itself that failed.
    if state == "25006" or isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return Trouble.AWAY
    return Trouble.REFUSED


def _sqlite_trouble(error: sqlite3.Error) -> Trouble:
    if isinstance(error, sqlite3.IntegrityError):
        return Trouble.TAKEN
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Trouble.AWAY
    return Trouble.REFUSED


def reason(error: Exception) -> str:
    """Return the first line of an error, for the log; it has no values and no password in it."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return str(error.orig).split("\n")[0]
    return str(error).split("\n")[0]
