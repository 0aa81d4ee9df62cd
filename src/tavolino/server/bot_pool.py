"""Bots that think beside the event loop: a few threads for all tables, shared fairly between addresses."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from tavolino.bots.advice import advise
from tavolino.bots.players import LEVELS, at_once_in, builtin, in_style
from tavolino.bots.position import Limits, Position
from tavolino.play.advice import Advice
from tavolino.play.cores import cores
from tavolino.play.game import Game
from tavolino.server.metrics import THINKING
from tavolino.server.own_bots import OwnBot, file_of
from tavolino.server.shares import FairShares
from tavolino.server.warming import WarmUp

STAND_IN = ("hard", "easy")
"""Who stands in for bots that think long while a game is not compiled: one that does not, else the quickest."""
HINT_SECONDS = 0.5
HINT_MOVES = 5
log = logging.getLogger("tavolino.server")
T = TypeVar("T")


class BotPool:
    """A pool of threads. The compiled search releases the interpreter's lock, so the event loop is not blocked."""

    def __init__(self, threads: int | None = None, warming: WarmUp | None = None, own: Sequence[OwnBot] = ()) -> None:
        threads = threads or cores()
        self.warming = warming or WarmUp(lambda key: None)
        self._own = own
        self._pool = ThreadPoolExecutor(threads + 1, thread_name_prefix="bot")  # one is free for who answers at once
        self._shares = FairShares(threads)
        self._advisers = asyncio.Semaphore(max(1, threads // 2))
        """Hints use at most half of the threads, so that bots go on, however many people ask."""
        self.advised: set[str] = set()
        """Who waits for a hint, at any table and socket."""

    async def choose(self, game: Game, seat: int, level: str, address: str = "", style: str = "") -> str:
        """Return a bot's move; `game` is its own copy. Cancelled, it stops thinking at once.

        A level plays in a style where the game has it. `address` is the address of whom the bot plays with: those who
        think for long take turns by it. Where the game is not
        compiled yet, another answers for the expert, who would think for minutes; so it does for a bot of the server's
        own that it has no longer.
        """
        quick = at_once_in(game.key)
        player = in_style(level, style, game.key) if level in LEVELS else file_of(self._own, game.key, level)
        if player is None or (player not in quick and self.warming.of(game.key) is not None):
            player = next((one for one in STAND_IN if one in quick), STAND_IN[-1])
        chosen = player

        def think(position: Position) -> str:
            try:
                return builtin(chosen, game.key).choose(position)
            except Exception:  # a table must go on, whatever is wrong with a bot
                log.exception("a bot failed", extra={"game": game.key, "level": level})
                return builtin("random").choose(position)

        with THINKING.time():
            if chosen in quick:
                return await self._run(think, game, seat)
            async with self._shares.of(address):
                return await self._run(think, game, seat)

    async def advise(self, game: Game, seat: int, address: str = "") -> list[Advice]:
        """Return the best moves with the chance of winning with each, and why."""
        with THINKING.time():
            async with self._advisers, self._shares.of(address):
                found = await self._run(lambda position: advise(position, HINT_SECONDS), game, seat)
        return found[:HINT_MOVES]

    async def _run(self, think: Callable[[Position], T], game: Game, seat: int) -> T:
        stop = np.zeros(1, np.int64)
        position = Position(game, seat, secrets.token_hex(8), Limits(), stop)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, think, position)
        except asyncio.CancelledError:
            stop[0] = 1
            raise

    def close(self) -> None:
        """Start no more thinking."""
        self._pool.shutdown(wait=False, cancel_futures=True)
