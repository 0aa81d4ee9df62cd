"""What goes over a table's WebSocket, both ways, as JSON: `{"type": "move", "id": "…", "at": 17, "word": "u17"}`.

The client's types are generated from here (`tools/schema.py`). VERSION changes when an old client would misunderstand.
"""

from typing import Annotated, Any, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from tavolino.server.settings import ClockSettings, Level, Name

VERSION = 1
MAX_MESSAGE = 4096
"""The longest message of a client, in bytes."""

Id = Annotated[str, Meta(min_length=1, max_length=40, description="Chosen by the client; the same id acts only once.")]
Number = Annotated[int, Meta(ge=0, description="How many entries the table's log has.")]
Seat = Annotated[int, Meta(ge=0)]
Word = Annotated[str, Meta(min_length=1, max_length=40)]
Code = Literal[
    "stale",
    "illegal",
    "not_your_turn",
    "not_seated",
    "seat_taken",
    "full",
    "not_allowed",
    "not_now",
    "not_saved",
    "too_fast",
    "too_many",
    "too_many_here",
    "too_many_connections",
    "too_slow",
    "full_house",
    "bad_message",
    "bad_name",
    "bad_settings",
    "not_found",
    "method_not_allowed",
    "bad_origin",
    "bad_host",
    "too_large",
    "internal",
]
"""Why something is refused, in a word: what a program acts on. The page says each in the reader's language."""
Reason = Literal[
    "rule",
    "no_move",
    "bot_plays",
    "no_game",
    "closed",
    "no_next",
    "match_goes_on",
    "still_played",
    "nothing_to_undo",
    "no_cookie",
    "has_seat",
    "not_opener",
    "not_away",
    "no_hints",
    "hint_pending",
    "no_seat",
    "no_table",
    "no_replay",
]
"""More exactly why, where there is more to say to people."""
VALUES: dict[Code | Reason, tuple[str, ...]] = {
    "too_many": ("tables",),
    "too_many_here": ("seconds",),
    "rule": ("word", "clauses"),
    "no_move": ("word",),
}
"""What a sentence of the page names. A `rule` has more, for a sentence of the game: `why` and its `values`."""
Emote = Literal["hello", "well-played", "thanks", "oops", "hurry", "laugh", "think", "again"]


T = TypeVar("T")


def or_unset(value: T | None) -> T | UnsetType:
    """Return a value as it goes over the wire, where None is left out."""
    return UNSET if value is None else value


