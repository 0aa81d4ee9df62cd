"""Policies as files: they play wherever a bot's name is, in the same way, and what is wrong with one is said."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino import Batch
from tavolino.arena.arena import RunSettings, arena
from tavolino.bots.players import builtin
from tavolino.bots.policy_files import Layers, open_policy, policy_of, save_layers
from tavolino.bots.position import Position
from tavolino.engine.observe import ENCODERS, NEWEST
from tavolino.engine.registry import GAMES
from tavolino.envs.gymnasium import VectorVersus, Versus
from tavolino.lab.settings import LabSettings
from tavolino.lab.simulate import simulate
from tests.cases import CASES, IDS, Case, play_on

KINDS = ("npz", "onnx")
every_kind = pytest.mark.parametrize("kind", KINDS)


def layers(key: str, seed: int = 1) -> Layers:
    """Return a small network with random numbers."""
    rng = np.random.default_rng(seed)
    inputs = np.arange(0, ENCODERS[NEWEST][key].SIZE, 2)
    actions = np.array(sorted(action for action in GAMES[key].people.WORDS if action < GAMES[key].rules.ROLLED))

    def some(*shape: int) -> Any:
        return rng.normal(0, 0.3, shape).astype(np.float32)

    weights, biases = (some(len(inputs), 8), some(8, len(actions))), (some(8), some(len(actions)))
    return Layers(weights, biases, inputs, actions, some(len(inputs), len(actions)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy of each kind for each game, the same network in both."""
    made = tmp_path_factory.mktemp("policies")
    for key in GAMES:
        for kind in KINDS:
            save_layers(made / f"{key}.{kind}", layers(key), key)
    return made


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_numbers_are_those_of_the_environments(case: Case, folder: Path) -> None:
    """`observe` and a Position show what a Batch shows, and both kinds of file choose what its network rates best."""
    import random

    game = play_on(case.new(2), random.Random(str(case)), 12)
    if game.to_move is None or game.legal_moves[0] == "roll:":
        return
    position = Position(game, game.to_move, "a")
    batch = Batch.from_game(game, 1)
    assert position.observation.tobytes() == batch.observations[0].tobytes()
    assert position.mask.tobytes() == batch.masks[0].tobytes()
    assert tavolino.observe(position).mask.tobytes() == position.mask.tobytes()
    for seat in range(case.players):
        seen = tavolino.observe(game, seat)
        assert seen.mask.any() == (seat == game.to_move)
        assert tavolino.observe(game, seat, observation="fields", version=0).observation.keys()
    chosen = [open_policy(f"{folder}/{case.key}.{kind}", case.key).choose(position) for kind in KINDS]
    assert chosen[0] == chosen[1]
    assert chosen[0] in game.legal_moves
    for kind in KINDS:
        action = int(batch.bot(f"{folder}/{case.key}.{kind}")[0])
        assert position.word_at(action) == chosen[0]


@every_kind
def test_files_play_everywhere(kind: str, folder: Path) -> None:
    """In the arena, in simulations, as opponents in single and vector environments."""
    name = f"{folder}/orma.{kind}"
    result = arena("orma", ["random", name], 8, seed=1, settings=RunSettings(workers=1))
    assert {bot.name for bot in result.bots} == {"random", name}
    assert not any(bot.errors for bot in result.bots)
    found = simulate("orma", games=3, seed=1, bots=[name, "random"], settings=LabSettings(1))
    assert sum(found.wins) == 3
    alone = Versus("orma", opponents=[name], seat=0)
    many = VectorVersus("orma", 2, opponents=[name, "greedy"], players=3)
    alone.reset(seed=1)
    many.reset(seed=1)
    for _ in range(20):
        if alone.step(int(alone.action_masks().argmax()))[2]:
            alone.reset()
        many.step(many.bot("greedy"))
    assert builtin(name, "orma").name == name
    many.close()


def test_both_kinds_give_the_same_games(folder: Path) -> None:
    """The same network as NPZ and as ONNX plays the same games."""
    played = []
    for kind in KINDS:
        batch = Batch("face-to-face", size=8, seed=3)
        for _ in range(60):
            batch.step(batch.bot(f"{folder}/face-to-face.{kind}"))
        played.append(batch.observations.tobytes())
    assert played[0] == played[1]


def test_what_is_wrong_is_said(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file, no policy, another game, other numbers, no library: a clear ValueError before anything is played."""
    with pytest.raises(ValueError, match="there is no such file"):
        builtin(f"{tmp_path}/none.onnx", "orma")
    (tmp_path / "bad.npz").write_bytes(b"zip")
    (tmp_path / "bad.onnx").write_bytes(b"onnx")
    np.savez(tmp_path / "other.npz", net=np.zeros(3))
    for file in ("bad.npz", "other.npz"):
        with pytest.raises(ValueError, match=f"{file} holds no policy"):
            builtin(f"{tmp_path}/{file}", "orma")
    with pytest.raises(ValueError, match=r"bad\.onnx is no ONNX file that can be run"):
        builtin(f"{tmp_path}/bad.onnx", "orma")
    with pytest.raises(ValueError, match="is a policy for orma, not for face-to-face"):
        builtin(f"{folder}/orma.npz", "face-to-face")
    with pytest.raises(ValueError, match=r"no player 'grandma'; there are .*, and policies as files: my\.onnx"):
        builtin("grandma", "orma")
    with pytest.raises(ValueError, match=r"wants observations of version 1, but these are of version 0"):
        Batch("orma", size=1, version=0).bot(f"{folder}/orma.npz")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ValueError, match=r"needs onnxruntime: pip install tavolino\[onnx\]"):
        builtin(copied(folder / "orma.onnx", tmp_path / "again.onnx"), "orma")


def copied(source: Path, to: Path) -> str:
    to.write_bytes(source.read_bytes())
    return str(to)


def test_files_without_words_about_themselves(tmp_path: Path) -> None:
    """An ONNX file from elsewhere, with a mask as its second input and no metadata, is judged by its size."""
    from onnx import TensorProto, helper, save

    size, actions = ENCODERS[NEWEST]["orma"].SIZE, 384
    given = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, size]),
        helper.make_tensor_value_info("legal", TensorProto.FLOAT, [None, actions]),
    ]
    made = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, actions])]
    graph = helper.make_graph([helper.make_node("Identity", ["legal"], ["y"])], "p", given, made)
    name = str(tmp_path / "own.onnx")
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), name)
    game = tavolino.new("orma", seed=1)
    assert policy_of(name, "orma").game is None
    seen = tavolino.observe(game)
    word = builtin(name, "orma").choose(Position(game, game.to_move or 0, "a"))
    assert game.action_of(word) == int(seen.mask.argmax())
    with pytest.raises(ValueError, match="takes 999 numbers, but an observation of face-to-face has 434"):
        builtin(name, "face-to-face")
