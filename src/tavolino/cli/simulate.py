"""`tavolino simulate`: play games by the million, and show a table of how they went."""

from typing import TYPE_CHECKING

import click

from tavolino.cli.common import STDOUT, complete_bots, on_ray, the_game, to_records

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tavolino.intervals import Interval, Spread
    from tavolino.lab.simulate import Simulation


PLAIN_GAMES = 200
"""So many random games take plain rules less time than compiling would."""


@click.command(
    short_help="Play games by the million and show how they went.",
    epilog="Example: tavolino simulate out-of-sock --players 3 --games 1_000_000 --option basket=plain --seed 7",
)
@the_game
@click.option("--players", type=int, metavar="N", help="How many seats; by default the fewest the game allows.")
@click.option("--games", type=int, default=1000, metavar="K", show_default=True, help="How many games.")
@click.option("--seed", metavar="S", help="The same seed gives the same games; by default a new one, which is shown.")
@click.option("--first", type=int, metavar="SEAT", help="The seat that starts; by default a random one in each game.")
@click.option(
    "--bots",
    default="random",
    show_default=True,
    metavar="A,B",
    help="Who plays, seat by seat; the last one takes all remaining seats.",
    shell_complete=complete_bots,
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A rule of the game (tavolino list).")
@to_records
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@on_ray
def simulate(
    game: str,
    players: int | None,
    games: int,
    seed: str | None,
    first: int | None,
    bots: str,
    options: tuple[str, ...],
    records: str | None,
    as_json: bool,
    ray: str | None,
) -> None:
    """Play GAME with random moves, or with bots, on all cores and show how the games went.

    The table shows the wins of each seat with 95 % intervals, points, length, and how games end. A win shared by two
    counts half for each. Ctrl-C shows the result of the games played so far.
    """
    from tavolino.cli.common import bar, err, read_given, read_records, read_seed, show, workers_at, writing
    from tavolino.engine.phrases import counted
    from tavolino.play.setup import read_setup
    from tavolino.workers import Interrupted

    given, first = read_given(options, first)
    console = err()
    aside = records == STDOUT
    try:
        setup = read_setup(game, players, given, first)  # before anything is compiled for it
        written = read_records(records)
        from tavolino.cli.compiled import begin_plain, compiling
        from tavolino.lab.settings import LabSettings
        from tavolino.lab.simulate import simulate as run

        names = [name.strip() for name in bots.split(",")]
        if names != ["random"]:
            from tavolino.bots.players import builtin

            for name in names:
                builtin(name, game)  # a wrong name, before anything is compiled
        what = "simulate --records" if records else "simulate"
        if names == ["random"] and games <= PLAIN_GAMES and begin_plain(game, what, ()):
            pass  # done before it would be compiled
        elif names == ["random"]:
            compiling(console, [game], what)
        else:
            compiling(console, [game], "simulate --bots", names)
        waiting = bar(console, f"Playing {counted(games, 'game')}", 1.0)
        with workers_at(console, ray) as workers, waiting as tell, writing(records):
            settings = LabSettings(workers, tell)
            result = run(setup, None, games, read_seed(seed), bots=names, records=written, settings=settings)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except Interrupted as stopped:
        show(stopped.result.as_json() if as_json else report(stopped.result, games), aside)
        raise
    show(result.as_json() if as_json else report(result, games), aside)
    if records and not aside and not as_json:
        click.echo(f"{counted(result.games, 'record')} written to {records}")


def report(result: "Simulation", games: int) -> "list[RenderableType]":
    """Return the tables of a simulation that was planned with so many games."""
    from rich import box
    from rich.table import Table

    from tavolino.engine.phrases import counted, option_text
    from tavolino.engine.registry import GAMES

    at_random = set(result.bots) == {"random"}
    played = counted(games if result.interrupted else result.games, "random game" if at_random else "game")
    if result.interrupted:
        played = f"{result.games:,} of {played}"
    how = [f"{result.players} players", played, f"seed {result.seed}"]
    how += [f"{name} {option_text(value)}" for name, value in result.options.items()]
    if result.first is not None:
        how.append(f"seat {result.first} starts")
    seats = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("seat", "wins", "rate", "95 % interval", "score ± 95 %", "sd", "from … to"):
        seats.add_column(heading, justify="right", no_wrap=True)
    for seat, points in enumerate(result.points):
        seats.add_row(
            str(seat) if at_random else f"{seat} {result.bots[seat]}",
            f"{result.wins[seat]:,.1f}".removesuffix(".0"),
            percent(result.win_rate[seat]),
            percents(result.win_ci95[seat]),
            f"{points.mean:.2f}" + (f" ± {points.ci95[1] - points.mean:.2f}" if points.ci95 else ""),
            f"{points.sd:.1f}",
            f"{points.min} … {points.max}",
        )
    ends = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("how games end", "games", "share", "95 % interval"):
        ends.add_column(heading, justify="left" if heading.startswith("how") else "right", no_wrap=True)
    for name, ending in result.endings.items():
        ends.add_row(name, f"{ending.count:,}", percent(ending.share), percents(ending.ci95))
    if result.shared_wins:
        from tavolino.intervals import share

        shared = share(result.shared_wins, result.games)
        ends.add_row("(win shared)", f"{shared.count:,}", percent(shared.share), percents(shared.ci95), style="dim")
    return [
        f"[bold]{GAMES[result.game].title}[/bold]: {', '.join(how)}",
        seats,
        ends,
        length(result.length),
        speed(result),
        *([f"Interrupted after {result.games:,} of {counted(games, 'game')}."] if result.interrupted else []),
    ]


def percent(share: float) -> str:
    """Write a share.

    >>> percent(0.5)
    '50.00 %'
    """
    return f"{100 * share:.2f} %"


def percents(interval: "Interval") -> str:
    """Write an interval of shares.

    >>> percents((0.4921, 0.5079))
    '49.21 … 50.79 %'
    """
    return f"{100 * interval[0]:.2f} … {100 * interval[1]:.2f} %"


def length(moves: "Spread") -> str:
    """Say how long games are."""
    return f"Length: {moves.mean:.1f} moves on average (sd {moves.sd:.1f}, from {moves.min} to {moves.max})"


def speed(result: "Simulation") -> str:
    """Say how fast it went."""
    games, moves = result.games / result.seconds, result.moves / result.seconds
    each = f"{games:,.0f}" if games >= 10 else f"{games:.1f}"
    return f"Speed: {each} games/s, {moves:,.0f} moves/s, {result.seconds:.2f} s in all"
