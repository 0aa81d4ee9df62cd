"""The games that the page has loaded."""

import numpy
from plain_python import OrderedDict
from py_pathlib import Path

GAMES = OrderedDict()


class GameFolder:
    """A game: its key and its two modules."""

    def __init__(self, key, package, rules, people, calibration):
        self.key = key
        self.calibration = calibration
        self.package = package
        self.rules = rules
        self.people = people
        self.title = people.TITLE
        self.actions = {word: action for action, word in people.WORDS.items()}
        self.rolls = [word for action, word in people.WORDS.items() if action >= rules.ROLLED]

    def read(self, states):
        """Read a state into plain values."""
        return self.rules.STATE.read(states.raw)

    @property
    def folder(self):
        """Where its texts are."""
        return Path("/" + self.package.replace(".", "/"))


class Rules:
    """What the table needs to know of the compiled rules."""

    def __init__(self, state, streams, rolled):
        self.STATE = state
        self.STREAMS = tuple(streams)
        self.ROLLED = rolled


def add(key, package, fields, streams, rolled, calibration):
    """Add a game whose modules the page has just put in place."""
    if key not in GAMES:
        people = __import__(package + ".people", None, None, ("TITLE",))
        rules = Rules(numpy.Layout(key, fields), streams, rolled)
        GAMES[key] = GameFolder(key, package, rules, people, calibration)
