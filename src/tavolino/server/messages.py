"""The messages on a table's WebSocket, both ways, as JSON: `{"type": "move", "id": "…", "at": 17, "word": "u17"}`.

The client's types are generated from here (`tools/schema.py`). VERSION changes when an old client would misunderstand.
"""

from typing import Annotated, Any, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from tavolino.server.descriptions import ClockInfo, TableInfo, Warmth
from tavolino.server.settings import MAX_GAMES, ClockSettings, Level, Name

VERSION = 1
MAX_MESSAGE = 4096
"""The longest message from a client, in bytes."""

Id = Annotated[str, Meta(min_length=1, max_length=40, description="Chosen by the client; an id acts only once.")]
Number = Annotated[int, Meta(ge=0, description="How many entries the table's log has.")]
Seat = Annotated[int, Meta(ge=0)]
Member = Annotated[int, Meta(ge=0, description="Someone who has had a seat here, counted from 0 as they came.")]
Word = Annotated[str, Meta(min_length=1, max_length=40)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="64 hex digits, lower case.")]
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
    "bad_record",
    "not_found",
    "method_not_allowed",
    "bad_origin",
    "bad_host",
    "too_large",
    "internal",
]
"""Why something is refused, as a code for programs. The page has a sentence for each, in the reader's language."""
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
    "no_link",
    "no_round",
    "preparing",
    "other_share",
    "said_so",
    "not_host",
    "host_here",
    "in_game",
    "too_few_seats",
    "barred",
    "room_full",
    "no_member",
    "not_here",
    "no_network",
]
"""The exact reason, where people should be told more than the code says."""
VALUES: dict[Code | Reason, tuple[str, ...]] = {
    "too_many": ("tables",),
    "too_many_here": ("seconds",),
    "rule": ("word", "clauses"),
    "no_move": ("word",),
    "too_few_seats": ("people",),
}
"""The values in a sentence of the page. A `rule` has more, for a sentence of the game: `why` and its `values`."""
Emote = Literal["hello", "well-played", "thanks", "oops", "hurry", "laugh", "think", "again"]


T = TypeVar("T")


def or_unset(value: T | None) -> T | UnsetType:
    """Return a value as it goes over the wire, where None is omitted."""
    return UNSET if value is None else value


