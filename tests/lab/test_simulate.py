"""Simulations: the same numbers however they are computed, and the numbers of the records they write."""

import dataclasses
import json
from collections import Counter
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

import tavolino
from tavolino.lab import simulate as module
from tavolino.lab.settings import LabSettings
from tavolino.lab.simulate import Simulation, simulate
from tavolino.play.records import check, line
from tavolino.play.setup import read_setup
from tests.cases import CASES, IDS, Case


def numbers(result: Simulation) -> Simulation:
    """Leave out the time it took."""
    return dataclasses.replace(result, seconds=1.0)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_text().splitlines()]


def run(case: Case, games: int, **how: Any) -> Simulation:
    options = dict(case.options)
    first = options.pop("first", None)
    return simulate(read_setup(case.key, case.players, options, first), None, games, 7, **how)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_numbers_are_those_of_the_records(case: Case, tmp_path: Path) -> None:
    """Count everything again from the records, which must be legal games that replay to the very same line."""
    path = tmp_path / "games.jsonl"
    result = run(case, 60, records=path)
    records = read(path)
    games = [check(record) for record in records]
    assert path.read_bytes() == b"".join(line(game.record()) for game in games)
    wins = [
        sum(1 / len(record["winners"]) for record in records if seat in record["winners"])
        for seat in range(case.players)
    ]
    assert result.wins == pytest.approx(wins)
    assert result.win_rate == pytest.approx([won / 60 for won in wins])
    assert result.shared_wins == sum(len(record["winners"]) > 1 for record in records)
    for seat, points in enumerate(result.points):
        scores = [record["scores"][seat] for record in records]
        assert (points.mean, points.sd) == pytest.approx((mean(scores), stdev(scores)))
        assert (points.min, points.max) == (min(scores), max(scores))
    lengths = [len(record["moves"]) for record in records]
    assert result.moves == sum(lengths)
    assert (result.length.min, result.length.max) == (min(lengths), max(lengths))
    endings = Counter(game.ending for game in games)
    assert {name: share.count for name, share in result.endings.items() if share.count} == endings


@pytest.mark.parametrize("key", ["out-of-sock", "face-to-face", "orma"])
def test_chunks_and_threads_change_nothing(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread or several, chunks of any size: the same numbers, and the same records in the same order."""
    results, files = [], []
    for threads, chunk in ((1, None), (2, None), (2, 7), (3, 64), (1, 1000)):
        path, settings = tmp_path / f"{threads}-{chunk}.jsonl", LabSettings(threads)
        if chunk is not None:
            monkeypatch.setattr(module, "CHUNK", chunk)
            monkeypatch.setattr(module, "RECORDED_CHUNK", chunk)
        results.append(numbers(simulate(key, games=300, seed="x", settings=settings)))
        results.append(numbers(simulate(key, games=300, seed="x", settings=settings, records=path)))
        files.append(path.read_bytes())
    assert all(result == results[0] for result in results)
    assert all(file == files[0] for file in files)


def test_fewer_games_are_the_first_of_more(tmp_path: Path) -> None:
    simulate("orma", 3, 5, 7, records=tmp_path / "few")
    simulate("orma", 3, 500, 7, records=tmp_path / "many")
    assert read(tmp_path / "many")[:5] == read(tmp_path / "few")


def test_long_games_are_recorded_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    simulate("face-to-face", games=20, seed=1, records=tmp_path / "roomy")
    monkeypatch.setattr(module, "ROOM", 10)
    simulate("face-to-face", games=20, seed=1, records=tmp_path / "tight")
    assert (tmp_path / "tight").read_bytes() == (tmp_path / "roomy").read_bytes()


def test_seeds_differ_and_fresh_ones_are_told() -> None:
    assert simulate("orma", games=50, seed=1).points != simulate("orma", games=50, seed=2).points
    fresh = simulate("orma", games=50)
    assert fresh.seed != simulate("orma", games=50).seed
    assert numbers(simulate("orma", games=50, seed=fresh.seed)) == numbers(fresh)


def test_the_first_seat_starts(tmp_path: Path) -> None:
    simulate(read_setup("orma", 3, first=2), None, 30, 1, records=tmp_path / "games")
    assert {record["first"] for record in read(tmp_path / "games")} == {2}
    simulate("orma", 3, 60, 1, records=tmp_path / "games")
    assert {record["first"] for record in read(tmp_path / "games")} == {0, 1, 2}


def test_progress_ends_with_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[float] = []
    monkeypatch.setattr(module, "CHUNK", 300)
    simulate("orma", games=1000, seed=1, settings=LabSettings(2, told.append))
    assert told == [0.3, 0.6, 0.9, 1]


def test_as_json_is_plain_and_complete() -> None:
    result = simulate("out-of-sock", 3, 10, 1)
    data = json.loads(json.dumps(result.as_json()))
    assert {field.name for field in dataclasses.fields(result)} <= set(data)
    assert data["options"] == {"basket": "aimed", "sock_values": [2, 2, 4, 4, 6, 8]}
    assert data["games_per_second"] == pytest.approx(10 / data["seconds"])


def test_random_play_favours_no_seat() -> None:
    """With a random starter all seats are alike, so every interval should hold 1/3 (they do for this seed)."""
    result = simulate("orma", 3, 20_000, 11)
    assert sum(result.wins) == pytest.approx(20_000)
    assert all(low < 1 / 3 < high for low, high in result.win_ci95)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"games": 0}, "games must be a whole number from 1 up, not 0"),
        ({"games": 1.5}, "games must be a whole number"),
        ({"settings": LabSettings(0)}, "workers must be"),
        ({"players": 6}, "Orma is for 2 to 5 players, not 6"),
        ({"seed": 1.5}, "seed must be"),
    ],
)
def test_what_is_wrong_is_said(how: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=says):
        simulate("orma", records=tmp_path / "none", **how)
    assert list(tmp_path.iterdir()) == []


def test_a_setup_says_how_many_players() -> None:
    setup = read_setup("orma", 3)
    assert simulate(setup, games=3, seed=1).players == 3
    with pytest.raises(ValueError, match="leave players out"):
        simulate(setup, 3)


def test_an_interrupt_leaves_no_file(tmp_path: Path) -> None:
    def interrupt(done: float) -> None:
        raise KeyboardInterrupt

    (tmp_path / "games").write_text("as before")
    with pytest.raises(KeyboardInterrupt):
        simulate("orma", games=2000, seed=1, records=tmp_path / "games", settings=LabSettings(progress=interrupt))
    assert [path.name for path in tmp_path.iterdir()] == ["games"]
    assert (tmp_path / "games").read_text() == "as before"


def test_records_go_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    simulate("orma", games=3, seed=1, records=tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert [tavolino.replay(record).over for record in read(tmp_path / "real")] == [True] * 3
