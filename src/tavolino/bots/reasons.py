"""Why a move is good or bad, from what happened in some worlds in which it was tried.

Each move is played there, the others answer as in the look-ahead, and the rules tell what happened until the seat
decides again. Nothing here knows a rule. No arithmetic of NumPy's: the page without a server runs this module, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, sqrt
from typing import Any

import numpy as np

from tavolino.engine import kernels
from tavolino.play.advice import Reason

SURE = 2.5
"""Standard errors that a difference must have to be told."""
POINTS, SHARE, COST = 1.0, 0.2, 0.02
"""What is worth telling: points, differences of shares, and what a risk takes of the chance."""
NOBODY = -1


@dataclass(frozen=True)
class Trials:
    """Lines that were tried in some worlds."""

    worlds: Sequence[Any]
    """Each an array of one state, before anything was played in it."""
    traces: Any
    """[world][line]: the actions played, the line's own first; -1 after the last."""
    worths: list[list[float]]
    """[world][line]: the seat's chance in the end."""


@dataclass(frozen=True)
class Aftermath:
    """What happened in one world, from a move until its seat decided again."""

    points: list[int]
    """What each seat scored."""
    events: set[tuple[str, int]]
    """The types of what happened, and to whom."""
    over: bool
    won: float
    """The seat's share of the win, if it is over."""
    legal: set[str]
    """What the seat could do then."""
    follows: str
    """What it would do then; empty if it is over."""
    offer: dict[str, Any]
    """What the rules say of that."""
    turn: list[str]
    """What the seat played before another one moved."""


def reasons(folder: Any, seat: int, lines: list[list[int]], trials: Trials) -> list[list[Reason]]:
    """Return the reasons for and against each of the lines, of which the best comes first; `folder` is the game's."""
    seen = [
        [_follow(folder, world, trials.traces[k][i], seat) for k, world in enumerate(trials.worlds)]
        for i in range(len(lines))
    ]
    told = []
    for i, line in enumerate(lines):
        worths, rest = [row[i] for row in trials.worths], seen[i][0].turn[1 : len(line)]
        found = [Reason("then", {"words": rest})] if rest else []
        found += _alone(seat, seen[i], worths)
        if len(lines) > 1:
            found += _compared(seat, seen[i], seen[1 if i == 0 else 0], worths)
        told.append(found)
    return told


def _follow(folder: Any, world: Any, trace: Any, seat: int) -> Aftermath:
    """Play in a world what the look-ahead played there, until the seat decides again after the others."""
    people, states = folder.people, world.copy()
    players = int(states["seats"][0])
    start, end = np.zeros(players, np.int64), np.zeros(players, np.int64)
    kernels.scores_one(states, start)
    now, others, follows = folder.read(states), False, ""
    events: set[tuple[str, int]] = set()
    turn: list[str] = []
    for action in trace:
        if now.over or action < 0:
            break
        if now.player == seat and others:
            follows = people.WORDS[int(action)]
            break
        others = others or now.player not in (seat, NOBODY)
        word, before = people.WORDS[int(action)], now
        if now.player == seat and not others:
            turn.append(word)
        kernels.apply_one(states, int(action))
        now = folder.read(states)
        for event in people.happened(before, word, now):
            if "seat" in event:
                events.add((event["type"], event["seat"]))
    kernels.scores_one(states, end)
    winners = int(now.winners) if now.over else 0
    offers = people.offers(now) if follows else []
    offer: dict[str, Any] = {"word": follows}
    for one in offers:
        if one["word"] == follows:
            offer = one
    won = (winners >> seat & 1) / winners.bit_count() if winners else 0.0
    points = [int(end[one]) - int(start[one]) for one in range(players)]
    return Aftermath(points, events, bool(now.over), won, {one["word"] for one in offers}, follows, offer, turn)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _variance(numbers: Sequence[float]) -> float:
    middle = _mean(numbers)
    return _mean([(one - middle) * (one - middle) for one in numbers])


def _percent(share: float) -> int:
    return round(100 * share)


def _tenths(number: float) -> float:
    """Round to tenths, halves up: MicroPython's `round` puts halves elsewhere than Python's."""
    return floor(10 * number + 0.5) / 10


