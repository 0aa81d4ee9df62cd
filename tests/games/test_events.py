"""What moves tell: enough to follow the table by, nothing that a seat may not know, and all of it documented."""

import random
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tavolino
from tavolino.play.telling import events_for
from tests.cases import CASES, IDS, Case, random_move
from tests.games.tables import duel, orma, sock

every_case = pytest.mark.parametrize("case", CASES, ids=IDS)
View = dict[str, Any]
Told = list[dict[str, Any]]
DOCS = Path(__file__).parents[2] / "docs" / "python.md"


def follow_card_game(view: View, event: dict[str, Any]) -> None:
    """Keep a table of Face to Face up to date."""
    seat = event.get("seat")
    match event["type"]:
        case "card_laid":
            assert view["piles"][event["of"]][event["pile"]] == event["top_before"]
            view["piles"][event["of"]][event["pile"]] = event["card"]
            view["laid"][seat] = sorted([*view["laid"][seat], event["card"]])
            view["hand_sizes"][seat] -= 1
            view["scores"][seat] = event["total"]
            view["turn"]["cards"] += 1
            view["turn"]["helped"] |= event["gift"]
            if seat == view["seat"]:
                view["hand"].remove(event["card"])
        case "cards_drawn":
            view["hand_sizes"][seat] += event["count"]
            view["draw_piles"][seat] -= event["count"]
            if seat == view["seat"]:
                view["hand"] = sorted(view["hand"] + event["cards"])
        case "turn_ended":
            assert view["to_move"] == seat
        case "turn_began":
            view["turn"] = {"cards": 0, "helped": False}
        case "game_over":
            view["turn"] = None


def follow_orma(view: View, event: dict[str, Any]) -> None:
    """Keep a table of Orma up to date."""
    seat, mine = event.get("seat"), event.get("seat") == view["seat"]
    match event["type"]:
        case "token_laid":
            if event["row"] == len(view["rows"]):
                start = int(event["place"][1:])
                view["rows"].append({"colour": event["colour"], "length": 0, "from": start, "to": None})
                view["blacks"][start]["rows"].append(event["row"])
            view["rows"][event["row"]]["length"] = event["length"]
            view["hand_sizes"][seat] -= 1
            assert event["drawn"] == view["drawing"]
            view.update(drawing=False, drawn=None, passes=0)
            if mine:
                view["hand"][event["colour"]] -= 1
        case "row_closed":
            view["rows"][event["row"]]["to"] = event["black"]
            assert event["black"] == len(view["blacks"])
            view["blacks"].append({"rows": [event["row"]]})
        case "points_scored":
            view["scores"][seat] += event["points"]
            assert view["scores"][seat] == event["total"]
            assert (event["for"], view["rows"][event["row"]]["length"]) == ("row", event["points"])
        case "token_drawn":
            view.update(drawing=True, stack=event["stack"])
            view["hand_sizes"][seat] += 1
            if mine:
                view["drawn"] = event["colour"]
                view["hand"][event["colour"]] += 1
        case "token_kept":
            view.update(drawing=False, drawn=None, passes=0)
        case "passed":
            view["passes"] = event["passes"]


def follow_socks(view: View, event: dict[str, Any]) -> None:
    """Keep a table of Out of Sock up to date."""
    seat, deck = event.get("seat"), view["decks"].get(str(event.get("deck")))
    match event["type"]:
        case "basket_shaken":
            view["aim"] = event["aim"]
        case "dice_rolled":
            view["dice_fallen"] = len(event["dice"])
            for die in event["dice"]:
                view["decks"][str(die)]["dice"] += 1
        case "die_returned":
            deck["dice"] -= 1
        case "card_taken":
            assert deck["top"] == event["card"]
            deck["top"] = None
            deck["left"] -= 1
            column = view["columns"][seat][event["suit"]]
            column.append(event["card"])
            column.sort()
            view["sock_cards"][seat] += event["kind"] == "sock"
        case "card_shown":
            assert deck["left"] == event["left"]
            deck["top"] = event["card"]
        case "deck_emptied":
            assert deck["left"] == 0
        case "points_changed":
            view["suit_scores"][seat][event["suit"]] = event["points"]
            view["scores"][seat] += event["change"]
            assert view["scores"][seat] == event["total"]
        case "round_began":
            view.update(basket_holder=seat, aim=None, dice_fallen=0)
        case "winner_sought":
            view["tied"] = event["tied"]
        case "winner_named":
            view["tied"] = []
        case "way_chosen":
            assert event["deck"] == (view["dice_fallen"] if event["way"] == "single" else None)
        case "turn_skipped":
            assert seat == view["basket_holder"]


FOLLOW = {"face-to-face": follow_card_game, "orma": follow_orma, "out-of-sock": follow_socks}


def follow(view: View, events: Told) -> None:
    """Do what any client would, knowing no rule."""
    for event in events:
        FOLLOW[view["game"]](view, event)
        if event["type"] == "turn_began":
            view["to_move"] = event["seat"]
        elif event["type"] == "game_over":
            view.update(over=True, to_move=None, **{key: event[key] for key in ("winners", "ending", "scores")})


