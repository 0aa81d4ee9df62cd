"""Train a network by self-play on any workers: `train` makes the networks that ship, the same from the same seed.

Games are played with the network as it is, then learnt from in order, so the result does not depend on who played them
or on how many workers there are. A checkpoint after every few rounds survives a kill: the same call resumes from it.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from tavolino.bots.selfplay import learn_all, play_and_note, room_for
from tavolino.bots.strategy import BY_GAME
from tavolino.bots.train import TrainingProgress, begin, finished, save
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
CHECKPOINT_SECONDS = 30.0
LEAGUE = 8
"""Earlier selves to play against, at most."""
SNAPSHOTS = 20
"""How often in a training the network joins its league."""
Noted = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Positions to learn from: which features are on, how many, what they are worth."""
ONE = Threads(1)


def train(
    key: str,
    players: int,
    recipe: Recipe,
    checkpoint: Path | None = None,
    workers: Workers = ONE,
    tell: Callable[[TrainingProgress], None] | None = None,
) -> Net:
    """Return a network trained by self-play; the same recipe gives the same one, however often it was interrupted.

    ValueError if the recipe has no games or its seed is no whole number from 0 up, or if the checkpoint is of another.
    """
    recipe = replace(recipe, games=from_one(recipe.games, "games"), seed=at_least(0, recipe.seed, "seed"))
    strategy, setup = BY_GAME[key], read_setup(key, players)
    deal_by = np.array([setup.players, *setup.codes], np.int64)
    seed = np.uint64(derive(recipe.seed, key, f"train/{players}"))
    made = {"key": key, "players": setup.players}
    now = begin(made, recipe, int(strategy.N_FEATURES), checkpoint)
    saved = time.monotonic()

    def play(span: tuple[int, int]) -> Noted:
        """Play the games of one chunk with the network as it is."""
        learning, league = now.learning.view(), now.league.view()
        learning.flags.writeable = league.flags.writeable = False  # as those of files: compiled code is made for each
        on, length, target = room_for(ROOM, int(strategy.MAX_ACTIVE))
        way = span[0] / recipe.games
        guests = recipe.guests + (recipe.guests_end - recipe.guests) * way
        lam = recipe.lam + (recipe.lam_end - recipe.lam) * min(1.0, 2 * way)
        how = np.array([recipe.epsilon * (1 - way), guests, recipe.league, lam])
        states, games = np.zeros(1, setup.game.rules.STATE), np.array(span, np.int64)
        noted = int(play_and_note(states, learning, league, deal_by, seed, games, how, on, length, target))
        return on[:noted], length[:noted], target[:noted]

    while now.done < recipe.games:
        before, end = now.done, min(now.done + recipe.round_games, recipe.games)
        chunks = [(at, min(at + CHUNK, end)) for at in range(before, end, CHUNK)]
        rate = recipe.rate * (recipe.rate_end / recipe.rate) ** (before / recipe.games)
        squares, positions = 0.0, 0
        for noted in list(in_order(workers, play, chunks)):  # all of them before the network changes
            number = len(noted[2])
            squares += number * float(learn_all(now.learning, *noted, number, rate))
            positions += number
        now.done = end
        now.mean += np.float32(min(1.0, recipe.round_games / (recipe.memory * end))) * (now.learning - now.mean)
        if recipe.league and SNAPSHOTS * before // recipe.games < SNAPSHOTS * end // recipe.games:
            now.league = np.concatenate([now.league, now.mean[None]])[-LEAGUE:]
        if end == recipe.games:
            now.mean = finished(now, recipe)
        if checkpoint is not None and (time.monotonic() - saved > CHECKPOINT_SECONDS or end == recipe.games):
            save(checkpoint, now, made, recipe)
            saved = time.monotonic()
        if tell is not None:
            tell(TrainingProgress(end, recipe.games, (squares / max(positions, 1)) ** 0.5))
    return now.mean
