"""Small players for the arena's tests; `load` finds them by name, also in worker processes."""

import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from tavolino.bots.external import PlayerFailed
from tavolino.bots.players import Player
from tavolino.bots.position import Position


def by_chance(position: Position) -> str:
    return random.Random(position.seed).choice(position.legal_moves)


def first(position: Position) -> str:
    return position.legal_moves[0]


def close(position: Position) -> str:
    """Play Face to Face by the least gap on the own piles, one card after the other; else the first move."""
    if position.key != "face-to-face":
        return first(position)
    if "end" in position.legal_moves:
        return "end"
    tops = position.view["piles"][position.seat]

    def gap(word: str) -> int:
        card = int(word[1:])
        gaps: dict[str, int] = {"u": card - tops["up"], "d": tops["down"] - card}
        return gaps.get(word[0], 99)

    return min(position.legal_moves, key=gap)


def slow(position: Position) -> str:
    time.sleep(0.002)
    return by_chance(position)


def breaks(position: Position) -> str:
    if len(position.view["moves"]) > 5:
        raise ZeroDivisionError("no move comes to my mind")
    return by_chance(position)


def sometimes_breaks(position: Position) -> str:
    return breaks(position) if int(position.seed, 16) % 40 == 0 else by_chance(position)


def cheats(position: Position) -> str:
    return "u999"


def hangs(position: Position) -> str:
    raise PlayerFailed("timeout", "still thinking", "no answer in 1.0 s")


def mute(position: Position) -> str:
    return None  # type: ignore[return-value]


def dies(position: Position) -> str:
    os._exit(7)


CHOICES: dict[str, Callable[[Position], str]] = {
    "random": by_chance,
    "first": first,
    "close": close,
    "slow": slow,
    "breaks": breaks,
    "sometimes": sometimes_breaks,
    "cheats": cheats,
    "hangs": hangs,
    "mute": mute,
    "dies": dies,
}


@dataclass(frozen=True)
class TestBot:
    """A player of one function."""

    __test__ = False

    name: str
    _choose: Callable[[Position], str]

    def choose(self, position: Position) -> str:
        return self._choose(position)

    def close(self) -> None:
        pass


def load(spec: str) -> Player:
    if spec not in CHOICES:
        raise ValueError(f"no player {spec!r}")
    return TestBot(spec, CHOICES[spec])
