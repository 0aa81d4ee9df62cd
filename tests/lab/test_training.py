"""Training: the same recipe makes the same network, on any number of threads and after a kill."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavolino.bots import selfplay
from tavolino.bots.networks import packed, read, unpacked
from tavolino.bots.recipes import recipe_of
from tavolino.bots.train import TrainingProgress
from tavolino.engine.net import H1, W1, WORK, forward, learn, new_net
from tavolino.engine.recipe import Recipe
from tavolino.engine.registry import GAMES
from tavolino.lab import training
from tavolino.lab.training import train
from tavolino.play.setup import read_setup
from tavolino.workers.threads import Threads

SMALL = Recipe(games=400, round_games=100, lam_end=0.3, league=0.5)
TABLES = [(key, players) for key, game in GAMES.items() if game.part("recipes") for players in game.people.PLAYERS]


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
    one, two = (train("orma", 2, SMALL, workers=Threads(threads)) for threads in (1, 2))
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


def test_past_selves_take_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a league the games differ, once there is a past self; no more of them are kept than there is room for."""
    sizes: list[int] = []
    play = selfplay.play_and_note

    def note(states: Any, net: Any, past: Any, *rest: Any) -> int:
        sizes.append(len(past))
        return int(play(states, net, past, *rest))

    monkeypatch.setattr(training, "play_and_note", note)
    monkeypatch.setattr(training, "LEAGUE", 2)
    in_league = train("orma", 2, SMALL)
    assert sizes[0] == 0
    assert max(sizes) == 2
    assert in_league.tobytes() != train("orma", 2, replace(SMALL, league=0.0)).tobytes()


def test_a_file_gives_back_the_network(tmp_path: Path) -> None:
    """Eight bits a number: what is written is what was trained, near to the exact numbers; unseen features are 0."""
    path = tmp_path / "net.npz"
    net = train("orma", 2, SMALL, path)
    assert read(path).tobytes() == net.tobytes()
    assert train("orma", 2, SMALL, path).tobytes() == net.tobytes()
    rows = net[W1:].reshape(-1, H1)
    assert 0.1 < (rows == 0).all(axis=1).mean() < 0.9
    exact = new_net(50, 1)
    exact[W1:] *= np.repeat(np.linspace(0, 30, 50, dtype=np.float32), H1)
    scale = np.repeat(np.abs(exact[W1:].reshape(50, H1)).max(axis=1), H1)
    given = unpacked(packed(exact))
    assert np.abs(given - exact)[W1:] == pytest.approx(0 * scale, abs=float(scale.max()) / 250)
    assert given[:W1].tobytes() == exact[:W1].tobytes()
    np.savez(path, net=net)
    with pytest.raises(ValueError, match="holds no network"):
        read(path)


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_networks_are_small(key: str, players: int) -> None:
    """They travel to browsers: at most 300 KB each, and their files say how they were made."""
    path = GAMES[key].folder / "weights" / f"{players}.npz"
    assert path.stat().st_size <= 300_000
    with np.load(path) as data:
        made = json.loads(str(data["made"]))
    recipe = asdict(recipe_of(read_setup(key, players)))
    assert made == {"key": key, "players": players, "done": recipe["games"], **recipe}


def test_every_table_has_a_recipe() -> None:
    """What ships can be made again."""
    for key, game in GAMES.items():
        if game.part("bots") is None:
            with pytest.raises(ValueError, match="no recipe"):
                recipe_of(read_setup(key))
            continue
        for players in game.people.PLAYERS:
            assert recipe_of(read_setup(key, players)).games > 0
