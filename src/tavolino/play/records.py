"""Game records: read them back (`replay`), check their results, and read files with one record per line."""

import codecs
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from tavolino.engine.plain import whole
from tavolino.play.game import FORMAT, Game, IllegalMove, begin
from tavolino.play.seeds import Seed, check_seed
from tavolino.play.setup import Setup, read_seat, read_setup

MAX_LINE = 1 << 20
"""The longest line that is read from a file of records, in bytes; a game takes a few thousand."""


class BadRecord(ValueError):
    """A record that is not a legal game; the message names the move and the reason."""

    def __init__(self, reason: str, move: int | None = None, word: Any = None) -> None:
        where = "" if move is None else f"move {move + 1} ({str(word)[:40]!r}): "
        super().__init__(where + reason)
        self.move = move
        """The index of the wrong move, from 0; None when something else is wrong."""
        self.reason = reason


def replay(record: Mapping[str, Any], seed: Seed | None = None) -> Game:
    """Return the game exactly where a record stops, complete or not.

    It waits for dice that are due; `Game.roll` draws them from `seed`.

    >>> from tavolino import new
    >>> game = new(KEY, players=3, seed=1)
    >>> game.play(game.legal_moves[0])
    >>> replay(game.record()).view(2) == game.view(2)
    True
    """
    setup, first = _header(record)
    try:
        begun = begin(setup, first, record["deal"])
    except ValueError as error:
        raise BadRecord(str(error)) from None
    game = Game(setup, begun, None if seed is None else check_seed(seed), own_chance=False)
    moves = record["moves"]
    if not isinstance(moves, (list, tuple)):
        raise BadRecord("moves must be a list")
    played = game.play_all(list(moves))
    if played < len(moves):
        try:
            game.action_of(moves[played])
        except IllegalMove as error:
            raise BadRecord(str(error).removeprefix(f"{moves[played]}: "), played, moves[played]) from None
    _check_result(game, record)
    return game


def check(record: Mapping[str, Any]) -> Game:
    """Return the game of a record that must be complete: it has to contain the right result."""
    game = replay(record)
    for key in ("scores", "winners"):
        if key not in record or (record[key] is None and game.over):
            raise BadRecord(f"{key} is missing: it should be {getattr(game, key)}")
    return game


def _header(record: Mapping[str, Any]) -> tuple[Setup, int]:
    if not isinstance(record, Mapping):
        raise BadRecord("a record is a JSON object")
    for key in ("format", "game", "seats", "first", "deal", "moves"):
        if key not in record:
            raise BadRecord(f"{key} is missing")
    if record["format"] != FORMAT:
        raise BadRecord(f"format must be {FORMAT!r}, not {record['format']!r}")
    try:
        players = read_setup(record["game"], _number(record["seats"], "seats")).players
        first = read_seat(players, record["first"], "first must be a seat")
        given = record.get("options", {})
        if isinstance(given, dict) and "first" in given:  # S2.2, F1.3, O1.4 call it an option too
            if given["first"] is not None and given["first"] != first:
                raise ValueError(f"options.first says {given['first']!r}, but first is {first}")
            given = {name: value for name, value in given.items() if name != "first"}
        return read_setup(record["game"], players, given), first
    except ValueError as error:
        raise BadRecord(str(error)) from None


def _number(value: Any, name: str) -> int:
    try:
        return whole(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None


def _check_result(game: Game, record: Mapping[str, Any]) -> None:
    for key in ("scores", "winners"):
        given, right = record.get(key), getattr(game, key)
        if given is None:
            continue
        if right is None:
            raise BadRecord(f"{key} is {given!r}, but the game is not over after move {len(game.moves)}")
        if not isinstance(given, list) or any(type(v) is not int for v in given) or given != right:
            raise BadRecord(f"{key} must be {right}, not {given!r}")


def lines(path: Path) -> Iterator[tuple[int, Any | BadRecord]]:
    """Read a file with one record per line, as `lines_of` does."""
    with path.open("rb") as file:
        yield from lines_of(file)


def lines_of(file: BinaryIO) -> Iterator[tuple[int, Any | BadRecord]]:
    """Read records, one per line; yield each line number with the data, or with a BadRecord if it is not JSON.

    Empty lines are skipped, and so is the byte order mark that some editors put at the start of a file.
    """
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if len(line) > MAX_LINE:
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE)
            yield number, BadRecord(f"a line may be at most {MAX_LINE} bytes long")
        elif line.strip():
            try:
                yield number, msgspec.json.decode(line)
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
                yield number, BadRecord(f"not JSON: {error}")


def line(record: Mapping[str, Any]) -> bytes:
    """Return a record as one line of a file."""
    return msgspec.json.encode(record) + b"\n"
