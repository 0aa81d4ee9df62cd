"""Learn a game by playing: PPO with masks on `tavolino.Batch`, in NumPy alone, on one core.

    python examples/selfplay.py orma --minutes 10 --out orma.onnx
    tavolino arena orma --bots greedy,orma.onnx

For the first minutes the learner plays by itself and copies what `greedy` would have done in its place, to know what a
sensible move looks like (`imitate`). From then on it learns from results only (`improve`): in half of the games it
plays all seats, in the other half `greedy` is its guest in one of them. One network plays all seats: the observation
counts seats from its observer, so every seat looks the same to it.

Who gets the credit for a win? In a batch, seats take turns, and the step after mine is usually another's. So each seat
has a trajectory of its own, made of its own decisions only: from one of them to the next, whatever the others did in
between belongs to the world that answered. Going back in time, `advantages` keeps for each game and seat what that seat
expected at its next decision; where a game ended, that is its reward. A rollout ends in the middle of games; the seat
to move then expects what the network says, the others the opposite, as rewards sum to zero.

How does a network rate 250 actions of which ten are legal? It looks at each legal action alone, with the same weights
for all actions of a kind: what the observation says of the very thing that the action is about (`looks`), and what the
whole observation means for actions of that kind.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):  # one core; before NumPy is imported
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

from tavolino import Batch  # noqa: E402
from tavolino.engine.registry import GAMES  # noqa: E402
from tavolino.envs.setup import fields  # noqa: E402

Array = Any
ROWS, STEPS = 512, 64  # games played at once, steps in a rollout
PART, EPOCHS = 2048, 2  # a rollout is gone over in parts of this size, so often
HIDDEN, UNITS = (128, 64), 32  # of the network; units per action
CLIP, LAMBDA = 0.2, 0.95
RATE, COPY_RATE, ENTROPY = 1e-3, 2e-3, 0.005  # all of them fall to almost nothing
COPYING, GUESTS = 0.2, 0.6  # the share of the time spent on copying, and of games with a guest


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

    def around(start: int, first: int, numbers: int, reach: int) -> list[int]:
        """Return where numbers stand that are from −reach to reach away from the card; -1: there is no such number."""
        near = [card + up * away for away in range(-reach, reach + 1)]
        return [start + number - first if first <= number < first + numbers else -1 for number in near]

    tops = around(at("tops") + 60 * pile, 1, 60, 30)
    heights = [at("heights") + pile, at("heights") + (pile ^ 1)]
    return "own" if pile < 2 else "gift", tops + around(at("hand"), 2, 58, 12) + heights


def _out_of_sock(action: int, at: Callable[[str], int]) -> tuple[str, list[int]]:
    if action in (8, 9):
        return "split or single", [NAMED + i for i in range(16)]
    if action >= 20:
        return "winner", [*range(at("seats") + 7 * (action - 20), at("seats") + 7 * (action - 19))]
    deck = action - 2 if action < 8 else action - 12
    return "shake" if action < 8 else "take", _deck(deck, at)


def _deck(deck: int, at: Callable[[str], int]) -> list[int]:
    top, gain = at("decks") + 12 * deck, at("gains") + 4 * deck
    return [*range(top, top + 12), *range(gain, gain + 4)]


LOOKS = {"orma": _orma, "face-to-face": _face_to_face, "out-of-sock": _out_of_sock}
NAMED = 1 << 20  # the places, behind all others, of the thing that a number of the observation names


def named(game: str) -> tuple[int, Array, Array]:
    """Return the place of a number that names a thing, what it is for each of the things, and their places."""
    if game != "out-of-sock":
        return 0, np.zeros(0), np.zeros((0, 0), np.int64)
    at = {name: where.start for name, (where, _) in fields(game).items()}.__getitem__
    # As many dice as fell, in eighths, is the number of the deck that a single takes from.
    return at("fallen"), np.arange(2, 8) / 8, np.array([_deck(deck, at) for deck in range(6)])


def looks(game: str) -> dict[str, dict[int, list[int]]]:
    """Return the actions of each kind, each with the places in the observation that it is about."""
    folder, kinds = GAMES[game], dict[str, dict[int, list[int]]]()
    for action in sorted(action for action in folder.people.WORDS if action < folder.rules.ROLLED):
        if game in LOOKS:
            kind, places = LOOKS[game](action, lambda name: fields(game)[name][0].start)
        else:
            kind, places = "any", []
        kinds.setdefault(kind, {})[action] = places
    return kinds


class Net:
    """Rates legal actions, and says what result to expect; learns by Adam."""

    def __init__(self, game: str, rng: np.random.Generator) -> None:
        def layer(n: int, m: int, scale: float) -> Array:
            return rng.normal(0, scale / np.sqrt(max(n, 1)), (n, m)).astype(np.float32)

        left_out = ("row_from", "row_to")  # the graph of Orma: too large for what it tells
        kept = [where for name, (where, _) in fields(game).items() if name not in left_out]
        self.inputs = np.concatenate([np.arange(where.start, where.stop) for where in kept])
        self.number, self.names, self.things = named(game)
        shown = [*self.inputs.tolist(), *(NAMED + i for i in range(self.things.shape[1]))]
        column = {place: i for i, place in enumerate(shown)}  # what is nowhere is a 0 after all of them
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
            "w1": layer(len(column) + 1, first, 1.4), "b1": np.zeros(first, np.float32),
            "w2": layer(first, second, 1.4), "b2": np.zeros(second, np.float32),
            "value": layer(second, 1, 0.5), "level": np.zeros(1, np.float32),
        }  # fmt: skip
        for k, places in enumerate(self.places):
            self.weights |= {
                f"look{k}": layer(places.shape[1], UNITS, 1.4), f"all{k}": layer(second, UNITS, 1),
                f"own{k}": np.zeros((len(places), UNITS), np.float32),  # what sets an action apart from its kind
                f"out{k}": layer(UNITS, 1, 0.3)[:, 0], f"bias{k}": np.zeros(len(places), np.float32),
            }  # fmt: skip
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.steps = 0
        self.scale = np.ones(len(column) + 1, np.float32)
        batch = Batch(game, 2, size=256, seed="scale")
        some = []
        for _ in range(100):  # all inputs vary about as much: small ones would be learnt slowly
            batch.step(batch.sample())
            some.append(self.see(batch)[0])
        self.scale /= np.clip(np.concatenate(some).std(axis=0), 0.1, 1)

    def see(self, batch: Batch) -> tuple[Array, Array]:
        """Return the inputs, with a 0 at the end for what is nowhere, and the masks of the network's actions."""
        shown, inputs = batch.observations, len(self.inputs)
        seen = np.zeros((batch.size, len(self.scale)), np.float32)
        seen[:, :inputs] = shown[:, self.inputs]
        if len(self.things):
            meant = np.abs(shown[:, self.number, None] - self.names) < 1e-3
            seen[:, inputs:-1] = np.einsum("rt,rtn->rn", meant, shown[:, self.things])
        return seen * self.scale, batch.masks[:, self.actions]

    def __call__(self, seen: Array, masks: Array) -> tuple[Any, Array, Array]:
        """Return what `learn` needs, the logs of the probabilities of the actions, and the results to expect."""
        w = self.weights
        one = np.maximum(seen @ w["w1"] + w["b1"], 0)
        two = np.maximum(one @ w["w2"] + w["b2"], 0)
        logits, looked = np.full(masks.shape, -1e9, np.float32), []
        for k, (kind, places) in enumerate(zip(self.kinds, self.places, strict=True)):
            rows, which = np.nonzero(masks[:, kind])  # the legal ones alone
            about = seen[rows[:, None], places[which]]
            units = about @ w[f"look{k}"] + w[f"own{k}"][which] + (two @ w[f"all{k}"])[rows]
            np.maximum(units, 0, out=units)
            logits[rows, kind.start + which] = units @ w[f"out{k}"] + w[f"bias{k}"][which]
            looked.append((rows, which, about, units))
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return (seen, one, two, looked), logits, np.tanh(two @ w["value"] + w["level"])[:, 0]

    def gradients(self, passed: Any, d_logits: Array, d_value: Array) -> dict[str, Array]:
        """Return the gradients of the weights, given those of the logits, and of the value before its tanh."""
        w, (seen, one, two, looked), d_value = self.weights, passed, d_value[:, None]
        grads = {"value": two.T @ d_value, "level": d_value.sum(0)}
        d_two = d_value @ w["value"].T
        for k, (rows, which, about, units) in enumerate(looked):
            d = d_logits[rows, self.kinds[k].start + which]
            d_units = d[:, None] * w[f"out{k}"] * (units > 0)
            d_rows = sums(rows, d_units, len(seen))
            order = np.argsort(which, kind="stable")
            grads |= {
                f"out{k}": d @ units, f"look{k}": about.T @ d_units, f"all{k}": two.T @ d_rows,
                f"own{k}": sums(which[order], d_units[order], len(self.places[k])),
                f"bias{k}": sums(which[order], d[order], len(self.places[k])),
            }  # fmt: skip
            d_two += d_rows @ w[f"all{k}"].T
        d_two *= two > 0
        d_one = (d_two @ w["w2"].T) * (one > 0)
        return grads | {"w1": seen.T @ d_one, "b1": d_one.sum(0), "w2": one.T @ d_two, "b2": d_two.sum(0)}

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


