"""A table in play: its connections, its bots, its clock. One thing happens at a time, and only what is stored happens.

Every change goes the same way: what is wished is checked against the table, written to the store, and only then folded
into the table and told to everyone.
"""

import asyncio
import logging
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

import msgspec

from tavolino.bots.players import LEVELS
from tavolino.play.game import Game, IllegalMove
from tavolino.play.telling import events_for
from tavolino.server.config import Config
from tavolino.server.connection import Connection, encoded
from tavolino.server.entries import (
    AnyEntry,
    Began,
    Closed,
    Ended,
    Filled,
    Flagged,
    Left,
    Moved,
    Rematched,
    Sat,
    Undone,
)
from tavolino.server.messages import (
    VERSION,
    Accepted,
    Emoted,
    Fill,
    Hint,
    Hinted,
    HintMove,
    Incoming,
    Leave,
    Look,
    Move,
    Next,
    Ping,
    Pong,
    React,
    Refused,
    Rematch,
    SeatInfo,
    Sit,
    Snapshot,
    TableInfo,
    Undo,
    Update,
)
from tavolino.server.metrics import MOVES, REFUSED
from tavolino.server.presence import Presences, now_ms
from tavolino.server.settings import clean_name
from tavolino.server.store import Conflict, NotSaved, Row
from tavolino.server.table import STAND_IN, Played, Table
from tavolino.server.thinkers import Thinkers

PATIENCE = 5.0
"""Seconds before this process moves for a bot after another process changed the table."""
log = logging.getLogger("tavolino.server")


