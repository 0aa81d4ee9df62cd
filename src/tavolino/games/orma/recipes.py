"""How the networks that ship were made: `tavolino train orma --players N` trains by them.

With three to five players, networks trained among equals learnt to wait for others who wait as well, and were no match
for `greedy`; so there the share of games with rules of thumb as guests grows to four fifths.
"""

from tavolino.engine.recipe import Recipe

_LARGER = Recipe(games=150_000, lam=0.85, lam_end=0.85, rate=0.004, rate_end=0.0001, guests=0.0, guests_end=0.8)

RECIPES = {
    2: Recipe(
        games=300_000, lam=0.85, lam_end=0.3, rate=0.004, rate_end=0.0001, guests=0.1, guests_end=0.1, league=0.4
    ),
    3: _LARGER,
    4: _LARGER,
    5: _LARGER,
}
