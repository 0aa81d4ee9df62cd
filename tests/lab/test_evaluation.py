"""The benchmark: the same games for everyone, a rating on the ladder, exploitability where it can be known exactly."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tavolino.bots.policy_files import Layers, save_layers
from tavolino.cli import cli
from tavolino.engine.observe import ENCODERS, NEWEST
from tavolino.engine.registry import GAMES
from tavolino.envs.exploitability import exploitability, small_versions
from tavolino.lab.evaluation import BENCHMARK, evaluate, opponents_in


def first_legal(folder: Path, key: str) -> str:
    """Write a policy that rates all actions alike, so that it plays the first legal one; return its name."""
    size, actions = ENCODERS[NEWEST][key].SIZE, 64 * GAMES[key].rules.STATE["legal"].shape[0]
    weights, biases = [np.zeros((size, actions), np.float32)], [np.zeros(actions, np.float32)]
    name = str(folder / f"{key}.npz")
    save_layers(name, Layers(weights, biases, np.arange(size), np.arange(actions)), key)
    return name


def test_the_same_games_for_everyone(tmp_path: Path) -> None:
    """Two evaluations agree in every number; the opponents stand on their ladder, with `random` at 1000."""
    name = first_legal(tmp_path, "orma")
    found, again = (evaluate(name, "orma", deals=3, quick=True, workers=1) for _ in range(2))
    assert found == again
    assert found.benchmark == BENCHMARK
    assert [one.opponent for one in found.against] == opponents_in("orma", quick=True) == list(found.ladder)
    assert [one.games for one in found.against] == [6] * len(found.against)
    assert found.ladder["random"] == pytest.approx(1000)
    assert found.ladder["hard"] > found.ladder["random"]
    assert all(low <= one.win_rate <= high for one in found.against for low, high in [one.ci95])


def test_all_opponents_are_asked() -> None:
    """From `random` to `expert`, in each game; those that think are left out on request."""
    for key in GAMES:
        assert opponents_in(key)[0] == "random"
        assert opponents_in(key)[-1] == "expert"
        assert "expert" not in opponents_in(key, quick=True)


def test_exploitability_is_exact(tmp_path: Path) -> None:
    """In a version small enough to be solved, the first legal move loses to a perfect opponent what it must."""
    pytest.importorskip("pyspiel")
    version = small_versions("orma")[0]
    found = exploitability(first_legal(tmp_path, "orma"), "orma", version)
    assert 0 <= found.uniform <= 1
    assert 0 <= found.exploitability <= 1
    assert found.exploitability != found.uniform
    assert small_versions("out-of-sock") == []


def test_the_command_tells(tmp_path: Path) -> None:
    """The file names its game; tables and JSON say the same; what is wrong is said."""
    name = first_legal(tmp_path, "face-to-face")
    how = ["evaluate", name, "--deals", "2", "--quick", "--workers", "1"]
    told = CliRunner().invoke(cli, [*how, "--players", "2"], catch_exceptions=False)
    assert told.exit_code == 0
    assert "tavolino-benchmark/1" in told.stdout
    assert "random is 1000" in told.stdout
    data = json.loads(CliRunner().invoke(cli, [*how, "--json"], catch_exceptions=False).stdout)
    assert data["game"] == "face-to-face"
    assert f"Elo {data['elo']:.0f}" in told.stdout
    assert data["response"] is None
    answered = " ".join(CliRunner().invoke(cli, [*how, "--response", "hard"], catch_exceptions=False).stdout.split())
    assert "hard, trained to beat it, wins" in answered
    assert "of 4 games: exploitable by at least" in answered
    for wrong, said in (
        (["evaluate", "greedy"], "greedy does not say which game it is for: add --game"),
        (["evaluate", f"{tmp_path}/none.npz"], "there is no such file"),
        (["evaluate", name, "--game", "orma"], "is a policy for face-to-face, not for orma"),
        ([*how, "--deals", "0"], "deals must be a whole number from 2 up"),
    ):
        refused = CliRunner().invoke(cli, wrong)
        assert refused.exit_code != 0
        assert said in refused.stderr
