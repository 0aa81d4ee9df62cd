"""Golden playthroughs: a game without one fails, and so does any change of rules, words, views or deals."""

import pytest

import tavolino
from tools.golden import FOLDER, playthrough

TABLES = [(game["key"], players) for game in tavolino.games() for players in game["players"]]


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_golden(key: str, players: int) -> None:
    """The game goes as it was written down."""
    path = FOLDER / f"{key}-{players}.txt"
    assert path.exists(), f"{key} with {players} players has no golden playthrough: python -m tools.golden writes it"
    for line, want in zip(playthrough(key, players).splitlines(), path.read_text().splitlines(), strict=True):
        assert line == want
