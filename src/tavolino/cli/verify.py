"""`tavolino verify`: prove that a game's cards and dice come from the secret that its table had committed to."""

from pathlib import Path

import click


@click.command(
    short_help="Prove that a game was dealt fairly.",
    epilog="Example: tavolino verify tavolino-game.json. To check by hand, without this program: docs/fairness.md",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--commitment", metavar="SHA256", help="What the table showed you before the first move.")
def verify(file: Path, commitment: str | None) -> int:
    """Check each record in FILE (one per line): deal, starting seat and dice must follow from its secret."""
    from tavolino.engine.phrases import counted
    from tavolino.play.fairness import verify as prove
    from tavolino.play.records import BadRecord, lines

    records = wrong = 0
    for number, data in lines(file):
        records += 1
        try:
            if isinstance(data, BadRecord):
                raise data
            game = prove(data, commitment)
        except BadRecord as error:
            wrong += 1
            click.echo(f"{file.name}, line {number}: {error}")
        else:
            moves = counted(len(game.moves), "move")
            click.echo(f"{file.name}, line {number}: fair. {game.key}, {moves}, all from the secret.")
    if not records:
        click.echo(f"{file.name}: it contains no record, so nothing is proved.")
    return 0 if records and not wrong else 1
