"""What must hold for every game, number of players and option alike."""

import json
import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.engine import kernels
from tavolino.engine.registry import GAMES
from tavolino.testing import CHECKS
from tests.cases import CASES, IDS, Case, play_on, random_move
from tests.referee import referee
from tests.referee.selfplay import random_record

every_case = pytest.mark.parametrize("case", CASES, ids=IDS)


def unfinished(record: dict[str, Any], moves: int) -> dict[str, Any]:
    return {**record, "moves": record["moves"][:moves], "scores": None, "winners": None}


@every_case
@pytest.mark.parametrize("check", CHECKS)
def test_what_every_game_must_do(case: Case, check: str) -> None:
    """What `python -m tavolino.testing` checks for anybody's game holds for ours, by every setup."""
    CHECKS[check](case)


@every_case
def test_the_referee_agrees(case: Case) -> None:
    """Games played by the independent referee go the same way here, legal moves, scores and knowledge at every step."""
    rng = random.Random(str(case))
    options = {name: value for name, value in case.options.items() if name != "first"}
    for _ in range(8):
        record = random_record(case.key, case.players, options, rng)
        oracle = referee(record)
        game = tavolino.replay(unfinished(record, 0))
        for word in record["moves"]:
            assert (game.to_move, game.chance_due, game.over) == (oracle.to_move, oracle.chance_due, False)
            assert game.scores == compiled_scores(game) == oracle.scores
            legal = game.legal_moves
            if legal and (len(legal) < 1000 or rng.random() < 0.05):
                assert set(legal) == oracle.legal()
                assert len(set(legal)) == len(legal)
            seat = rng.choice([None, *range(case.players)])
            check_view(game.view(seat), oracle.knowledge(seat))
            game.play(word)
            oracle.play(word)
        assert (game.over, game.scores, game.winners) == (True, record["scores"], record["winners"])


def compiled_scores(game: tavolino.Game) -> list[int]:
    """Return the scores as the rules count them, not as people are told."""
    out = np.zeros(game.players, np.int64)
    kernels.scores_one(game._states, out)
    return out.tolist()


def check_view(view: dict[str, Any], knows: dict[str, Any]) -> None:
    """The view misses nothing that the referee says a seat knows."""
    for key in ("game", "seats", "seat", "to_move", "over", "scores", "winners", "moves"):
        assert view[key] == knows[key], key
    {"out-of-sock": check_socks, "face-to-face": check_piles, "orma": check_tree}[view["game"]](view, knows)


def check_socks(view: dict[str, Any], knows: dict[str, Any]) -> None:
    assert view["options"] == {"basket": knows["basket"], "sock_values": knows["sock_values"]}
    assert (view["phase"], view["chance_due"]) == (knows["phase"], knows["chance_due"])
    assert view["basket_holder"] == knows["basket_holder"]
    assert view["aim"] == knows["aim"]
    assert {p: deck["top"] for p, deck in view["decks"].items()} == knows["deck_tops"]
    assert {p: deck["left"] for p, deck in view["decks"].items()} == knows["deck_sizes"]
    dice = sorted(int(place) for place, deck in view["decks"].items() for _ in range(deck["dice"]))
    if view["phase"] == "choose":
        assert dice == knows["fallen_dice"]
    elif view["phase"] == "take":
        assert dice == knows["lying_dice"]
    assert [sorted(card for cards in columns.values() for card in cards) for columns in view["columns"]] == knows[
        "taken"
    ]
    assert [sum(suits.values()) for suits in view["suit_scores"]] == knows["scores"]
    assert view["tied"] == knows["tied"]


def check_piles(view: dict[str, Any], knows: dict[str, Any]) -> None:
    assert [{"ascending": p["up"], "descending": p["down"]} for p in view["piles"]] == knows["piles"]
    assert view["hand_sizes"] == knows["hand_sizes"]
    assert view["draw_piles"] == knows["draw_pile_sizes"]
    assert view["hand"] == knows["hand"]
    assert (view["turn"]["cards"], view["turn"]["helped"]) == (knows["laid_this_turn"], knows["helped_this_turn"])
    assert [len(cards) for cards in view["laid"]] == knows["scores"]


