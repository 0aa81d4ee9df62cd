"""`tavolino study`: a game's fingerprint over its numbers of players, or one table in detail, as a page with plots."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tavolino.cli.common import complete_bots, on_ray, the_game

if TYPE_CHECKING:
    from tavolino.lab.playing import Lineup
    from tavolino.lab.shape import Pace
    from tavolino.workers import Workers

FILE = click.Path(path_type=Path, dir_okay=False)


@dataclass(frozen=True)
class _Outputs:
    """Where a study is to be written."""

    page: Path | None
    svg: Path | None
    png: Path | None
    as_json: bool

    def check(self) -> None:
        """Say before the work, not after it, what cannot be written."""
        from tavolino.play.atomic_file import check_folder, check_writable

        if self.page is not None:
            check_writable(self.page)
        for folder in (self.svg, self.png):
            if folder is not None:
                check_folder(folder)
        if self.png is not None:
            can_paint()

    def write(self, page: str, plots: dict[str, str], data: Any, before: str, after: str = "") -> None:
        """Write the page and the plots; print the data as JSON, or where they were written, between two texts."""
        import msgspec

        from tavolino.lab.plots import png_of
        from tavolino.play.atomic_file import atomic_file

        if self.page is not None:
            with atomic_file(self.page) as file:
                file.write(page.encode())
        for folder, ending, draw in ((self.svg, "svg", str.encode), (self.png, "png", png_of)):
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                for name, plot in plots.items():
                    with atomic_file(folder / f"{name}.{ending}") as file:
                        file.write(draw(plot))
        if self.as_json:
            click.echo(msgspec.json.encode(data))
        else:
            places = [str(place) for place in (self.page, self.svg, self.png) if place is not None]
            click.echo(f"{before}{' and '.join(places)}{after}")


@click.command(
    short_help="Study a game: a page with plots and what they mean.",
    epilog="Example: tavolino study orma --players 3 --vary spare_blacks=mixed,0,4 --seed 7 --out report.html",
)
@the_game
@click.option("--players", metavar="N,M", help="How many seats; by default all numbers that the game allows.")
@click.option(
    "--bots",
    metavar="A,B",
    help="Who plays in detail, also my_bot.py; the last one takes all remaining seats. By default greedy, or easy "
    "where there is none.",
    shell_complete=complete_bots,
)
@click.option("--games", type=int, metavar="K", help="How many games; by default 2,000 per table, 4,000 in detail.")
@click.option("--until", type=float, metavar="P", help="Play on until the starter's wins are known to ± P %.")
@click.option(
    "--expert-deals",
    type=int,
    metavar="K",
    help="Deals per step of the ladder with expert, which thinks; 0 leaves it out. By default games / 50.",
)
@click.option(
    "--tables",
    metavar="URL",
    help="Take people's pace from a server's tables: a SQLite file or postgresql://…; by default this machine's.",
)
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
    expert_deals: int | None,
    tables: str | None,
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
) -> int:
    """Study GAME: its fingerprint over all numbers of players, or one of them in detail.

    The fingerprint: how deep it is, how rich its decisions are, drama, kingmaking, time, the start, luck, and where it
    stands among the games. --details, --bots or --vary study one table: endings, points, what goes with winning, what a
    rule changes. --rules compares the rules with a variant of them (docs/lab.md), each played by bots trained for it.
    The page is a single file that opens offline and says how each number was found; all intervals are
    95 %. With --resume all results are kept as they come, and the same command goes on after Ctrl-C; a fingerprint
    that is stopped is written as far as it is.
    """
    if out is None and svg is None and png is None and not as_json:
        raise click.UsageError(
            "say where to write the page, such as --out report.html (or use --svg DIR, --png DIR or --json)"
        )
    from tavolino.cli.common import bar, err, read_given, read_seed, workers_at
    from tavolino.engine.phrases import counted
    from tavolino.play.setup import read_setup

    given, first = read_given(options, None)
    if first is not None:
        raise click.ClickException("in a study a random seat starts each game: --option first cannot be used")
    console, outputs = err(), _Outputs(out, svg, png, as_json)
    outputs.check()
    seats = _seats(players)
    if rules is not None:
        if details or bots or vary or given or svg or png or until or tables or ray or expert_deals is not None:
            raise click.ClickException(
                "--rules cannot be used with --details, --bots, --vary, --option, --until, --expert-deals, --tables, "
                "--svg, --png or --ray"
            )
        _variant(game, seats, 400 if games is None else games, rules, training, seed, outputs, resume)
        return 0
    if not (details or bots or vary):
        from tavolino.lab.fingerprint import FingerprintSettings

        asked: dict[str, Any] = {
            "players": seats or None,
            "games": 2000 if games is None else games,
            "options": given,
            "how": FingerprintSettings(None if until is None else until / 100, expert_deals, _pace(tables, game)),
            "notebook": resume,
        }
        return _fingerprint(game, asked, seed, outputs, ray)
    if len(seats) > 1 or until is not None or expert_deals is not None or tables:
        raise click.ClickException(
            "--details, --bots and --vary study one number of players, without --until, --expert-deals, --tables"
        )
    games = 4000 if games is None else games
    try:
        setup = read_setup(game, seats[0] if seats else None, given)  # before anything is compiled for it
        from tavolino.cli.compiled import compiling
        from tavolino.lab.playing import read_lineup
        from tavolino.lab.report import plots_of, report
        from tavolino.lab.settings import LabSettings
        from tavolino.lab.studies import player_of
        from tavolino.lab.studies import study as run
        from tavolino.lab.studies import varied as check_varied
        from tavolino.play.cores import cores
        from tavolino.workers.threads import Threads

        names = [player_of(game)] if bots is None else [name.strip() for name in bots.split(",")]
        varied = None if vary is None else read_vary(vary)
        lineup = read_lineup(game, setup.players, given, names)
        for value in varied[1] if varied else ():
            check_varied(lineup, varied[0] if varied else "", value)
        compiling(console, [game], "study", names)
        waiting = bar(console, f"Studying {counted(games, 'game')}", 1.0)
        with workers_at(console, ray) as workers, waiting as tell:
            if lineup.thinks:
                at_work = workers or Threads(cores())
                console.print(time_note(lineup, games, len(varied[1]) if varied else 0, at_work))
            settings = LabSettings(workers, tell)
            result = run(
                setup, None, games, read_seed(seed), bots=names, vary=varied, notebook=resume, settings=settings
            )
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    title = f"{result.title}, {result.players} players, seed {result.seed}: "
    outputs.write(report(result), plots_of(result), result.as_json(), title)
    return 0


def _pace(tables: str | None, game: str) -> "Pace":
    """Return people's pace at a server's tables, or the one that is assumed."""
    from tavolino.lab.shape import ASSUMED
    from tavolino.play.setup import read_setup
    from tavolino.server.config import default_database
    from tavolino.server.pace import pace_at

    try:
        found = pace_at(tables or default_database(), read_setup(game).key)
    except (RuntimeError, ValueError) as error:
        if tables is None:  # nobody asked for them
            return ASSUMED
        raise click.ClickException(str(error)) from None
    if found is None and tables is not None:
        raise click.ClickException(f"{tables} holds too few moves of people in {game}: leave --tables out")
    return found or ASSUMED


def _seats(text: str | None) -> list[int]:
    """Read numbers of players, as typed; none: all."""
    try:
        return [int(number) for number in text.split(",")] if text else []
    except ValueError:
        raise click.ClickException(f"write numbers of players such as 2 or 2,3, not {text!r}") from None


def _fingerprint(game: str, asked: dict[str, Any], seed: str | None, outputs: _Outputs, ray: str | None) -> int:
    """Measure a fingerprint and write it; after Ctrl-C, what was found so far. Return the exit code."""
    from tavolino.cli.common import bar, err, read_seed, workers_at
    from tavolino.cli.compiled import compiling
    from tavolino.engine.phrases import counted
    from tavolino.lab.fingerprint import fingerprint
    from tavolino.lab.fingerprint_page import fingerprint_page, plots_of
    from tavolino.lab.settings import LabSettings
    from tavolino.play.setup import read_setup
    from tavolino.workers import Interrupted

    console, stopped = err(), False
    try:
        for number in asked["players"] or ():
            read_setup(game, number)
        compiling(console, [read_setup(game).key], "study")
        waiting = bar(console, f"Studying {counted(asked['games'], 'game')} per table", 1.0)
        with workers_at(console, ray) as workers, waiting as tell:
            found = fingerprint(game, seed=read_seed(seed), **asked, settings=LabSettings(workers, tell))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except Interrupted as interrupted:
        found, stopped = interrupted.result, True
    so_far = ", stopped: what was found so far" if stopped else ""
    title = f"{found['title']}, seed {found['seed']}: "
    outputs.write(fingerprint_page(found), plots_of(found), found, title, so_far)
    return 130 if stopped else 0


def _variant(
    game: str,
    seats: list[int],
    games: int,
    rules: Path,
    training: int,
    seed: str | None,
    outputs: _Outputs,
    resume: Path | None,
) -> None:
    """Compare the rules as they are with a variant, each played by bots that were trained for it.

    With a file to resume from, the rules as they are are measured once for any number of variants.
    """
    import re
    import tempfile
    from functools import partial

    from tavolino.cli.common import bar, err, read_seed
    from tavolino.lab.notebook import Notebook, seed_in
    from tavolino.lab.variant_page import in_short, variant_page
    from tavolino.lab.variants import compared, make_side, measured, rules_of
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
        begun = check_seed(read_seed(seed) if seed is not None else seed_in(resume))
        about = {"game": key, "players": tables, "games": number, "training": learnt, "seed": begun}
        kept = Notebook(resume, about)
        own = derive(begun, key, "variant") % 1_000_000
        with tempfile.TemporaryDirectory() as folder, bar(err(), f"Comparing rules of {key}", 1.0) as tell:
            given = (("original", None), (rules.stem, changes))
            sides = [make_side(key, name, change, Path(folder)) for name, change in given]  # says what is wrong at once
            found: list[dict[str, Any]] = []
            for side in sides:
                before = len(found)

                def half(done: float, before: int = before) -> None:
                    tell((before + done) / 2)

                measure = partial(measured, side, key, tables, number, own, learnt, half)
                found.append(kept.get(f"rules {rules_of(side)}", measure))
                half(1.0)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    players = ",".join(map(str, tables))
    result: dict[str, Any] = {
        "game": key,
        "name": rules.stem.replace("_", " "),
        "changes": changes,
        "games": number,
        "training": learnt,
        "seed": begun,
        "command": f"tavolino study {key} --rules {rules.name} --players {players} --games {number} --training {learnt}"
        f" --seed {begun}",
        "rows": compared(*found),
        "sides": found,
    }
    lines = [re.sub("<[^>]*>", "", line) + "\n" for line in in_short(result["rows"])]
    outputs.write(variant_page(result), {}, result, "".join(lines))


def can_paint() -> None:
    """Say before the work, not after it, if PNG files cannot be made."""
    from importlib.util import find_spec

    from tavolino.lab.plots import FONTS, can_letter

    if find_spec("resvg_py") is None:
        raise click.ClickException('--png needs resvg, which is not installed: pip install "tavolino[png]"')
    if not can_letter():
        raise click.ClickException(f"--png finds no font for its text: install one of {FONTS.replace(',', ', ')}")


def time_note(lineup: "Lineup", games: int, variants: int, workers: "Workers") -> str:
    """Say how long bots that think will take, judging by some decisions that they make now."""
    import numpy as np

    from tavolino.engine.phrases import counted
    from tavolino.lab.stages import seconds_of_games
    from tavolino.lab.studies import sizes_of, work_of

    played = round(work_of(lineup, sizes_of(games, True), variants))
    minutes = seconds_of_games(lineup, np.uint64(0), played, workers) / 60
    about = "less than a minute" if minutes < 1 else f"about {minutes:,.0f} min"
    return (
        f"These bots think: {counted(played, 'game')} in all, {60 * minutes / played:.1f} s each, so {about} on "
        f"{counted(workers.cores, 'core')}. Fewer games (--games) take less time, with wider intervals."
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
