"""What a table is opened with: who sits where, how many games, the clock. The same on the wire and in the store."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tavolino.bots.players import LEVELS
from tavolino.play.match import STARTS
from tavolino.play.options import find_rules, read_options, read_players

Name = Annotated[str, Meta(min_length=1, max_length=24, description="A display name: text, never markup.")]
Level = Literal["easy", "medium", "hard", "expert"]
SeatWish = Literal["me", "open", "bot:easy", "bot:medium", "bot:hard", "bot:expert"]
MAX_GAMES = 20


class ClockSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock: seconds for each move, or for a whole game."""

    kind: Literal["move", "bank"]
    """For each `move`, or a `bank` for a whole game."""
    seconds: Annotated[int, Meta(ge=5, le=7200)]
    """For each person."""
    zero: Literal["bot", "lose"] = "bot"
    """What happens at zero: a bot moves for you, or you lose the game."""


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is opened with."""

    game: Literal["out-of-sock", "face-to-face", "orma"]
    seats: Annotated[list[SeatWish], Meta(min_length=2, max_length=5)]
    """For each seat: `me` (several times: pass and play on one device), `open` for whoever comes, or a bot."""
    options: dict[str, Any] = {}
    games: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = 1
    starts: Literal["rotate", "trailing"] = "rotate"
    clock: ClockSettings | None = None
    listed: bool = False
    """Shown in the lobby; otherwise only who has the link finds it."""
    hints: bool = True


assert set(LEVELS) == set(Level.__args__)  # type: ignore[attr-defined]
assert STARTS == ("rotate", "trailing")


def read_settings(given: TableSettings) -> TableSettings:
    """Return the settings with the game's options made whole; ValueError says what is wrong."""
    rules = find_rules(given.game)
    players = read_players(rules, len(given.seats))
    return msgspec.structs.replace(given, options=read_options(rules, players, given.options))


def clean_name(name: str) -> str:
    """Return a name without control characters and blanks around it; ValueError if nothing is left."""
    kept = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not kept:
        raise ValueError("a name has at least one letter")
    return kept