def check_tree(view: dict[str, Any], knows: dict[str, Any]) -> None:
    assert view["options"] == {"spare_blacks": knows["spare_blacks"]}
    rows = [{"colour": r["colour"], "start": r["from"], "length": r["length"], "end": r["to"]} for r in view["rows"]]
    assert rows == knows["rows"]
    assert len(view["blacks"]) == knows["blacks"]
    assert view["hand_sizes"] == knows["hand_sizes"]
    assert (view["stack"], view["drawing"], view["passes"]) == (
        knows["stack_size"],
        knows["has_drawn"],
        knows["passes_in_a_row"],
    )
    assert view["drawn"] == knows["drawn"]
    hand = view["hand"]
    assert (hand and sorted(colour for colour, n in hand.items() for _ in range(n))) == knows["hand"]


@every_case
def test_every_legal_move_plays_and_no_other_does(case: Case) -> None:
    """Of all words of the notation exactly the legal ones play; the others say why and change nothing."""
    rng = random.Random(str(case))
    words = list(GAMES[case.key].actions)
    few = [word for word in words if not word.startswith("roll:")]
    game = case.new(3)
    for _ in range(300):
        if game.over:
            break
        legal = set(game.legal_moves)
        if rng.random() < 0.15:
            before = json.dumps([game.record(), game.view(0), game.view(None)])
            for word in few + rng.sample(words, 20):
                if word in legal:
                    twin = game.copy()
                    twin.play(word)
                    assert word in twin.moves[len(game.moves) :]
                else:
                    with pytest.raises(tavolino.IllegalMove, match=r"\([SFO]\d\.\d"):
                        game.play(word)
            assert json.dumps([game.record(), game.view(0), game.view(None)]) == before
        game.play(random_move(game, rng))
    for word in few:
        with pytest.raises(tavolino.IllegalMove):
            play_on(game, rng).play(word)


@every_case
def test_waiting_for_dice(case: Case) -> None:
    """A replayed game stops right after a shake until it is rolled or a roll is typed."""
    game = tavolino.replay(unfinished(case.new(4).record(), 0), seed=9)
    rng = random.Random(4)
    waited = False
    for _ in range(30):
        if game.over:
            break
        if not game.chance_due:
            game.play(random_move(game, rng))
            continue
        waited = True
        assert game.to_move is None
        assert game.legal_moves == []
        with pytest.raises(tavolino.IllegalMove, match="time to roll the dice"):
            game.play("split")
        again = tavolino.replay(game.record(), seed=9)
        assert again.chance_due
        again.play("roll:2,3,3,5")
        assert again.moves[-1] == "roll:2,3,3,5"
        assert game.roll() == game.moves[-1]
    assert waited == (case.key == "out-of-sock" and case.options.get("basket") != "table")
    if not game.chance_due:
        with pytest.raises(tavolino.IllegalMove, match="no dice"):
            game.roll()


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_deal_leaves_nothing_of_the_game_before(case: Case) -> None:
    """Rules may count on zeros: a state that held anything else is dealt as an empty one is."""
    from tavolino.engine import kernels

    setup = case.new(1).setup
    dealt = []
    for filling in (0, 0x5A):
        states = np.frombuffer(bytearray([filling] * setup.game.rules.STATE.itemsize), setup.game.rules.STATE)
        kernels.deal_of_batch(states, case.players, -1, setup.codes, np.uint64(5), 0)
        dealt.append(states.tobytes())
    assert dealt[0] == dealt[1]


def test_streams_are_separate() -> None:
    """The names of streams mean what they say: another seat's deal or the stack can change alone."""
    from tavolino.engine import kernels
    from tavolino.play.seeds import streams

    rules = GAMES["face-to-face"].rules
    seeds = streams(1, "face-to-face", rules.STREAMS)
    decks = []
    for change in (None, 1, 2):
        mine = seeds.copy()
        if change:
            mine[change] += np.uint64(1)
        states = np.zeros(1, rules.STATE)
        kernels.deal_one(states, 2, 0, np.zeros(1, np.int64), mine)
        decks.append(states[0].deck.tolist())
    assert decks[1][0] != decks[0][0]
    assert decks[1][1] == decks[0][1]
    assert decks[2][0] == decks[0][0]
    assert decks[2][1] != decks[0][1]


def test_the_same_luck_whatever_the_aim() -> None:
    """In Out of Sock the dice that fall for a low aim fall for a higher one too, showing the same."""
    rolls = []
    for aim in range(2, 8):
        game = tavolino.new("out-of-sock", 2, 123, first=0)
        game.play(f"shake:{aim}")
        rolls.append(game.moves[1].removeprefix("roll:").split(","))
    for fewer, more in pairwise(rolls):
        for face in fewer:
            assert face == "" or more.count(face) >= fewer.count(face)
