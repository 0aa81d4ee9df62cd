"""Break a real server in every way we know, while people play, and compare what they were told with what is stored.

`python bench/chaos.py` plays on SQLite, `--store postgresql` on a PostgreSQL with two server processes. Players are
like the page: they come back when the server is gone, say again what is unanswered, bring their shares of the chance,
and keep books of their own: what was acknowledged, where it stood, what they saw. One fault after another:

    kill      SIGKILL to a server, which is then started again
    pause     SIGSTOP for a while: sockets stay open and nothing answers
    disk      the disk is full for a while
    away      the database is away for a while: PostgreSQL is stopped, the SQLite file is locked by another program
    restart   SIGTERM, then a new server: with two processes, people go to the other one before it ends

It prints as JSON how many moves were acknowledged, lost, doubled or out of order, by fault how long people waited and
how many connections broke; it fails if anything was lost, doubled or out of order.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1]))

from tavolino.play.setup import games
from tests.server.databases import Server as Postgres
from tests.server.databases import create
from tests.server.players import Player, playing, rest, seat_people
from tests.server.servers import PATIENCE, Server, Zygote
from tests.server.test_kill import fold, logs, lost_and_doubled

FAULTS = ("kill", "pause", "disk", "away", "restart")
TABLES = 6
FULL = """CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER full_disk AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION full_disk()"""


@dataclass
class Place:
    """Servers on a database, to be broken."""

    servers: list[Server]
    database: str
    postgres: Postgres | None
    """None: it is a SQLite file."""
    rng: random.Random
    next: int = 0

    def one(self) -> Server:
        """Return one of the servers, each in turn."""
        self.next += 1
        return self.servers[self.next % len(self.servers)]

    def kill(self) -> None:
        """Kill a server and start it again."""
        one = self.one()
        one.kill()
        one.start()

    def pause(self) -> None:
        """Stop a server for a while."""
        one = self.one()
        os.kill(one.number, signal.SIGSTOP)
        time.sleep(self.rng.uniform(0.3, 1.0))
        os.kill(one.number, signal.SIGCONT)

    def disk(self) -> None:
        """Let the disk be full for a while."""
        with self._full():
            time.sleep(self.rng.uniform(0.3, 1.0))

    @contextmanager
    def _full(self) -> Iterator[None]:
        if self.postgres is not None:  # without a disk of its own to fill, it says what it would say then
            with psycopg.connect(self.database, autocommit=True) as connection:
                connection.execute(FULL.encode())
                yield
                connection.execute(b"DROP TRIGGER full_disk ON entries")
            return
        number = self.servers[0].number
        limits = resource.prlimit(number, resource.RLIMIT_FSIZE)
        resource.prlimit(number, resource.RLIMIT_FSIZE, (0, limits[1]))
        yield
        resource.prlimit(number, resource.RLIMIT_FSIZE, limits)

    def away(self) -> None:
        """Let the database be away for a while."""
        if self.postgres is not None:
            self.postgres.stop()
            time.sleep(self.rng.uniform(0.3, 1.0))
            self.postgres.start()
            return
        other = sqlite3.connect(self.database, isolation_level=None)
        other.execute("PRAGMA busy_timeout = 5000")
        other.execute("BEGIN IMMEDIATE")
        time.sleep(self.rng.uniform(0.3, 1.0))
        other.execute("ROLLBACK")
        other.close()

    def restart(self) -> None:
        """Ask a server to end, and start another."""
        one = self.one()
        one.kill(signal.SIGTERM)
        one.start()


@dataclass
class Tally:
    """What a kind of fault did."""

    times: int = 0
    acknowledged: int = 0
    connections_broken: int = 0
    longest_wait_ms: int = 0
    """From a message to its answer, over whatever broke meanwhile."""


def moves_of(players: list[Player]) -> int:
    return sum(len(one.moves) for one in players)


async def settled(players: list[Player], more: int) -> None:
    """Wait until everyone plays again: so many moves more, and nobody waits for an answer from before."""
    enough, now = moves_of(players) + more, time.monotonic()
    async with asyncio.timeout(PATIENCE):
        while moves_of(players) < enough or any(one.waiting is not None and one.sent < now for one in players):
            await asyncio.sleep(0.005)


async def torment(place: Place, players: list[Player], faults: list[str], seconds: float) -> dict[str, Tally]:
    """Break one thing after another for so many seconds, each at least once; return what each did."""
    found = {name: Tally() for name in faults}
    until, count = time.monotonic() + seconds, 0
    async with playing(players):
        await settled(players, 2 * len(players))
        while count < len(faults) or time.monotonic() < until:
            name = faults[count % len(faults)]
            count += 1
            tally, began = found[name], time.monotonic()
            before, lost = moves_of(players), sum(one.lost for one in players)
            await asyncio.to_thread(getattr(place, name))
            await settled(players, 2 * len(players))
            tally.times += 1
            tally.acknowledged += moves_of(players) - before
            tally.connections_broken += sum(one.lost for one in players) - lost
            waited = [wait for one in players for sent, wait in one.waits if sent + wait >= began]
            tally.longest_wait_ms = max(tally.longest_wait_ms, round(1000 * max(waited)))
            if sys.stderr.isatty():
                print(f"\r{count} faults, {moves_of(players)} moves ", end="", file=sys.stderr, flush=True)
        await rest(players)
    return found


def audit(database: str, players: list[Player]) -> dict[str, int]:
    """Compare everyone's books with what is stored."""
    found = asyncio.run(logs(database, {one.table for one in players}))
    for rows in found.values():
        fold(rows)  # every move in it is legal, no number is missing
    lost = doubled = disorder = 0
    for one in players:
        rows = found[one.table]
        missing, twice = lost_and_doubled(one, rows)
        lost, doubled = lost + missing, doubled + twice
        place = {row.message: row.number for row in rows if row.message is not None}
        stands = [place.get(f"{one.who[:16]}:{each.message['id']}", -1) for each in one.moves]
        disorder += one.backward + sum(later < earlier for earlier, later in pairwise(stands))
    return {"acknowledged": moves_of(players), "lost": lost, "doubled": doubled, "out_of_order": disorder}


