"""Lines of play tried by WebAssembly: the page's worker has the module of the game and its network."""

import binascii
import json
import struct

import host
import numpy
from registry import GAMES


class Worlds:
    """In which worlds lines are tried, and how they are played on there."""

    _fields = ("viewer", "past", "seed", "first", "until", "way", "curve")

    def __init__(self, viewer, past, seed, first, until, way, curve):
        self.viewer = viewer
        self.past = past
        self.seed = seed
        self.first = first
        self.until = until
        self.way = way
        self.curve = curve


class Trials:
    """Lines that were tried in some worlds."""

    def __init__(self, worlds, traces, worths):
        self.worlds = worlds
        self.traces = traces
        self.worths = worths


def _ask(key, name, *args):
    return host.tried(key, name, json.dumps(args))


def _floats(text):
    """Read numbers from their bytes: as words, MicroPython would round them."""
    raw = binascii.unhexlify(text)
    return struct.unpack("<{}d".format(len(raw) // 8), raw)


def way(key):
    """Return how far a game is played on."""
    return json.loads(_ask(key, "way"))


def has_network(key, players):
    """Tell whether a network is asked."""
    return json.loads(_ask(key, "has_network", players))


def favourites(key, root):
    """Return the lines that the network likes best."""
    return json.loads(_ask(key, "favourites", root.hex()))


def tried(key, root, lines, worlds):
    """Return the chances of all seats: [world][line][seat]."""
    curve = binascii.hexlify(struct.pack("<{}d".format(len(worlds.curve)), *worlds.curve)).decode()
    which = ["{:x}".format(worlds.seed), worlds.first, worlds.until]
    flat = _floats(_ask(key, "tried", root.hex(), worlds.past.hex(), worlds.viewer, lines, which, worlds.way, curve))
    seats = len(worlds.curve) - 1
    rows = [list(flat[i : i + seats]) for i in range(0, len(flat), seats)]
    return [rows[i : i + len(lines)] for i in range(0, len(rows), len(lines))]


def watched(position, lines, most=None):
    """Return what happened to lines in the worlds that reasons are taken from: as many as for a hint, or fewer."""
    past = position.last_turn()
    said = json.loads(
        _ask(position.key, "watched", position.state().hex(), past.hex(), position.seat, position.seed, lines)
    )
    state = GAMES[position.key].rules.STATE
    worlds = [numpy.frombuffer(binascii.unhexlify(one), state) for one in said["worlds"][:most]]
    flat = _floats(said["worths"])
    worths = [list(flat[i : i + len(lines)]) for i in range(0, len(flat), len(lines))]
    return Trials(worlds, said["traces"], worths[:most])
