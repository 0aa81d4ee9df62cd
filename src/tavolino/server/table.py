"""A table as the fold of its log: who sits where, the games played, the clock. No network, no store, no time."""

from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import json

from tavolino.bots.characters import CHARACTERS, style_of
from tavolino.engine.kernels import MAX_SEATS
from tavolino.play.fairness import commitment, fingerprint, joint_seed, seals_of, terms_of
from tavolino.play.game import FORMAT, Game, new
from tavolino.play.match import first_of_next, match_totals
from tavolino.play.records import replay
from tavolino.play.setup import Setup, find_game, read_setup
from tavolino.server.descriptions import ClockInfo, GameResult
from tavolino.server.entries import (
    AnyEntry,
    Arranged,
    Barred,
    Began,
    Closed,
    Ended,
    Filled,
    Flagged,
    Hosted,
    Left,
    Moved,
    Opened,
    Readied,
    Rematched,
    Sat,
    Sealed,
    Sealing,
    Shown,
    Undone,
)
from tavolino.server.sealing import Round
from tavolino.server.settings import TableSettings, is_mine, name_at

BOT_NAMES = tuple(one.name for one in CHARACTERS)
"""The names of the computer's players, by seat."""
assert len(BOT_NAMES) >= MAX_SEATS
REMEMBERED = 256
"""How many of the latest moves a table knows the message ids of: an older one's position has passed."""
SUBSTITUTE = "medium"
"""The level of a bot that plays for someone who has left, or whose time is up."""

Phase = Literal["waiting", "playing", "between", "over"]


@dataclass
class Chair:
    """One seat: open, a person's, or a bot's; a bot can play for a person who is away."""

    who: str | None = None
    name: str = ""
    level: str | None = None
    share: bool = False
    """Whether the person's browser brings a share of the chance to each deal."""

    @property
    def awaited(self) -> bool:
        """Whether a deal needs a share from here: not while a bot plays for the person."""
        return self.who is not None and self.share and self.level is None

    @property
    def style(self) -> str:
        """The style in which the bot plays that sits here; empty where it plays for a person."""
        return "" if self.who is not None else style_of(self.name)

    @property
    def open(self) -> bool:
        """Whether nobody sits here."""
        return self.who is None and self.level is None


@dataclass
class Member:
    """Someone who has had a seat here."""

    name: str
    """The name they had last."""
    barred: bool = False
    """Whether the host lets them take no seat."""


@dataclass
class Played:
    """A game of the table, begun or over."""

    secret: str
    match: int
    playing: Game | None
    """The game; None once the next one has begun, when it is kept as its record."""
    first: int
    """The seat that started."""
    names: list[str]
    """Of those who sat there when it began."""
    people: list[str | None]
    """Who they were; None for the computer's."""
    levels: list[str | None]
    """How strong the computer's were; None for people."""
    first_drawn: bool
    """Whether chance decided who starts."""
    key: str = ""
    """The game's key."""
    at: int = 0
    """When it was dealt, in milliseconds since the epoch."""
    shares: list[str | None] | None = None
    """What each seat's browser brought to the chance; None if none did."""
    seals: list[str | None] | None = None
    """What each of them had committed to."""
    withheld: list[int] = field(default_factory=list)
    """The seats that did not open what they had sealed, and lost the game by that before it was dealt."""
    terms: dict[str, Any] | None = None
    """What is played and who starts, where the fingerprint binds it."""
    flagged: int | None = None
    """The seat that lost it on time."""
    renamed: list[tuple[int, int, str]] = field(default_factory=list)
    """Who took a seat over in mid-game: from which move on, the seat, the name."""
    _record: bytes = b""
    _result: GameResult | None = None

    @property
    def game(self) -> Game:
        """The game as it stands, or stood."""
        return replay(json.decode(self._record)) if self.playing is None else self.playing

    def shelve(self) -> None:
        """Keep it as its record, a tenth as large: the next game begins, and few look at this one again."""
        self._result = self.result
        self._record = json.encode(self.game.record())
        self.playing = None

    @property
    def commitment(self) -> str:
        """What was shown before the first move: it binds the server and every browser that brought a share."""
        return fingerprint(commitment(self.secret), self.seals, self.terms)

    def name_at(self, seat: int, move: int) -> str:
        """Return the name under which a seat made a move."""
        taken = (name for begin, who, name in reversed(self.renamed) if who == seat and begin <= move)
        return next(taken, self.names[seat])

    @property
    def over(self) -> bool:
        """Whether it has ended, by the rules or by the clock, or never began because someone withheld a share."""
        return self.playing is None or self.flagged is not None or bool(self.withheld) or self.playing.over

    def take_back(self) -> None:
        """Undo the last move; the move played instead carries the name that the seat has now."""
        self.game.undo()
        left = len(self.game.moves)
        self.renamed = [(min(begin, left), seat, name) for begin, seat, name in self.renamed]

    @property
    def winners(self) -> list[int]:
        """The seats that won a game that is over."""
        lost = self.withheld if self.flagged is None else [self.flagged]
        if lost:
            return [seat for seat in range(self.game.players) if seat not in lost]
        return self.game.winners or []

    @property
    def result(self) -> GameResult:
        """How it went; it must be over."""
        if self._result is not None:
            return self._result
        ending = "clock" if self.flagged is not None else "withheld" if self.withheld else self.game.ending or ""
        return GameResult(self.game.scores, self.winners, self.first, ending)


