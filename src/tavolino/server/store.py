"""The store: tables and their entries, append-only, in SQLite or PostgreSQL.

Everything that arrives within a few milliseconds is committed together, so that 50 tables cost about as much as one.
The event loop does this itself where a commit takes a millisecond or two, as with SQLite on most disks: passing a batch
to a thread and back costs more than writing it. Everything else (PostgreSQL, a slow disk, any trouble) is left to a
thread. Nothing is ever changed; `prune` deletes whole tables that are over or abandoned.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Engine, Select, select
from sqlalchemy.exc import SQLAlchemyError

from tavolino.server import queries
from tavolino.server.bus import news_of_entries, this_process
from tavolino.server.clock import wall_ms
from tavolino.server.database import (
    TableValues,
    Trouble,
    Values,
    Writer,
    entries,
    name_of,
    open_engine,
    open_writer,
    read_url,
    reason,
    tables,
    transaction,
    trouble,
)
from tavolino.server.entries import AnyEntry, Opened, decode, encode
from tavolino.server.metrics import COMMITS

log = logging.getLogger("tavolino.store")
T = TypeVar("T")

BATCH = 500
"""The most rows in one transaction."""
GATHER = 0.008
"""The least seconds between two transactions: what arrives meanwhile shares the next one and its cost. A move after a
pause is written at once."""
QUICK = 0.005
"""Seconds that a commit may take in the event loop."""
MOST_SLOW, SLOW_FOR = 8, 10.0
"""After this many slow commits in a row, the thread takes over for this many seconds."""
PROVEN = 2.0
"""Seconds for which a successful write proves that the store works."""
HOUR = 3_600_000
AWAY = "The database does not answer. Nothing is lost; try again soon."
FULL = "The server cannot store anything at the moment. Nothing is lost; try again soon."
KINDS = {kind: str(kind.__struct_config__.tag) for kind in AnyEntry.__args__}


class Row(NamedTuple):
    """One entry of a table's log."""

    table: str
    number: int
    at: int
    """Milliseconds since the epoch."""
    entry: AnyEntry
    message: str | None = None
    """`who:id` of the client's message that caused it. That it acts once is the table's care: who has not folded in the
    entry that it made has a number that is taken."""
    who: str | None = None
    """The identity (hashed) in an entry Opened or Sat: these tables are theirs."""


class Waiting(NamedTuple):
    """A table that waits for people."""

    table: str
    who: str
    """Who opened it."""


class Conflict(Exception):
    """The number is taken or the table is gone: nothing was stored."""


class NotSaved(Exception):
    """The store cannot do it at the moment; the text is for people."""


Then = Callable[[Exception | None], None]
"""Called in the event loop when something is done, or with what went wrong: storing, Conflict or NotSaved."""
Meanwhile = Callable[[], None]


class _Append(NamedTuple):
    opened: TableValues | None
    rows: list[Values]
    then: Then
    until: float
    meanwhile: Meanwhile


