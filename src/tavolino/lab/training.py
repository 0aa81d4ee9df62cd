"""Train a network by self-play on any workers: `train` makes the networks that ship, the same from the same seed.

Games are played with the network as it is, then learnt from in order, so the result does not depend on who played them
or on how many workers there are. A checkpoint after every few rounds survives a kill: the same call resumes from it.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from tavolino.bots.selfplay import learn_all, play_and_note, room_for
from tavolino.bots.strategy import BY_GAME
from tavolino.bots.train import TrainingProgress, begin, save
from tavolino.engine.net import Net
from tavolino.engine.recipe import Recipe
from tavolino.play.seeds import derive
from tavolino.play.setup import at_least, from_one, read_setup
from tavolino.workers import Workers, in_order
from tavolino.workers.threads import Threads

CHUNK = 64
"""Games played between two looks at the clock; several chunks make a round."""
ROOM = CHUNK * 220
"""Positions there is room for in a chunk."""
CHECKPOINT_SECONDS = 10.0
Noted = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Positions to learn from: which features are on, how many, what they are worth."""
ONE = Threads(1)


def train(
    key: str,
    players: int,
    recipe: Recipe,
    checkpoint: Path | None = None,
    crew: Workers = ONE,
    tell: Callable[[TrainingProgress], None] | None = None,
) -> Net:
    """Return a network trained by self-play; the same recipe gives the same one, however often it was interrupted.

    ValueError if the recipe has no games or its seed is no whole number from 0 up, or if the checkpoint is of another.
    """
    recipe = replace(recipe, games=from_one(recipe.games, "games"), seed=at_least(0, recipe.seed, "seed"))
    strategy, setup = BY_GAME[key], read_setup(key, players)
    deal_by = np.array([setup.players, *setup.codes], np.int64)
    seed = np.uint64(derive(recipe.seed, key, f"train/{players}"))
    net, mean, done = begin(key, setup.players, recipe, int(strategy.N_FEATURES), checkpoint)
    saved = time.monotonic()

    def play(span: tuple[int, int]) -> Noted:
        """Play the games of one chunk with the network as it is."""
        on, length, target = room_for(ROOM, int(strategy.MAX_ACTIVE))
        way = span[0] / recipe.games
        guests = recipe.guests + (recipe.guests_end - recipe.guests) * way
        mixture = np.array([1024 * recipe.epsilon * (1 - way), 1024 * guests]).astype(np.int64)
        states, games = np.zeros(1, setup.game.rules.STATE), np.array(span, np.int64)
        noted = int(play_and_note(states, net, deal_by, seed, games, mixture, recipe.lam, on, length, target))
        return on[:noted], length[:noted], target[:noted]

    while done < recipe.games:
        end = min(done + recipe.round_games, recipe.games)
        chunks = [(at, min(at + CHUNK, end)) for at in range(done, end, CHUNK)]
        rate = recipe.rate * (recipe.rate_end / recipe.rate) ** (done / recipe.games)
        squares, positions = 0.0, 0
        for noted in list(in_order(crew, play, chunks)):  # all of them before the network changes
            number = len(noted[2])
            squares += number * float(learn_all(net, *noted, number, rate))
            positions += number
        done = end
        mean += np.float32(min(1.0, recipe.round_games / (recipe.memory * done))) * (net - mean)
        if checkpoint is not None and (time.monotonic() - saved > CHECKPOINT_SECONDS or done == recipe.games):
            learning = net if done < recipe.games else None
            save(checkpoint, mean, {"key": key, "players": setup.players, "done": done, **asdict(recipe)}, learning)
            saved = time.monotonic()
        if tell is not None:
            tell(TrainingProgress(done, recipe.games, (squares / max(positions, 1)) ** 0.5))
    return mean
