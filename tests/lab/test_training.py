"""Training: the same recipe makes the same network, on any number of threads and after a kill."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tavolino.bots.recipes import recipe_of
from tavolino.bots.train import TrainingProgress
from tavolino.engine.net import WORK, forward, learn, new_net
from tavolino.engine.recipe import Recipe
from tavolino.engine.registry import GAMES
from tavolino.lab.training import train
from tavolino.play.setup import read_setup
from tavolino.workers.threads import Threads

SMALL = Recipe(games=400, round_games=100)


class Killed(Exception):
    """Stands for a kill in the middle."""


def test_a_network_learns() -> None:
    """Gradient descent leads to the targets, and features that are on in neither place do not matter."""
    net = new_net(10, 1)
    work = np.empty(WORK, np.float32)
    cases = [(np.array([0, 3], np.int32), 0.9), (np.array([1, 3, 7], np.int32), 0.2), (np.array([5], np.int32), 0.6)]
    for _ in range(4000):
        for on, target in cases:
            learn(net, on, len(on), target, 0.1, work)
    for on, target in cases:
        assert forward(net, on, len(on), work) == pytest.approx(target, abs=0.02)


def test_the_same_network_on_any_number_of_threads() -> None:
    """One thread or two: the same bytes."""
    one, two = (train("orma", 2, SMALL, crew=Threads(threads)) for threads in (1, 2))
    assert one.tobytes() == two.tobytes()
    assert train("orma", 2, replace(SMALL, seed=2)).tobytes() != one.tobytes()


def test_a_kill_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped half-way, the same call goes on from the checkpoint to the same network."""
    monkeypatch.setattr("tavolino.lab.training.CHECKPOINT_SECONDS", 0.0)
    path = tmp_path / "net.npz"

    def stop(progress: TrainingProgress) -> None:
        if progress.done >= 200:
            raise Killed

    with pytest.raises(Killed):
        train("face-to-face", 2, SMALL, path, tell=stop)
    told: list[int] = []
    again = train("face-to-face", 2, SMALL, path, tell=lambda progress: told.append(progress.done))
    assert told == [300, 400]
    assert again.tobytes() == train("face-to-face", 2, SMALL).tobytes()
    with pytest.raises(ValueError, match="another training"):
        train("face-to-face", 2, replace(SMALL, seed=9), path)


def test_every_table_has_a_recipe() -> None:
    """What ships can be made again."""
    for key, game in GAMES.items():
        if game.part("bots") is None:
            with pytest.raises(ValueError, match="no recipe"):
                recipe_of(read_setup(key))
            continue
        for players in game.people.PLAYERS:
            assert recipe_of(read_setup(key, players)).games > 0
