"""`tavolino evaluate`: a benchmark for a policy of one's own, on fixed deals against the ladder of bots."""

from typing import TYPE_CHECKING

import click

from tavolino.cli.common import complete_game

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tavolino.lab.evaluation import Evaluation


@click.command(
    short_help="Measure a policy of your own against the ladder of bots.",
    epilog="Example: tavolino evaluate my.onnx --game orma",
)
@click.argument("bot", metavar="FILE")
@click.option("--game", shell_complete=complete_game, help="The game; by default the one that the file names.")
@click.option("--players", type=int, help="The number of players; by default the fewest.")
@click.option("--deals", type=int, help="Deals for each pair, each in every seating; by default 100.")
@click.option("--response", metavar="FILE", help="A bot that was trained to beat it: how exploitable it is at least.")
@click.option("--quick", is_flag=True, help="Leave out the opponents that think, and the small versions.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--workers", type=int, help="Processes; by default one per core.")
def evaluate(
    bot: str,
    game: str | None,
    players: int | None,
    deals: int | None,
    response: str | None,
    quick: bool,
    as_json: bool,
    workers: int | None,
) -> None:
    """Measure FILE, a policy such as my.onnx (or any bot), against the bots from random to expert.

    Deals, seats, options and thinking times are fixed (tavolino-benchmark/1), so two people who evaluate the same file
    play the same games. The table shows win rates with 95 % intervals and a rating on the Elo scale, where random is
    1000; where OpenSpiel is installed, also how exploitable the policy is in small versions of the game. For the full
    game, train a best response (python examples/selfplay.py GAME --against FILE --out best.onnx) and name it by
    --response: what it wins, FILE can be exploited for.
    """
    from dataclasses import replace

    from tavolino.cli.arena import running
    from tavolino.cli.common import err, show
    from tavolino.play.setup import at_least, read_setup

    console = err()
    try:
        key = game if game is not None else _game_of(bot)
        setup = read_setup(key, players)
        from tavolino.arena.arena import RunSettings
        from tavolino.cli.compiled import compiling
        from tavolino.lab.evaluation import DEALS, against_response, games_in_all, opponents_in
        from tavolino.lab.evaluation import evaluate as run

        number = DEALS if deals is None else at_least(2, deals, "deals")
        names = [bot, *opponents_in(key, quick)]
        compiling(console, [key], "play", names)
        with running(console, names, games_in_all(setup, names, number)) as progress:
            found = run(bot, key, players, deals=number, quick=quick, workers=workers, progress=progress)
        if response is not None:
            with running(console, [bot, response], games_in_all(setup, [bot, response], number)) as progress:
                settings = RunSettings(workers=workers, progress=progress)
                found = replace(found, response=against_response(bot, response, setup, number, settings))
    except (ValueError, RuntimeError) as error:
        raise click.ClickException(str(error)) from None
    show(found.as_json() if as_json else report(found), aside=False)


def _game_of(bot: str) -> str:
    """Return the game that a policy's file names."""
    from tavolino.bots.policy_files import game_of, is_policy_file

    found = game_of(bot) if is_policy_file(bot) else None
    if found is None:
        raise ValueError(f"{bot} does not say which game it is for: add --game")
    return found


def report(found: "Evaluation") -> "list[RenderableType]":
    """Return the tables of an evaluation."""
    from tavolino.cli.arena import table

    met = table("against", "games", "win rate", "95 % interval", "its rating")
    for one in found.against:
        low, high = one.ci95
        rating = f"{found.ladder[one.opponent]:.0f}"
        met.add_row(one.opponent, f"{one.games:,}", f"{one.win_rate:.1%}", f"{low:.1%} … {high:.1%}", rating)
    interval = "" if found.elo_ci95 is None else f" ({found.elo_ci95[0]:.0f} … {found.elo_ci95[1]:.0f})"
    head = f"{found.benchmark}: {found.bot}, {found.game}, {found.players} players, {found.deals} deals per pair"
    parts: list[RenderableType] = [head, met, f"Elo {found.elo:.0f}{interval}; random is 1000"]
    if found.small:
        small = table("small version", "exploitability", "random play's")
        for each in found.small:
            small.add_row(each.version, f"{each.exploitability:.3f}", f"{each.uniform:.3f}")
        parts.append(small)
    if (met_by := found.response) is not None:
        low, high = 1 - met_by.ci95[1], 1 - met_by.ci95[0]
        parts.append(
            f"{met_by.opponent}, trained to beat it, wins {1 - met_by.win_rate:.1%} ({low:.1%} … {high:.1%}) of"
            f" {met_by.games:,} games: exploitable by at least {max(0.0, 1 - 2 * met_by.win_rate):.3f} per game"
        )
    return parts
