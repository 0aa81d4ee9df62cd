"""Reviews of finished games: made in processes beside the event loop, a few at a time, and kept for a while."""

import asyncio
import contextlib
import logging
import sys
from collections import OrderedDict
from typing import Any

import msgspec
from msgspec import Struct

from tavolino.play.cores import cores
from tavolino.server.commands import RequestRefused

KEPT = 64
"""Reviews that are kept in memory, the latest asked for."""
WAITING = 32
"""How many may wait for their turn."""
LINE = 1 << 24
"""The longest line of a review, in bytes."""
DEEPER = 4
"""How many times as many tries a deeper look has."""
log = logging.getLogger("tavolino.server")
Name = tuple[str, int, bool]
"""A table, the number of its game, and whether the look is deeper."""


class Reviewed(Struct):
    """The review of a finished game, as far as it is."""

    done: float = 0.0
    """The share of the game that was reviewed, from 0 to 1."""
    curve: list[list[float]] = []
    """The chances of all seats so far: after the deal, after each move."""
    review: dict[str, Any] | None = None
    """The whole review (docs/lab.md), once it is done; null for ever on a server that reviews nothing."""
    tries: int = 0
    """How deep this server looks: sampled games per line of play. A page that can reviews as deeply itself."""


class Reviews:
    """The reviews of one server process."""

    def __init__(self, tries: int) -> None:
        self._tries = tries
        self._found: OrderedDict[Name, Reviewed] = OrderedDict()
        self._working: dict[Name, asyncio.Task[None]] = {}
        self._turns = asyncio.Semaphore(max(1, cores() // 2))

    def of(self, name: Name, record: dict[str, Any], begin: bool = True) -> Reviewed:
        """Return how far a review is; begin it if it is new, or if it failed before. Without tries there is none."""
        if not self._tries:
            return Reviewed(1.0)
        tries = self._tries * (DEEPER if name[2] else 1)
        if name not in self._found and not begin:
            return Reviewed(tries=tries)
        if name not in self._found:
            if len(self._working) >= WAITING:
                raise RequestRefused("too_fast", "many games are being reviewed: ask again in a moment")
            self._found[name] = Reviewed(tries=tries)
            work = asyncio.get_running_loop().create_task(self._work(name, record))
            self._working[name] = work
            work.add_done_callback(lambda _: self._working.pop(name, None))
            for old in list(self._found)[: max(0, len(self._found) - KEPT)]:
                if old not in self._working:
                    del self._found[old]
        self._found.move_to_end(name)
        return self._found[name]

    def forget(self, table: str) -> None:
        """Drop the reviews of a table's games."""
        for name in [one for one in self._found if one[0] == table]:
            if (work := self._working.get(name)) is not None:
                work.cancel()
            self._found.pop(name, None)

    async def _work(self, name: Name, record: dict[str, Any]) -> None:
        found, pipe = self._found[name], asyncio.subprocess.PIPE
        async with self._turns:
            process = None
            try:
                command = (sys.executable, "-m", "tavolino.lab.review_process")
                process = await asyncio.create_subprocess_exec(
                    *command, stdin=pipe, stdout=pipe, stderr=pipe, limit=LINE
                )
                await self._hear(process, found, {"record": record, "tries": found.tries})
            except OSError as error:  # no memory, or too many files
                log.error("a review could not be started", extra={"why": str(error)})
            finally:
                if found.review is None:
                    self._found.pop(name, None)  # whoever asks again tries again
                if process is not None:
                    with contextlib.suppress(ProcessLookupError):
                        process.kill()

    async def _hear(self, process: asyncio.subprocess.Process, found: Reviewed, asked: dict[str, Any]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(msgspec.json.encode(asked))
        process.stdin.close()
        complaints = asyncio.get_running_loop().create_task(process.stderr.read())
        async for line in process.stdout:
            said = msgspec.json.decode(line)
            if "review" in said:
                found.done, found.curve, found.review = 1.0, said["review"]["curve"], said["review"]
            else:
                found.done = min(0.99, said["done"])
                found.curve.extend(said["more"])
        if await process.wait() or found.review is None:
            log.error("a review failed", extra={"why": (await complaints).decode(errors="replace")[-2000:]})

    def close(self) -> None:
        """Stop all work."""
        for work in self._working.values():
            work.cancel()
