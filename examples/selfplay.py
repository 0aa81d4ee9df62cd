"""Learn a game by playing against oneself: PPO with masks on `tavolino.Batch`, in NumPy alone, on one core.

    python examples/selfplay.py orma --minutes 30 --out orma.npz
    tavolino arena orma --bots greedy,orma.npz

Nothing is copied from a bot, and no bot is played against but to see how strong the learner has become. One network
plays all seats: the observation counts seats from its observer, so every seat looks the same to it.

Who gets the credit for a win? In a batch, seats take turns, and the step after mine is usually another's. So each seat
has a trajectory of its own, made of its own decisions only: from one of them to the next, whatever the others did in
between belongs to the world that answered. Going back in time, `advantages` keeps for each game and seat what that seat
expected at its next decision; where a game ended, that is its reward. A rollout ends in the middle of games; the seat
to move then expects what the network says, the others the opposite, as rewards sum to zero.

Who has won says little about a long game, by how much says more. So the learner plays for the lead at first, and more
and more for the win (`result`).
"""

import argparse
import os
import time
from pathlib import Path
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):  # one core; before NumPy is imported
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

from tavolino import Batch  # noqa: E402
from tavolino.bots.policy_files import Layers, save_layers  # noqa: E402
from tavolino.engine.registry import GAMES  # noqa: E402
from tavolino.envs.setup import fields  # noqa: E402

Array = Any
STEPS = 64  # in a rollout
PARTS, EPOCHS = 8, 2  # a rollout is gone over in parts, so often
HIDDEN = (192, 96)
CLIP, LAMBDA, RATE = 0.2, 0.95, 1e-3
ENTROPY = (0.02, 0.002)  # its weight at the beginning, at the end


class Net:
    """Observation → two hidden layers → logits of the actions, and the result to expect; learns by Adam.

    The logits also see the observation directly: much of a good move is linear in it, and that part is learnt at once.
    """

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        def layer(n: int, m: int, scale: float) -> Array:
            return rng.normal(0, scale / np.sqrt(n), (n, m)).astype(np.float32)

        first, second = HIDDEN
        self.weights = {
            "w1": layer(inputs, first, 1.4), "b1": np.zeros(first, np.float32),
            "w2": layer(first, second, 1.4), "b2": np.zeros(second, np.float32),
            "policy": layer(second, actions, 0.1), "direct": layer(inputs, actions, 0.01),
            "bias": np.zeros(actions, np.float32),
            "value": layer(second, 1, 0.5), "level": np.zeros(1, np.float32),
        }  # fmt: skip
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.steps = 0

    def __call__(self, x: Array, masks: Array) -> tuple[tuple[Array, Array], Array, Array]:
        """Return the hidden layers, the logs of the probabilities of the actions, and the results to expect."""
        w = self.weights
        one = np.maximum(x @ w["w1"] + w["b1"], 0)
        two = np.maximum(one @ w["w2"] + w["b2"], 0)
        logits = two @ w["policy"]
        logits += x @ w["direct"]
        logits += w["bias"]
        logits[~masks] = -1e9
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return (one, two), logits, np.tanh(two @ w["value"] + w["level"])[:, 0]

    def learn(self, x: Array, layers: tuple[Array, Array], d_logits: Array, d_value: Array, rate: float) -> None:
        """Take a step against the gradients of the logits, and of the value before its tanh."""
        w, (one, two), d_value = self.weights, layers, d_value[:, None]
        d_two = (d_logits @ w["policy"].T + d_value @ w["value"].T) * (two > 0)
        d_one = (d_two @ w["w2"].T) * (one > 0)
        grads = {
            "w1": x.T @ d_one, "b1": d_one.sum(0), "w2": one.T @ d_two, "b2": d_two.sum(0),
            "policy": two.T @ d_logits, "direct": x.T @ d_logits, "bias": d_logits.sum(0),
            "value": two.T @ d_value, "level": d_value.sum(0),
        }  # fmt: skip
        norm = np.sqrt(sum(float(np.vdot(g, g)) for g in grads.values()))
        self.steps += 1
        rate *= np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for name, g in grads.items():
            g *= min(1.0, 0.5 / (norm + 1e-8))
            m, v = self.moments[name]
            m += 0.1 * (g - m)
            g *= g
            v += 0.001 * (g - v)
            w[name] -= rate * m / (np.sqrt(v) + 1e-7)


def drawn(logs: Array, rng: np.random.Generator) -> Array:
    """Return an action per row, drawn by the logs of its probabilities."""
    heights = np.exp(logs).cumsum(axis=1)
    return (heights < rng.random((len(logs), 1), np.float32) * heights[:, -1:]).sum(axis=1)


class Sight:
    """What the network sees and does: fields of the observation, and the actions that have a word."""

    def __init__(self, game: str, without: tuple[str, ...]) -> None:
        kept = [where for name, (where, _) in fields(game).items() if name not in without]
        self.inputs = np.concatenate([np.arange(where.start, where.stop) for where in kept])
        folder = GAMES[game]
        self.actions = np.array(sorted(action for action in folder.people.WORDS if action < folder.rules.ROLLED))

    def __call__(self, batch: Batch) -> tuple[Array, Array]:
        return batch.observations[:, self.inputs], batch.masks[:, self.actions]


def result(batch: Batch, lead: float) -> Array:
    """Return what each seat got in the games that have just ended: partly the win, and as `lead` says the lead."""
    scores = batch.final_scores[batch.done].astype(np.float32)
    ahead = scores - (scores.sum(axis=1, keepdims=True) - scores) / (scores.shape[1] - 1)  # of the others' mean
    ahead = np.tanh(ahead / (1.5 * np.abs(ahead).mean() + 1e-3)) if len(scores) else ahead
    rewards = batch.rewards.copy()
    rewards[batch.done] = (1 - lead) * rewards[batch.done] + lead * ahead
    return rewards


