"""How the networks that ship were made: `tavolino train orma --players N` makes them again from these."""

from tavolino.engine.recipe import Recipe

RECIPES = dict.fromkeys(
    (2, 3, 4, 5), Recipe(games=150_000, lam=0.85, rate=0.004, rate_end=0.0001, guests=0.0, guests_end=0.8)
)
