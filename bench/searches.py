"""What a search wins against another one: `python -m bench.searches WHAT [TABLE …]`, in games of two players.

WHAT is `bound`, what knowing all hands would bring: a look-ahead that sees them (what nobody holds is dealt anew) meets
the same one that does not; or `curve`, what more thinking brings: experts with more and more tries meet one with few;
or `expert`, as it ships, against the held-out one.

Mirrored deals: each deal is played in both seatings. A turn is played as it was judged, to its end. Luck hides much in
so few games, so two figures are printed: the games won, and the same without the luck that can be seen. For each move
the network says how good what was drawn or rolled is, compared with other draws or rolls from the same moment; on
average over games such differences are 0 whoever plays, so leaving them out moves no figure, it only makes it sharper.
(How much of each is left out comes from the games themselves, by least squares.)

Games are kept one by one in --work DIR: a kill loses one deal, and the same command goes on there.
"""

import argparse
import json
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.held_out import expert as held_out
from bench.held_out import load as load_held_out
from tavolino.bots import halving, lookahead
from tavolino.bots.networks import active, has_networks, load
from tavolino.bots.strategy import BY_GAME, MAX_CHOICES, MAX_PLAN
from tavolino.bots.thinking import NEVER, way_of
from tavolino.engine.kernels import MAX_SEATS, Ints, States, apply_one, chance_one, deal_of_batch, redeal_one
from tavolino.engine.net import WORK
from tavolino.engine.plain import copied
from tavolino.engine.registry import GAMES
from tavolino.engine.viewers import ALL_HANDS
from tavolino.play.seeds import derive
from tavolino.play.setup import read_setup

