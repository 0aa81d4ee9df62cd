"""Advice for people: the best moves, the chance of winning with each, and why.

A look-ahead says which moves are best (`thinking.look_ahead`). Its chances are corrected by games between equals
(`calibration`). The reasons come from the first worlds that it looked at: each good move is played there, the others
answer as in the look-ahead, and the rules tell what happened until the seat decides again. Nothing here knows a rule.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from tavolino.bots.calibration import LOOK_AHEAD, Calibration, Floats, calibration_of
from tavolino.bots.networks import has_networks
from tavolino.bots.players import builtin, think_by_search
from tavolino.bots.position import Limits, Position
from tavolino.bots.thinking import MoveChance, look_ahead, watch
from tavolino.engine import kernels
from tavolino.engine.registry import GAMES
from tavolino.play.advice import Advice, Reason
from tavolino.play.game import Game, new
from tavolino.play.seeds import Seed
from tavolino.play.setup import from_one

HOUSE_DEALS, HOUSE_TRIES = 24, 40
"""What it takes to see how a hint begins by house rules: some tenths of a second, once."""
EXPLAINED, WORLDS = 5, 40
"""Moves that get reasons, and worlds that these are taken from."""
Z = 1.96
"""Standard errors on each side of a 95 % interval."""
SURE = 2.5
"""Standard errors that a difference must have to be told."""
POINTS, SHARE, COST = 1.0, 0.2, 0.02
"""What is worth telling: points, differences of shares, and what a risk takes of the chance."""


def advice(game: Game, seat: int, tries: int | None = None, seed: Seed = 0) -> list[Advice]:
    """Return advice for the seat to move, best first; `Game.advice` says more.

    ValueError if it is not that seat's move, or if dice are to be typed in.
    """
    if game.to_move != seat:
        whose = "the game is over" if game.over else f"seat {game.to_move} is to move"
        raise ValueError(f"there is no advice for seat {seat!r} now: {whose}")
    if game.dice_typed:
        raise ValueError("there is no advice for dice that people roll: type in what fell")
    limits = Limits(simulations=None if tries is None else from_one(tries, "tries"))
    return advise(Position(game, seat, f"advice/{seed}", limits))


def advise(position: Position, seconds: float | None = None, why: bool = True) -> list[Advice]:
    """Return the moves with the mover's chance of winning by each against equals, best first: what a hint shows.

    It thinks for so many seconds, or as the position's limits say. A move that was dropped early, after few tries, is
    not said to be better than those before it. Reasons take some hundredths of a second more: `why` asks for them.
    """
    limits = position.limits if seconds is None else replace(position.limits, seconds=seconds)
    position = replace(position, limits=limits)
    if not has_networks(position.key):
        return _as_found(think_by_search(position))
    found = look_ahead(position)
    words = np.minimum.accumulate([one.chance for one in found])
    options = tuple((name, _frozen(value)) for name, value in position.options.items())
    calibration = _calibration(position.key, position.players, options)
    chances = calibration.chances(words, position.moves, position.place)
    halves = Z * _errors(calibration, words, np.array([one.error for one in found]), position)
    told = explain(position, found[:EXPLAINED]) if why else []
    told += [[] for _ in found[len(told) :]]
    return [
        Advice(one.word, float(chance), float(max(0.0, chance - half)), float(min(1.0, chance + half)), reasons)
        for one, chance, half, reasons in zip(found, chances, halves, told, strict=True)
    ]


def _as_found(found: list[MoveChance]) -> list[Advice]:
    """Return what tree search found as advice: nothing is known that would correct it, or explain it."""
    chances = np.minimum.accumulate([one.chance for one in found])
    return [
        Advice(one.word, float(c), float(max(0.0, c - Z * one.error)), float(min(1.0, c + Z * one.error)), [])
        for one, c in zip(found, chances, strict=True)
    ]


def _errors(calibration: Calibration, words: Floats, errors: Floats, position: Position) -> Floats:
    """Return the standard errors of corrected chances: of what was said, and of the calibration."""
    chances = calibration.chances(words, position.moves, position.place)
    odds = np.clip(words * (1 - words), 1e-4, None)
    said = calibration.slope * chances * (1 - chances) / odds * errors
    slopes = calibration.gradients(words, position.moves, position.place)
    noise = np.array(calibration.noise[position.place])
    total: Floats = np.sqrt(said**2 + np.einsum("iw,ij,jw->w", slopes, noise, slopes))
    return total


@dataclass(frozen=True)
class Aftermath:
    """What happened in one world, from a move until its seat decided again."""

    points: Floats
    """What each seat scored."""
    events: frozenset[tuple[str, int]]
    """The types of what happened, and to whom."""
    over: bool
    won: float
    """The seat's share of the win, if it is over."""
    legal: frozenset[str]
    """What the seat could do then."""
    follows: str
    """What it would do then; empty if it is over."""
    offer: dict[str, Any]
    """What the rules say of that."""
    turn: tuple[str, ...]
    """What the seat played before another one moved."""