class In(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """A message of a client."""


class Hello(In, frozen=True):
    """The first message on a socket; the answer is a `snapshot`, or `reload` if the client is too old."""

    v: int
    """The version of the messages the client speaks: `VERSION`."""


class Move(In, frozen=True):
    """Play a word; `at` is the number of the position it was chosen in."""

    id: Id
    at: Number
    word: Word
    """As the rules of the game write moves; one of the `legal` words."""


class Undo(In, frozen=True):
    """Take back the last move."""

    id: Id
    at: Number


class Sit(In, frozen=True):
    """Take a free seat (any, without `seat`), or one's own seat back from a bot."""

    id: Id
    name: Name
    seat: Seat | None = None
    """From 0; None for the first free one."""


class Leave(In, frozen=True):
    """Give one's seats up: free before the first game, played on by a bot after."""

    id: Id


class Fill(In, frozen=True):
    """Put a bot in an open seat (who opened the table), or in the seat of someone who is away (anyone seated)."""

    id: Id
    seat: Seat
    """From 0."""
    level: Level = "medium"
    """How strong the bot is."""


class Look(In, frozen=True):
    """See the table from one of one's own seats (pass and play: after the curtain)."""

    seat: Seat
    """One of `yours`."""


class Next(In, frozen=True):
    """Begin the next game of the match."""

    id: Id


class Rematch(In, frozen=True):
    """Play another match at this table, seats rotated."""

    id: Id


class Hint(In, frozen=True):
    """Ask for the best moves."""

    id: Id


class Recall(In, frozen=True):
    """Ask for the moves of the game so far, with what each did; `recalled` answers."""


class React(In, frozen=True, tag="emote"):
    """Show an emote."""

    emote: Emote
    """One of a fixed set: there is no chat."""


class Ping(In, frozen=True):
    """Ask for a `pong`."""


Incoming = Hello | Move | Undo | Sit | Leave | Fill | Look | Next | Rematch | Hint | Recall | React | Ping


class SeatInfo(Struct, frozen=True):
    """Who sits in a seat."""

    kind: Literal["open", "person", "bot"]
    """`person` also while a bot keeps the seat."""
    name: str
    """Empty for an open seat."""
    level: str | None
    """Of the bot that plays here: its own seat, or one it keeps for a person."""
    you: bool
    """It is yours."""
    here: bool
    """Connected just now; bots always are."""
    may_replace: bool
    """Away long enough: anyone seated may let a bot play here."""


class GameResult(Struct, frozen=True):
    """How a finished game of the match went."""

    scores: list[int]
    """By seat."""
    winners: list[int]
    """Seats; several share a win."""
    first: int
    """The seat that began."""
    ending: str
    """As the rules call it, or `clock`; empty where everyone left before."""


class Warmth(Struct, frozen=True):
    """How far compiling a game is. Until it is done, rules run as plain Python and `hard` plays for `expert`."""

    done: int
    """Parts that are done."""
    total: int
    """Of so many; 0 if it could not be done."""


class TableInfo(Struct, frozen=True):
    """A table, as all see it."""

    id: str
    """Part of the link to share."""
    game: str
    """Its key."""
    phase: Literal["waiting", "playing", "between", "over"]
    """Waiting for people; a game goes on; a game is over and another follows; the match is over."""
    seats: list[SeatInfo]
    """In turn order."""
    options: dict[str, Any]
    """The rules chosen, all of them."""
    games: int
    """Of a match."""
    starts: str
    """Who begins the next game: `rotate` or `trailing`."""
    clock: ClockSettings | None
    """As the table was opened; None without one."""
    listed: bool
    """Shown in the lobby."""
    hints: bool
    """Whether `hint` is allowed."""
    yours: bool
    """You opened it."""
    match: int
    """From 0: how many rematches there were."""
    playing: int
    """The number, from 0 over all matches at the table, of the game on the table; -1 before the first."""
    to_move: int | None
    """The seat to move when this was said."""
    results: list[GameResult]
    """Of this match."""
    totals: list[int]
    """Of this match, by seat."""
    commitment: str | None
    """SHA-256 (hex) of the secret all chance of this game comes from; known before the first move."""
    secret: str | None
    """That secret, once the game is over, or everyone has left it."""
    watching: int
    """How many spectators are connected."""
    warming: Warmth | None
    """While the game is not compiled yet, as on a first start; `warming` says how it goes on."""


class ClockInfo(Struct, frozen=True):
    """The clock now: milliseconds left for each seat; the one of `running` falls."""

    left: list[int]
    """By seat."""
    running: int | None
    """A seat; None while no clock runs."""


class Out(Struct, frozen=True, tag_field="type", tag=str.lower):
    """A message of the server."""


class Snapshot(Out, frozen=True):
    """All that this connection may know: the first answer, after every change of seats or game, and after a resync."""

    v: int
    """The version of the messages the server speaks."""
    number: Number
    table: TableInfo
    """What all see."""
    seat: int | None
    """The seat the view is from; None for a spectator."""
    yours: list[int]
    """All your seats."""
    curtain: int | None
    """Pass and play: hand the device to this seat, which then sends `look`; the view is a spectator's meanwhile."""
    view: dict[str, Any] | None
    """`Game.view`; None before the first game."""
    movers: list[int | None]
    """Who made each of the view's `moves`; None for the dice."""
    legal: list[dict[str, Any]]
    """What you may play now, each with its `word` and what follows from it (`Game.offers`)."""
    undo: int
    """How many of your moves you can take back, one by one."""
    clock: ClockInfo | None
    """None without one."""
    events: list[dict[str, Any]] = []
    """What led here, if something just happened."""
    id: str | UnsetType = UNSET
    """Of your message that this answers."""


class Update(Out, frozen=True):
    """A move was played, or taken back (then `moves` has the words left)."""

    number: Number
    events: list[dict[str, Any]]
    """What happened, in order."""
    words: list[str]
    """The words played: the move, and the dice that fell after it."""
    position: dict[str, Any]
    """The part of the view that changes (`Game.position`)."""
    legal: list[dict[str, Any]]
    """As in `snapshot`."""
    undo: int
    """As in `snapshot`."""
    clock: ClockInfo | UnsetType | None = UNSET
    """As in `snapshot`; absent without one."""
    moves: list[str] | UnsetType = UNSET
    """After a move was taken back: all words of the game that are left."""
    id: str | UnsetType = UNSET
    """Of your message that this answers."""


class Refused(Out, frozen=True):
    """Nothing has changed; `code` says why, and `reason`, where it is there, more exactly."""

    code: Code
    """What a program acts on."""
    text: str
    """In English, for logs; people are told `reason` or `code` in their own language."""
    number: Number
    values: dict[str, Any] | UnsetType = UNSET
    """What stands in the sentence, by name; absent where nothing does."""
    id: str | UnsetType = UNSET
    """Of your message that this answers, if it could be read."""
    reason: Reason | UnsetType = UNSET
    """Where there is more to say than the code says."""


class Presence(Out, frozen=True):
    """Who is connected."""

    here: list[bool]
    """By seat: connected just now; bots always are."""
    may_replace: list[bool]
    """By seat: away long enough for a `fill`."""
    watching: int
    """How many spectators are connected."""


class Warming(Out, frozen=True):
    """Compiling this table's game came along, or is done."""

    warming: Warmth | None
    """As in the `table` of a `snapshot`."""


class Emoted(Out, frozen=True):
    """Someone shows an emote."""

    seat: int
    """Who shows it."""
    emote: Emote
    """Which."""


class HintMove(Struct, frozen=True):
    """A move and your chance to win by it."""

    word: str
    """One of `legal`."""
    chance: float
    """From 0 to 1."""


class Hinted(Out, frozen=True):
    """The best moves, from what your seat may know."""

    id: str
    """Of your `hint`."""
    number: Number
    moves: list[HintMove]
    """The best first; five at most."""


class PastMove(Struct, frozen=True):
    """A move of the game so far, with the dice that fell after it."""

    seat: int | None
    """Who made it; None if dice fell before anyone moved."""
    name: str
    """Of whoever sat there then; empty without a seat."""
    words: list[str]
    """The move, and the dice."""
    events: list[dict[str, Any]]
    """What happened, in order, as your seat may know it."""


class Recalled(Out, frozen=True):
    """The moves of the game so far."""

    number: Number
    seat: int | None
    """Whose eyes; None for a spectator."""
    moves: list[PastMove]
    """The first one first; their words in a row are the view's `moves`."""


class Accepted(Out, frozen=True):
    """Your message was taken; what it did is known already (it came twice), or shows elsewhere."""

    id: str
    """Of your message."""
    number: Number


class Reload(Out, frozen=True):
    """The client is too old (or too new): load the page again."""

    v: int
    """The version of the messages the server speaks."""


class Pong(Out, frozen=True):
    """The answer to `ping`."""


Outgoing = Snapshot | Update | Refused | Presence | Warming | Emoted | Hinted | Recalled | Accepted | Reload | Pong
