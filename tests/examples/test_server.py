"""The installed game on a real server: two people, their secrets on the wire, undo, hints, bots of every level."""

import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.examples.conftest import KEY, PATIENCE, Run
from tests.server.servers import Person, Socket

People = Callable[[str], Person]


@pytest.fixture
def people(address: str) -> Iterator[People]:
    """Make people by name."""
    made: list[Person] = []

    def meet(name: str) -> Person:
        made.append(Person(address, name))
        return made[-1]

    yield meet
    for one in made:
        one.close()


def two_at(people: People, **settings: Any) -> tuple[str, list[Socket], list[dict[str, Any]]]:
    """Return a table with Ada in seat 0 and Bob in seat 1, their sockets and what they see."""
    ada, bob = people("Ada"), people("Bob")
    table = ada.open(KEY, **settings)
    first, _ = ada.sit_at(table)
    second, seen = bob.sit_at(table)
    return table, [first, second], [first.until("snapshot"), seen]


def move(sockets: list[Socket], seen: list[dict[str, Any]], word: str) -> None:
    """Play a word for whoever is to move; everyone hears of it."""
    mover = next(seat for seat, one in enumerate(seen) if one["legal"])
    answer = sockets[mover].ask("move", at=seen[mover]["number"], word=word)
    assert answer["type"] in ("update", "snapshot"), answer
    for seat, one in enumerate(sockets):
        seen[seat] = answer if seat == mover else one.until("update", "snapshot")


def test_it_is_on_offer(people: People) -> None:
    """The list of games has it, with its option and the levels; its words and rules are there, in English at least."""
    http = people("Ada").http
    game = next(one for one in http.get("/api/games").json() if one["key"] == KEY)
    assert (game["title"], game["players"]) == ("Liar's Dice", [2, 3, 4])
    assert game["options"][0]["choices"] == [5, 4, 3, 2, 1]
    assert game["levels"] == ["easy", "medium", "hard", "expert"]
    told = http.get(f"/api/games/{KEY}/text/en").json()
    assert told["own"] == ["hand"]
    assert told["words"]["event.bid_made"] == "{seat} bids {number} × {face}"
    assert "L2.2" in http.get(f"/api/rules/{KEY}/en").text


def test_two_people_play_and_keep_their_dice(people: People, run: Run, tmp_path: Path) -> None:
    """A whole game over real sockets: nobody is sent the other's dice before they are shown; the deal was fair."""
    table, sockets, seen = two_at(people, options={"dice": 3})
    watcher = people("Eve").connect(table)
    shown = watcher.hello()
    commitment = seen[0]["table"]["commitment"]
    rng = random.Random(5)
    hands = [[one["view"]["hand"]] for one in seen]
    while any(one["legal"] for one in seen):
        mover = next(seat for seat, one in enumerate(seen) if one["legal"])
        assert not seen[1 - mover]["legal"]
        move(sockets, seen, rng.choice(seen[mover]["legal"][:6])["word"])
        for seat, one in enumerate(seen):
            events = one.get("events", [])
            thrown = [event for event in events if event["type"] == "dice_thrown"]
            assert all(("hand" in event) == (event["seat"] == seat) for event in thrown)
            hands[seat] += [event["hand"] for event in thrown if event["seat"] == seat]
            now = one.get("position") or one["view"]
            assert now["over"] or now["hand"] == hands[seat][-1]
        told = watcher.until("update", "snapshot")
        assert all("hand" not in event for event in told.get("events", []))
    assert seen[0]["table"]["phase"] == "over"
    assert shown["table"]["commitment"] == commitment
    record = people("Eve").http.get(f"/api/tables/{table}/games/0/record").json()
    assert record["options"] == {"dice": 3}
    for seat, throws in enumerate(record["deal"]["throws"]):  # each saw its own throws, one after the other
        assert throws.startswith("".join(str(face) for hand in hands[seat] for face in hand))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    assert "fair. liars-dice" in run("verify", file, "--commitment", commitment)


def test_a_refusal_and_a_move_taken_back(people: People) -> None:
    """A refused move names its rule and the values of the sentence; a bid can be taken back until the other answers."""
    _, sockets, seen = two_at(people)
    mover = next(seat for seat, one in enumerate(seen) if one["legal"])
    number = seen[mover]["number"]
    refused = sockets[mover].ask("move", at=number, word="liar")
    assert (refused["type"], refused["reason"]) == ("refused", "rule")
    assert (refused["values"]["why"], refused["values"]["clauses"]) == ("nothing_to_doubt", "L2.3")
    move(sockets, seen, "2x3")
    low = sockets[1 - mover].ask("move", at=seen[1 - mover]["number"], word="1x4")
    assert low["values"]["values"] == {"bid": "2x3"}
    back = sockets[mover].ask("undo", at=seen[mover]["number"])
    assert back["type"] in ("update", "snapshot"), back
    assert any(offer["word"] == "1x1" for offer in back["legal"])


def hint_once_compiled(socket: Socket) -> dict[str, Any]:
    """Ask for a hint, again and again while the server still compiles the game."""
    end = time.monotonic() + PATIENCE
    while (hint := socket.ask("hint"))["type"] == "refused" and time.monotonic() < end:
        assert hint["code"] == "not_now", hint
        time.sleep(0.5)
    assert hint["type"] == "hinted", hint
    return hint


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "expert"])
def test_bots_of_every_level(people: People, level: str) -> None:
    """A person plays to the end against a bot that is search, and gets a hint on the way."""
    ada = people("Ada")
    socket, seen = ada.sit_at(ada.open(KEY, ("me", f"bot:{level}"), options={"dice": 1}))
    hinted = False
    while seen["type"] == "update" or seen["table"]["phase"] == "playing":
        if not seen["legal"]:
            seen = socket.until("update", "snapshot")
            continue
        if not hinted:
            hint = hint_once_compiled(socket)
            assert {one["word"] for one in hint["moves"]} <= {offer["word"] for offer in seen["legal"]}
            assert all(0 <= one["chance"] <= 1 for one in hint["moves"])
            hinted = True
        seen = socket.ask("move", at=seen["number"], word=seen["legal"][0]["word"])
    assert seen["view"]["over"]
    assert hinted