def explain(position: Position, found: list[MoveChance]) -> list[list[Reason]]:
    """Return the reasons for and against each of the moves, the best of which comes first."""
    folder = GAMES[position.key]
    if not found or not found[0].line:
        return [[] for _ in found]
    watched = watch(position, [one.line for one in found], WORLDS)
    seen = [
        [_follow(folder, watched.worlds[k : k + 1], watched.traces[k, i], position.seat) for k in range(WORLDS)]
        for i in range(len(found))
    ]
    told = []
    for i, one in enumerate(found):
        worths, rest = watched.worths[:, i], seen[i][0].turn[1 : len(one.line)]
        reasons = [Reason("then", {"words": list(rest)})] if rest else []
        reasons += _alone(position, seen[i], worths)
        if len(found) > 1:
            other = 1 if i == 0 else 0
            reasons += _compared(position, seen[i], seen[other], worths)
        told.append(reasons)
    return told


def _follow(folder: Any, world: kernels.States, trace: Any, seat: int) -> Aftermath:
    """Play in a world what the look-ahead played there, until the seat decides again after the others."""
    people, states = folder.people, world.copy()
    start, end = np.zeros(int(states["seats"][0]), np.int64), np.zeros(int(states["seats"][0]), np.int64)
    kernels.scores_one(states, start)
    now, others, follows, events, turn = folder.read(states), False, "", set(), list[str]()
    for action in trace:
        if now.over or action < 0:
            break
        if now.player == seat and others:
            follows = people.WORDS[int(action)]
            break
        others = others or now.player not in (seat, -1)
        word, before = people.WORDS[int(action)], now
        if now.player == seat and not others:
            turn.append(word)
        kernels.apply_one(states, int(action))
        now = folder.read(states)
        events |= {(event["type"], event["seat"]) for event in people.happened(before, word, now) if "seat" in event}
    kernels.scores_one(states, end)
    winners = int(states["winners"][0]) if now.over else 0
    offers = people.offers(now) if follows else []
    offer = next((one for one in offers if one["word"] == follows), {"word": follows})
    won = (winners >> seat & 1) / winners.bit_count() if winners else 0.0
    legal = frozenset(one["word"] for one in offers)
    points = (end - start).astype(np.float64)
    return Aftermath(points, frozenset(events), bool(now.over), won, legal, follows, offer, tuple(turn))


def _percent(share: float) -> int:
    return round(100 * share)


def _sure(differences: Floats, least: float) -> bool:
    """Tell whether a mean is at least so large, and not by chance."""
    mean = differences.mean()
    return bool(mean >= least and mean > SURE * differences.std() / len(differences) ** 0.5)


def _alone(position: Position, seen: list[Aftermath], worths: Floats) -> list[Reason]:
    """Return what can be said of a move by itself: whether it ends the game, and what it risks."""
    told = []
    over = np.array([one.over for one in seen])
    if over.mean() >= SHARE / 2:
        won = np.mean([one.won for one in seen if one.over])
        told.append(Reason("ends", {"share": _percent(over.mean()), "won": _percent(float(won))}))
    risks = []
    for event in {event for one in seen for event in one.events if event[1] == position.seat}:
        there = np.array([event in one.events for one in seen])
        if (cost := -_brings(there, worths)) > 0:
            risks.append((cost * there.mean(), Reason("risk", {"event": event[0], "share": _percent(there.mean())})))
    return told + _largest(risks)[:1]


