"""Who may take back what: `Game.may_undo`."""

import random
from typing import Any

import pytest

import tavolino
from tests.cases import CASES, IDS, Case, random_move
from tests.games.tables import duel, orma, sock

REVEALS = {"cards_drawn", "token_drawn", "dice_rolled", "card_taken", "game_over"}


def obvious(game: tavolino.Game, seat: int | None) -> int:
    """Count by telling the whole game again."""
    told = tavolino.replay({**game.record(), "moves": [], "scores": None, "winners": None})
    free: list[bool] = []
    drew = False  # in this turn of Orma
    for word in game.moves:
        types = {event["type"] for event in told.tell(word)}
        drew = word == "draw" or (drew and free != [] and told.movers[-1] == told.movers[-2])
        passed = "turn_began" in types and game.key == "face-to-face"
        free.append(not (types & REVEALS or drew or passed))
    n = 0
    for mover, may in zip(reversed(game.movers), reversed(free), strict=True):
        if mover is None or mover != seat or not may:
            break
        n += 1
    return n


def check(game: tavolino.Game) -> int:
    """Compare with the obvious count, for all seats, in a copy and after a replay too; return the largest."""
    seats: list[Any] = [None, *range(game.players)]
    want = [obvious(game, seat) for seat in seats]
    for same in (game, game.copy(), tavolino.replay(game.record())):
        for _ in range(2):
            assert [same.may_undo(seat) for seat in seats] == want
    return max(want)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_what_may_be_taken_back(case: Case) -> None:
    """As many moves as the obvious count says, after moves, undos, copies and replays; each undo leaves one fewer."""
    rng = random.Random(str(case))
    game = case.new(3)
    seen = set()
    for _ in range(35):
        if game.over:
            break
        game.play(random_move(game, rng))
        n = check(game)
        seen.add(n)
        if n and rng.random() < 0.3:
            mover = game.movers[-1]
            game.undo()
            check(game)
            assert game.may_undo(mover) == n - 1
    assert 0 in seen
    assert 1 in seen


def test_a_lay_of_orma_until_someone_else_moves() -> None:
    """Laying passes the turn on; it may be taken back until the next player moves."""
    game = orma("green@b0", hands=("green", "red"))
    assert [game.may_undo(seat) for seat in (0, 1, None)] == [1, 0, 0]
    game.play("red@b0")
    assert [game.may_undo(seat) for seat in (0, 1)] == [0, 1]
    game.undo()
    assert [game.may_undo(seat) for seat in (0, 1)] == [1, 0]


@pytest.mark.parametrize("then", ["", "keep", "green@b0"])
def test_a_turn_of_orma_with_a_draw_stays(then: str) -> None:
    """Neither the draw nor what was done with the token may be taken back."""
    assert orma(f"draw {then}", hands=("", ""), stack="green").may_undo(0) == 0


def test_cards_until_the_turn_ends() -> None:
    """Each card laid in this turn may be taken back, until the draw."""
    game = duel("u20 d40", decks=("20 40 30", ""))
    assert game.may_undo(0) == 2
    game.play("u30")
    assert game.may_undo(0) == 3
    game.undo()
    assert game.may_undo(0) == 2
    game.play("end")
    assert [game.may_undo(seat) for seat in (0, 1)] == [0, 0]


def test_a_split_until_a_card_is_taken() -> None:
    """The way may be chosen again; dice and cards stay."""
    game = sock("roll:2,3")
    assert game.may_undo(0) == 0
    game.play("split")
    assert game.may_undo(0) == 1
    game.play("take:2")
    assert game.may_undo(0) == 0
    assert sock("roll:2,3 single").may_undo(0) == 0


def test_a_seat_that_is_none() -> None:
    """A wrong seat is refused."""
    with pytest.raises(ValueError, match="seat must be"):
        orma().may_undo(2)
