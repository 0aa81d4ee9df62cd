"""Learn a game by playing: PPO with masks on `tavolino.Batch`, in NumPy alone, on one core.

    python examples/selfplay.py orma --minutes 10 --out orma.onnx
    tavolino arena orma --bots greedy,orma.onnx

For the first fifth of the time the learner plays by itself and copies what `greedy` would have done in its place, to
know what a sensible move looks like (`imitate`), and learns what results to expect. From then on it learns from results
only (`improve`): in four of ten games it plays all seats, in the others `greedy` is its guest in one of them; with
`--guests past` the guest is one of its past selves (a league), with `--guests none` it meets nobody but itself. One
network (rating_net.py) plays all seats: the observation counts seats from its observer, so every seat looks the same.

Who gets the credit for a win? In a batch, seats take turns, and the step after mine is usually another's. Rewards sum
to zero: what the seat to move expects says what all seats expect, itself this much, the others the opposite (`shared`).
So every step, whoever took it, gives each seat a new expectation, and the last step its reward. A decision is judged by
how much its own seat's expectation changed in that step and, by less and less (LAMBDA), in those after it, whoever took
them (`advantages`). What my opponent expects after my move tells me about the move, long before the game is over.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):  # one core; before NumPy is imported
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402
from rating_net import RatingNet, keep  # noqa: E402

from tavolino import Batch  # noqa: E402
from tavolino.engine.registry import GAMES  # noqa: E402

Array = Any
ROWS, STEPS = 512, 64  # games played at once, steps in a rollout
PART, COPY_PART, EPOCHS = 2048, 512, 2  # a rollout is gone over in parts of this size (to copy: this), so often
CLIP, LAMBDA = 0.2, 0.97
RATE, COPY_RATE, ENTROPY = 7e-4, 2e-3, 0.005  # all of them fall to almost nothing
COPYING, GUESTS = 0.2, 0.6  # the share of the time spent on copying, and of games with a guest
LEAGUE = 20  # how many past selves there are in the end
Player = Callable[[Batch], Array]  # the action that it plays in each game of a batch


def drawn(logs: Array, rng: np.random.Generator) -> Array:
    """Return an action per row, drawn by the logs of its probabilities."""
    heights = np.exp(logs).cumsum(axis=1)
    aim = 1 - rng.random((len(logs), 1), np.float32)  # above 0: else the first action is drawn though it cannot be
    return (heights < aim * heights[:, -1:]).sum(axis=1)


def bot(name: str) -> Player:
    """Return a bot that answers at once, or the policy of a file, as a player."""
    return lambda batch: batch.bot(name)


def past_self(net: RatingNet, rng: np.random.Generator) -> Player:
    """Return a player who goes on playing as the network does now."""
    then = deepcopy(net)
    return lambda batch: then.actions[drawn(then(*then.see(batch))[1], rng)]


def rollout(
    batch: Batch, net: RatingNet, guest: tuple[Player, Array], rng: np.random.Generator, *, copying: bool
) -> dict[str, Array]:
    """Play some steps of all games; return what was seen and done, step by step.

    `guest` is a player and the seat that it plays in each game, -1 for none: what it does is not learnt from. To copy,
    what `greedy` would have done is noted.
    """
    who, where = guest
    number = np.zeros(batch.masks.shape[1], np.int64)  # of an action, as the network counts them
    number[net.actions] = np.arange(len(net.actions))
    kept: dict[str, list[Array]] = {}
    for _ in range(STEPS):
        mine = batch.to_move != where
        seen, mask = net.see(batch)
        _, logs, value = net(seen, mask)
        action = drawn(logs, rng)
        log = logs[np.arange(batch.size), action]
        if copying:
            wanted = number[batch.bot("greedy")]
        elif not mine.all():
            action[~mine] = number[who(batch[~mine])]
        step = {"action": action, "log": log, "value": value, "mine": mine, "seat": batch.to_move.copy()}
        step |= {"wanted": wanted if copying else action}
        batch.step(net.actions[action])
        step |= {"reward": batch.rewards.copy(), "done": batch.done.copy(), "seen": seen, "mask": mask}
        for name, item in step.items():
            kept.setdefault(name, []).append(item)
    big = {name: np.concatenate(kept.pop(name)) for name in ("seen", "mask")}
    return big | {name: np.array(items) for name, items in kept.items()}


def shared(value: Array, seat: Array, seats: int) -> Array:
    """Return what each seat expects, given what the seat to move does: the opposite, as rewards sum to zero."""
    expected = np.repeat(-value[:, None] / (seats - 1), seats, axis=1)
    expected[np.arange(len(value)), seat] = value
    return expected


def advantages(played: dict[str, Array], batch: Batch, now: Array) -> Array:
    """Return how much better each decision turned out than expected; `now` is what the seats to move expect."""
    size, seats = batch.rewards.shape
    rows = np.arange(size)
    expected = shared(now, batch.to_move, seats)
    ahead = np.zeros((size, seats), np.float32)
    found = np.zeros_like(played["value"])
    for t in reversed(range(len(found))):
        done, seat = played["done"][t], played["seat"][t]
        expected[done] = played["reward"][t][done]
        ahead[done] = 0
        before = shared(played["value"][t], seat, seats)
        ahead = expected - before + LAMBDA * ahead
        found[t], expected = ahead[rows, seat], before
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


def update(net: RatingNet, played: dict[str, Array], gains: Array, how: tuple[bool, float, float], rng: Any) -> None:
    """Go over what was played, in parts; `how` says whether to copy, at which rate, and the weight of entropy."""
    copying, rate, entropy = how
    flat = {name: played[name].reshape(-1) for name in ("action", "log", "value", "wanted", "mine")}
    flat |= {"seen": played["seen"], "mask": played["mask"], "gain": gains.reshape(-1)}
    # What to expect is learnt from a guest's decisions, too: else what the two seats expect would not add up.
    flat["target"] = np.clip(flat["gain"] + flat["value"], -1, 1)
    choice = flat["mine"] & (flat["mask"].sum(axis=1) > 1)  # elsewhere there is nothing to learn but the value
    mean, spread = flat["gain"][choice].mean(), flat["gain"][choice].std()
    flat["gain"] = np.where(choice, (flat["gain"] - mean) / (spread + 1e-6), 0)
    parts = max(1, len(choice) // (COPY_PART if copying else PART))
    for _ in range(1 if copying else EPOCHS):
        for rows in np.array_split(rng.permutation(len(choice)), parts):
            part = {name: items[rows] for name, items in flat.items()}
            passed, logs, value = net(part["seen"], part["mask"])
            d_logits = imitate(logs, part) if copying else improve(logs, part, entropy)
            d_value = 0.5 * (value - part["target"]) * (1 - value * value)
            net.learn(net.gradients(passed, d_logits / len(rows), (d_value / len(rows)).astype(np.float32)), rate)


def share_won(net: RatingNet, game: str, opponent: str, games: int) -> tuple[float, float]:
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


def train(
    net: RatingNet, batch: Batch, seconds: float, guests: tuple[str, float], say: Callable[[float, int], None]
) -> None:
    """Learn for so many CPU seconds; `say` is told the seconds and decisions so far, and its own time is not counted.

    `guests` says who the guest is, a bot or `past` (the learner as it was), and in which share of the games.
    """
    rng = np.random.default_rng(1)
    rows, nobody, (name, share) = np.arange(batch.size), np.full(batch.size, -1), guests
    where = np.where(rows < share * batch.size, rows % 2, -1)
    league = [] if name == "past" else [bot(name)]
    spent, decisions = 0.0, 0
    while spent < seconds:
        began, copied = time.process_time(), spent / seconds / COPYING
        copying = copied < 1
        left = max(0.05, 1 - copied) if copying else max(0.02, (1 - spent / seconds) / (1 - COPYING))
        if name == "past" and not copying and len(league) < LEAGUE * (spent / seconds - COPYING) / (1 - COPYING) + 1:
            league.append(past_self(net, rng))
        guest = (bot("greedy"), nobody) if copying else (league[rng.integers(len(league))], where)
        played = rollout(batch, net, guest, rng, copying=copying)
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
    parser.add_argument(
        "--guests", choices=["greedy", "past", "none"], default="greedy", help="whom it meets on the way"
    )
    parser.add_argument("--points", type=int, default=10, help="how often to judge on the way")
    parser.add_argument("--out", type=Path, help="where to keep the policy: my.onnx")
    parser.add_argument("--curve", type=Path, help="where to keep the learning curve: my.json")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    net, seconds = RatingNet(given.game, np.random.default_rng(given.seed)), 60 * given.minutes
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

    share = 1.0 if given.against else 0.0 if given.guests == "none" else GUESTS
    guests = given.against or ("greedy" if given.guests == "none" else given.guests), share
    train(net, Batch(given.game, 2, size=ROWS, seed=given.seed), seconds, guests, say)


if __name__ == "__main__":
    main()
