"""A table in play: its connections, its bots, its clock. Changes happen one at a time, and only once they are stored.

Every change takes the same path, whether a person, a bot or the clock makes it: it waits for its turn (`mutex`), is
checked against the table (`commands`), written to the store, and only then applied to the table and sent to everyone.
No task waits meanwhile: that would double the cost of a move.
"""

import asyncio
import contextlib
import logging
import secrets
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import msgspec

from tavolino.bots.position import Position
from tavolino.play.advice import Advice
from tavolino.play.game import Game
from tavolino.server import outgoing
from tavolino.server.automatic import AutomaticMoves, Make
from tavolino.server.bot_pool import BotPool
from tavolino.server.clock import service_ms, wall_ms
from tavolino.server.commands import Change, RequestRefused, deal, playing, refuse, seated
from tavolino.server.config import Config
from tavolino.server.connection import Connection, encoded
from tavolino.server.descriptions import TableInfo, Warmth
from tavolino.server.entries import AnyEntry, Arranged, Moved, Sat, Undone
from tavolino.server.guard import RateLimits
from tavolino.server.messages import (
    Accepted,
    Admit,
    Choose,
    Emoted,
    Fill,
    Free,
    Hand,
    Hello,
    Hint,
    Hinted,
    HintMove,
    HintReason,
    Incoming,
    Leave,
    Look,
    Move,
    Next,
    Ping,
    Ponder,
    Pong,
    React,
    Ready,
    Recall,
    Recalled,
    Refused,
    Rematch,
    RoomMessage,
    Seal,
    Show,
    Sit,
    Swap,
    Undo,
    Warming,
    or_unset,
)
from tavolino.server.metrics import HINTS, MOVES, refused
from tavolino.server.mutex import Mutex
from tavolino.server.past import past
from tavolino.server.presence import PresenceTracker, Publish
from tavolino.server.rooms import RoomInfo, decide, describe
from tavolino.server.store import Conflict, Meanwhile, NotSaved, Row, Then, settle
from tavolino.server.table import Table
from tavolino.server.thoughts import ADVISER, thought_of

PATIENCE = 5.0
"""Seconds before this process moves for a bot after another process changed the table."""
NEARLY = 500
"""Milliseconds by which the clocks of two processes may differ."""
EMOTES_A_SECOND, EMOTES_AT_ONCE = 0.5, 4.0
ARRANGE_A_SECOND, ARRANGE_AT_ONCE = 0.5, 30.0
"""Of one person at a table."""
ABANDONED = 7 * 24 * 3_600_000
"""Milliseconds after which a table counts as abandoned if nobody has done anything there."""
GRACE = 10_000
"""The least milliseconds that the seat to move has to repeat what could not be stored."""
log = logging.getLogger("tavolino.server")


class EntryStore(Protocol):
    """Where logs are kept: what a table in play needs of `store.Store`."""

    def put(self, rows: list[Row], then: Then, meanwhile: Meanwhile) -> None:
        """Store rows for good, all or none, and do something else meanwhile; then report."""

    async def load(self, table: str, begin: int = 0) -> list[Row]:
        """Return a log from a number on."""


@dataclass(slots=True)
class Asked:
    """A message that is to change the table."""

    by: Connection
    message: Move | Undo | Sit | Seal | Show | Leave | Fill | Next | Rematch | RoomMessage
    key: str
    """What identifies the message, so that it acts only once."""
    done: Then