@dataclass
class Table:
    """The fold of a log. Its first entry makes it (`Table.open`), `apply` takes the others."""

    id: str
    opened: Opened
    settings: TableSettings
    """What is played, or will be next: what the table was opened with, until the host chooses something else."""
    host: str
    """Who decides what is played next (hashed)."""
    number: int = 0
    """How many entries are folded in."""
    members: dict[str, Member] = field(default_factory=dict)
    """Everyone who has had a seat here, in the order they came."""
    ready: set[str] = field(default_factory=set)
    """Who has said that they are ready for the next deal."""
    agreed: dict[str, TableSettings] = field(default_factory=dict)
    """What was last agreed on for each game that was chosen here."""
    anew: bool = False
    """Whether the last game was put away: the host has arranged the next one."""
    games: int = 1
    """How many games the match on the table has; the next one may have another number."""
    at: int = 0
    """When the entry to be folded in was stored, in milliseconds since the epoch; set by who has the log."""
    chairs: list[Chair] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    current: Played | None = None
    """The last of them: the game on the table, going on or just over."""
    round: Round | None = None
    """The deal being prepared, until it is dealt."""
    match: int = 0
    closed: bool = False
    phase: Phase = "waiting"
    to_move: int | None = None
    """The seat to move in a game that goes on."""
    left: list[int] = field(default_factory=list)
    """The clock of each seat: milliseconds it had left at `since`."""
    since: int = 0
    """When the clock that runs began to, by `clock.service_ms` of this process: not part of the log."""
    changed: int = 0
    """The number the table had when the position last changed: who saw it then may act on it."""
    _moved: dict[str, None] = field(default_factory=dict)
    """The messages of the latest moves, the oldest first."""
    _others: set[str] = field(default_factory=set)
    """All other messages that made entries."""
    _seats: dict[str, list[int]] = field(default_factory=dict)
    """What `seats_of` found, until someone sits elsewhere."""

    @classmethod
    def open(cls, table: str, entry: AnyEntry) -> "Table":
        """Return a table that has just been opened."""
        if not isinstance(entry, Opened):
            raise ValueError("a log begins with the opening of its table")
        made = cls(table, entry, entry.settings, entry.who, 1, games=entry.settings.games)
        if not entry.settings.screen:
            made.members[entry.who] = Member(entry.name)
        made.agreed[entry.settings.game] = entry.settings
        for seat, choice in enumerate(entry.settings.seats):
            if is_mine(choice):
                made.chairs.append(Chair(entry.who, name_at(choice) or entry.name, share=entry.share))
            elif choice == "open":
                made.chairs.append(Chair())
            else:
                name = BOT_NAMES[seat] if entry.given is None else entry.given.names[seat]
                made.chairs.append(Chair(None, name, choice.removeprefix("bot:")))
        return made

    @property
    def host_name(self) -> str:
        """What the host is called; empty while a big screen waits for someone to sit down."""
        return self.members[self.host].name if self.host in self.members else ""

    def _find_phase(self) -> Phase:
        if self.closed:
            return "over"
        if self.current is None or self.anew:
            return "waiting"
        if not self.current.over:
            return "playing"
        return "over" if self.last_of_match else "between"

    @property
    def of_match(self) -> list[Played]:
        """The games of the match being played."""
        return [one for one in self.played if one.match == self.match]

    @property
    def last_of_match(self) -> bool:
        """Whether no game of the match follows the one on the table."""
        return len(self.of_match) == self.games

    @property
    def by_consent(self) -> bool:
        """Whether the next game waits until everyone is ready; a table that asks nobody deals its first when full."""
        return self.settings.ready or self.current is not None

    @property
    def between_matches(self) -> bool:
        """Whether the next game can be arranged: none goes on, and none is being dealt."""
        free = self.round is None and not self.closed and self.opened.given is None
        return free and self.phase in ("waiting", "over")

    @property
    def totals(self) -> list[int]:
        """What each seat has in this match; who withheld a share in it is behind all who did not, whatever the points.

        A game that was not dealt has no points: in a match that adds them, withholding would cost nothing.
        """
        if self.anew:
            return [0] * len(self.chairs)
        adds = find_game(self.settings.game).people.MATCH_ADDS
        done = [(one.result.scores, one.result.winners) for one in self.of_match if one.over]
        sums = match_totals(adds, len(self.chairs), done)
        withheld = {seat for one in self.of_match for seat in one.withheld}
        others = [total for seat, total in enumerate(sums) if seat not in withheld]
        if not withheld or not others or adds != "points":
            return sums
        return [min(total, min(others) - 1) if seat in withheld else total for seat, total in enumerate(sums)]

    def seats_of(self, who: str) -> list[int]:
        """Return the seats of a person."""
        found = self._seats.get(who)
        if found is None:
            found = [seat for seat, chair in enumerate(self.chairs) if chair.who == who]
            if found:
                self._seats[who] = found
        return found

    @property
    def awaited(self) -> list[int]:
        """The seats whose browsers bring a share to each deal."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.awaited]

    @property
    def due(self) -> list[int]:
        """The seats whose browsers have yet to send what comes next of a deal: the seal, then the share."""
        if (now := self.round) is None:
            return []
        return now.unopened() if now.complete else [seat for seat in self.awaited if now.seals[seat] is None]

    def setup(self, first: int | None = None) -> Setup:
        """Return what is played, with the defaults of options that the game got after the table was opened."""
        settings = self.settings
        return read_setup(settings.game, len(self.chairs), settings.options, first)

    def next_first(self) -> int | None:
        """Return the seat that starts the next game; None lets chance decide."""
        if self.current is None:
            return None
        if self.current.match != self.match:  # seats were rotated: the same seat is the next person
            return next(one.first for one in self.played if one.match == self.current.match)
        return first_of_next(self.settings.starts, self.current.first, self.totals)

    def apply(self, entry: AnyEntry, now: int, message: str | None = None, after: Game | None = None) -> None:
        """Take the next entry at this time of service (`since`); `after` is the game with a move played, if known."""
        self.number += 1
        if isinstance(entry, Moved):  # nearly all entries are
            self._move(entry, now, after)
        else:
            self._apply_other(entry, now)
            self.phase = self._find_phase()
            self.to_move = self._now().game.to_move if self.phase == "playing" else None
        if message is not None and isinstance(entry, (Moved, Undone)):
            self._moved[message] = None
            if len(self._moved) > REMEMBERED:
                del self._moved[next(iter(self._moved))]
        elif message is not None:
            self._others.add(message)
        if isinstance(entry, (Moved, Began, Undone, Flagged)):
            self.changed = self.number

    def has_acted(self, message: str) -> bool:
        """Whether a message made an entry; of moves the latest are known."""
        return message in self._moved or message in self._others

    def _move(self, entry: Moved, now: int, after: Game | None) -> None:
        played = self._now()
        if after is not None:
            played.playing = after
        elif played.game.play_all(entry.words) != len(entry.words):
            raise ValueError(f"table {self.id}: entry {self.number - 1} holds an illegal move")
        self._stop_clock(entry.seat, entry.spent, now)
        self.to_move = played.game.to_move
        if self.to_move is None:
            self.phase = self._find_phase()

    def _apply_other(self, entry: AnyEntry, now: int) -> None:
        self._seats.clear()
        match entry:
            case Sat(seat, who, name, share):
                if self.chairs[seat].level is not None:  # back from a bot: now the clock runs
                    self.since = now
                self.chairs[seat] = Chair(who, name, share=share)
                self.members.setdefault(who, Member(name)).name = name
                self._sign(seat)
            case Left(seat):
                self._leave(seat)
            case Filled(seat, level):
                chair = self.chairs[seat]
                chair.level = level
                if chair.who is None:
                    chair.name = self._bot_name(seat)
                self.since = now
            case Sealing(secret, first, bound):
                nobody: list[str | None] = [None] * len(self.chairs)
                terms = terms_of(self.setup(first)) if bound else None
                self.round = Round(self.number - 1, secret, first, nobody, terms, list(nobody))
            case Sealed(seats, seal):
                self._preparing().seal(seats, seal)
            case Shown(seats, share):
                self._preparing().show(seats, share)
            case Began():
                self._begin(entry, now)
            case Undone(seat, spent):
                self._now().take_back()
                self._stop_clock(seat, spent, now)
            case Flagged(seat):
                self._now().flagged = seat
            case Rematched():
                if self.opened.given is None and not self.anew:  # else everyone keeps the seat
                    self.chairs = self.chairs[-1:] + self.chairs[:-1]
                self.match += 1
            case Arranged(settings, chairs):
                self.settings = self.agreed[settings.game] = settings
                self.chairs = [Chair(one.who, one.name, one.level, one.share) for one in chairs]
                self.ready.clear()
                self.anew, self.closed = self.current is not None, False
            case Readied(who, ready):
                (self.ready.add if ready else self.ready.discard)(who)
            case Hosted(who):
                self.host = who
            case Barred(who, barred):
                self.members[who].barred = barred
            case Closed():
                self.closed = True
                self.round = None
            case Opened():
                raise ValueError("a table is opened once")
            case Ended() | Moved():
                pass
        if self.round is not None:
            self.round.settle(self.awaited)

    def _preparing(self) -> Round:
        if self.round is None:
            raise ValueError(f"table {self.id}: no deal was prepared before entry {self.number - 1}")
        return self.round

    def _leave(self, seat: int) -> None:
        """Free a seat before the first deal; from the moment its share is awaited for good, a bot plays on."""
        who = self.chairs[seat].who
        if self.phase == "waiting" and (self.round is None or not self.round.complete):
            self.chairs[seat] = Chair()
            self.round = None  # nobody has opened anything: it begins anew when the seat is taken
        else:
            self.chairs[seat] = Chair(None, self._bot_name(seat), SUBSTITUTE)
        self._sign(seat)
        if who is not None and all(chair.who != who for chair in self.chairs):
            self.ready.discard(who)
            if who == self.host:  # whoever has been here longest, of those who still are
                here = {chair.who for chair in self.chairs}
                self.host = next((one for one in self.members if one in here), self.host)

    def _bot_name(self, seat: int) -> str:
        """Return the name of a bot that sits down here: seats are rotated, and no two bots must have one face."""
        taken = {chair.name for other, chair in enumerate(self.chairs) if other != seat and chair.who is None}
        return next(name for name in (BOT_NAMES[seat], *BOT_NAMES) if name not in taken)

    def _now(self) -> Played:
        if self.current is None:
            raise ValueError(f"table {self.id}: no game was begun before entry {self.number - 1}")
        return self.current

    def _sign(self, seat: int) -> None:
        """Note under which name a seat moves from now on."""
        if self.phase == "playing" and self.current is not None:
            self.current.renamed.append((len(self.current.game.moves), seat, self.chairs[seat].name))

    def _begin(self, entry: Began, now: int) -> None:
        settings, shares = self.settings, entry.shares
        game = self._dealt(entry)
        names, people = [chair.name for chair in self.chairs], [chair.who for chair in self.chairs]
        levels = [chair.level if chair.who is None else None for chair in self.chairs]
        if self.current is not None:
            self.current.shelve()
        seals = seals_of(shares) if shares is None or self.round is None else self.round.seals
        withheld = [] if shares is None or self.round is None else self.round.unopened()
        if not self.of_match:
            self.games = settings.games
        self.current = Played(
            entry.secret,
            self.match,
            game,
            game.first,
            names,
            people,
            levels,
            entry.first is None,
            settings.game,
            self.at,
            shares,
            seals,
            withheld,
        )
        self.current.terms = None if shares is None or self.round is None else self.round.terms
        self.ready.clear()
        self.anew = False
        self.round = None
        self.played.append(self.current)
        self.left = [1000 * settings.clock.seconds] * len(self.chairs) if settings.clock else []
        self.since = now

    def _dealt(self, entry: Began) -> Game:
        """Return the game that an entry begins: dealt anew, or taken up where another one stood."""
        settings, given = self.settings, self.opened.given
        seed = joint_seed(entry.secret, entry.shares)
        if given is None:
            return new(settings.game, len(self.chairs), seed, first=entry.first, **settings.options)
        header = {"format": FORMAT, "game": settings.game, "seats": len(self.chairs), "options": settings.options}
        return replay({**header, "first": given.first, "deal": given.deal, "moves": given.moves}).taken_up(seed)

    def _stop_clock(self, seat: int, spent: int, now: int) -> None:
        clock = self.settings.clock
        if clock is not None and clock.kind == "bank":
            self.left[seat] = max(0, self.left[seat] - spent)
        self.since = now

    def spent(self, now: int) -> int:
        """Return the milliseconds that the clock has run; 0 if none does."""
        return 0 if self.deadline() is None else max(0, now - self.since)

    def deadline(self) -> int | None:
        """Return when the time of the person to move is up; None if no clock runs."""
        seat = self.to_move
        if seat is None or not self.left or self.chairs[seat].level is not None:
            return None
        return self.since + self.left[seat]

    def clock(self, now: int) -> ClockInfo | None:
        """Return the clocks as they stand now."""
        if not self.left:
            return None
        left, running = list(self.left), self.to_move if self.deadline() is not None else None
        if running is not None:
            left[running] = max(0, left[running] - self.spent(now))
        return ClockInfo(left, running)