class Store:
    """Tables and their entries in one database."""

    def __init__(self, url: str | Path, *, patience: float = 20.0, process: str | None = None) -> None:
        """Say where the database is, without connecting; RuntimeError if the address is not one.

        `patience` is how many seconds an append may wait for a database that is away. `process` tells the entries
        written here from those of others, on the bus; both have the same, by default one of this process.
        """
        self.url = read_url(url)
        self.shared = self.url.get_backend_name() == "postgresql"
        """Whether several server processes may use the database at the same time, told of each other by the bus."""
        self._patience = patience
        self._process = process or this_process()
        self._gathered: list[_Append] = []
        """What is to be written together."""
        self._handed = 0.0
        """When something was last written, or handed over to the thread."""
        self._slow = 0
        """How many commits in a row took long."""
        self._slow_until = 0.0
        self._with_thread: set[int] = set()
        """The appends (by `id`) that the thread has not answered: while there are any, only it writes."""
        self._unsure = False
        """What the thread gets may have been stored in the event loop, where something went wrong."""
        self._queue: SimpleQueue[list[_Append] | None] = SimpleQueue()
        self._waiting: deque[_Append] = deque()
        self._ending = False
        self._away = False
        self._stored = -PROVEN
        """When something was last stored; long ago, if something was refused since."""
        self._trying: asyncio.Future[None] | None = None
        self._closed = True
        self._readers = ThreadPoolExecutor(4, "tavolino-read")
        self._thread = threading.Thread(target=self._write_all, name="tavolino-write", daemon=True)
        self._engine: Engine
        self._writer: Writer
        self._loop: asyncio.AbstractEventLoop

    async def start(self) -> None:
        """Bring the database up to date and begin to write; RuntimeError says what is wrong, for people."""
        self._loop = asyncio.get_running_loop()
        await self._loop.run_in_executor(self._readers, self._prepare)
        self._closed = False
        self._thread.start()

    def _prepare(self) -> None:
        from tavolino.server.migrations import migrate  # slow to import, and only servers need it

        try:
            self._engine = open_engine(self.url)
        except OSError as error:
            raise RuntimeError(f"The database {name_of(self.url)} cannot be used: {error.strerror}") from error
        try:
            self._writer = open_writer(self._engine)
            with transaction(self._engine) as connection:
                migrate(connection)
        except SQLAlchemyError as error:
            raise RuntimeError(f"The database {name_of(self.url)} cannot be used: {reason(error)}") from error
        finally:
            self._engine.dispose()  # on success too: the writer and the readers open connections when they need them

    async def append(self, rows: list[Row], listed: bool | None = None) -> None:
        """Store rows of one table, all or nothing; when this returns they are there for good.

        The caller guarantees that the table's entries before these are stored: it awaits one append before the next.
        A row with number 0 opens the table, `listed` in the lobby or not (as its settings say, if not given).
        Cancelling the caller does not take the rows back: they may be stored all the same.
        Raises Conflict, and NotSaved. After NotSaved because the database was lost while it wrote, the rows may turn
        out to be there after all: load the table before going on.
        """
        done: asyncio.Future[None] = self._loop.create_future()
        self.put(rows, partial(settle, done), listed=listed)
        await done

    def put(self, rows: list[Row], then: Then, meanwhile: Meanwhile = lambda: None, listed: bool | None = None) -> None:
        """Store rows as `append` does, without a task that waits: `then` is called with its outcome.

        `meanwhile` is called between: for all of a batch in a row, while it is written if a thread does that.
        """
        if self._closed:
            self._loop.call_soon(then, NotSaved("The server is shutting down."))
            return
        opened = None
        values = []
        for table, number, at, entry, message, who in rows:
            values.append(Values(table, number, KINDS[type(entry)], at, message, who, encode(entry).decode()))
            if number == 0:
                assert isinstance(entry, Opened)
                opened = TableValues(
                    table, entry.settings.game, entry.settings.listed if listed is None else listed, at
                )
        now = time.monotonic()
        self._gathered.append(_Append(opened, values, then, now + self._patience, meanwhile))
        if len(self._gathered) == 1:
            wait = self._handed + GATHER - now
            if wait > 0:
                self._loop.call_later(wait, self._hand_over)
            else:
                self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        """Write what was gathered, or let the thread do it."""
        if not self._gathered:
            return
        self._handed = time.monotonic()
        batch, self._gathered = self._gathered, []
        written = self._write_here(batch)
        if not written:
            self._with_thread.update(map(id, batch))
            self._queue.put(batch)
        for one in batch:
            try:
                one.meanwhile()
            except Exception:  # none of the batch is to stay unanswered for it
                log.exception("what can be done meanwhile failed")
        if written:
            _resolve(batch, None)

    def _write_here(self, batch: list[_Append]) -> bool:
        """Write a batch in the event loop, if that is known to be quick; False if it is for the thread."""
        if self.shared or self._with_thread or self._handed < self._slow_until:
            return False
        try:
            self._writer.write(*_all_of(batch), (), patient=False)
        except Exception as error:  # the thread finds out what is wrong
            if trouble(error) is not Trouble.TAKEN:
                self._unsure, self._slow_until = True, self._handed + SLOW_FOR
            return False
        now = self._stored = time.monotonic()
        COMMITS.observe(now - self._handed)
        self._slow = self._slow + 1 if now - self._handed > QUICK else 0
        if self._slow >= MOST_SLOW:
            self._slow, self._slow_until = 0, now + SLOW_FOR
        return True

    def _write_all(self) -> None:
        """Write what is handed over, batch by batch, until None is."""
        waiting = self._waiting
        while self._collect(block=not waiting):
            batch = [waiting.popleft()]
            size = len(batch[0].rows)
            while waiting and size + len(waiting[0].rows) <= BATCH:
                size += len(waiting[0].rows)
                batch.append(waiting.popleft())
            unsure, self._unsure = self._unsure, False
            try:
                self._settle(batch, unsure)
            except Exception:  # whatever it is, the next batch must be written
                log.exception("writing a batch failed")
                self._answer(batch, NotSaved(FULL))
            del batch  # the tables in it may go while this waits for the next

    def _collect(self, block: bool = False) -> bool:
        """Take all that was handed over; False if nothing is left and nothing will come."""
        with contextlib.suppress(Empty):
            while not self._ending:
                some = self._queue.get(block)
                if some is None:
                    self._ending = True
                else:
                    self._waiting.extend(some)
                block = False
        return bool(self._waiting)

    def _settle(self, batch: list[_Append], unsure: bool) -> None:
        """Write a batch and answer it. `unsure`: an earlier attempt may have been stored without our knowing."""
        pause = 0.05
        while batch:
            begun = time.monotonic()
            try:
                losers = self._write(batch)
                stored = self._find_stored(losers) if losers and unsure else []
            except Exception as error:
                found = trouble(error)
                self._writer.drop()
                if found is Trouble.REFUSED:
                    self._stored = -PROVEN
                    log.error("the database refuses to write: %s", reason(error))
                    self._answer(batch, NotSaved(FULL))
                    return
                if found is Trouble.AWAY and not self._away:
                    log.warning("the database is unavailable: %s", reason(error))
                    self._away = True
                unsure = True
                batch = self._give_up(batch, time.monotonic() + pause)
                time.sleep(pause)
                pause = min(2 * pause, 1.0)
                continue
            self._stored = time.monotonic()
            COMMITS.observe(self._stored - begun)
            if self._away:
                log.warning("the database is back")
                self._away = False
            if not losers:
                self._answer(batch, None)
                return
            self._answer(stored, None)
            self._answer(_without(losers, stored), Conflict("this number is taken, or the table is gone"))
            batch = _without(batch, losers)

    def _write(self, batch: list[_Append]) -> list[_Append]:
        """Write a batch, or nothing of it and return those that cannot be stored; the others may then be tried again.

        One by one, a single loser would cost all others a commit each.
        """
        opened, rows = _all_of(batch)
        news = news_of_entries(self._process, {row[0] for row in rows}) if self.shared else ()
        try:
            self._writer.write(opened, rows, news)
        except Exception as error:
            if trouble(error) is not Trouble.TAKEN:
                raise
            # The first is to blame where none is seen to be: what was in its way has gone meanwhile. It may try again.
            return self._find_losers(batch) or batch[:1]
        return []

    def _find_losers(self, batch: list[_Append]) -> list[_Append]:
        """Return those of a batch that break a rule of the database, in the order they came."""
        rows = [row for one in batch for row in one.rows]
        here = tables.c.id.in_({row.table for row in rows})
        with self._engine.connect() as connection:
            known = set(connection.execute(select(tables.c.id).where(here)).scalars())
            logs = select(tables.c.id, entries.c.number).join_from(tables, entries).where(here)
            clash = entries.c.number.in_({row.number for row in rows})
            taken = {(table, number) for table, number in connection.execute(logs.where(clash))}
        losers = []
        for one in batch:
            table = one.rows[0].table
            wants = [(table, row.number) for row in one.rows]
            if (one.opened is None) is (table in known) and len(set(wants)) == len(wants) and taken.isdisjoint(wants):
                taken.update(wants)
                known.add(table)
            else:
                losers.append(one)
        return losers

    def _find_stored(self, batch: list[_Append]) -> list[_Append]:
        """Return those of a batch that are in the database just as they should be."""
        rows = [row for one in batch for row in one.rows]
        here = tables.c.id.in_({row.table for row in rows}), entries.c.number.in_({row.number for row in rows})
        with self._engine.connect() as connection:
            there = {tuple(row) for row in connection.execute(queries.LOGS.where(*here))}
        return [one for one in batch if there.issuperset(one.rows)]

    def _give_up(self, batch: list[_Append], now: float) -> list[_Append]:
        """Answer those whose patience is over, in the batch and behind it; return what is left of the batch."""
        self._collect()
        self._answer([one for one in (*batch, *self._waiting) if one.until < now], NotSaved(AWAY))
        behind = [one for one in self._waiting if one.until >= now]
        self._waiting.clear()
        self._waiting.extend(behind)
        return [one for one in batch if one.until >= now]

    def _answer(self, batch: list[_Append], outcome: Exception | None) -> None:
        if batch:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to hear it
                self._loop.call_soon_threadsafe(self._take_back, batch, outcome)

    def _take_back(self, batch: list[_Append], outcome: Exception | None) -> None:
        batch = [one for one in batch if id(one) in self._with_thread]  # each is answered once, whatever goes wrong
        self._with_thread.difference_update(map(id, batch))
        _resolve(batch, outcome)

    async def load(self, table: str, begin: int = 0) -> list[Row]:
        """Return a table's entries from a number on, in order; an empty list if there is no such table."""

        def fetch(engine: Engine) -> list[Row]:
            with engine.connect() as connection:
                found = connection.execute(queries.LOG, {"table": table, "begin": begin}).all()
            return [Row(row.id, row.number, row.at, decode(row.body), row.message, row.who) for row in found]

        return await self._read(fetch)

    async def lobby(self, limit: int = 50, among: list[str] | None = None) -> list[Waiting]:
        """Return the listed tables of the last day that wait for their first game, newest first; `among` these."""
        values: dict[str, Any] = {"since": wall_ms() - 24 * HOUR, "most": limit}
        query = queries.LOBBY
        if among is not None:
            query, values["among"] = queries.LOBBY_AMONG, among

        def fetch(engine: Engine) -> list[Waiting]:
            with engine.connect() as connection:
                return [Waiting(*row) for row in connection.execute(query, values)]

        return await self._read(fetch)

    async def mine(self, who: str, limit: int = 50) -> list[str]:
        """Return the tables that an identity opened or sat at, the most recently active first; so many at most."""
        return await self._find(queries.MINE, who=who, most=limit)

    async def count_open(self, who: str) -> int:
        """Return how many unfinished tables an identity opened in the last seven days."""
        return int((await self._find(queries.COUNT_OPEN, who=who, since=wall_ms() - 7 * 24 * HOUR))[0])

    async def _find(self, query: Select[Any], **values: Any) -> list[Any]:
        return await self._read(lambda engine: queries.column(engine, query, values))

    async def prune(self, before: int, abandoned: int = 0) -> int:
        """Delete the tables that are over and untouched since then; return how many.

        Unfinished tables are deleted if untouched since `abandoned`: nobody will finish them.
        """
        count = 0
        while deleted := await self._read(lambda engine: queries.prune_some(engine, before, abandoned)):
            count += deleted
        return count

    async def run(self, work: Callable[[Engine], T]) -> T:
        """Do something small with the database, in a thread; it may be done again if the database was away.

        NotSaved if that takes too long or is refused.
        """
        return await self._read(work)

    async def healthy(self) -> bool:
        """Tell whether the store works: something was stored recently, or a test write succeeds."""
        if self._closed or self._away or not self._thread.is_alive():
            return False
        if time.monotonic() - self._stored < PROVEN:
            return True
        if self._trying is None or self._trying.done():  # one for all who ask
            self._trying = asyncio.ensure_future(self._in_thread(queries.probe))
            self._trying.add_done_callback(lambda trying: trying.cancelled() or trying.exception())  # it is heard of
        try:
            async with asyncio.timeout(3):
                await asyncio.shield(self._trying)
        except (SQLAlchemyError, TimeoutError):
            return False
        self._stored = time.monotonic()
        return True

    async def close(self) -> None:
        """Write what was handed over, then close the database."""
        if not self._closed:
            self._closed = True
            self._hand_over()
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._writer.drop()
            self._engine.dispose()
        self._readers.shutdown(wait=False)

    async def _read(self, fetch: Callable[[Engine], T]) -> T:
        """Query the database in a thread, again if it is unavailable; NotSaved if that takes too long or is refused."""
        until = time.monotonic() + self._patience
        pause = 0.05
        while True:
            try:
                return await self._in_thread(fetch)
            except SQLAlchemyError as error:
                if trouble(error) is Trouble.REFUSED:
                    log.error("the database refuses to answer: %s", reason(error))
                    raise NotSaved(FULL) from error
                if time.monotonic() + pause > until:
                    raise NotSaved(AWAY) from error
            await asyncio.sleep(pause)
            pause = min(2 * pause, 1.0)

    async def _in_thread(self, fetch: Callable[[Engine], T]) -> T:
        return await self._loop.run_in_executor(self._readers, fetch, self._engine)


def settle(done: asyncio.Future[None], error: Exception | None) -> None:
    """Tell a task that waits how it went."""
    if done.done():  # cancelled
        pass
    elif error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _all_of(batch: list[_Append]) -> tuple[list[TableValues], list[Values]]:
    """Return what a batch comes to: tables opened, rows."""
    opened = [one.opened for one in batch if one.opened is not None]
    return opened, [row for one in batch for row in one.rows]


def _resolve(batch: list[_Append], outcome: Exception | None) -> None:
    for one in batch:
        try:
            one.then(None if outcome is None else type(outcome)(*outcome.args))
        except Exception:  # the others are to hear of theirs all the same
            log.exception("what was stored was not taken in")


def _without(batch: list[_Append], some: list[_Append]) -> list[_Append]:
    gone = {id(one) for one in some}
    return [one for one in batch if id(one) not in gone]
