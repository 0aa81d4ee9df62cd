"""`tavolino list` and `tavolino rules`: which games there are, and how they are played."""

import os
import sys
from typing import TYPE_CHECKING

import click

from tavolino.cli.common import the_game

if TYPE_CHECKING:
    from rich.console import Console

LANGUAGES = ("en", "it", "es")


@click.command("list", epilog="Example: tavolino list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array instead of the table.")
def list_games(as_json: bool) -> None:
    """List the games, their numbers of players and their options."""
    from tavolino.engine.phrases import option_text
    from tavolino.play.setup import games

    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(games()))
        return
    from rich import box
    from rich.padding import Padding
    from rich.table import Table

    from tavolino.cli.common import out

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("game\n  option", "title\n  default", "players\n  allowed"):
        table.add_column(heading)
    for game in games():
        numbers = game["players"]
        players = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
        table.add_row(game["key"], game["title"], players, style="bold")
        for option in game["options"]:
            allowed = option["allowed"].replace("'", "").replace("None", "none")
            table.add_row(f"  {option['name']}", f"  {option_text(option['default'])}", Padding(allowed, (0, 0, 0, 2)))
        table.add_section()
    console = out()
    console.print(table)
    console.print("Write options as --option KEY=VALUE, such as --option basket=plain.", soft_wrap=True)


@click.command(short_help="Print the rules of a game.", epilog="Example: tavolino rules orma --lang it")
@the_game
@click.option(
    "--lang", type=click.Choice(LANGUAGES), help="The language; by default that of your terminal, or English."
)
def rules(game: str, lang: str | None) -> None:
    """Print the rules of GAME, complete enough to play from."""
    text = rules_of(game, lang or language())
    if sys.stdout.isatty():
        from tavolino.cli.common import out

        show_rules(out(), text)
    else:
        click.echo(text, nl=False)


def show_rules(console: "Console", text: str) -> None:
    """Print a page of rules, formatted for the terminal."""
    from rich.markdown import Markdown

    console.print(Markdown(text))


def rules_of(game: str, lang: str) -> str:
    """Return a game's rules in words; an unknown game is an error that lists the games."""
    from tavolino.engine.registry import folder_of, packages
    from tavolino.play.text import rules_text

    if game not in packages():
        raise click.ClickException(f"no game {game!r}; there are {', '.join(packages())}")
    text = rules_text(folder_of(packages()[game]), lang)
    return text or f"There is no text of the rules of {game}."


def language() -> str:
    """Return the language that the environment asks for if we have it, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            code = value.replace("-", "_").split("_")[0].split(".")[0].lower()
            return code if code in LANGUAGES else "en"
    return "en"
