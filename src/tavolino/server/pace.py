"""How long people take at a server's tables, for `tavolino study`: from the times of their moves in the log."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from sqlalchemy import Engine, Row, select
from sqlalchemy.exc import SQLAlchemyError

from tavolino.lab.shape import ASSUMED, Pace
from tavolino.server import queries
from tavolino.server.database import open_engine, read_url, tables
from tavolino.server.entries import Began, Moved, Undone, decode
from tavolino.server.table import Table

LATEST = 500
"""Tables that are read, the latest ones."""
LEAST = 50
"""Decisions that it takes to speak of a pace."""
AWAY = 120.0
"""Whoever takes longer for a move was away: such moves say nothing of the game."""


def pace_at(database: str, key: str) -> Pace | None:
    """Return how long people take for a move of a game at a server's tables; None if too few were played there.

    RuntimeError says what is wrong with the database. A SQLite file that does not exist is no error, and is not made.
    """
    url = read_url(database)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").expanduser().is_file():
        return None
    engine = open_engine(url)
    try:
        took = [one for one in _times(engine, key) if one[1] <= AWAY]
    except SQLAlchemyError as error:
        raise RuntimeError(f"The tables in {database} cannot be read: {type(error).__name__}") from None
    finally:
        engine.dispose()
    chosen, forced = ([seconds for choice, seconds in took if choice == asked] for asked in (True, False))
    if len(chosen) < LEAST:
        return None
    return Pace(fmean(chosen), fmean(forced) if forced else ASSUMED.forced, len(took))


def _times(engine: Engine, key: str) -> Iterator[tuple[bool, float]]:
    """Yield whether there was a choice, and the seconds that it took, for each move of a person."""
    with engine.connect() as connection:
        latest = select(tables.c.id).order_by(tables.c.opened_at.desc()).limit(LATEST)
        for (name,) in connection.execute(latest).all():
            yield from _times_of(connection.execute(queries.LOG, {"table": name, "begin": 0}).all(), key)


def _times_of(rows: Sequence[Row[Any]], key: str) -> Iterator[tuple[bool, float]]:
    """Fold a log and yield the times of the moves that people made in a game."""
    table: Table | None = None
    shown: int | None = None
    for row in rows:
        entry = decode(row.body)
        if table is None:
            table = Table.open(row.id, entry)
            continue
        game = None if table.current is None else table.current.playing
        if isinstance(entry, Moved) and not entry.by and game is not None and game.key == key and shown is not None:
            chair = table.chairs[entry.seat]
            if chair.who is not None and chair.level is None:
                yield len(game.legal_moves) > 1, (row.at - shown) / 1000
        table.at = row.at
        table.apply(entry, 0)
        if isinstance(entry, (Began, Moved, Undone)):
            shown = row.at
