"""How strong today's players are against the held-out ones: `python -m bench.strength [value|expert] [TABLE …]`.

Mirrored deals: each deal in every seating; 95 % intervals with the deal as the unit. With more than two players, one of
ours sits among held-out ones, and for comparison one of theirs among ours. `--deals N`, `--seed S` (fresh by default is
one that no training has seen), `--tries N` for another number of tries of our expert. What `expert` has played is kept
in --resume DIR, from where the same command goes on.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from bench.held_out import find
from bench.held_out import load as load_held_out
from tavolino.arena.arena import RunSettings, arena
from tavolino.arena.seating import Schedule
from tavolino.bots.lookahead import best_of
from tavolino.bots.networks import active, checked, load
from tavolino.bots.position import Limits
from tavolino.bots.strategy import MAX_CHOICES, MAX_PLAN, choose
from tavolino.engine.dispatch import apply, chance, deal
from tavolino.engine.jit import count
from tavolino.engine.kernels import DICE_STREAM, MAX_SEATS, seed_streams
from tavolino.engine.net import WIDE, WORK, Net
from tavolino.engine.registry import GAMES
from tavolino.play.seeds import derive
from tavolino.play.setup import read_setup

TABLES = {f"{key}-{n}": (key, n) for key, game in GAMES.items() if game.part("bots") for n in game.people.PLAYERS}
DEALS = {"value": 4000, "expert": 200}


@njit(nogil=True)
def duel(states: Any, one: Net, rest: Net, active: int, deal_by: Any, seed: np.uint64, shares: Any) -> None:
    """Play each deal once with network `one` in each seat, `rest` in the others; shares[deal, seat] is what it won."""
    streams = np.empty(DICE_STREAM + MAX_SEATS, np.uint64)
    dice = streams[DICE_STREAM:]
    work, on = np.empty(WORK, np.float32), np.empty(active, np.int32)
    actions, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    plan = np.empty(MAX_PLAN, np.int64)
    s = states[0]
    for game in range(len(shares)):
        for seat in range(deal_by[0]):
            seed_streams(streams, seed, game)
            deal(s, deal_by[0], -1, deal_by[1:], streams)
            while s.over == 0:
                legal = 0
                for word in range(len(s.legal)):
                    legal |= s.legal[word]
                if legal == 0:
                    apply(s, chance(s, dice))
                    continue
                net = one if s.player == seat else rest
                n = choose(s, net, work, on, actions, values, plan, WIDE)
                apply(s, actions[best_of(values, n)])
            shares[game, seat] = 1.0 / count(s.winners) if s.winners >> seat & 1 else 0.0


def compare_values(key: str, players: int, one: Net, rest: Net, deals: int, seed: str) -> tuple[float, float]:
    """Return what one network won per game among others, and half the width of the 95 % interval.

    ValueError if one of them is no network for the game.
    """
    for net in (one, rest):
        checked(net, key)
    setup = read_setup(key, players)
    states, shares = np.zeros(1, setup.game.rules.STATE), np.zeros((deals, players))
    deal_by = np.array([players, *setup.codes], np.int64)
    duel(states, one, rest, active(key), deal_by, np.uint64(derive(seed, key, f"strength/{players}")), shares)
    means = shares.mean(axis=1)
    return float(means.mean()), float(1.96 * means.std(ddof=1) / deals**0.5)


def told(rate: float, half: float) -> str:
    """Return a rate with its interval, in percent."""
    return f"{100 * rate:.1f} % ({100 * (rate - half):.1f} … {100 * (rate + half):.1f})"


def main() -> None:
    """Compare what the command line asks for."""
    parser = argparse.ArgumentParser(description="Compare today's players with the held-out ones.")
    parser.add_argument("what", choices=sorted(DEALS))
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    parser.add_argument("--deals", type=int)
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--tries", type=int)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--resume", type=Path, metavar="DIR")
    given = parser.parse_args()
    deals = given.deals or DEALS[given.what]
    for table in given.tables or TABLES:
        key, players = TABLES[table]
        if given.what == "value":
            ours, theirs = load(key, players), load_held_out(key, players)
            text = told(*compare_values(key, players, ours, theirs, deals, given.seed))
            if players > 2:
                text += "; one of theirs " + told(*compare_values(key, players, theirs, ours, deals, given.seed))
            print(f"{table}: value {text}, {deals} deals", flush=True)
            continue
        bots = ("expert", "held-out-expert")
        games = deals * Schedule(2, players).games_a_deal
        kept = given.resume / f"{table}-{given.seed}-{given.tries}.state" if given.resume else None
        limits = Limits(simulations=given.tries) if given.tries else None
        settings = RunSettings(workers=given.workers, resume=kept)
        result = arena(
            read_setup(key, players), bots, games, seed=given.seed, limits=limits, load=find, settings=settings
        ).as_json()
        bot = result["bots"][0]
        rate, ends = (bot["alone"]["rate"], bot["alone"]["ci95"]) if bot["alone"] else (bot["win_rate"], bot["ci95"])
        each = ", ".join(f"{one['name']} {one['ms_per_move']:.0f} ms a move" for one in result["bots"])
        print(f"{table}: expert {told(rate, (ends[1] - ends[0]) / 2)}, {result['deals']} deals, {each}", flush=True)


if __name__ == "__main__":
    main()
