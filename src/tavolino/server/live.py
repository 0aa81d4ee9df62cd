"""A table in play: its connections, its bots, its clock. One thing happens at a time, and only what is stored happens.

Every change goes the same way: what is wished is checked against the table, written to the store, and only then folded
into the table and told to everyone.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from tavolino.bots.players import LEVELS
from tavolino.play.game import Game
from tavolino.server import outgoing
from tavolino.server.bot_pool import BotPool
from tavolino.server.clock import service_ms, wall_ms
from tavolino.server.commands import Plan, Refusal, plan_move, plan_wish, playing, refuse, seated
from tavolino.server.config import Config
from tavolino.server.connection import Connection, encoded
from tavolino.server.entries import AnyEntry, Ended, Flagged, Moved, Sat, Undone
from tavolino.server.guard import Rates
from tavolino.server.messages import (
    Accepted,
    Emoted,
    Hint,
    Hinted,
    HintMove,
    Incoming,
    Look,
    Move,
    Ping,
    Pong,
    React,
    Recall,
    Recalled,
    Refused,
    TableInfo,
    Undo,
    Warming,
    Warmth,
)
from tavolino.server.metrics import MOVES, REFUSED
from tavolino.server.past import past
from tavolino.server.presence import Presences
from tavolino.server.store import Conflict, Meanwhile, NotSaved, Row, Then
from tavolino.server.table import STAND_IN, Table
from tavolino.server.turns import Turns

PATIENCE = 5.0
"""Seconds before this process moves for a bot after another process changed the table."""
NEARLY = 500
"""Milliseconds by which the clocks of two processes may differ."""
EMOTES_A_SECOND, EMOTES_AT_ONCE = 0.5, 4.0
"""Of one person at a table."""
GRACE = 10_000
"""Milliseconds that whoever is to move has at least, after something could not be stored, to say it again."""
log = logging.getLogger("tavolino.server")


class Shelf(Protocol):
    """Where logs are kept: what a table in play needs of `store.Store`."""

    async def append(self, rows: list[Row], listed: bool | None = None) -> None:
        """Store rows for good, all or none."""

    def put(self, rows: list[Row], then: Then, meanwhile: Meanwhile) -> None:
        """Store rows for good, all or none, and do something else meanwhile; then say so."""

    async def load(self, table: str, begin: int = 0) -> list[Row]:
        """Return a log from a number on."""


class Live:
    """A table that someone is connected to, or was a moment ago. Its bots rest while nobody is."""

    def __init__(self, table: Table, store: Shelf, bots: BotPool, publish: Any, config: Config) -> None:
        self.table = table
        self.connections: set[Connection] = set()
        self.presence = Presences(table, self.connections, publish, self._everyone, config.away)
        self._store = store
        self._bots = bots
        self._publish = publish
        self._config = config
        self._turns = Turns()
        self._bot: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._recalled: dict[int | None, bytes] = {}
        """What was made for `recall`, by eyes, until something happens."""
        self._unsure = False
        """A write failed, but may have been stored all the same."""
        self._emotes: Rates | None = None
        """Made with the first emote: most tables see none."""
        self._served = False
        """Someone has been here since this process has the table."""

    # Coming and going

    async def join(self, connection: Connection) -> None:
        """Welcome a connection: whoever comes back has the seat back, and all see who is here."""
        self.connections.add(connection)
        if any(self.table.chairs[seat].level for seat in self.table.seats_of(connection.who)):
            async with self._turns:
                back = [seat for seat in self.table.seats_of(connection.who) if self.table.chairs[seat].level]
                name = {seat: self.table.chairs[seat].name for seat in back}
                try:
                    if back:
                        await self._commit(Plan([Sat(seat, connection.who, name[seat]) for seat in back]), None)
                except Conflict:
                    await self._catch_up()
                except NotSaved:
                    log.warning("a seat was not given back: nothing can be stored")
        if not self._served:  # a clock begins to run with the first who comes, or comes back to a server that was away
            self._served = True
            self.table.since = service_ms()
        connection.greeted = True
        connection.put(self.snapshot(connection))
        self.presence.changed()
        if self._bot is None and self._timer is None:
            self._arrange()

    def part(self, connection: Connection) -> None:
        """Say goodbye to a connection."""
        self.connections.discard(connection)
        if self.table.seats_of(connection.who):
            self.presence.left({connection.who})
        self.presence.changed()
        if not self.connections and self._bot is not None:  # it rests until someone comes
            self._bot.cancel()
            self._bot = None

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is to be done."""
        return not self.connections and self._bot is None and self._timer is None and not self._turns.taken

    def heard(self, process: str, news: dict[str, Any]) -> None:
        """Take what another process says about this table."""
        if "emote" in news:
            self._everyone(encoded(Emoted(int(news["seat"]), news["emote"])))
        elif "here" in news:
            self.presence.heard(process, set(map(str, news["here"])), int(news["watching"]))
            if "clock" in news:
                self._hear_clock(*map(int, news["clock"]))

    def _hear_clock(self, number: int, spent: int) -> None:
        """Take how long the clock has run where people were before: it runs on here."""
        now = service_ms()
        ahead = spent - self.table.spent(now)
        if number != self.table.number or self.table.deadline() is None or abs(ahead) < NEARLY:
            return
        if ahead > 0:
            self.table.since = now - spent
            self._served = True
            if self._timer is not None:
                self._arrange(PATIENCE)
        else:
            self.presence.changed()  # and that is said with it

    # Telling

    def _everyone(self, text: bytes) -> None:
        for connection in self.connections:
            if connection.greeted:
                connection.put(text)

    def snapshot(self, connection: Connection, events: outgoing.Events = (), ack: str | None = None) -> bytes:
        """Return all that a connection may know."""
        return outgoing.snapshot(self.table, self.presence, connection, self._warmth(), events, ack)

    def info(self, who: str) -> TableInfo:
        """Return the table as a person sees it from outside."""
        return outgoing.info(self.table, self.presence, who, self._warmth())

    def _warmth(self) -> Warmth | None:
        return self._bots.warming.of(self.table.opened.settings.game)

    def tell_warmth(self) -> None:
        """Tell everyone how far compiling the game is."""
        self._everyone(encoded(Warming(self._warmth())))

    def _prepare(self, plan: Plan, by: Connection | None, ack: str | None) -> dict[Connection, bytes]:
        """Make what a move will be told as, ahead of its being stored: when it is, all is sent at once."""
        table, first, after = self.table, plan.entries[0], plan.after
        told: dict[Connection, bytes] = {}
        if not isinstance(first, Moved) or after is None or after.over or table.left:  # a clock runs meanwhile
            return told
        updates = outgoing.Updates(table, table.number + 1, after, plan.events, first.words, None)
        for connection in self.connections:
            seats = table.seats_of(connection.who)
            if len(seats) <= 1 and connection.greeted:  # its eyes stay the same until then
                told[connection] = updates.text(seats[0] if seats else None, ack if connection is by else None)
        return told

    def _tell_move(self, plan: Plan, told: dict[Connection, bytes], by: Connection | None, ack: str | None) -> None:
        """Tell everyone about a move, or that it was taken back; `told` is what was made ready for whom."""
        table, current, first, updates = self.table, self.table.current, plan.entries[0], None
        assert current is not None
        for connection in self.connections:
            mine = ack if connection is by else None
            text = told.get(connection)
            if text is None:
                if not connection.greeted:
                    continue
                seat, curtain = outgoing.eyes(table, connection)
                if table.phase != "playing" or curtain is not None:
                    text = self.snapshot(connection, plan.events, mine)
                else:
                    words = first.words if isinstance(first, Moved) else []
                    clock = table.clock(service_ms())
                    updates = updates or outgoing.Updates(table, table.number, current.game, plan.events, words, clock)
                    text = updates.text(seat, mine)
            connection.put(text, None if mine is None else Accepted(mine, table.number))

    # Acting

    def start(self, connection: Connection, move: Move, done: Callable[[Move, bool], None]) -> bool:
        """Play a move without a task that waits, as nearly all can be; False if it is for `handle`.

        When it is told or refused, `done` is called; or with False, if then it is for `handle` after all.
        """
        if self._unsure or move.at > self.table.number or not self._turns.take():
            return False
        try:
            if (wish := self._wish(connection, move, move.id)) is not None:
                self._put(connection, move, *wish, done)
                return True
        except Refusal as no:
            self._turns.give()
            self._refuse(connection, no, move.id)
        except Exception:  # it shows there
            self._turns.give()
            return False
        else:
            self._turns.give()
        done(move, True)
        return True

    def _put(
        self, connection: Connection, move: Move, plan: Plan, key: str, done: Callable[[Move, bool], None]
    ) -> None:
        """Store a move; then let it happen, pass the turn on, and say so."""
        rows, asked = self._rows(plan, key), service_ms()
        told: dict[Connection, bytes] = {}

        def prepare() -> None:
            told.update(self._prepare(plan, connection, move.id))

        def then(error: Exception | None) -> None:
            played = False
            try:
                if error is None:
                    self._happen(rows, plan, told, connection, move.id)
                    played = True
                elif isinstance(error, NotSaved):
                    self._failed(asked)
                    played = True
                    self._refuse(connection, Refusal("not_saved", str(error)), move.id)
            finally:
                self._turns.give()
                done(move, played)

        self._store.put(rows, then, prepare)

    async def handle(self, connection: Connection, message: Incoming) -> None:
        """Do what a connection asks for, or say why not."""
        ack = getattr(message, "id", None)
        try:
            match message:
                case Ping():
                    connection.say(Pong())
                case Look(seat):
                    self._look(connection, seat)
                case Recall():
                    self._recall(connection)
                case React(emote):
                    self._emote(connection, emote)
                case Hint():
                    self._start_hint(connection, message)
                case _:
                    async with self._turns:
                        await self._act(connection, message, str(ack))
        except Refusal as no:
            self._refuse(connection, no, ack)

    def _refuse(self, connection: Connection, no: Refusal, ack: str | None) -> None:
        REFUSED.labels(no.code).inc()
        unset = msgspec.UNSET
        answered, reason = unset if ack is None else ack, unset if no.reason is None else no.reason
        connection.say(Refused(no.code, str(no), self.table.number, no.values or unset, answered, reason))
        if no.code == "stale":
            connection.put(self.snapshot(connection))

    def _wish(self, connection: Connection, message: Incoming, ack: str) -> tuple[Plan, str] | None:
        """Return what a message comes to and what it is known by; None if it was taken before, and that was said."""
        if not ack.isprintable():
            refuse("bad_message", "an id is printable text")
        key = f"{connection.who[:16]}:{ack}"
        if self.table.has_acted(key):
            connection.say(Accepted(ack, self.table.number))
            return None
        return plan_wish(self.table, connection, message, self._may_replace), key

    async def _act(self, connection: Connection, message: Incoming, ack: str) -> None:
        table = self.table
        ahead = isinstance(message, (Move, Undo)) and message.at > table.number and table.seats_of(connection.who)
        if self._unsure or ahead:  # seen at another process, perhaps, of whose entry we have not heard yet
            await self._catch_up()
        wish = self._wish(connection, message, ack)
        if wish is None:
            return
        plan, key = wish
        try:
            await self._commit(plan, connection, ack, key)
        except Conflict:
            before = table.number
            await self._catch_up()
            if table.has_acted(key):  # this very message was stored before
                connection.say(Accepted(ack, table.number))
                return
            if table.number == before and not await self._store.load(table.id):
                refuse("not_found", "this table was removed after a while", "no_table")
            raise Refusal("stale", "someone else was faster: this is the position now") from None
        except NotSaved as error:
            raise Refusal("not_saved", str(error)) from None

    def _may_replace(self, seat: int) -> bool:
        return self.presence.may_replace(seat, self.presence.present()[0])

    def _rows(self, plan: Plan, message: str | None) -> list[Row]:
        """Return what is to be stored."""
        table, at, entries = self.table, wall_ms(), plan.entries
        if table.left and isinstance(entries[0], (Moved, Undone)):
            entries = [msgspec.structs.replace(entries[0], spent=table.spent(service_ms())), *entries[1:]]
        return [
            Row(table.id, table.number + i, at, entry, None if i else message, plan.who)
            for i, entry in enumerate(entries)
        ]

    async def _commit(
        self, plan: Plan, by: Connection | None, ack: str | None = None, message: str | None = None
    ) -> None:
        """Store what was planned; then, and only then, let it happen and tell everyone."""
        rows, told = self._rows(plan, message), self._prepare(plan, by, ack)
        asked = service_ms()
        try:
            await self._store.append(rows)
        except NotSaved:
            self._failed(asked)
            raise
        self._happen(rows, plan, told, by, ack)

    def _failed(self, asked: int) -> None:
        """Note that nothing could be stored since then: nobody is to lose time by that."""
        self._unsure = True
        table, now = self.table, service_ms()
        table.since += max(0, now - max(asked, table.since))
        if (deadline := table.deadline()) is not None:
            table.since += max(0, now + GRACE - deadline)

    def _happen(
        self, rows: list[Row], plan: Plan, told: dict[Connection, bytes], by: Connection | None, ack: str | None
    ) -> None:
        """Fold in what was stored, and tell everyone."""
        for row in rows:
            self._fold(row, plan.after)
        self._told(plan, told, by, ack)

    def _fold(self, row: Row, after: Game | None) -> None:
        self._recalled.clear()
        self.table.apply(row.entry, service_ms(), row.message, after)

    def _told(self, plan: Plan, told: dict[Connection, bytes], by: Connection | None, ack: str | None) -> None:
        if isinstance(plan.entries[0], (Moved, Undone)):
            MOVES.inc()
            self._tell_move(plan, told, by, ack)
        else:
            for connection in self.connections:
                if connection.greeted:
                    mine = ack if connection is by else None
                    answer = None if mine is None else Accepted(mine, self.table.number)
                    connection.put(self.snapshot(connection, plan.events, mine), answer)
        self._arrange()

    async def catch_up(self) -> None:
        """Take in what other processes stored."""
        async with self._turns:
            with contextlib.suppress(NotSaved):  # the database is away; when it is back, the bus says so
                await self._catch_up()

    async def _catch_up(self) -> None:
        asked = service_ms()
        try:
            rows = await self._store.load(self.table.id, self.table.number)
        except NotSaved:
            self._failed(asked)
            raise
        self._unsure = False
        for row in rows:
            entry, plan = row.entry, Plan([row.entry])
            if isinstance(entry, Moved) and self.table.current is not None:
                plan.after, _, plan.events = self.table.current.game.after(entry.words[0])
            elif isinstance(entry, Undone) and self.table.current is not None:
                word = self.table.current.game.moves[-1]
                plan.events = [{"type": "move_undone", "seat": entry.seat, "word": word}]
            self._fold(row, plan.after)
            self._told(plan, {}, None, None)
        if rows:
            self._arrange(PATIENCE)

    # What needs no lock

    def _look(self, connection: Connection, seat: int) -> None:
        if seat not in self.table.seats_of(connection.who):
            refuse("not_seated", "this is not your seat")
        connection.looking = seat
        connection.put(self.snapshot(connection))

    def _recall(self, connection: Connection) -> None:
        """Tell the moves so far; the game is played again for it, once for all who ask with the same eyes."""
        seat, _ = outgoing.eyes(self.table, connection)
        if seat not in self._recalled:
            self._recalled[seat] = encoded(Recalled(self.table.number, seat, past(self.table.current, seat)))
        connection.put(self._recalled[seat])

    def _emote(self, connection: Connection, emote: Any) -> None:
        seat = seated(self.table, connection.who)[0]
        if self._emotes is None:
            self._emotes = Rates(EMOTES_A_SECOND, EMOTES_AT_ONCE)
        if not self._emotes.allow(connection.who):
            refuse("too_fast", "too many emotes: wait a moment")
        self._everyone(encoded(Emoted(seat, emote)))
        self._publish(self.table.id, {"emote": emote, "seat": seat})

    def _start_hint(self, connection: Connection, message: Hint) -> None:
        if not self.table.opened.settings.hints:
            refuse("not_allowed", "this table was opened without hints", "no_hints")
        game, (seat, _) = playing(self.table).game, outgoing.eyes(self.table, connection)
        if seat is None or seat != self.table.to_move:
            refuse("not_your_turn", "hints are for the seat to move")
        who, advised, number = connection.who, self._bots.advised, self.table.number
        if who in advised:
            refuse("too_fast", "a hint is on its way", "hint_pending")
        if self._warmth() is not None:
            refuse("not_now", "hints come as soon as the game is compiled: ask again in a moment")

        async def think() -> None:
            found = await self._bots.advise(game.copy(), seat, connection.place)
            connection.say(Hinted(message.id, number, [HintMove(one.word, one.chance) for one in found]))

        advised.add(who)
        self._spawn(think()).add_done_callback(lambda _: advised.discard(who))

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Bots and the clock

    def _arrange(self, patience: float = 0.0) -> None:
        """Let the bot that is to move think, and set the alarm of a clock."""
        if self._bot is not None:
            self._bot.cancel()
            self._bot = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        seat = self.table.to_move
        if seat is None:
            return
        level = self.table.chairs[seat].level
        if level is not None:
            if not self.connections:
                return
            self._bot = self._spawn(self._bot_move(seat, level, self._config.pace + patience, "bot"))
        elif (deadline := self.table.deadline()) is not None:
            wait = max(0, deadline - service_ms()) / 1000 + patience
            self._timer = asyncio.get_running_loop().call_later(wait, self._time_is_up, self.table.number, seat)

    def _place(self) -> str:
        """Return the address that bots think for: that of someone seated, if one of them is here."""
        seated_here = [one.place for one in self.connections if self.table.seats_of(one.who)]
        return min(seated_here or [one.place for one in self.connections], default="")

    async def _bot_move(self, seat: int, level: str, pause: float, by: str) -> None:
        """Think and move for a seat; cancelled when the table changes meanwhile."""
        game = playing(self.table).game
        began = time.monotonic()
        word = await self._bots.choose(game.copy(), seat, level, self._place())
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))
        async with self._turns:
            if self.table.current is None or self.table.current.game is not game:
                return
            self._bot = None  # from here on it is not to be cancelled
            try:
                await self._commit_or_catch_up(plan_move(self.table, seat, word, by))
            except NotSaved:
                log.warning("a bot's move was not saved; trying again")
                self._arrange(PATIENCE)

    async def _commit_or_catch_up(self, plan: Plan) -> None:
        """Store what nobody waits for; if another process was faster, that holds."""
        try:
            await self._commit(plan, None)
        except Conflict:
            await self._catch_up()

    def _time_is_up(self, number: int, seat: int) -> None:
        self._timer = None
        clock, deadline = self.table.opened.settings.clock, self.table.deadline()
        if number != self.table.number or clock is None or deadline is None:
            return
        if deadline > service_ms():  # some time was given back
            self._arrange()
        elif clock.zero == "bot" and not self.connections:
            return  # when someone comes, it is up at once
        elif clock.zero == "bot":
            self._bot = self._spawn(self._bot_move(seat, STAND_IN, 0.0, "clock"))
        else:
            self._spawn(self._flag(seat))

    async def _flag(self, seat: int) -> None:
        async with self._turns:
            deadline = self.table.deadline()
            if self.table.to_move != seat or deadline is None:
                return
            if deadline > service_ms():
                self._arrange()
                return
            last = len(self.table.of_match) == self.table.opened.settings.games
            entries: list[AnyEntry] = [Flagged(seat), *([Ended()] if last else [])]
            try:
                await self._commit_or_catch_up(Plan(entries, events=[{"type": "time_up", "seat": seat}]))
            except NotSaved:
                self._arrange(PATIENCE)

    def close(self) -> None:
        """Stop bots and clocks. Nothing of the table points back to it any more: it goes with the last who holds it."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        self.presence.close()


assert STAND_IN in LEVELS
