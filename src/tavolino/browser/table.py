"""The tables of one device: the messages of a server's socket, answered without a server.

The same commands, the same fold of the log and the same messages as on a server (`server.commands`, `server.table`,
`server.outgoing`). The page's worker runs this in MicroPython; it calls `ask` with a name and JSON, stores the rows of
the answer, then passes on what is said. What takes long is asked for in the answer (`next`, `hint`) and done elsewhere.
"""

import binascii
import json
import secrets
from typing import Any

import msgspec
import numpy as np

from tavolino.bots.position import Position, forced_move
from tavolino.bots.reasons import Trials, reasons
from tavolino.browser.hints import corrected, interval
from tavolino.engine.registry import GAMES
from tavolino.play.fairness import read_shares, seals_of, terms_of, verify
from tavolino.play.records import BadRecord, check
from tavolino.play.records import replay as replayed
from tavolino.play.setup import read_setup
from tavolino.server import outgoing, practice, replays
from tavolino.server.clock import service_ms, wall_ms
from tavolino.server.commands import Change, RequestRefused, deal, decide, decide_move, playing, refuse
from tavolino.server.connection import encoded
from tavolino.server.entries import (
    AnyEntry,
    Began,
    Closed,
    Ended,
    Filled,
    Flagged,
    Given,
    Left,
    Moved,
    Opened,
    Rematched,
    Sat,
    Sealed,
    Sealing,
    Shown,
    Undone,
)
from tavolino.server.messages import (
    VERSION,
    Accepted,
    Emoted,
    Fill,
    Hello,
    Hint,
    Hinted,
    HintMove,
    HintReason,
    Leave,
    Look,
    Move,
    Next,
    Ping,
    Pong,
    React,
    Recall,
    Recalled,
    Refused,
    Reload,
    Rematch,
    Seal,
    Show,
    Sit,
    Undo,
    or_unset,
)
from tavolino.server.past import past
from tavolino.server.settings import ClockSettings, TableSettings, clean_name, read_settings, with_clean_names
from tavolino.server.table import SUBSTITUTE, Played, Table
from tavolino.server.thoughts import ADVISER, thought_of

WHO = "here"
"""Who sits at this device: everyone who is no bot."""
ENTRIES = (
    *(Opened, Sat, Left, Filled, Sealing, Sealed, Shown, Began),
    *(Moved, Undone, Flagged, Rematched, Ended, Closed),
)
MESSAGES = (Hello, Move, Undo, Sit, Seal, Show, Leave, Fill, Look, Next, Rematch, Hint, Recall, Ping)
IMPORTED = "imported"
"""The kind of the only row of a table that shows a record from a file."""


class Device:
    """The one connection of a table, and who is present: whoever holds the device."""

    def __init__(self) -> None:
        self.who = WHO
        self.looking: int | None = None
        self.screens = 0

    def present(self) -> tuple[list[str], int]:
        """Return who is here, and how many watch."""
        return [WHO], 0

    def may_replace(self, seat: int, people: Any) -> bool:
        """Tell whether a bot may take a seat: nobody is ever away."""
        return False

    def is_away(self, who: str, people: Any) -> bool:
        """Tell whether someone is away: nobody is."""
        return False


def read_settings_of(data: dict[str, Any]) -> TableSettings:
    """Return settings from JSON."""
    given = data.copy()
    if given.get("clock") is not None:
        given["clock"] = ClockSettings(**given["clock"])
    return TableSettings(**given)


def read_entry(data: dict[str, Any]) -> AnyEntry:
    """Return an entry of a log from JSON."""
    given = data.copy()
    kind = given.pop("kind")
    if "settings" in given:
        given["settings"] = read_settings_of(given["settings"])
    if given.get("given") is not None:
        given["given"] = Given(**given["given"])
    made: AnyEntry = {one.__name__.lower(): one for one in ENTRIES}[kind](**given)
    return made


def read_message(text: str) -> Any:
    """Return a message from JSON; RequestRefused if it is none."""
    try:
        given = json.loads(text)
        kind = given.pop("type")
        kinds: dict[str, Any] = {one.__name__.lower(): one for one in MESSAGES}
        kinds["emote"] = React
        return kinds[kind](**given)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RequestRefused("bad_message", "this is no message") from None


