"""Review a game in a process of its own: `python -m tavolino.lab.review_process`, used by the server.

It reads one JSON object, `{"record": …, "tries": 192}`, and prints lines of JSON: how far it is, then the review.
So what is still to be compiled is compiled here, and nobody waits for Python's lock. The page tells reasons only where
a move lost something, so no others are looked for.
"""

import contextlib
import os
import sys

import msgspec

from tavolino.lab.reviewing import review_in_slices

NICE = 10
"""How much lower it sets its priority: people's moves go first."""


def main() -> None:
    """Review the game that standard input describes."""
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICE)
    asked = msgspec.json.decode(sys.stdin.buffer.read())
    slices, told = review_in_slices(asked["record"], tries=asked["tries"], all_reasons=False), 0
    while True:
        try:
            found = next(slices)
        except StopIteration as end:
            _say({"review": end.value})
            return
        _say({"done": found.done, "more": found.curve[told:]})
        told = len(found.curve)


def _say(line: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
