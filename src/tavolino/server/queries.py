"""What the store asks the database for.

Statements are made once: each making costs as much as the asking, and leaves the collector some hundred objects.
"""

import secrets
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Engine,
    FromClause,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
)

from tavolino.server.database import entries, tables, transaction

PRUNE = 50
"""The most tables deleted in one transaction: nobody waits long for it."""
LOGS = select(tables.c.id, *list(entries.c)[1:]).join_from(tables, entries)
"""Rows of logs, as `Values`."""


def column(engine: Engine, query: Select[Any], values: dict[str, Any] | None = None) -> list[Any]:
    with engine.connect() as connection:
        return list(connection.execute(query, values).scalars())


def _has(table: ColumnElement[int], *kinds: str) -> ColumnElement[bool]:
    other = entries.alias()
    return exists().where(other.c.table_key == table, other.c.kind.in_(kinds), _in_index(other))


def _is_over(table: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a table was closed, or its last match has ended."""
    end, again = entries.alias(), entries.alias()
    rematched = exists().where(
        again.c.table_key == end.c.table_key,
        again.c.kind == "rematched",
        again.c.number > end.c.number,
        _in_index(again),
    )
    return exists().where(
        end.c.table_key == table, end.c.kind.in_(["ended", "closed"]), _in_index(end), ~rematched.correlate(end)
    )


def _in_index(log: FromClause) -> ColumnElement[bool]:
    """Return a condition that always holds here: said in the index's own words, it lets the database use it."""
    return log.c.kind != literal_column("'moved'")


LOG = LOGS.where(tables.c.id == bindparam("table"), entries.c.number >= bindparam("begin")).order_by(entries.c.number)
LOBBY = (
    select(tables.c.id, entries.c.who)
    .join_from(tables, entries)
    .where(
        entries.c.number == 0,
        tables.c.listed,
        tables.c.opened_at >= bindparam("since"),
        ~_has(tables.c.key, "began", "closed"),
    )
    .order_by(tables.c.opened_at.desc(), tables.c.id)
    .limit(bindparam("most"))
)
LOBBY_AMONG = LOBBY.where(tables.c.id.in_(bindparam("among", expanding=True)))
LAST = (
    select(entries.c.at)
    .where(entries.c.table_key == tables.c.key)
    .order_by(entries.c.number.desc())
    .limit(1)
    .scalar_subquery()
)
MINE = (
    select(tables.c.id)
    .where(tables.c.key.in_(select(entries.c.table_key).where(entries.c.who == bindparam("who"))))
    .order_by(LAST.desc(), tables.c.key.desc())
    .limit(bindparam("most"))
)
COUNT_OPEN = select(func.count()).where(
    entries.c.who == bindparam("who"),
    entries.c.kind == "opened",
    entries.c.at >= bindparam("since"),
    ~_is_over(entries.c.table_key),
)


def probe(engine: Engine) -> None:
    """Store an entry and take it away again, for good; if that fails, nothing can be stored.

    A transaction that is rolled back would not show it: a full disk is met by the commit.
    """
    with transaction(engine) as connection:
        table = {"id": f"probe-{secrets.token_hex(8)}", "game": "", "listed": False, "opened_at": 0}
        key = connection.execute(insert(tables).values(table).returning(tables.c.key)).scalar_one()
        entry = {"table_key": key, "number": 0, "kind": "probe", "at": 0, "body": ""}
        connection.execute(insert(entries).values(entry))
        connection.execute(delete(entries).where(entries.c.table_key == key))
        connection.execute(delete(tables).where(tables.c.key == key))


def _untouched(since: int) -> ColumnElement[bool]:
    """Return the condition that nothing happened at a table since then."""
    later = entries.alias()
    return and_(tables.c.opened_at < since, ~exists().where(later.c.table_key == tables.c.key, later.c.at >= since))


def prune_some(engine: Engine, before: int, abandoned: int) -> int:
    """Delete some tables: over and untouched since `before`, or not over and untouched since `abandoned`."""
    old = (
        select(tables.c.key)
        .where(or_(and_(_is_over(tables.c.key), _untouched(before)), _untouched(abandoned)))
        .order_by(tables.c.key)
        .limit(PRUNE)
    )
    with transaction(engine) as connection:
        # Locked first, asked again then: a rematch may have come between.
        locked = connection.execute(old.with_for_update()).scalars().all()
        keys = connection.execute(old.where(tables.c.key.in_(locked))).scalars().all()
        connection.execute(delete(entries).where(entries.c.table_key.in_(keys)))
        connection.execute(delete(tables).where(tables.c.key.in_(keys)))
    return len(keys)
