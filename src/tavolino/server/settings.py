"""What a table is opened with: who sits where, how many games, the clock. The same on the wire and in the store."""

import re
from typing import Annotated, Any, Literal
from unicodedata import category, normalize

import msgspec
from msgspec import Meta, Struct

from tavolino.bots.players import LEVELS
from tavolino.play.match import STARTS
from tavolino.play.setup import read_setup

MAX_NAME = 24
UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0"
"""Letters and marks that show nothing; Unicode calls all others of that kind not printable."""
HEAPED = re.compile(r"([\u0300-\u036f]{3})[\u0300-\u036f]+")
"""Piled-up accents, which would cover the line above."""
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, description="A display name: text, never markup.")]
Level = Literal["easy", "medium", "hard", "expert"]
SeatChoice = Annotated[str, Meta(pattern=r"^(me(:.{1,24})?|open|bot:.{1,24})$")]
MINE = "me"
"""A seat of whoever opens the table; with a colon and a name, someone else's beside them on the same device."""
MAX_GAMES = 20


class ClockSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock: seconds per move, or for a whole game."""

    kind: Literal["move", "bank"]
    """Per `move`, or a `bank` for a whole game."""
    seconds: Annotated[int, Meta(ge=5, le=7200)]
    """For each person."""
    zero: Literal["bot", "lose"] = "bot"
    """What happens at zero: a bot moves for you, or you lose the game."""


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is opened with."""

    game: Annotated[str, Meta(max_length=64, description="The key of a game, as GET /api/games lists them.")]
    seats: list[SeatChoice]
    """For each seat: `me` (several times: pass and play on one device; `me:NAME` for someone else there), `open` for
    anyone who comes, or `bot:` with a level or the name of one of the server's own bots. As many as the game takes."""
    options: dict[str, Any] = {}
    games: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = 1
    starts: Literal["rotate", "trailing"] = "rotate"
    clock: ClockSettings | None = None
    listed: bool = False
    """Whether it is shown in the lobby; otherwise only people with the link find it."""
    hints: bool = True
    ready: bool = False
    """Whether the first game, too, waits until everyone seated has said `ready`; later ones always do."""
    screen: bool = False
    """Whether a big screen opens it, which takes no seat: whoever sits down first is the host."""


assert set(LEVELS) == set(Level.__args__)  # type: ignore[attr-defined]
assert STARTS == ("rotate", "trailing")


def read_settings(given: TableSettings) -> TableSettings:
    """Return the settings with all options of the game; ValueError says what is wrong."""
    if given.screen and any(map(is_mine, given.seats)):
        raise ValueError("a big screen takes no seat: each seat is 'open' or 'bot:LEVEL'")
    return msgspec.structs.replace(given, options=read_setup(given.game, len(given.seats), given.options).options)


def is_mine(choice: str) -> bool:
    """Whether a seat is for someone on the device that opens the table."""
    return choice.partition(":")[0] == MINE


def name_at(choice: str) -> str:
    """Return the name that a seat of one's own was given; empty if it has none."""
    return choice.partition(":")[2]


def with_clean_names(settings: TableSettings) -> TableSettings:
    """Return settings whose names are as they are shown; ValueError if one shows nothing."""
    seats = [f"{MINE}:{clean_name(name_at(one))}" if is_mine(one) and name_at(one) else one for one in settings.seats]
    return msgspec.structs.replace(settings, seats=seats)


def without_names(settings: TableSettings) -> TableSettings:
    """Return settings in which nobody is named."""
    return msgspec.structs.replace(settings, seats=[MINE if is_mine(one) else one for one in settings.seats])


def clean_name(name: str) -> str:
    """Return a name as it is shown, without invisible characters; ValueError if nothing is left."""
    seen = "".join(c if c.isprintable() else " " for c in normalize("NFC", name) if c not in UNSEEN)
    kept = " ".join(HEAPED.sub(r"\1", seen).split())[:MAX_NAME].strip()
    if not any(category(c)[0] in "LNPS" for c in kept):
        raise ValueError("a name must have at least one visible letter")
    return kept
