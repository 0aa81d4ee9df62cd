"""How several server processes on one PostgreSQL tell each other what happened: LISTEN and NOTIFY."""

import asyncio
import base64
import contextlib
import functools
import logging
import os
import secrets
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import URL

from tavolino.server.database import CHANNEL, open_engine, read_url, reason

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger("tavolino.bus")

MOST = 7900
"""PostgreSQL's limit for one notification is just under 8,000 bytes."""
PAYLOAD = 4000
OUTBOX = 1000
"""The most that waits to be told; of more, the oldest is dropped."""

Hear = Callable[[str, bytes], None]


def this_process() -> str:
    """Return the name of this process among those on the same database; a forked one has another than its parent."""
    return _name(os.getpid())


@functools.cache
def _name(_: int) -> str:
    return secrets.token_hex(8)


class Bus(Protocol):
    """How processes tell each other."""

    async def start(self, hear: Hear) -> None:
        """Begin; from now on `hear(table, payload)` is called on the event loop for what other processes publish.

        `hear(table, b"entries")`: another process stored entries of that table. `hear("", b"")`: the connection was
        lost and is back; something may have been missed, at any table.
        """

    def publish(self, table: str, payload: bytes) -> None:
        """Tell the other processes, best effort; never blocks. The payload has at most 4,000 bytes."""

    async def close(self) -> None:
        """Stop."""


class LocalBus:
    """The bus of a single process: nobody to tell, nothing to hear."""

    async def start(self, hear: Hear) -> None:
        pass

    def publish(self, table: str, payload: bytes) -> None:
        pass

    async def close(self) -> None:
        pass


class PostgresBus:
    """The bus of processes on one PostgreSQL: a thread with a connection of its own."""

    def __init__(self, url: URL, process: str | None = None) -> None:
        self._engine = open_engine(url)
        self._process = process or this_process()
        self._outbox: deque[str] = deque(maxlen=OUTBOX)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tavolino-bus", daemon=True)
        self._rung = True  # nobody to wake yet
        self._first: Any = None
        self._bell: socket.socket
        self._button: socket.socket
        self._loop: asyncio.AbstractEventLoop
        self._hear: Hear

    async def start(self, hear: Hear) -> None:
        """Begin to listen; RuntimeError if the database does not let us."""
        self._loop = asyncio.get_running_loop()
        self._hear = hear
        try:
            self._first = await asyncio.to_thread(self._connect)
        except Exception as error:  # the driver's own, whose module may not be there to name it
            raise RuntimeError(f"The database cannot be listened to: {reason(error)}") from error
        self._bell, self._button = socket.socketpair()  # wakes the thread from waiting for the database
        for end in (self._bell, self._button):
            end.setblocking(False)
        self._rung = False
        self._thread.start()

    def publish(self, table: str, payload: bytes) -> None:
        if len(payload) > PAYLOAD:
            raise ValueError(f"a payload has at most {PAYLOAD} bytes, this one has {len(payload)}")
        self._outbox.append(f"{self._process} told {table} {base64.b64encode(payload).decode()}")
        self._ring()

    async def close(self) -> None:
        """Tell what was published, then stop."""
        self._stopping.set()
        self._ring()
        if self._thread.ident is not None:
            await asyncio.to_thread(self._thread.join, 5)  # not longer, should the network be dead
            self._rung = True
            self._bell.close()
            self._button.close()
        self._engine.dispose()

    def _ring(self) -> None:
        if not self._rung:
            self._rung = True
            with contextlib.suppress(OSError):  # full: it rings already; closed: nobody is left to wake
                self._button.send(b"!")

    def _connect(self) -> Any:
        proxied = self._engine.raw_connection()
        driver: psycopg.Connection[Any] = proxied.driver_connection  # type: ignore[assignment]
        driver.autocommit = True
        driver.execute(f"LISTEN {CHANNEL}")
        return proxied

    def _run(self) -> None:
        """Serve one connection after another, until told to stop."""
        connection, self._first = self._first, None
        pause = 0.05
        while True:
            try:
                if connection is None:
                    connection = self._connect()
                    log.warning("the database is back")
                    self._outbox.clear()  # as old as the time away: who is here now will be told anew
                    self._heard([("", b"")])
                pause = 0.05
                self._serve(connection.driver_connection)
                return
            except Exception as error:
                if connection is not None:  # once, not at each attempt
                    log.warning("the bus lost the database: %s", reason(error))
            finally:
                if connection is not None:
                    connection.invalidate()
                    connection = None
            if self._stopping.wait(pause):
                return
            pause = min(2 * pause, 1.0)

    def _serve(self, driver: "psycopg.Connection[Any]") -> None:
        """Hear and tell until told to stop."""
        with selectors.DefaultSelector() as ready:  # not select(), which knows no file past the 1,024th
            ready.register(driver, selectors.EVENT_READ)
            ready.register(self._bell, selectors.EVENT_READ)
            self._take_turns(driver, ready)

    def _take_turns(self, driver: "psycopg.Connection[Any]", ready: selectors.BaseSelector) -> None:
        while True:
            stopping = self._stopping.is_set()  # looked at before the outbox: what was published first is still told
            if self._outbox:
                told = [self._outbox.popleft() for _ in range(len(self._outbox))]
                driver.execute(f"SELECT pg_notify('{CHANNEL}', told) FROM unnest(%s::text[]) AS told", (told,))
            self._heard([one for news in driver.notifies(timeout=0) for one in read_news(self._process, news.payload)])
            if stopping:
                return
            ready.select()
            self._rung = False
            with contextlib.suppress(BlockingIOError):
                self._bell.recv(64)

    def _heard(self, news: list[tuple[str, bytes]]) -> None:
        if news:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to hear it
                self._loop.call_soon_threadsafe(self._hear_all, news)

    def _hear_all(self, news: list[tuple[str, bytes]]) -> None:
        for table, payload in news:
            try:
                self._hear(table, payload)
            except Exception:  # the others must still be heard
                log.exception("news of a table went wrong")


def make_bus(url: str | Path, process: str | None = None) -> Bus:
    """Return the bus that goes with a store; RuntimeError if the address is not one."""
    where = read_url(url)
    return PostgresBus(where, process) if where.get_backend_name() == "postgresql" else LocalBus()


def news_of_entries(process: str, tables: Iterable[str]) -> list[str]:
    """Return the notifications that say which tables have new entries, each within PostgreSQL's limit."""
    news: list[str] = []
    room = 0
    for table in sorted(tables):
        size = 1 + len(table.encode())
        if size > room:
            news.append(f"{process} entries")
            room = MOST - len(news[-1].encode())
        news[-1] += f" {table}"
        room -= size
    return news


def read_news(process: str, news: str) -> list[tuple[str, bytes]]:
    """Return what a notification of another process says, tables and payloads; nothing if it is not understood."""
    match news.split(" "):
        case [sender, *_] if sender == process:
            return []
        case [_, "entries", *names]:
            return [(table, b"entries") for table in names]
        case [_, "told", table, payload]:
            with contextlib.suppress(ValueError):
                return [(table, base64.b64decode(payload, validate=True))]
    return []
