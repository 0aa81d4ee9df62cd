"""How several server processes on one PostgreSQL tell each other what happened: LISTEN and NOTIFY."""

import secrets
from collections.abc import Callable, Iterable
from typing import Protocol

PROCESS = secrets.token_hex(8)
"""This process, among those on the same database."""
MOST = 7900
"""PostgreSQL's limit for one notification is just under 8,000 bytes."""


class Bus(Protocol):
    """How processes tell each other."""

    async def start(self, hear: Callable[[str, bytes], None]) -> None:
        """Begin; from now on `hear(table, payload)` is called on the event loop for what other processes publish.

        `hear(table, b"entries")`: another process stored entries of that table. `hear("", b"")`: the connection was
        lost and is back; something may have been missed, at any table.
        """

    def publish(self, table: str, payload: bytes) -> None:
        """Tell the other processes, best effort; never blocks. The payload has at most 4,000 bytes."""

    async def close(self) -> None:
        """Stop."""


class LocalBus:
    """The bus of a single process: nobody to tell, nothing to hear."""

    async def start(self, hear: Callable[[str, bytes], None]) -> None:
        pass

    def publish(self, table: str, payload: bytes) -> None:
        pass

    async def close(self) -> None:
        pass


def news_of_entries(process: str, tables: Iterable[str]) -> list[str]:
    """Return the notifications that say which tables have new entries, each within PostgreSQL's limit."""
    head = f"{process} entries"
    news = [head]
    for table in sorted(tables):
        if len(news[-1]) + 1 + len(table.encode()) > MOST:
            news.append(head)
        news[-1] += f" {table}"
    return news