class LocalTable:
    """A table of this device, and what it is about to do."""

    def __init__(self, table: Table, record: dict[str, Any] | None = None) -> None:
        self.table = table
        self.device = Device()
        self.record = record
        """What was imported, if this table shows a record from a file."""
        self._rows: list[dict[str, Any]] = []
        self._said: list[str] = []
        self._hint: dict[str, Any] | None = None

    # Telling

    def _say(self, message: Any) -> None:
        self._said.append(encoded(message).decode())

    def _snapshot(self, events: Any = (), ack: str | None = None) -> None:
        self._said.append(outgoing.snapshot(self.table, self.device, self.device, None, events, ack).decode())  # type: ignore[arg-type]

    def answer(self) -> dict[str, Any]:
        """Return what is to be stored, said and done next, and forget it."""
        made = {"rows": self._rows, "say": self._said, "hint": self._hint, "next": self._next()}
        self._rows, self._said, self._hint = [], [], None
        return made

    def info(self) -> dict[str, Any]:
        """Return the table as lists show it."""
        found: dict[str, Any] = json.loads(encoded(outgoing.info(self.table, self.device, WHO, None)))  # type: ignore[arg-type]
        return found

    # Acting

    def hear(self, text: str) -> None:
        """Do what a message asks for, or say why not."""
        ack = None
        try:
            message = read_message(text)
            ack = getattr(message, "id", None)
            self._handle(message, ack)
        except RequestRefused as no:
            values = or_unset(no.values or None)
            self._say(Refused(no.code, str(no), self.table.number, values, or_unset(ack), or_unset(no.reason)))
            if no.code == "stale":
                self._snapshot()

    def _handle(self, message: Any, ack: str | None) -> None:
        table = self.table
        if isinstance(message, Hello):
            if message.v == VERSION:
                self._snapshot()
            else:
                self._say(Reload(VERSION))
        elif isinstance(message, Ping):
            self._say(Pong())
        elif isinstance(message, Look):
            if message.seat not in table.seats_of(WHO):
                refuse("not_seated", "this is not your seat")
            self.device.looking = message.seat
            self._snapshot()
        elif isinstance(message, Recall):
            seat, _ = outgoing.viewpoint(table, self.device)  # type: ignore[arg-type]
            self._say(Recalled(table.number, seat, past(table.current, seat)))
        elif isinstance(message, React):
            self._say(Emoted((table.seats_of(WHO) or refuse("not_seated", "you have no seat"))[0], message.emote))
        elif isinstance(message, Hint):
            self._start_hint(message)
        elif table.has_acted(message.id):
            self._say(Accepted(message.id, table.number))
        else:
            self._commit(decide(table, WHO, message, lambda seat: False), ack)

    def _commit(self, change: Change, ack: str | None = None) -> None:
        """Apply a change and tell of it; the page stores its rows before it passes that on."""
        table, now, at = self.table, service_ms(), wall_ms()
        for i, entry in enumerate(change.entries):
            if table.left and i == 0 and isinstance(entry, (Moved, Undone)):
                entry = msgspec.structs.replace(entry, spent=table.spent(now))
            message = ack if i == 0 else None
            row = {"number": table.number, "at": at, "entry": json.loads(encoded(entry)), "message": message}
            self._rows.append(row)
            table.apply(entry, now, message, change.after)
        first = change.entries[0]
        seat, curtain = outgoing.viewpoint(table, self.device)  # type: ignore[arg-type]
        if isinstance(first, (Moved, Undone)) and table.phase == "playing" and curtain is None:
            words = first.words if isinstance(first, Moved) else []
            game = playing(table).game
            made = outgoing.Updates(table, table.number, game, change.events, words, table.clock(now))
            self._said.append(made.text(seat, ack).decode())
        else:
            self._snapshot(change.events, ack)

    # Bots, hints and the clock

    def _next(self) -> dict[str, Any] | None:
        """Return what is to come: a bot's move, or the end of someone's time."""
        table = self.table
        seat = table.to_move
        if seat is None or self.record is not None:
            return None
        level = table.chairs[seat].level
        if level is not None:
            return {"kind": "bot", "number": table.number, **self._thought(seat, level)}
        deadline = table.deadline()
        if deadline is not None:
            return {"kind": "clock", "number": table.number, "wait": max(0, deadline - service_ms())}
        return None

    def _thought(self, seat: int, level: str) -> dict[str, Any]:
        """Return what a bot needs to choose a move: what the seat may know, and nothing else."""
        position = Position(playing(self.table).game.copy(), seat, secrets.token_hex(8))
        forced = forced_move(position)
        if forced is not None:
            return {"level": level, "word": forced}
        return thought_of(position, level, self.table.chairs[seat].style)

    def _start_hint(self, message: Any) -> None:
        if not self.table.settings.hints:
            refuse("not_allowed", "this table was opened without hints", "no_hints")
        playing(self.table)
        seat, _ = outgoing.viewpoint(self.table, self.device)  # type: ignore[arg-type]
        if seat is None or seat != self.table.to_move:
            refuse("not_your_turn", "hints are for the seat to move")
        position = Position(playing(self.table).game.copy(), seat, secrets.token_hex(8))
        if position.dice_typed:  # people roll them: there is nothing to advise
            self._say(Hinted(message.id, self.table.number, []))
            return
        self._hint = {"id": message.id, "number": self.table.number, **thought_of(position, ADVISER)}

    def move_of_bot(self, number: int, action: int | None, word: str | None = None) -> None:
        """Play what a bot chose, if the table has not changed since."""
        seat = self.table.to_move
        if number != self.table.number or seat is None:
            return
        chosen = playing(self.table).game.word_of(action) if word is None and action is not None else word
        by = "bot" if self.table.chairs[seat].level is not None else "clock"
        self._commit(decide_move(self.table, seat, str(chosen), by))

    def hinted(
        self, ack: str, number: int, network: bool, moves: list[list[Any]], tried: dict[str, Any] | None
    ) -> None:
        """Pass a hint on: actions with the chance that a bot gives them and its error, the best first.

        `tried` is what happened to the first of them in some worlds, or None.
        """
        found: list[HintMove] = []
        if number == self.table.number and self.table.phase == "playing":
            game = playing(self.table).game
            seat = game.to_move or 0
            place = (seat - game.first) % game.players
            thought = {
                "game": game.key,
                "players": game.players,
                "moves": len(game.moves),
                "seat": seat,
                "place": place,
            }
            found = advised(thought, network, moves, tried)
        self._say(Hinted(ack, number, found))

    def time_is_up(self, number: int) -> dict[str, Any] | None:
        """End someone's time: return what a bot needs to move instead, or let the seat lose."""
        table, clock = self.table, self.table.settings.clock
        deadline, seat = table.deadline(), table.to_move
        if number != table.number or clock is None or seat is None or deadline is None or deadline > service_ms():
            return None
        if clock.zero == "bot":
            return {"kind": "bot", "number": number, **self._thought(seat, SUBSTITUTE)}
        entries: list[AnyEntry] = [Flagged(seat)]
        if table.last_of_match:
            entries.append(Ended())
        self._commit(Change(entries, None, [{"type": "time_up", "seat": seat}]))
        return None


