"""Ratings on the Elo scale: Bradley–Terry strengths fitted to who beat whom, with intervals over deals."""

from math import log

import numpy as np

from tavolino.intervals import Floats, Interval

ELO = 400 / log(10)
"""Points for a factor of e in strength: 400 for a factor of ten."""
GHOST = 0.5
"""Deals each of a pair is taken to have won over the other beforehand, so that no rating is infinite."""
DRAWS = 1000
RANDOM_IS, MEAN_IS = 1000.0, 1500.0


def fit(wins: Floats) -> Floats:
    """Return the logarithms of the strengths that make `wins` likeliest, mean 0: P(a beats b) = s(a) / (s(a) + s(b)).

    `wins[..., a, b]` counts (in parts, for shared wins) how often a beat b; leading axes are fitted apart. A chain of
    wins, however small, must lead from each bot to each other.

    >>> fit(np.array([[0.0, 3.0], [1.0, 0.0]])).round(3)
    array([ 0.549, -0.549])
    """
    bots = wins.shape[-1]
    met = wins + np.swapaxes(wins, -1, -2)
    strength = np.zeros(wins.shape[:-1])
    for _ in range(100):  # Newton's method on a concave function; steps are held back far from the top
        chance = 1 / (1 + np.exp(strength[..., None, :] - strength[..., :, None]))
        slope = (wins - met * chance).sum(-1)
        bend = -met * chance * (1 - chance)
        diagonal = np.arange(bots)
        bend[..., diagonal, diagonal] = 0
        bend[..., diagonal, diagonal] = -bend.sum(-1)
        step = np.linalg.solve(bend + 1 / bots, slope[..., None])[..., 0]  # the 1/bots fixes the mean
        step = np.clip(step, -1, 1)
        strength = strength + step - step.mean(-1, keepdims=True)
        if np.abs(step).max() < 1e-9:
            break
    return strength


def rate_all(won: Floats, names: list[str], seed: int) -> tuple[list[float], list[Interval | None]]:
    """Return each bot's rating and its 95 % interval; `won[deal, a, b]` is how much of a deal a won over b.

    The interval is from a Bayesian bootstrap: every deal gets a random weight (exponential), the ghosts too, and the
    fit is made anew, a thousand times. `random`, if it plays, is 1000 by definition; else the mean is 1500.
    """
    deals, bots = len(won), len(names)
    met = (won + np.swapaxes(won, 1, 2)).sum(0) > 0
    anchor = names.index("random") if "random" in names else None
    best = _scaled(fit(won.sum(0) + GHOST * met), anchor)
    if deals < 2:
        return best.tolist(), [None] * bots
    rng = np.random.default_rng(seed)
    flat = won.reshape(deals, -1)
    drawn = []
    for begin in range(0, DRAWS, 100):
        size = min(100, DRAWS - begin)
        sums = (rng.standard_exponential((size, deals)) @ flat).reshape(size, bots, bots)
        drawn.append(_scaled(fit(sums + rng.gamma(GHOST, size=(size, bots, bots)) * met), anchor))
    low, high = np.quantile(np.concatenate(drawn), (0.025, 0.975), axis=0)
    return best.tolist(), list(zip(low.tolist(), high.tolist(), strict=True))


def _scaled(strength: Floats, anchor: int | None) -> Floats:
    points: Floats = ELO * strength
    zero = points.mean(-1, keepdims=True) if anchor is None else points[..., anchor : anchor + 1]
    points -= zero
    points += MEAN_IS if anchor is None else RANDOM_IS
    return points