def drawn(logs: Array, rng: np.random.Generator) -> Array:
    """Return an action per row, drawn by the logs of its probabilities."""
    heights = np.exp(logs).cumsum(axis=1)
    return (heights < rng.random((len(logs), 1), np.float32) * heights[:, -1:]).sum(axis=1)


def rollout(batch: Batch, net: Net, guest: tuple[str, Array], rng: np.random.Generator) -> dict[str, Array]:
    """Play some steps of all games; return what was seen and done, step by step.

    `guest` is a bot and the seat that it plays in each game, -1 for none: what it does is not learnt from. Where it
    plays in no game, the learner plays all seats, and what `greedy` would have done is noted.
    """
    who, where = guest
    copying = bool((where < 0).all())
    number = np.zeros(batch.masks.shape[1], np.int64)  # of an action, as the network counts them
    number[net.actions] = np.arange(len(net.actions))
    kept: dict[str, list[Array]] = {}
    for _ in range(STEPS):
        mine = batch.to_move != where
        seen, mask = net.see(batch)
        action, (log, value) = np.zeros(batch.size, np.int64), np.zeros((2, batch.size), np.float32)
        _, logs, value[mine] = net(seen[mine], mask[mine])
        chosen = drawn(logs, rng)
        action[mine], log[mine] = chosen, logs[np.arange(len(chosen)), chosen]
        if copying:
            wanted = number[batch.bot("greedy")]
        elif not mine.all():
            action[~mine] = number[batch[~mine].bot(who)]
        step = {"seen": seen, "mask": mask, "action": action, "log": log, "value": value, "mine": mine}
        step |= {"wanted": wanted if copying else action, "seat": batch.to_move.copy()}
        batch.step(net.actions[action])
        step |= {"reward": batch.rewards.copy(), "done": batch.done.copy()}
        for name, item in step.items():
            kept.setdefault(name, []).append(item)
    return {name: np.array(items) for name, items in kept.items()}