class In(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """A message from a client."""


class Hello(In, frozen=True):
    """The first message on a socket; the answer is a `snapshot`, or `reload` if the client is too old."""

    v: int
    """The version of the messages that the client speaks: `VERSION`."""
    screen: bool = False
    """Whether this is a big screen, which everyone in the room sees: it is shown what a spectator is, whoever's browser
    it is, and may ask for nothing but `recall` and `ping`."""


class Move(In, frozen=True):
    """Play a move; `at` is the number of the position in which it was chosen."""

    id: Id
    at: Number
    word: Word
    """The move, as the rules of the game write it; one of the `legal` words."""


class Undo(In, frozen=True):
    """Take back the last move."""

    id: Id
    at: Number


class Sit(In, frozen=True):
    """Take a free seat (any one, without `seat`), or take your own seat back from a bot."""

    id: Id
    name: Name
    seat: Seat | None = None
    """Counted from 0; null for the first free one."""
    share: bool = False
    """Whether you bring a share of the chance to each deal: then answer `sealing` with `seal` and `show`."""


class Seal(In, frozen=True):
    """Commit to your share of the chance of the next deal, for all your seats."""

    id: Id
    round: Number
    """The `round` of `sealing`."""
    seal: Digest
    """SHA-256 (hex) of the share, which is the text of 64 random hex digits."""


class Show(In, frozen=True):
    """Open your share, once `sealing` has a `fingerprint` and your seal is in it."""

    id: Id
    round: Number
    share: Digest
    """The text whose SHA-256 you sent."""


class Leave(In, frozen=True):
    """Give up your seats: before the first game they become free, later a bot plays on."""

    id: Id


class Fill(In, frozen=True):
    """Put a bot in an open seat (if you opened the table) or in that of someone who is away (if you have a seat)."""

    id: Id
    seat: Seat
    """Counted from 0."""
    level: Level = "medium"
    """How strong the bot is."""


class Look(In, frozen=True):
    """See the table from one of your own seats (pass and play: after the curtain)."""

    seat: Seat
    """One of `yours`."""


class Next(In, frozen=True):
    """Begin the next game of the match."""

    id: Id


class Rematch(In, frozen=True):
    """Play another match at this table, with the seats rotated, once everyone else wants one, too."""

    id: Id


class Ready(In, frozen=True):
    """Say whether you are ready for the next game: it is dealt when everyone who has a seat is."""

    id: Id
    ready: bool = True
    """False: not ready after all."""


class Choose(In, frozen=True):
    """Choose what is played next (for the host, between two matches). Whoever was ready has to say so again."""

    id: Id
    game: Annotated[str, Meta(max_length=64)]
    """The key of a game."""
    seats: Annotated[int, Meta(ge=1, le=20)]
    """How many; people keep theirs, then bots."""
    options: dict[str, Any] = {}
    """As when a table is opened; what is not named is as the game has it."""
    games: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = 1
    """How many games the match has."""
    starts: Literal["rotate", "trailing"] = "rotate"
    """Who starts the next game of the match."""
    clock: ClockSettings | None = None
    """Null for none."""
    hints: bool = True
    """Whether `hint` is allowed."""


class Swap(In, frozen=True):
    """Let two seats change places (for the host, between two matches)."""

    id: Id
    seat: Seat
    """One of them, counted from 0."""
    to: Seat
    """The other."""


class Free(In, frozen=True):
    """Free a seat (for the host, between two matches): its person watches, and may sit down again unless barred."""

    id: Id
    seat: Seat
    """Counted from 0."""
    bar: bool = False
    """Whether that person may take no seat here until the host admits them again."""


class Hand(In, frozen=True):
    """Make someone the host: whom you like if you are it, or yourself if the host has been away for a while."""

    id: Id
    member: Member
    """The new host."""


class Admit(In, frozen=True):
    """Let someone who was barred take a seat again (for the host)."""

    id: Id
    member: Member
    """Who."""


class Hint(In, frozen=True):
    """Ask for the best moves; the answer is `hinted`, or `ponder` for a browser that thinks itself."""

    id: Id
    here: bool = False
    """Whether your browser can think itself, which takes that load off the server."""


class Recall(In, frozen=True):
    """Ask for the moves of the game so far and what each did; the answer is `recalled`."""


class React(In, frozen=True, tag="emote"):
    """Show an emote."""

    emote: Emote
    """One of a fixed set: there is no chat."""


class Ping(In, frozen=True):
    """Ask for a `pong`."""


RoomMessage = Ready | Choose | Swap | Free | Hand | Admit
"""What is said between two games, to arrange the next one."""
Incoming = (
    Hello
    | Move
    | Undo
    | Sit
    | Seal
    | Show
    | Leave
    | Fill
    | Look
    | Next
    | Rematch
    | RoomMessage
    | Hint
    | Recall
    | React
    | Ping
)


class Out(Struct, frozen=True, tag_field="type", tag=str.lower):
    """A message from the server."""


class Snapshot(Out, frozen=True):
    """Everything this connection may know: the first answer, and after every change of seats or game, or a resync."""

    v: int
    """The version of the messages that the server speaks."""
    number: Number
    table: TableInfo
    """What everyone sees."""
    seat: int | None
    """The seat whose view this is; null for a spectator."""
    yours: list[int]
    """All your seats."""
    curtain: int | None
    """Pass and play: hand the device to this seat, which then sends `look`; until then the view is a spectator's."""
    view: dict[str, Any] | None
    """`Game.view`; null before the first game."""
    movers: list[int | None]
    """Who made each of the view's `moves`; null for dice."""
    legal: list[dict[str, Any]]
    """The moves you may play now, each with its `word` and what would follow (`Game.offers`)."""
    undo: int
    """How many of your moves you can take back, one by one."""
    clock: ClockInfo | None
    """Null without a clock."""
    events: list[dict[str, Any]] = []
    """What led here, if something just happened."""
    id: str | UnsetType = UNSET
    """The id of your message that this answers."""


class Update(Out, frozen=True):
    """A move was played, or taken back (then `moves` has the remaining words)."""

    number: Number
    events: list[dict[str, Any]]
    """What happened, in order."""
    words: list[str]
    """The words played: the move, and any dice rolled after it."""
    position: dict[str, Any]
    """The part of the view that changes (`Game.position`)."""
    legal: list[dict[str, Any]]
    """As in `snapshot`."""
    undo: int
    """As in `snapshot`."""
    clock: ClockInfo | UnsetType | None = UNSET
    """As in `snapshot`; absent without a clock."""
    moves: list[str] | UnsetType = UNSET
    """After a move was taken back: all remaining words of the game."""
    id: str | UnsetType = UNSET
    """The id of your message that this answers."""


class Refused(Out, frozen=True):
    """Nothing has changed; `code` says why, and `reason`, if present, says it more exactly."""

    code: Code
    """For programs to act on."""
    text: str
    """In English, for logs; the page tells people in their own language, by `reason` or `code`."""
    number: Number
    values: dict[str, Any] | UnsetType = UNSET
    """The values in the sentence, by name; absent if there are none."""
    id: str | UnsetType = UNSET
    """The id of your message that this answers, if it could be read."""
    reason: Reason | UnsetType = UNSET
    """Present where people should be told more than the code says."""


class Presence(Out, frozen=True):
    """Who is connected."""

    here: list[bool]
    """By seat: whether its player is connected; bots always are."""
    may_replace: list[bool]
    """By seat: whether its player has been away long enough for a `fill`."""
    watching: int
    """How many spectators are connected."""
    host_away: bool = False
    """As in the `table` of a `snapshot`."""
    screens: int = 0
    """How many big screens show the table."""


class Warming(Out, frozen=True):
    """Compiling this table's game has made progress, or is done."""

    warming: Warmth | None
    """As in the `table` of a `snapshot`."""


class Emoted(Out, frozen=True):
    """Someone shows an emote."""

    seat: int
    """Who shows it."""
    emote: Emote
    """Which emote."""


class HintReason(Struct, frozen=True):
    """Something that speaks for or against a move; the game's words have a sentence for it, `reason.CODE`."""

    code: str
    """The codes and their values are in docs/bots.md."""
    values: dict[str, Any]
    """What the sentence is filled with; shares are whole percents."""


class HintMove(Struct, frozen=True):
    """A move and your chance of winning with it."""

    word: str
    """One of `legal`."""
    chance: float
    """From 0 to 1."""
    low: float | None = None
    """The lower end of the chance's 95 % interval; null where it is not known."""
    high: float | None = None
    """The upper end."""
    reasons: list[HintReason] = []
    """The most telling first; there may be none."""


class Hinted(Out, frozen=True):
    """The best moves, from what your seat may know."""

    id: str
    """The id of your `hint`."""
    number: Number
    moves: list[HintMove]
    """The best first; at most five."""


class Ponder(Out, frozen=True):
    """What your browser needs to find the best moves itself."""

    id: str
    """The id of your `hint`."""
    number: Number
    thought: dict[str, Any]
    """The position as your seat may know it, with the rest dealt anew; states are the rules' own, as bytes in hex."""


class PastMove(Struct, frozen=True):
    """A move of the game so far, with any dice rolled after it."""

    seat: int | None
    """Who made it; null for dice rolled before anyone moved."""
    name: str
    """The name of whoever sat there at the time; empty without a seat."""
    words: list[str]
    """The move, and any dice."""
    events: list[dict[str, Any]]
    """What happened, in order, as your seat may know it."""


class Recalled(Out, frozen=True):
    """The moves of the game so far."""

    number: Number
    seat: int | None
    """The seat whose view this is; null for a spectator."""
    moves: list[PastMove]
    """In order; their words together are the view's `moves`."""


class Accepted(Out, frozen=True):
    """Your message was accepted; you already know its result (it came twice), or see it elsewhere."""

    id: str
    """The id of your message."""
    number: Number


class Reload(Out, frozen=True):
    """The client is too old (or too new): load the page again."""

    v: int
    """The version of the messages that the server speaks."""


class Pong(Out, frozen=True):
    """The answer to `ping`."""


class Moving(Out, frozen=True):
    """The process is about to end: connect again, which leads to another one, then close this socket."""


Outgoing = (
    Snapshot
    | Update
    | Refused
    | Presence
    | Warming
    | Emoted
    | Hinted
    | Ponder
    | Recalled
    | Accepted
    | Reload
    | Pong
    | Moving
)
