"""A process that forks others, each of which appends to many tables until it is killed, and prints what is stored.

For each line of stdin: the child's number, then `table number` for every append acknowledged, then `dead`.
"""

import asyncio
import importlib
import os
import sys

from tavolino.server.entries import Moved, Opened
from tavolino.server.settings import TableSettings
from tavolino.server.store import Row, Store


async def append(url: str, prefix: str) -> None:
    store = Store(url)
    await store.start()

    async def table(name: str) -> None:
        await store.append([Row(name, 0, 1, Opened(TableSettings("orma", ["me", "open"]), "ann", "Ann"), None, "ann")])
        number = 0
        while True:
            os.write(1, f"{name} {number}\n".encode())
            await store.append([Row(name, number + n, 1, Moved(0, ["u17"]), f"ann:{number + n}") for n in (1, 2)])
            number += 2

    await asyncio.gather(*(table(f"{prefix}-{n}") for n in range(6)))


def main() -> None:
    importlib.import_module("tavolino.server.migrations")  # once, not by each child
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os.write(1, f"{os.getpid()}\n".encode())
            asyncio.run(append(sys.argv[1], line.strip()))
        os.waitpid(child, 0)
        os.write(1, b"dead\n")


if __name__ == "__main__":
    main()
