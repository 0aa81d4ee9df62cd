"""Policies that somebody has learnt, as files: `my.onnx` or `my.npz`, wherever a bot's name is.

A policy says how good each action is, from what a seat observes (`tavolino.observe`); the best legal one is played.

**ONNX** (`pip install tavolino[onnx]`): the first input takes observations, float32 of (games, numbers); a second one,
if there is any, takes the masks, one number per action. The first output has a number per action, the higher the
better: logits, probabilities or values. **NPZ**: a small network of layers in NumPy's own format, written by
`save_layers`; it needs no library. Both may name what they are for: `game` and `version` (of the observations, by
default the newest), in an ONNX file as metadata `tavolino.game` and `tavolino.version`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.own_networks import NetworkPlayer, game_of_network, network_of
from tavolino.bots.position import Position, forced_move, observe
from tavolino.engine.registry import GAMES

SUFFIXES = (".onnx", ".npz")
FORMAT = "tavolino-policy/1"
Rate = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[Any]]
"""(observations, masks) → how good each action is."""


def is_policy_file(name: str) -> bool:
    """Tell whether a bot's name is that of a policy's file."""
    return name.endswith(SUFFIXES) and not name.startswith("cmd:")


@dataclass(frozen=True)
class Policy:
    """A learnt policy: how good each action is, and what it is for."""

    rate: Rate
    inputs: int | None
    """How many numbers it expects; None: any."""
    game: str | None
    """The key of its game; None: it does not say."""
    version: int
    """The version of the observations it was learnt with."""


@dataclass(frozen=True)
class PolicyPlayer:
    """A player that follows the policy of a file."""

    name: str

    def choose(self, position: Position) -> str:
        """Return the best legal move of the seat to move."""
        if (word := forced_move(position)) is not None:
            return word
        policy = policy_of(self.name, position.key)
        seen = observe(position, version=policy.version)
        return position.word_at(int(best(policy, seen.observation[None], seen.mask[None])[0]), policy.version)

    def close(self) -> None:
        """Nothing is held."""


def open_policy(name: str, key: str | None = None) -> PolicyPlayer | NetworkPlayer:
    """Return the player of a policy's file, or of a network's that `tavolino train` has written.

    ValueError if it cannot be used, or not for this game.
    """
    if (trained_for := game_of_network(Path(name).expanduser(), _stamp(name))) is not None:
        network_of(name, key or trained_for)
        return NetworkPlayer(name)
    if key is None:
        _read(name, _stamp(name))
    else:
        policy_of(name, key)
    return PolicyPlayer(name)


def game_of(name: str) -> str | None:
    """Return the key of the game that a policy's file names, if it does."""
    if (trained_for := game_of_network(Path(name).expanduser(), _stamp(name))) is not None:
        return trained_for
    return _read(name, _stamp(name)).game


def policy_of(name: str, key: str) -> Policy:
    """Return the policy of a file for a game; ValueError says what is wrong with it."""
    from tavolino.engine.observe import ENCODERS  # and with it all encoders, which most players can do without

    policy = _read(name, _stamp(name))
    if policy.game not in (None, key):
        raise ValueError(f"{name} is a policy for {policy.game}, not for {key}")
    if not 0 <= policy.version < len(ENCODERS):
        raise ValueError(f"{name} wants observations of version {policy.version}; there are 0 to {len(ENCODERS) - 1}")
    size = int(ENCODERS[policy.version][key].SIZE)
    if policy.inputs not in (None, size):
        raise ValueError(f"{name} takes {policy.inputs} numbers, but an observation of {key} has {size}")
    return policy


