"""Luck and skill: what of the result comes from the deal, from the dice, from who plays.

Two designs. `luck_of`: the same deal is played several times by the same players, each time with other dice, and each
of those several times with other choices where the players see no difference. `match_of`: two bots of unequal strength
play each deal in every seating.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tavolino.arena.intervals import rate_of
from tavolino.crew import Crew, in_order
from tavolino.games import kernels
from tavolino.play.seeds import Seed, derive
from tavolino.study.estimates import Estimate, Floats, resampled
from tavolino.study.playing import Setup, play_games, play_on, shares_of

DICE, CHOICES = 4, 2
"""Sets of dice a deal, and choices of the players for each."""
DEALS_A_TASK = 32
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Luck:
    """Where the differences between games of equal players come from."""

    deals: int
    dice: int
    """Sets of dice thrown on each deal; 1 where the game has none."""
    choices: int
    """How often each was played."""
    wins: dict[str, Estimate]
    """Shares of the variance of who wins: `deal`, `dice`, `choices`."""
    points: dict[str, Estimate]
    """The same for the points, each seat's less the table's mean."""


@dataclass(frozen=True)
class Match:
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


def plays_of(setup: Setup) -> int:
    """Return how often each deal is played to find the part of luck."""
    return DICE * (CHOICES if setup.rules.ROLLS else 1)


def luck_of(setup: Setup, seed: Seed, deals: int, crew: Crew, progress: Progress = lambda part: None) -> Luck:
    """Play each deal several times by the same players, and split the variance of the result."""
    key, seats = setup.rules.KEY, setup.seats
    rolls = DICE if setup.rules.ROLLS else 1
    choices = CHOICES if setup.rules.ROLLS else DICE
    base = np.uint64(derive(seed, key, "study/luck"))
    step = setup.at_a_time(DEALS_A_TASK)

    def play(begin: int) -> tuple[Floats, Floats]:
        number = min(step, deals - begin)
        wins, points = np.zeros((2, number, rolls, choices, seats))
        states, score = np.zeros(1, setup.rules.STATE), np.zeros(seats, np.int64)
        for i in range(number):
            for j in range(rolls):
                dice = _stream(base, begin + i, 1 + j, kernels.MAX_SEATS)
                for k in range(choices):
                    kernels.deal_of_batch(states, seats, 0, setup.codes, base, begin + i)
                    play_on(setup, states, _stream(base, begin + i, 100 + rolls * k + j, 1), dice.copy())
                    kernels.scores_one(states, score)
                    wins[i, j, k] = shares_of(states["winners"], seats)[0]
                    points[i, j, k] = score - score.mean()
        return wins, points

    parts = []
    for done, part in enumerate(in_order(crew, play, range(0, deals, step)), 1):
        parts.append(part)
        progress(min(1.0, done * step / deals))
    wins, points = (np.concatenate([part[i] for part in parts]) for i in range(2))
    boot = derive(seed, key, "study/luck/resample")
    return Luck(deals, rolls, choices, nested_shares(wins, boot), nested_shares(points, boot))


def _stream(base: np.uint64, deal: int, purpose: int, size: int) -> NDArray[np.uint64]:
    return np.random.default_rng((int(base), deal, purpose)).integers(0, 1 << 63, size, np.uint64)


def nested_shares(results: Floats, seed: int) -> dict[str, Estimate]:
    """Split the variance of results[deal, dice, choice, seat] into the shares of deal, dice and choices.

    Analysis of variance for a nested design: what varies between plays of one deal with one set of dice is the
    choices'; what the means of one deal's sets of dice vary beyond that is the dice's; what the means of the deals vary
    beyond that is the deal's. Intervals by drawing the deals again.
    """
    deals, rolls, choices, _ = results.shape
    by_dice = results.mean(axis=2)
    by_deal = by_dice.mean(axis=1)
    noise = results.var(axis=2, ddof=1).mean(axis=1).sum(axis=1) if choices > 1 else np.zeros(deals)
    dice = by_dice.var(axis=1, ddof=1).sum(axis=1) if rolls > 1 else np.zeros(deals)

    def components(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        of_choices = weights @ noise / n
        of_dice = np.maximum(0.0, weights @ dice / n - of_choices / choices) if rolls > 1 else np.zeros(len(n))
        means, squares = weights @ by_deal / n[:, None], weights @ (by_deal**2).sum(axis=1) / n
        between = (squares - (means**2).sum(axis=1)) * n / np.maximum(n - 1, 1)
        of_deal = np.maximum(0.0, between - of_dice / rolls - of_choices / (rolls * choices))
        found = np.column_stack((of_deal, of_dice, of_choices))
        total = found.sum(axis=1, keepdims=True)
        shares: Floats = np.divide(found, total, out=np.zeros_like(found), where=total > 0)
        return shares

    return _named(("deal", "dice", "choices"), resampled(deals, seed, components))


def match_of(
    setup: Setup, bot: str, others: str, seed: Seed, deals: int, crew: Crew, progress: Progress = lambda part: None
) -> Match:
    """Let one bot play among others, each deal once with it in every seat; seat 0 starts."""
    key, seats = setup.rules.KEY, setup.seats
    base = np.uint64(derive(seed, key, "study/match"))
    tables = [setup.with_bots([bot if seat == at else others for seat in range(seats)]) for at in range(seats)]

    def play(begin: int) -> Floats:
        number = min(DEALS_A_TASK, deals - begin)
        return np.stack([play_games(table, base, begin, number, first=0).shares for table in tables], axis=1)

    parts = []
    for done, part in enumerate(in_order(crew, play, range(0, deals, DEALS_A_TASK)), 1):
        parts.append(part)
        progress(min(1.0, done * DEALS_A_TASK / deals))
    results = np.concatenate(parts)  # [deal, where the bot sits, seat]
    won = np.einsum("dss->d", results)
    rate = rate_of(won, np.full(deals, float(seats)), games=seats)
    variance = mirrored_shares(results, derive(seed, key, "study/match/resample"))
    return Match(bot, others, deals, Estimate(rate.rate, *rate.ci95), 1 / seats, variance)


def mirrored_shares(results: Floats, seed: int) -> dict[str, Estimate]:
    """Split the variance of results[deal, seating, seat] into the shares of skill, deal and the rest.

    Skill is how much a seat's mean result varies with who sits there. The deal's is how far a seat's results on one
    deal go together whoever sits there: their covariance over the deals. The rest is what both together decide, dice
    and choices.
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
