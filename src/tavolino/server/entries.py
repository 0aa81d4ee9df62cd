"""The log of a table: what is stored, append-only. A table's state is the fold of its entries (`table.Table`)."""

from typing import Any

from msgspec import Struct, json

from tavolino.server.settings import TableSettings


class Entry(Struct, frozen=True, tag_field="kind", tag=str.lower, omit_defaults=True):
    """One entry; each table's are numbered from 0."""


class Given(Struct, frozen=True):
    """What a table begins with that is not dealt anew: the deal and the first moves of another game."""

    first: int
    deal: dict[str, Any]
    moves: list[str]
    names: list[str]
    """Of the computer's players, by seat."""
    closed: bool = False
    """Whether it is only to be looked at: a record from a file."""


class Opened(Entry, frozen=True):
    """A table was opened; always entry 0."""

    settings: TableSettings
    who: str
    """The identity (hashed) of whoever opened it."""
    name: str
    share: bool = False
    """Whether their browser brings a share of the chance to each deal."""
    given: Given | None = None
    """Where it begins, if not with a deal of its own; then nothing is sealed."""


class Sat(Entry, frozen=True):
    """Someone took a seat, or came back to it."""

    seat: int
    who: str
    name: str
    share: bool = False
    """As in `Opened`."""


class Left(Entry, frozen=True):
    """Someone left for good."""

    seat: int


class Filled(Entry, frozen=True):
    """A bot took an open seat, or plays for someone who is away."""

    seat: int
    level: str


class Placed(Struct, frozen=True, omit_defaults=True):
    """A seat as it was arranged: open, a person's, or a bot's."""

    who: str | None = None
    name: str = ""
    level: str | None = None
    share: bool = False


class Arranged(Entry, frozen=True):
    """The host chose what is played next, and who sits where; a finished game is put away."""

    settings: TableSettings
    chairs: list[Placed]


class Readied(Entry, frozen=True):
    """Someone said that they are ready for the next deal, or not ready after all."""

    who: str
    ready: bool = True


class Hosted(Entry, frozen=True):
    """Someone became the host."""

    who: str


class Barred(Entry, frozen=True):
    """The host lets someone take no seat any more, or lets them in again."""

    who: str
    barred: bool = True


class Sealing(Entry, frozen=True):
    """The server committed to a secret for the next deal, and asks the browsers for the seals of their shares."""

    secret: str
    first: int | None = None
    terms: bool = False
    """Whether the fingerprint binds what is played and who starts; it did not always."""


class Sealed(Entry, frozen=True):
    """A browser committed to its share, for the seats of its person."""

    seats: list[int]
    seal: str


class Shown(Entry, frozen=True):
    """A browser opened its share."""

    seats: list[int]
    share: str


class Began(Entry, frozen=True):
    """A game was dealt from a secret; `first` is the seat that starts, None if chance decides."""

    secret: str
    first: int | None = None
    shares: list[str | None] | None = None
    """By seat; None if no browser brought one."""


class Moved(Entry, frozen=True):
    """A seat played a word; the dice that fell after it follow in `words`."""

    seat: int
    words: list[str]
    by: str = ""
    """`bot` or `clock` if the person in the seat did not choose it."""
    spent: int = 0
    """Milliseconds of the seat's time that it took, where a clock runs. Measured by the server that took it, while it
    was there: a log's times of day tell nothing of that."""


class Undone(Entry, frozen=True):
    """A seat took its last move back."""

    seat: int
    spent: int = 0
    """As in `Moved`."""


class Flagged(Entry, frozen=True):
    """A seat's time was up, and with it the game lost."""

    seat: int


class Rematched(Entry, frozen=True):
    """Another match, seats rotated by one."""


class Ended(Entry, frozen=True):
    """The match is over; what may be pruned when it is old."""


class Closed(Entry, frozen=True):
    """The table was closed before the end."""


AnyEntry = (
    Opened
    | Sat
    | Left
    | Filled
    | Arranged
    | Readied
    | Hosted
    | Barred
    | Sealing
    | Sealed
    | Shown
    | Began
    | Moved
    | Undone
    | Flagged
    | Rematched
    | Ended
    | Closed
)

encode = json.Encoder().encode
decode = json.Decoder(AnyEntry).decode
