"""A finished game is tried again from one of its positions, a record from a file is shown: no seal, and it says so."""

from collections.abc import Iterator
from typing import Any

import pytest

from tavolino.engine.registry import GAMES
from tavolino.play.fairness import verify
from tavolino.play.records import BadRecord, check, replay
from tests.server.servers import Person, Server, person


@pytest.fixture
def ada(server: Server) -> Iterator[Person]:
    with person(server.url) as one:
        yield one


def finished(ada: Person, key: str) -> tuple[str, dict[str, Any]]:
    """Play a game out against a bot; return the table and its record."""
    table = ada.open(key, ("me", *["bot:easy"] * (min(GAMES[key].people.PLAYERS) - 1)))
    ada.play_out(table)
    return table, ada.http.get(f"/api/tables/{table}/games/0/record").json()


@pytest.mark.parametrize("key", GAMES)
def test_a_game_goes_on_from_a_position_as_it_was_dealt(ada: Person, key: str) -> None:
    """The deal and the moves up to there are the same, the rest is played anew; the record says so and is no proof."""
    table, record = finished(ada, key)
    movers = replay(record).movers
    begin = next(i for i in range(len(movers) // 2, len(movers)) if movers[i] is not None)
    asked = {"name": "Ada", "moves": begin, "seat": 0}
    made = ada.http.post(f"/api/tables/{table}/games/0/again", json=asked)
    assert made.status_code == 201, made.text
    other = made.json()["id"]
    socket = ada.connect(other)
    seen = socket.hello()
    info = seen["table"]
    assert (info["practice"], info["commitment"], info["secret"]) == (begin, None, None)
    assert seen["undo"] == 0, "what was given is not taken back"
    assert [seat["kind"] for seat in info["seats"]] == ["person", *["bot"] * (len(info["seats"]) - 1)]
    assert [seat["level"] for seat in info["seats"][1:]] == ["easy"] * (len(info["seats"]) - 1)
    socket.close()
    ada.play_out(other)
    again = ada.http.get(f"/api/tables/{other}/games/0/record").json()
    check(again)
    assert again["deal"] == record["deal"]
    assert again["moves"][:begin] == record["moves"][:begin]
    assert again["practice"] == {"moves": begin}
    with pytest.raises(BadRecord, match="taken up from a position"):
        verify(again)
    assert "practice" not in record
    socket = ada.connect(other)
    socket.hello()
    once_more = socket.ask("rematch")
    assert once_more["table"]["seats"][0]["you"], "everyone keeps the seat"
    assert once_more["view"]["moves"][:begin] == record["moves"][:begin]


def test_a_position_that_there_is_not_is_refused(ada: Person) -> None:
    """Behind the end, in a seat too many, in a game that goes on: nothing is opened."""
    table, record = finished(ada, next(iter(GAMES)))
    address = f"/api/tables/{table}/games/0/again"
    for wrong in ({"moves": len(record["moves"])}, {"seat": 2}, {"moves": -1}, {"name": ""}, {"more": 1}):
        assert ada.http.post(address, json={"name": "Ada", "moves": 0, "seat": 0, **wrong}).status_code == 422, wrong
    going = ada.open(next(iter(GAMES)), ("me", "bot:easy"))
    asked = {"name": "Ada", "moves": 0, "seat": 0}
    assert ada.http.post(f"/api/tables/{going}/games/0/again", json=asked).json()["reason"] == "still_played"
    assert ada.http.post(address.replace("games/0", "games/1"), json=asked).status_code == 404


def test_a_record_from_a_file_is_shown(ada: Person) -> None:
    """Whole or not: replay, record and positions are there; what is no legal game is refused with its reason."""
    _, record = finished(ada, next(iter(GAMES)))
    part = {**record, "moves": record["moves"][:9], "scores": None, "winners": None}
    for given in (record, part, {**part, "players": ["x", 3]}):
        made = ada.http.post("/api/records", json={"record": given})
        assert made.status_code == 201, made.text
        address = f"/api/tables/{made.json()['id']}"
        assert ada.http.get(address).json()["phase"] == "over"
        assert ada.http.get(f"{address}/games/0/record").json()["moves"] == given["moves"]
        steps = ada.http.get(f"{address}/games/0/replay").json()["steps"]
        assert [word for step in steps for word in step["words"]] == given["moves"]
        asked = {"name": "Ada", "moves": 4, "seat": 1}
        assert ada.http.post(f"{address}/games/0/again", json=asked).status_code == 201
    refused = ada.http.post("/api/records", json={"record": {**record, "moves": ["nonsense"]}})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_record")
    assert "move 1" in refused.json()["text"]
    assert ada.http.post("/api/records", json={"record": []}).status_code == 422
    large = ada.http.post("/api/records", json={"record": {**record, "note": "x" * 20_000}})
    assert large.status_code == 413