def best(policy: Policy, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the best legal action in each game; each mask must allow one."""
    rated = np.asarray(policy.rate(observations, masks))
    if rated.shape != masks.shape:
        raise ValueError(f"a policy must rate {masks.shape[1]} actions per game, not {rated.shape[1:]}")
    return np.where(masks, np.nan_to_num(rated, nan=-np.inf), -np.inf).argmax(axis=1)


def _stamp(name: str) -> float:
    """Return when a file was changed: a policy that is written anew is read anew."""
    try:
        return Path(name).expanduser().stat().st_mtime
    except OSError:
        raise ValueError(f"{name}: there is no such file") from None


@lru_cache(maxsize=32)
def _read(name: str, stamp: float) -> Policy:
    path = Path(name).expanduser()
    return _read_onnx(path) if path.suffix == ".onnx" else _read_npz(path)


def _read_onnx(path: Path) -> Policy:
    try:
        import onnxruntime
    except ImportError:
        raise ValueError(f"{path.name} needs onnxruntime: pip install tavolino[onnx]") from None
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1  # small networks; the games use the cores
    try:
        session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    except Exception as error:  # of many kinds, all its own
        raise ValueError(f"{path.name} is no ONNX file that can be run: {error}") from None
    inputs, about = session.get_inputs(), session.get_modelmeta().custom_metadata_map
    if len(inputs) not in (1, 2):
        raise ValueError(f"{path.name} has {len(inputs)} inputs; there must be one, observations, or a second, masks")
    output = session.get_outputs()[0].name
    kind = {"tensor(float)": np.float32, "tensor(bool)": np.bool_, "tensor(int8)": np.int8, "tensor(int64)": np.int64}

    def rate(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[Any]:
        given = {inputs[0].name: np.ascontiguousarray(observations, np.float32)}
        if len(inputs) == 2:
            given[inputs[1].name] = masks.astype(kind[inputs[1].type])
        found: NDArray[Any] = session.run([output], given)[0]
        return found

    if len(inputs) == 2 and inputs[1].type not in kind:
        raise ValueError(f"{path.name} takes masks of {inputs[1].type}; they must be one of {', '.join(kind)}")
    size = inputs[0].shape[-1] if inputs[0].shape else None
    return Policy(
        rate,
        size if isinstance(size, int) else None,
        about.get("tavolino.game"),
        _whole(path, about.get("tavolino.version", "1")),
    )


def _whole(path: Path, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{path.name} names {text!r} as a version of observations, not a number") from None


def _read_npz(path: Path) -> Policy:
    try:
        with np.load(path, allow_pickle=False) as kept:
            arrays = dict(kept)
        if str(arrays["format"]) != FORMAT:
            raise KeyError
        weights = [arrays[f"weights{i}"] for i in range(int(arrays["layers"]))]
        biases = [arrays[f"biases{i}"] for i in range(len(weights))]
        inputs, actions = arrays["inputs"], arrays["actions"]
        size, game, version = (arrays[name].item() for name in ("size", "game", "version"))
    except (KeyError, ValueError, EOFError, OSError):
        raise ValueError(f"{path.name} holds no policy that save_layers has written") from None
    direct = arrays.get("direct")

    def rate(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[Any]:
        x = seen = observations[:, inputs]
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            x = np.maximum(x @ w + b, 0)
        logits = x @ weights[-1] + biases[-1]
        found = np.full(masks.shape, -np.inf, np.float32)
        found[:, actions] = logits if direct is None else logits + seen @ direct
        return found

    return Policy(rate, int(size), str(game), int(version))


@dataclass(frozen=True)
class Layers:
    """A small network: numbers of an observation → ReLU layers → a number for each of some actions."""

    weights: Sequence[NDArray[np.float32]]
    biases: Sequence[NDArray[np.float32]]
    inputs: NDArray[np.int64]
    """Which numbers of the observation it sees."""
    actions: NDArray[np.int64]
    """Which actions its outputs are for; the others are never played."""
    direct: NDArray[np.float32] | None = None
    """What the inputs add to the outputs directly, if they do."""


def save_layers(file: str | Path, layers: Layers, game: str, version: int = 1) -> None:
    """Write a small network as a policy's file for a game: `.npz`, or `.onnx` (needs the library onnx)."""
    from tavolino.engine.observe import ENCODERS

    size = int(ENCODERS[version][game].SIZE)
    if Path(file).suffix == ".onnx":
        _save_onnx(Path(file), layers, size, 64 * int(GAMES[game].rules.STATE["legal"].shape[0]), (game, version))
        return
    arrays: dict[str, Any] = {f"weights{i}": w for i, w in enumerate(layers.weights)}
    arrays |= {f"biases{i}": b for i, b in enumerate(layers.biases)}
    if layers.direct is not None:
        arrays["direct"] = layers.direct
    about: Mapping[str, Any] = {"format": FORMAT, "layers": len(layers.weights), "game": game, "version": version}
    np.savez(file, size=size, inputs=layers.inputs, actions=layers.actions, **about, **arrays)


def _save_onnx(path: Path, layers: Layers, size: int, actions: int, about: tuple[str, int]) -> None:
    """Write the network as ONNX; inputs and actions become part of its first and last matrices."""
    from onnx import TensorProto, checker, helper, numpy_helper, save

    def wide(matrix: NDArray[np.float32], axis: int, at: NDArray[np.int64], length: int, fill: float) -> NDArray[Any]:
        shape = [length if k == axis else n for k, n in enumerate(matrix.shape)]
        out = np.full(shape, fill, np.float32)
        out[(slice(None),) * axis + (at,)] = matrix
        return out

    last = len(layers.weights) - 1
    weights, biases = list(layers.weights), list(layers.biases)
    weights[0] = wide(weights[0], 0, layers.inputs, size, 0)
    weights[last] = wide(weights[last], 1, layers.actions, actions, 0)
    biases[last] = wide(biases[last], 0, layers.actions, actions, -1e9)
    nodes, constants, x = [], [], "observation"
    for i, (w, b) in enumerate(zip(weights, biases, strict=True)):
        constants += [numpy_helper.from_array(w, f"w{i}"), numpy_helper.from_array(b, f"b{i}")]
        out = f"layer{i}"
        nodes.append(helper.make_node("Gemm", [x, f"w{i}", f"b{i}"], [out]))
        if i < last:
            nodes.append(helper.make_node("Relu", [out], [f"relu{i}"]))
            out = f"relu{i}"
        x = out
    if layers.direct is not None:
        direct = wide(wide(layers.direct, 0, layers.inputs, size, 0), 1, layers.actions, actions, 0)
        constants.append(numpy_helper.from_array(direct, "direct"))
        nodes.append(helper.make_node("MatMul", ["observation", "direct"], ["straight"]))
        nodes.append(helper.make_node("Add", [x, "straight"], ["sum"]))
        x = "sum"
    given = [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["games", size])]
    made = [helper.make_tensor_value_info(x, TensorProto.FLOAT, ["games", actions])]
    graph = helper.make_graph(nodes, "policy", given, made, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, {"tavolino.game": about[0], "tavolino.version": str(about[1])})
    checker.check_model(model)
    save(model, str(path))
