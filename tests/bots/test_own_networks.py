"""A network that `tavolino train` has written plays wherever a bot's name is."""

import shutil
from pathlib import Path

import pytest

import tavolino
from tavolino.arena.arena import RunSettings, arena
from tavolino.bots.networks import checked, has_networks, load
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.engine.registry import GAMES
from tavolino.lab.settings import LabSettings
from tavolino.lab.simulate import simulate


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """Return a file with the network that ships: it must play as `value` does."""
    return str(shutil.copy(GAMES["orma"].folder / "weights" / "2.npz", tmp_path / "mine.npz"))


def test_it_plays_as_value_does(mine: str) -> None:
    game = tavolino.new("orma", 2, 3)
    while (seat := game.to_move) is not None:
        position = Position(game, seat, f"{len(game.moves)}")
        word = builtin(mine, "orma").choose(position)
        assert word == builtin("value").choose(position)
        game.play(word)


def test_it_meets_others(mine: str) -> None:
    """In the arena, where equals on mirrored deals win half each, and in `simulate`."""
    found = arena("orma", ("value", mine), 4, seed=1, settings=RunSettings(workers=1)).as_json()["bots"]
    assert [bot["win_rate"] for bot in found] == [0.5, 0.5]
    assert [bot["errors"] for bot in found] == [0, 0]
    assert sum(simulate("orma", 2, 2, 1, bots=[mine, "greedy"], settings=LabSettings(1)).win_rate) == pytest.approx(1)


def test_it_is_for_one_game(mine: str) -> None:
    with pytest.raises(ValueError, match=r"mine.npz is a network for orma, not for out-of-sock"):
        builtin(mine, "out-of-sock")


def test_what_compiled_code_could_not_use_is_refused() -> None:
    """It looks features up without a check: another kind of array would crash the program."""
    for key in filter(has_networks, GAMES):
        net = load(key, GAMES[key].people.PLAYERS[0])
        assert checked(net, key) is net
        for wrong, why in (
            (net.astype(float), "float32"),
            (net[:-1], "it has other features"),
            (net[::2], "contiguous"),
        ):
            with pytest.raises(ValueError, match=why):
                checked(wrong, key)
