"""The two databases: where they are, their tables, how a batch is written, and what their errors mean.

Everything is SQLAlchemy Core except the one statement that every move goes through. That goes to the driver directly, a
whole batch in one call and, on PostgreSQL, one round trip: on SQLite, Core's executemany costs half as much again.
"""

import contextlib
import enum
import logging
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from msgspec.json import Encoder
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
to_json = Encoder().encode

CHANNEL = "tavolino"
"""PostgreSQL's NOTIFY: where server processes tell each other (`bus`)."""

metadata = MetaData()
tables = Table(
    "tables",
    metadata,
    # Keys count up, so that tables in play are neighbours in the indexes of their entries. By their random ids each
    # move would write two pages of its own, at twice the cost.
    Column("key", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("id", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Index("tables_id", "id", unique=True),
    Index("tables_lobby", "listed", "opened_at"),
)


def _partial(condition: str) -> dict[str, Any]:
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


entries = Table(
    "entries",
    metadata,
    # The reference keeps `prune` from taking a table away under an append.
    Column("table_key", BigInteger, ForeignKey("tables.key", name="entries_table"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("message", Text),
    Column("who", Text),
    Column("body", Text, nullable=False),
    Index("entries_who", "who", **_partial("who IS NOT NULL")),
    # Moves are nearly all there is, and no query asks for them by kind: they stay out of this one.
    Index("entries_kind", "table_key", "kind", "number", **_partial("kind <> 'moved'")),
)


links = Table(
    "links",
    metadata,
    # Of the link's token only the hash is here, as of all that identifies people.
    Column("hash", Text, primary_key=True),
    Column("who", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Index("links_who", "who"),
)
devices = Table(
    "devices",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("who", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("revoked", Boolean, nullable=False),
    Index("devices_who", "who"),
)


class Values(NamedTuple):
    """A row of `entries`, but for the id of its table instead of the key."""

    table: str
    number: int
    kind: str
    at: int
    message: str | None
    who: str | None
    body: str


class TableValues(NamedTuple):
    """A row of `tables`, but for its key, which the database gives."""

    id: str
    game: str
    listed: bool
    opened_at: int


class Trouble(enum.Enum):
    """What an error of the database means for what was to be stored."""

    TAKEN = "the number is there already, or the table is not there any more"
    CROSSED = "two transactions were in each other's way: try again, one by one"
    AWAY = "the connection is lost or the database is busy: try again"
    REFUSED = "the database cannot take it: the disk is full, for example"


def read_url(given: str | Path) -> URL:
    """Return where the database is; RuntimeError says what is wrong with it."""
    if isinstance(given, Path) or "://" not in given:
        given = f"{given}"
        if given in ("", ":memory:"):
            raise RuntimeError("The database needs a file, or nothing would be kept. For example: games.db")
        return URL.create("sqlite", database=given)
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise RuntimeError(
            "This is not an address of a database. Use postgresql://user:password@host:5432/name, or a file"
        ) from None
    if url.drivername == "sqlite":
        return read_url(url.database or "")
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise RuntimeError(
        f"Tavolino keeps its tables in SQLite or PostgreSQL, not in {url.drivername!r}. "
        "Use postgresql://user:password@host:5432/name, or a file"
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
        _set_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")  # an acknowledged move survives a power cut
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # what is deleted leaves nothing in the file

    return engine


def _set_wal(connection: sqlite3.Connection) -> None:
    """Let SQLite write ahead. Unlike all else the change to it does not wait for others who open a new file too."""
    for pause in (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, None):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if pause is None or _sqlite_trouble(error) is not Trouble.AWAY:
                raise
        time.sleep(pause)


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

    def write(
        self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str], patient: bool = True
    ) -> None:
        """Store all of it or nothing, for good; `news` is told to the other processes. Errors are the driver's own.

        `patient`: wait a little for others that are writing.
        """

    def drop(self) -> None:
        """Forget the connection; the next `write` opens another."""


def open_writer(engine: Engine) -> Writer:
    return SqliteWriter(engine) if engine.dialect.name == "sqlite" else PostgresWriter(engine)


class SqliteWriter:
    """Write to SQLite: one statement with many rows, which is a transaction by itself."""

    MOST = 64
    TABLE = "INSERT INTO tables (id, game, listed, opened_at) VALUES (?, ?, ?, ?)"
    ENTRY = "((SELECT key FROM tables WHERE id = ?), ?, ?, ?, ?, ?, ?)"  # NULL is refused, if there is no such table
    ROWS = tuple(
        f"INSERT INTO entries (table_key, number, kind, at, message, who, body) VALUES {', '.join(rows)}"
        for rows in map([ENTRY].__mul__, range(MOST + 1))
    )

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Any = None
        self._patient: bool | None = None

    def write(
        self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str], patient: bool = True
    ) -> None:
        if self._connection is None:
            self._connection = self._engine.raw_connection()
            self._patient = None
        driver: sqlite3.Connection = self._connection.driver_connection
        if patient is not self._patient:
            driver.execute(f"PRAGMA busy_timeout = {500 if patient else 0}")  # the store itself tries again
            self._patient = patient
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
    """Write to PostgreSQL: entries, new tables and the news of them in one statement, one round trip.

    They go as JSON, which costs a fifth of psycopg's arrays here.
    """

    # What `opened` inserts, the rest of the statement does not yet see in `tables`. In the order of keys and numbers:
    # a process that waits for another's row then holds none that the other may wait for.
    WRITE = f"""
        WITH opened AS (
            INSERT INTO tables (id, game, listed, opened_at)
            SELECT value ->> 0, value ->> 1, (value ->> 2)::boolean, (value ->> 3)::bigint
            FROM jsonb_array_elements(%s::jsonb)
            RETURNING id, key
        ), added AS (
            INSERT INTO entries (table_key, number, kind, at, message, who, body)
            SELECT
                coalesce(
                    (SELECT key FROM tables WHERE id = value ->> 0),
                    (SELECT key FROM opened WHERE id = value ->> 0)
                ),
                (value ->> 1)::integer, value ->> 2, (value ->> 3)::bigint, value ->> 4, value ->> 5, value ->> 6
            FROM jsonb_array_elements(%s::jsonb)
            ORDER BY 1, 2
        )
        SELECT pg_notify('{CHANNEL}', value) FROM jsonb_array_elements_text(%s::jsonb)
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Any = None

    def write(
        self, opened: Sequence[TableValues], rows: Sequence[Values], news: Sequence[str], patient: bool = True
    ) -> None:
        if self._connection is None:
            self._connection = self._engine.raw_connection()
            self._connection.driver_connection.autocommit = True
            # Whatever the server's habit is, an acknowledged move survives its crash.
            self._connection.driver_connection.execute(
                "SELECT set_config('synchronous_commit', 'on', false)"
                " WHERE current_setting('synchronous_commit') = 'off'"
            )
        values = [to_json(opened).decode(), to_json(rows).decode(), to_json(news).decode()]
        self._connection.driver_connection.execute(self.WRITE, values, prepare=True)

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
