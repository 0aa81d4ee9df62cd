"""Delete a person's data: what only they had goes; where others played, the games stay, without name and identity.

A game's record is valid without them: nothing that was dealt, sealed or played hangs on who they were.
"""

import contextlib
import secrets

import msgspec
from sqlalchemy import Engine, Text, delete, func, literal, select, update

from tavolino.server.database import entries, tables, transaction
from tavolino.server.entries import AnyEntry, Arranged, Barred, Hosted, Opened, Readied, Sat, decode, encode
from tavolino.server.settings import without_names

NAMELESS = "N. N."
"""Stands for a name that was deleted, in any language."""
KEY = 16
"""How many characters of an identity the id of a stored message begins with."""


def new_alias() -> str:
    """Return an identity for someone who has none any more: another one at each table, so that nothing links them."""
    return secrets.token_hex(20)


def without(entry: AnyEntry, who: str, alias: str) -> AnyEntry:
    """Return an entry in which nothing tells of a person; `alias` stands for them."""
    replace = msgspec.structs.replace
    match entry:
        case Opened() if entry.who == who:
            return replace(entry, who=alias, name=NAMELESS, settings=without_names(entry.settings))
        case Sat() if entry.who == who:
            return replace(entry, who=alias, name=NAMELESS)
        case Readied() | Hosted() | Barred() if entry.who == who:
            return replace(entry, who=alias)
        case Arranged():
            chairs = [replace(one, who=alias, name=NAMELESS) if one.who == who else one for one in entry.chairs]
            return replace(entry, chairs=chairs)
        case _:
            return entry


def forget_at(engine: Engine, table: str, who: str, alias: str) -> None:
    """Rewrite the log of a table without a person; its moves, deals and results stay as they are."""
    with transaction(engine) as connection:
        found = select(tables.c.key).where(tables.c.id == table).with_for_update()
        key = connection.execute(found).scalar()
        here = entries.c.table_key == key
        told = select(entries.c.number, entries.c.body).where(here, entries.c.kind != "moved")
        for number, body in connection.execute(told).all():
            if (after := encode(without(decode(body), who, alias)).decode()) != body:
                connection.execute(update(entries).where(here, entries.c.number == number).values(body=after))
        renamed = literal(alias[:KEY]) + func.substr(entries.c.message, KEY + 1, type_=Text)
        by_them = entries.c.message.like(f"{who[:KEY]}:%")
        connection.execute(update(entries).where(here, by_them).values(message=renamed))
        connection.execute(update(entries).where(here, entries.c.who == who).values(who=None))


def remove(engine: Engine, table: str) -> None:
    """Remove a table for good."""
    with transaction(engine) as connection:
        key = connection.execute(select(tables.c.key).where(tables.c.id == table).with_for_update()).scalar()
        connection.execute(delete(entries).where(entries.c.table_key == key))
        connection.execute(delete(tables).where(tables.c.key == key))


def clear_log(engine: Engine) -> None:
    """Let SQLite keep no earlier version of what was rewritten; PostgreSQL clears such versions away by itself."""
    if engine.dialect.name == "sqlite":
        with contextlib.closing(engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
