"""The fingerprint of a game: what it says, that it goes on where it was stopped, what it keeps at Ctrl-C."""

import itertools
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavolino.bots.strategy import BY_GAME
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab.fingerprint import FingerprintSettings, depth_of, elo, fingerprint, keep_in, ladder_of
from tavolino.lab.fingerprint_page import command_of, fingerprint_page, known, parts_of, plots_of, skips_of
from tavolino.lab.notebook import Notebook
from tavolino.lab.played import PlayedGames
from tavolino.lab.playing import Lineup, play_games
from tavolino.lab.settings import LabSettings
from tavolino.lab.shape import Pace
from tavolino.workers import Interrupted
from tests.lab.test_studies import read_page

ONE = LabSettings(workers=1)
QUICK = FingerprintSettings(expert_deals=0)
"""Without a bot that thinks: it is tried once, in a test of its own."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return fingerprint("orma", [2, 3], 10, 7, how=QUICK, settings=ONE)


def test_it_has_all_parts_for_each_number_of_players(found: dict[str, Any]) -> None:
    assert [one["players"] for one in found["tables"]] == [2, 3]
    for one in found["tables"]:
        assert sum(place["value"] for place in one["start"]["places"]) == pytest.approx(1)
        shape = one["shape"]
        assert 1 <= shape["near"]["value"] <= shape["options"]["value"]
        assert [at["time"] for at in shape["leader"]] == [0.25, 0.5, 0.75]
        assert all(0 <= at["wins"]["value"] <= 1 for at in shape["leader"])
        assert shape["minutes"]["value"] > 0
        assert 0 <= one["luck"]["wins"]["deal"]["value"] <= 1
        ladder = found["ladder"]
        depth = depth_of(one, ladder)
        assert depth is not None
        assert depth.low < depth.value < depth.high
        steps = [one[f"{a}-{b}"]["elo"]["value"] for b, a in itertools.pairwise(ladder)]
        assert depth.value == pytest.approx(sum(steps))
    assert found["tables"][0]["shape"]["kingmaking"]["value"] == 0, "two players make no kings"
    assert json.loads(json.dumps(found)) == found


def test_the_page_answers_each_question(found: dict[str, Any]) -> None:
    root = read_page(fingerprint_page(found))
    text = " ".join(root.itertext())
    for question in ("How deep is it?", "Does a loser decide who wins?", "Is it better to start?", "run away"):
        assert question in text
    assert "3 players" in text
    assert {"skill", "drama", "start", "luck"} <= plots_of(found).keys()


def test_it_goes_on_where_it_was_stopped(found: dict[str, Any], tmp_path: Path) -> None:
    """Ctrl-C in the middle: what was found is in the exception and in the file; the same call gives the same whole."""
    notes = tmp_path / "notes.json"

    def stop(done: float) -> None:  # as soon as something is kept, however far the clock says that it is
        if notes.exists() and "2/start" in json.loads(notes.read_bytes())["found"]:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        fingerprint("orma", [2, 3], 10, 7, how=QUICK, notebook=notes, settings=LabSettings(1, stop))
    part = stopped.value.result
    assert "start" in part["tables"][0]
    assert "shape" not in part["tables"][0]
    read_page(fingerprint_page(part))
    kept = json.loads(notes.read_bytes())["found"]
    assert "2/start" in kept
    assert fingerprint("orma", [2, 3], 10, 7, how=QUICK, settings=ONE, notebook=notes) == found
    with pytest.raises(ValueError, match="another study"):
        fingerprint("orma", [2, 3], 11, 7, how=QUICK, settings=ONE, notebook=notes)
    notes.write_text("nonsense")
    with pytest.raises(ValueError, match="no file of a study"):
        Notebook(notes, {})


def test_a_file_to_resume_from_gives_no_less_than_asked_for(tmp_path: Path) -> None:
    """The seed is that of the file; what must be more exact is found anew; the pace is the same for all tables."""
    notes = tmp_path / "notes.json"
    first = fingerprint("face-to-face", [2], 8, 3, how=QUICK, notebook=notes, settings=ONE)
    other = FingerprintSettings(until=0.2, expert_deals=0, pace=Pace(80.0, 20.0))
    again = fingerprint("face-to-face", [2], 8, how=other, notebook=notes, settings=ONE)
    assert again["seed"] == 3
    assert first["tables"][0]["start"]["games"] == 8 < again["tables"][0]["start"]["games"]
    assert again["tables"][0]["shape"] == first["tables"][0]["shape"]


def test_the_command_on_the_page_makes_the_same_page(found: dict[str, Any]) -> None:
    assert command_of(found) == "tavolino study orma --players 2,3 --games 10 --seed 7"
    changed = {**found, "options": {"spare_blacks": 4}, "until": 0.005}
    assert " --option spare_blacks=4 --until 0.5" in command_of(changed)


def test_until_plays_on_until_the_start_is_known() -> None:
    how = FingerprintSettings(until=0.04, expert_deals=0)
    told = fingerprint("face-to-face", [2], 8, 3, settings=ONE, how=how)["tables"][0]["start"]
    places = told["places"][0]
    assert (places["high"] - places["low"]) / 2 <= 0.04
    assert told["games"] > 64 * 8, "however few games were asked for besides"
    with pytest.raises(ValueError, match="until must be"):
        fingerprint("face-to-face", [2], 8, 3, settings=ONE, how=FingerprintSettings(until=5))
    with pytest.raises(ValueError, match=r"± 0\.01 % would take [0-9,]* games per table"):
        fingerprint("face-to-face", [2], 8, 3, settings=ONE, how=FingerprintSettings(until=0.0001))


def test_elo_from_wins_alone_among_equals() -> None:
    even = elo(Estimate(1 / 3, 0.3, 0.4), 3, 100)
    assert even.value == pytest.approx(0)
    assert elo(Estimate(10 / 11, 0.9, 0.92), 2, 100).value == pytest.approx(400)
    assert np.isfinite(elo(Estimate(1.0, 0.9, 1.0), 2, 100).high)


def test_what_ships_is_of_the_games_that_ship() -> None:
    for key, one in known().items():
        assert one["game"] == key
        assert [table["players"] for table in one["tables"]] == list(GAMES[key].people.PLAYERS)


def test_the_ladder_ends_with_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its steps are played on fewer deals, are checked against their sum, and the page says so."""
    monkeypatch.setattr(BY_GAME["orma"], "TRIES", 12)
    found = fingerprint("orma", [2], 10, 7, how=FingerprintSettings(expert_deals=1), settings=ONE)
    assert found["ladder"][-1] == ladder_of("orma")[-1] == "expert"
    table = found["tables"][0]
    assert [table[f"expert-{weak}"]["deals"] for weak in ("value", "greedy")] == [1, 1]
    assert depth_of(table, found["ladder"]) is not None
    assert [what for _, what, *_ in skips_of(found)] == ["greedy over random", "value over naive", "expert over greedy"]
    part = next(parts_of(found))
    assert "From random to expert" in part.answer
    assert "12 tries per move" in part.method
    with pytest.raises(ValueError, match="expert_deals must be"):
        fingerprint("orma", [2], 10, 7, how=FingerprintSettings(expert_deals=-1), settings=ONE)


