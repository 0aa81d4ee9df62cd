"""Every game, number of players and option that the conformance tests run over, and random games of them.

A new game is among them by itself. Values of options that cannot be listed stand with the game's own tests, in
`tests/games/GAME/cases.py`.
"""

import random
from importlib import import_module
from pathlib import Path
from typing import Any

import tavolino
from tavolino.engine.registry import GAMES
from tavolino.testing import Case as Case
from tavolino.testing import cases_of


def _more(key: str) -> list[Case]:
    """Return setups of a game that its options do not list."""
    folder = key.replace("-", "_")
    if not (Path(__file__).parent / "games" / folder / "cases.py").is_file():  # a game of a package has no folder here
        return []
    more: list[tuple[int, dict[str, Any]]] = import_module(f"tests.games.{folder}.cases").MORE
    return [Case(key, players, options) for players, options in more]


CASES = [case for key in GAMES for case in (*cases_of(key), *_more(key))]
IDS = [str(case) for case in CASES]


def random_move(game: tavolino.Game, rng: random.Random) -> str:
    """Choose a legal move; dice typed in by people are rolled as real ones would fall."""
    legal = game.legal_moves
    if legal[0] == "roll:":
        return "roll:" + ",".join(map(str, sorted(rng.randint(2, 7) for _ in range(8) if rng.random() < 0.5)))
    return rng.choice(legal)


def play_on(game: tavolino.Game, rng: random.Random, moves: int = 10_000) -> tavolino.Game:
    """Play random moves, to the end or so many."""
    for _ in range(moves):
        if game.over:
            break
        game.play(random_move(game, rng))
    return game
