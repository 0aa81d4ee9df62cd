"""How the networks that ship were made: `tavolino train face-to-face --players N` trains by them."""

from tavolino.engine.recipe import Recipe

RECIPES = {
    2: Recipe(games=450_000, lam=0.85, lam_end=0.4, rate=0.005, rate_end=0.0001, guests=0.1, guests_end=0.1, league=0.4)
}
