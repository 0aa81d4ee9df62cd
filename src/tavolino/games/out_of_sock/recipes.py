"""How the networks that ship were made: `tavolino train out-of-sock --players N` makes them again from these."""

from dataclasses import replace

from tavolino.engine.recipe import Recipe

_SHORT = Recipe(games=150_000, lam=0.65, rate=0.01, rate_end=0.0002, guests_end=0.6)

RECIPES = {2: replace(_SHORT, games=400_000), 3: _SHORT, 4: _SHORT}
