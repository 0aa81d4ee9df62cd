"""Who is at a table: connected here, or to another process of the same server."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tavolino.server.clock import service_ms
from tavolino.server.connection import Connection, encoded
from tavolino.server.messages import Presence
from tavolino.server.table import Table

Publish = Callable[[str, dict[str, Any]], None]
"""Tell the other processes something about a table."""
TOGETHER = 0.02
"""Seconds for which arrivals and departures are gathered before they are announced."""
HEARD_SECONDS = 60.0
"""For so long we believe another process about who is there; it tells again every `hub.SWEEP_SECONDS`."""


def _nobody(*_: object) -> None: ...


@dataclass
class Elsewhere:
    """Who is connected to another process of the same server."""

    people: set[str]
    watching: int
    screens: int
    until: float


class PresenceTracker:
    """Knows who is here and who is away, and tells it when it changes."""

    def __init__(
        self,
        table: Table,
        connections: set[Connection],
        publish: Publish,
        everyone: Callable[[bytes], None],
        away: float,
        share_seconds: float,
    ) -> None:
        self._table = table
        self._connections = connections
        self._publish = publish
        self._everyone = everyone
        clock = table.settings.clock
        self._patience = clock.seconds if clock is not None and clock.kind == "move" else away
        """Seconds after which someone who left may be replaced: the time limit per move, if there is one."""
        self._share_patience = share_seconds
        """Seconds that a browser has for each step of a deal, while this process serves it."""
        self._step: tuple[int, bool] | None = None
        """Which step of which deal browsers are asked for."""
        self._asked = 0
        """Since when, by `clock.service_ms`."""
        self._due: asyncio.TimerHandle | None = None
        """Tells when the others may go on without a browser."""
        self._elsewhere: dict[str, Elsewhere] = {}
        self._known = time.monotonic()
        """Since when this process has the table."""
        self._away: dict[str, float] = {}
        """When each person was last seen leaving."""
        self._telling: asyncio.TimerHandle | None = None
        """Who is here is about to be told."""
        self._later: dict[str, asyncio.TimerHandle] = {}
        """For each person who left: tells when a bot may take the seat."""

    def changed(self) -> None:
        """Tell everyone who is here: once, however many come and go at the same time."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TOGETHER, self._tell)

    def _tell(self) -> None:
        self._telling = None
        self.publish()
        self._say()

    def close(self) -> None:
        """Announce nothing any more, and release the timers."""
        for handle in (*self._later.values(), self._telling, self._due):
            if handle is not None:
                handle.cancel()
        self._later.clear()
        self._everyone = self._publish = _nobody

    def publish(self) -> None:
        """Tell the other processes who is here; they forget it after a while, as we do."""
        if self._forget():
            self._say()
        people = sorted({c.who for c in self._connections if self._table.seats_of(c.who)})
        clock = (
            {} if self._table.deadline() is None else {"clock": [self._table.number, self._table.spent(service_ms())]}
        )
        seen = {"watching": self._watching_here(), "screens": self._screens_here()}
        self._publish(self._table.id, {"here": people, **seen, **clock})

    def heard(self, process: str, people: set[str], watching: int, screens: int = 0) -> None:
        """Take who is at the table at another process."""
        before = self._elsewhere.get(process)
        self._elsewhere[process] = Elsewhere(people, watching, screens, time.monotonic() + HEARD_SECONDS)
        if before is None:
            self.changed()  # a process that knows nothing of us yet
        else:
            self.left(before.people - people)
            self._say()

    def _forget(self) -> bool:
        """Forget processes that have been silent for a while; tell whether any are left."""
        silent = [name for name, one in self._elsewhere.items() if one.until <= time.monotonic()]
        for name in silent:
            self.left(self._elsewhere.pop(name).people)
        return bool(silent)

    def left(self, people: set[str]) -> None:
        """Note which people have just left, and announce when they may be replaced."""
        for who in people - self.present()[0]:
            self._away[who] = time.monotonic()
            if who in self._later:
                self._later[who].cancel()
            self._later[who] = asyncio.get_running_loop().call_later(self._patience + 0.1, self._say)

    def ask(self, again: bool = False) -> None:
        """Note since when browsers are asked for the next step of a deal; `again`: they could not have answered."""
        now = self._table.round
        step = None if now is None else (now.number, now.complete)
        if step == self._step and not again:
            return
        self._step, self._asked = step, service_ms()
        if self._due is not None:
            self._due.cancel()
        self._due = None
        if step is not None:
            self._due = asyncio.get_running_loop().call_later(self._share_patience, self._tell_due)

    def _tell_due(self) -> None:
        """Announce whom the others may go on without; later, if this process stood still meanwhile."""
        left = self._share_patience - (service_ms() - self._asked) / 1000
        self._due = asyncio.get_running_loop().call_later(left, self._tell_due) if left > 0 else None
        if self._due is None:
            self._say()

    def _withholds(self, seat: int) -> bool:
        """Whether a seat's browser has not brought its share to a deal for so long that the others may go on."""
        now = self._table.round
        asked = now is not None and self._step == (now.number, now.complete)
        return asked and service_ms() - self._asked >= 1000 * self._share_patience and seat in self._table.due

    def _watching_here(self) -> int:
        seated = {chair.who for chair in self._table.chairs}
        return sum(connection.who not in seated and not connection.screen for connection in self._connections)

    def _screens_here(self) -> int:
        return sum(connection.screen for connection in self._connections)

    @property
    def screens(self) -> int:
        """How many big screens show the table, here or elsewhere."""
        return self._screens_here() + sum(one.screens for one in self._elsewhere.values())

    def present(self) -> tuple[set[str], int]:
        """Return who is connected, here or elsewhere, and how many watch."""
        others = list(self._elsewhere.values())
        people = {connection.who for connection in self._connections}.union(*(one.people for one in others))
        return people, self._watching_here() + sum(one.watching for one in others)

    def _say(self) -> None:
        people, watching = self.present()
        here = [chair.level is not None or chair.who in people for chair in self._table.chairs]
        may_replace = [self.may_replace(seat, people) for seat in range(len(here))]
        host_away = self.is_away(self._table.host, people)
        self._everyone(encoded(Presence(here, may_replace, watching, host_away, self.screens)))

    def may_replace(self, seat: int, people: set[str]) -> bool:
        """Whether the person in a seat has been away, or has kept a deal waiting, so long that a bot may play there."""
        chair, begun = self._table.chairs[seat], self._table.current is not None or self._table.round is not None
        if chair.who is None or chair.level is not None or not begun:
            return False
        return self._withholds(seat) if chair.who in people else self.is_away(chair.who, people)

    def is_away(self, who: str, people: set[str]) -> bool:
        """Whether a person has been away for a while."""
        if who in people:
            return False
        # Who has not been seen since this process has the table may have had no server to come to before.
        return time.monotonic() - self._away.get(who, self._known) >= self._patience