def test_more_deals_of_expert_measure_nothing_else_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From a fingerprint written down as notes only the steps with expert are measured, and no game of them twice."""
    monkeypatch.setattr(BY_GAME["orma"], "TRIES", 12)
    played: list[int] = []

    def count(lineup: Lineup, seed: Any, begin: int, games: int, **how: int) -> PlayedGames:
        played.append(begin)
        return play_games(lineup, seed, begin, games, **how)

    monkeypatch.setattr("tavolino.lab.luck.play_games", count)
    one, two = (FingerprintSettings(expert_deals=deals) for deals in (1, 2))
    whole = fingerprint("orma", [2], 10, 7, how=two, settings=ONE)
    few = fingerprint("orma", [2], 10, 7, how=one, settings=ONE)
    notes = tmp_path / "notes.json"
    keep_in(notes, few)
    assert list(json.loads(notes.read_bytes())["found"]["2/luck"]) == list(few["tables"][0]["luck"])

    def stop(done: float) -> None:
        if "2/expert-value/games" in json.loads(notes.read_bytes())["found"]:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        fingerprint("orma", [2], 10, 7, how=two, notebook=notes, settings=LabSettings(1, stop))
    begun = len(json.loads(notes.read_bytes())["found"]["2/expert-value/games"])
    assert 1 <= begun < 4
    played.clear()
    assert fingerprint("orma", [2], 10, 7, how=two, notebook=notes, settings=ONE) == whole
    assert len(played) == 2 * 2 * 2 - begun
    played.clear()
    assert fingerprint("orma", [2], 10, 7, how=one, notebook=notes, settings=ONE) == few
    assert not played


def test_expert_with_as_many_deals_as_the_others_is_no_less_exact() -> None:
    """Only where it played fewer does the page say that its intervals are wider for it."""
    orma = known()["orma"]
    for deals, fewer in ((200, False), (199, True)):  # 1,000 games: 200 deals per step
        method = next(parts_of({**orma, "games": 1000, "expert_deals": deals})).method
        assert ("deals only" in method) == fewer


def test_who_won_every_game_has_no_upper_end(found: dict[str, Any]) -> None:
    """Of such a step nobody knows more than that it is large: neither it nor the sum names an upper end."""

    def step(wins: float, elo: float) -> dict[str, Any]:
        return {
            "deals": 100,
            "wins": {"value": wins, "low": 0.85, "high": 1.0},
            "elo": {"value": elo, "low": elo - 30, "high": elo},
        }

    steps = {"naive-random": step(1.0, 1161), "greedy-naive": step(0.9, 400), "value-greedy": step(0.8, 200)}
    part = next(parts_of({**found, "tables": [{"players": 2, **steps}]}))
    assert "1761 (1709 or more) Elo" in part.answer
    assert [cell.partition(";")[0] for cell in part.rows[0][2:]] == [
        "1161 (1131 or more)",
        "400 (370 to 400)",
        "200 (170 to 200)",
    ]


def test_steps_that_do_not_add_up_are_told(found: dict[str, Any]) -> None:
    def elo_of(value: float) -> dict[str, Any]:
        elo = {"value": value, "low": value - 30, "high": value + 30}
        return {"deals": 100, "wins": {"value": 0.9, "low": 0.85, "high": 0.95}, "elo": elo}

    steps = {"naive-random": elo_of(400), "greedy-naive": elo_of(500), "value-greedy": elo_of(200)}
    for direct, said in ((905, "Strength adds up"), (600, "greedy over random with 2 is 600 (570 to 630)")):
        more = steps | {"greedy-random": elo_of(direct), "value-naive": elo_of(700)}
        part = next(parts_of({**found, "tables": [{"players": 2, **more}]}))
        assert said in part.method
        assert ("1 of 2 pairs" in part.answer) == (direct == 600)


def test_progress_is_that_of_the_time_it_takes() -> None:
    """From a third of the way on, the time in all that progress promises is near the time it took."""
    ratios = []
    for _ in range(3):  # a busy machine may stumble once
        told: list[tuple[float, float]] = []

        def tell(done: float, told: list[tuple[float, float]] = told) -> None:
            told.append((done, time.process_time()))

        fingerprint("orma", [2], 60, 7, how=QUICK, settings=LabSettings(1, tell))
        (_, began), (_, ended) = told[0], told[-1]
        ratios = [(now - began) / done / (ended - began) for done, now in told if 0.33 < done < 1]
        if ratios and all(0.5 < ratio < 2 for ratio in ratios):
            return
    raise AssertionError(ratios)
