"""How the networks that ship were made: `tavolino train out-of-sock --players N` trains by them."""

from dataclasses import replace

from tavolino.engine.recipe import Recipe

_LARGER = Recipe(
    games=150_000, lam=0.7, lam_end=0.5, rate=0.01, rate_end=0.0001, guests=0.1, guests_end=0.1, league=0.3
)

RECIPES = {2: replace(_LARGER, games=800_000), 3: _LARGER, 4: _LARGER}
