"""`tavolino analyse`: analyse a played game, decision by decision, as a page."""

from pathlib import Path

import click

from tavolino.cli.common import RECORDS

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    short_help="Analyse a recorded game: best moves, luck and skill.",
    epilog="Example: tavolino analyse games.jsonl --game 3 --out page.html",
)
@click.argument("file", metavar="RECORD", type=RECORDS)
@click.option("--game", "number", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Which game.")
@click.option(
    "--tries",
    type=click.IntRange(2),
    default=200,
    show_default=True,
    metavar="K",
    help="Sampled worlds per estimate.",
)
@click.option("--seed", default="1", show_default=True, metavar="S", help="Same seed and tries, same page.")
@click.option("--out", type=FILE, metavar="FILE", help="Write the page here, such as page.html.")
@click.option("--json", "as_json", is_flag=True, help="Print all numbers as one JSON object.")
def analyse(file: str, number: int, tries: int, seed: str, out: Path | None, as_json: bool) -> int:
    """Analyse a game in RECORD (one record per line; - reads standard input), complete or not.

    The page shows the best move for every decision, given what that seat could know, and what was lost; the luck of
    every draw and roll; and how both add up to the result. If the record is wrong, it says why; exit code 1.
    """
    if out is None and not as_json:
        raise click.UsageError("say where to write the page, such as --out page.html (or use --json)")
    from tavolino.cli.common import bar, err, read_seed
    from tavolino.cli.compiled import compiling
    from tavolino.cli.replay import find_record
    from tavolino.engine.phrases import counted
    from tavolino.engine.registry import GAMES
    from tavolino.play.atomic_file import atomic_file, check_writable
    from tavolino.play.records import BadRecord, replay

    if out is not None:
        check_writable(out)
    record = find_record(file, number)
    try:
        if isinstance(record, BadRecord):
            raise record
        game = replay(record)
    except BadRecord as error:
        click.echo(f"Wrong: game {number} of {file}: {error}")
        return 1
    from tavolino.lab.analysis import analyse as run
    from tavolino.lab.analysis_page import analysis_page

    console = err()
    compiling(console, [game.key], "analyse")
    with bar(console, f"Analysing {counted(len(game.moves), 'move')} of {GAMES[game.key].title}", 1.0) as progress:
        result = run(record, tries=tries, seed=read_seed(seed) or 0, progress=progress)
    if out is not None:
        with atomic_file(out) as opened:
            opened.write(analysis_page(result).encode())
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(result.as_json()))
        return 0
    click.echo(f"{result.title}, {result.players} players, {counted(len(result.steps), 'move')}: {out}")
    for one in result.seats:
        click.echo(
            f"seat {one.seat}: {_points(one.start.value)} at the start, own play {_points(one.skill.value, True)}, "
            f"luck {_points(one.luck.value, True)}, {_points(one.end.value)} at the end; "
            f"{counted(one.blunders, 'blunder')}"
        )
    return 0


def _points(value: float, signed: bool = False) -> str:
    return f"{100 * value:+.1f}" if signed else f"{100 * value:.1f} %"
