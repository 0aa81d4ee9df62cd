"""What a browser is given to find a hint: the position as the seat may know it, and nothing that hangs on the rest."""

import pytest

from tavolino.bots.position import Position
from tavolino.engine.registry import GAMES
from tavolino.server.thoughts import ADVISER, thought_of
from tests.bots.test_players import moments


@pytest.mark.parametrize(("key", "players"), [(key, n) for key, game in GAMES.items() for n in game.people.PLAYERS])
def test_a_thought_does_not_depend_on_what_is_hidden(key: str, players: int) -> None:
    """Games that look alike to a seat give it the same thought, byte for byte; it is not the true position."""
    dealt_anew = 0
    for game in moments(key, players, 8):
        seat = game.to_move or 0
        thoughts = [thought_of(Position(one, seat, "0123"), ADVISER) for one in (game.copy(), game.redeal(seat))]
        assert thoughts[0] == thoughts[1]
        dealt_anew += thoughts[0]["state"] != game._states.tobytes().hex()
    assert dealt_anew > 0
