"""The figures of speed in the docs are those that were measured."""

import pytest

from tavolino.bench import BenchRow
from tavolino.engine.registry import GAMES
from tools import speed


def test_the_pages_say_what_was_measured() -> None:
    """Written anew from docs/data/speed.json, every page is the same; a row that misses its mark is not hidden."""
    runs = speed.read()
    said = speed.phrases(runs)
    quoted = set()
    for path in speed.pages():
        page = path.read_text("utf-8")
        assert speed.written(page, said) == page, f"{path.name} is stale: python -m tools.speed"
        quoted |= {found[2] for found in speed.PHRASE.finditer(page)}
    assert quoted == set(said), "a phrase that no page quotes"
    tables = said["tables"]
    assert tables.count("**missed**") == len({row.name for run in runs for row in run if row.holds is not True})
    for key in GAMES:
        assert key in tables


def test_ranges() -> None:
    assert speed.span([1.23e6, 2.5e6], speed.number) == "1.23 to 2.50 M"
    assert speed.span([900.0, 2500.0], speed.number) == "900 to 2.50 k"
    assert speed.span([2.04, 2.01], speed.times) == "2.0"
    assert speed.span([None, 3.0], speed.times) == "3.0"
    assert speed.span([None], speed.times) == "–"


def test_a_table_of_two_runs() -> None:
    runs = [
        [BenchRow("random play: orma 2p", 20e6, "moves/s", 4.0, 5e6, "the median", {"hearts": 5e6, "spades": 8e6})],
        [BenchRow("random play: orma 2p", 18e6, "moves/s", 4.0, 6e6, "the median", {"hearts": 6e6, "spades": 7e6})],
    ]
    table = "\n".join(speed.section("random play", runs))
    assert "| orma 2p | 18.0 to 20.0 M | 3.0 to 4.0 | 2.5 to 2.6 | ≥ 4 | **missed** in 1 of 2 runs |" in table
    assert "hearts 5.00 to 6.00 M, spades 7.00 to 8.00 M" in table
    alone = "\n".join(speed.section("state", [[BenchRow("state: orma", 441, "bytes", 512)]]))
    assert "| orma | 441 | ≤ 512 | holds |" in alone


def test_a_part_measured_anew_replaces_its_own_rows() -> None:
    old = [BenchRow("state: a", 1, "bytes", 5), BenchRow("start: a", 2, "s", 5), BenchRow("end: a", 3, "s", 5)]
    new = [BenchRow("play: a", 6, "s", 5), BenchRow("start: a", 4, "s", 5), BenchRow("start: b", 5, "s", 5)]
    assert [row.ours for row in speed.merge(old, new)] == [1, 4, 5, 3, 6], "in the same order, what is new at the end"


def test_an_unknown_phrase_is_refused() -> None:
    with pytest.raises(SystemExit, match="no phrase 'nothing'"):
        speed.written("<!-- speed nothing -->1<!-- /speed -->", {"rules": "2"})