def advised(
    thought: dict[str, Any], network: bool, moves: list[list[Any]], tried: dict[str, Any] | None
) -> list[HintMove]:
    """Return what a hint says of moves: what a network said is corrected by games between equals.

    A move that was dropped early is not said to be better than those before it. `thought` is as `thought_of` makes it.
    """
    folder, least = GAMES[thought["game"]], 1.0
    found: list[HintMove] = []
    for action, chance, error in moves:
        least = min(least, chance)
        said = (least, error)
        where = (thought["game"], thought["players"], thought["moves"], thought["place"])
        numbers = corrected(*where, said) if network else interval(*said)
        found.append(HintMove(folder.people.WORDS[action], *numbers, []))
    if tried is not None and found:
        worlds = [np.frombuffer(binascii.unhexlify(one), folder.rules.STATE) for one in tried["worlds"]]
        told = reasons(folder, thought["seat"], tried["lines"], Trials(worlds, tried["traces"], tried["worths"]))
        why = [HintReason(one.code, dict(one.values)) for one in told[0]]
        found[0] = msgspec.structs.replace(found[0], reasons=why)
    return found


TABLES: dict[str, LocalTable] = {}


def opened(table: str, name: str, settings: dict[str, Any]) -> list[AnyEntry]:
    """Return the first entries of a new table; RequestRefused says what is wrong."""
    try:
        wished = read_settings_of(settings)
    except (ValueError, TypeError) as error:
        raise RequestRefused("bad_settings", str(error)) from None
    if "open" in wished.seats:
        raise RequestRefused(
            "bad_settings", "without a server nobody else can take a seat: choose a bot, or play on one device"
        )
    return _begun(name, wished)


def _begun(name: str, wished: TableSettings, given: Given | None = None) -> list[AnyEntry]:
    try:
        read = read_settings(wished)
    except (ValueError, TypeError) as error:
        raise RequestRefused("bad_settings", str(error)) from None
    try:
        first = None if given is None else given.first
        return [Opened(with_clean_names(read), WHO, clean_name(name), False, given), deal(shared=False, first=first)]
    except ValueError as error:
        raise RequestRefused("bad_name", str(error)) from None


