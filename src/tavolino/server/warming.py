"""Compile in the background, starting with the game that someone wants to play; until then rules are plain Python.

Nobody waits for it: a table starts at once on plain rules (`engine.tiers`), and switches to compiled code between two
moves, when another process has made it and a thread has loaded it. If that fails, the server says so once and carries
on without.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from tavolino.engine import jit, tiers
from tavolino.engine.registry import GAMES
from tavolino.play.cores import cores
from tavolino.server.descriptions import Warmth

AT_ONCE = 2
"""How many processes compile at the same time, if there are cores for them."""
TRIES, AGAIN = 3, 20.0
"""How often a game is tried, and the seconds between."""
log = logging.getLogger("tavolino.server")


@dataclass(frozen=True)
class Compiler:
    """How games are compiled and loaded; passed in by whatever starts the server."""

    commands: Callable[[str], list[list[str]]]
    """Return command lines that together compile what the tables of a game need.

    Each prints a line for every part that is done, and ends when its standard input does.
    """
    load: Callable[[str], None]
    """Load what is compiled of a game from disk; NotCompiled if anything is missing."""
    parts: Callable[[str], int]
    """How many lines the commands print for a game."""


class WarmUp:
    """Which games are still played by plain rules, and the work to change that."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Begin with all games as they are; `tell` is called with a game when it comes along."""
        self._tell = tell
        self._waiting: list[str] = []
        self._asked: set[str] = set()
        """Games that somebody plays."""
        self._done: Counter[str] = Counter()
        self._total: Counter[str] = Counter()
        self._compiling: str | None = None
        self._work: asyncio.Task[str | None] | None = None

    def of(self, key: str) -> Warmth | None:
        """Return how far a game is; None if it is ready, no parts at all if it will not be."""
        if not tiers.is_plain(key):
            return None
        if key not in self._waiting:
            return Warmth(0, 0)
        return Warmth(self._done[key], self._total[key])

    def ask(self, key: str) -> None:
        """Let a game go first that someone plays now; another that nobody plays yet makes way."""
        if key in self._asked:
            return
        self._asked.add(key)
        if key in self._waiting and key != self._compiling:
            before = [one for one in self._waiting if one in self._asked and one != key]
            self._waiting = [*before, key, *(one for one in self._waiting if one not in self._asked)]
            if self._work is not None and self._compiling not in self._asked:
                self._work.cancel()

    def begin(self) -> None:
        """Play all games by plain rules from now on, until `run` has made them ready."""
        if not jit.INTERPRETED:
            tiers.plain("tavolino.bots.policies")  # now: nobody is here yet
            tiers.use_plain(*GAMES)
            self._waiting = list(GAMES)

    async def run(self, compiler: Compiler) -> None:
        """Make each game ready, until all are or it cannot be done."""
        self._total.update({key: compiler.parts(key) for key in self._waiting})
        for key in list(self._waiting):
            await self._load(compiler, key)
        if jit.FORBIDDEN:
            self._give_up("TAVOLINO_COMPILE is never", *self._waiting)
        tries: Counter[str] = Counter()
        while self._waiting:
            key = self._waiting[0]
            if tries[key]:
                await asyncio.sleep(AGAIN)
            failed = await self._make(compiler, key)
            if key not in self._waiting[:1]:  # it is ready, or another goes first
                continue
            tries[key] += 1
            if failed is None:
                self._give_up("what is compiled cannot be kept on disk", *self._waiting)
            elif tries[key] == TRIES:
                self._give_up(failed, key)
            else:
                self._waiting = [*self._waiting[1:], key]

    def _give_up(self, why: str, *keys: str) -> None:
        """Let games be played by plain rules for good."""
        if keys:
            log.warning(f"compiling failed: {why}; play goes on without it", extra={"games": ", ".join(keys)})
        self._waiting = [key for key in self._waiting if key not in keys]
        for key in keys:
            self._tell(key)

    async def _load(self, compiler: Compiler, key: str) -> bool:
        """Let a game be played by compiled code if all of it lies on disk."""
        try:
            await asyncio.get_running_loop().run_in_executor(None, compiler.load, key)
        except jit.NotCompiled:
            return False
        tiers.use_compiled(key)
        self._waiting.remove(key)
        self._tell(key)
        return True

    async def _make(self, compiler: Compiler, key: str) -> str | None:
        """Compile and load a game; return what went wrong."""
        self._done[key], self._compiling = 0, key
        self._work = work = asyncio.create_task(self._compile(compiler, key))
        try:
            await asyncio.wait({work})
            if work.cancelled():
                return "another game goes first"
            failed = work.result()
            if failed is None:
                await self._load(compiler, key)
            return failed
        finally:
            work.cancel()
            self._work = self._compiling = None

    async def _compile(self, compiler: Compiler, key: str) -> str | None:
        turns = asyncio.Semaphore(min(AT_ONCE, cores()))
        ends = await asyncio.gather(*(self._run(command, key, turns) for command in compiler.commands(key)))
        return next((end for end in ends if end is not None), None)

    async def _run(self, command: list[str], key: str, turns: asyncio.Semaphore) -> str | None:
        """Run a process to its end and count the parts it has done; return what went wrong."""
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        async with turns:
            try:
                process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=nothing)
            except OSError as error:
                return str(error)
            try:
                assert process.stdout is not None
                async for _ in process.stdout:
                    self._done[key] += 1
                    self._tell(key)
                code = await process.wait()
            finally:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
        return None if code == 0 else f"the compiling process ended with {code}"
