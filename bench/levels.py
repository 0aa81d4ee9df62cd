"""How long each level thinks about a move at every table: `python -m pytest bench/levels.py`."""

import time

import pytest

from tavolino.bots.players import LEVELS, builtin
from tavolino.bots.position import Position
from tests.bots.test_players import TABLES, moments


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize(("key", "players"), TABLES)
def test_levels_answer_in_time(key: str, players: int, name: str) -> None:
    """Each level keeps to its time even on a machine half as fast as this one."""
    player = builtin(name)
    for number, game in enumerate(moments(key, players, 4)):
        assert game.to_move is not None
        position = Position(game, game.to_move, "x")
        if number == 0:
            player.choose(position)  # compiled before the clock runs
        began = time.process_time()
        player.choose(position)
        assert time.process_time() - began < LEVELS[name] / 2
