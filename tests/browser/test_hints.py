"""The chances of a hint without NumPy are those that `bots.advice` tells."""

import numpy as np
import pytest

from tavolino.bots.advice import Z, _errors
from tavolino.bots.calibration import LOOK_AHEAD, calibration_of
from tavolino.bots.networks import has_networks
from tavolino.bots.position import Position
from tavolino.browser.hints import corrected, interval
from tavolino.engine.registry import GAMES
from tavolino.play.game import new

TABLES = [(key, players) for key, game in GAMES.items() if has_networks(key) for players in game.people.PLAYERS]


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_the_same_chance_and_interval(key: str, players: int) -> None:
    """From the first move to the last, at the edges, and for each place in the turn order."""
    game = new(key, players, seed=5)
    calibration = calibration_of(LOOK_AHEAD, key, players)
    words, errors = np.array([0.0, 0.2, 0.55, 0.97, 1.0]), np.array([0.0, 0.03, 0.02, 0.01, 0.0])
    while not game.over:
        assert game.to_move is not None
        position = Position(game, game.to_move, "1")
        if position.moves % 9 == 0:
            chances = calibration.chances(words, position.moves, position.place)
            halves = Z * _errors(calibration, words, errors, position)
            for word, error, chance, half in zip(words, errors, chances, halves, strict=True):
                found = corrected(key, players, position.moves, position.place, (float(word), float(error)))
                assert found == pytest.approx((chance, max(0.0, chance - half), min(1.0, chance + half)), abs=1e-12)
        game.play(game.legal_moves[position.moves % len(game.legal_moves)])


def test_without_a_network_nothing_is_corrected() -> None:
    assert interval(0.5, 0.1) == pytest.approx((0.5, 0.304, 0.696))
    assert interval(0.99, 0.1)[2] == 1.0
