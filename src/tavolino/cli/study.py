"""`tavolino study`: study a game by a few thousand games, as a page with plots."""

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
@click.option("--players", type=int, metavar="N", help="How many seats; by default the fewest the game allows.")
@click.option(
    "--bots",
    metavar="A,B",
    help="Who plays; the last one takes all remaining seats. By default greedy, or easy in a game without it.",
    shell_complete=complete_bots,
)
@click.option("--games", type=int, default=4000, metavar="K", show_default=True, help="How many games.")
@click.option("--seed", metavar="S", help="The same seed gives the same page; by default a new one, which is shown.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A rule of the game (tavolino list).")
@click.option(
    "--vary",
    metavar="KEY=A,B,C",
    help="Compare values of a rule; separate values that contain commas with /: sock_values=2,2,4,4,6,8/2,2,2,4,6,8.",
)
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
    players: int | None,
    bots: str | None,
    games: int,
    seed: str | None,
    options: tuple[str, ...],
    vary: str | None,
    out: Path | None,
    svg: Path | None,
    png: Path | None,
    as_json: bool,
    ray: str | None,
) -> None:
    """Study GAME: who wins by place and by skill, length, endings, luck, what goes with winning, what a rule changes.

    The page is a single file that opens offline and says how each number was found; all intervals are 95 %.
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
    try:
        read_setup(game, players)  # before anything is compiled for it
        from tavolino.cli.compiled import compiling
        from tavolino.lab.playing import read_lineup
        from tavolino.lab.studies import player_of
        from tavolino.lab.studies import study as run
        from tavolino.play.cores import cores

        names = [player_of(game)] if bots is None else [name.strip() for name in bots.split(",")]
        varied = None if vary is None else read_vary(vary)
        lineup = read_lineup(game, players, given, names)
        for value in varied[1] if varied else ():
            read_lineup(game, players, given | {varied[0]: value} if varied else given, names)
        compiling(console, [game], "study", names)
        with crew_at(console, ray) as crew, bar(console, f"Studying {counted(games, 'game')}", 1.0) as progress:
            if lineup.thinks:
                console.print(
                    time_note(lineup, games, len(varied[1]) if varied else 0, crew.cores if crew else cores())
                )
            result = run(
                game,
                players,
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


def can_paint() -> None:
    """Say before the work, not after it, if PNG files cannot be made."""
    from importlib.util import find_spec

    from tavolino.lab.plots import FONTS, can_letter

    if find_spec("resvg_py") is None:
        raise click.ClickException('--png needs resvg, which is not installed: pip install "tavolino[png]"')
    if not can_letter():
        raise click.ClickException(f"--png finds no font for its text: install one of {FONTS.replace(',', ', ')}")


def time_note(lineup: "Lineup", games: int, variants: int, cores: int) -> str:
    """Say how long bots that think will take, judging by one game that they play now."""
    import time

    import numpy as np

    from tavolino.engine.phrases import counted
    from tavolino.lab.playing import play_games
    from tavolino.lab.studies import sizes_of, work_of

    began = time.perf_counter()
    play_games(lineup, np.uint64(0), 0, 1)
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
