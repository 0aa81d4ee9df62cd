"""The ladder of docs/bots.md is made by a command."""

from dataclasses import replace
from pathlib import Path

from tools import ladder


def test_a_small_ladder(tmp_path: Path) -> None:
    """Matches are played once, kept, and written between the marks of the page, the rest of which stays."""
    data, page, beside = tmp_path / "ladder.json", tmp_path / "bots.md", tmp_path / "README.md"
    page.write_text(f"before\n{ladder.BEGIN}old\n{ladder.END}after\n")
    kinds = (
        next(match for match in ladder.MARKS if match.bots == ("medium", "easy")),
        next(match for match in ladder.STRENGTHS if match.key == "orma"),
        replace(ladder.LADDERS[0], bots=("easy", "medium", "hard")),
    )
    results = ladder.run(kinds, data, most=3, workers=1, work=tmp_path / "work")
    assert set(results) == {match.name for match in kinds}
    written = data.read_bytes()
    ladder.run(kinds, data, most=1, workers=1, work=tmp_path / "work")
    assert data.read_bytes() == written  # nothing is played twice
    ladder.write(results, page, beside, tmp_path)
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "| `medium` against `easy` |" in text
    assert "| orma, 2 |" in beside.read_text()


def test_the_page_is_what_the_data_say(tmp_path: Path) -> None:
    """Made anew from the data, docs/bots.md and the page beside the networks are the same."""
    page, beside = tmp_path / "bots.md", tmp_path / "README.md"
    page.write_text(ladder.PAGE.read_text())
    results = ladder.read(ladder.DATA)
    ladder.write(results, page, beside, tmp_path)
    assert page.read_text() == ladder.PAGE.read_text()
    assert beside.read_text() == ladder.NETWORKS.read_text()
    drawn = {ladder.picture_name(match) for match in ladder.shown(results)}
    assert (
        drawn
        == {path.name for path in tmp_path.glob("*.svg")}
        == {path.name for path in ladder.PICTURES.glob("ladder-*")}
    )
    for name in drawn:
        assert f"(img/{name})" in page.read_text()
        assert (tmp_path / name).read_text() == (ladder.PICTURES / name).read_text()


def test_ratings_say_what_the_matches_say() -> None:
    """Each pair met often enough; nobody is rated above another that clearly beats it in a match."""
    results = ladder.read(ladder.DATA)
    for match in (one for one in ladder.LADDERS if one.name in results):
        found = results[match.name]
        assert found["deals"] >= ladder.deals_of(len(match.bots), match.players)
        rating = {bot["name"]: bot["rating"] for bot in found["bots"]}
        for other in ladder.MARKS + ladder.STRENGTHS:
            reached = ladder.score(results, other)
            if reached and (other.key, other.players) == (match.key, match.players) and set(other.bots) <= set(rating):
                better, worse = (rating[bot] for bot in other.bots)
                fair = 1 / other.players
                assert reached[1][0] <= fair or better > worse, other
                assert reached[1][1] >= fair or better < worse, other


def test_how_many_deals_make_a_pair_meet() -> None:
    assert ladder.deals_of(4, 2) == 6 * ladder.PAIR_DEALS
    assert ladder.deals_of(4, 4) == ladder.PAIR_DEALS  # all sit together