def on_the_table(view: View) -> View:
    """Return a view without the list of moves and what only the rules can tell: what may come next, what they count."""
    rules = ("chance_due", "phase", "left", "sums")
    left = {key: value for key, value in view.items() if key not in ("moves", *rules)}
    if view["game"] == "face-to-face" and view["turn"]:
        left["turn"] = {key: view["turn"][key] for key in ("cards", "helped")}
    if view["game"] == "orma":
        left["blacks"] = [{"rows": black["rows"]} for black in view["blacks"]]
    return left


def follow_game(game: tavolino.Game, words: Any) -> None:
    """Assert that whoever follows the events knows the table, after each of the moves that `words` gives."""
    seats = [None, *range(game.players)]
    tables = {seat: deepcopy(on_the_table(game.view(seat))) for seat in seats}
    while not game.over:
        played, mover = len(game.moves), game.to_move
        events = game.tell(words(game))
        assert events
        msgspec.json.encode(events)
        for seat in seats:
            follow(tables[seat], events_for(events, seat))
            now = on_the_table(game.view(seat))
            if game.chance_due:  # nobody's move; the events say whose turn it is
                now["to_move"] = tables[seat]["to_move"]
            assert tables[seat] == now, (mover, game.moves[played:], events)


@every_case
def test_events_are_enough_to_follow_by(case: Case) -> None:
    """From the first view and the events alone, a client that knows no rule has the table right after every move."""
    for seed in range(3):
        rng = random.Random(f"{case} {seed}")
        follow_game(case.new(seed), lambda game, rng=rng: random_move(game, rng))


def idle(game: tavolino.Game) -> str:
    """Choose not to lay a token of Orma."""
    return next(word for word in ("keep", "draw", "pass") if word in game.legal_moves)


@pytest.mark.clause("O3.3", "O5.2")
def test_a_game_that_everyone_passes_is_told() -> None:
    """Drawing and keeping all tokens, then passing, is followed to the end."""
    game = tavolino.new("orma", 3, 1)
    follow_game(game, idle)
    assert game.ending == "everyone passed"


def scripted(record: dict[str, Any]) -> tuple[tavolino.Game, Any]:
    """Return the game of a record before its first move, and a way to choose its moves."""
    game = tavolino.replay({**record, "moves": [], "scores": None, "winners": None})
    return game, lambda game: record["moves"][len(game.moves)]


TIE = sock(
    "roll:2,2 single " * 6 + "winner:1",
    decks={
        2: "red:2 blue:2 red:2 blue:2 yellow:8 orange:double pink:2 green:2 pink:2 green:2 orange:double orange:ban"
    },
)


@pytest.mark.clause("S8.2")
def test_a_tie_is_told() -> None:
    """The basket holder is asked to name one of the tied, and does."""
    game, choose = scripted(TIE.record())
    follow_game(game, choose)
    game.undo()
    asked = tavolino.replay({**TIE.record(), "moves": game.moves[:-1], "scores": None, "winners": None})
    assert asked.tell("single")[-1] == {"type": "winner_sought", "seat": 2, "tied": [0, 1]}
    named, over = asked.tell("winner:1")
    assert named == {"type": "winner_named", "seat": 2, "winner": 1}
    assert over == {
        "type": "game_over",
        "winners": [1],
        "ending": "tie: named by the basket holder",
        "scores": [8, 8, 8],
    }


@pytest.mark.clause("S3.1", "S4.2", "S5.1", "S6.1")
def test_what_is_told_of_a_round_of_socks() -> None:
    """A skipped turn, a single and a split, word for word."""
    game = sock(decks={2: "red:4 red:double blue:6", 3: "red:ban", 5: "green:8 green:2"})
    assert game.tell("roll:5") == [
        {"type": "dice_rolled", "seat": 0, "dice": [5]},
        {"type": "turn_skipped", "seat": 0},
        {"type": "die_returned", "deck": 5},
        {"type": "round_began", "seat": 1},
        {"type": "turn_began", "seat": 1},
    ]
    assert game.tell("roll:3,5") == [{"type": "dice_rolled", "seat": 1, "dice": [3, 5]}]
    assert game.tell("single") == [
        {"type": "way_chosen", "seat": 1, "way": "single", "deck": 2},
        {"type": "die_returned", "deck": 3},
        {"type": "die_returned", "deck": 5},
        {"type": "card_taken", "seat": 1, "deck": 2, "card": "red:4", "suit": "red", "kind": "sock"},
        {"type": "points_changed", "seat": 1, "suit": "red", "points": 4, "total": 4, "change": 4},
        {"type": "card_shown", "deck": 2, "card": "red:double", "left": 11},
        {"type": "card_taken", "seat": 1, "deck": 2, "card": "red:double", "suit": "red", "kind": "double"},
        {"type": "points_changed", "seat": 1, "suit": "red", "points": 8, "total": 8, "change": 4},
        {"type": "card_shown", "deck": 2, "card": "blue:6", "left": 10},
        {"type": "round_began", "seat": 2},
        {"type": "turn_began", "seat": 2},
    ]
    game.tell("roll:3,5")
    assert game.tell("split") == [{"type": "way_chosen", "seat": 2, "way": "split", "deck": None}]
    assert game.tell("take:5") == [
        {"type": "die_returned", "deck": 5},
        {"type": "card_taken", "seat": 2, "deck": 5, "card": "green:8", "suit": "green", "kind": "sock"},
        {"type": "points_changed", "seat": 2, "suit": "green", "points": 8, "total": 8, "change": 8},
        {"type": "card_shown", "deck": 5, "card": "green:2", "left": 11},
        {"type": "turn_began", "seat": 0},
    ]
    told = game.tell("take:3")
    assert [event["type"] for event in told] == [
        "die_returned",
        "card_taken",  # a Ban of a suit without socks changes no points
        "card_shown",
        "round_began",
        "turn_began",
    ]
    assert told[-2:] == [{"type": "round_began", "seat": 0}, {"type": "turn_began", "seat": 0}]


