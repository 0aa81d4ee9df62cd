"""Tables that are not dealt anew: a finished game tried again from one of its positions, or a record from a file.

Everything hidden stays as it was dealt, and dice are rolled anew. Nobody sealed anything, so nothing is promised: the
table says so (`TableInfo.practice`), its record says so (`practice`), and `verify` refuses it.
"""

from collections.abc import Mapping
from typing import Any

from tavolino.play.game import Game
from tavolino.play.records import BadRecord, replay
from tavolino.server.commands import RequestRefused
from tavolino.server.entries import Given
from tavolino.server.live import Live
from tavolino.server.replays import finished
from tavolino.server.settings import TableSettings, clean_name
from tavolino.server.table import BOT_NAMES

INSTEAD = "hard"
"""The level of the bot that plays for a person who sat there."""


def try_again(live: Live, number: int, moves: int, seat: int) -> tuple[TableSettings, Given]:
    """Return what a table needs to go on from a finished game after so many moves, with a person in a seat."""
    played = finished(live, number)
    game = played.game
    if seat >= game.players:
        raise RequestRefused("bad_message", f"seat must be below {game.players}, not {seat}", "no_seat")
    if moves > len(game.moves) or game.earlier(moves).over:
        text = f"there is nothing left to play after {moves} moves: this game had {len(game.moves)}"
        raise RequestRefused("bad_message", text)
    levels = [level or INSTEAD for level in played.levels]
    names = [
        name if level is not None else BOT_NAMES[place]
        for place, (name, level) in enumerate(zip(played.names, played.levels, strict=True))
    ]
    seats = ["me" if place == seat else f"bot:{level}" for place, level in enumerate(levels)]
    return _settings(game, seats), Given(game.first, game.record()["deal"], game.moves[:moves], names)


def shown(record: Mapping[str, Any]) -> tuple[TableSettings, Given]:
    """Return what a table needs to show a record, complete or not; RequestRefused says what is wrong with it."""
    try:
        game = replay(record)
    except BadRecord as error:
        raise RequestRefused("bad_record", str(error)) from None
    given = Given(game.first, game.record()["deal"], game.moves, names_of(record, game.players), closed=True)
    return _settings(game, [f"bot:{INSTEAD}"] * game.players), given


def names_of(record: Mapping[str, Any], players: int) -> list[str]:
    """Return the names of the players of a record; numbers where it has none that can be shown."""
    given = record.get("players")
    listed = given if isinstance(given, list) and len(given) == players else []
    return [_name(one, place) for place, one in enumerate(listed)] or [str(place + 1) for place in range(players)]


def _name(given: Any, seat: int) -> str:
    try:
        return clean_name(given) if isinstance(given, str) else str(seat + 1)
    except ValueError:
        return str(seat + 1)


def _settings(game: Game, seats: list[str]) -> TableSettings:
    return TableSettings(game.key, seats, game.options)
