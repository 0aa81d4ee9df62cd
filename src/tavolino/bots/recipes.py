"""Find how a game's network is made."""

from tavolino.engine.recipe import Recipe
from tavolino.play.setup import Setup


def recipe_of(setup: Setup) -> Recipe:
    """Return the recipe of a game's network; ValueError if there is none."""
    recipes = setup.game.part("recipes")
    if recipes is None or setup.players not in recipes.RECIPES:
        raise ValueError(f"there is no recipe for {setup.key} with {setup.players} players")
    found: Recipe = recipes.RECIPES[setup.players]
    return found