def _sure(differences: list[float], least: float) -> bool:
    """Tell whether a mean is at least so large, and not by chance."""
    mean = _mean(differences)
    return mean >= least and mean > SURE * sqrt(_variance(differences) / len(differences))


def _alone(seat: int, seen: list[Aftermath], worths: list[float]) -> list[Reason]:
    """Return what can be said of a move by itself: whether it ends the game, and what it risks."""
    told = []
    over = _mean([float(one.over) for one in seen])
    if over >= SHARE / 2:
        won = _mean([one.won for one in seen if one.over])
        told.append(Reason("ends", {"share": _percent(over), "won": _percent(won)}))
    risks = []
    for event in _happened(seen):
        if event[1] == seat:
            there = [event in one.events for one in seen]
            share, cost = _mean([float(one) for one in there]), -_brings(there, worths)
            if cost > 0:
                risks.append((cost * share, Reason("risk", {"event": event[0], "share": _percent(share)})))
    return told + _largest(risks)[:1]


def _happened(seen: list[Aftermath]) -> list[tuple[str, int]]:
    """List what happened anywhere, in an order that does not hang on chance."""
    found: set[tuple[str, int]] = set()
    for one in seen:
        found |= one.events
    return sorted(found)


def _brings(there: list[bool], worths: list[float]) -> float:
    """Return how much better the worlds are where something happens; 0 if that may be chance or is hardly anything."""
    with_it = [worth for worth, one in zip(worths, there, strict=True) if one]
    without = [worth for worth, one in zip(worths, there, strict=True) if not one]
    if not SHARE / 4 <= len(with_it) / len(there) <= 1 - SHARE / 4:
        return 0.0
    gain = _mean(with_it) - _mean(without)
    error = sqrt(_variance(with_it) / len(with_it) + _variance(without) / len(without))
    return gain if abs(gain) > max(COST, SURE * error) else 0.0


def _largest(told: list[tuple[float, Reason]]) -> list[Reason]:
    """Return reasons by their weight, the largest first; of equals the one that was found first."""
    order = sorted(range(len(told)), key=lambda i: (-told[i][0], i))  # MicroPython's sort is not stable
    return [told[i][1] for i in order]


def _compared(seat: int, seen: list[Aftermath], others: list[Aftermath], worths: list[float]) -> list[Reason]:
    """Return how a move differs from another one in the same worlds."""
    other = others[0].turn[0]
    told: list[tuple[float, Reason]] = []
    for who in range(len(seen[0].points)):
        gains = [float(one.points[who] - two.points[who]) for one, two in zip(seen, others, strict=True)]
        more = _mean(gains) > 0
        if not _sure(gains if more else [-gain for gain in gains], POINTS):
            continue
        by = abs(_mean(gains))
        values: dict[str, Any] = {"points": _tenths(by), "other": other}
        if who == seat:
            told.append((by, Reason("scores" if more else "forgoes", values)))
        else:
            told.append((by, Reason("gives" if more else "denies", {"seat": who, **values})))
    hindering = []
    for event in _happened(seen):
        if event[1] == seat:
            continue
        there = [event in one.events for one in seen]
        share, instead = _mean([float(one) for one in there]), _mean([float(event in one.events) for one in others])
        if share - instead >= SHARE and _brings(there, worths) > 0:
            shares = {"share": _percent(share), "instead": _percent(instead)}
            values = {"seat": event[1], "event": event[0], **shares, "other": other}
            hindering.append((share - instead, Reason("hinders", values)))
    return _largest(told) + _largest(hindering)[:1] + _keeps_open(seen, others)


def _keeps_open(seen: list[Aftermath], others: list[Aftermath]) -> list[Reason]:
    """Return the move that would most often come next, if the other move would often make it impossible."""
    follows = [one.follows for one in seen if one.follows]
    if not follows:
        return []
    word = max(follows, key=follows.count)  # of equals the one that came first
    share = _mean([float(word in one.legal) for one in seen])
    instead = _mean([float(word in one.legal) for one in others])
    if share - instead < SHARE or follows.count(word) < len(seen) / 4 or word in others[0].turn:
        return []
    offer = next(one.offer for one in seen if one.follows == word)
    shares = {"share": _percent(share), "instead": _percent(instead)}
    return [Reason("keeps_open", {"word": word, "offer": offer, **shares, "other": others[0].turn[0]})]