TABLES = [key for key, game in GAMES.items() if has_networks(key) and 2 in game.people.PLAYERS]
ROOT = Path(__file__).parents[1]
FEW = 100
"""The tries of the fixed opponent of a curve."""
MORE = (300, 1000, 3000)
OTHERS = 6
"""Other draws or rolls that each is compared with."""
EVERY = 60.0
"""Seconds between two lines that tell how a match stands."""
Streams = NDArray[np.uint64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Thinker:
    """A look-ahead: today's, with so many tries; or one that sees all hands; or the held-out one."""

    tries: int
    sees: bool = False
    held_out: bool = False
    turns: int | None = None
    """How far to look, if not as far as the game's expert."""

    @property
    def name(self) -> str:
        """What it is called in tables and files."""
        far = f"-turns{self.turns}" if self.turns else ""
        return f"held-out{self.tries}" if self.held_out else f"{'sees' if self.sees else ''}{self.tries}{far}"


class Table:
    """A game of two, and the room its networks need."""

    def __init__(self, key: str) -> None:
        self.setup = read_setup(key, 2)
        self.key, self.net, self.features = key, load(key, 2), active(key)
        self.how = way_of(BY_GAME[key])
        self._work, self._on = np.empty(WORK, np.float32), np.empty(self.features, np.int32)
        self._actions, self._values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
        self._plan = np.empty(MAX_PLAN, np.int64)

    @cached_property
    def old_net(self) -> Any:
        """The held-out network."""
        return load_held_out(self.key, 2)

    def dealt(self, number: int, seed: str) -> States:
        """Return a deal."""
        states = np.zeros(1, self.setup.game.rules.STATE)
        base = np.uint64(derive(seed, self.key, "searches"))
        deal_of_batch(states, 2, -1, np.array(self.setup.codes, np.int64), base, number)
        return states

    def later(self, states: States, seat: int, dice: Streams, how: Ints) -> float:
        """Return a seat's chance when it decides again, all playing on by the network; the states change."""
        work = (self._work, self._on, self._actions, self._values, self._plan)
        return float(lookahead.worth_later(states[0], seat, self.net, *work, dice, how))

    def favourite(self, states: States) -> float:
        """Return what the network says of the mover's best move."""
        n = lookahead.weigh(states, self.net, self.features, self._actions, self._values)
        return float(self._values[:n].max())


def numbers(*what: Any) -> Streams:
    """Return streams of random numbers that belong to something."""
    return np.random.default_rng(list(repr(what).encode())).integers(0, 1 << 63, 1 + MAX_SEATS, np.uint64)


def chosen(table: Table, thinker: Thinker, states: States, past: States, seed: str) -> list[int]:
    """Return the turn or move that a look-ahead chooses for the seat to move."""
    world_seed = np.uint64(derive(seed, table.key, "worlds"))
    if thinker.held_out:
        way = np.array(held_out.WAYS[table.key], np.int64)
        way[held_out.TRIES] = thinker.tries
        return [*held_out.best_line(states, past.copy(), table.old_net, table.features, way, world_seed)]
    notes = np.zeros(1, halving.NOTES)
    note = notes[0]
    note["lines"][:] = -1
    note["count"] = lookahead.best_lines(states, table.net, table.features, note["lines"], note["priors"])
    note["budget"] = thinker.tries
    halving.begin(notes)
    how = table.how.copy()
    if thinker.turns:
        how[lookahead.TURNS] = thinker.turns
    while worlds := int(halving.next_slice(notes)):
        lines = np.empty((int(note["left"]), MAX_PLAN), np.int64)
        halving.alive_lines(notes, lines)
        first, worths = int(note["world"]), np.empty((worlds, len(lines)))
        if thinker.sees:
            for world in range(worlds):
                worths[world] = seeing(table, states, lines, numbers(seed, first + world), how)
        else:
            scratch, untold = np.empty(2, states.dtype), np.empty((1, len(lines), 0), np.int32)
            arrays = (lines, worths, world_seed, first, how, NEVER, untold)
            lookahead.try_lines(states, past.copy(), scratch, table.net, table.features, *arrays)
        halving.hear(notes, worths, worlds)
    order = np.empty(halving.CANDIDATES, np.int64)
    halving.rank(notes, order, np.empty(halving.CANDIDATES), np.empty(halving.CANDIDATES))
    return [int(action) for action in note["lines"][order[0]] if action >= 0]


def seeing(table: Table, states: States, lines: Ints, streams: Streams, how: Ints) -> list[float]:
    """Try lines in one world in which all hold what they truly hold."""
    viewer, world = int(states["player"][0]), copied(states)
    redeal_one(world, ALL_HANDS, streams[:1])
    worths = []
    for line in lines:
        tried = copied(world)
        for action in line:
            if action < 0 or tried["player"][0] != viewer:
                break
            apply_one(tried, int(action))
        worths.append(table.later(tried, viewer, streams[1:].copy(), how))
    return worths


def play(table: Table, number: int, pair: tuple[Thinker, Thinker], seat: int, seed: str) -> dict[str, Any]:
    """Play a deal with the first of two in a seat; return what it won, its luck as the network sees it, and times."""
    states, pasts = table.dealt(number, seed), [table.dealt(number, seed)[:0]] * 2
    seen, spent, moves = np.zeros(2), [0.0, 0.0], [0, 0]
    mover, before, steps = -1, copied(states), 0
    while not states["over"][0]:
        if not states["legal"][0].any():
            seen += play_watched(table, states, None, seat, numbers(seed, number, steps))
            steps += 1
            continue
        if int(states["player"][0]) != mover:
            if mover >= 0:
                pasts[1 - mover] = np.concatenate([before, copied(states)])
            mover, before = int(states["player"][0]), copied(states)
        who = 0 if mover == seat else 1
        began = time.process_time()
        line = chosen(table, pair[who], states, pasts[mover], f"{seed}/{number}/{seat}/{steps}")
        spent[who] += time.process_time() - began
        moves[who] += 1
        for action in line:
            if states["over"][0] or int(states["player"][0]) != mover:
                break
            seen += play_watched(table, states, action, seat, numbers(seed, number, steps))
            steps += 1
    winners = int(states["winners"][0])
    won = 1 / winners.bit_count() if winners >> seat & 1 else 0.0
    return {"deal": number, "seat": seat, "won": won, "luck": seen.tolist(), "seconds": spent, "moves": moves}


def play_watched(table: Table, states: States, action: int | None, seat: int, streams: Streams) -> Floats:
    """Play a move, or what chance brings if None; return how lucky for a seat what turned up was, seen in two ways."""
    mover, worlds = int(states["player"][0]), []
    for other in range(OTHERS + 1):
        world, own = copied(states), numbers(streams, other)
        if other > 0:
            redeal_one(world, ALL_HANDS, own[:1])
        apply_one(world, int(chance_one(world, own[1:])) if action is None else action)
        if other == 0:
            came = copied(world)
        redeal_one(world, ALL_HANDS, streams[:1].copy())  # what nobody knows is the same in all
        worlds.append(world)
    states[:] = came
    said: dict[bytes, Floats] = {}
    looks = [world.tobytes() for world in worlds]
    if len(set(looks)) == 1:
        return np.zeros(2)  # nothing turned up
    for look, world in zip(looks, worlds, strict=True):
        if look not in said:
            said[look] = np.array(outlooks(table, world, mover, seat, streams))
    luck: Floats = said[looks[0]] - np.mean([said[look] for look in looks[1:]], axis=0)
    return luck


def outlooks(table: Table, states: States, mover: int, seat: int, streams: Streams) -> tuple[float, float]:
    """Return a seat's chance as the one sees it who decides next, and as the last mover sees it when it does again."""
    if states["over"][0]:
        winners = int(states["winners"][0])
        won = 1 / winners.bit_count() if winners >> seat & 1 else 0.0
        return won, won
    next_one = 0.5
    if states["legal"][0].any():
        next_one = table.favourite(states)
        if int(states["player"][0]) != seat:
            next_one = 1 - next_one
    if mover < 0 or int(states["player"][0]) == mover:
        return next_one, next_one
    again = table.later(copied(states), mover, streams[1:].copy(), np.array([1, 0]))
    return next_one, again if mover == seat else 1 - again


@dataclass(frozen=True)
class Score:
    """What the first of two won per game, with half of the 95 % interval: as it fell, and without luck that is seen."""

    won: float
    half: float
    without_luck: float
    half_without: float
    deals: int


def score(games: list[dict[str, Any]]) -> Score:
    """Sum up games, both seatings of each deal."""
    won, luck = np.array([game["won"] for game in games]), np.array([game["luck"] for game in games])
    shares = np.linalg.lstsq(np.column_stack((np.ones(len(won)), luck)), won, rcond=None)[0][1:]
    by_deal = np.array([game["deal"] for game in games])
    deals = np.unique(by_deal)

    def mean_and_half(of_games: Floats) -> tuple[float, float]:
        means = np.array([of_games[by_deal == deal].mean() for deal in deals])
        return float(means.mean()), float(1.96 * means.std() / len(deals) ** 0.5)

    return Score(*mean_and_half(won), *mean_and_half(won - luck @ shares), len(deals))


def told(name: str, games: list[dict[str, Any]]) -> str:
    """Return a match in words."""
    found = score(games)
    times = [1000 * sum(game["seconds"][i] for game in games) / sum(game["moves"][i] for game in games) for i in (0, 1)]
    return (
        f"{name}: won {100 * found.won:.1f} ± {100 * found.half:.1f} %, without the luck that is seen "
        f"{100 * found.without_luck:.1f} ± {100 * found.half_without:.1f} %, {found.deals} deals, "
        f"{times[0]:.0f} and {times[1]:.0f} ms per turn"
    )


def match(key: str, pair: tuple[Thinker, Thinker], deals: int, seed: str, work: Path) -> list[dict[str, Any]]:
    """Play a match, or what is missing of it; tell how it stands now and then."""
    work.mkdir(parents=True, exist_ok=True)
    name = f"{key} {pair[0].name} against {pair[1].name}"
    path = work / f"{name.replace(' ', '_')}_{seed}.jsonl"
    games = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    games = [game for game in games if game["deal"] < deals]
    table, told_at = Table(key), time.monotonic()
    for number in range(len(games) // 2, deals):
        both = [play(table, number, pair, seat, seed) for seat in range(2)]
        games += both
        with path.open("a") as file:
            file.write("".join(json.dumps(game) + "\n" for game in both))
        if time.monotonic() > told_at + EVERY and len(games) > 8:
            print(told(name, games), flush=True)
            told_at = time.monotonic()
    print(told(name, games), flush=True)
    return games


def main() -> None:
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser(description="Play look-aheads against each other.")
    parser.add_argument("what", choices=("bound", "curve", "expert"))
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--tries", type=int, default=300, help="of both, to see what knowing the hands brings")
    parser.add_argument("--more", type=int, nargs="+", default=MORE, help=f"tries of those that meet {FEW} in a curve")
    parser.add_argument("--seed", default="searches")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "searches")
    given = parser.parse_args()
    if wrong := [key for key in given.tables if key not in TABLES]:
        parser.error(f"no table {wrong[0]!r}; there are {', '.join(TABLES)}")
    for key in given.tables or TABLES:
        if given.what == "bound":
            pairs = [(Thinker(given.tries, sees=True), Thinker(given.tries))]
        elif given.what == "curve":
            pairs = [(Thinker(tries), Thinker(FEW)) for tries in given.more]
        else:
            pairs = [(Thinker(BY_GAME[key].TRIES), Thinker(held_out.WAYS[key][held_out.TRIES], held_out=True))]
        for pair in pairs:
            match(key, pair, given.deals, given.seed, given.work)


if __name__ == "__main__":
    main()
