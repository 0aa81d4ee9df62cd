"""`tavolino bench`: measure beside the peers."""

import click

from tavolino.cli.common import err, out


@click.command(epilog="For example: tavolino bench --json")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def bench(as_json: bool) -> int:
    """Measure speed beside the peers, in one run: about five minutes.

    One thread, CPU time, the best of several rounds, ours and theirs in turn. Exit code 1 if a mark is missed.
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
        table = Table(
            "what", "ours", "theirs", "ratio", "mark", "", "unit", box=None, padding=(0, 1), header_style="bold"
        )
        for column in table.columns[1:]:
            column.no_wrap = True
        for column in table.columns[1:5]:
            column.justify = "right"
        for row in rows:
            mark = f"≥ {row['mark']} ×" if row["ratio"] is not None else f"≤ {_number(row['mark'])}"
            ratio = "" if row["ratio"] is None else f"{row['ratio']:.1f} ×"
            holds = "holds" if row["holds"] else "MISSED"
            table.add_row(row["name"], _number(row["ours"]), _number(row["theirs"]), ratio, mark, holds, row["unit"])
        console = out()
        console.print(table)
        for peer in dict.fromkeys(row["peer"] for row in rows if row["peer"]):
            console.print(f"theirs: {peer}")
        for by in dict.fromkeys((row["name"].partition(":")[0], row["by"]) for row in rows if row["by"]):
            console.print(f"ours, {by[0]}: most of it is {by[1]}")
    return 0 if all(row["holds"] for row in rows) else 1


def _number(value: float | None) -> str:
    if value is None:
        return ""
    if value < 1000:
        return f"{value:.3g}"
    return f"{value / 1e6:.1f} M" if value >= 1e6 else f"{value / 1e3:.3g} k"