class Live:
    """A table that someone is connected to, or was a moment ago. Its bots pause while nobody is."""

    def __init__(self, table: Table, store: EntryStore, bots: BotPool, publish: Publish, config: Config) -> None:
        self.table = table
        self.connections: set[Connection] = set()
        self.presence = PresenceTracker(
            table, self.connections, publish, self._everyone, config.away, config.share_seconds
        )
        self._store = store
        self._bots = bots
        self._publish = publish
        self._mutex = Mutex()
        self._automatic = AutomaticMoves(table, self.connections, bots, config.pace, self._act_for)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._recalled: dict[int | None, bytes] = {}
        """What was made for `recall`, by seat, until something happens."""
        self._unsure = False
        """Whether something may have been stored that was not applied."""
        self._emotes: RateLimits | None = None
        """Created with the first emote: most tables see none."""
        self._arranging: RateLimits | None = None
        """Created when someone arranges the next game, as above."""
        self._served = False
        """Whether someone has been here since this process has had the table."""
        self.touched = wall_ms()
        """When the table last changed, by the log."""

    # Coming and going

    async def join(self, connection: Connection) -> None:
        """Add a connection: people who come back get their seats back, and everyone sees who is here."""
        self.connections.add(connection)
        if self._due_to(connection.who):
            async with self._mutex:
                try:
                    if due := self._due_to(connection.who):
                        await self._stored(Change(due))
                except (Conflict, NotSaved) as error:
                    log.warning("a seat was not given back: %s", error)
                    self._unsure = True
        if not self._served:  # a clock begins to run with the first who comes, or comes back to a server that was away
            self._served = True
            self.table.since = service_ms()
        connection.greeted = True
        self.presence.ask()
        connection.put(self.snapshot(connection))
        self.presence.changed()
        if not self._automatic.busy:
            self._automatic.arrange()

    def _due_to(self, who: str) -> list[AnyEntry]:
        """Return the change that gives a person who comes back the seats that bots keep.

        A deal whose terms nothing binds, begun by an earlier version, begins anew: nobody has opened a share for it.
        """
        table, now = self.table, self.table.round
        kept = [seat for seat in table.seats_of(who) if table.chairs[seat].level]
        back = [Sat(seat, who, table.chairs[seat].name, table.chairs[seat].share) for seat in kept]
        old = now is not None and now.terms is None and not now.complete and table.seats_of(who)
        return [*back, *([deal(True, now.first)] if now is not None and old else [])]

    def disconnect(self, connection: Connection) -> None:
        """Remove a connection."""
        self.connections.discard(connection)
        if self.table.seats_of(connection.who):
            self.presence.left({connection.who})
        self.presence.changed()
        if not self.connections:
            self._automatic.rest()

    async def leave(self, who: str) -> None:
        """Let a person leave for good, as if they had asked; nothing happens if they have no seat.

        RequestRefused if the table is not there any more, NotSaved if it cannot be stored.
        """
        async with self._mutex:
            while not self.table.closed and self.table.seats_of(who):
                try:
                    await self._stored(decide(self.table, who, Leave(""), self._may_replace, self._is_away))
                except Conflict:
                    await self._catch_up()

    @property
    def idle(self) -> bool:
        """Whether nobody is here and there is nothing to do."""
        return not (self.connections or self._automatic.busy or self._mutex.held)

    def heard(self, process: str, news: dict[str, Any]) -> None:
        """Handle news about this table from another process."""
        if "emote" in news:
            self._everyone(encoded(Emoted(int(news["seat"]), news["emote"])))
        elif "here" in news:
            watching, screens = int(news["watching"]), int(news.get("screens", 0))
            self.presence.heard(process, set(map(str, news["here"])), watching, screens)
            if "clock" in news:
                self._hear_clock(*map(int, news["clock"]))

    def _hear_clock(self, number: int, spent: int) -> None:
        """Take over how long the clock has run on the process where people were before."""
        now = service_ms()
        ahead = spent - self.table.spent(now)
        if number != self.table.number or self.table.deadline() is None or abs(ahead) < NEARLY:
            return
        if ahead > 0:
            self.table.since = now - spent
            self._served = True
            if self._automatic.timed:
                self._automatic.arrange(PATIENCE)
        else:
            self.presence.changed()  # and that is said with it

    # Telling

    def _everyone(self, text: bytes) -> None:
        for connection in self.connections:
            if connection.greeted:
                connection.put(text)

    def snapshot(self, connection: Connection, events: outgoing.Events = (), ack: str | None = None) -> bytes:
        """Return everything that a connection may know."""
        return outgoing.snapshot(self.table, self.presence, connection, self._warmth(), events, ack)

    def info(self, who: str) -> TableInfo:
        """Return the table as a person sees it from outside."""
        return outgoing.info(self.table, self.presence, who, self._warmth())

    def room(self, who: str) -> RoomInfo:
        """Return what the table remembers, as a person sees it."""
        return describe(self.table, who, self.presence.present()[0])

    def _warmth(self) -> Warmth | None:
        return self._bots.warming.of(self.table.settings.game)

    def tell_warmth(self) -> None:
        """Tell everyone how far compiling the game is."""
        self._everyone(encoded(Warming(self._warmth())))

    def _prepare(self, change: Change, asked: Asked | None, told: dict[Connection, bytes]) -> None:
        """Prepare the messages about a move before it is stored, so that they are sent as soon as it is."""
        table, first, after = self.table, change.entries[0], change.after
        if not isinstance(first, Moved) or after is None or after.over or table.left:  # a clock runs meanwhile
            return
        updates = outgoing.Updates(table, table.number + 1, after, change.events, first.words, None)
        for connection in self.connections:
            seats = table.seats_of(connection.who)
            if len(seats) <= 1 and connection.greeted:  # it looks from there until then
                told[connection] = updates.text(seats[0] if seats else None, _ack(asked, connection))

    def _tell(self, change: Change, asked: Asked | None, told: dict[Connection, bytes]) -> None:
        """Tell everyone what happened, and let the next seat move; `told` holds the prepared messages."""
        table, first, updates = self.table, change.entries[0], None
        moved = isinstance(first, (Moved, Undone))
        if moved:
            MOVES.inc()
        else:
            self.presence.ask()
        for connection in self.connections:
            ack, text = _ack(asked, connection), told.get(connection)
            if text is None:
                if not connection.greeted:
                    continue
                seat, curtain = outgoing.viewpoint(table, connection)
                if moved and table.phase == "playing" and table.current is not None and curtain is None:
                    if updates is None:
                        words, clock = first.words if isinstance(first, Moved) else [], table.clock(service_ms())
                        game = table.current.game
                        updates = outgoing.Updates(table, table.number, game, change.events, words, clock)
                    text = updates.text(seat, ack)
                else:
                    text = self.snapshot(connection, change.events, ack)
            connection.put(text, None if ack is None else Accepted(ack, table.number))
        self._automatic.arrange()

    # Acting

    def handle(self, connection: Connection, message: Incoming, done: Then) -> None:
        """Do what a connection asks for, or say why not; then call `done`, before this returns or later."""
        try:
            if connection.screen and not isinstance(message, (Ping, Recall, Hello)):
                refuse("not_allowed", "a big screen only shows the table: sit down with another device")
            match message:
                case Ready() | Choose() | Swap() | Free() | Hand() | Admit():
                    self._limit(connection)
                    self._ask(connection, message, done)
                    return
                case Move() | Undo() | Sit() | Seal() | Show() | Leave() | Fill() | Next() | Rematch():
                    self._ask(connection, message, done)
                    return
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
                case Hello():
                    refuse("bad_message", "hello comes first, and once")
        except RequestRefused as no:
            self._refuse(connection, no, getattr(message, "id", None))
        done(None)

    def _ask(self, connection: Connection, message: Any, done: Then) -> None:
        """Let a message change the table when its turn comes."""
        key = f"{connection.who[:16]}:{message.id}"
        self._mutex.run(partial(self._act, Asked(connection, message, key, done)))

    def _limit(self, connection: Connection) -> None:
        """Refuse what someone arranges too often: all of it is kept."""
        if self._arranging is None:
            self._arranging = RateLimits(ARRANGE_A_SECOND, ARRANGE_AT_ONCE)
        if not self._arranging.allow(connection.who):
            refuse("too_fast", "too many changes: wait a moment")

    def _refuse(self, connection: Connection, no: RequestRefused, ack: str | None) -> None:
        refused(no.code, connection.address)
        values = or_unset(no.values or None)
        connection.say(Refused(no.code, str(no), self.table.number, values, or_unset(ack), or_unset(no.reason)))
        if no.code == "stale":
            connection.put(self.snapshot(connection))

    def _act(self, asked: Asked) -> None:
        """Store the effect of a message; it holds the lock until `_finish`."""
        message, table = asked.message, self.table
        ahead = isinstance(message, (Move, Undo)) and message.at > table.number and table.seats_of(asked.by.who)
        if self._unsure or ahead:  # seen at another process, perhaps, of whose entry we have not heard yet
            self._spawn(self._catch_up_and_act(asked))
        else:
            self._act_now(asked)

    async def _catch_up_and_act(self, asked: Asked) -> None:
        try:
            await self._catch_up()
        except Exception as error:
            self._finish(asked, error)
        else:
            self._act_now(asked)

    def _act_now(self, asked: Asked) -> None:
        by, message, table = asked.by, asked.message, self.table
        try:
            if not message.id.isprintable():
                refuse("bad_message", "an id must be printable text")
            if not table.has_acted(asked.key):
                abandoned = wall_ms() - self.touched > ABANDONED
                change = decide(table, by.who, message, self._may_replace, self._is_away, abandoned)
                self._commit(change, partial(self._answer, asked), asked)
                return
            by.say(Accepted(message.id, table.number))
        except Exception as error:
            self._finish(asked, error)
        else:
            self._finish(asked)

    def _answer(self, asked: Asked, error: Exception | None) -> None:
        """Handle the outcome of storing the effect of a message."""
        if isinstance(error, Conflict):  # another process was faster: what does it come to now?
            self._spawn(self._catch_up_and_act(asked))
        elif error is not None and self.table.has_acted(asked.key):  # only telling it failed
            self._act_now(asked)
        else:
            self._finish(asked, error)

    def _finish(self, asked: Asked, error: Exception | None = None) -> None:
        """Say why it was refused, if it was, and pass the lock on."""
        if isinstance(error, NotSaved):
            error = RequestRefused("not_saved", str(error))
        if isinstance(error, RequestRefused):
            self._refuse(asked.by, error, asked.message.id)
            error = None
        self._mutex.release()
        asked.done(error)

    def _is_away(self, who: str) -> bool:
        return self.presence.is_away(who, self.presence.present()[0])

    def _may_replace(self, seat: int) -> bool:
        return self.presence.may_replace(seat, self.presence.present()[0])

    def _rows(self, change: Change, message: str | None) -> list[Row]:
        """Return what is to be stored."""
        table, at, entries = self.table, wall_ms(), change.entries
        if table.left and isinstance(entries[0], (Moved, Undone)):
            entries = [msgspec.structs.replace(entries[0], spent=table.spent(service_ms())), *entries[1:]]
        return [
            Row(table.id, table.number + i, at, entry, None if i else message, change.who)
            for i, entry in enumerate(entries)
        ]

    def _commit(self, change: Change, then: Then, asked: Asked | None = None) -> None:
        """Store a change; only then apply it, tell everyone, and tell `then` how it went.

        The caller holds the lock until `then` is called.
        """
        rows, begun = self._rows(change, None if asked is None else asked.key), service_ms()
        told: dict[Connection, bytes] = {}

        def stored(error: Exception | None) -> None:
            try:
                if error is None:
                    for row in rows:
                        self._fold(row, change.after)
                    self._tell(change, asked, told)
                elif isinstance(error, NotSaved):
                    self._failed(begun)
            except Exception as fault:
                log.exception("what was stored was not told")
                error = fault
            then(error)

        self._store.put(rows, stored, partial(self._prepare, change, asked, told))

    async def _stored(self, change: Change) -> None:
        """Commit a change of our own and wait for it; raises Conflict and NotSaved."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._commit(change, partial(settle, done))
        await done

    def _failed(self, asked: int) -> None:
        """Note that nothing could be stored since then: nobody must lose time by that."""
        self._unsure = True
        table, now = self.table, service_ms()
        table.since += max(0, now - max(asked, table.since))
        if (deadline := table.deadline()) is not None:
            table.since += max(0, now + GRACE - deadline)
        self.presence.ask(again=True)

    def _fold(self, row: Row, after: Game | None) -> None:
        self._recalled.clear()
        self.touched = row.at
        self.table.at = row.at
        self.table.apply(row.entry, service_ms(), row.message, after)
        if isinstance(row.entry, Arranged):
            self._bots.warming.ask(row.entry.settings.game)

    async def catch_up(self) -> None:
        """Apply what other processes stored."""
        async with self._mutex:
            with contextlib.suppress(NotSaved, RequestRefused):  # the bus says when the database is back
                await self._catch_up()

    async def _catch_up(self) -> None:
        asked = service_ms()
        try:
            found = await self._store.load(self.table.id, self.table.number - 1)
        except NotSaved:
            self._failed(asked)
            raise
        if not found:
            refuse("not_found", "this table was removed after a while", "no_table")
        self._unsure = False
        for row in found[1:]:
            entry, change = row.entry, Change([row.entry])
            if isinstance(entry, Moved) and self.table.current is not None:
                change.after, _, change.events = self.table.current.game.after(entry.words[0])
            elif isinstance(entry, Undone) and self.table.current is not None:
                word = self.table.current.game.moves[-1]
                change.events = [{"type": "move_undone", "seat": entry.seat, "word": word}]
            self._fold(row, change.after)
            self._tell(change, None, {})
        if found[1:]:
            self._automatic.arrange(PATIENCE)

    # What needs no lock

    def _look(self, connection: Connection, seat: int) -> None:
        if seat not in self.table.seats_of(connection.who):
            refuse("not_seated", "this is not your seat")
        connection.looking = seat
        connection.put(self.snapshot(connection))

    def _recall(self, connection: Connection) -> None:
        """Send the moves so far; the game is replayed for that, once for all who look from the same seat."""
        seat, _ = outgoing.viewpoint(self.table, connection)
        if seat not in self._recalled:
            self._recalled[seat] = encoded(Recalled(self.table.number, seat, past(self.table.current, seat)))
        connection.put(self._recalled[seat])

    def _emote(self, connection: Connection, emote: Any) -> None:
        seat = seated(self.table, connection.who)[0]
        if self._emotes is None:
            self._emotes = RateLimits(EMOTES_A_SECOND, EMOTES_AT_ONCE)
        if not self._emotes.allow(connection.who):
            refuse("too_fast", "too many emotes: wait a moment")
        self._everyone(encoded(Emoted(seat, emote)))
        self._publish(self.table.id, {"emote": emote, "seat": seat})

    def _start_hint(self, connection: Connection, message: Hint) -> None:
        if not self.table.settings.hints:
            refuse("not_allowed", "this table was opened without hints", "no_hints")
        game, (seat, _) = playing(self.table).game, outgoing.viewpoint(self.table, connection)
        if seat is None or seat != self.table.to_move:
            refuse("not_your_turn", "hints are for the seat to move")
        who, advised, number = connection.who, self._bots.advised, self.table.number
        if who in advised:
            refuse("too_fast", "a hint is on its way", "hint_pending")
        if self._warmth() is not None:
            refuse("not_now", "there are no hints until the game is compiled: ask again in a moment")
        if message.here and not game.dice_typed and not game.setup.chosen:
            position = Position(game.copy(), seat, secrets.token_hex(8))
            HINTS.labels("browser").inc()
            connection.say(Ponder(message.id, number, thought_of(position, ADVISER)))
            return

        def answer(thought: asyncio.Task[list[Advice]]) -> None:
            advised.discard(who)
            if not thought.cancelled():
                moves = [
                    HintMove(
                        one.move,
                        one.chance,
                        one.low,
                        one.high,
                        [HintReason(why.code, dict(why.values)) for why in one.reasons],
                    )
                    for one in thought.result()
                ]
                connection.say(Hinted(message.id, number, moves))

        HINTS.labels("server").inc()
        advised.add(who)
        self._spawn(self._bots.advise(game.copy(), seat, connection.address)).add_done_callback(answer)

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # What nobody asked for

    def _act_for(self, number: int, make: Make) -> None:
        """Make a change that nobody asked for, if the table has not changed."""

        def act() -> None:
            try:
                if self.table.number == number:
                    self._automatic.keep()
                    if (change := make()) is not None:
                        self._commit(change, self._acted_for)
                        return
            except Exception:
                log.exception("nobody could move for a seat")
            self._mutex.release()

        self._mutex.run(act)

    def _acted_for(self, error: Exception | None) -> None:
        if isinstance(error, NotSaved):
            log.warning("a move of a bot or the clock was not saved; trying again")
            self._automatic.arrange(PATIENCE)
        elif error is not None:  # another process was faster: that holds
            self._spawn(self.catch_up())
        self._mutex.release()

    def close(self) -> None:
        """Stop bots and clocks. Nothing in the table refers back to it then, so it is freed with its last reference."""
        self._automatic.close()
        for task in self._tasks:
            task.cancel()
        self.presence.close()


def _ack(asked: Asked | None, connection: Connection) -> str | None:
    """Return the id of the message that a connection sent, if it is the one that asked."""
    return asked.message.id if asked is not None and asked.by is connection else None
