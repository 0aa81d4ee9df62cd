"""Measure speed beside the peers several times, and write the ranges into the docs.

`python -m tools.speed --runs 3` runs `tavolino bench` so often (each takes about a quarter of an hour; `make bench`
installs the peers first), keeps what was measured in docs/data/speed.json and writes docs/speed.md and the phrases
between `<!-- speed NAME -->` and `<!-- /speed -->` in all pages. `--only PART` measures a part anew and keeps the rest;
without `--runs` nothing is measured.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from tavolino.bench import BenchRow
from tavolino.engine.registry import GAMES

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "data" / "speed.json"
PHRASE = re.compile(r"(<!-- speed (\w+) -->)(.*?)(<!-- /speed -->)", re.DOTALL)
KEPT = ("name", "ours", "unit", "mark", "theirs", "peer", "peers", "note", "missing", "failed")

Run = list[BenchRow]


def pages() -> list[Path]:
    """Return the pages that may hold figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def read() -> list[Run]:
    """Read what was measured, run by run."""
    return [[BenchRow(**row) for row in run] for run in json.loads(DATA.read_text("utf-8"))]


def keep(runs: Iterable[Run]) -> None:
    """Store what was measured, four digits of each number."""

    def short(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: short(one) for name, one in value.items()}
        return float(f"{value:.4g}") if isinstance(value, float) else value

    rows = [[{name: short(row.data()[name]) for name in KEPT} for row in run] for run in runs]
    DATA.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")


def measure(only: list[str]) -> Run:
    """Run the benchmark once, in a process of its own."""
    command = [sys.executable, "-m", "tavolino", "bench", "--json", *(f"--only={part}" for part in only)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.returncode)
    return [BenchRow(**{name: row[name] for name in KEPT}) for row in json.loads(done.stdout)["rows"]]


def merge(old: Run, new: Run) -> Run:
    """Return the old rows with the groups that were measured anew in place of theirs; a new group goes to the end."""
    names = dict.fromkeys(group(row) for row in old + new)
    fresh = {group(row) for row in new}
    return [row for name in names for row in (new if name in fresh else old) if group(row) == name]


def group(row: BenchRow) -> str:
    """Return what a row's name begins with."""
    return row.name.partition(":")[0]


def number(value: float) -> str:
    """Write a rate or a size, three digits of it."""
    size, letter = next(((size, letter) for size, letter in ((1e6, " M"), (1e3, " k")) if value >= size), (1, ""))
    digits = f"{value / size:.3g}"
    if letter or value < 10:
        digits = f"{value / size:.{2 if value / size < 10 else 1 if value / size < 100 else 0}f}"
    return digits + letter


def times(value: float) -> str:
    """Write a ratio."""
    return f"{value:.1f}"


def span(values: Iterable[float | None], write: Callable[[float], str]) -> str:
    """Write a range: its ends, or one of them if they read alike."""
    found = [value for value in values if value is not None]
    if not found:
        return "–"
    low, high = write(min(found)), write(max(found))
    unit = high.partition(" ")[2]
    if low == high:
        return high
    return f"{low.removesuffix(f' {unit}') if unit else low} to {high}"


def section(name: str, runs: list[Run]) -> Iterator[str]:
    """Yield the lines about a group of rows."""
    rows = [row for run in runs for row in run if group(row) == name]
    first = rows[0]
    compared = any(row.theirs is not None for row in rows)
    yield f"### {name[0].upper()}{name[1:]}"
    yield ""
    if compared:
        yield f"| | {first.unit} | times theirs | times their quickest | mark | |"
        yield "|---|---:|---:|---:|---:|---|"
    else:
        yield f"| | {first.unit} | mark | |"
        yield "|---|---:|---:|---|"
    for label in dict.fromkeys(row.name for row in rows):
        same = [row for row in rows if row.name == label]
        cells = [label.partition(": ")[2] or label, span((row.ours for row in same), number)]
        if compared:
            cells += [span((row.ratio for row in same), times), span((row.least for row in same), times)]
        cells += [f"{'≥' if compared else '≤'} {same[0].mark:g}", verdict(same)]
        yield "| " + " | ".join(cells) + " |"
    if compared:
        names = dict.fromkeys(name for row in rows for name in row.peers)
        rates = (f"{name} {span((row.peers.get(name) for row in rows), number)}" for name in names)
        yield ""
        yield f"The mark compares ours with {first.peer}. All of theirs: {', '.join(rates)}."
    for note in dict.fromkeys(row.note for row in rows if row.note and compared):
        yield ""
        yield f"{note[0].upper()}{note[1:]}."
    for text in dict.fromkeys(row.missing or row.failed for row in rows if row.missing or row.failed):
        yield ""
        yield f"Not measured in some run: {text}."
    yield ""


