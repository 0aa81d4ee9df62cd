"""Luck and skill: how much of the result comes from the deal, and how much from who plays.

Two designs. `luck_of`: equal players play the same deal several times. `contest_of`: two bots of unequal strength play
each deal in every seating.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tavolino.bots.players import at_once_in
from tavolino.engine import kernels
from tavolino.intervals import Estimate, Floats, rate_of, resampled
from tavolino.lab.played import shares_of
from tavolino.lab.playing import Lineup, in_parts, play_games, play_on
from tavolino.lab.settings import Tell, untold
from tavolino.play.seeds import Seed, derive
from tavolino.workers import Workers

VARIED = ("hard", "easy")
"""Who replays a deal: the first of these that answers at once. A bot that never varies would repeat the game."""
PLAYS = 4
"""How often each deal is played."""
DEALS_A_TASK = 32
Keep = Callable[[Callable[[int], Iterator[Any]]], list[Any]]
"""Returns all rows that a function yields from a number on, some of which may be known already (`Notebook.rows`)."""


def unkept(find: Callable[[int], Iterator[Any]]) -> list[Any]:
    """Find all rows; keep none for another time."""
    return list(find(0))


@dataclass(frozen=True)
class Luck:
    """How much the deal decides games between equal players."""

    bot: str
    """Who plays."""
    deals: int
    plays: int
    """How often each deal was played."""
    wins: dict[str, Estimate]
    """Shares of the variance of who wins: `deal`, and `after` for everything after it."""
    points: dict[str, Estimate]
    """The same for the points of each seat less the mean of the table."""


@dataclass(frozen=True)
class Contest:
    """One stronger bot among weaker ones, on mirrored deals."""

    bot: str
    others: str
    deals: int
    wins: Estimate
    """Share of the games it won."""
    fair: float
    """What equal bots would have."""
    variance: dict[str, Estimate]
    """Shares of the variance of who wins: `skill`, `deal`, `rest`."""


def luck_of(lineup: Lineup, seed: Seed, deals: int, workers: Workers, tell: Tell = untold) -> Luck:
    """Let the same players play each deal several times, with new dice and choices, and split the variance."""
    key, seats = lineup.setup.key, lineup.setup.players
    bot = next((one for one in VARIED if one in at_once_in(key)), VARIED[-1])
    lineup = lineup.with_bots([bot] * seats)
    base = np.uint64(derive(seed, key, "study/luck"))

    def play(begin: int, number: int) -> tuple[Floats, Floats]:
        wins, points = np.zeros((2, number, PLAYS, seats))
        states, score = np.zeros(1, lineup.setup.game.rules.STATE), np.zeros(seats, np.int64)
        for i in range(number):
            for k in range(PLAYS):
                luck = np.random.default_rng((int(base), begin + i, k))
                streams = luck.integers(0, 1 << 63, 1 + kernels.MAX_SEATS, np.uint64)
                kernels.deal_of_batch(states, seats, 0, lineup.setup.codes, base, begin + i)
                play_on(lineup, states, streams[:1], streams[1:])
                kernels.scores_one(states, score)
                wins[i, k] = shares_of(states["winners"], seats)[0]
                points[i, k] = score - score.mean()
        return wins, points

    wins, points = map(np.concatenate, zip(*in_parts(workers, play, deals, DEALS_A_TASK, tell), strict=True))
    boot = derive(seed, key, "study/luck/resample")
    return Luck(bot, deals, PLAYS, repeated_shares(wins, boot), repeated_shares(points, boot))


def repeated_shares(results: Floats, seed: int) -> dict[str, Estimate]:
    """Split the variance of results[deal, play, seat] into the share of the deal and that of everything after it.

    One-way analysis of variance: what varies between plays of one deal comes after it; what the means of the deals vary
    beyond that is the deal's. Intervals by resampling the deals. If the deal decides little, its share may come out
    below 0; it is reported as 0 with an interval as wide, not as a certain 0.
    """
    deals, plays, _ = results.shape
    by_deal = results.mean(axis=1)
    within = results.var(axis=1, ddof=1).sum(axis=1)

    def share(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        after = weights @ within / n
        means, squares = weights @ by_deal / n[:, None], weights @ (by_deal**2).sum(axis=1) / n
        between = (squares - (means**2).sum(axis=1)) * n / np.maximum(n - 1, 1)
        of_deal = between - after / plays
        total = of_deal + after
        shares: Floats = np.divide(of_deal, total, out=np.zeros_like(total), where=total > 0)
        return shares[:, None]

    found, low, high = (float(number[0]) for number in resampled(deals, seed, share))
    deal = max(0.0, found)
    low, high = max(0.0, deal - (found - low)), min(1.0, deal + (high - found))
    return {"deal": Estimate(deal, low, high), "after": Estimate(1 - deal, 1 - high, 1 - low)}


def contest_of(
    lineup: Lineup,
    pair: tuple[str, str],
    seed: Seed,
    deals: int,
    workers: Workers,
    tell: Tell = untold,
    keep: Keep = unkept,
) -> Contest:
    """Let the first bot of a pair play among copies of the second, each deal once in every seat; seat 0 starts.

    Games of bots that think take long: `keep` is given each of them as it ends, so that none is played twice.
    """
    bot, others = pair
    key, seats = lineup.setup.key, lineup.setup.players
    base = np.uint64(derive(seed, key, "study/match"))
    tables = [lineup.with_bots([bot if seat == at else others for seat in range(seats)]) for at in range(seats)]

    def play(begin: int, number: int) -> Floats:
        return np.stack([play_games(table, base, begin, number, first=0).shares for table in tables], axis=1)

    def think(begin: int) -> Iterator[list[float]]:
        """Play one game after the other: so that all cores are at work, and progress is told often."""
        whole = deals * seats

        def one(number: int, _: int) -> list[float]:
            deal, at = divmod(begin + number, seats)
            shares: list[float] = play_games(tables[at], base, deal, 1, first=0).shares[0].tolist()
            return shares

        return in_parts(workers, one, whole - begin, 1, lambda done: tell((begin + done * (whole - begin)) / whole))

    if tables[0].thinks:
        flat = np.array(keep(think)[: deals * seats])
    else:
        flat = np.concatenate(list(in_parts(workers, play, deals, DEALS_A_TASK, tell)))
    results = flat.reshape(deals, seats, seats)  # [deal, where the bot sits, seat]
    won = np.einsum("dss->d", results)
    wins = rate_of(won, np.full(deals, float(seats)), games=seats)
    variance = mirrored_shares(results, derive(seed, key, "study/match/resample"))
    return Contest(bot, others, deals, wins, 1 / seats, variance)


def mirrored_shares(results: Floats, seed: int) -> dict[str, Estimate]:
    """Split the variance of results[deal, seating, seat] into the shares of skill, deal and the rest.

    Skill is how much a seat's mean result varies with who sits there. The deal's share is how far a seat's results on
    one deal go together whoever sits there: their covariance over the deals. The rest is what both decide together,
    dice and choices.
    """
    deals, seatings, _ = results.shape
    pairs = seatings * (seatings - 1)
    together = ((results.sum(axis=1) ** 2).sum(axis=1) - (results**2).sum(axis=(1, 2))) / pairs
    squares = (results**2).mean(axis=1).sum(axis=1)
    flat = results.reshape(deals, -1)

    def components(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        means = (weights @ flat / n[:, None]).reshape(-1, *results.shape[1:])
        level = means.mean(axis=1)
        crossed = ((means.sum(axis=1) ** 2).sum(axis=1) - (means**2).sum(axis=(1, 2))) / pairs
        of_deal = np.maximum(0.0, (weights @ together / n - crossed) * n / np.maximum(n - 1, 1))
        total = weights @ squares / n - (level**2).sum(axis=1)
        of_skill = ((means - level[:, None, :]) ** 2).mean(axis=1).sum(axis=1)
        # What the seatings' means vary by chance alone: the variance left, over the number of deals.
        chance = np.maximum(0.0, total - of_skill - of_deal) * (seatings - 1) / seatings / n
        of_skill = np.maximum(0.0, of_skill - chance)
        rest = np.maximum(0.0, total - of_skill - of_deal)
        found = np.column_stack((of_skill, of_deal, rest))
        whole = found.sum(axis=1, keepdims=True)
        shares: Floats = np.divide(found, whole, out=np.zeros_like(found), where=whole > 0)
        return shares

    return _named(("skill", "deal", "rest"), resampled(deals, seed, components))


def _named(names: tuple[str, ...], found: tuple[Floats, Floats, Floats]) -> dict[str, Estimate]:
    return {
        name: Estimate(*(min(1.0, max(0.0, float(number))) for number in numbers))
        for name, *numbers in zip(names, *found, strict=True)
    }
