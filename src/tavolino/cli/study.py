"""`tavolino study`: a game's fingerprint over its numbers of players, or one table in detail, as a page with plots."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tavolino.cli.common import complete_bots, on_ray, the_game

if TYPE_CHECKING:
    from tavolino.lab.playing import Lineup

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    short_help="Study a game: a page with plots and what they mean.",
    epilog="Example: tavolino study orma --players 3 --vary spare_blacks=mixed,0,4 --seed 7 --out report.html",
)
@the_game
@click.option("--players", metavar="N,M", help="How many seats; by default all numbers that the game allows.")
@click.option(
    "--bots",
    metavar="A,B",
    help="Who plays in detail; the last one takes all remaining seats. By default greedy, or easy where there is none.",
    shell_complete=complete_bots,
)
@click.option("--games", type=int, metavar="K", help="How many games; by default 2,000 per table, 4,000 in detail.")
@click.option("--until", type=float, metavar="P", help="Play on until the starter's wins are known to ± P %.")
@click.option("--resume", type=FILE, metavar="FILE", help="Keep results here as they come; the same command goes on.")
@click.option(
    "--details", is_flag=True, help="One number of players in detail: endings, points, what goes with winning."
)
@click.option("--seed", metavar="S", help="The same seed gives the same page; by default a new one, which is shown.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A rule of the game (tavolino list).")
@click.option(
    "--vary",
    metavar="KEY=A,B,C",
    help="Compare values of a rule, or players=2,3. Separate values that contain commas with /: "
    "sock_values=2,2,4,4,6,8/2,2,2,4,6,8.",
)
@click.option(
    "--rules", type=FILE, metavar="FILE", help="Compare with changed rules: constants, functions of rules.py."
)
@click.option("--training", type=int, default=12_000, metavar="K", help="Games that bots for --rules learn from.")
@click.option("--out", type=FILE, metavar="FILE", help="Write the page here, such as report.html.")
@click.option(
    "--svg", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write each plot here, as SVG."
)
@click.option(
    "--png", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write each plot here, as PNG."
)
@click.option("--json", "as_json", is_flag=True, help="Print all numbers as one JSON object.")
@on_ray
def study(
    game: str,
    players: str | None,
    bots: str | None,
    games: int | None,
    until: float | None,
    resume: Path | None,
    details: bool,
    seed: str | None,
    options: tuple[str, ...],
    vary: str | None,
    rules: Path | None,
    training: int,
    out: Path | None,
    svg: Path | None,
    png: Path | None,
    as_json: bool,
    ray: str | None,
) -> None:
    """Study GAME: its fingerprint over all numbers of players, or one of them in detail.

    The fingerprint: how deep it is, how rich its decisions are, drama, kingmaking, time, the start, luck, and where it
    stands among the games. --details, --bots or --vary study one table: endings, points, what goes with winning, what a
    rule changes. --rules compares the rules with a variant of them (docs/lab.md), each played by bots trained for it.
    The page is a single file that opens offline and says how each number was found; all intervals are
    95 %. Ctrl-C writes what was found so far.
    """
    if out is None and svg is None and png is None and not as_json:
        raise click.UsageError(
            "say where to write the page, such as --out report.html (or use --svg DIR, --png DIR or --json)"
        )
    from tavolino.cli.common import bar, crew_at, err, read_given, read_seed
    from tavolino.engine.phrases import counted
    from tavolino.play.atomic_file import atomic_file, check_folder, check_writable
    from tavolino.play.setup import read_setup

    given, first = read_given(options, None)
    if first is not None:
        raise click.ClickException("in a study a random seat starts each game: --option first cannot be used")
    console = err()
    if out is not None:
        check_writable(out)
    for folder in (svg, png):
        if folder is not None:
            check_folder(folder)
    if png is not None:
        can_paint()
    seats = _seats(players)
    if rules is not None:
        if details or bots or vary or given or svg or png:
            raise click.ClickException(
                "--rules cannot be used with --details, --bots, --vary, --option, --svg or --png"
            )
        _variant(game, seats, 400 if games is None else games, rules, training, seed, out, as_json)
        return
    if not (details or bots or vary):
        _fingerprint(
            game, seats, 2000 if games is None else games, until, resume, seed, given, out, (svg, png), as_json, ray
        )
        return
    if len(seats) > 1 or until is not None or resume is not None:
        raise click.ClickException(
            "--details, --bots and --vary study one number of players, without --until, --resume"
        )
    games = 4000 if games is None else games
    try:
        read_setup(game, seats[0] if seats else None)  # before anything is compiled for it
        from tavolino.cli.compiled import compiling
        from tavolino.lab.playing import read_lineup
        from tavolino.lab.studies import player_of
        from tavolino.lab.studies import study as run
        from tavolino.lab.studies import varied as check_varied
        from tavolino.play.cores import cores

        names = [player_of(game)] if bots is None else [name.strip() for name in bots.split(",")]
        varied = None if vary is None else read_vary(vary)
        lineup = read_lineup(game, seats[0] if seats else None, given, names)
        for value in varied[1] if varied else ():
            check_varied(lineup, given, varied[0] if varied else "", value)
        compiling(console, [game], "study", names)
        with crew_at(console, ray) as crew, bar(console, f"Studying {counted(games, 'game')}", 1.0) as progress:
            if lineup.thinks:
                console.print(
                    time_note(lineup, games, len(varied[1]) if varied else 0, crew.cores if crew else cores())
                )
            result = run(
                game,
                lineup.setup.players,
                games,
                read_seed(seed),
                bots=names,
                options=given,
                vary=varied,
                crew=crew,
                progress=progress,
            )
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    from tavolino.lab.plots import png_of
    from tavolino.lab.report import plots_of, report

    if out is not None:
        with atomic_file(out) as file:
            file.write(report(result).encode())
    for folder, ending, draw in ((svg, "svg", str.encode), (png, "png", png_of)):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for name, plot in plots_of(result).items():
                with atomic_file(folder / f"{name}.{ending}") as file:
                    file.write(draw(plot))
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(result.as_json()))
        return
    told = [str(place) for place in (out, svg, png) if place is not None]
    click.echo(f"{result.title}, {result.players} players, seed {result.seed}: {' and '.join(told)}")


def _seats(text: str | None) -> list[int]:
    """Read numbers of players, as typed; none: all."""
    try:
        return [int(number) for number in text.split(",")] if text else []
    except ValueError:
        raise click.ClickException(f"write numbers of players such as 2 or 2,3, not {text!r}") from None


def _fingerprint(
    game: str,
    seats: list[int],
    games: int,
    until: float | None,
    resume: Path | None,
    seed: str | None,
    given: dict[str, Any],
    out: Path | None,
    folders: tuple[Path | None, Path | None],
    as_json: bool,
    ray: str | None,
) -> None:
    """Measure a fingerprint and write it; after Ctrl-C, what was found so far."""
    import msgspec

    from tavolino.cli.common import bar, crew_at, err, read_seed
    from tavolino.cli.compiled import compiling
    from tavolino.engine.phrases import counted
    from tavolino.lab.fingerprint import fingerprint
    from tavolino.lab.fingerprint_page import fingerprint_page, plots_of
    from tavolino.lab.plots import png_of
    from tavolino.play.atomic_file import atomic_file
    from tavolino.play.setup import read_setup
    from tavolino.workers import Interrupted

    console, stopped = err(), False
    try:
        for number in seats:
            read_setup(game, number)
        compiling(console, [read_setup(game).key], "study")
        with crew_at(console, ray) as crew, bar(console, f"Studying {counted(games, 'game')} per table", 1.0) as tell:
            share = None if until is None else until / 100
            found = fingerprint(
                game,
                seats or None,
                games,
                read_seed(seed),
                options=given,
                until=share,
                notebook=resume,
                crew=crew,
                progress=tell,
            )
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except Interrupted as interrupted:
        found, stopped = interrupted.result, True
    if out is not None:
        with atomic_file(out) as file:
            file.write(fingerprint_page(found).encode())
    svg, png = folders
    for folder, ending, draw in ((svg, "svg", str.encode), (png, "png", png_of)):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for name, plot in plots_of(found).items():
                with atomic_file(folder / f"{name}.{ending}") as file:
                    file.write(draw(plot))
    if as_json:
        click.echo(msgspec.json.encode(found))
    else:
        told = [str(place) for place in (out, *folders) if place is not None]
        so_far = ", stopped: what was found so far" if stopped else ""
        click.echo(f"{found['title']}, seed {found['seed']}: {' and '.join(told)}{so_far}")
    if stopped:
        raise SystemExit(130)


def _variant(
    game: str,
    seats: list[int],
    games: int,
    rules: Path,
    training: int,
    seed: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Compare the rules as they are with a variant, each played by bots that were trained for it."""
    import tempfile

    import msgspec

    from tavolino.cli.common import bar, err, read_seed
    from tavolino.lab.variant_page import in_short, variant_page
    from tavolino.lab.variants import compared, make_side, measured
    from tavolino.play.atomic_file import atomic_file
    from tavolino.play.seeds import check_seed, derive
    from tavolino.play.setup import from_one, read_setup

    try:
        changes = rules.read_text("utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot read {rules}: {error.strerror}") from None
    try:
        key = read_setup(game).key
        tables = [read_setup(key, number).players for number in seats] or [read_setup(key).players]
        number, learnt = from_one(games, "games"), from_one(training, "training")
        own = derive(check_seed(read_seed(seed)), key, "variant") % 1_000_000
        with tempfile.TemporaryDirectory() as folder, bar(err(), f"Comparing rules of {key}", 1.0) as tell:
            found: list[dict[str, Any]] = []
            for name, change in (("original", None), (rules.stem, changes)):
                side = make_side(key, name, change, Path(folder))
                before = len(found)

                def half(done: float, before: int = before) -> None:
                    tell((before + done) / 2)

                found.append(measured(side, key, tables, number, own, learnt, half))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    players = ",".join(map(str, tables))
    result: dict[str, Any] = {
        "game": key,
        "name": rules.stem.replace("_", " "),
        "changes": changes,
        "games": number,
        "training": learnt,
        "command": f"tavolino study {key} --rules {rules.name} --players {players} --games {number}",
        "rows": compared(*found),
        "sides": found,
    }
    if out is not None:
        with atomic_file(out) as file:
            file.write(variant_page(result).encode())
    if as_json:
        click.echo(msgspec.json.encode(result))
        return
    import re

    for line in in_short(result["rows"]):
        click.echo(re.sub("<[^>]*>", "", line))
    click.echo(f"{out}")


