"""The plain tier: games begin without anything compiled, and are the same games when compiled code takes over."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavolino.bots.lookahead import weigh
from tavolino.bots.networks import active, load
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.bots.strategy import MAX_CHOICES
from tavolino.engine import tiers
from tavolino.engine.registry import GAMES
from tavolino.play.game import IllegalMove, new
from tests.engine.test_compiled import run

LEVELS = ("easy", "medium", "hard")


def played(key: str, plain: Callable[[int], bool] = lambda move: True) -> dict[str, Any]:
    """Play a game to its end, a level after the other to move, by plain rules in the moves that are said."""
    tiers.use_plain(key)
    game = new(key, seed="tiers")
    while not game.over:
        move = len(game.moves)
        (tiers.use_plain if plain(move) else tiers.use_compiled)(key)
        assert game.to_move is not None
        game.tell(builtin(LEVELS[move % 3]).choose(Position(game, game.to_move, f"{move}")))
        game.view(0)
    return game.record()


def refusals(key: str) -> list[str]:
    """Say why each word that is no legal first move is none."""
    found, game = [], new(key, seed="tiers")
    for word in GAMES[key].people.WORDS.values():
        try:
            game.action_of(word)
        except IllegalMove as error:
            found.append(str(error))
    return found


def main() -> None:
    tiers.use_plain(*GAMES)
    for key in GAMES:
        print(json.dumps([played(key), refusals(key)]))


def test_whole_games_without_anything_compiled(tmp_path: Path) -> None:
    """With an empty cache and compiling forbidden every game is played against every quick level, byte for byte."""
    env = {"TAVOLINO_COMPILE": "never", "TAVOLINO_CACHE": str(tmp_path), "PYTHONWARNINGS": "error"}
    lines = run("from tests.engine.test_tiers import main; main()", env=env).splitlines()
    assert len(lines) == len(GAMES)
    for key, line in zip(GAMES, lines, strict=True):
        assert line == json.dumps([played(key, lambda move: False), refusals(key)])


@pytest.mark.parametrize("key", GAMES)
def test_a_swap_in_the_middle_leaves_the_same_game(key: str) -> None:
    """Some moves plain and some compiled, and a change in between at any time: the same record."""
    record = played(key, lambda move: False)
    assert played(key, lambda move: 6 <= move < 12 or move % 17 == 0) == record


@pytest.mark.parametrize("key", GAMES)
def test_the_network_says_the_same_to_the_last_bit(key: str) -> None:
    """Whole games can agree by luck where the values of their moves differ a little: these must not."""
    game = new(key, seed="bits")
    net, features = load(key, game.players), active(key)
    while not game.over and len(game.moves) < 60:
        assert game.to_move is not None
        states = Position(game, game.to_move, "bits").state()
        told = []
        for use in (tiers.use_plain, tiers.use_compiled):
            use(key)
            actions, values = np.zeros(MAX_CHOICES, np.int64), np.zeros(MAX_CHOICES, np.float64)
            n = weigh(states, net, features, actions, values)
            told.append((actions[:n].tolist(), values[:n].tolist()))
        assert told[0] == told[1]
        game.tell(builtin("medium").choose(Position(game, game.to_move, "bits")))


def test_the_plain_twin_is_a_module_of_its_own() -> None:
    """Nobody who imports the rules gets the plain ones, and what is imported by both is there once."""
    twin = tiers.plain("tavolino.engine.kernels")
    from tavolino.engine import kernels as known

    assert twin is tiers.plain("tavolino.engine.kernels")
    assert twin is not known
    assert vars(twin)["np"] is vars(known)["np"]
    assert tiers.plain("tavolino.engine.jit").INTERPRETED
