"""Studies: known answers, the same numbers on any number of threads, a page that holds what it says."""

import json
import re
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tavolino.bots.policy_files import Layers, save_layers
from tavolino.cli.study import time_note
from tavolino.engine.registry import GAMES
from tavolino.lab import study
from tavolino.lab.luck import contest_of, luck_of, mirrored_shares, repeated_shares
from tavolino.lab.playing import play_games, read_lineup
from tavolino.lab.report import command_of, parts_of, plots_of, report
from tavolino.lab.settings import LabSettings
from tavolino.lab.studies import Study
from tavolino.lab.tally import tally
from tavolino.play.setup import read_setup
from tavolino.workers.threads import Threads


@pytest.fixture(scope="module")
def small() -> Study:
    return study("orma", 3, 40, 7, vary=("spare_blacks", ["mixed", 0]), settings=LabSettings(1))


def test_a_study_in_detail_goes_on_where_it_was_stopped(small: Study, tmp_path: Path) -> None:
    """Ctrl-C in the middle: what was found is in the file, and is not played again; all numbers are the same."""
    notes = tmp_path / "notes.json"
    again = partial(study, "orma", 3, 40, vary=("spare_blacks", ["mixed", 0]), notebook=notes)

    def stop(done: float) -> None:
        if notes.exists() and "luck" in json.loads(notes.read_bytes())["found"]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        again(7, settings=LabSettings(1, stop))
    kept = notes.read_bytes()
    found = again(settings=LabSettings(1))  # the seed is that of the file
    assert found == small
    assert report(found) == report(small)
    there = json.loads(notes.read_bytes())["found"]
    assert there.items() > json.loads(kept)["found"].items()
    assert again(7, settings=LabSettings(1)) == small
    with pytest.raises(ValueError, match="differs in: games"):
        study("orma", 3, 41, 7, notebook=notes)


def test_any_number_of_threads_gives_the_same() -> None:
    one, three = (study("face-to-face", games=20, seed=3, settings=LabSettings(n)) for n in (1, 3))
    assert one == three
    lineup = read_lineup("orma", 2, {}, ["greedy", "random"])
    found = luck_of(lineup, 3, 40, Threads(1))
    assert luck_of(lineup, 3, 40, Threads(3)) == found
    assert luck_of(lineup, 4, 40, Threads(2)) != found


@pytest.mark.parametrize(("game", "players"), [("face-to-face", 2), ("orma", 4), ("out-of-sock", 3)])
def test_equal_players_have_equal_chances(game: str, players: int) -> None:
    found = tally(read_lineup(game, players, {}, ["random"]), np.uint64(11), 3000, Threads(1))
    for bot in found.bots:  # by seat: a random one starts, so all are alike
        assert bot.wins.low - 0.01 < 1 / players < bot.wins.high + 0.01
    assert sum(place.wins.value for place in found.places) == pytest.approx(1)
    assert sum(share.value for share in found.endings.values()) == pytest.approx(1)


def test_numbers_are_those_of_simulate() -> None:
    from tavolino.lab.simulate import simulate
    from tavolino.play.seeds import derive

    theirs = simulate("orma", 2, 500, 5, bots=["greedy"])
    mine = tally(read_lineup("orma", 2, {}, ["greedy"]), np.uint64(derive(5, "orma", "simulate")), 500, Threads(2))
    assert mine.length.mean.value == theirs.length.mean
    assert [bot.wins.value for bot in mine.bots] == pytest.approx(theirs.win_rate)
    assert [bot.points.mean.value for bot in mine.bots] == [points.mean for points in theirs.points]
    assert {name: share.value for name, share in mine.endings.items()} == {
        name: ending.share for name, ending in theirs.endings.items()
    }


def test_repeated_plays_find_what_was_put_in() -> None:
    rng = np.random.default_rng(1)
    deals, plays = 1500, 4
    results = rng.normal(0, 1, (deals, 1, 1)) + rng.normal(0, 3**0.5, (deals, plays, 1))
    found = repeated_shares(results, 1)
    for name, true in (("deal", 0.25), ("after", 0.75)):
        assert found[name].low < true < found[name].high
        assert found[name].half < 0.06
    assert sum(part.value for part in found.values()) == pytest.approx(1)
    for seed in range(20):  # nothing is in the deal: that is found, and how far it is sure
        none = repeated_shares(np.random.default_rng(seed).normal(0, 1, (50, plays, 1)), 1)["deal"]
        assert none.value < 0.25
        assert none.high > 0.02


