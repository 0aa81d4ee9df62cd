"""Learn Face to Face against `greedy`, with PPO in NumPy alone: three CPU minutes; `python examples/learn.py`.

The agent first copies what `greedy` would do, for 40 seconds, and then plays against it and learns from who wins. The
network is one hidden layer over the observation of docs/envs.md. One run won
58.5 ± 2.1 % of 2,000 games in the end. At Orma (`--game Orma`) and Out of Sock it did not get there in that time.
"""

import argparse
import time
from typing import Any

import gymnasium as gym
import numpy as np

GAMES, STEPS, HIDDEN = 512, 32, 128  # games at once, steps between two rounds of learning, units
CLIP, ENTROPY, GAMMA, LAMBDA = 0.2, 0.003, 1.0, 0.95
Array = Any


class Net:
    """Observation → hidden units → logits of the actions and the chance to win; learns by Adam."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        def layer(n: int, m: int, scale: float) -> Array:
            return rng.normal(0, scale / np.sqrt(n), (n, m)).astype(np.float32)

        self.w = [layer(inputs, HIDDEN, 1.5), np.zeros(HIDDEN, np.float32)]
        self.w += [layer(HIDDEN, actions, 0.1), np.zeros(actions, np.float32)]
        self.w += [layer(HIDDEN, 1, 0.5), np.zeros(1, np.float32)]
        self.m = [np.zeros_like(w) for w in self.w]
        self.v = [np.zeros_like(w) for w in self.w]
        self.steps = 0

    def __call__(self, seen: Array, mask: Array) -> tuple[Array, Array, Array]:
        """Return hidden units, logs of the probabilities of the actions, values."""
        hidden = np.maximum(seen @ self.w[0] + self.w[1], 0)
        logits = np.where(mask, hidden @ self.w[2] + self.w[3], -1e9)
        logits -= logits.max(axis=1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return hidden, logs, (hidden @ self.w[4] + self.w[5])[:, 0]

    def learn(self, seen: Array, hidden: Array, d_logits: Array, d_values: Array, rate: float) -> None:
        """Take a step against the gradients of the outputs."""
        d_hidden = (d_logits @ self.w[2].T + d_values[:, None] * self.w[4].T) * (hidden > 0)
        grads = [seen.T @ d_hidden, d_hidden.sum(0), hidden.T @ d_logits, d_logits.sum(0)]
        grads += [hidden.T @ d_values[:, None], d_values.sum(0, keepdims=True)]
        norm = np.sqrt(sum(float((g * g).sum()) for g in grads))
        self.steps += 1
        for w, m, v, g in zip(self.w, self.m, self.v, grads, strict=True):
            g = g * min(1.0, 0.5 / (norm + 1e-8))
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= rate * (m / (1 - 0.9**self.steps)) / (np.sqrt(v / (1 - 0.999**self.steps)) + 1e-7)


def copy_greedy(net: Net, env: Any, seconds: float) -> None:
    """Learn to do what `greedy` does."""
    shown, _ = env.reset(seed=1)
    end = time.process_time() + seconds
    while time.process_time() < end:
        seen, mask = shown["observation"], shown["action_mask"]
        wanted = env.bot("greedy")
        hidden, logs, _ = net(seen, mask)
        d_logits = np.exp(logs)
        d_logits[np.arange(GAMES), wanted] -= 1
        net.learn(seen, hidden, d_logits / GAMES, np.zeros(GAMES, np.float32), 0.002)
        shown = env.step(wanted)[0]


def play_and_learn(net: Net, env: Any, seconds: float, rng: np.random.Generator) -> None:
    """Play against `greedy` and learn from it by PPO."""
    shown, _ = env.reset(seed=2)
    began, told = time.process_time(), 0.0
    rows = np.arange(GAMES)
    results: list[float] = []
    while (spent := time.process_time() - began) < seconds:
        rate = 0.0005 * (1 - spent / seconds) + 0.00005
        batch: dict[str, list[Array]] = {k: [] for k in ("seen", "mask", "action", "log", "value", "reward", "done")}
        for _ in range(STEPS):
            seen, mask = shown["observation"], shown["action_mask"]
            _, logs, value = net(seen, mask)
            action = (logs + rng.gumbel(size=logs.shape).astype(np.float32)).argmax(1)
            shown, reward, done, _, _ = env.step(action)
            for key, item in zip(batch, (seen, mask, action, logs[rows, action], value, reward, done), strict=True):
                batch[key].append(item)
            results += reward[done].tolist()
        advantages = np.zeros((STEPS, GAMES), np.float32)
        after, ahead = net(shown["observation"], shown["action_mask"])[2], np.zeros(GAMES, np.float32)
        for t in reversed(range(STEPS)):
            goes_on = 1 - batch["done"][t]
            delta = batch["reward"][t] + GAMMA * after * goes_on - batch["value"][t]
            ahead = delta + GAMMA * LAMBDA * goes_on * ahead
            advantages[t], after = ahead, batch["value"][t]
        targets = (advantages + np.array(batch["value"])).reshape(-1)
        update(net, {k: np.concatenate(v) for k, v in batch.items()}, advantages.reshape(-1), targets, rate, rng)
        if spent - told > seconds / 8:
            told, won = spent, np.mean(np.array(results[-2000:]) > 0)
            print(f"{spent:4.0f} s, {len(results):6d} games, won {won:.1%} of the last 2000", flush=True)


def update(net: Net, all_: dict[str, Array], advantages: Array, targets: Array, rate: float, rng: Any) -> None:
    """Go over what was played three times, in parts."""
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    for _ in range(3):
        for part in np.array_split(rng.permutation(len(advantages)), 8):
            seen, mask, action = all_["seen"][part], all_["mask"][part], all_["action"][part]
            hidden, logs, value = net(seen, mask)
            n, rows = len(part), np.arange(len(part))
            ratio = np.exp(logs[rows, action] - all_["log"][part])
            gain = advantages[part]
            free = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            chances = np.exp(logs)
            d_logits = chances * (free * ratio * gain)[:, None]
            d_logits[rows, action] -= free * ratio * gain
            plogs = np.where(mask, chances * logs, 0)
            d_logits += ENTROPY * (plogs - chances * plogs.sum(1, keepdims=True))
            net.learn(seen, hidden, (d_logits / n).astype(np.float32), (value - targets[part]) / n, rate)


def share_won(net: Net, env: Any, games: int) -> tuple[float, float]:
    """Play games by the likeliest move; return the share won (a tie is half) and its standard error."""
    shown, _ = env.reset(seed=3)
    won: list[float] = []
    counted = np.zeros(GAMES, np.int64)
    while counted.min() < -(-games // GAMES):  # the same number from each row: short games do not count more
        logs = net(shown["observation"], shown["action_mask"])[1]
        shown, reward, done, _, _ = env.step(logs.argmax(1))
        fresh = done & (counted < -(-games // GAMES))
        won += ((reward[fresh] + 1) / 2).tolist()
        counted += done
    return float(np.mean(won)), float(np.std(won) / np.sqrt(len(won)))


def main() -> None:
    """Learn, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, nargs=2, default=(40, 120), help="CPU seconds to copy, and to play")
    parser.add_argument("--game", default="FaceToFace", choices=("FaceToFace", "Orma", "OutOfSock"))
    parser.add_argument("--games", type=int, default=2000, help="games to judge by")
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    name = f"tavolino:Tavolino/{given.game}-v0"
    env: Any = gym.make_vec(name, GAMES, vectorization_mode="vector_entry_point", opponents=["greedy"])
    net = Net(env.single_observation_space["observation"].shape[0], env.single_action_space.n, rng)
    copy_greedy(net, env, given.seconds[0])
    won, error = share_won(net, env, given.games)
    print(f"after copying greedy: wins {won:.1%} ± {1.96 * error:.1%} against it")
    play_and_learn(net, env, given.seconds[1], rng)
    won, error = share_won(net, env, given.games)
    print(f"after playing it: wins {won:.1%} ± {1.96 * error:.1%} of {given.games} games")


if __name__ == "__main__":
    main()
