"""Compile what a server needs of a game, in a process beside it: `python -m tavolino.cli.compiler GAME HALF`."""

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tavolino.server.warming import Compiler

NICE = 10
"""How much lower a compiling process sets its priority."""


def halves(key: str) -> list[list[str]]:
    """Return the parts of a game that a server needs, in two halves of similar work: the expert's, and the rest."""
    from tavolino.bots.players import LEVELS
    from tavolino.cli.compiled import needs

    alone = needs(key, "serve")
    expert = [part for part in needs(key, "serve", ["expert"]) if part not in alone]
    return [expert, [part for part in needs(key, "serve", LEVELS) if part not in expert]]


def compiler() -> "Compiler":
    """Return how a server compiles its games: in processes that end with it."""
    from tavolino.cli.compiled import load
    from tavolino.server.warming import Compiler

    def commands(key: str) -> list[list[str]]:
        return [[sys.executable, "-m", __name__, key, str(i)] for i in range(len(halves(key)))]

    def parts(key: str) -> list[str]:
        return [part for half in halves(key) for part in half]

    return Compiler(commands, lambda key: load(key, parts(key)), lambda key: len(parts(key)))


def main(key: str, half: str) -> None:
    """Compile one half of a game's parts; print the name of each part when it is done."""
    from tavolino.cli.compiled import PARTS, without_scipy

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # at Ctrl-C we end with the server
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICE)
    with without_scipy():
        for part in halves(key)[int(half)]:
            PARTS[part](key)
            print(part, flush=True)


def _end_with_the_server() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
