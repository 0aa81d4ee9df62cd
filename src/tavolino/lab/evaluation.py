"""A benchmark that can be cited: a bot against the ladder of ours, on fixed deals, from all seats.

`tavolino-benchmark/1` fixes everything that games depend on: default options, the seed of the deals, the opponents and
how long those that think may do so, counted in simulations and not in seconds. So two people who evaluate the same file
play the same games.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from tavolino.arena.arena import Progress, RunSettings, arena, make_tournament
from tavolino.bots.players import at_once_in, players_of
from tavolino.bots.policy_files import is_policy_file
from tavolino.bots.position import Limits
from tavolino.envs.exploitability import SmallResult, exploitability, small_versions
from tavolino.intervals import Interval
from tavolino.play.setup import Setup, read_setup

BENCHMARK = "tavolino-benchmark/1"
OPPONENTS = ("random", "easy", "medium", "hard", "expert")
SIMULATIONS = 300
"""How long opponents that think may do so about a move."""
DEALS = 100


@dataclass(frozen=True)
class Against:
    """How a bot did against an opponent."""

    opponent: str
    games: int
    win_rate: float
    """A shared win counts as a part."""
    ci95: Interval


@dataclass(frozen=True)
class Evaluation:
    """How a bot did in the benchmark."""

    benchmark: str
    bot: str
    game: str
    players: int
    deals: int
    """Of each pair, or line-up at larger tables."""
    against: list[Against]
    elo: float
    """On the ladder of the opponents, where `random` is 1000."""
    elo_ci95: Interval | None
    ladder: dict[str, float]
    """The ratings of the opponents in the same games."""
    small: list[SmallResult]
    """How exploitable it is in small versions of the game; empty where there are none, or no OpenSpiel."""
    response: Against | None = None
    """How it did against a bot that was trained to beat it: at least so exploitable it is in the full game."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return asdict(self)


def opponents_in(key: str, quick: bool = False) -> list[str]:
    """Return the opponents that a game has; with `quick` only those that answer at once."""
    there = at_once_in(key) if quick else players_of(key)
    return [name for name in OPPONENTS if name in there]


def games_in_all(setup: Setup, bots: list[str], deals: int) -> int:
    """Return how many games are played if each line-up plays so many deals; ValueError if a bot cannot play."""
    schedule = make_tournament(setup, bots, BENCHMARK).schedule
    return deals * len(schedule.line_ups) * schedule.games_a_deal


def evaluate(
    bot: str,
    game: str,
    players: int | None = None,
    *,
    deals: int = DEALS,
    quick: bool = False,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Evaluation:
    """Play a bot, by default a policy's file, through the benchmark; ValueError says what is wrong.

    Each pair of bots (at larger tables: each line-up) plays so many deals, each of them in every seating.
    """
    setup = read_setup(game, players)
    others = opponents_in(setup.key, quick)
    bots, limits = [bot, *others], Limits(simulations=SIMULATIONS)
    settings = RunSettings(workers=workers, progress=progress)
    games = games_in_all(setup, bots, deals)
    result = arena(setup, bots, games, seed=BENCHMARK, limits=limits, settings=settings)
    rated = {one.name: one for one in result.bots}
    met = []
    for pair in result.pairs:
        low, high = pair.ci95
        if pair.a == bot:
            met.append(Against(pair.b, pair.games, pair.win_rate, (low, high)))
        elif pair.b == bot:
            met.append(Against(pair.a, pair.games, 1 - pair.win_rate, (1 - high, 1 - low)))
    return Evaluation(
        BENCHMARK,
        bot,
        setup.key,
        setup.players,
        deals,
        sorted(met, key=lambda one: others.index(one.opponent)),
        rated[bot].rating,
        rated[bot].rating_ci95,
        {name: rated[name].rating for name in others},
        _small(bot, setup.key) if setup.players == 2 and not quick else [],
    )


def against_response(bot: str, response: str, setup: Setup, deals: int, settings: RunSettings) -> Against:
    """Play a bot against one that was trained to beat it, on deals of the benchmark, each in both seatings."""
    if setup.players != 2:
        raise ValueError(f"a best response is played with 2 players, not {setup.players}")
    limits, games = Limits(simulations=SIMULATIONS), games_in_all(setup, [bot, response], deals)
    pair = arena(setup, [bot, response], games, seed=BENCHMARK, limits=limits, settings=settings).pairs[0]
    low, high = pair.ci95
    rate, ends = (pair.win_rate, (low, high)) if pair.a == bot else (1 - pair.win_rate, (1 - high, 1 - low))
    return Against(response, pair.games, rate, ends)


def _small(bot: str, key: str) -> list[SmallResult]:
    """Return how exploitable a policy's file is in the small versions of its game."""
    if not is_policy_file(bot):
        return []
    try:
        return [exploitability(bot, key, version) for version in small_versions(key)]
    except ImportError:
        return []
