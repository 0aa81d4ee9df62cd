"""The shape of a game: how rich its decisions are, how its win chances move, who makes kings, how long it takes.

Games of strong bots are replayed. At the same numbers of moves in all of them the judge of reviews says each seat's
chance, with all hands open: asking at a fraction of each game's own length would give away when it ends.
"""

import itertools
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tavolino.bots.lookahead import weigh
from tavolino.bots.networks import active, has_networks, load
from tavolino.bots.strategy import MAX_CHOICES
from tavolino.engine.plain import bits
from tavolino.intervals import mean_of
from tavolino.lab.account import plain
from tavolino.lab.judge import Judge
from tavolino.lab.playing import Lineup, dealt, in_parts, play_games
from tavolino.lab.settings import Tell
from tavolino.play.game import Game
from tavolino.workers import Workers

TRIES = 16
"""Sampled worlds per chance."""
TIMES = (0.25, 0.5, 0.75)
"""When the leader is looked at, in parts of a median game's moves."""
CHECKS = 10
"""Looks at the chances in a median game."""
NEAR = 0.02
"""Options whose chance is within this of the best one's are a real choice."""
OUT, SWAY = 0.05, 0.10
"""Below this chance a seat is out of the running; by this much it must move others' chances to make a king."""
KING_EVERY, KING_CHECKS = 7, 3
"""Of the decisions of seats out of the running, at most so many per game are looked at: those at every seventh move."""
ROOM, GAMES_A_TASK = 1024, 2


@dataclass(frozen=True)
class Pace:
    """How long people take, in seconds."""

    choice: float
    """Per decision."""
    forced: float
    """Per move without a choice."""
    moves: int = 0
    """How many moves of people it was measured in; 0: it is assumed."""


ASSUMED = Pace(8.0, 2.0)
"""The pace where nobody has measured one."""


@dataclass
class _Traced:
    """What is kept of one game."""

    chances: list[list[float] | None]
    """At each check; None once the game is over."""
    result: list[float]
    options: list[int]
    near: list[int]
    kings: list[float]
    """Whether each of some decisions of a seat out of the running could make a king."""
    beaten: int
    """Decisions of seats out of the running."""
    seconds: list[float]
    """Of each seat."""
    waits: list[float]


def shape_of(
    lineup: Lineup,
    seed: np.uint64,
    games: int,
    median: float,
    workers: Workers,
    tell: Tell,
    pace: Pace = ASSUMED,
) -> dict[str, Any]:
    """Replay games and return their shape, as plain data; `median` is the length of a median game in moves."""
    checks = sorted({*(round(median * i / CHECKS) for i in range(1, CHECKS + 1)), *(round(median * t) for t in TIMES)})

    def play(begin: int, number: int) -> list[_Traced]:
        batch = play_games(lineup, seed, begin, number, room=ROOM)
        return [
            _trace(lineup, dealt(lineup, seed, begin + i), batch.actions[i, : batch.length[i]].tolist(), checks, pace)
            for i in range(number)
        ]

    traced = [one for part in in_parts(workers, play, games, GAMES_A_TASK, tell) for one in part]
    found: dict[str, Any] = {"games": games, "checks": checks, "tries": TRIES}
    found["options"] = plain(mean_of([float(np.mean(one.options)) for one in traced]))
    found["near"] = plain(mean_of([float(np.mean(one.near)) for one in traced]))
    found["decisions"] = plain(mean_of([float(len(one.options)) for one in traced]))
    found["leader"] = [_leader(traced, checks.index(round(median * time)), time) for time in TIMES]
    found["changes"] = plain(mean_of([float(_changes(one)) for one in traced]))
    found["comebacks"] = plain(mean_of([float(_came_back(one)) for one in traced], (0.0, 1.0)))
    kings = [float(np.mean(one.kings)) for one in traced if one.kings]
    found["kingmaking"] = plain(mean_of(kings or [0.0], (0.0, 1.0)))
    found["beaten"] = plain(mean_of([float(one.beaten) for one in traced]))
    found["minutes"] = plain(mean_of([sum(one.seconds) / 60 for one in traced]))
    found["wait"] = plain(mean_of([float(np.mean(one.waits)) for one in traced if one.waits] or [0.0]))
    found["pace"] = asdict(pace)
    return found


def _trace(lineup: Lineup, states: Any, actions: list[int], checks: list[int], pace: Pace) -> _Traced:
    setup = lineup.setup
    game = Game(setup, states, 0, own_chance=False)
    judge = Judge(game, TRIES)
    net, features = load(setup.key, setup.players), active(setup.key)
    asks = has_networks(setup.key)
    room, values = np.empty(MAX_CHOICES, np.int64), np.empty(MAX_CHOICES, np.float64)
    chances: list[list[float] | None] = []
    options, near, waits = [], [], []
    spent, since = [0.0] * setup.players, [0.0] * setup.players
    kings: list[float] = []
    clock, last, beaten = 0.0, None, 0
    for number, action in enumerate(actions):
        while len(chances) < len(checks) and checks[len(chances)] <= number:
            chances.append(judge.chances(game, number))
        seat = game.to_move
        if seat is not None:
            now = game.open_state(number)
            legal = sum(len(bits(mask)) for mask in now["legal"][0].tolist())
            takes = pace.choice if legal > 1 else pace.forced
            if seat != last:
                if last is not None and since[seat]:
                    waits.append(clock - since[seat])
                last = seat
            clock += takes
            spent[seat] += takes
            since[seat] = clock
            if legal > 1:
                options.append(legal)
                n = weigh(now, net, features, room, values) if asks else 0
                near.append(int((values[:n] >= values[:n].max() - NEAR).sum()) if n else legal)
                out = chances and chances[-1] is not None and chances[-1][seat] < OUT
                beaten += bool(out)
                if out and setup.players > 2 and len(kings) < KING_CHECKS and number % KING_EVERY == 0:
                    kings.append(float(judge.sways(game, number, NEAR, SWAY)))
        game.play_all([setup.game.people.WORDS[action]])
    chances += [None] * (len(checks) - len(chances))
    result = [1 / len(game.winners or [0]) if one in (game.winners or []) else 0.0 for one in range(setup.players)]
    return _Traced(chances, result, options, near, kings, beaten, spent, waits)


def _leader(traced: list[_Traced], check: int, time: float) -> dict[str, Any]:
    """Return how often whoever has the best chance at a check wins, and what that chance is."""
    going = [(one.chances[check], one.result) for one in traced if one.chances[check] is not None]
    ahead = [(max(range(len(chances or [])), key=(chances or []).__getitem__), chances, won) for chances, won in going]
    wins, said = [won[seat] for seat, _, won in ahead], [max(chances or [0.0]) for _, chances, _ in ahead]
    return {
        "time": time,
        "going": len(going) / len(traced),
        "wins": plain(mean_of(wins or [0.0], (0.0, 1.0))),
        "chance": plain(mean_of(said or [0.0], (0.0, 1.0))),
    }


def _changes(one: _Traced) -> int:
    """Return how often the lead in chance passed between two looks, the result the last of them."""
    rows = [chances for chances in one.chances if chances is not None] + [one.result]
    leaders = [max(range(len(row)), key=row.__getitem__) for row in rows]
    return sum(a != b for a, b in itertools.pairwise(leaders))


def _came_back(one: _Traced) -> bool:
    """Tell whether a winner once had less than half of an even share."""
    players = len(one.result)
    winners = [seat for seat in range(players) if one.result[seat] > 0]
    return any(chances[seat] < 0.5 / players for chances in one.chances if chances for seat in winners)