def imported(table: str, record: dict[str, Any]) -> LocalTable:
    """Return a table that shows a record from a file; ValueError says what is wrong with the record."""
    game = replayed(record)
    fair, failed = record.get("fair") or {}, record.get("failed") or {}
    if not isinstance(fair, dict) or not isinstance(fair.get("secret") or "", str):
        raise BadRecord("fair must be what the table wrote there, with its secret as text")
    if not isinstance(failed, dict) or failed.get("seat") not in (None, *range(game.players)):
        raise BadRecord(f"failed.seat must be the seat, below {game.players}, whose player failed")
    shares = read_shares(fair.get("shares"), game.players)
    names = practice.names_of(record, game.players)
    choices: Any = ["me"] * game.players
    made = Table.open(table, Opened(TableSettings(game.key, choices, game.options), "", names[0]))
    for seat, name in enumerate(names):
        made.chairs[seat].name = name
    drawn = bool(fair.get("first_drawn"))
    people: list[str | None] = [""] * game.players
    unknown: list[str | None] = [None] * game.players
    shown = Played(str(fair.get("secret") or ""), 0, game, game.first, names, people, unknown, drawn)
    shown.shares = shares
    shown.seals = seals_of(shares)
    if fair.get("terms"):
        shown.terms = terms_of(read_setup(game.key, game.players, game.options, None if drawn else game.first))
    shown.flagged = failed.get("seat")
    made.played.append(shown)
    made.current = shown
    made.closed = not shown.over
    made.phase = "over"
    return LocalTable(made, record)


def views_of(record: dict[str, Any], saw: list[list[Any]]) -> list[dict[str, Any] | None]:
    """Return the views of a game on its way: for each of `saw` after so many moves, by the eyes of a seat.

    None for what never was: more moves than the game has.
    """
    begun = {name: value for name, value in record.items() if name != "failed"}
    game = replayed({**begun, "moves": [], "scores": None, "winners": None})
    found: dict[tuple[int, int | None], dict[str, Any]] = {}
    wanted = {(moves, seat) for moves, seat in saw}
    for number in range(len(record["moves"]) + 1):
        for moves, seat in wanted:
            if moves == number:
                found[moves, seat] = game.view(seat)
        if number < len(record["moves"]):
            game.tell(record["moves"][number])
    return [found.get((moves, seat)) for moves, seat in saw]


def load(table: str, rows: list[dict[str, Any]]) -> LocalTable:
    """Return a table as the fold of its stored rows."""
    if rows[0]["entry"]["kind"] == IMPORTED:
        return imported(table, rows[0]["entry"]["record"])
    made = Table.open(table, read_entry(rows[0]["entry"]))
    now = service_ms()
    for row in rows[1:]:
        made.apply(read_entry(row["entry"]), now, row.get("message"))
    return LocalTable(made)


def first_rows(entries: list[AnyEntry]) -> list[dict[str, Any]]:
    """Return the rows of a table that has just been opened."""
    at = wall_ms()
    return [
        {"number": i, "at": at, "entry": json.loads(encoded(one)), "message": None} for i, one in enumerate(entries)
    ]


def do(name: str, given: dict[str, Any]) -> Any:
    """Do one thing for the page; RequestRefused or ValueError says why not."""
    if name == "open":
        return {"rows": first_rows(opened(given["table"], given["name"], given["settings"]))}
    if name == "import":
        imported(given["table"], given["record"])
        entry = {"kind": IMPORTED, "record": given["record"]}
        return {"rows": [{"number": 0, "at": wall_ms(), "entry": entry, "message": None}]}
    if name == "check":
        check(given["record"])
        return {}
    if name == "verify":
        verify(given["record"], given.get("shown"))
        return {"views": views_of(given["record"], given.get("saw") or [])}
    if name == "advise":
        found = advised(given["thought"], given["network"], given["moves"], given["tried"])
        return json.loads(encoded(Hinted("", 0, found)))["moves"]
    if name == "load":
        TABLES[given["table"]] = load(given["table"], given["rows"])
        return {}
    if name == "forget":
        TABLES.pop(given["table"], None)
        return {}
    here = TABLES[given["table"]]
    if name == "info":
        return here.info()
    if name == "record":
        return here.record or json.loads(encoded(replays.record(here, given["game"])))  # type: ignore[arg-type]
    if name == "replay":
        return json.loads(encoded(replays.replay(here, given["game"], given["seat"], WHO)))  # type: ignore[arg-type]
    if name == "again":
        settings, begins = practice.try_again(here, given["game"], given["moves"], given["seat"])  # type: ignore[arg-type]
        return {"rows": first_rows(_begun(given["name"], settings, begins))}
    if name == "hear":
        here.hear(given["text"])
    elif name == "move":
        here.move_of_bot(given["number"], given.get("action"), given.get("word"))
    elif name == "hinted":
        here.hinted(given["id"], given["number"], given["network"], given["moves"], given.get("tried"))
    elif name == "clock":
        bot = here.time_is_up(given["number"])
        return here.answer() | ({} if bot is None else {"next": bot})
    return here.answer()


def ask(name: str, text: str) -> str:
    """Do one thing for the page: JSON in, JSON out; `refused` says why not."""
    try:
        return json.dumps(do(name, json.loads(text)))
    except RequestRefused as no:
        return json.dumps({"refused": {"code": no.code, "text": str(no), "reason": no.reason, "values": no.values}})
    except BadRecord as error:
        return json.dumps({"refused": {"code": "bad_record", "text": str(error), "reason": None, "values": {}}})
