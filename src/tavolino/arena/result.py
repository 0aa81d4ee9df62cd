"""How an arena went: deals are folded in, in their order, and become rates, intervals and ratings."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from tavolino.arena.deals import DealResult, Tournament
from tavolino.arena.ratings import GHOST, fit, rate_all
from tavolino.arena.single_game import SeatOutcome
from tavolino.arena.stopping import PairTest, settled
from tavolino.intervals import Floats, Interval, rate_of
from tavolino.play.seeds import derive


@dataclass(frozen=True)
class Rate:
    """A rate and where the true one lies, 19 times of 20."""

    rate: float
    ci95: Interval


@dataclass(frozen=True)
class BotResult:
    """How one bot did. A bot in several seats of a game has played that game several times."""

    name: str
    games: int
    wins: float
    """A win shared by k seats counts 1/k."""
    win_rate: float
    ci95: Interval
    rating: float
    rating_ci95: Interval | None
    ms_per_move: float
    slowest_ms: float
    late: int
    """Moves that took longer than the time limit."""
    errors: int
    """Games lost by failing."""
    failures: dict[str, int]
    """The same by kind: `error`, `timeout`, `illegal`."""
    first_failure: str | None
    alone: Rate | None
    """How often it won alone among copies of the other bot; None unless two bots sit at a larger table."""


@dataclass(frozen=True)
class PairResult:
    """How two bots did in the games where both sat."""

    a: str
    b: str
    games: int
    a_wins: float
    b_wins: float
    win_rate: float
    """Of what either won, per seat: a's part. At tables of two simply a_wins / games."""
    ci95: Interval
    verdict: str | None
    """What the sequential test says: the stronger one's name, `equal` (within 20 Elo points), or None: not settled."""


