"""`tavolino verify`: prove that cards and dice come from the secret and the shares that everyone committed to."""

from pathlib import Path

import click


@click.command(
    short_help="Prove that a game was dealt fairly.",
    epilog="Example: tavolino verify tavolino-game.json. To check by hand, without this program: docs/fairness.md",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--commitment", metavar="SHA256", help="The fingerprint that your browser kept, from before the first move."
)
def verify(file: Path, commitment: str | None) -> int:
    """Check each record in FILE (one per line): deal, starting seat and dice must follow from secret and shares.

    Without --commitment, this only shows that a record fits itself; the fingerprint that your browser kept shows that
    nothing was swapped afterwards, and that your own share is in it.
    """
    from tavolino.engine.phrases import counted
    from tavolino.play.fairness import shares_in
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
            moves, shares = counted(len(game.moves), "move"), shares_in(data)
            source = f"the secret and {counted(shares, 'share')}" if shares else "the secret"
            click.echo(f"{file.name}, line {number}: fair. {game.key}, {moves}, all from {source}.")
            if shares and not data["fair"].get("terms"):
                click.echo("  An earlier version dealt it: the fingerprint does not bind options, or who starts.")
            if not data["fair"].get("first_drawn"):
                click.echo(f"  Seat {game.first} started by turn, not by chance: not so in the first game of a table.")
    if not records:
        click.echo(f"{file.name}: it contains no record, so nothing is proved.")
    elif not wrong and commitment is None:
        click.echo("Compared with the fingerprint in the record only: --commitment takes the one your browser kept.")
    return 0 if records and not wrong else 1
