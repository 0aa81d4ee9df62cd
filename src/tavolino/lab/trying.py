"""Lines of play tried by compiled code, asked for and answered in plain numbers.

Of what judges a game only this module needs NumPy. In a browser another one stands in for it, which asks WebAssembly
(`browser/micropython/trying.py`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tavolino.bots.advice import trials
from tavolino.bots.judging import judge_lines
from tavolino.bots.networks import active, load
from tavolino.bots.position import Position
from tavolino.bots.reasons import Trials
from tavolino.bots.search import PLAY_OUTS
from tavolino.bots.strategy import BY_GAME
from tavolino.bots.thinking import candidates, way_of


@dataclass(frozen=True)
class Worlds:
    """In which worlds lines are tried, and how they are played on there."""

    viewer: int
    """For whom the rest is dealt anew: a seat, or ALL_HANDS."""
    past: Any
    """What the viewer saw last (`Position.last_turn`), or nothing."""
    seed: int
    first: int
    until: int
    """The number of the first world, and of the first that is not looked at any more."""
    way: list[int]
    """As `way` returns it."""
    curve: list[float]
    """How the network's word is corrected: the level of each seat, then the slope."""


def way(key: str) -> list[int]:
    """Return how far a game is played on: turns of each seat, rounds, and the policy where there is no network."""
    return [*way_of(BY_GAME[key]).tolist(), PLAY_OUTS[BY_GAME[key].SEARCH[0]]]


def has_network(key: str, players: int) -> bool:
    """Tell whether a network is asked; else games are played to their end."""
    return len(load(key, players)) > 0


def favourites(key: str, root: Any) -> list[list[int]]:
    """Return the lines that the network likes best, the best first, all of one length, filled up with -1."""
    found = candidates(root, load(key, int(root["seats"][0])), active(key))[0]
    lines: list[list[int]] = found.tolist()
    return lines


def tried(key: str, root: Any, lines: list[list[int]], worlds: Worlds) -> list[list[list[float]]]:
    """Return the chances of all seats: [world][line][seat]."""
    players = int(root["seats"][0])
    chances = np.empty((worlds.until - worlds.first, len(lines), players))
    net, scratch = (load(key, players), active(key)), np.empty(2, root.dtype)
    how = np.array(worlds.way, np.int64), np.array(worlds.curve)
    table, seed = np.array(lines, np.int64), np.uint64(worlds.seed)
    judge_lines(root, worlds.past, scratch, worlds.viewer, *net, table, chances, seed, worlds.first, *how)
    found: list[list[list[float]]] = chances.tolist()
    return found


def watched(position: Position, lines: list[list[int]], worlds: int | None = None) -> Trials:
    """Return what happened to lines in the worlds that reasons are taken from: as many as for a hint, or fewer."""
    return trials(position, lines) if worlds is None else trials(position, lines, worlds)
