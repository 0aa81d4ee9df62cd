"""A network that rates the legal actions of a game, in NumPy alone, and its ONNX file: what `selfplay.py` learns with.

How does a network rate 250 actions of which ten are legal? It looks at each legal action alone, with the same weights
for all actions of a kind: what the observation says of the very thing that the action is about (`looks`), and what the
whole observation means for actions of that kind.

An observation holds sets of things alike, such as the rows on Orma's table. All things of a set are seen by the same
weights, too, and what they say is added up (`sets`); where the order counts, they are told from the best one on
(`ranks`). This is all that the network is told about the games; one that is not named here is learnt without it.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tavolino import Batch
from tavolino.engine.registry import GAMES
from tavolino.envs.setup import fields

Array = Any
HIDDEN, UNITS, POOL = (128, 64), 32, 32  # units of the two layers; for an action; for a thing of a set


# What an action is about: its kind, and where in the observation the thing is that it changes.


def _orma(action: int, at: Callable[[str], int]) -> tuple[str, list[int]]:
    colour, where = action >> 6, action & 63
    if colour == 0 and where < 12:
        return "draw", []
    own = [at("hand") + colour, at("unseen") + colour, at("drawn") + colour]
    if where < 12:
        return "start", [*range(at("blacks") + 7 * where, at("blacks") + 7 * where + 7), *own]
    row = at("rows") + 10 * (where - 12)
    return "lay" if colour else "close", [*range(row, row + 10), *own]


def _face_to_face(action: int, at: Callable[[str], int]) -> tuple[str, list[int]]:
    pile, card = action >> 6, action & 63
    if action == 0:
        return "end", []
    up = 1 if pile % 2 == 0 else -1  # a descending pile is an ascending one in a mirror

    def around(start: int, first: int, numbers: int, reach: Iterable[int]) -> list[int]:
        """Return where the numbers stand that are so far from the card; -1: there is no such number."""
        near = [card + up * away for away in reach]
        return [start + number - first if first <= number < first + numbers else -1 for number in near]

    tops = around(at("tops") + 60 * pile, 1, 60, [10, *range(-30, 0)])  # a card goes 10 back, or forward
    heights = [at("heights") + pile, at("heights") + (pile ^ 1)]
    return "own" if pile < 2 else "gift", tops + around(at("hand"), 2, 58, range(-12, 13)) + heights


def _out_of_sock(action: int, at: Callable[[str], int]) -> tuple[str, list[int]]:
    if action in (8, 9):
        return "split or single", [NAMED + i for i in range(len(_deck(0, at)))]
    if action >= 20:
        return "winner", [*range(at("seats") + 7 * (action - 20), at("seats") + 7 * (action - 19))]
    deck = action - 2 if action < 8 else action - 12
    return "shake" if action < 8 else "take", _deck(deck, at)


def _deck(deck: int, at: Callable[[str], int]) -> list[int]:
    top, gain = at("decks") + 12 * deck, at("gains") + deck
    return [*range(top, top + 12), *range(gain, gain + 24, 6)]


def ranks(game: str) -> list[tuple[Array, Array, Array]]:
    """Return sets whose things are told to the network in order, too: the one with the most at stake first.

    For each set: the places of the numbers that are 0 if a thing does not count, of those that add up to what is at
    stake, and of those to be told. In a split, players take turns to take the best card that lies there.
    """
    if game != "out-of-sock":
        return []
    at, six = begins(game), np.arange(6)
    left, gains = at("decks") + 12 * six, at("gains") + six[:, None] + 6 * np.arange(2)  # what it brings me and you
    told = np.hstack([gains, left[:, None] + 1])
    return [(left + 1, gains, told), (left, gains, gains)]  # the decks with dice, and all that have cards


def begins(game: str) -> Callable[[str], int]:
    """Return where fields of an observation begin; "end": what comes after all of them."""
    begin = {name: where.start for name, (where, _) in fields(game).items()}
    return (begin | {"end": max(where.stop for where, _ in fields(game).values())}).__getitem__


def sets(game: str) -> list[list[list[int]]]:
    """Return the things of which there are many alike: for each, its places in the observation."""
    at = begins(game)
    if game == "out-of-sock":
        return [[_deck(deck, at) for deck in range(6)]]
    if game == "orma":
        rows = [list(range(at("rows") + 10 * row, at("rows") + 10 * row + 10)) for row in range(20)]
        return [rows, [list(range(at("blacks") + 7 * black, at("blacks") + 7 * black + 7)) for black in range(12)]]
    return []


LOOKS = {"orma": _orma, "face-to-face": _face_to_face, "out-of-sock": _out_of_sock}
NAMED = 1 << 20  # the places, behind all others, of the thing that a number of the observation names


def named(game: str) -> tuple[int, Array, Array]:
    """Return the place of a number that names a thing, what it is for each of the things, and their places."""
    if game != "out-of-sock":
        return 0, np.zeros(0), np.zeros((0, 0), np.int64)
    at = begins(game)
    # As many dice as fell, in eighths, is the number of the deck that a single takes from.
    return at("fallen"), np.arange(2, 8) / 8, np.array([_deck(deck, at) for deck in range(6)])


def looks(game: str) -> dict[str, dict[int, list[int]]]:
    """Return the actions of each kind, each with the places in the observation that it is about."""
    folder, kinds = GAMES[game], dict[str, dict[int, list[int]]]()
    for action in sorted(action for action in folder.people.WORDS if action < folder.rules.ROLLED):
        if game in LOOKS:
            kind, about = LOOKS[game](action, begins(game))
        else:
            kind, about = "any", []
        kinds.setdefault(kind, {})[action] = about
    return kinds


class RatingNet:
    """Rates legal actions, and says what result to expect; learns by Adam."""

    def __init__(self, game: str, rng: np.random.Generator) -> None:
        def layer(n: int, m: int, scale: float) -> Array:
            return rng.normal(0, scale / np.sqrt(max(n, 1)), (n, m)).astype(np.float32)

        left_out = ("row_from", "row_to")  # the graph of Orma: too large for what it tells
        self.ranks, some = ranks(game), list[Array]()
        batch = Batch(game, 2, size=256, seed="scale")
        for _ in range(200):
            batch.step(np.where(rng.random(256) < 0.5, batch.sample(), batch.bot("greedy")))
            some.append(self.shown(batch))
        varies = np.concatenate(some).std(axis=0) > 0  # with two players, a good part of an observation never does
        kept = [np.arange(where.start, where.stop) for name, (where, _) in fields(game).items() if name not in left_out]
        kept.append(np.arange(begins(game)("end"), some[0].shape[1]))
        self.inputs = np.concatenate([some_places[varies[some_places]] for some_places in kept])
        self.number, self.names, self.things = named(game)
        shown = [*self.inputs.tolist(), *(NAMED + i for i in range(self.things.shape[1]))]
        column = {place: i for i, place in enumerate(shown)}  # what is nowhere is a 0 after all of them
        self.sets = [np.array([[column.get(p, len(column)) for p in thing] for thing in many]) for many in sets(game)]
        kinds = looks(game)
        self.actions = np.array([action for kind in kinds.values() for action in kind])
        ends = np.cumsum([0] + [len(kind) for kind in kinds.values()])
        self.kinds = [slice(*span) for span in pairwise(ends)]
        columns = [
            [[column.get(p, len(column)) for p in places] for places in kind.values()] for kind in kinds.values()
        ]
        self.places = [np.array(kind, np.int64).reshape(len(kind), -1) for kind in columns]
        first, second = HIDDEN
        self.weights = {
            "w1": layer(len(column) + 1 + POOL * len(self.sets), first, 1.4), "b1": np.zeros(first, np.float32),
            "w2": layer(first, second, 1.4), "b2": np.zeros(second, np.float32),
            "value": layer(second, 1, 0.5), "level": np.zeros(1, np.float32),
        }  # fmt: skip
        for k, many in enumerate(self.sets):
            self.weights |= {f"set{k}": layer(many.shape[1], POOL, 1.4), f"each{k}": np.zeros(POOL, np.float32)}
        for k, places in enumerate(self.places):
            self.weights |= {
                f"look{k}": layer(places.shape[1], UNITS, 1.4), f"all{k}": layer(second, UNITS, 1),
                f"own{k}": np.zeros((len(places), UNITS), np.float32),  # what sets an action apart from its kind
                f"out{k}": layer(UNITS, 1, 0.3)[:, 0], f"bias{k}": np.zeros(len(places), np.float32),
            }  # fmt: skip
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.steps = 0
        self.scale = np.ones(len(column) + 1, np.float32)
        spread = np.concatenate(some).std(axis=0)  # all inputs vary about as much: small ones would be learnt slowly
        self.scale[: len(self.inputs)] /= np.clip(spread[self.inputs], 0.1, 1)
        if len(self.things):
            self.scale[len(self.inputs) : -1] /= np.clip(spread[self.things].mean(axis=0), 0.1, 1)

    def shown(self, batch: Batch) -> Array:
        """Return the observations, and after them what is told in order."""
        shown = batch.observations
        found = [shown]
        for counts, stakes, told in self.ranks:
            there = shown[:, counts] > 0
            order = np.argsort(np.where(there, -shown[:, stakes].sum(axis=2), 9), axis=1, kind="stable")
            items = np.where(there[:, :, None], shown[:, told], 0)
            found.append(np.take_along_axis(items, order[:, :, None], axis=1).reshape(batch.size, -1))
        return np.concatenate(found, axis=1)

    def see(self, batch: Batch) -> tuple[Array, Array]:
        """Return the inputs, with a 0 at the end for what is nowhere, and the masks of the network's actions."""
        shown, inputs = self.shown(batch), len(self.inputs)
        seen = np.zeros((batch.size, len(self.scale)), np.float32)
        seen[:, :inputs] = shown[:, self.inputs]
        if len(self.things):
            meant = np.abs(shown[:, self.number, None] - self.names) < 1e-3
            seen[:, inputs:-1] = np.einsum("rt,rtn->rn", meant, shown[:, self.things])
        return seen * self.scale, batch.masks[:, self.actions]

    def __call__(self, seen: Array, masks: Array) -> tuple[Any, Array, Array]:
        """Return what `learn` needs, the logs of the probabilities of the actions, and the results to expect."""
        w = self.weights
        pooled, full = [], seen
        for k, many in enumerate(self.sets):
            about = seen[:, many].reshape(-1, many.shape[1])
            units = np.maximum(about @ w[f"set{k}"] + w[f"each{k}"], 0)
            pooled.append((about, units))
            full = np.concatenate([full, units.reshape(len(seen), -1, POOL).sum(axis=1)], axis=1)
        one = np.maximum(full @ w["w1"] + w["b1"], 0)
        two = np.maximum(one @ w["w2"] + w["b2"], 0)
        logits, looked = np.full(masks.shape, -1e9, np.float32), []
        for k, (kind, places) in enumerate(zip(self.kinds, self.places, strict=True)):
            rows, which = np.nonzero(masks[:, kind])  # the legal ones alone
            about = seen.reshape(-1)[(rows * seen.shape[1])[:, None] + places[which]]
            units = about @ w[f"look{k}"] + w[f"own{k}"][which] + (two @ w[f"all{k}"])[rows]
            np.maximum(units, 0, out=units)
            logits[rows, kind.start + which] = units @ w[f"out{k}"] + w[f"bias{k}"][which]
            looked.append((rows, which, about, units))
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return (full, pooled, one, two, looked), logits, np.tanh(two @ w["value"] + w["level"])[:, 0]

    def gradients(self, passed: Any, d_logits: Array, d_value: Array) -> dict[str, Array]:
        """Return the gradients of the weights, given those of the logits, and of the value before its tanh."""
        w, (full, pooled, one, two, looked), d_value = self.weights, passed, d_value[:, None]
        grads = {"value": two.T @ d_value, "level": d_value.sum(0)}
        d_two = d_value @ w["value"].T
        for k, (rows, which, about, units) in enumerate(looked):
            d = d_logits[rows, self.kinds[k].start + which]
            d_units = d[:, None] * w[f"out{k}"] * (units > 0)
            d_rows = sums(rows, d_units, len(full))
            order = np.argsort(which, kind="stable")
            grads |= {
                f"out{k}": d @ units, f"look{k}": about.T @ d_units, f"all{k}": two.T @ d_rows,
                f"own{k}": sums(which[order], d_units[order], len(self.places[k])),
                f"bias{k}": sums(which[order], d[order], len(self.places[k])),
            }  # fmt: skip
            d_two += d_rows @ w[f"all{k}"].T
        d_two *= two > 0
        d_one = (d_two @ w["w2"].T) * (one > 0)
        for k, (about, units) in enumerate(pooled):
            start = full.shape[1] - POOL * (len(pooled) - k)
            d_pool = d_one @ w["w1"][start : start + POOL].T
            d_units = np.repeat(d_pool, len(self.sets[k]), axis=0) * (units > 0)
            grads |= {f"set{k}": about.T @ d_units, f"each{k}": d_units.sum(0)}
        return grads | {"w1": full.T @ d_one, "b1": d_one.sum(0), "w2": one.T @ d_two, "b2": d_two.sum(0)}

    def learn(self, grads: dict[str, Array], rate: float) -> None:
        """Take a step against the gradients of the weights."""
        norm = np.sqrt(sum(float(np.vdot(g, g)) for g in grads.values()))
        self.steps += 1
        rate *= np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for name, g in grads.items():
            g *= min(1.0, 0.5 / (norm + 1e-8))
            m, v = self.moments[name]
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            self.weights[name] -= rate * m / (np.sqrt(v) + 1e-7)


