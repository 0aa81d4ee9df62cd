"""`tavolino play`: a guided game in the terminal against bots."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tavolino.cli.common import complete_bots, complete_game

if TYPE_CHECKING:
    from tavolino.play.game import Game


@click.command(
    short_help="Play in the terminal against bots.",
    epilog="Example: tavolino play orma --players 3 --against hard,easy --save my-games.jsonl",
)
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--players", type=int, metavar="N", help="How many seats; by default the fewest the game allows.")
@click.option(
    "--against",
    default="medium",
    show_default=True,
    metavar="A,B",
    help="Who plays the other seats: easy, medium, hard, expert, or any bot; the last one takes all remaining seats.",
    shell_complete=complete_bots,
)
@click.option("--seat", type=int, default=0, show_default=True, metavar="S", help="Your seat.")
@click.option("--seed", metavar="S", help="The same seed gives the same deal, dice and opponents.")
@click.option("--first", type=int, metavar="SEAT", help="The seat that starts; by default a random one.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A rule of the game (tavolino list).")
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Append the record to this file.")
def play(
    game: str | None,
    players: int | None,
    against: str,
    seat: int,
    seed: str | None,
    first: int | None,
    options: tuple[str, ...],
    save: Path | None,
) -> None:
    """Play GAME in the terminal against bots. Without GAME, you are asked which one.

    Type the number of a move or its word; ? shows the best moves with your chance of winning. Other commands: help,
    rules, undo, quit.
    """
    import os

    from tavolino.cli.common import err, out, read_given, read_seed

    if save is not None and (
        save.is_dir() or not os.access(save if save.exists() else save.absolute().parent, os.W_OK)
    ):
        raise click.ClickException(f"{save} cannot be written")
    given, first = read_given(options, first)
    console = out()
    from tavolino.cli.session import choose_game, play_session
    from tavolino.engine import tiers
    from tavolino.engine.phrases import counted
    from tavolino.play.game import new
    from tavolino.play.setup import read_seat, read_setup

    key = game if game is not None else choose_game(console)
    if key is None:
        click.echo("Goodbye.")
        return
    try:
        seats = read_setup(key, players).players
        read_seat(seats, seat)
        from tavolino.bots.players import at_once_in, builtin
        from tavolino.cli.compiled import begin_plain, compiling

        names = [name.strip() for name in against.split(",")]
        names += [names[-1]] * (seats - 1 - len(names))
        if len(names) > seats - 1:
            raise ValueError(f"--against names {len(names)} bots for {counted(seats - 1, 'other seat')}")
        others = dict(zip((s for s in range(seats) if s != seat), (builtin(name, key) for name in names), strict=True))
        if not (set(names) <= at_once_in(key).keys() and begin_plain(key, "play", names)):
            compiling(err(), [key], "play", names)
        dealt = new(key, seats, read_seed(seed), first=first, **given)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    try:
        play_session(console, dealt, seat, others)
    except (EOFError, KeyboardInterrupt):
        click.echo()
    finally:
        again = ["tavolino", "play", key, "--players", str(seats), "--seat", str(seat), "--seed", str(dealt.seed)]
        again += ["--against", against]
        again += [] if first is None else ["--first", str(first)]
        try:
            _leave(dealt, save, [*again, *(part for option in options for part in ("--option", option))])
        finally:
            tiers.use_compiled(key)  # last: the record is written by the rules that the game was played by


def _leave(game: "Game", save: Path | None, again: list[str]) -> None:
    """Keep the record, and say how to watch the game again and how to play the deal again."""
    import shlex

    from tavolino.engine import cache
    from tavolino.play.records import line

    if game.moves:
        file = save or cache.cache_root() / "last-game.jsonl"
        try:
            if save is None:  # the last game only; to keep more, --save
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(b"")
            with file.open("ab") as opened:
                opened.write(line(game.record()))
            with file.open("rb") as opened:
                number = sum(1 for text in opened if text.strip())
        except OSError as error:
            if save is not None:
                raise
            click.echo(f"The record could not be kept ({error.strerror}).", err=True)
        else:
            which = f" --game {number}" if number > 1 else ""
            click.echo(f"To watch the game again: tavolino replay {shlex.quote(str(file))}{which}")
    click.echo(f"To play the same deal again: {shlex.join(again)}")
