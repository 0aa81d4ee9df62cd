"""The self-play example: who gets the credit, and the file it writes plays as its network does."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

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
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FILE.parent)  # as for a program: it imports what lies beside it
        spec.loader.exec_module(module)
    return module


def shaken(selfplay: ModuleType, key: str) -> Any:
    """Return a network whose weights are all at random."""
    rng = np.random.default_rng(1)
    net = selfplay.RatingNet(key, rng)
    for weights in net.weights.values():
        weights += rng.normal(0, 0.1, weights.shape).astype(np.float32)
    return net


@pytest.mark.parametrize("key", GAMES)
def test_the_file_plays_as_the_network(selfplay: ModuleType, key: str, tmp_path: Path) -> None:
    """What a batch plays by the file is what the network thinks likeliest."""
    net = shaken(selfplay, key)
    selfplay.keep(net, key, tmp_path / "own.onnx")
    batch = Batch(key, 2, size=32, seed=1)
    for _ in range(20):
        chosen = net.actions[net(*net.see(batch))[1].argmax(axis=1)]
        assert batch.bot(f"{tmp_path}/own.onnx").tolist() == chosen.tolist()
        batch.step(chosen)


@pytest.mark.parametrize("key", GAMES)
def test_gradients_lead_downhill(selfplay: ModuleType, key: str) -> None:
    """A small step against the gradients of the weights lowers the loss by as much as they say."""
    net, batch = shaken(selfplay, key), Batch(key, 2, size=64, seed=1)
    for _ in range(15):
        batch.step(batch.sample())
    seen, mask = net.see(batch)
    part = {"wanted": np.array([np.flatnonzero(row)[-1] for row in mask])}

    def loss() -> tuple[float, Any]:
        passed, logs, value = net(seen, mask)
        said = -logs[np.arange(64), part["wanted"]].mean() + 0.5 * (value**2).mean()
        return float(said), net.gradients(
            passed, selfplay.imitate(logs, part) / 64, (value * (1 - value**2) / 64).astype(np.float32)
        )

    before, grads = loss()
    assert grads.keys() == net.weights.keys()
    square = sum(float(np.vdot(g, g)) for g in grads.values())
    for name, gradient in grads.items():
        net.weights[name] -= 1e-3 / square * gradient
    assert before - loss()[0] == pytest.approx(1e-3, rel=0.1)


@pytest.mark.parametrize("name", ["greedy", "random", "past"])
def test_a_guest_is_not_learnt_from(selfplay: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Learning runs from copying to playing with a guest; what the guest does does not count as a decision."""
    monkeypatch.setattr(selfplay, "STEPS", 8)
    net, told = shaken(selfplay, "orma"), list[int]()
    before = {name: weights.copy() for name, weights in net.weights.items()}
    batch = Batch("orma", 2, size=32, seed=1)
    guest = np.where(np.arange(32) < 16, 0, -1)
    rng = np.random.default_rng(1)
    who = selfplay.past_self(net, rng) if name == "past" else selfplay.bot(name)
    played = selfplay.rollout(batch, net, (who, guest), rng, copying=False)
    assert (played["mine"] == (played["seat"] != guest)).all()
    assert len(played["seen"]) == played["mine"].size  # what to expect is learnt in the guest's place, too
    selfplay.train(net, batch, 0.05, (name, 0.6), lambda spent, decisions: told.append(decisions))
    assert 0 < told[0] <= 8 * 32
    assert any((weights != before[name]).any() for name, weights in net.weights.items())


def test_a_league_is_of_past_selves(selfplay: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A past self plays on as it did, whatever the network learns after that, and more of them join with time."""
    monkeypatch.setattr(selfplay, "STEPS", 4)
    net, batch, rng = shaken(selfplay, "orma"), Batch("orma", 2, size=32, seed=1), np.random.default_rng(5)
    first, fate = batch.copy(), rng.bit_generator.state
    then, joined, made = selfplay.past_self(net, rng), list[Any](), selfplay.past_self
    before = then(first).tolist()

    def join(*args: Any) -> Any:
        joined.append(made(*args))
        return joined[-1]

    monkeypatch.setattr(selfplay, "past_self", join)
    selfplay.train(net, batch, 0.3, ("past", 0.6), lambda spent, decisions: None)
    assert len(joined) > 2
    rng.bit_generator.state = fate
    assert then(first).tolist() == before
    rng.bit_generator.state = fate
    assert made(net, rng)(first).tolist() != before


def test_credit_goes_to_the_seat_that_decided(selfplay: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision is judged by what its seat expects after each step, whoever took it, and by its reward at the end."""
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
    answered = (-0.4 - 0.2) + 0.5 * ((0.1 - -0.4) + 0.5 * won)  # what the other seat expects is the opposite for me
    assert gains.tolist() == pytest.approx([answered, (-0.1 - 0.4) + 0.5 * -won, won, last])


def test_only_what_is_likely_is_drawn(selfplay: ModuleType) -> None:
    """An action that cannot be is not drawn, whatever the random number, 0 included."""

    class Low:
        """Draws the lowest number there is."""

        def random(self, shape: tuple[int, ...], kind: type) -> Any:
            return np.zeros(shape, kind)

    assert selfplay.drawn(np.log(np.array([[1e-30, 1e-30, 1]], np.float32)), Low()).tolist() == [2]
