"""Advice: the same for all who know the same, in order, and with reasons that hold in the worlds it looked at."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.bots.advice import WORLDS, explain
from tavolino.bots.networks import has_networks
from tavolino.bots.players import builtin
from tavolino.bots.position import Limits, Position
from tavolino.bots.thinking import MoveChance, look_ahead, watch
from tavolino.engine import kernels
from tavolino.engine.registry import GAMES
from tavolino.play import text
from tavolino.play.advice import Advice, Reason, reason_text, reasons_told, shared_words
from tavolino.play.game import Game

TABLES = [(key, game.people.PLAYERS[-1]) for key, game in GAMES.items() if has_networks(key)]
CODES = ("then", "ends", "scores", "forgoes", "denies", "gives", "risk", "hinders", "keeps_open")
"""Those of docs/bots.md."""
SEED, TRIES = "why", 60


@cache
def moments(key: str, players: int) -> list[Game]:
    """Return some positions with a choice, from all parts of a game."""
    game, found = tavolino.new(key, players, 11), []
    while (seat := game.to_move) is not None:
        if len(game.legal_moves) > 1:
            found.append(game.copy())
        game.play(builtin("value").choose(Position(game, seat, f"{len(game.moves)}")))
    return found[:: len(found) // 12 + 1] + found[-1:]


@cache
def told(key: str, players: int) -> list[tuple[Position, list[MoveChance], list[list[Reason]]]]:
    """Return what is said of the best moves in each of these positions."""
    found = []
    for game in moments(key, players):
        position = Position(game, game.to_move or 0, SEED, Limits(simulations=TRIES))
        estimates = look_ahead(position)[:3]
        found.append((position, estimates, explain(position, estimates)))
    return found


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_advice_is_data_in_order(key: str, players: int) -> None:
    """Named tuples, best first, each chance inside its interval; the same seed says the same, whatever is hidden."""
    for game in moments(key, players)[::5]:
        seat = game.to_move
        assert seat is not None
        found = game.advice(seat, tries=TRIES, seed=1)
        assert Advice._fields == ("move", "chance", "low", "high", "reasons")
        assert {one.move for one in found} <= set(game.legal_moves)
        assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
        assert all(0 <= one.low < one.chance < one.high <= 1 for one in found)
        assert game.redeal(seat, 5).advice(seat, tries=TRIES, seed=1) == found
        assert game.advice(seat, tries=TRIES, seed=2) != found


def test_advice_is_for_the_seat_to_move() -> None:
    game = tavolino.new("orma", 2, 1, first=0)
    with pytest.raises(ValueError, match="no advice for seat 1 now: seat 0 is to move"):
        game.advice(1)
    with pytest.raises(ValueError, match="tries"):
        game.advice(0, tries=0)
    dice = tavolino.new("out-of-sock", 2, 4, basket="table", first=0)
    with pytest.raises(ValueError, match="dice that people roll"):
        dice.advice(0)


def replayed(position: Position, estimates: list[MoveChance]) -> Iterator[list[dict[str, Any]]]:
    """Play out by the rules what was tried in each world; yield for each move what came of it there."""
    watched, people = watch(position, [one.line for one in estimates], WORLDS), GAMES[position.key].people
    for i in range(len(estimates)):
        worlds = []
        for k in range(WORLDS):
            states, before = watched.worlds[k : k + 1].copy(), np.zeros(position.players, np.int64)
            kernels.scores_one(states, before)
            events, movers, legal = set(), list[int](), set[str]()
            for action in watched.traces[k, i].tolist():
                player = int(states["player"][0])
                if states["over"][0] or action < 0:
                    break
                if player == position.seat and set(movers) - {position.seat, -1}:
                    legal = {offer["word"] for offer in people.offers(GAMES[position.key].read(states))}
                    break
                was = GAMES[position.key].read(states)
                kernels.apply_one(states, action)
                movers.append(player)
                for event in people.happened(was, people.WORDS[action], GAMES[position.key].read(states)):
                    events.add((event["type"], event.get("seat")))
            after = np.zeros(position.players, np.int64)
            kernels.scores_one(states, after)
            winners = int(states["winners"][0]) if states["over"][0] else 0
            won = (winners >> position.seat & 1) / max(1, winners.bit_count())
            worlds.append({"gain": after - before, "events": events, "over": bool(winners), "won": won, "legal": legal})
        yield worlds


def share(flags: list[bool]) -> int:
    return round(100 * sum(flags) / len(flags))


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_reasons_hold_in_the_worlds(key: str, players: int) -> None:
    """What a reason says happens as often, or by as much, when the worlds are played out again by the rules."""
    seen = 0
    for position, estimates, reasons in told(key, players):
        out = list(replayed(position, estimates))
        for i, mine in enumerate(reasons):
            worlds, others = out[i], out[1 if i == 0 else 0] if len(out) > 1 else []
            for code, values in mine:
                seen += code != "then"
                if code == "ends":
                    over = [one for one in worlds if one["over"]]
                    assert values["share"] == share([one["over"] for one in worlds])
                    assert values["won"] == round(100 * sum(one["won"] for one in over) / len(over))
                elif code in ("scores", "forgoes", "denies", "gives"):
                    seat = values.get("seat", position.seat)
                    more = np.mean([a["gain"][seat] - b["gain"][seat] for a, b in zip(worlds, others, strict=True)])
                    sign = 1 if code in ("scores", "gives") else -1
                    assert abs(values["points"] - sign * more) < 0.05 + 1e-9  # tenths, halves up
                    assert values["points"] >= 1
                elif code in ("risk", "hinders"):
                    event = (values["event"], values.get("seat", position.seat))
                    assert values["share"] == share([event in one["events"] for one in worlds])
                    if code == "hinders":
                        assert values["instead"] == share([event in one["events"] for one in others])
                elif code == "keeps_open":
                    assert values["share"] == share([values["word"] in one["legal"] for one in worlds])
                    assert values["instead"] == share([values["word"] in one["legal"] for one in others])
    assert seen >= 8, "too few reasons to judge by"


def test_the_risk_to_skip_is_what_the_offer_says() -> None:
    """Out of Sock's offers know the odds of a throw exactly: a risk that is told is near them."""
    found = 0
    for position, estimates, reasons in told("out-of-sock", 4):
        offers = {offer["word"]: offer for offer in position._game.offers}
        for estimate, mine in zip(estimates, reasons, strict=True):
            for code, values in mine:
                if code == "risk" and values["event"] == "turn_skipped" and "skip" in offers[estimate.word]:
                    exact = offers[estimate.word]["skip"]
                    assert abs(values["share"] / 100 - exact) < 4 * (exact * (1 - exact) / WORLDS) ** 0.5
                    found += 1
    assert found


def test_people_are_told_what_has_a_sentence() -> None:
    """Not by an event's code; and whole points are written as such."""
    game, names = GAMES["out-of-sock"], ["you", "P1"]
    skip = Reason("risk", {"event": "turn_skipped", "share": 20})
    turn = Reason("risk", {"event": "turn_began", "share": 90})
    more = Reason("scores", {"points": 3.0, "other": "keep"})
    told = reasons_told(game, [turn, skip, more], names)
    assert told[0] == reason_text(game, skip, names) == "in 20 % of the cases you skip your turn"
    assert told[1:] == ["you score 3 points more than with keep before you move again"]


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_every_reason_has_a_sentence(language: str) -> None:
    """In each language, with nothing left open."""
    assert all(f"reason.{code}" in shared_words(language) for code in CODES)
    for key, players in TABLES:
        for _, _, reasons in told(key, players):
            for reason in (one for mine in reasons for one in mine):
                assert reason.code in CODES
                said = reason_text(GAMES[key], reason, [f"P{i}" for i in range(players)], language)
                assert "{" not in said
                assert str(reason.values.get("share", "")) in said
