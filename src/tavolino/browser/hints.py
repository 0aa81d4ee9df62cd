"""What a hint says of a chance, in plain numbers: as `bots.advice` corrects it, without NumPy."""

from math import exp, log, sqrt

from tavolino.bots.calibration import LOOK_AHEAD, calibration_of
from tavolino.bots.knots import weights_at

EDGE = 1e-4
Z = 1.96
"""Standard errors on each side of a 95 % interval."""


def interval(chance: float, error: float) -> tuple[float, float, float]:
    """Return a chance with its 95 % interval."""
    return chance, max(0.0, chance - Z * error), min(1.0, chance + Z * error)


def corrected(key: str, players: int, moves: int, place: int, said: tuple[float, float]) -> tuple[float, float, float]:
    """Return what a look-ahead said (a chance and its error), corrected by games between equals, with its interval.

    `moves` were played before, and `place` is the seat's place in the turn order.
    """
    word, error = said
    calibration = calibration_of(LOOK_AHEAD, key, players)
    weights = weights_at(moves / calibration.length, len(calibration.levels[place]))
    clipped = min(1 - EDGE, max(EDGE, word))
    odds = log(clipped / (1 - clipped))
    level = sum(weight * one for weight, one in zip(weights, calibration.levels[place], strict=True))
    chance = 1 / (1 + exp(-(level + calibration.slope * odds)))
    spread = chance * (1 - chance)
    slopes = [spread * one for one in (*weights, odds)]
    noise = sum(a * b * calibration.noise[place][i][j] for i, a in enumerate(slopes) for j, b in enumerate(slopes))
    own = calibration.slope * spread / max(1e-4, word * (1 - word)) * error
    return interval(chance, sqrt(max(0.0, own * own + noise)))
