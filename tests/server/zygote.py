"""Starts servers fast: imports everything once, then forks one for each line it reads: a port and a `Config`, as JSON.

A forked server is a process of its own, so that it can be killed like any; it takes a few milliseconds to begin where
`tavolino serve` takes seconds. Prints the child's number, then `ready NUMBER` when it listens.
"""

import asyncio
import ctypes
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
from typing import Any

from tavolino.bots.players import LEVELS, builtin
from tavolino.bots.position import Limits, Position
from tavolino.browser.site import engine_file
from tavolino.engine.registry import GAMES
from tavolino.play.game import new
from tavolino.server.app import Server
from tavolino.server.config import Config
from tavolino.server.own_bots import read_own_bots
from tavolino.server.run import fast_loop, listen, serve, set_up_logs, uvicorn_config


def warm() -> None:
    """Load compiled code, and all that a server imports late, into this process."""
    for name in ("tavolino.server.migrations", "psycopg"):
        importlib.import_module(name)
    config = Config(database="unused.sqlite")
    uvicorn_config(Server(config).app, config).load()
    for key in GAMES:
        game = new(key, seed=0)
        game.tell(game.legal_moves[0])
        for level in LEVELS:
            builtin(level).choose(Position(new(key, seed=0), new(key, seed=0).to_move or 0, "0", Limits(simulations=1)))


LIMITS = {"messages_a_second": 1e6, "requests_a_second": 1e6, "sockets_each": 5000, "tables_each": 5000}
LIMITS |= {"tables_an_hour": 1e6}
"""Wide, unless a test says otherwise."""


def child(port: int, given: dict[str, Any]) -> None:
    """Serve; `given` may also say how many open `files` the system allows: the soft limit and the hard one.

    With `engine`, browsers get what they check a deal with, as from `tavolino serve`; `bots` are as it takes them.
    """
    if files := given.pop("files", None):
        resource.setrlimit(resource.RLIMIT_NOFILE, files)
    if given.pop("engine", False):
        given["engine"] = engine_file
    given["bots"] = read_own_bots(given.get("bots", ()))
    config = Config(**LIMITS | given | {"origins": tuple(given.get("origins", ()))})
    set_up_logs()
    signal.signal(signal.SIGUSR1, lambda *_: set_forward())
    with asyncio.Runner(loop_factory=fast_loop()) as runner:
        runner.run(serve(config, listen("127.0.0.1", port), lambda: print(f"ready {os.getpid()}", flush=True)))


def set_forward() -> None:
    """Set the time of day forward by an hour, as an administrator might: on SIGUSR1."""
    time_ns = time.time_ns
    time.time_ns = lambda: time_ns() + 3_600_000_000_000


def end_with_parent() -> None:
    """Die with the process that forked this one: a test that fails leaves no server behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG


def main() -> None:
    warm()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()  # a child that collects would copy all of this
    print("warm", flush=True)
    for line in sys.stdin:
        port, given = json.loads(line)
        if (number := os.fork()) == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # not closed: the event loop would take the number
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            end_with_parent()
            try:
                child(port, given)
            finally:
                os._exit(0)
        print(number, flush=True)


if __name__ == "__main__":
    main()
