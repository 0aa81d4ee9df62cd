"""How the networks that ship were made: `tavolino train GAME --players N` makes them again from these."""

from dataclasses import replace

from tavolino.bots.train import Recipe

_FACE_TO_FACE = Recipe(games=600_000, lam=0.85, rate=0.005, rate_end=0.0002, guests=0.0, guests_end=0.8)
_OUT_OF_SOCK = Recipe(games=150_000, lam=0.65, rate=0.01, rate_end=0.0002, guests_end=0.6)
_ORMA = Recipe(games=150_000, lam=0.85, rate=0.004, rate_end=0.0001, guests=0.0, guests_end=0.8)

RECIPES = {
    ("face-to-face", 2): _FACE_TO_FACE,
    ("out-of-sock", 2): replace(_OUT_OF_SOCK, games=400_000),
    ("out-of-sock", 3): _OUT_OF_SOCK,
    ("out-of-sock", 4): _OUT_OF_SOCK,
    **{("orma", players): _ORMA for players in (2, 3, 4, 5)},
}


def recipe_of(key: str, players: int) -> Recipe:
    """Return the recipe of a game's network; ValueError if there is none."""
    if (key, players) not in RECIPES:
        raise ValueError(f"there is no recipe for {key} with {players} players")
    return RECIPES[key, players]
