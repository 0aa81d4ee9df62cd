"""How networks are made: `tavolino train orma --players N` follows these.

The one for two players makes the file that ships. With three to five, networks trained among equals were no match for
`greedy` (docs/bots.md), so what ships there is still what an earlier version made, with fewer units; the recipe is that
one's, for today's network.
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
