"""`tavolino arena`: pit bots against each other on mirrored deals and rate them."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tavolino.cli.common import STDOUT, complete_bots, on_ray, the_game, to_records

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from tavolino.arena.arena import Progress
    from tavolino.arena.result import ArenaResult

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    short_help="Pit bots against each other and rate them.",
    epilog="Example: tavolino arena orma --bots expert,greedy,random --games 1000 --seed 7",
)
@the_game
@click.option(
    "--bots",
    "typed",
    multiple=True,
    required=True,
    metavar="A,B[,C…]",
    help="Names, module:function, file.py or cmd:program; can be repeated.",
    shell_complete=complete_bots,
)
@click.option(
    "--games", type=int, default=1000, metavar="N", show_default=True, help="How many games, rounded up to whole deals."
)
@click.option("--players", type=int, metavar="P", help="How many seats; by default the fewest the game allows.")
@click.option("--time", "seconds", type=float, metavar="S", help="Seconds a bot may think per move.")
@click.option("--simulations", type=int, metavar="K", help="Simulations a bot may make per move, instead of a time.")
@click.option("--seed", metavar="S", help="The same seed gives the same deals; by default a new one, which is shown.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A rule of the game (tavolino list).")
@click.option("--stop", is_flag=True, help="Stop as soon as it is clear who is stronger.")
@click.option("--resume", type=FILE, metavar="FILE", help="Keep finished deals here, and resume from them next time.")
@to_records
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the tables.")
@click.option("--workers", type=int, metavar="N", help="Processes; by default one per core.")
@on_ray
def arena(
    game: str,
    typed: tuple[str, ...],
    games: int,
    players: int | None,
    seconds: float | None,
    simulations: int | None,
    seed: str | None,
    options: tuple[str, ...],
    stop: bool,
    resume: Path | None,
    records: str | None,
    as_json: bool,
    workers: int | None,
    ray: str | None,
) -> None:
    """Pit bots against each other in GAME; each deal is played in every seating.

    The tables show win rates with 95 % intervals over deals, ratings on the Elo scale, and thinking times. A bot that
    fails loses that game, and the end of its output is shown. Ctrl-C shows the result of the deals finished so far.
    """
    from tavolino.cli.common import err, read_given, read_records, read_seed, show, workers_at, writing
    from tavolino.engine.phrases import counted
    from tavolino.play.atomic_file import check_writable
    from tavolino.play.setup import read_setup
    from tavolino.workers import Interrupted

    given, first = read_given(options, None)
    bots = [bot for text in typed for bot in read_bots(text)]
    _check_numbers(games, seconds, simulations, workers)
    console = err()
    aside = records == STDOUT
    try:
        setup = read_setup(game, players, given, first)  # before anything is compiled for it
        written = read_records(records)
        if resume is not None:
            check_writable(resume)
        from tavolino.arena.arena import RunSettings, make_tournament
        from tavolino.arena.arena import arena as run
        from tavolino.arena.deals import Roster
        from tavolino.bots.position import Limits
        from tavolino.cli.compiled import telling, without_scipy

        limits = Limits(seconds=seconds, simulations=simulations)
        tournament = make_tournament(setup, bots, 0, limits)
        with without_scipy(), telling(console, setup.game.title):
            Roster(tournament).close()
        deals = tournament.schedule.deals(games)
        each = tournament.schedule.games_a_deal
        if deals * each != games:
            console.print(
                f"Rounded up to whole deals: {counted(deals * each, 'game')}, {counted(deals, 'deal')} of {each} each."
            )
        waiting = running(console, list(tournament.names), deals * each)
        with workers_at(console, ray) as others, waiting as progress, writing(records):
            settings = RunSettings(stop, written, resume, others or workers, progress)
            result = run(setup, bots, games, seed=read_seed(seed), limits=limits, settings=settings)
    except (ValueError, RuntimeError) as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt as stopped:
        if resume is not None:
            click.echo(f"The finished deals are in {resume}: the same command resumes from there.", err=True)
        if isinstance(stopped, Interrupted):
            show(stopped.result.as_json() if as_json else report(stopped.result, deals), aside)
        raise
    show(result.as_json() if as_json else report(result, deals), aside)
    if records and not aside and not as_json:
        click.echo(f"{counted(result.games, 'record')} written to {records}")


def read_bots(text: str) -> list[str]:
    """Return the bots in a comma-separated list; a comma inside quotes belongs to its `cmd:`.

    >>> read_bots("greedy,cmd:python bot.py --weights '1,2',random")
    ['greedy', "cmd:python bot.py --weights '1,2'", 'random']
    """
    found = re.findall(r"""\s*(cmd:(?:"[^"]*"|'[^']*'|[^,"'])+|[^,]*)(?:,|$)""", text)
    bots = [bot.strip() for bot in found[:-1] or found]
    if text.endswith(",") or not all(bots):
        raise click.UsageError(f"--bots takes names separated by commas, such as greedy,random, not {text!r}")
    return bots


def _check_numbers(games: int, seconds: float | None, simulations: int | None, workers: int | None) -> None:
    if seconds is not None and simulations is not None:
        raise click.UsageError("give --time or --simulations, not both")
    if seconds is not None and not 0 < seconds < float("inf"):
        raise click.UsageError(f"--time must be more than 0 seconds, not {seconds}")
    for name, value in (("games", games), ("simulations", simulations), ("workers", workers)):
        if value is not None and value < 1:
            raise click.UsageError(f"--{name} must be a whole number from 1 up, not {value}")


@contextmanager
def running(console: "Console", names: list[str], games: int) -> "Iterator[Callable[[Progress], None]]":
    """Yield a function to call with the progress; a terminal shows a bar with the running score."""
    from tavolino.cli.common import bar

    with bar(console, "Playing", games, in_numbers=True) as update:

        def tell(progress: "Progress") -> None:
            rates = zip(names, progress.score, strict=True)
            update(progress.games, ", ".join(f"{short(name, 16)} {100 * rate:.1f} %" for name, rate in rates))

        yield tell


def short(name: str, length: int = 32) -> str:
    """Cut a long name in the middle.

    >>> short("cmd:python examples/bots/first_move.py", 24)
    'cmd:python e…rst_move.py'
    """
    half = length // 2
    return name if len(name) <= length else f"{name[:half]}…{name[half + 1 - length :]}"


def report(result: "ArenaResult", deals: int) -> "list[RenderableType]":
    """Return the tables of an arena that was planned with so many deals."""
    from rich.markup import escape

    from tavolino.engine.phrases import counted
    from tavolino.engine.registry import GAMES

    dealt = f"{result.deals:,} of {counted(deals, 'deal')}" if result.interrupted else counted(result.deals, "deal")
    how = [f"{result.players} players", counted(result.games, "game"), dealt, f"seed {result.seed}"]
    if result.seconds_per_move is not None:
        how.append(f"{result.seconds_per_move:g} s per move")
    if result.simulations is not None:
        how.append(f"{counted(result.simulations, 'simulation')} per move")
    return [
        f"[bold]{GAMES[result.game].title}[/bold]: {escape(', '.join(how))}",
        *tables(result),
        *(escape(remark) for remark in remarks(result, deals)),
    ]


def tables(result: "ArenaResult") -> "list[Table]":
    """Return the table of bots, of bots alone among others (if they were), and of pairs."""
    from tavolino.cli.simulate import percent, percents

    failed = any(bot.errors for bot in result.bots)
    ranking = sorted(result.bots, key=lambda bot: -bot.rating)
    bots = table("bot", "win rate", "95 % interval", "rating", "95 %", "ms/move", *(["errors"] if failed else []))
    alone = table("alone among copies of the other", "win rate", "95 % interval", "fair share ×")
    for bot in ranking:
        add_row(
            bots,
            short(bot.name),
            percent(bot.win_rate),
            percents(bot.ci95),
            f"{bot.rating:.0f}",
            "" if bot.rating_ci95 is None else "{:.0f} … {:.0f}".format(*bot.rating_ci95),
            f"{bot.ms_per_move:.3g}",
            *([f"{bot.errors:,}"] if failed else []),
        )
        if bot.alone:
            times = f"{bot.alone.rate * result.players:.2f}"
            add_row(alone, short(bot.name), percent(bot.alone.rate), percents(bot.alone.ci95), times)
    pairs = table("pair", "games", "win rate", "95 % interval", "stronger")
    for pair in result.pairs:
        verdict = "" if pair.verdict is None else "about equal" if pair.verdict == "equal" else short(pair.verdict, 16)
        names = f"{short(pair.a, 20)} – {short(pair.b, 20)}"
        add_row(pairs, names, f"{pair.games:,}", percent(pair.win_rate), percents(pair.ci95), verdict)
    return [part for part in (bots, alone, pairs) if part.row_count]


def table(*headings: str) -> "Table":
    """Return an empty table, its first column on the left."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(headings):
        made.add_column(heading, justify="right" if number else "left", no_wrap=number > 0, overflow="fold")
    return made


def add_row(to: "Table", *texts: str) -> None:
    """Add a row of plain texts."""
    from rich.markup import escape

    to.add_row(*map(escape, texts))


def remarks(result: "ArenaResult", deals: int) -> list[str]:
    """Say what the tables do not."""
    from tavolino.engine.phrases import counted

    said = []
    if result.players > 2:
        said.append(
            f"A fair share is {100 / result.players:.1f} % per seat. "
            "A pair's rate is the first bot's share of the wins of both, per seat."
        )
        if len(result.bots) == 2:
            said.append("Each bot sat alone among copies of the other, in every seat.")
    if result.stopped:
        said.append("Stopped early: the result is clear.")
    for bot in result.bots:
        if bot.errors:
            kinds = ", ".join(f"{count:,} × {kind}" for kind, count in bot.failures.items())
            said.append(f"{bot.name} lost games by failing ({kinds}). The first: {bot.first_failure}")
        if bot.late:
            times = counted(bot.late, "time")
            said.append(f"{bot.name} was late {times}; its slowest move took {bot.slowest_ms:,.0f} ms.")
    if result.interrupted:
        said.append(f"Interrupted after {result.deals:,} of {counted(deals, 'deal')}.")
    return said
