"""Starts servers fast: imports everything once, then forks a server for each line `DATABASE PORT PACE` it reads.

A forked server is a process of its own, so that it can be killed like any; it takes a few milliseconds to begin where
`tavolino serve` takes seconds. Prints the child's number, then `ready NUMBER` when it listens.
"""

import asyncio
import os
import signal
import sys

from tavolino.bots.players import LEVELS, builtin
from tavolino.bots.position import Limits, Position
from tavolino.games import GAMES
from tavolino.play.game import new
from tavolino.server.config import Config
from tavolino.server.run import fast_loop, listen, serve, set_up_logs


def warm() -> None:
    """Load compiled code into this process."""
    for key in GAMES:
        game = new(key, seed=0)
        game.tell(game.legal_moves[0])
        for level in LEVELS:
            builtin(level).choose(Position(new(key, seed=0), new(key, seed=0).to_move or 0, "0", Limits(simulations=1)))


def child(database: str, port: int, pace: float) -> None:
    config = Config(database=database, pace=pace, messages_a_second=1e6, requests_a_second=1e6, sockets_each=5000)
    config = Config(**{**config.__dict__, "tables_each": 5000})
    set_up_logs()
    with asyncio.Runner(loop_factory=fast_loop()) as runner:
        runner.run(serve(config, listen("127.0.0.1", port), lambda: print(f"ready {os.getpid()}", flush=True)))


def main() -> None:
    warm()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("warm", flush=True)
    for line in sys.stdin:
        database, port, pace = line.split()
        if (number := os.fork()) == 0:
            os.close(0)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                child(database, int(port), float(pace))
            finally:
                os._exit(0)
        print(number, flush=True)


if __name__ == "__main__":
    main()