def advantages(played: dict[str, Array], batch: Batch, now: Array) -> Array:
    """Return how much better each decision turned out than expected; `now` is what the seats to move expect."""
    size, seats = batch.rewards.shape
    rows = np.arange(size)
    expected = np.repeat(-now[:, None] / (seats - 1), seats, axis=1)
    expected[rows, batch.to_move] = now
    ahead = np.zeros((size, seats), np.float32)
    found = np.zeros_like(played["value"])
    for t in reversed(range(len(found))):
        done, seat, value = played["done"][t], played["seat"][t], played["value"][t]
        expected[done] = played["reward"][t][done]
        ahead[done] = 0
        delta = expected[rows, seat] - value
        found[t] = ahead[rows, seat] = delta + LAMBDA * ahead[rows, seat]
        expected[rows, seat] = value
    return found


def imitate(logs: Array, part: dict[str, Array]) -> Array:
    """Return the gradient of the logits that makes what `greedy` would have done likelier."""
    d_logits = np.exp(logs)
    d_logits[np.arange(len(logs)), part["wanted"]] -= 1
    return d_logits


def improve(logs: Array, part: dict[str, Array], entropy: float) -> Array:
    """Return PPO's gradient of the logits: what turned out well becomes likelier, by a little at a time."""
    rows, chances = np.arange(len(logs)), np.exp(logs)
    ratio, gain = np.exp(logs[rows, part["action"]] - part["log"]), part["gain"]
    free = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    push = (free * ratio * gain).astype(np.float32)
    d_logits = chances * push[:, None]
    d_logits[rows, part["action"]] -= push
    weighed = np.where(part["mask"], chances * logs, 0)
    d_logits += entropy * (weighed - chances * weighed.sum(axis=1, keepdims=True))
    return d_logits


