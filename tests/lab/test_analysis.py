"""The analysis of a game: luck and skill add up, nothing hidden is used, known answers, broken records."""

import json
from typing import Any

import pytest

import tavolino
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.lab import analyse
from tavolino.lab.analysis import Analysis
from tavolino.lab.analysis_page import analysis_page
from tavolino.play.records import BadRecord
from tests.lab.test_studies import read_page

TRIES = 6


def played(game: str, players: int, seed: int, moves: int | None = None, **options: Any) -> dict[str, Any]:
    """Return the record of a game between greedy players, or of its first moves."""
    made = tavolino.new(game, players, seed=seed, **options)
    bot = builtin("greedy")
    while (seat := made.to_move) is not None and (moves is None or len(made.moves) < moves):
        made.play(bot.choose(Position(made, seat, f"{seed}/{len(made.moves)}")))
    return made.record()


def adds_up(found: Analysis) -> None:
    """Check that luck and skill lead from the start to the end, step by step and in all."""
    chances = [estimate.value for estimate in found.start]
    for step in found.steps:
        for seat in range(found.players):
            change = step.skill[seat] + step.drawn[seat] + step.others[seat]
            assert step.chances[seat].value - chances[seat] == pytest.approx(change, abs=1e-9)
            assert step.skill[seat] == 0 or step.seat == seat
        chances = [estimate.value for estimate in step.chances]
    for one in found.seats:
        assert one.start.value + one.skill.value + one.luck.value == pytest.approx(one.end.value, abs=1e-9)
        assert one.luck.value == pytest.approx(one.drawn.value + one.others.value, abs=1e-9)
        assert one.skill.value == pytest.approx(sum(step.skill[one.seat] for step in found.steps), abs=1e-9)
        assert one.end.value == pytest.approx(chances[one.seat])


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("face-to-face", 2, {}),
        ("orma", 2, {"spare_blacks": 3}),
        ("orma", 5, {}),
        ("out-of-sock", 2, {"basket": "plain"}),
        ("out-of-sock", 4, {}),
    ],
)
def test_luck_and_skill_add_up_to_the_result(game: str, players: int, options: dict[str, Any]) -> None:
    record = played(game, players, 3, **options)
    found = analyse(record, tries=TRIES)
    adds_up(found)
    assert found.over
    assert [step.word for step in found.steps] == record["moves"]
    for one in found.seats:
        share = 1 / len(record["winners"]) if one.seat in record["winners"] else 0
        assert one.end.value == one.end.low == one.end.high == share
    for step in found.steps:
        if step.judged and step.judged.verdict == "best":
            assert step.judged.loss.value == 0
        if step.seat is not None and not step.news and step.word != "end" and step is not found.steps[-1]:
            # A move that brings nothing to light is no luck for the one who made it, to the last digit.
            # (`end` in Face to Face may show, without a draw, that the other can lay two.)
            assert abs(step.drawn[step.seat]) < 1e-9, step


def test_any_number_of_threads_gives_the_same_and_another_seed_something_else() -> None:
    record = played("orma", 3, 5, moves=12)
    one, two = (analyse(record, tries=30, threads=n) for n in (1, 3))
    assert one == two
    assert analyse(record, tries=30, seed=2) != one


def test_an_unfinished_game_is_analysed_up_to_its_last_move() -> None:
    for game, players in (("out-of-sock", 2), ("face-to-face", 2)):
        found = analyse(played(game, players, 4, moves=5), tries=TRIES)
        adds_up(found)
        assert not found.over
        assert found.winners is None
        assert all(0 < one.end.value < 1 for one in found.seats)
        assert "not over" in analysis_page(found)
    empty = analyse(played("orma", 2, 4, moves=0), tries=TRIES)
    assert empty.steps == []
    adds_up(empty)
    read_page(analysis_page(empty))


def test_a_broken_record_is_told() -> None:
    record = played("orma", 2, 1, moves=3)
    with pytest.raises(BadRecord, match="move 2"):
        analyse({**record, "moves": [record["moves"][0], "black@b0"]}, tries=TRIES)
    with pytest.raises(BadRecord, match="moves is missing"):
        analyse({key: value for key, value in record.items() if key != "moves"}, tries=TRIES)


def named() -> dict[str, Any]:
    """Return the record of a game in which the basket holder is among the tied, and may name the winner."""
    for seed in range(400):
        game = tavolino.new("out-of-sock", 4, seed=seed, sock_values=[2] * 6)
        bot = builtin("random")
        while (seat := game.to_move) is not None:
            if f"winner:{seat}" in game.legal_moves:
                game.play(next(word for word in game.legal_moves if word != f"winner:{seat}"))
                return game.record()
            game.play(bot.choose(Position(game, seat, f"{seed}/{len(game.moves)}")))
    raise AssertionError("no such game")


def test_giving_the_win_away_is_the_worst_of_blunders() -> None:
    record = named()
    found = analyse(record, tries=TRIES)
    step = found.steps[-1]
    assert step.judged is not None
    assert step.seat is not None
    assert step.judged.best == f"winner:{step.seat}"
    assert step.judged.loss.value == 1
    assert step.judged.verdict == "blunder"
    assert step.skill[step.seat] == pytest.approx(-1)
    assert found.seats[step.seat].blunders >= 1


def test_nothing_hidden_is_used_to_judge() -> None:
    """Two games that look alike to a seat: its chances and what is best for it are the same in both."""
    record = played("face-to-face", 2, 8, moves=9)
    game = tavolino.replay(record)
    seat = game.to_move
    assert seat is not None
    twin = game.redeal(seat, seed=5)
    assert twin.record()["deal"] != record["deal"]
    word = game.legal_moves[0]
    game.play(word)
    twin.play(word)
    one, two = (analyse(each.record(), tries=10).steps[-1].judged for each in (game, twin))
    assert one == two


def test_the_page_is_whole_and_holds_the_numbers() -> None:
    found = analyse(played("out-of-sock", 2, 6), tries=TRIES)
    html = analysis_page(found)
    assert html == analysis_page(found)
    root = read_page(html)
    data = root.find(".//script")
    assert data is not None
    assert json.loads(data.text or "") == json.loads(json.dumps(found.as_json()))
    text = " ".join(root.itertext())
    for one in found.seats:
        assert f"{one.best} of {one.decisions}" in text
    assert f"{TRIES} worlds" in text
    assert "luck" in text