def verdict(rows: list[BenchRow]) -> str:
    """Say in how many runs a mark was reached."""
    held = sum(row.holds is True for row in rows)
    return "holds" if held == len(rows) else f"**missed** in {len(rows) - held} of {len(rows)} runs"


def phrases(runs: list[Run]) -> dict[str, str]:
    """Return what pages quote, by name."""

    def of(start: str) -> list[BenchRow]:
        return [row for run in runs for row in run if row.name.startswith(start)]

    def range_of(start: str) -> str:
        return span((row.ours for row in of(start)), number)

    def ratio(start: str) -> str:
        return span((row.ratio for row in of(start)), times)

    def least(start: str) -> str:
        return span((row.least for row in of(start)), times)

    groups = dict.fromkeys(group(row) for run in runs for row in run)
    return {
        "runs": span(Counter(row.name for run in runs for row in run).values(), "{:.0f}".format),
        "rules": f"{range_of('random play').replace(' M', ' million')} random moves per second on one core, "
        f"{ratio('random play')} times the median of OpenSpiel's card games in its fastest C++ loop",
        "batch": f"{range_of('batch:')} steps per second, {ratio('batch:')} times pgx's 2048 and {least('batch:')} "
        "times its connect_four",
        "one": f"{range_of('one game')} decisions per second, {ratio('one game')} times OpenSpiel's",
        "agents": f"bare {range_of('agent by agent, bare')} steps per second, {ratio('agent by agent, bare')} times "
        f"PettingZoo's own connect_four; as `env()` makes them, with all checks, {range_of('agent by agent, env()')}, "
        f"{ratio('agent by agent, env()')} times; in PettingZoo's own wrappers "
        f"{range_of('agent by agent, in wrappers')}, {ratio('agent by agent, in wrappers')} times",
        "ray": ", ".join(
            f"{GAMES[row.name.partition(': ')[2]].title} {span((one.ours for one in of(row.name)), times)} %"
            for row in runs[0]
            if row.name.startswith("Ray overhead: ")
        ),
        "lead": f"{range_of('Ray: leading')} ms",
        "tables": "\n" + "\n".join(line for name in groups for line in section(name, runs)),
    }


def written(page: str, said: dict[str, str]) -> str:
    """Return a page with its phrases written anew; a name that does not exist is an error."""

    def phrase(found: re.Match[str]) -> str:
        if found[2] not in said:
            sys.exit(f"there is no phrase {found[2]!r}; there are {', '.join(said)}")
        return found[1] + said[found[2]] + found[4]

    return PHRASE.sub(phrase, page)


def main() -> None:
    """Measure if asked to, and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=0, help="how often to measure (default 0)")
    parser.add_argument("--only", action="append", default=[], metavar="PART", help="measure this part only")
    given = parser.parse_args()
    old = read() if DATA.exists() else []
    for turn in range(given.runs):
        print(f"run {turn + 1} of {given.runs}", file=sys.stderr)
        new = measure(given.only)
        whole = merge(old[turn], new) if given.only and turn < len(old) else new
        old = [*old[:turn], whole, *old[turn + 1 :]]
        keep(old)
    if given.runs and not given.only:
        keep(old[: given.runs])
    said = phrases(read())
    for path in pages():
        path.write_text(written(path.read_text("utf-8"), said), "utf-8")


if __name__ == "__main__":
    main()
