"""What a browser is given to think about holds what its seat may know, and nothing else."""

import pytest

from tavolino.bots.position import Position
from tavolino.engine.registry import GAMES
from tavolino.play.game import new
from tavolino.server.thoughts import ADVISER, thought_of

MOVES = 9


@pytest.mark.parametrize("key", GAMES)
def test_games_that_look_alike_give_the_same_bytes(key: str) -> None:
    """The true game and others in which the rest is dealt differently; the true one is not among the bytes."""
    for players in GAMES[key].people.PLAYERS:
        game = new(key, players, seed=3)
        hidden = 0
        while len(game.moves) < MOVES:
            seat = game.to_move
            assert seat is not None
            given = thought_of(Position(game, seat, "s"), ADVISER)
            for world in range(3):
                other = game.in_world(game.redealt_state(seat, world), seat)
                assert thought_of(Position(other, seat, "s"), ADVISER) == given
            hidden += given["state"] != game.bare_state().tobytes().hex()
            game.play(game.legal_moves[-1])
        redealt = any(game.redealt_state(0, n).tobytes() != game.bare_state().tobytes() for n in range(3))
        assert (hidden > 0) == redealt
