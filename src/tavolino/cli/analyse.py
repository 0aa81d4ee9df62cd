"""`tavolino analyse`: review a played game, decision by decision, as a page or as data."""

from pathlib import Path

import click

from tavolino.cli.common import RECORDS

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    short_help="Review a recorded game: best moves, errors and luck.",
    epilog="Example: tavolino analyse games.jsonl --game 3 --out page.html",
)
@click.argument("file", metavar="RECORD", type=RECORDS)
@click.option("--game", "number", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Which game.")
@click.option(
    "--tries",
    type=click.IntRange(2),
    default=192,
    show_default=True,
    metavar="K",
    help="How deep: sampled worlds per line of play.",
)
@click.option("--seed", default="1", show_default=True, metavar="S", help="Same seed and tries, same page.")
@click.option(
    "--reasons/--no-reasons",
    default=True,
    help="Without, candidates have reasons only where a move lost something: a little quicker.",
)
@click.option("--out", type=FILE, metavar="FILE", help="Write the page here, such as page.html.")
@click.option("--json", "as_json", is_flag=True, help="Print all numbers as one JSON object.")
def analyse(file: str, number: int, tries: int, seed: str, reasons: bool, out: Path | None, as_json: bool) -> int:
    """Review a game in RECORD (one record per line; - reads standard input), complete or not.

    The page shows the chances of all seats, move by move; the best moves of every decision, given what that seat could
    know, and what was lost; the luck of every draw and roll; and how errors and luck add up to the result. If the
    record is wrong, it says why; exit code 1.
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
    from tavolino.lab import review
    from tavolino.lab.review_page import review_page, told
    from tavolino.play.terminal import seat_names

    console = err()
    compiling(console, [game.key], "analyse")
    with bar(console, f"Reviewing {counted(len(game.moves), 'move')} of {GAMES[game.key].title}", 1.0) as progress:
        found_by = read_seed(seed) or 0
        result = review(record, tries=tries, seed=found_by, all_reasons=reasons, progress=progress)
    if out is not None:
        with atomic_file(out) as opened:
            opened.write(review_page(result).encode())
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(result))
        return 0
    title, names = GAMES[game.key].title, seat_names(game.players)
    click.echo(f"{title}, {game.players} players, {counted(len(game.moves), 'move')}: {out}")
    click.echo(told(result, names))
    for one in result["account"]:
        parts = (_points(one[name]["value"]) for name in ("own_errors", "others_errors", "luck"))
        own, others, luck = parts
        click.echo(
            f"{names[one['seat']]}: start {100 * one['start']:.1f}, own errors {own}, others' errors {others}, "
            f"luck {luck}, end {100 * one['end']:.1f}; error rate {one['error_rate']:.1f}, "
            f"{counted(one['blunders'], 'blunder')}"
        )
    return 0


def _points(value: float) -> str:
    return f"{100 * value:+.1f}"