def rollout(batch: Batch, net: Net, sight: Sight, lead: float, rng: np.random.Generator) -> dict[str, Array]:
    """Play some steps of all games; return what was seen and done, step by step."""
    kept: dict[str, list[Array]] = {k: [] for k in ("x", "mask", "action", "log", "value", "seat", "reward", "done")}
    rows = np.arange(batch.size)
    for _ in range(STEPS):
        x, mask = sight(batch)
        _, logs, value = net(x, mask)
        action = drawn(logs, rng)
        seat = batch.to_move.copy()
        batch.step(sight.actions[action])
        said = (x, mask, action, logs[rows, action], value, seat, result(batch, lead), batch.done.copy())
        for name, item in zip(kept, said, strict=True):
            kept[name].append(item)
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


def update(net: Net, played: dict[str, Array], gains: Array, how: tuple[float, float], rng: Any) -> None:
    """Go over what was played several times, in parts; `how` is the rate and the weight of entropy."""
    rate, entropy = how
    flat = {name: np.concatenate(played[name]) for name in ("x", "mask", "action", "log", "value")}
    gains = gains.reshape(-1)
    targets = np.clip(gains + flat["value"], -1, 1)
    choices = flat["mask"].sum(axis=1) > 1  # where there is only one move, there is nothing to learn but the value
    gains = np.where(choices, (gains - gains[choices].mean()) / (gains[choices].std() + 1e-6), 0)
    for _ in range(EPOCHS):
        for part in np.array_split(rng.permutation(len(gains)), PARTS):
            x, mask, action = flat["x"][part], flat["mask"][part], flat["action"][part]
            layers, logs, value = net(x, mask)
            n, rows = len(part), np.arange(len(part))
            ratio, gain = np.exp(logs[rows, action] - flat["log"][part]), gains[part]
            free = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            chances = np.exp(logs)
            d_logits = chances * (free * ratio * gain)[:, None]
            d_logits[rows, action] -= free * ratio * gain
            weighed = np.where(mask, chances * logs, 0)
            d_logits += entropy * (weighed - chances * weighed.sum(axis=1, keepdims=True))
            d_value = 0.5 * (value - targets[part]) * (1 - value * value)
            net.learn(x, layers, (d_logits / n).astype(np.float32), (d_value / n).astype(np.float32), rate)


def share_won(net: Net, sight: Sight, game: str, opponent: str, games: int) -> tuple[float, float]:
    """Play by the likeliest move, half of the games from each seat; return the share won and half its 95 % interval."""
    size = min(256, games)
    each = games // size
    batch = Batch(game, 2, size=size, seed="evaluation")
    mine, counted, won = np.arange(size) % 2, np.zeros(size, np.int64), list[float]()
    while counted.min() < each:
        x, mask = sight(batch)
        batch.step(np.where(batch.to_move == mine, sight.actions[net(x, mask)[1].argmax(axis=1)], batch.bot(opponent)))
        fresh = batch.done & (counted < each)  # the same number from each row: short games do not count more
        won += ((batch.rewards[fresh, mine[fresh]] + 1) / 2).tolist()
        counted += batch.done
    return float(np.mean(won)), float(1.96 * np.std(won) / np.sqrt(len(won)))


def keep(net: Net, sight: Sight, game: str, file: Path) -> None:
    """Write the network as a policy's file, which plays wherever a bot's name is."""
    w = net.weights
    layers = Layers(
        (w["w1"], w["w2"], w["policy"]), (w["b1"], w["b2"], w["bias"]), sight.inputs, sight.actions, w["direct"]
    )
    save_layers(file, layers, game)


def main() -> None:
    """Learn, and say how it goes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--minutes", type=float, default=30, help="CPU minutes to learn")
    parser.add_argument("--rows", type=int, default=512, help="games played at once")
    parser.add_argument("--games", type=int, default=4096, help="games to judge by in the end")
    parser.add_argument("--opponent", default="greedy", help="the bot to be judged by")
    parser.add_argument("--without", default="row_from,row_to", help="fields of the observation to leave out")
    parser.add_argument("--out", type=Path, help="where to keep the policy: my.npz or my.onnx")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    sight = Sight(given.game, tuple(given.without.split(",")))
    batch = Batch(given.game, 2, size=given.rows, seed=given.seed)
    net = Net(len(sight.inputs), len(sight.actions), rng)
    began, told, rounds, seconds = time.process_time(), 0.0, 0, 60 * given.minutes
    while (spent := time.process_time() - began) < seconds:
        left = 1 - spent / seconds
        played = rollout(batch, net, sight, max(0.0, 1 - 1.5 * spent / seconds), rng)
        gains = advantages(played, batch, net(*sight(batch))[2])
        update(net, played, gains, (RATE * max(left, 0.05), ENTROPY[1] + (ENTROPY[0] - ENTROPY[1]) * left), rng)
        rounds += 1
        if spent - told > seconds / 10 or rounds == 1:
            told = spent
            won, half = share_won(net, sight, given.game, given.opponent, min(512, given.games))
            print(
                f"{spent / 60:5.1f} min, {rounds * given.rows * STEPS:9d} decisions: wins {won:.1%} ± {half:.1%}",
                flush=True,
            )
            if given.out:
                keep(net, sight, given.game, given.out)
    won, half = share_won(net, sight, given.game, given.opponent, given.games)
    print(f"{seconds / 60:5.1f} min: wins {won:.1%} ± {half:.1%} against {given.opponent}")
    if given.out:
        keep(net, sight, given.game, given.out)


if __name__ == "__main__":
    main()