def _brings(there: Any, worths: Floats) -> float:
    """Return how much better the worlds are where something happens; 0 if that may be chance or is hardly anything."""
    if not SHARE / 4 <= there.mean() <= 1 - SHARE / 4:
        return 0.0
    with_it, without = worths[there], worths[~there]
    gain = float(with_it.mean() - without.mean())
    error = (with_it.var() / len(with_it) + without.var() / len(without)) ** 0.5
    return gain if abs(gain) > max(COST, SURE * error) else 0.0


def _largest(told: list[tuple[float, Reason]]) -> list[Reason]:
    """Return reasons by their weight, the largest first."""
    return [reason for _, reason in sorted(told, key=lambda one: (-one[0], str(one[1])))]


def _compared(position: Position, seen: list[Aftermath], others: list[Aftermath], worths: Floats) -> list[Reason]:
    """Return how a move differs from another one in the same worlds."""
    other = others[0].turn[0]
    told: list[tuple[float, Reason]] = []
    gains = np.array([one.points - two.points for one, two in zip(seen, others, strict=True)])
    for seat in range(position.players):
        more = bool(gains[:, seat].mean() > 0)
        if not _sure(gains[:, seat] if more else -gains[:, seat], POINTS):
            continue
        by = abs(float(gains[:, seat].mean()))
        values = {"points": round(by, 1), "other": other}
        if seat == position.seat:
            told.append((by, Reason("scores" if more else "forgoes", values)))
        else:
            told.append((by, Reason("gives" if more else "denies", {"seat": seat, **values})))
    hindering = []
    for event in {event for one in seen for event in one.events if event[1] != position.seat}:
        there = np.array([event in one.events for one in seen])
        instead = float(np.mean([event in one.events for one in others]))
        if there.mean() - instead >= SHARE and _brings(there, worths) > 0:
            shares = {"share": _percent(there.mean()), "instead": _percent(instead)}
            values = {"seat": event[1], "event": event[0], **shares, "other": other}
            hindering.append((float(there.mean()) - instead, Reason("hinders", values)))
    return _largest(told) + _largest(hindering)[:1] + _keeps_open(seen, others)


def _keeps_open(seen: list[Aftermath], others: list[Aftermath]) -> list[Reason]:
    """Return the move that would most often come next, if the other move would often make it impossible."""
    follows = Counter(one.follows for one in seen if one.follows)
    if not follows:
        return []
    word, number = follows.most_common(1)[0]
    share, instead = (float(np.mean([word in one.legal for one in worlds])) for worlds in (seen, others))
    if share - instead < SHARE or number < len(seen) / 4 or word in others[0].turn:
        return []
    offer = next(one.offer for one in seen if one.follows == word)
    shares = {"share": _percent(share), "instead": _percent(instead)}
    return [Reason("keeps_open", {"word": word, "offer": offer, **shares, "other": others[0].turn[0]})]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@cache
def _calibration(key: str, players: int, options: tuple[tuple[str, Any], ...]) -> Calibration:
    """Return what ships; by house rules, moved so that whoever starts has a fair share on average, as it mostly has."""
    shipped = calibration_of(LOOK_AHEAD, key, players)
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in options}
    if given == new(key, players, 0).options:
        return shipped
    words = []
    for deal in range(HOUSE_DEALS):
        game = new(key, players, f"house rules/{deal}", first=0, **given)
        while game.to_move is not None and game.dice_typed:
            game.play(builtin("random").choose(Position(game, game.to_move, f"{deal}/{len(game.moves)}")))
        words.append(look_ahead(Position(game, game.to_move or 0, "start", Limits(simulations=HOUSE_TRIES)))[0].chance)
    start = float(shipped.log_odds(np.array(words), 0, 0).mean())
    away = start + np.log(players - 1)  # from the log odds of a fair share
    fades = np.linspace(1.0, 0.0, len(shipped.levels[0]))  # at the end of a game there is little to flatter
    return replace(shipped, levels=[(np.array(levels) - away * fades).tolist() for levels in shipped.levels])
