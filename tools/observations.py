"""The tables of observations and actions in docs/envs.md, from the code that writes them.

With `--check` it writes nothing and fails if the file is stale.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tavolino.engine.observe import ENCODERS, NEWEST
from tavolino.engine.registry import GAMES, HERE
from tavolino.envs.setup import env_setup, fields

PAGE = Path(__file__).resolve().parent.parent / "docs" / "envs.md"
BEGIN, END = "<!-- made by tools/observations.py -->", "<!-- end -->"
ACTIONS = {
    "out-of-sock": "`n` = `shake:n` (2 to 7), 8 `split`, 9 `single`, `10 + place` = `take:place`,"
    " `20 + k` = `winner:` the k-th seat after mine (0: me)",
    "face-to-face": "`64 · pile + card` (piles: 0 my ascending, 1 my descending, 2 and 3 the other's), 0 `end`",
    "orma": "`64 · colour + b` starts a row at black token b (colours from green = 1), `64 · colour + 12 + r` goes on"
    " row r, black (colour 0) closes it; 0 `draw`, 1 `keep`, 2 `pass`",
}


def lines() -> Iterator[str]:
    """Yield the lines of the tables."""
    for key, game in GAMES.items():
        if not game.package.startswith(HERE):
            continue  # installed beside ours
        setup = env_setup(key, None, {})
        encoder = ENCODERS[NEWEST][key]
        yield f"### {game.title}: {encoder.SIZE} numbers, version {encoder.VERSION}; {setup.actions} actions"
        yield from (f"Actions: {ACTIONS[key]}.", "") if key in ACTIONS else ("",)
        yield "| field | where | shape | meaning |"
        yield "|---|---|---|---|"
        for name, (where, field) in fields(key).items():
            shape = " × ".join(map(str, field.shape))
            yield f"| `{name}` | {where.start}:{where.stop} | {shape} | {field.meaning} |"
        yield ""


def main() -> None:
    """Write the tables, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is stale")
    check = parser.parse_args().check
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(BEGIN)
    new = "\n".join([head + BEGIN, *lines(), END + rest.partition(END)[2]])
    if check and new != page:
        sys.exit("docs/envs.md is stale: run python -m tools.observations")
    if not check:
        PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
