"""How much of a game has been played, as weights of a few knots: plain numbers, which a browser computes, too."""

KNOTS = 3
"""Where something is given: at the start, in the middle, at the end of a game."""


def weights_at(part: float, knots: int = KNOTS) -> list[float]:
    """Return the weight of each knot when so much of a game has been played: linear between two knots.

    >>> weights_at(0.75), weights_at(7.0)
    ([0.0, 0.5, 0.5], [0.0, 0.0, 1.0])
    """
    at = min(1.0, max(0.0, part)) * (knots - 1)
    return [max(0.0, 1 - abs(at - knot)) for knot in range(knots)]
