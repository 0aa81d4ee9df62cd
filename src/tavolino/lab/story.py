"""What decided a game, as codes with values, in plain values without NumPy: the page puts them into words.

Codes of moments: `deal`, `error`, `lucky_draw`, `unlucky_draw`, `lucky_dice`, `unlucky_dice`, `hidden`,
`surprise`.
Codes of headlines: `unfinished`, `shared`, `comeback`, `one_error`, `one_draw`, `led_throughout`, `close`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MOMENTS = 3
WORTH_TELLING = 0.02
"""A change of win chance below this decides nothing."""
AHEAD = 0.02
"""By how much a seat must be ahead to take the lead."""
COMEBACK = 0.7
"""A winner whose chance was once below this part of an even share has come back."""
DECISIVE = 0.2
"""One moment that changes the winner's chance by so much is what the game is remembered for."""


@dataclass(frozen=True)
class Happened:
    """What a step changed for each seat."""

    step: int
    turn: int
    seat: int | None
    """Who made it; None: chance."""
    kind: str
    """What came to light: `draw`, `dice`, or `unforeseen` for nothing."""
    error: Sequence[float]
    luck: Sequence[float]


@dataclass(frozen=True)
class Moment:
    """A moment that decided the game; step 0 is the deal."""

    step: int
    turn: int
    kind: str
    """`error` or `luck`."""
    code: str
    seat: int | None
    """Whose error, or who was lucky or unlucky."""
    change: list[float]


def moments(happened: Sequence[Happened], deal: Sequence[float], curve: Sequence[Sequence[float]]) -> list[Moment]:
    """Return up to three moments that changed most for whoever won or is ahead, in the order of the game."""
    hero = _leader(curve[-1])
    found = [Moment(0, 0, "luck", "deal", hero, list(deal))]
    for one in happened:
        if any(one.error) and one.kind == "unforeseen":
            found.append(_whole(one, hero))
            continue
        if any(one.error):
            found.append(Moment(one.step, one.turn, "error", "error", one.seat, list(one.error)))
        found.append(_luck(one))
    found = [one for one in found if abs(one.change[hero]) >= WORTH_TELLING]
    order = sorted(range(len(found)), key=lambda i: (-abs(found[i].change[hero]), i))  # no sort here need be stable
    return [found[i] for i in sorted(order[:MOMENTS], key=lambda i: (found[i].step, order.index(i)))]


def _whole(one: Happened, hero: int) -> Moment:
    """Return all that an error changed where nothing came to light: its price, and what the hidden hands made of it.

    These two may cancel: an error that met the right hands moved no chance, and so decided nothing.
    """
    change = [price + luck for price, luck in zip(one.error, one.luck, strict=True)]
    if 2 * one.error[hero] * change[hero] >= change[hero] ** 2 > 0:  # its price is half of it or more
        return Moment(one.step, one.turn, "error", "error", one.seat, change)
    return Moment(one.step, one.turn, "luck", "hidden", one.seat, change)


def _luck(one: Happened) -> Moment:
    """Return what luck brought in a step: told of the seat that drew, or, for dice, of the seat it moved most."""
    luck = list(one.luck)
    if one.kind == "unforeseen":  # whom hidden hands have helped has made a move that was not expected
        code = "surprise" if one.seat is not None and luck[one.seat] > 0 else "hidden"
        return Moment(one.step, one.turn, "luck", code, one.seat, luck)
    seat = one.seat if one.seat is not None else max(range(len(luck)), key=lambda other: abs(luck[other]))
    code = f"{'lucky' if luck[seat] >= 0 else 'unlucky'}_{one.kind}"
    return Moment(one.step, one.turn, "luck", code, seat, luck)


def turning_points(curve: Sequence[Sequence[float]]) -> list[int]:
    """Return after which steps the lead in chance had passed to another seat; the last of them decided.

    >>> turning_points([[0.5, 0.5], [0.6, 0.4], [0.495, 0.505], [0.3, 0.7], [0.0, 1.0]])
    [3]
    """
    found, leader = [], None
    for step, chances in enumerate(curve):
        first, second = sorted(chances, reverse=True)[:2]
        if first - second < AHEAD:
            continue
        now = _leader(chances)
        if leader is not None and now != leader:
            found.append(step)
        leader = now
    return found


def headline(
    curve: Sequence[Sequence[float]], winners: Sequence[int] | None, told: Sequence[Moment], turns: Sequence[int]
) -> dict[str, Any]:
    """Return the game in one sentence, as a code with values; `winners` is None while it is not over."""
    if winners is None:
        seat = _leader(curve[-1])
        return {"code": "unfinished", "values": {"seat": seat, "chance": curve[-1][seat]}}
    if len(winners) != 1:
        return {"code": "shared", "values": {"seats": list(winners)}}
    seat, players = winners[0], len(curve[0])
    steady = _steady(curve)
    lowest = min(range(len(steady)), key=lambda step: steady[step][seat])
    at = {"step": lowest, "turn": turns[lowest - 1] if lowest else 0}
    if steady[lowest][seat] < COMEBACK / players:
        other = max((one for one in range(players) if one != seat), key=lambda one: steady[lowest][one])
        values = {"seat": seat, "other": other, **at, "chance": steady[lowest][seat]}
        return {"code": "comeback", "values": values}
    known = [one for one in told if one.code not in ("hidden", "surprise")]  # errors, draws and dice
    most = max(known, key=lambda one: one.change[seat], default=None)
    if most is not None and most.step and most.change[seat] >= DECISIVE:
        at = {"step": most.step, "turn": most.turn}
        if most.kind == "error":
            return {"code": "one_error", "values": {"seat": seat, "other": most.seat, **at}}
        return {"code": "one_draw", "values": {"seat": seat, **at}}
    passed = turning_points(curve)
    if not passed:
        return {"code": "led_throughout", "values": {"seat": seat}}
    step = passed[-1]
    other = max((one for one in range(players) if one != seat), key=lambda one: curve[step][one])
    return {"code": "close", "values": {"seat": seat, "other": other, "step": step, "turn": turns[step - 1]}}


def _steady(curve: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the chances without those that lasted for a single step: of three in a row the middle one.

    Near the end the judge may see a win that hangs on one move, and the next player does not make it: nobody had that
    game in hand.

    >>> _steady([[0.5, 0.5], [0.4, 0.6], [0.0, 1.0], [0.5, 0.5], [1.0, 0.0]])
    [[0.5, 0.5], [0.4, 0.6], [0.4, 0.6], [0.5, 0.5], [1.0, 0.0]]
    """
    found = [list(chances) for chances in curve]
    for step in range(1, len(curve) - 1):
        near = curve[step - 1 : step + 2]
        found[step] = [sorted(chances[seat] for chances in near)[1] for seat in range(len(curve[step]))]
    return found


def _leader(chances: Sequence[float]) -> int:
    return max(range(len(chances)), key=lambda seat: chances[seat])
