"""Moves that no person makes: a bot has thought, or a clock has run out."""

import asyncio
import time
from collections.abc import Callable

from tavolino.bots.players import LEVELS
from tavolino.server.bot_pool import BotPool
from tavolino.server.clock import service_ms
from tavolino.server.commands import Change, decide_move, playing
from tavolino.server.connection import Connection
from tavolino.server.entries import AnyEntry, Ended, Flagged
from tavolino.server.table import SUBSTITUTE, Table

Make = Callable[[], Change | None]
"""Works out a change when its turn comes; None if there is nothing to change any more."""
Act = Callable[[int, Make], None]
"""Makes a change, if the table still has this many entries."""


class AutomaticMoves:
    """The bot that thinks at a table, or the timer of the clock that runs there: at most one of them at a time."""

    def __init__(self, table: Table, connections: set[Connection], bots: BotPool, pace: float, act: Act) -> None:
        self._table = table
        self._connections = connections
        self._bots = bots
        self._pace = pace
        self._act = act
        self._bot: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        """Whether a bot thinks or a timer runs."""
        return self._bot is not None or self._timer is not None

    @property
    def timed(self) -> bool:
        """Whether the timer of a clock runs."""
        return self._timer is not None

    def arrange(self, patience: float = 0.0) -> None:
        """Let the bot to move think, or set the timer of the clock; `patience`: seconds to wait in addition."""
        self.stop()
        table, seat = self._table, self._table.to_move
        if seat is None:
            return
        level = table.chairs[seat].level
        if level is not None:
            if self._connections:
                self._think(seat, level, self._pace + patience, "bot")
        elif (deadline := table.deadline()) is not None:
            wait = max(0, deadline - service_ms()) / 1000 + patience
            self._timer = asyncio.get_running_loop().call_later(wait, self._time_is_up, table.number, seat)

    def rest(self) -> None:
        """Let no bot think until someone comes."""
        if self._bot is not None:
            self._bot.cancel()
            self._bot = None

    def stop(self) -> None:
        """Let no bot think and no clock run."""
        self.rest()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def keep(self) -> None:
        """Let the bot finish: its move is being made."""
        self._bot = None

    def close(self) -> None:
        """Stop for good."""
        self.stop()
        self._act = lambda *_: None

    def _think(self, seat: int, level: str, pause: float, by: str) -> None:
        self._bot = asyncio.get_running_loop().create_task(self._bot_move(seat, level, pause, by))

    async def _bot_move(self, seat: int, level: str, pause: float, by: str) -> None:
        """Think and move for a seat; this is cancelled when the table changes."""
        table, number, began = self._table, self._table.number, time.monotonic()
        game, style = playing(table).game.copy(), table.chairs[seat].style
        word = await self._bots.choose(game, seat, level, self._address(), style)
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))
        self._act(number, lambda: decide_move(table, seat, word, by))

    def _address(self) -> str:
        """Return the address that bots think for: that of a seated person, if one is here."""
        seated_here = [one.address for one in self._connections if self._table.seats_of(one.who)]
        return min(seated_here or [one.address for one in self._connections], default="")

    def _time_is_up(self, number: int, seat: int) -> None:
        self._timer = None
        clock, deadline = self._table.settings.clock, self._table.deadline()
        if number != self._table.number or clock is None or deadline is None:
            return
        if deadline > service_ms():  # some time was given back
            self.arrange()
        elif clock.zero == "bot" and not self._connections:
            return  # when someone comes, it is up at once
        elif clock.zero == "bot":
            self._think(seat, SUBSTITUTE, 0.0, "clock")
        else:
            self._act(number, lambda: self._flag(seat))

    def _flag(self, seat: int) -> Change | None:
        """Let a seat lose on time, unless it got some back while this waited for its turn."""
        deadline = self._table.deadline()
        if deadline is None or deadline > service_ms():
            self.arrange()
            return None
        entries: list[AnyEntry] = [Flagged(seat), *([Ended()] if self._table.last_of_match else [])]
        return Change(entries, events=[{"type": "time_up", "seat": seat}])


assert SUBSTITUTE in LEVELS
