"""What looking ahead gains over the network's own choice: `python -m bench.lookahead [TABLE …]`.

Games cost too much to tell settings apart, so this asks at single decisions of games between equals. At each, the
network's ten favourites are tried in the same worlds at several depths. Half of the worlds are for choosing: as many as
a setting has. The other half, at the greatest depth, say what the choice is worth. Printed are percent of a win per
decision, gained over the network's favourite, with 95 % intervals over positions.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tavolino.bots import lookahead
from tavolino.bots.calibration import Floats
from tavolino.bots.halving import PRIOR
from tavolino.bots.networks import active, has_networks, load
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.bots.strategy import BY_GAME
from tavolino.bots.thinking import NEVER, candidates
from tavolino.engine.registry import GAMES
from tavolino.play.game import Game, new
from tavolino.play.seeds import derive

TABLES = {f"{key}-{n}": (key, n) for key, game in GAMES.items() if has_networks(key) for n in game.people.PLAYERS}
WORLDS = (16, 32, 64, 128, 256)
"""Worlds to choose by; as many as the most of them again are for judging."""
DEPTHS = (1, 2, 4)
OPEN = (0.03, 0.97)
"""What the network must say of its favourite: elsewhere nothing is at stake."""
SHUFFLES = 20


@dataclass(frozen=True)
class Decision:
    """What was found at one decision."""

    priors: Floats
    """What the network says of each line, its favourite first."""
    worths: Floats
    """[depth, world, line]: the mover's chance in the end."""


def decisions(key: str, players: int, number: int, seed: str) -> Iterator[Decision]:
    """Yield decisions of games that `value` plays against itself, one of each game, tried out."""
    game_number = 0
    while number > 0:
        found = tried(*random_decision(key, players, f"{seed}/{game_number}"))
        game_number += 1
        if found is not None:
            number -= 1
            yield found


def random_decision(key: str, players: int, seed: str) -> tuple[Game, str]:
    """Return a game at one of its decisions, and a seed."""
    game, bot = new(key, players, seed), builtin("value")
    while (seat := game.to_move) is not None:
        game.play(bot.choose(Position(game, seat, f"{seed}/{len(game.moves)}")))
    steps = [step for step, seat in enumerate(game.movers) if seat is not None]
    return game.earlier(int(np.random.default_rng(list(seed.encode())).choice(steps))), seed


def tried(game: Game, seed: str) -> Decision | None:
    """Try out the decision of the seat to move; None if there is none, or nothing is at stake."""
    assert game.to_move is not None
    position = Position(game, game.to_move, seed)
    states, past, net, features = position.state(), position.last_turn(), load(game.key, game.players), active(game.key)
    lines, priors = candidates(states, net, features)
    if len(lines) < 2 or not OPEN[0] < priors[0] < OPEN[1]:
        return None
    worths = np.empty((len(DEPTHS), 2 * max(WORLDS), len(lines)))
    scratch, untold = np.empty(2, states.dtype), np.empty((1, len(lines), 0), np.int32)
    by_rounds = BY_GAME[game.key].ROUNDS > 0
    for i, depth in enumerate(DEPTHS):
        how = np.array([0, depth] if by_rounds else [depth, 0], np.int64)
        world = np.uint64(derive(seed, game.key, "worlds"))
        lookahead.try_lines(states, past.copy(), scratch, net, features, lines, worths[i], world, 0, how, NEVER, untold)
    return Decision(priors, worths)


def gains(one: Decision, depth: int, worlds: int, rng: np.random.Generator) -> float:
    """Return what choosing at a depth by so many worlds gains at a decision, on average over choices of worlds."""
    total = 0.0
    for _ in range(SHUFFLES):
        order = rng.permutation(one.worths.shape[1])
        sums = one.worths[depth, order[:worlds]].sum(axis=0)
        best = int(((PRIOR * one.priors + sums) / (PRIOR + worlds)).argmax())
        judged = one.worths[-1, order[max(WORLDS) :]].mean(axis=0)
        total += float(judged[best] - judged[0])
    return total / SHUFFLES


def main() -> None:
    """Measure the tables that the command line names."""
    parser = argparse.ArgumentParser(description="Measure what looking ahead gains over the network's own choice.")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--seed", default="lookahead")
    given = parser.parse_args()
    for table in given.tables or TABLES:
        key, players = TABLES[table]
        found = []
        for one in decisions(key, players, given.positions, given.seed):
            found.append(one)
            if len(found) % 10 == 0:
                print(f"{table}: {len(found)} of {given.positions} positions", flush=True)
        rng = np.random.default_rng(1)
        for i, depth in enumerate(DEPTHS):
            by_worlds = [100 * np.array([gains(one, i, worlds, rng) for one in found]) for worlds in WORLDS]
            for worlds, here in zip(WORLDS, by_worlds, strict=True):
                more = f", {told(here - by_worlds[0])} more than by {WORLDS[0]}" if worlds > WORLDS[0] else ""
                print(f"{table}, depth {depth}, {worlds} worlds: {told(here)}{more}", flush=True)


def told(numbers: Floats) -> str:
    """Return a mean with half the width of its 95 % interval."""
    return f"{numbers.mean():+.2f} ± {1.96 * numbers.std(ddof=1) / len(numbers) ** 0.5:.2f}"


if __name__ == "__main__":
    main()
