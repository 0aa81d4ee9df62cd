"""The self-play example: who gets the credit, and the file it writes plays as its network does."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tavolino import Batch
from tavolino.engine.registry import GAMES

FILE = Path(__file__).parents[2] / "examples" / "selfplay.py"


@pytest.fixture(scope="module")
def selfplay() -> ModuleType:
    """The example, as a module."""
    spec = importlib.util.spec_from_file_location("selfplay", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("kind", ["npz", "onnx"])
@pytest.mark.parametrize("key", GAMES)
def test_the_file_plays_as_the_network(selfplay: ModuleType, key: str, kind: str, tmp_path: Path) -> None:
    """What a batch plays by the file is what the network thinks likeliest."""
    rng = np.random.default_rng(1)
    sight = selfplay.Sight(key, ("row_from", "row_to"))
    net = selfplay.Net(len(sight.inputs), len(sight.actions), rng)
    for weights in net.weights.values():
        weights += rng.normal(0, 0.1, weights.shape).astype(np.float32)
    selfplay.keep(net, sight, key, tmp_path / f"own.{kind}")
    batch = Batch(key, 2, size=32, seed=1)
    for _ in range(20):
        chosen = sight.actions[net(*sight(batch))[1].argmax(axis=1)]
        assert batch.bot(f"{tmp_path}/own.{kind}").tolist() == chosen.tolist()
        batch.step(chosen)


def test_credit_goes_to_the_own_decisions(selfplay: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat's decision is judged by what the seat expects at its next one, or by its reward, whoever moved between."""
    monkeypatch.setattr(selfplay, "LAMBDA", 0.5)
    batch = Batch("face-to-face", size=1)
    batch._board.to_move[0] = 1
    played = {
        "value": np.array([[0.2], [0.4], [0.1], [-0.3]], np.float32),
        "seat": np.array([[0], [1], [0], [0]]),
        "done": np.array([[False], [False], [True], [False]]),
        "reward": np.array([[[0, 0]], [[0, 0]], [[1, -1]], [[0, 0]]], np.float32),
    }
    gains = selfplay.advantages(played, batch, np.array([0.6], np.float32))[:, 0]
    last = -0.6 - -0.3  # in the next game: the seat to move expects 0.6, so this one expects the opposite
    won = 1 - 0.1
    assert gains.tolist() == pytest.approx([(0.1 - 0.2) + 0.5 * won, -1 - 0.4, won, last])
