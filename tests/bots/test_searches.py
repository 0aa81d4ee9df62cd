"""Matches of look-aheads, and the luck that is left out of their results (`bench/searches.py`)."""

from pathlib import Path

import numpy as np
import pytest

from bench import searches
from bench.searches import Thinker


def test_luck_is_left_out_and_what_was_won_stays() -> None:
    """Made-up games in which luck decides most: the same mean within the error, known twice as well."""
    rng = np.random.default_rng(5)
    games = []
    for deal in range(400):
        for seat in range(2):
            luck = rng.normal(0, 0.5)
            won = float(0.1 + luck + rng.normal(0, 0.2) > 0)
            games.append({"deal": deal, "seat": seat, "won": won, "luck": [0.7 * luck, 0.0]})
    found = searches.score(games)
    assert abs(found.won - found.without_luck) < found.half
    assert found.half_without < 0.7 * found.half
    assert found.deals == 400


@pytest.mark.parametrize("key", searches.TABLES)
def test_a_match_goes_on_where_it_was(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A deal is played in both seatings, the same again from the same seed, and kept."""
    pair = (Thinker(4, sees=True), Thinker(2))
    games = searches.match(key, pair, 1, "test", tmp_path)
    assert [(game["deal"], game["seat"]) for game in games] == [(0, 0), (0, 1)]
    assert all(0 <= game["won"] <= 1 and np.isfinite(game["luck"]).all() for game in games)
    again = searches.play(searches.Table(key), 0, pair, 1, "test")
    assert {**again, "seconds": 0} == {**games[1], "seconds": 0}
    kept = next(tmp_path.iterdir()).read_bytes()
    assert searches.match(key, pair, 1, "test", tmp_path) == games
    assert next(tmp_path.iterdir()).read_bytes() == kept
    assert "1 deals" in capsys.readouterr().out