class Refusal(Exception):
    """A wish that cannot be had; nothing has changed."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def refuse(code: str, text: str) -> NoReturn:
    """Say no."""
    raise Refusal(code, text)


class Shelf(Protocol):
    """Where logs are kept: what a table in play needs of `store.Store`."""

    async def append(self, rows: list[Row], listed: bool | None = None) -> None:
        """Store rows for good, all or none."""

    async def load(self, table: str, begin: int = 0) -> list[Row]:
        """Return a log from a number on."""


@dataclass
class Plan:
    """What is to be stored, and what it comes to."""

    entries: list[AnyEntry]
    after: Game | None = None
    """The game with the move played."""
    events: list[dict[str, Any]] = field(default_factory=list)
    who: str | None = None


class Live:
    """A table that someone is connected to, or a bot plays at."""

    def __init__(self, table: Table, store: Shelf, thinkers: Thinkers, publish: Any, config: Config) -> None:
        self.table = table
        self.connections: set[Connection] = set()
        self.presence = Presences(table, self.connections, publish, self._everyone, config.away)
        self._store = store
        self._thinkers = thinkers
        self._publish = publish
        self._config = config
        self._lock = asyncio.Lock()
        self._bot: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._unsure = False
        """A write failed, but may have been stored all the same."""

    # Coming and going

    async def join(self, connection: Connection) -> None:
        """Welcome a connection: whoever comes back has the seat back, and all see who is here."""
        self.connections.add(connection)
        if any(self.table.chairs[seat].level for seat in self.table.seats_of(connection.who)):
            async with self._lock:
                back = [seat for seat in self.table.seats_of(connection.who) if self.table.chairs[seat].level]
                name = {seat: self.table.chairs[seat].name for seat in back}
                try:
                    if back:
                        await self._commit(Plan([Sat(seat, connection.who, name[seat]) for seat in back]), None)
                except Conflict:
                    await self._catch_up()
                except NotSaved:
                    log.warning("a seat was not given back: nothing can be stored")
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

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is to be done."""
        return not self.connections and self._bot is None and not self._lock.locked()

    def heard(self, process: str, news: dict[str, Any]) -> None:
        """Take what another process says about this table."""
        if "emote" in news:
            self._everyone(encoded(Emoted(int(news["seat"]), news["emote"])))
        elif "here" in news:
            self.presence.heard(process, set(map(str, news["here"])), int(news["watching"]))

    # Telling

    def _everyone(self, text: str) -> None:
        for connection in self.connections:
            if connection.greeted:
                connection.put(text)

    def eyes(self, connection: Connection) -> tuple[int | None, int | None]:
        """Return the seat a connection sees the table from, and the seat the curtain is down for."""
        mine = self.table.seats_of(connection.who)
        if len(mine) <= 1:
            return (mine[0] if mine else None), None
        mover = self.table.to_move
        if mover in mine and connection.looking != mover:
            return None, mover
        return (connection.looking if connection.looking in mine else None), None

    def snapshot(self, connection: Connection, events: list[dict[str, Any]] = [], ack: str | None = None) -> str:  # noqa: B006
        """Return all that a connection may know."""
        table, (seat, curtain) = self.table, self.eyes(connection)
        current = table.current
        return encoded(
            Snapshot(
                v=VERSION,
                number=table.number,
                table=self.info(connection.who),
                seat=seat,
                yours=table.seats_of(connection.who),
                curtain=curtain,
                view=None if current is None else current.game.view(seat),
                movers=[] if current is None else current.game.movers,
                legal=self._legal(seat),
                undo=0 if seat is None or table.phase != "playing" or current is None else current.game.may_undo(seat),
                clock=table.clock(now_ms()),
                events=events_for(events, seat),
                id=msgspec.UNSET if ack is None else ack,
            )
        )

    def info(self, who: str) -> TableInfo:
        """Return the table as a person sees it from outside."""
        table, settings = self.table, self.table.opened.settings
        people, watching = self.presence.present()
        current = table.current
        return TableInfo(
            id=table.id,
            game=settings.game,
            phase=table.phase,
            seats=[
                SeatInfo(
                    kind="open" if chair.open else "bot" if chair.who is None else "person",
                    name=chair.name,
                    level=chair.level,
                    you=chair.who is not None and chair.who == who,
                    here=chair.level is not None or chair.who in people,
                    may_replace=self.presence.may_replace(seat, people),
                )
                for seat, chair in enumerate(table.chairs)
            ],
            options=settings.options,
            games=settings.games,
            starts=settings.starts,
            clock=settings.clock,
            listed=settings.listed,
            hints=settings.hints,
            yours=table.opened.who == who,
            match=table.match,
            playing=len(table.played) - 1,
            to_move=table.to_move,
            results=[one.result for one in table.of_match if one.over],
            totals=table.totals,
            commitment=None if current is None else current.commitment,
            secret=current.secret if current is not None and current.over else None,
            watching=watching,
        )

    def _legal(self, seat: int | None) -> list[dict[str, Any]]:
        if seat is None or seat != self.table.to_move or self.table.chairs[seat].level is not None:
            return []
        assert self.table.current is not None
        return self.table.current.game.offers

    def _tell_move(self, words: list[str], plan: Plan, by: Connection | None, ack: str | None) -> None:
        """Tell everyone about a move; whoever looks with the same eyes gets the same bytes."""
        table, current = self.table, self.table.current
        assert current is not None
        game, clock = current.game, table.clock(now_ms())
        same: dict[int | None, str] = {}
        undone, playing = not words, table.phase == "playing"
        answer = None if ack is None else Accepted(ack, table.number)
        for connection in self.connections:
            if not connection.greeted:
                continue
            seat, curtain = self.eyes(connection)
            mine = connection is by
            if curtain is not None or not playing:
                connection.put(self.snapshot(connection, plan.events, ack if mine else None), answer if mine else None)
                continue
            text = None if mine else same.get(seat)
            if text is None:
                text = encoded(
                    Update(
                        number=table.number,
                        events=events_for(plan.events, seat),
                        words=words,
                        position=game.position(seat),
                        legal=self._legal(seat),
                        undo=0 if seat is None else game.may_undo(seat),
                        clock=msgspec.UNSET if clock is None else clock,
                        moves=game.moves if undone else msgspec.UNSET,
                        id=ack if mine and ack is not None else msgspec.UNSET,
                    )
                )
                if not mine:
                    same[seat] = text
            connection.put(text, answer if mine else None)

    # Acting

    async def handle(self, connection: Connection, message: Incoming) -> None:
        """Do what a connection asks for, or say why not."""
        ack = getattr(message, "id", None)
        try:
            match message:
                case Ping():
                    connection.say(Pong())
                case Look(seat):
                    self._look(connection, seat)
                case React(emote):
                    self._emote(connection, emote)
                case Hint():
                    self._start_hint(connection, message)
                case _:
                    async with self._lock:
                        await self._act(connection, message, str(ack))
        except Refusal as no:
            REFUSED.labels(no.code).inc()
            refused = Refused(no.code, str(no), self.table.number, msgspec.UNSET if ack is None else ack)
            connection.say(refused)
            if no.code == "stale":
                connection.put(self.snapshot(connection))

    async def _act(self, connection: Connection, message: Incoming, ack: str) -> None:
        table = self.table
        ahead = isinstance(message, (Move, Undo)) and message.at > table.number and table.seats_of(connection.who)
        if self._unsure or ahead:  # seen at another process, perhaps, of whose entry we have not heard yet
            await self._catch_up()
        if not ack.isprintable():
            refuse("bad_message", "an id is printable text")
        key = f"{connection.who[:16]}:{ack}"
        if key in table.acted:
            connection.say(Accepted(ack, table.number))
            return
        try:
            await self._commit(self._plan(connection, message), connection, ack, key)
        except Conflict:
            before = table.number
            await self._catch_up()
            if key in table.acted or (table.number == before and await self._is_stored(key)):
                connection.say(Accepted(ack, table.number))  # this very message was stored before
                return
            raise Refusal("stale", "someone else was faster: this is the position now") from None
        except NotSaved as error:
            raise Refusal("not_saved", str(error)) from None

    async def _is_stored(self, key: str) -> bool:
        """Look for a message so old that it is not remembered here; Refusal if the whole table is gone."""
        rows = await self._store.load(self.table.id)
        return any(row.message == key for row in rows) or (
            False if rows else refuse("not_found", "this table was removed after a while")
        )

    def _plan(self, connection: Connection, message: Incoming) -> Plan:
        if self.table.closed:
            refuse("not_now", "this table is closed: everyone has left")
        match message:
            case Move(at=at, word=word):
                return self._plan_move(self._may_move(connection, at), word)
            case Undo(at=at):
                return self._plan_undo(connection, at)
            case Sit(name=name, seat=seat):
                return self._plan_sit(connection, name, seat)
            case Leave():
                return self._plan_leave(connection)
            case Fill(seat=seat, level=level):
                return self._plan_fill(connection, seat, level)
            case Next():
                self._seated(connection)
                if self.table.phase != "between":
                    refuse("not_now", "there is no next game to begin now")
                return Plan([self._began(self.table.next_first())])
            case Rematch():
                return self._plan_rematch(connection)
            case _:
                refuse("bad_message", "hello comes first, and once")

    def _seated(self, connection: Connection) -> list[int]:
        return self.table.seats_of(connection.who) or refuse("not_seated", "you have no seat at this table")

    def _playing(self) -> Played:
        if self.table.phase != "playing" or self.table.current is None:
            refuse("not_now", "no game is going on")
        return self.table.current

    def _may_move(self, connection: Connection, at: int) -> int:
        """Return the seat to move if it is the connection's, and it has seen the position."""
        self._playing()
        seat = self.table.to_move
        assert seat is not None
        self._seated(connection)
        if at < self.table.changed:
            refuse("stale", "the position has changed since")
        if at > self.table.number:
            refuse("stale", "there is no such position yet")
        if self.table.chairs[seat].who != connection.who:
            refuse("not_your_turn", f"it is seat {seat}'s turn")
        if self.table.chairs[seat].level is not None:
            refuse("not_your_turn", "a bot plays for you: take your seat back first")
        return seat

    def _plan_move(self, seat: int, word: str, by: str = "") -> Plan:
        game = self._playing().game
        after = game.copy()
        try:
            events = after.tell(word)
        except IllegalMove as error:
            refuse("illegal", str(error))
        words = after.moves[len(game.moves) :]
        entries: list[AnyEntry] = [Moved(seat, words, by)]
        if after.over and len(self.table.of_match) == self.table.opened.settings.games:
            entries.append(Ended())
        return Plan(entries, after, events)

    def _plan_undo(self, connection: Connection, at: int) -> Plan:
        game, mine = self._playing().game, self._seated(connection)
        if not self.table.changed <= at <= self.table.number:
            refuse("stale", "the position has changed since")
        for seat in mine:
            if game.may_undo(seat):
                return Plan([Undone(seat)], events=[{"type": "move_undone", "seat": seat, "word": game.moves[-1]}])
        refuse("not_allowed", "there is nothing you can take back: only your own moves, before anything new is seen")

    def _plan_sit(self, connection: Connection, name: str, seat: int | None) -> Plan:
        table = self.table
        if connection.who.startswith("watcher:"):
            refuse("not_allowed", "a seat is kept by a cookie: this browser sent none")
        try:
            name = clean_name(name)
        except ValueError as error:
            refuse("bad_message", str(error))
        free = [i for i, chair in enumerate(table.chairs) if chair.open]
        if seat is not None and seat < len(table.chairs) and table.chairs[seat].who == connection.who:
            return Plan([Sat(seat, connection.who, name)], who=connection.who)
        if table.seats_of(connection.who):
            refuse("not_allowed", "you have a seat at this table already")
        if not free:
            refuse("full", "no seat is free; you can watch")
        seat = free[0] if seat is None else seat
        if seat not in free:
            refuse("seat_taken", "this seat is taken" if seat < len(table.chairs) else "there is no such seat")
        return self._and_begin(Plan([Sat(seat, connection.who, name)], who=connection.who), len(free) == 1)

    def _plan_leave(self, connection: Connection) -> Plan:
        """Free the seats; where no other person is left, the table closes and its bots stop."""
        entries: list[AnyEntry] = [Left(seat) for seat in self._seated(connection)]
        others = any(chair.who not in (None, connection.who) for chair in self.table.chairs)
        if not others and self.table.phase != "over":
            entries.append(Closed())
        return Plan(entries)

    def _plan_fill(self, connection: Connection, seat: int, level: str) -> Plan:
        table = self.table
        if seat >= len(table.chairs):
            refuse("bad_message", "there is no such seat")
        if table.opened.who != connection.who:
            self._seated(connection)
        if table.chairs[seat].open:
            if table.opened.who != connection.who:
                refuse("not_allowed", "only whoever opened the table can put a bot in an open seat")
            return self._and_begin(Plan([Filled(seat, level)]), sum(chair.open for chair in table.chairs) == 1)
        if not self.presence.may_replace(seat, self.presence.present()[0]):
            refuse("not_allowed", "only who is away for a while can be replaced by a bot")
        return Plan([Filled(seat, level)])

    def _and_begin(self, plan: Plan, full: bool) -> Plan:
        """Add the first deal once all seats are taken."""
        return Plan([*plan.entries, self._began(None)], who=plan.who) if full else plan

    def _plan_rematch(self, connection: Connection) -> Plan:
        self._seated(connection)
        table = self.table
        if table.phase != "over" or table.closed:
            refuse("not_now", "the match is not over")
        first = next(one.game.first for one in table.of_match)  # seats are rotated: the same seat is the next person
        return Plan([Rematched(), self._began(first)])

    @staticmethod
    def _began(first: int | None) -> Began:
        return Began(secrets.token_hex(16), first)

    async def _commit(
        self, plan: Plan, by: Connection | None, ack: str | None = None, message: str | None = None
    ) -> None:
        """Store what was planned; then, and only then, let it happen and tell everyone."""
        table = self.table
        at = max(now_ms(), table.since)
        rows = [
            Row(table.id, table.number + i, at, entry, None if i else message, plan.who)
            for i, entry in enumerate(plan.entries)
        ]
        try:
            await self._store.append(rows)
        except NotSaved:
            self._unsure = True
            raise
        for row in rows:
            self._fold(row, plan.after)
        self._told(rows, plan, by, ack)

    def _fold(self, row: Row, after: Game | None) -> None:
        self.table.apply(row.entry, row.at, row.message, after)

    def _told(self, rows: list[Row], plan: Plan, by: Connection | None, ack: str | None) -> None:
        first = rows[0].entry
        if isinstance(first, (Moved, Undone)):
            MOVES.inc()
            self._tell_move(first.words if isinstance(first, Moved) else [], plan, by, ack)
        else:
            for connection in self.connections:
                if connection.greeted:
                    mine = ack if connection is by else None
                    answer = None if mine is None else Accepted(mine, self.table.number)
                    connection.put(self.snapshot(connection, plan.events, mine), answer)
        self._arrange()

    async def catch_up(self) -> None:
        """Take in what other processes stored."""
        async with self._lock:
            try:
                await self._catch_up()
            except NotSaved:
                self._unsure = True  # the database is away; when it is back, the bus says so

    async def _catch_up(self) -> None:
        rows = await self._store.load(self.table.id, self.table.number)
        self._unsure = False
        for row in rows:
            entry, plan = row.entry, Plan([row.entry])
            if isinstance(entry, Moved) and self.table.current is not None:
                plan.after = self.table.current.game.copy()
                plan.events = plan.after.tell(entry.words[0])
            elif isinstance(entry, Undone) and self.table.current is not None:
                word = self.table.current.game.moves[-1]
                plan.events = [{"type": "move_undone", "seat": entry.seat, "word": word}]
            self._fold(row, plan.after)
            self._told([row], plan, None, None)
        if rows:
            self._arrange(PATIENCE)

    # What needs no lock

    def _look(self, connection: Connection, seat: int) -> None:
        if seat not in self.table.seats_of(connection.who):
            refuse("not_seated", "this is not your seat")
        connection.looking = seat
        connection.put(self.snapshot(connection))

    def _emote(self, connection: Connection, emote: Any) -> None:
        seat = self._seated(connection)[0]
        self._everyone(encoded(Emoted(seat, emote)))
        self._publish(self.table.id, {"emote": emote, "seat": seat})

    def _start_hint(self, connection: Connection, message: Hint) -> None:
        if not self.table.opened.settings.hints:
            refuse("not_allowed", "this table was opened without hints")
        game, (seat, _) = self._playing().game, self.eyes(connection)
        if seat is None or seat != self.table.to_move:
            refuse("not_your_turn", "hints are for the seat to move")
        if connection.thinking:
            refuse("too_fast", "a hint is on its way")
        connection.thinking = True
        number = self.table.number

        async def think() -> None:
            try:
                found = await self._thinkers.advise(game.copy(), seat)
                connection.say(Hinted(message.id, number, [HintMove(one.word, one.chance) for one in found]))
            finally:
                connection.thinking = False

        self._spawn(think())

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
            self._bot = self._spawn(self._bot_move(seat, level, self._config.pace + patience, "bot"))
        elif (deadline := self.table.deadline()) is not None:
            wait = max(0, deadline - now_ms()) / 1000 + patience
            self._timer = asyncio.get_running_loop().call_later(wait, self._time_is_up, self.table.number, seat)

    async def _bot_move(self, seat: int, level: str, pause: float, by: str) -> None:
        """Think and move for a seat; cancelled when the table changes meanwhile."""
        game = self._playing().game
        began = time.monotonic()
        word = await self._thinkers.choose(game.copy(), seat, level)
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))
        async with self._lock:
            if self.table.current is None or self.table.current.game is not game:
                return
            self._bot = None  # from here on it is not to be cancelled
            try:
                await self._commit_or_catch_up(self._plan_move(seat, word, by))
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
        clock = self.table.opened.settings.clock
        if number != self.table.number or clock is None:
            return
        if clock.zero == "bot":
            self._bot = self._spawn(self._bot_move(seat, STAND_IN, 0.0, "clock"))
        else:
            self._spawn(self._flag(seat))

    async def _flag(self, seat: int) -> None:
        async with self._lock:
            deadline = self.table.deadline()
            if self.table.to_move != seat or deadline is None:
                return
            if deadline > now_ms():  # the alarm was early: clocks differ
                self._arrange()
                return
            last = len(self.table.of_match) == self.table.opened.settings.games
            entries: list[AnyEntry] = [Flagged(seat), *([Ended()] if last else [])]
            try:
                await self._commit_or_catch_up(Plan(entries, events=[{"type": "time_up", "seat": seat}]))
            except NotSaved:
                self._arrange(PATIENCE)

    def close(self) -> None:
        """Stop bots and clocks."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()


assert STAND_IN in LEVELS
