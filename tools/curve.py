"""What more thinking brings: how much better an expert's moves get with the number of its tries.

Whole games would need weeks to tell such small differences apart. So single moves are judged: in positions from games
of `value` against `medium`, what the expert plays after so many tries is compared with what the network alone would
play, both by the same few hundred worlds that the expert has not seen. What this cannot show is what the look-ahead
itself gets wrong: the answers it expects and the network's word at the end.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import tavolino
from tavolino.bots.lookahead import try_lines
from tavolino.bots.networks import active, load
from tavolino.bots.players import builtin
from tavolino.bots.position import Limits, Position
from tavolino.bots.strategy import BY_GAME
from tavolino.bots.thinking import as_table, best_lines, look_ahead, way_of

TRIES = (10, 30, 100, 300, 1000, 3000)
SHARE = 0.08
"""Of the decisions of a game, how many are looked at: far enough apart to count as independent."""


def positions(key: str, number: int) -> Iterator[Position]:
    """Yield positions where one plays by the network and the other by the rule of thumb."""
    seed = 0
    while number:
        seed += 1
        rng = random.Random(seed)
        game = tavolino.new(key, 2, seed)
        while (seat := game.to_move) is not None and number:
            position = Position(game, seat, f"{seed}/{len(game.moves)}")
            thinks = seat == seed % 2
            if thinks and len(game.legal_moves) > 1 and rng.random() < SHARE:
                yield position
                number -= 1
            game.play(builtin("value" if thinks else "medium").choose(position))


def truth(position: Position, worlds: int) -> dict[str, float]:
    """Return the mover's chance to win by each of the network's favourites, by looking ahead in many worlds."""
    net, features, states = load(position.key, 2), active(position.key), position.state()
    strategy = BY_GAME[position.key]
    lines = best_lines(states, net, features, strategy.WHOLE_TURNS)
    sums, scratch = np.zeros(len(lines)), np.empty(2, states.dtype)
    span = np.array([0, worlds], np.int64)
    table, how, past = as_table(lines), way_of(strategy), position.last_turn()
    try_lines(states, past, scratch, net, features, table, sums, np.uint64(1), span, how, position.stop)
    found: dict[str, float] = {}
    for (line, _), total in zip(lines, sums / worlds, strict=True):
        word = position.word(line[0])
        found[word] = max(found.get(word, 0.0), float(total))
    return found


def curve(key: str, number: int, worlds: int) -> list[dict[str, Any]]:
    """Return for each number of tries what an expert's choice wins over the network's, in chances, with its error."""
    gains: list[list[float]] = []
    for position in positions(key, number):
        worth = truth(position, worlds)
        alone = worth[next(iter(worth))]  # the network's favourite comes first
        limits = [Limits(simulations=tries) for tries in TRIES]
        gains.append([worth[look_ahead(replace(position, limits=limit))[0].word] - alone for limit in limits])
    means, errors = np.mean(gains, 0), np.std(gains, 0) / max(1, len(gains)) ** 0.5
    return [
        {"tries": tries, "gain": float(mean), "error": float(error)}
        for tries, mean, error in zip(TRIES, means, errors, strict=True)
    ]