def update(net: Net, played: dict[str, Array], gains: Array, how: tuple[bool, float, float], rng: Any) -> None:
    """Go over what was played, in parts; `how` says whether to copy, at which rate, and the weight of entropy."""
    copying, rate, entropy = how
    used = played["mine"].reshape(-1)
    names = ("seen", "mask", "action", "log", "value", "wanted")
    flat = {name: np.concatenate(played[name])[used] for name in names} | {"gain": gains.reshape(-1)[used]}
    flat["target"] = np.clip(flat["gain"] + flat["value"], -1, 1)
    choice = flat["mask"].sum(axis=1) > 1  # where there is only one move, there is nothing to learn but the value
    mean, spread = flat["gain"][choice].mean(), flat["gain"][choice].std()
    flat["gain"] = np.where(choice, (flat["gain"] - mean) / (spread + 1e-6), 0)
    for _ in range(1 if copying else EPOCHS):
        for rows in np.array_split(rng.permutation(len(choice)), max(1, len(choice) // PART)):
            part = {name: items[rows] for name, items in flat.items()}
            passed, logs, value = net(part["seen"], part["mask"])
            d_logits = imitate(logs, part) if copying else improve(logs, part, entropy)
            d_value = 0.5 * (value - part["target"]) * (1 - value * value)
            net.learn(net.gradients(passed, d_logits / len(rows), (d_value / len(rows)).astype(np.float32)), rate)


def share_won(net: Net, game: str, opponent: str, games: int) -> tuple[float, float]:
    """Play by the likeliest move, half of the games from each seat; return the share won and half its 95 % interval."""
    size = min(512, games)
    each = games // size
    batch = Batch(game, 2, size=size, seed="evaluation")
    mine, counted, won = np.arange(size) % 2, np.zeros(size, np.int64), list[float]()
    while counted.min() < each:
        actions = net.actions[net(*net.see(batch))[1].argmax(axis=1)]
        batch.step(np.where(batch.to_move == mine, actions, batch.bot(opponent)))
        fresh = batch.done & (counted < each)  # the same number from each row: short games do not count more
        won += ((batch.rewards[fresh, mine[fresh]] + 1) / 2).tolist()
        counted += batch.done
    return float(np.mean(won)), float(1.96 * np.std(won) / np.sqrt(len(won)))


def keep(net: Net, game: str, file: Path) -> None:
    """Write the network as an ONNX file, which plays wherever a bot's name is (needs the library onnx)."""
    from onnx import TensorProto, checker, helper, numpy_helper, save

    nodes, constants = list[Any](), dict[str, Array]()

    def node(kind: str, *inputs: Any, **options: Any) -> str:
        """Add a node; return the name of its output. Arrays among its inputs become constants."""
        names = []
        for item in inputs:
            if not isinstance(item, str):
                constants[f"c{len(constants)}"] = np.asarray(item)
            names.append(item if isinstance(item, str) else f"c{len(constants) - 1}")
        nodes.append(helper.make_node(kind, names, [f"n{len(nodes)}"], **options))
        return f"n{len(nodes) - 1}"

    size = max(where.stop for where, _ in fields(game).values())
    w, width = net.weights, 64 * int(GAMES[game].rules.STATE["legal"].shape[0])
    parts = [node("Gather", "observation", net.inputs, axis=1)]
    if len(net.things):
        number = node("Gather", "observation", np.array([net.number]), axis=1)
        meant = node("Less", node("Abs", node("Sub", number, net.names.astype(np.float32))), np.float32(1e-3))
        meant = node("Unsqueeze", node("Cast", meant, to=TensorProto.FLOAT), np.array([1]))
        about = node("MatMul", meant, node("Gather", "observation", net.things, axis=1))
        parts.append(node("Squeeze", about, np.array([1])))
    x = seen = node("Mul", node("Pad", node("Concat", *parts, axis=1), np.array([0, 0, 0, 1])), net.scale)
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


def train(net: Net, batch: Batch, seconds: float, against: str | None, say: Callable[[float, int], None]) -> None:
    """Learn for so many CPU seconds, to beat all or, if `against` names one, that bot.

    `say` is told the seconds and decisions so far, and its own time is not counted.
    """
    rng = np.random.default_rng(1)
    rows, nobody = np.arange(batch.size), np.full(batch.size, -1)
    guest = np.where(rows < (GUESTS if against is None else 1) * batch.size, rows % 2, -1)
    spent, decisions = 0.0, 0
    while spent < seconds:
        began, copied = time.process_time(), spent / seconds / COPYING
        copying = copied < 1
        left = max(0.05, 1 - copied) if copying else max(0.02, (1 - spent / seconds) / (1 - COPYING))
        played = rollout(batch, net, (against or "greedy", nobody if copying else guest), rng)
        gains = advantages(played, batch, net(*net.see(batch))[2])
        update(net, played, gains, (copying, (COPY_RATE if copying else RATE) * left, ENTROPY * left), rng)
        spent += time.process_time() - began
        decisions += int(played["mine"].sum())
        say(spent, decisions)


def main() -> None:
    """Learn, and say how it goes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--minutes", type=float, default=10, help="CPU minutes to learn")
    parser.add_argument("--games", type=int, default=4096, help="games to judge by in the end")
    parser.add_argument("--against", help="learn to beat this bot, or my.onnx, alone: a best response to it")
    parser.add_argument("--points", type=int, default=10, help="how often to judge on the way")
    parser.add_argument("--out", type=Path, help="where to keep the policy: my.onnx")
    parser.add_argument("--curve", type=Path, help="where to keep the learning curve: my.json")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    net, seconds = Net(given.game, np.random.default_rng(given.seed)), 60 * given.minutes
    curve: list[dict[str, float]] = []

    def say(spent: float, decisions: int) -> None:
        end = spent >= seconds
        if not end and spent < len(curve) * seconds / given.points:
            return
        games = given.games if end else min(1024, given.games)
        won, half = share_won(net, given.game, given.against or "greedy", games)
        print(f"{spent / 60:5.1f} min, {decisions:9d} decisions: wins {won:.1%} ± {half:.1%}", flush=True)
        curve.append({"minutes": spent / 60, "decisions": decisions, "won": won, "half": half, "games": games})
        if given.curve:
            given.curve.write_text(json.dumps(curve))
        if given.out:
            keep(net, given.game, given.out)

    train(net, Batch(given.game, 2, size=ROWS, seed=given.seed), seconds, given.against, say)


if __name__ == "__main__":
    main()
