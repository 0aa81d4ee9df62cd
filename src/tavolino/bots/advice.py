"""Advice for people: the best moves, the chance of winning with each, and why.

A look-ahead says which moves are best (`thinking.look_ahead`). Its chances are corrected by games between equals
(`calibration`). The reasons come from the first worlds that it looked at (`reasons`). Nothing here knows a rule.
"""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from tavolino.bots.calibration import LOOK_AHEAD, Calibration, Floats, calibration_of
from tavolino.bots.networks import has_networks
from tavolino.bots.players import builtin, think_by_search
from tavolino.bots.position import Limits, Position
from tavolino.bots.reasons import Trials, reasons
from tavolino.bots.thinking import MoveChance, look_ahead, watch
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


def explain(position: Position, found: list[MoveChance]) -> list[list[Reason]]:
    """Return the reasons for and against each of the moves, the best of which comes first."""
    if not found or not found[0].line:
        return [[] for _ in found]
    lines = [list(one.line) for one in found]
    return reasons(GAMES[position.key], position.seat, lines, trials(position, lines))


def trials(position: Position, lines: list[list[int]], worlds: int = WORLDS) -> Trials:
    """Try lines in the worlds that reasons are taken from."""
    watched = watch(position, [tuple(line) for line in lines], worlds)
    begun = [watched.worlds[k : k + 1] for k in range(worlds)]
    return Trials(begun, watched.traces, watched.worths.tolist())


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
