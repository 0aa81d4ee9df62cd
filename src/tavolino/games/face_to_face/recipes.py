"""How the networks that ship were made: `tavolino train face-to-face --players N` makes them again from these."""

from tavolino.engine.recipe import Recipe

RECIPES = {2: Recipe(games=600_000, lam=0.85, rate=0.005, rate_end=0.0002, guests=0.0, guests_end=0.8)}