def run(store: str, faults: list[str], seconds: float, seed: int, zygote: Zygote) -> dict[str, Any]:
    """Play while everything breaks; return the books."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres, database = None, str(folder / "tables.sqlite")
        if store == "postgresql":
            postgres = Postgres(Path(tempfile.mkdtemp(prefix="tavolino-")))
            stack.callback(postgres.close)
            database = create(postgres.url)
        servers = [Server(zygote, database) for _ in range(1 if postgres is None else 2)]
        for one in servers:
            stack.callback(one.kill)
        urls = [one.url for one in servers]
        keys = [one["key"] for one in games()]
        players: list[Player] = []
        for table in range(TABLES):
            seats = ("me", "bot:easy") if table % 3 == 2 else ("me", "open")
            people = seats.count("open") + 1
            ways = urls[table % len(urls) :] + urls[: table % len(urls)]
            players += seat_people(ways, keys[table % len(keys)], seats, people, table + 1, like_page=table % 2 == 0)
        for one in players:
            one.like_page = True
        place = Place(servers, database, postgres, random.Random(seed))
        by_fault = asyncio.run(torment(place, players, faults, seconds))
        books = audit(database, players)
    return {
        "store": store,
        "processes": len(servers),
        "tables": TABLES,
        **books,
        "faults": {name: vars(one) for name, one in by_fault.items()},
    }


def main() -> None:
    """Break things and print the books."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite", help="(default sqlite)")
    parser.add_argument("--faults", default=",".join(FAULTS), help=f"some of {','.join(FAULTS)} (default all)")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long, at least each fault once (default 30)")
    parser.add_argument("--seed", type=int, default=0, help="(default 0)")
    given = parser.parse_args()
    faults = given.faults.split(",")
    if unknown := set(faults) - set(FAULTS):
        parser.error(f"unknown faults: {', '.join(sorted(unknown))}. Choose from {', '.join(FAULTS)}")
    with tempfile.TemporaryDirectory() as folder:
        zygote = Zygote(Path(folder) / "servers.log")
        try:
            books = run(given.store, faults, given.seconds, given.seed, zygote)
        finally:
            zygote.close()
    json.dump(books, sys.stdout, indent=2)
    print()
    if books["lost"] or books["doubled"] or books["out_of_order"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