@dataclass(frozen=True)
class ArenaResult:
    """How an arena went."""

    game: str
    players: int
    games: int
    bots: list[BotResult]
    pairs: list[PairResult]
    seed: int | str
    deals: int
    games_per_deal: int
    options: dict[str, Any]
    first: int | None
    seconds_per_move: float | None
    simulations: int | None
    stopped: bool
    """Whether it ended early because the question was settled."""
    interrupted: bool
    """Whether Ctrl-C ended it: of the deals asked for, these are the first ones."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return asdict(self)


@dataclass
class _BotTotals:
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    late: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    first_failure: str | None = None

    def add(self, seat: SeatOutcome, deal: int) -> None:
        self.decisions += seat.decisions
        self.seconds += seat.seconds
        self.slowest = max(self.slowest, seat.slowest)
        self.late += seat.late
        if seat.status != "ok":
            self.failures[seat.status] += 1
            if self.first_failure is None:
                self.first_failure = f"deal {deal}: {seat.status}: {seat.last_words or '(it said nothing)'}"


class Standings:
    """What is kept of the deals so far: a few numbers each."""

    def __init__(self, tournament: Tournament) -> None:
        n = len(tournament.bots)
        self._tournament = tournament
        self._schedule = tournament.schedule
        self._clocks = [_BotTotals() for _ in range(n)]
        self._groups: list[int] = []
        self._wins: list[list[float]] = []  # [deal][bot]
        self._seats: list[list[int]] = []  # [deal][bot]: seats taken, in all games on the deal
        self._alone: list[list[float]] = []  # [deal][bot]: wins as the only one of its kind at a larger table
        self._won: list[list[list[float]]] = []  # [deal][a][b]: what a won of the games with b, per seat and game
        self._win_total, self._seat_total = np.zeros(n), np.zeros(n)
        self._total = np.zeros((n, n))  # the sum of _won
        self._pair_wins = np.zeros((n, n))
        self._pair_games = np.zeros((n, n), np.int64)
        self._tests = {pair: PairTest(self._schedule.games_a_deal) for pair in combinations(range(n), 2)}

    @property
    def deals(self) -> int:
        """Deals so far."""
        return len(self._groups)

    @property
    def score(self) -> list[float]:
        """Each bot's wins per seat and game so far."""
        rates: list[float] = (self._win_total / np.maximum(self._seat_total, 1)).tolist()
        return rates

    def add(self, result: DealResult) -> None:
        """Fold in the next deal."""
        n = len(self._tournament.bots)
        seatings = self._schedule.seatings(result.deal)
        wins, seats, alone = [0.0] * n, [0] * n, [0.0] * n
        won, met = np.zeros((n, n)), np.zeros((n, n), np.int64)
        for seating, game in zip(seatings, result.games, strict=True):
            took = [seating.count(bot) for bot in range(n)]
            here = [0.0] * n
            for bot, seat in zip(seating, game.seats, strict=True):
                here[bot] += seat.share
                self._clocks[bot].add(seat, result.deal)
            for bot in range(n):
                wins[bot] += here[bot]
                seats[bot] += took[bot]
                if took[bot] == 1:
                    alone[bot] += here[bot]
            for a, b in combinations([bot for bot in range(n) if took[bot]], 2):
                for one, other in ((a, b), (b, a)):
                    won[one, other] += here[one] / took[one]
                    met[one, other] += 1
                    self._pair_wins[one, other] += here[one]
        won /= np.maximum(met, 1)
        self._groups.append(self._schedule.line_up(result.deal))
        self._wins.append(wins)
        self._seats.append(seats)
        self._alone.append(alone)
        self._won.append(won.tolist())
        self._win_total += wins
        self._seat_total += seats
        self._total += won
        self._pair_games += met
        for (a, b), test in self._tests.items():
            if met[a, b]:
                test.add(float(won[a, b]), float(won[b, a]))

    @property
    def settled(self) -> bool:
        """Whether each bot is settled against its neighbours in the ranking so far."""
        met = self._total + self._total.T > 0
        if not np.all(met | np.eye(len(met), dtype=bool)):
            return False
        ranking = np.argsort(-fit(self._total + GHOST * met)).tolist()
        return settled(self._tests, ranking)

    def result(self, stopped: bool, interrupted: bool = False) -> ArenaResult:
        """Return the rates, the intervals and the ratings."""
        tournament, n = self._tournament, len(self._tournament.bots)
        setup = tournament.setup
        won = np.array(self._won, np.float64).reshape(-1, n, n)
        seed = derive(tournament.seed, setup.key, "arena/ratings")
        ratings, rating_ci95 = rate_all(won, list(tournament.names), seed)
        return ArenaResult(
            game=setup.key,
            players=setup.players,
            games=self.deals * self._schedule.games_a_deal,
            bots=[self._bot(bot, ratings[bot], rating_ci95[bot]) for bot in range(n)],
            pairs=[self._pair(a, b, won) for a, b in combinations(range(n), 2)],
            seed=tournament.seed,
            deals=self.deals,
            games_per_deal=self._schedule.games_a_deal,
            options=setup.options,
            first=setup.first,
            seconds_per_move=tournament.limits.seconds,
            simulations=tournament.limits.simulations,
            stopped=stopped,
            interrupted=interrupted,
        )

    def _bot(self, bot: int, rating: float, rating_ci95: Interval | None) -> BotResult:
        wins = np.array(self._wins)[:, bot]
        seats = np.array(self._seats, np.float64)[:, bot]
        rate = rate_of(wins, seats, np.array(self._groups), self._schedule.games_a_deal)
        clock = self._clocks[bot]
        alone = None
        players = self._tournament.setup.players
        if players > 2 and len(self._tournament.bots) == 2:
            lone = np.array(self._alone)[:, bot]
            found = rate_of(lone, np.full(self.deals, float(players)), games=players)
            alone = Rate(found.value, found.interval)
        return BotResult(
            name=self._tournament.names[bot],
            games=int(seats.sum()),
            wins=float(wins.sum()),
            win_rate=rate.value,
            ci95=rate.interval,
            rating=rating,
            rating_ci95=rating_ci95,
            ms_per_move=1000 * clock.seconds / max(clock.decisions, 1),
            slowest_ms=1000 * clock.slowest,
            late=clock.late,
            errors=clock.failures.total(),
            failures=dict(clock.failures),
            first_failure=clock.first_failure,
            alone=alone,
        )

    def _pair(self, a: int, b: int, won: Floats) -> PairResult:
        of = won[:, a, b] + won[:, b, a]
        rate = rate_of(won[:, a, b], of, np.array(self._groups), self._schedule.games_a_deal)
        verdict = self._tests[a, b].verdict
        names = self._tournament.names
        return PairResult(
            a=names[a],
            b=names[b],
            games=int(self._pair_games[a, b]),
            a_wins=float(self._pair_wins[a, b]),
            b_wins=float(self._pair_wins[b, a]),
            win_rate=rate.value,
            ci95=rate.interval,
            verdict=None if verdict is None else {1: names[a], -1: names[b], 0: "equal"}[verdict],
        )
