"""What corrects the chances that bots say, as the game's pack brings it."""

import registry

NETWORK, LOOK_AHEAD = "network", "look-ahead"
KNOTS = 3


class Calibration:
    """Levels by place and knot, the slope, the covariance of their errors, the average length of a game."""

    def __init__(self, levels, slope, noise, length):
        self.levels = levels
        self.slope = slope
        self.noise = noise
        self.length = length


def calibration_of(whose, key, players):
    """Return the calibration of a game; one that changes nothing if it brings none."""
    found = registry.GAMES[key].calibration.get(whose, {}).get(str(players))
    if found is None:
        zeros = [[0.0] * (KNOTS + 1)] * (KNOTS + 1)
        return Calibration([[0.0] * KNOTS] * players, 1.0, [zeros] * players, 1.0)
    return Calibration(found["levels"], found["slope"], found["noise"], found["length"])
