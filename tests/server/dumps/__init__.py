"""Databases as every version of the schema left them, on both kinds, with data: `VERSION.KIND.sql`.

After adding a migration: `python -m tests.server.dumps` writes the dumps of the newest version. Never write an old one
anew: it is what people have.

`tables.jsonl` has whole tables of real games as version 0.1.0 stored them in autumn 2026, before games became folders,
one per line: the log, and what it came to then. Never write it anew, either; add lines.
"""

import sqlite3
from pathlib import Path

import psycopg

from tavolino.server.entries import (
    AnyEntry,
    Began,
    Closed,
    Ended,
    Filled,
    Flagged,
    Left,
    Moved,
    Opened,
    Rematched,
    Sat,
    Undone,
)
from tavolino.server.settings import ClockSettings, TableSettings
from tavolino.server.store import Row, Store

HERE = Path(__file__).parent
AT = 1_790_000_000_000


def _log(table: str, *log: AnyEntry | tuple[AnyEntry, str]) -> list[Row]:
    rows = []
    for number, given in enumerate(log):
        entry, message = given if isinstance(given, tuple) else (given, None)
        who = entry.who if isinstance(entry, Opened | Sat) else None
        rows.append(Row(table, number, AT + number, entry, message, who))
    return rows


TABLES = [
    _log(
        "whole",
        Opened(
            TableSettings(
                "out-of-sock",
                ["me", "open", "bot:hard"],
                options={"variant": "beginner"},
                games=3,
                starts="trailing",
                clock=ClockSettings("bank", 600, "lose"),
                listed=True,
                hints=False,
            ),
            "a" * 64,
            "Zoë",
        ),
        (Sat(1, "b" * 64, 'O\'Neil "<b>" 🧦'), "b:1"),
        Filled(2, "hard"),
        Began("5ec4e7", 1),
        (Moved(1, ["d", "roll:3"]), "b:2"),
        Moved(2, ["x1"], "bot"),
        (Undone(1), "b:3"),
        Flagged(0),
        Began("5ec4e8"),
        (Left(1), "b:4"),
        Filled(1, "easy"),
        Ended(),
        (Rematched(), "a:9"),
        Began("5ec4e9", 0),
        Ended(),
    ),
    _log("closed", Opened(TableSettings("orma", ["me", "me"]), "a" * 64, "Zoë"), Closed()),
    _log("waiting", Opened(TableSettings("face-to-face", ["me", "open"], listed=True), "c" * 64, "Ugo")),
]
"""What every dump has in it. A version that changes what is stored keeps this meaning."""


def restore(version: str, database: str) -> None:
    """Make an empty database what that version left."""
    if database.startswith("postgresql"):
        with psycopg.connect(database, autocommit=True) as server:
            server.execute((HERE / f"{version}.postgresql.sql").read_bytes())
    else:
        file = sqlite3.connect(database)
        file.executescript((HERE / f"{version}.sqlite.sql").read_text(encoding="utf-8"))
        file.close()


async def fill(database: str) -> None:
    store = Store(database)
    await store.start()
    for rows in TABLES:
        await store.append(rows)
    await store.close()
