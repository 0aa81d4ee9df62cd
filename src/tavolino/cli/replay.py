"""`tavolino replay`: a recorded game told move by move."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tavolino.cli.common import RECORDS

if TYPE_CHECKING:
    from rich.console import Console

    from tavolino.play.game import Game


@click.command(
    short_help="Tell a recorded game move by move.", epilog="Example: tavolino replay games.jsonl --game 3 | less -R"
)
@click.argument("file", type=RECORDS)
@click.option("--game", "number", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Which game.")
@click.option("--moves-only", is_flag=True, help="List the moves without pictures of the table.")
def replay(file: str, number: int, moves_only: bool) -> int:
    """Tell a game in FILE (one record per line; - reads standard input) move by move, with all hands open.

    If a record is wrong, the game is told up to the wrong move, then the reason; the exit code is 1.
    """
    from tavolino.cli.common import out
    from tavolino.cli.compiled import begin_plain
    from tavolino.engine.registry import GAMES
    from tavolino.play.records import BadRecord
    from tavolino.play.records import replay as replay_record

    record = find_record(file, number)
    if isinstance(record, BadRecord):
        return _wrong(f"game {number} of {file} is {record}")
    key = record.get("game") if isinstance(record, dict) else None
    if isinstance(key, str) and key in GAMES:
        begin_plain(key, "replay", ())
    try:
        replay_record(record)
        problem = None
    except BadRecord as error:
        problem = error
    try:  # the same deal, before the first move
        game = replay_record({**record, "moves": [], "scores": None, "winners": None})
    except (BadRecord, TypeError):
        return _wrong(f"game {number} of {file}: {problem}")
    moves = record["moves"] if isinstance(record["moves"], list) else []
    told = moves if problem is None or problem.move is None else moves[: problem.move]
    tell(out(), game, told, len(moves), moves_only)
    return 0 if problem is None else _wrong(f"game {number} of {file}: {problem}")


def find_record(file: str, number: int) -> Any:
    """Return the n-th record of a file, counted from 1; a BadRecord if its line is not JSON."""
    from tavolino.cli.check import open_records
    from tavolino.engine.phrases import counted
    from tavolino.play.records import lines_of

    count = 0
    with open_records(file) as opened:
        for _, record in lines_of(opened):
            count += 1
            if count == number:
                return record
    there = "no game" if count == 0 else counted(count, "game")
    raise click.ClickException(f"there is no game {number} in {file}: it has {there}")


def _wrong(reason: str) -> int:
    click.echo(f"Wrong: {reason}")
    return 1


def tell(console: "Console", game: "Game", words: list[str], recorded: int, moves_only: bool) -> None:
    """Play the words in a new game and tell each, then the result; the record has `recorded` moves."""
    from rich.text import Text

    from tavolino.engine.registry import GAMES
    from tavolino.play.terminal import seat_names, table_of

    table = table_of(game.key)
    names = seat_names(game.players)
    options = [f"{name} {value}" for name, value in game.record()["options"].items()]
    title = [GAMES[game.key].title, f"{game.players} players", *options, f"{names[game.first]} starts"]
    console.print(Text(", ".join(title), "bold"))
    if not moves_only:
        console.print(table.picture(open_views(game), names))
    for number, line in enumerate(told_moves(game, words, names), 1):
        text = Text(f"{number:>3}  ", "dim").append(line)
        if moves_only:
            console.print(text, soft_wrap=True)
            continue
        console.print()
        console.print(text)
        console.print(table.picture(open_views(game), names))
    console.print()
    if game.over:
        for sentence in table.ending(game.view(None), names):
            console.print(sentence)
    elif len(game.moves) == recorded:
        console.print("The record stops here; the game is not over.")


def open_views(game: "Game") -> list[dict[str, Any]]:
    """Return the views of all seats: together they show all hands."""
    return [game.view(seat) for seat in range(game.players)]


def told_moves(game: "Game", words: list[str], names: list[str]) -> Iterator["Any"]:
    """Play each word; yield a line that says who did what. The words must be legal."""
    from tavolino.play.terminal import move_line, table_of

    table = table_of(game.key)
    for word in words:
        line = move_line(table, game.view(None), game.offer_of(word), names)
        game.play(word)
        yield line
