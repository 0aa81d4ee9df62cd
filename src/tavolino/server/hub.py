"""All tables in memory: opened, loaded from the store when someone comes, dropped when nobody is left."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import Any, get_args

import msgspec

from tavolino.bots.players import LEVELS
from tavolino.play.setup import games
from tavolino.server import forgetting
from tavolino.server.bot_pool import BotPool
from tavolino.server.bus import Bus
from tavolino.server.clock import BEAT, service_ms, wall_ms
from tavolino.server.commands import RequestRefused, deal
from tavolino.server.config import Config
from tavolino.server.entries import AnyEntry, Closed, Given, Opened
from tavolino.server.guard import RateLimits
from tavolino.server.identities import Identities
from tavolino.server.live import Live
from tavolino.server.lobby import Lobby
from tavolino.server.messages import Moving
from tavolino.server.metrics import LAG, TABLES
from tavolino.server.own_bots import OwnBot
from tavolino.server.presence import HEARD_SECONDS
from tavolino.server.reviews import Reviews
from tavolino.server.settings import TableSettings, clean_name, is_mine, read_settings, with_clean_names
from tavolino.server.store import NotSaved, Row, Store
from tavolino.server.table import Phase, Table
from tavolino.server.warming import Compiler, WarmUp

SWEEP_SECONDS = 20.0
PEOPLE = "-"
"""Stands for a table in news about people: no table has this id."""
SIGNED_OUT, COME_AGAIN = 1008, 1013
EVERY = 1_000_000
"""More tables than anyone has."""
AT_ONCE = 100
"""How many connections are asked at a time to go to another process."""
DAY = 86_400.0
log = logging.getLogger("tavolino.server")


class Hub:
    """The tables of one server process."""

    def __init__(self, config: Config, store: Store, bus: Bus, process: str) -> None:
        self.config = config
        self.store = store
        self.bus = bus
        self._process = process
        self.warming = WarmUp(self._warmed)
        self.bots = BotPool(warming=self.warming, own=config.bots)
        self.reviews = Reviews(config.review_tries)
        self.lobby = Lobby(store)
        self.identities = Identities(store)
        self._opening = RateLimits(config.tables_an_hour / 3600, 2 * config.tables_each)
        self._linking = RateLimits(config.links_an_hour / 3600, config.links_an_hour)
        self._elsewhere: dict[str, float] = {}
        """Tables that only another process has, with someone there, and until when we believe it."""
        self.tables: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Future[Live | None]] = {}
        self._missed: set[str] = set()
        """Tables that changed while they were being read."""
        self._idle: set[str] = set()
        """Tables that were empty at the last sweep."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self.sign_outs = 0
        """How often someone was signed out, as far as this process knows."""
        self.leaving = False
        """Whether this process is about to end."""

    async def start(self, compiler: Compiler | None = None) -> None:
        """Begin to listen to the other processes, and to compile beside; without a compiler, at the first call."""
        await self.identities.start()
        await self.bus.start(self._hear)
        if compiler is not None:
            self.warming.begin()
            self._spawn(self.warming.run(compiler))
        self._spawn(self._sweep())
        self._spawn(self._beat())
        if self.config.keep is not None:
            self._spawn(self._prune(self.config.keep))

    async def close(self) -> None:
        """Stop everything; what is stored stays."""
        for task in self._tasks:
            task.cancel()
        for live in self.tables.values():
            live.close()
        self.bots.close()
        self.reviews.close()
        await self.bus.close()

    async def hand_over(self, seconds: float) -> None:
        """Ask everyone to connect to another process, and wait until they have, or until the time is up.

        Meanwhile all goes on here. The caller guarantees that nobody can connect to this process any more.
        """
        self.leaving = True
        if not self.store.shared:  # nobody else has these tables
            return
        until = time.monotonic() + seconds
        here = [one for live in self.tables.values() for one in live.connections]
        for begin in range(0, len(here), AT_ONCE):  # not all in the same moment: the others have to read their tables
            for one in here[begin : begin + AT_ONCE]:
                one.say(Moving())
            await asyncio.sleep(0.05)
        while time.monotonic() < until and any(live.connections for live in self.tables.values()):
            await asyncio.sleep(0.02)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def open(
        self,
        who: str,
        address: str,
        name: str,
        wished: TableSettings,
        share: bool = False,
        given: Given | None = None,
    ) -> str:
        """Open a table for a person at an address and return its id; RequestRefused says what is wrong.

        `share` tells whether the person's browser brings a share of the chance to each deal; what it begins with is
        `given` if it is not dealt anew, and must be a legal game.
        """
        try:
            settings = read_settings(wished)
            check_bots(settings, self.config.bots)
        except ValueError as error:
            raise RequestRefused("bad_settings", str(error)) from None
        try:
            name, settings = clean_name(name), with_clean_names(settings)
        except ValueError as error:
            raise RequestRefused("bad_name", str(error)) from None
        self.warming.ask(settings.game)
        if await self.store.count_open(who) >= self.config.tables_each:
            most = self.config.tables_each
            raise RequestRefused("too_many", f"you have {most} open tables: finish some of them first", tables=most)
        if (seconds := self._opening.wait(address)) > 0:
            text = f"too many tables were opened from your network: wait {seconds} seconds"
            raise RequestRefused("too_many_here", text, seconds=seconds)
        table = secrets.token_urlsafe(12)
        entries: list[AnyEntry] = [Opened(settings, who, name, share, given)]
        if given is not None:
            entries += [deal(shared=False, first=given.first), *([Closed()] if given.closed else [])]
        elif "open" not in settings.seats and not settings.ready:
            entries.append(deal(share and any(map(is_mine, settings.seats))))
        at = wall_ms()
        rows = [Row(table, i, at, entry, None, who if i == 0 else None) for i, entry in enumerate(entries)]
        try:
            await self.store.append(rows, settings.listed)
        except NotSaved as error:
            raise RequestRefused("not_saved", f"{error}; no table was opened: try again") from None
        self.lobby.opened(table, address)
        return table

    async def open_tables(self) -> list[str]:
        """Return the tables that anyone may join, in the order to show them."""
        here = (key for key, live in self.tables.items() if live.connections and live.table.phase == "waiting")
        return await self.lobby.tables([*here, *self._elsewhere])

    async def find(self, table: str) -> Live | None:
        """Return a table, from the store if it is not in memory; None if it does not exist."""
        if (live := self.tables.get(table)) is not None:
            return live
        if (waiting := self._loading.get(table)) is not None:
            return await asyncio.shield(waiting)
        future: asyncio.Future[Live | None] = asyncio.get_running_loop().create_future()
        self._loading[table] = future
        try:
            live = await self._load(table)
            future.set_result(live)
            return live
        except BaseException as error:
            future.set_exception(error)
            future.exception()  # nobody else may be waiting for it
            raise
        finally:
            del self._loading[table]
            self._missed.discard(table)

    async def _load(self, table: str) -> Live | None:
        rows = await self.store.load(table)
        if not rows:
            return None
        made = Table.open(table, rows[0].entry)
        for row in rows[1:]:
            made.at = row.at
            made.apply(row.entry, service_ms(), row.message)
        self.warming.ask(made.settings.game)
        live = Live(made, self.store, self.bots, self._publish, self.config)
        live.touched = rows[-1].at
        self.tables[table] = live
        if table in self._missed:
            self._missed.discard(table)
            await live.catch_up()
        return live

    def _publish(self, table: str, news: dict[str, Any]) -> None:
        self.bus.publish(table, msgspec.json.encode({**news, "process": self._process}))

    async def make_link(self, who: str, address: str) -> str:
        """Return the token of a new personal link; RequestRefused if too many were made from an address."""
        if (seconds := self._linking.wait(address)) > 0:
            text = f"too many links were made from your network: wait {seconds} seconds"
            raise RequestRefused("too_many_here", text, seconds=seconds)
        return await self.identities.make_link(who)

    async def sign_out_others(self, who: str, device: str, token: str) -> None:
        """Let a person be known on this device only: here, and at the other processes."""
        await self.identities.sign_out_others(who, token)
        self._hang_up(who, device)
        self._publish(PEOPLE, {"signed_out": who, "but": device})

    async def forget(self, who: str) -> None:
        """Delete a person's data (`forgetting`), here and at the other processes; RequestRefused if it cannot be now.

        They leave every table first. If it breaks off, what is left is deleted when they ask again.
        """
        self._shut_out(who, True)
        self._publish(PEOPLE, {"forgotten": who, "out": True})
        try:
            for table in await self.store.mine(who, EVERY):
                await self._forget_at(table, who)
            await self.identities.forget(who)
            await self.store.run(forgetting.clear_log)
        except NotSaved as error:
            self._shut_out(who, False)
            self._publish(PEOPLE, {"forgotten": who, "out": False})
            raise RequestRefused("not_saved", f"{error}; not everything was deleted: try again") from None

    def _shut_out(self, who: str, out: bool) -> None:
        self.identities.shut_out(who, out)
        self._hang_up(who, "")

    async def _forget_at(self, table: str, who: str) -> None:
        if (live := await self.find(table)) is None:
            return
        if set(live.table.members) <= {who}:
            await self.store.run(lambda engine: forgetting.remove(engine, table))
        else:
            with contextlib.suppress(RequestRefused):  # it was removed meanwhile
                await live.leave(who)
            alias = forgetting.new_alias()
            await self.store.run(lambda engine: forgetting.forget_at(engine, table, who, alias))
        await self._drop(table)
        self._publish(table, {"rewritten": True})

    async def _drop(self, table: str) -> None:
        """Forget a table that was rewritten or removed: whoever is there connects again, and it is read anew."""
        if (waiting := self._loading.get(table)) is not None:
            with contextlib.suppress(Exception):  # whoever waits for it hears of that
                await asyncio.shield(waiting)
        self.reviews.forget(table)
        self.lobby.forget(table)
        if (live := self.tables.pop(table, None)) is not None:
            for connection in [*live.connections]:
                connection.hang_up(COME_AGAIN)
            live.close()

    def _hang_up(self, who: str, but: str) -> None:
        """Close the sockets of a person's other devices; those that have not joined a table yet are asked again."""
        self.sign_outs += 1
        for live in self.tables.values():
            for connection in [one for one in live.connections if one.who == who and one.device != but]:
                connection.hang_up(SIGNED_OUT)

    async def _hear_signed_out(self, who: str, but: str) -> None:
        with contextlib.suppress(NotSaved):  # the sockets are closed all the same
            await self.identities.start()
        self._hang_up(who, but)

    def _hear(self, table: str, payload: bytes) -> None:
        """Handle news from another process: about one table, or that something may have been missed."""
        if table == PEOPLE:
            news = msgspec.json.decode(payload)
            if "forgotten" in news:
                self._shut_out(str(news["forgotten"]), bool(news["out"]))
                return
            self._spawn(self._hear_signed_out(str(news["signed_out"]), str(news["but"])))
            return
        if not table:
            self._spawn(self._hear_signed_out("", ""))
        self._missed |= self._loading.keys() if not table else self._loading.keys() & {table}
        lives = list(self.tables.values()) if not table else [self.tables[table]] if table in self.tables else []
        for live in lives:
            if payload in (b"", b"entries"):
                self._spawn(live.catch_up())
            else:
                news = msgspec.json.decode(payload)
                if "rewritten" in news:
                    self._spawn(self._drop(table))
                    continue
                live.heard(str(news.pop("process", "")), news)
        if table and not lives and payload != b"entries":
            news = msgspec.json.decode(payload)
            if news.get("here") or news.get("watching") or news.get("screens"):
                self._elsewhere[table] = time.monotonic() + HEARD_SECONDS
            elif "here" in news:
                self._elsewhere.pop(table, None)

    def _warmed(self, key: str) -> None:
        for live in self.tables.values():
            if live.table.settings.game == key:
                live.tell_warmth()

    async def _beat(self) -> None:
        """Read the time regularly; while the process cannot, nobody's clock runs."""
        while True:
            due = time.monotonic() + BEAT
            await asyncio.sleep(BEAT)
            LAG.observe(max(0.0, time.monotonic() - due))
            service_ms()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self._forget()

    async def _prune(self, days: float) -> None:
        """Remove old tables, at the start and once per day."""
        while True:
            now = time.time()
            with contextlib.suppress(NotSaved):  # tomorrow, then
                gone = await self.store.prune(
                    int(1000 * (now - DAY * days)), int(1000 * (now - DAY * self.config.keep_unfinished))
                )
                log.info("old tables removed", extra={"tables": gone})
            await asyncio.sleep(DAY)

    def _forget(self) -> None:
        """Drop the tables that were empty at this sweep and the last."""
        idle = {key for key, live in self.tables.items() if live.idle}
        for key in idle & self._idle:  # not at once: someone may have found it and not come in yet
            self.tables.pop(key).close()
        self._idle = idle - self._idle
        now = time.monotonic()
        self._elsewhere = {key: until for key, until in self._elsewhere.items() if until > now}
        for live in self.tables.values():
            if live.connections and self.store.shared:
                live.presence.publish()

    def count_tables(self) -> None:
        """Count the tables in memory by phase, for the metrics."""
        phases = Counter(live.table.phase for live in self.tables.values())
        for phase in get_args(Phase):
            TABLES.labels(phase).set(phases[phase])


def check_bots(settings: TableSettings, own: Sequence[OwnBot]) -> None:
    """ValueError if a seat is meant for a bot that there is not."""
    known = [*LEVELS, *(one.name for one in own if one.game == settings.game)]
    for choice in settings.seats:
        if choice.startswith("bot:") and choice.removeprefix("bot:") not in known:
            raise ValueError(
                f"there is no bot {choice.removeprefix('bot:')!r} for this game; there are {', '.join(known)}"
            )


def describe_games(own: Sequence[OwnBot] = ()) -> list[dict[str, Any]]:
    """Return the games with their numbers of players, options, levels and a server's own bots.

    The match decides who starts.
    """
    return [
        game
        | {
            "options": [one for one in game["options"] if one["name"] != "first"],
            "levels": list(LEVELS),
            "bots": [one.name for one in own if one.game == game["key"]],
        }
        for game in games()
    ]
