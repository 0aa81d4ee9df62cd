"""`tavolino train`: train the networks of the expert players."""

from pathlib import Path

import click

from tavolino.cli.common import on_ray, the_game


@click.command(
    short_help="Train a game's network by self-play.",
    epilog="Example: tavolino train orma --players 2 --out orma-2.npz",
)
@the_game
@click.option("--players", type=int, metavar="N", help="How many seats; by default the fewest the game allows.")
@click.option(
    "--games", type=int, metavar="K", help="How many games to play; by default as many as for the shipped network."
)
@click.option(
    "--seed", type=int, metavar="S", help="The same seed gives the same network; by default that of the shipped one."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file to write; by default GAME-N.npz.",
)
@on_ray
def train(
    game: str, players: int | None, games: int | None, seed: int | None, out: Path | None, ray: str | None
) -> None:
    """Train GAME's network by self-play, with the recipe of the network that ships.

    Until training is done, FILE is a checkpoint: if stopped or killed, the same command resumes from it.
    """
    from dataclasses import replace

    from tavolino.bots.recipes import recipe_of
    from tavolino.cli.common import bar, err, workers_at
    from tavolino.cli.compiled import compiling
    from tavolino.engine.phrases import counted
    from tavolino.play.atomic_file import check_writable
    from tavolino.play.setup import at_least, from_one, read_setup

    try:
        setup = read_setup(game, players)
        seats = setup.players
        recipe = recipe_of(setup)
        if games is not None:
            recipe = replace(recipe, games=from_one(games, "games"))
        if seed is not None:
            recipe = replace(recipe, seed=at_least(0, seed, "seed"))
        path = out or Path(f"{game}-{seats}.npz")
        check_writable(path)
        compiling(err(), [game], "train")
        from tavolino.bots.train import TrainingProgress
        from tavolino.lab.training import train as learn
        from tavolino.play.cores import cores
        from tavolino.workers.threads import Threads

        click.echo(f"{setup.game.title}, {seats} players: {recipe}", err=True)
        with workers_at(err(), ray) as workers, bar(err(), "self-play", recipe.games) as update:

            def tell(progress: TrainingProgress) -> None:
                update(progress.done)

            learn(game, seats, recipe, path, workers or Threads(cores()), tell)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{path}: trained on {counted(recipe.games, 'game')}")