def test_mirrored_variance_tells_skill_from_deal() -> None:
    deals = 200
    skill = np.zeros((deals, 2, 2))
    skill[:, 0, 0] = skill[:, 1, 1] = 1  # whoever is better wins
    assert mirrored_shares(skill, 1)["skill"].value == pytest.approx(1)
    deal = np.zeros((deals, 2, 2))
    deal[: deals // 2, :, 0] = deal[deals // 2 :, :, 1] = 1  # the seat with the better cards wins
    assert mirrored_shares(deal, 1)["deal"].value == pytest.approx(1, abs=0.01)
    chance = np.zeros((deals, 2, 2))
    wins = np.random.default_rng(2).integers(0, 2, (deals, 2))
    np.put_along_axis(chance, wins[:, :, None], 1, axis=2)
    assert mirrored_shares(chance, 1)["rest"].value > 0.8


def test_the_better_bot_wins_and_equal_ones_share() -> None:
    lineup = read_lineup("face-to-face", 2, {}, ["greedy"])
    better = contest_of(lineup, ("greedy", "random"), 1, 60, Threads(2))
    assert better.wins.low > 0.8
    assert better.variance["skill"].value > 0.5
    assert contest_of(lineup, ("greedy", "greedy"), 1, 40, Threads(1)).wins.value == 0.5


def test_varying_an_option_changes_what_it_must(small: Study) -> None:
    assert small.variation is not None
    mixed, none = small.variation.variants
    assert (mixed.value, none.value) == ("mixed", "0")
    assert mixed.differences == {}
    assert none.differences["length"].high < 0  # without spare blacks the stack is shorter
    assert mixed.tally == small.tally  # the default, with the same seed
    plain = study("out-of-sock", 2, 8, 1, vary=("basket", ["aimed", "plain"]), settings=LabSettings(1))
    assert plain.variation is not None
    assert plain.variation.variants[0].tally.length.mean.value > plain.variation.variants[1].tally.length.mean.value


def test_what_is_followed_adds_up(small: Study) -> None:
    leads = small.followed.leads
    assert leads.leader_wins[-1].value.value > 0.5  # most points win
    assert [point.at for point in leads.leader_wins] == sorted({point.at for point in leads.leader_wins})
    assert small.decided.winner[-1].at == small.tally.length.high
    assert small.decided.winner[-1].value.value > small.decided.winner[0].value.value
    titles = {effects.title: effects for effects in small.followed.effects}
    laid = titles["Tokens by the length they make"]
    assert not laid.random
    assert titles["Opening hand"].random
    assert small.followed.unused is not None
    assert dict(small.followed.unused.items)["coloured"].value < 1


def test_in_out_of_sock_all_cards_are_taken_or_left() -> None:
    found = study("out-of-sock", 2, 8, 2, settings=LabSettings(1))
    taken = next(effects for effects in found.followed.effects if effects.title == "Cards taken")
    assert found.followed.unused is not None
    left = dict(found.followed.unused.items)
    there = {"2 socks": 12, "4 socks": 12, "6 socks": 6, "8 socks": 6, "double": 12, "conversion": 18, "ban": 6}
    for item in taken.items:
        assert item.number * 2 == pytest.approx(there[item.name] * (1 - left[item.name].value))


def read_page(html: str) -> ET.Element:
    """Parse a page: it must be well-formed, and ask for nothing from elsewhere."""
    root = ET.fromstring(html.removeprefix("<!DOCTYPE html>\n"))
    for element in root.iter():
        for name, value in element.attrib.items():
            assert name not in ("src", "href", "onclick", "onload"), (element.tag, name, value)
    links = re.findall(r"https?://[^\"'< )]+", html)
    assert set(links) <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in html
    assert "url(" not in html
    assert "prefers-color-scheme:dark" in html
    return root


def test_the_page_is_whole_and_holds_the_numbers(small: Study) -> None:
    html = report(small)
    assert html == report(small)
    root = read_page(html)
    data = root.find(".//script")
    assert data is not None
    assert data.attrib["type"] == "application/json"
    assert json.loads(data.text or "") == json.loads(json.dumps(small.as_json()))
    text = " ".join(root.itertext())
    for place in small.tally.places:
        assert f"{100 * place.wins.value:.2f} % ({100 * place.wins.low:.2f} to {100 * place.wins.high:.2f})" in text
    for match in small.ladder:
        assert f"{100 * match.wins.value:.1f} %" in text
    assert command_of(small) in text
    assert len(root.findall(".//{http://www.w3.org/2000/svg}svg")) == sum(len(part.plots) for part in parts_of(small))
    assert len(root.findall(".//section")) >= 10


def test_every_plot_stands_alone(small: Study) -> None:
    found = plots_of(small)
    assert {"start", "length", "luck", "vary-skill"} <= set(found)
    for name, svg in found.items():
        root = ET.fromstring(svg)
        assert "prefers-color-scheme" in svg
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for text in root.iter("{http://www.w3.org/2000/svg}text"):
            assert -8 <= float(text.attrib["x"]) <= width - 8, (name, text.text)
            assert -30 < float(text.attrib["y"]) <= height - 30, (name, text.text)


def test_what_cannot_be_studied_is_said() -> None:
    for arguments, reason in (
        ({"bots": ["deep"]}, "no player 'deep'"),
        ({"bots": ["greedy", "greedy", "greedy"]}, "1 to 2 names"),
        ({"vary": ("spare_blacks", ["mixed"])}, "at least two values"),
        ({"vary": ("spare_blacks", ["mixed", 99])}, "spare_blacks must be"),
        ({"vary": ("spares", [1, 2])}, "no option 'spares'"),
        (
            {"game": read_setup("orma", options={"spare_blacks": 2}), "vary": ("spare_blacks", [0, 1])},
            "given and varied",
        ),
        ({"game": read_setup("orma", first=0)}, "a random seat starts"),
        ({"games": 0}, "games must be"),
    ):
        with pytest.raises(ValueError, match=reason):
            study(**{"game": "orma", "seed": 1, "games": 5, **arguments})  # type: ignore[arg-type]


def test_bots_that_think_are_studied_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same on any number of threads; progress goes up to 1; and thinking, if only a little, beats chance."""
    monkeypatch.setattr("tavolino.bots.players.SEARCH_SIMULATIONS", 8)
    told: list[float] = []
    one = study("face-to-face", games=8, seed=3, bots=["search", "random"], settings=LabSettings(1, told.append))
    assert one == study("face-to-face", games=8, seed=3, bots=["search", "random"], settings=LabSettings(3))
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1)
    assert one.decided.replays == 2
    assert [bot.name for bot in one.tally.bots] == ["search", "random"]
    assert one.tally.bots[0].wins.value > 0.5
    note = time_note(read_lineup("face-to-face", 2, {}, ["search"]), 200, 0, Threads(2))
    assert "200 games" not in note  # all of them are counted, not those of the first part alone
    assert "on 2 cores" in note


def test_a_bot_of_your_own_is_studied(tmp_path: Path) -> None:
    """Its games are those it chose; the process is let go with each piece of work."""
    bot = tmp_path / "first.py"
    bot.write_text("def choose(view, legal_moves):\n    return legal_moves[0]\n")
    lineup = read_lineup("orma", 2, {}, ["greedy", str(bot)])
    assert lineup.thinks
    played = play_games(lineup, np.uint64(1), 0, 1, room=400)
    assert played.states["over"].all()
    assert "so less than a minute on 2 cores" in time_note(lineup, 20, 0, Threads(2))
    with pytest.raises(ValueError, match="no player 'nobody'"):
        read_lineup("orma", 2, {}, ["nobody"])


def test_a_policy_in_a_file_is_studied(tmp_path: Path) -> None:
    """A learnt network, as ONNX: its share of wins is told, by the file's name without its folders."""
    key, policy = "orma", tmp_path / "my.onnx"
    actions = np.array(sorted(action for action in GAMES[key].people.WORDS if action < GAMES[key].rules.ROLLED))
    weights, biases = np.zeros((0, len(actions)), np.float32), -actions.astype(np.float32)
    save_layers(policy, Layers([weights], [biases], np.zeros(0, np.int64), actions), key)
    found = study(key, 2, 8, 1, bots=[str(policy), "greedy"], settings=LabSettings(1))
    assert [bot.name for bot in found.tally.bots] == [str(policy), "greedy"]
    assert sum(bot.wins.value for bot in found.tally.bots) == pytest.approx(1)
    assert ">my.onnx (0)</text>" in report(found)


def test_numbers_of_players_are_compared() -> None:
    found = study("orma", 2, 8, 1, vary=("players", [2, 3]), settings=LabSettings(1))
    assert found.variation is not None
    assert [len(variant.tally.places) for variant in found.variation.variants] == [2, 3]
    two, three = found.variation.variants
    above = [one.tally.places[0].wins.value - 1 / n for n, one in ((2, two), (3, three))]
    assert three.differences["start"].value == pytest.approx(above[1] - above[0]), "above what is fair at each table"
    html = report(found)
    assert "Wins of whoever starts, less a fair share" in html, "two tables have no fair share in common"
    better = re.findall(r"wins more often with <b>\d</b>, (\S+) \(.*? than with <b>\d</b>, (\S+) \(", html)
    assert all(float(one) > float(other.replace("−", "-")) for one, other in better)


def test_a_bot_of_ones_own_that_fails_is_named(tmp_path: Path) -> None:
    """With its last words, and no traceback of ours."""
    bot = tmp_path / "my_bot.py"
    bot.write_text("def choose(view):\n    return 1\n")
    with pytest.raises(ValueError, match=r"my_bot\.py failed after 0 moves: .*positional argument"):
        study("face-to-face", 2, 1, 1, bots=[str(bot)])
