"""Pictures and words for moves, over random games of every kind."""

import io
import random
import re

import pytest
from rich.console import Console

from tavolino.play import plain_table
from tavolino.play.terminal import seat_names, table_of
from tests.cases import CASES, IDS, Case, random_move


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_pictures_fit_80_columns_and_moves_have_meanings(case: Case) -> None:
    game, rng, table = case.new(5), random.Random(5), table_of(case.key)
    names = seat_names(case.players, you=1)
    assert table is not plain_table
    assert table.HOW
    while not game.over:
        game.play(random_move(game, rng))
        if len(game.moves) % 8 and not game.over:
            continue  # drawing takes far longer than playing
        console = Console(file=io.StringIO(), width=80)
        console.print(table.picture([game.view(seat) for seat in range(case.players)], names))
        console.print(table.picture([game.view(1)], names))
        drawn = console.file.getvalue()  # type: ignore[attr-defined]
        assert max(map(len, drawn.splitlines())) <= 80
        assert "…" not in drawn or case.key == "orma"  # where it stands for an open row, not for text cut off
        assert all(f"seat {seat}" in drawn for seat in range(case.players))
        meanings = [table.meaning(game.view(game.to_move), game.offer_of(word)) for word in game.legal_moves[:50]]
        assert all(meanings)
    told = " ".join(table.ending(game.view(None), names))
    assert game.winners is not None
    assert all(f"eat {seat}" in told for seat in game.winners)
    assert all(str(abs(score)) in told for score in game.scores)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_picture_tells_no_secret(case: Case) -> None:
    """Two games that look alike to a seat are drawn alike."""
    game, rng, table = case.new(6), random.Random(6), table_of(case.key)
    names = seat_names(case.players)
    for _ in range(20):
        for seat in range(case.players) if len(game.moves) % 7 == 0 else ():
            texts = []
            for world in (game, game.redeal(seat, seed=1)):
                console = Console(file=io.StringIO(), width=80)
                console.print(table.picture([world.view(seat)], names))
                texts.append(console.file.getvalue())  # type: ignore[attr-defined]
            assert texts[0] == texts[1]
        game.play(random_move(game, rng))


def test_colour_is_never_alone() -> None:
    """Without colour the same text stands there."""
    for case in (Case("orma", 3), Case("out-of-sock", 3), Case("face-to-face", 2)):
        game, rng = case.new(7), random.Random(7)
        for _ in range(30):
            game.play(random_move(game, rng))
        texts = []
        for colours in (None, "truecolor"):
            console = Console(file=io.StringIO(), width=80, color_system=colours, force_terminal=True)
            with console.capture() as capture:
                console.print(table_of(case.key).picture([game.view(0)], seat_names(case.players)))
            texts.append(re.sub("\x1b[^m]*m", "", capture.get()))
        assert texts[0] == texts[1]


def test_a_game_without_a_picture_still_has_a_table() -> None:
    game = Case("orma", 2).new(1)
    console = Console(file=io.StringIO(), width=80)
    console.print(plain_table.picture([game.view(0)], seat_names(2)))
    while not game.over:
        game.play(game.legal_moves[0])
    assert "Scores: seat 0: " in plain_table.ending(game.view(None), seat_names(2))[1]
