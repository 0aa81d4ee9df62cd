"""`tavolino bench`: benchmark against comparable libraries."""

from typing import TYPE_CHECKING

import click

from tavolino.cli.common import err, out

if TYPE_CHECKING:
    from tavolino.bench import BenchRow


@click.command(epilog="For example: tavolino bench --only random --only batch")
@click.option("--only", multiple=True, metavar="PART", help="Measure only this part; can be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def bench(only: tuple[str, ...], as_json: bool) -> int:
    """Benchmark against comparable libraries, in one run: about fifteen minutes.

    One thread, CPU time, the median of several rounds, ours and theirs in turn. Libraries that are not installed are
    skipped, and named. The exit code is 1 if a mark is missed; everything is measured and shown all the same.
    """
    import json

    from tavolino import bench as bench_

    if wrong := sorted(set(only) - set(bench_.measures())):
        known = ", ".join(bench_.measures())
        raise click.BadParameter(f"there is no part {wrong[0]!r}; the parts are {known}", param_hint="'--only'")
    with err().status("measuring …") as status:
        rows = bench_.bench(lambda what: status.update(f"measuring: {what} …"), only)
    if as_json:
        click.echo(json.dumps({"rows": [row.data() for row in rows]}))
    else:
        _show(rows)
    return 1 if any(row.holds is False for row in rows) else 0


def _show(rows: "list[BenchRow]") -> None:
    from rich.table import Table

    heads = ("what", "ours", "theirs", "ratio", "mark", "", "unit", "their quickest")
    table = Table(*heads, box=None, padding=(0, 1), header_style="bold")
    for column in table.columns[1:]:
        column.no_wrap = True
    for column in (*table.columns[1:5], table.columns[-1]):
        column.justify = "right"
    for row in rows:
        compared = row.ratio is not None or row.missing is not None
        mark = f"≥ {row.mark:g} ×" if compared else f"≤ {_number(row.mark)}"
        holds = {True: "holds", False: "MISSED", None: "not compared"}[row.holds]
        if row.failed:
            holds = "FAILED"
        if row.ours is None:
            mark = ""
        table.add_row(
            row.name,
            _number(row.ours),
            _number(row.theirs),
            _times(row.ratio),
            mark,
            holds,
            row.unit,
            _times(row.least),
        )
    console = out()
    console.print(table)
    for row in rows:
        if row.failed:
            console.print(f"failed, {row.name}: {row.failed}", markup=False)
    said: dict[str, list[str]] = {}
    for row in rows:
        theirs = ", ".join(f"{name} {_number(rate)}" for name, rate in row.peers.items())
        for text in (f"theirs: {row.peer}: {theirs}" if theirs else None, row.note, row.missing):
            if text:
                said.setdefault(text, []).append(row.name)
    for text, names in said.items():
        console.print(f"{names[0] if len(names) == 1 else names[0].partition(':')[0]}: {text}", markup=False)


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.1f} ×"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    if value < 1000:
        return f"{value:.3g}"
    return f"{value / 1e6:.1f} M" if value >= 1e6 else f"{value / 1e3:.3g} k"
