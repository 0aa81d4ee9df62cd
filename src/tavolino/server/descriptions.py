"""What a client is told of a table: its seats, results, clocks and deal, as parts of messages and of answers."""

from typing import Any, Literal

from msgspec import Struct

from tavolino.server.settings import ClockSettings


class SeatInfo(Struct, frozen=True):
    """Who sits in a seat."""

    kind: Literal["open", "person", "bot"]
    """`person` even while a bot keeps the seat."""
    name: str
    """Empty for an open seat."""
    level: str | None
    """The level of the bot that plays here, in its own seat or for a person."""
    you: bool
    """Whether it is yours."""
    here: bool
    """Whether its player is connected; bots always are."""
    may_replace: bool
    """Whether its player has been away long enough: anyone with a seat may let a bot play here."""
    ready: bool
    """Whether its player is ready for the next game; bots always are."""
    member: int | None
    """Its person's number among those who have had a seat here; null for bots and open seats."""


class GameResult(Struct, frozen=True):
    """How a finished game of the match went."""

    scores: list[int]
    """By seat."""
    winners: list[int]
    """The seats that won; several share a win."""
    first: int
    """The seat that started."""
    ending: str
    """As the rules call it, or `clock`, or `withheld` (someone did not open a share); empty if everyone left before the
    end."""


class Terms(Struct, frozen=True):
    """What is played and who starts, as the fingerprint of a deal binds it."""

    game: str
    """The key of the game."""
    seats: int
    """How many there are."""
    options: dict[str, Any]
    """All options with the chosen values."""
    first: int | None
    """The seat that starts; null if it is drawn, as in the first game of a table."""


class SealingInfo(Struct, frozen=True):
    """A deal being prepared: docs/fairness.md says what a browser must check before it opens its share."""

    round: int
    """Its name, for `seal` and `show`."""
    game: int
    """The number of the game that it deals, as `playing` will have it."""
    promise: str
    """SHA-256 (hex) of the server's secret."""
    awaited: list[bool]
    """By seat: whether its browser has yet to send what comes next, its seal or its share."""
    seals: list[str | None]
    """By seat: SHA-256 (hex) of its share; null for a seat that brings none, or has not sealed yet."""
    terms: Terms | None
    """What the fingerprint binds besides promise and seals: open nothing if this is not the table you sit at. Null
    for a deal that an earlier version of the server began."""
    fingerprint: str | None
    """What binds everyone, once all have sealed: now shares are opened."""


class Warmth(Struct, frozen=True):
    """The progress of compiling a game. Until it is done, rules run as plain Python and `hard` plays for `expert`."""

    done: int
    """How many parts are done."""
    total: int
    """How many parts there are; 0 if compiling failed."""


class TableInfo(Struct, frozen=True):
    """A table, as everyone sees it."""

    id: str
    """Part of the link to share."""
    game: str
    """Its key."""
    phase: Literal["waiting", "playing", "between", "over"]
    """`waiting` for people; `playing` a game; `between` two games of a match; the match is `over`."""
    seats: list[SeatInfo]
    """In turn order."""
    options: dict[str, Any]
    """All options with the chosen values."""
    games: int
    """How many games a match has."""
    starts: str
    """Who starts the next game: `rotate` or `trailing`."""
    clock: ClockSettings | None
    """The clock chosen for the table; null without one."""
    listed: bool
    """Whether it is shown in the lobby."""
    hints: bool
    """Whether `hint` is allowed."""
    ready: bool
    """Whether the next game waits until everyone says `ready`."""
    yours: bool
    """Whether you are the host: you opened it, or it was handed to you."""
    host: str
    """The host's name; empty if that person chose none."""
    host_away: bool
    """Whether the host has been away so long that anyone with a seat may take over (`hand`)."""
    match: int
    """How many rematches there have been."""
    playing: int
    """The number of the game on the table, counted from 0 over all its matches; -1 before the first."""
    to_move: int | None
    """The seat to move when this was sent."""
    results: list[GameResult]
    """The finished games of this match."""
    totals: list[int]
    """The totals of this match, by seat."""
    commitment: str | None
    """The fingerprint of all that the chance in this game comes from; known before the first move."""
    seals: list[str | None] | None
    """What the browsers had committed to, by seat, null for a seat that brought no share; null if no seat did."""
    terms: Terms | None
    """What the fingerprint binds besides that; null if no seat brought a share, or an earlier version dealt."""
    secret: str | None
    """The server's secret, once the game is over or everyone has left."""
    shares: list[str | None] | None
    """Then also the shares, as in `seals`."""
    practice: int | None
    """How many moves it was given, if its games begin from a position of another one: then nothing is sealed."""
    sealing: SealingInfo | None
    """Present while a deal is prepared."""
    watching: int
    """How many spectators are connected."""
    screens: int
    """How many big screens show it."""
    warming: Warmth | None
    """Present while the game is not compiled yet, as on a first start; `warming` messages report the progress."""


class ClockInfo(Struct, frozen=True):
    """The clocks now, in milliseconds left; that of the seat `running` is counting down."""

    left: list[int]
    """By seat."""
    running: int | None
    """The seat whose clock runs; null if none does."""