def sums(keys: Array, items: Array, size: int) -> Array:
    """Return the sum of the items of each key; the keys must ascend."""
    out = np.zeros((size, *items.shape[1:]), np.float32)
    if len(keys):
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        out[keys[starts]] = np.add.reduceat(items, starts)
    return out


def keep(net: RatingNet, game: str, file: Path) -> None:
    """Write the network as an ONNX file, which plays wherever a bot's name is (needs the library onnx)."""
    from onnx import TensorProto, checker, helper, numpy_helper, save

    nodes, constants = list[Any](), dict[str, Array]()

    def node(kind: str, *inputs: Any, **options: Any) -> str:
        """Add a node; return the name of its (last) output. Arrays among its inputs become constants."""
        names = []
        for item in inputs:
            if not isinstance(item, str):
                constants[f"c{len(constants)}"] = np.asarray(item)
            names.append(item if isinstance(item, str) else f"c{len(constants) - 1}")
        outputs = [f"values{len(nodes)}"] if kind == "TopK" else []  # which come first, then where they were
        nodes.append(helper.make_node(kind, names, [*outputs, f"n{len(nodes)}"], **options))
        return f"n{len(nodes) - 1}"

    size = begins(game)("end")
    w, width = net.weights, 64 * int(GAMES[game].rules.STATE["legal"].shape[0])
    found = ["observation"]
    for counts, stakes, told in net.ranks:
        there = node("Greater", node("Gather", "observation", counts, axis=1), np.float32(0))
        at_stake = node("ReduceSum", node("Gather", "observation", stakes, axis=1), np.array([2]), keepdims=0)
        order = node("Where", there, node("Neg", at_stake), np.float32(9))
        order = node("Unsqueeze", node("TopK", order, np.array([len(counts)]), largest=0), np.array([2]))
        order = node("Expand", order, np.array([1, 1, told.shape[1]]))
        items = node("Gather", "observation", told, axis=1)
        items = node("Where", node("Unsqueeze", there, np.array([2])), items, np.float32(0))
        found.append(node("Flatten", node("GatherElements", items, order, axis=1)))
    shown = node("Concat", *found, axis=1)
    parts = [node("Gather", shown, net.inputs, axis=1)]
    if len(net.things):
        number = node("Gather", "observation", np.array([net.number]), axis=1)
        meant = node("Less", node("Abs", node("Sub", number, net.names.astype(np.float32))), np.float32(1e-3))
        meant = node("Unsqueeze", node("Cast", meant, to=TensorProto.FLOAT), np.array([1]))
        about = node("MatMul", meant, node("Gather", "observation", net.things, axis=1))
        parts.append(node("Squeeze", about, np.array([1])))
    x = seen = node("Mul", node("Pad", node("Concat", *parts, axis=1), np.array([0, 0, 0, 1])), net.scale)
    for k, many in enumerate(net.sets):
        about = node("MatMul", node("Gather", seen, many, axis=1), w[f"set{k}"])  # (games, things, units)
        units = node("Relu", node("Add", about, w[f"each{k}"]))
        x = node("Concat", x, node("ReduceSum", units, np.array([1]), keepdims=0), axis=1)
    for layer in "12":
        x = node("Relu", node("Gemm", x, w[f"w{layer}"], w[f"b{layer}"]))
    rated = []
    for k, places in enumerate(net.places):
        units = node("Unsqueeze", node("MatMul", x, w[f"all{k}"]), np.array([1]))
        units = node("Add", units, w[f"own{k}"])
        if places.shape[1]:
            about = node("Gather", seen, places, axis=1)  # (games, actions, places)
            units = node("Add", units, node("MatMul", about, w[f"look{k}"]))
        rated.append(node("Add", node("MatMul", node("Relu", units), w[f"out{k}"]), w[f"bias{k}"]))
    order = np.full(width, len(net.actions))
    order[net.actions] = np.arange(len(net.actions))
    never = node("Pad", node("Concat", *rated, axis=1), np.array([0, 0, 0, 1]), np.float32(-1e9))
    out = node("Gather", never, order, axis=1)
    graph = helper.make_graph(
        nodes, "policy",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["games", size])],
        [helper.make_tensor_value_info(out, TensorProto.FLOAT, ["games", width])],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, {"tavolino.game": game, "tavolino.version": "1"})
    checker.check_model(model)
    save(model, str(file))
