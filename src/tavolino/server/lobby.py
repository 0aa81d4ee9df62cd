"""Which open tables are shown: first those where someone is connected, then the newest, taking turns by address."""

from collections import deque
from collections.abc import Iterable

from tavolino.server.store import Store, Waiting

SHOWN = 50
LOOKED_AT = 500
"""The most tables that are chosen from: of the newest, and of those where someone is."""
REMEMBERED = 10_000
"""The most tables of which we know from where they were opened."""


class Lobby:
    """The list of open tables, in which someone with a hundred tables does not hide those of others."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._opened_from: dict[str, str] = {}
        """The address each table was opened from, the oldest first. Only in memory: addresses are not stored."""

    def opened(self, table: str, address: str) -> None:
        """Remember from where a table was opened."""
        self._opened_from[table] = address
        if len(self._opened_from) > REMEMBERED:
            del self._opened_from[next(iter(self._opened_from))]

    def forget(self, table: str) -> None:
        """Forget from where a table was opened."""
        self._opened_from.pop(table, None)

    async def tables(self, attended: Iterable[str]) -> list[str]:
        """Return the tables to show; `attended` are tables where someone is, of which some may be open."""
        known = list(attended)[:LOOKED_AT]
        there = await self._store.lobby(LOOKED_AT, known) if known else []
        others = [one for one in await self._store.lobby(LOOKED_AT) if one not in there]
        return [*self._by_turns(there), *self._by_turns(others)][:SHOWN]

    def _by_turns(self, waiting: list[Waiting]) -> list[str]:
        """Return tables in rounds: one per address, then a second one per address, …; per person if it is unknown."""
        lines: dict[str, deque[str]] = {}
        for table, who in waiting:
            lines.setdefault(self._opened_from.get(table, who), deque()).append(table)
        turns = deque(lines.values())
        found = []
        while turns:
            line = turns.popleft()
            found.append(line.popleft())
            if line:
                turns.append(line)
        return found
