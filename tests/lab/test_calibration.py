"""Chances that people are told, against how often equals win: in hints and in reviews."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.bots.advice import advise
from tavolino.bots.calibration import LOOK_AHEAD, NETWORK, Calibration, calibration_of
from tavolino.bots.players import builtin
from tavolino.bots.position import Limits, Position
from tavolino.bots.thinking import look_ahead
from tavolino.engine.registry import GAMES
from tavolino.lab import review
from tavolino.lab.calibration import logistic
from tavolino.lab.settings import LabSettings
from tavolino.lab.simulate import simulate
from tavolino.play.setup import read_setup
from tests.conftest import Once
from tools import calibrate

TABLES = [(key, players) for key, folder in GAMES.items() for players in folder.people.PLAYERS]
HINT = Limits(simulations=60)
"""A hint makes some thousands; it says the same, and takes longer."""


def first_hint(key: str, players: int, seed: str, limits: Limits = HINT, **options: Any) -> float:
    """Return the chance that a hint tells the one who starts."""
    game = tavolino.new(key, players, seed, first=0, **options)
    return advise(Position(game, 0, seed, limits), why=False)[0].chance


Wins = Callable[..., list[float]]


@pytest.fixture(scope="session")
def wins_of(once: Once) -> Wins:
    """How often each place in the turn order wins among equals."""

    def get(key: str, players: int, spare: int | None = None) -> list[float]:
        options = {} if spare is None else {"spare_blacks": spare}

        def play(_: Path) -> list[float]:
            setup = read_setup(key, players, options, 0)
            return simulate(setup, None, 2000, 99, bots=["value"], settings=LabSettings(1)).win_rate

        found: list[float] = once(f"wins-{key}-{players}-{spare}", play)
        return found

    return get


@pytest.mark.parametrize(("key", "players"), TABLES)
def test_a_hint_at_the_first_move_tells_how_often_the_starter_wins(wins_of: Wins, key: str, players: int) -> None:
    """Within three points of how often it wins among equals, on fresh deals."""
    told = np.mean([first_hint(key, players, f"fresh/{i}") for i in range(60)])
    assert abs(told - wins_of(key, players)[0]) < 0.03, (told, wins_of(key, players)[0])


@pytest.mark.parametrize("spare", [0, 9])
def test_a_hint_by_house_rules_is_near_too(wins_of: Wins, spare: int) -> None:
    told = np.mean([first_hint("orma", 2, f"house/{i}", spare_blacks=spare) for i in range(20)])
    assert abs(told - wins_of("orma", 2, spare)[0]) < 0.1


def test_a_hint_where_people_type_the_dice() -> None:
    game = tavolino.new("out-of-sock", 2, 4, basket="table", first=0)
    while game.legal_moves[0] == "roll:":
        game.play(builtin("random").choose(Position(game, game.to_move or 0, f"{len(game.moves)}")))
    assert game.to_move is not None
    told = advise(Position(game, game.to_move, "x", Limits(simulations=60)))
    assert 0.3 < told[0].chance < 0.7


def asked(key: str, players: int, seed: str) -> list[tuple[float, float]]:
    """Play a game among equals, and ask for a hint in each third; return what was told, and what came of it."""
    game, bot = tavolino.new(key, players, seed), builtin("value")
    while (seat := game.to_move) is not None:
        game.play(bot.choose(Position(game, seat, f"{seed}/{len(game.moves)}")))
    luck, winners = np.random.default_rng(list(seed.encode())), game.winners or []
    found = []
    for third in np.array_split([i for i, seat in enumerate(game.movers) if seat is not None], 3):
        then = game.earlier(int(luck.choice(third)))
        seat = then.to_move
        assert seat is not None
        told = advise(Position(then, seat, seed, HINT), why=False)[0].chance
        found.append((told, (seat in winners) / len(winners)))
    return found


@pytest.mark.parametrize("key", GAMES)
def test_hints_tell_how_often_equals_win(key: str) -> None:
    """On average over decisions of fresh games, in each third of them: within two points and what luck explains.

    Nine means are compared, so luck may explain three standard errors; `tools.calibrate --check` looks more closely.
    """
    tables = GAMES[key].people.PLAYERS
    games = [asked(key, players, f"{key}/{players}/{i}") for players in tables for i in range(96 // len(tables))]
    told, won = np.array(games).transpose(2, 1, 0)
    gaps, errors = (told - won).mean(axis=1), (told - won).std(axis=1) / len(games) ** 0.5
    assert (np.abs(gaps) < 0.02 + 3 * errors).all(), (gaps, errors)


@pytest.mark.parametrize("key", GAMES)
def test_a_hint_says_the_same_whatever_the_time(key: str) -> None:
    """As the calibration was made, or as a hint of some tenths of a second: within a point on average."""
    few, more = (
        np.array([first_hint(key, 2, f"budget/{i}", Limits(simulations=number)) for i in range(16)])
        for number in (calibrate.TRIES, 8 * calibrate.TRIES)
    )
    assert abs((few - more).mean()) < 0.01
    assert np.abs(few - more).mean() < 0.03


@pytest.mark.parametrize("key", GAMES)
def test_hints_keep_the_order_of_moves(key: str) -> None:
    """What is told first is best, its chance the highest; the only legal move is tried, too."""
    only = 0
    game = tavolino.new(key, 2, 3)
    while (seat := game.to_move) is not None and only < 3:
        position = Position(game, seat, "order", Limits(simulations=30))
        found, raw = advise(position, why=False), look_ahead(position)
        assert [one.move for one in found] == [one.word for one in raw]
        assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
        assert all(0 < one.chance < 1 for one in found)
        assert raw[0].tries > 0
        only += len(game.legal_moves) == 1
        game.play(builtin("value").choose(position))


@pytest.mark.parametrize(("key", "players", "spare"), [*((*table, None) for table in TABLES), ("orma", 2, 0)])
def test_chances_at_the_start_are_how_often_the_places_win(
    wins_of: Wins, key: str, players: int, spare: int | None
) -> None:
    """On average over deals, a review gives each place in the turn order its share, by other rules, too."""
    told = np.zeros(players)
    deals, options = (60, {} if spare is None else {"spare_blacks": spare})
    for i in range(deals):
        record = tavolino.new(key, players, f"places/{i}", first=0, **options).record()
        told += np.array(review(record, tries=12, seed=i)["curve"][0]) / deals
    assert np.abs(told - wins_of(key, players, spare)).max() < 0.05, (told, wins_of(key, players, spare))
    assert sum(told) == pytest.approx(1)


def test_every_table_ships_a_calibration_from_many_games() -> None:
    for key, players in TABLES:
        assert calibration_of(NETWORK, key, players).games >= 8_000
        assert calibration_of(LOOK_AHEAD, key, players).games >= 2_000
        for whose in (NETWORK, LOOK_AHEAD):
            found = calibration_of(whose, key, players)
            assert len(found.levels) == len(found.noise) == players
            assert found.slope > 0.5  # what is better stays better


def test_calibration_keeps_the_order_and_stays_a_chance() -> None:
    words = np.linspace(0, 1, 11)
    one = Calibration([[-0.4, 0.3, 0.1]], 1.1, [np.zeros((4, 4)).tolist()], 100.0, 20)
    for moves in (0, 50, 500):
        chances = one.chances(words, moves, 0)
        assert np.all(np.diff(chances) > 0)
        assert 0 < chances[0] < chances[-1] < 1
        nudge = 1e-6
        steeper = (replace(one, slope=one.slope + nudge).chances(words, moves, 0) - chances) / nudge
        assert one.gradients(words, moves, 0)[-1] == pytest.approx(steeper, abs=1e-4)
    assert np.isfinite(logistic(np.ones((20, 1)), np.zeros(20), np.ones(20))).all()


def test_the_file_is_made_by_a_command_that_goes_on_after_a_kill(tmp_path: Path) -> None:
    """The same games give the same file; what was heard before is not asked again."""
    found = calibrate.measure("orma-3", tmp_path, 30, 6)
    heard = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    calibrate.write(found, 3, tmp_path / "file.json")
    written = (tmp_path / "file.json").read_bytes()
    calibrate.write(calibrate.measure("orma-3", tmp_path, 30, 6), 3, tmp_path / "file.json")
    assert (tmp_path / "file.json").read_bytes() == written
    assert {path: path.stat().st_mtime_ns for path in heard} == heard
    assert found[NETWORK].games == 30
