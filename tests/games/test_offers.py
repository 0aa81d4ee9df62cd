"""What moves offer: every legal one, and what they promise is what happens."""

import random
from itertools import product
from typing import Any

import msgspec
import pytest

import tavolino
from tests.cases import CASES, IDS, Case, random_move
from tests.games.tables import duel, sock

every_case = pytest.mark.parametrize("case", CASES, ids=IDS)
Told = list[dict[str, Any]]


def of_type(events: Told, *kinds: str) -> Told:
    return [event for event in events if event["type"] in kinds]


def keeps_card_game(offer: dict[str, Any], events: Told, game: tavolino.Game) -> None:
    if offer["word"] == "end":
        assert sum(event["count"] for event in of_type(events, "cards_drawn")) == offer["draws"]
    else:
        assert {"type": "card_laid", **offer}.items() <= {**events[0], "word": offer["word"]}.items()


def keeps_orma(offer: dict[str, Any], events: Told, game: tavolino.Game) -> None:
    assert offer.get("ends", False) == game.over == bool(of_type(events, "game_over"))
    if "place" in offer:
        assert offer["word"] == f"{offer['colour']}@{offer['place']}"
        assert {"colour": offer["colour"], "place": offer["place"]}.items() <= events[0].items()
        assert sum(event["points"] for event in of_type(events, "points_scored")) == offer["points"]
        assert offer["closes"] == bool(of_type(events, "row_closed"))
    elif offer["word"] == "draw":
        assert events[0]["stack"] == offer["stack"]
    else:
        assert offer.keys() == ({"word", "ends"} if offer["word"] == "pass" else {"word"})


def keeps_socks(offer: dict[str, Any], events: Told, game: tavolino.Game) -> None:
    kind = offer["word"].partition(":")[0]
    ended = bool(of_type(events, "game_over", "winner_sought"))
    taken = of_type(events, "card_taken")
    if kind == "shake":
        assert events[0]["aim"] == offer["aim"]
        assert offer["chances"][str(len(of_type(events, "dice_rolled")[0]["dice"]))] > 0
        assert 0 < offer["skip"] < 1
    elif kind == "winner":
        assert events[0]["winner"] == offer["seat"]
        assert game.winners == [offer["seat"]]
    elif kind == "roll":
        assert (offer["type_in"], offer["faces"], offer["most"]) == (True, [2, 3, 4, 5, 6, 7], 8)
    elif kind == "split":
        rng, got = random.Random(offer["word"]), dict.fromkeys(offer["cards"], 0)
        while not ended and game.legal_moves[0].startswith("take"):
            seat = game.to_move
            events = game.tell(rng.choice(game.legal_moves))
            got[str(seat)] += len(of_type(events, "card_taken"))
            ended = bool(of_type(events, "game_over", "winner_sought"))
            if of_type(events, "round_began"):
                break
        assert ended == offer["ends"]
        assert got == offer["cards"] or (ended and all(got[seat] <= offer["cards"][seat] for seat in got))
    else:
        assert ended == offer["ends"]
        assert (taken[0]["deck"], taken[0]["card"]) == (offer["deck"], offer["card"])
        if kind == "take":
            assert taken[0]["suit"] == offer["suit"]
            assert sum(event["change"] for event in of_type(events, "points_changed")) == offer["points"]
        else:
            changes = of_type(events, "points_changed")
            assert len(taken) > 1 or sum(event["change"] for event in changes) == offer["points"]
            assert {seat: n for seat, n in offer["cards"].items() if n} == {str(taken[0]["seat"]): len(taken)}


KEEPS = {"face-to-face": keeps_card_game, "orma": keeps_orma, "out-of-sock": keeps_socks}


@every_case
def test_offers_keep_their_word(case: Case) -> None:
    """There is an offer for each legal move (one for all dice typed in), and what each promises then happens."""
    for seed in range(2):
        rng = random.Random(f"{case} {seed}")
        game = case.new(seed)
        while not game.over:
            offers = game.offers
            msgspec.json.encode(offers)
            words = [offer["word"] for offer in offers]
            assert words == (["roll:"] if game.legal_moves[0] == "roll:" else game.legal_moves)
            for offer in rng.sample(offers, min(3, len(offers))):
                copy = game.copy()
                KEEPS[case.key](offer, copy.tell(offer["word"]), copy)
            game.play(random_move(game, rng))
        assert game.offers == []


@pytest.mark.clause("F2.2", "F3.2", "F4.2")
def test_offers_of_cards() -> None:
    """A step back gains ten, a gift says what it gives, `end` says what it draws."""
    game = duel("u20 d40", decks=("20 40 10 50 5 3", ""))
    offers = {offer.pop("word"): offer for offer in game.offers}
    assert offers["u10"] == {"card": 10, "pile": "up", "of": 0, "gap": -10, "back": True, "gift": False}
    assert offers["d50"] == {"card": 50, "pile": "down", "of": 0, "gap": -10, "back": True, "gift": False}
    assert offers["u50"] == {"card": 50, "pile": "up", "of": 0, "gap": 30, "back": False, "gift": False}
    assert offers["d10"] == {"card": 10, "pile": "down", "of": 0, "gap": 30, "back": False, "gift": False}
    assert offers["end"] == {"draws": 2}
    gift = duel("u20 d40 end u3", decks=("20 40 10 50 5 4", "3 5 58 30")).offers
    assert next(offer for offer in gift if offer["word"] == "D58") == {
        "word": "D58",
        "card": 58,
        "pile": "down",
        "of": 0,
        "gap": 18,
        "back": False,
        "gift": True,
    }


@pytest.mark.clause("S3.3")
def test_the_chances_of_the_basket() -> None:
    """Each number of dice is as likely as all ways in which so many of eight fall, each with probability n/8."""
    for offer in tavolino.new("out-of-sock", 2, 1).offers:
        likely = dict.fromkeys(offer["chances"], 0.0)
        for falls in product((0, 1), repeat=8):
            n = sum(falls)
            likely[str(n)] += (offer["aim"] / 8) ** n * (1 - offer["aim"] / 8) ** (8 - n)
        assert offer["chances"] == pytest.approx(likely)
        assert offer["skip"] == pytest.approx(sum(likely[n] for n in "018"))  # S3.1


@pytest.mark.clause("S4.2", "S5.1", "S5.2", "S8.1")
def test_split_or_single_in_cards() -> None:
    """How many cards each seat gets either way, and whether the game would end."""
    game = sock("roll:2,3,3,5", decks={4: "red:8"})
    assert game.offers == [
        {"word": "split", "cards": {"0": 2, "1": 1, "2": 1}, "ends": False},
        {"word": "single", "cards": {"0": 2, "1": 0, "2": 0}, "deck": 4, "card": "red:8", "points": 8, "ends": False},
    ]
    last = sock("roll:2,2 single " * 5 + "roll:2,2")
    assert [offer["ends"] for offer in last.offers] == [True, True]
    assert last.offers[0]["cards"] == {"2": 1, "0": 1, "1": 0}
