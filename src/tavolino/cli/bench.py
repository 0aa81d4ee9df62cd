"""`tavolino bench`: measure beside the peers."""

import click

from tavolino.cli.common import err, out


@click.command(epilog="For example: tavolino bench --json")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def bench(as_json: bool) -> int:
    """Measure speed beside the peers, in one run: a minute or two.

    One thread, CPU time, best of five, ours and theirs in turn. Exit code 1 if a mark is missed.
    """
    import json

    from rich.table import Table

    from tavolino.study.bench import PeerMissing
    from tavolino.study.bench import bench as measure

    try:
        with err().status("measuring …") as status:
            result = measure(lambda what: status.update(f"measuring: {what} …"))
    except PeerMissing as error:
        raise click.ClickException(str(error)) from None
    rows = result["rows"]
    if as_json:
        click.echo(json.dumps(result))
    else:
        table = Table("what", "ours", "theirs", "ratio", "mark", "holds", box=None, padding=(0, 2), header_style="bold")
        for column in table.columns[1:5]:
            column.justify = "right"
        for row in rows:
            ours, theirs = (_number(row[side], row["unit"]) for side in ("ours", "theirs"))
            mark = f"≥ {row['mark']} ×" if row["ratio"] is not None else f"≤ {_number(row['mark'], row['unit'])}"
            ratio = "" if row["ratio"] is None else f"{row['ratio']:.1f} ×"
            table.add_row(row["name"], ours, theirs, ratio, mark, "yes" if row["holds"] else "no")
        console = out()
        console.print(table)
        for peer in dict.fromkeys(row["peer"] for row in rows if row["peer"]):
            console.print(f"theirs: {peer}")
    return 0 if all(row["holds"] for row in rows) else 1


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value / 1e6:.1f} M {unit}" if value >= 1e6 else f"{value:.4g} {unit}"