def can_paint() -> None:
    """Say before the work, not after it, if PNG files cannot be made."""
    from importlib.util import find_spec

    from tavolino.lab.plots import FONTS, can_letter

    if find_spec("resvg_py") is None:
        raise click.ClickException('--png needs resvg, which is not installed: pip install "tavolino[png]"')
    if not can_letter():
        raise click.ClickException(f"--png finds no font for its text: install one of {FONTS.replace(',', ', ')}")


def time_note(lineup: "Lineup", games: int, variants: int, cores: int) -> str:
    """Say how long bots that think will take, judging by a game that they play now."""
    import time

    import numpy as np

    from tavolino.engine.phrases import counted
    from tavolino.lab.playing import play_games
    from tavolino.lab.studies import sizes_of, work_of

    play_games(lineup, np.uint64(0), 0, 1)  # the first loads what the others find there
    began = time.perf_counter()
    play_games(lineup, np.uint64(0), 1, 1)
    each = time.perf_counter() - began
    played = work_of(lineup, sizes_of(games, True), variants)
    minutes = each * played / max(cores, 1) / 60
    return (
        f"These bots think: {each:.1f} s per game, {counted(round(played), 'game')} in all, so about "
        f"{minutes:,.0f} min on {counted(cores, 'core')}. Fewer games (--games) take less time, with wider intervals."
    )


def read_vary(text: str) -> tuple[str, list[Any]]:
    """Read the values to compare, as typed.

    >>> read_vary("spare_blacks=mixed,0"), read_vary("sock_values=2,2/4,4")
    (('spare_blacks', ['mixed', 0]), ('sock_values', [[2, 2], [4, 4]]))
    """
    from tavolino.cli.common import read_value

    name, sign, values = text.partition("=")
    if not sign or not name or not values:
        raise click.ClickException(f"write what varies as key=a,b,c, such as spare_blacks=mixed,0,4, not {text!r}")
    return name, [read_value(value) for value in values.split("/" if "/" in values else ",")]