@pytest.mark.clause("F2.2", "F3.2", "F4.2")
def test_what_is_told_of_a_turn_of_cards() -> None:
    """A card, a step back, a gift and a draw, word for word."""
    game = duel("u20 d40 end", decks=("20 40 10 5 6 7 33 44", "15 50 2 3 4 6 9"), first=0)
    game.play("u15")
    assert game.tell("U4") == [
        {
            "type": "card_laid",
            "seat": 1,
            "card": 4,
            "pile": "up",
            "of": 0,
            "gap": 16,
            "back": False,
            "gift": True,
            "top_before": 20,
            "total": 2,
        }
    ]
    told = game.tell("end")
    assert told == [
        {"type": "cards_drawn", "seat": 1, "count": 2, "secret": {"seat": 1, "cards": [9, 5]}},
        {"type": "turn_ended", "seat": 1},
        {"type": "turn_began", "seat": 0},
    ]
    assert events_for(told, 1)[0] == {"type": "cards_drawn", "seat": 1, "count": 2, "cards": [9, 5]}
    assert events_for(told, 0)[0] == events_for(told, None)[0] == {"type": "cards_drawn", "seat": 1, "count": 2}
    (step,) = duel("u20", decks=("20 10 5 6 7 8", "")).tell("u10")
    assert (step["gap"], step["back"], step["gift"], step["top_before"]) == (-10, True, False, 20)


@pytest.mark.clause("O2.5", "O3.2", "O4.1")
def test_what_is_told_of_turns_of_orma() -> None:
    """A row begun, lengthened and closed, and a token drawn, word for word."""
    game = orma(hands=("green*2", "green*2 red"), stack="violet")
    assert game.tell("green@b0") == [
        {
            "type": "token_laid",
            "seat": 0,
            "colour": "green",
            "place": "b0",
            "row": 0,
            "length": 1,
            "drawn": False,
        },
        {"type": "points_scored", "seat": 0, "points": 1, "total": 1, "for": "row", "row": 0},
        {"type": "turn_began", "seat": 1},
    ]
    assert game.tell("green@r0")[1] == {
        "type": "points_scored",
        "seat": 1,
        "points": 2,
        "total": 2,
        "for": "row",
        "row": 0,
    }
    assert game.tell("black@r0")[1:] == [
        {"type": "row_closed", "seat": 0, "row": 0, "black": 1},
        {"type": "turn_began", "seat": 1},
    ]
    (drawn,) = game.tell("draw")
    assert drawn["secret"] == {"seat": 1, "colour": "violet"}
    assert game.tell("keep") == [{"type": "token_kept", "seat": 1}, {"type": "turn_began", "seat": 0}]


def documented() -> dict[str, set[str]]:
    """Read the table of events in docs/python.md: the fields of each type."""
    section = DOCS.read_text().split("## Events")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|", section, re.MULTILINE)
    return {kind: set(re.findall(r"`(\w+)`", fields)) for kind, fields in rows}


def test_every_event_is_documented() -> None:
    """docs/python.md lists each type of event with exactly the fields that games give it."""
    seen: dict[str, set[str]] = {}

    def note(events: Told) -> None:
        for event in events:
            secret = event.get("secret", {}).keys()
            seen.setdefault(event["type"], set()).update((event.keys() | secret) - {"type", "secret"})

    for case in CASES:
        rng = random.Random(str(case))
        game = case.new(1)
        while not game.over:
            note(game.tell(random_move(game, rng)))
    game = tavolino.new("orma", 2, 1)
    while not game.over:
        note(game.tell(idle(game)))
    game, choose = scripted(TIE.record())
    while not game.over:
        note(game.tell(choose(game)))
    assert documented() == seen
