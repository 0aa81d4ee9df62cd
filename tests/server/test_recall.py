"""Whoever comes back is told the moves so far as those were told who stayed: who, under which name, and what it did."""

import random
from typing import Any

import pytest

from tavolino.engine.registry import GAMES
from tests.server.servers import Person, Server, Socket

Told = list[tuple[int | None, str, list[str], list[dict[str, Any]]]]


def recall(socket: Socket) -> dict[str, Any]:
    socket.send(type="recall")
    return socket.until("recalled")


def told(message: dict[str, Any]) -> Told:
    return [(one["seat"], one["name"], one["words"], one["events"]) for one in message["moves"]]


@pytest.mark.parametrize("key", list(GAMES))
def test_the_past_is_told_as_it_was_told_when_it_happened(server: Server, key: str) -> None:
    """To both players and a spectator, after each move of a game, undos included."""
    people = [Person(server.url, name) for name in ("Ada", "Ben", "Eve")]
    table = people[0].open(key, ("me", "open"))
    people[1].sit_at(table)[0].close()
    sockets = [person.connect(table) for person in people]
    now = [socket.hello() for socket in sockets]
    names = ["Ada", "Ben"]
    heard: list[Told] = [[], [], []]
    rng = random.Random(7)
    undone = 0
    for step in range(40):
        mover = next(n for n in (0, 1) if now[n]["legal"])
        at = {"id": f"m{step}", "at": now[mover]["number"]}
        back = now[mover]["undo"] > 0 and (not undone or rng.random() < 0.3)
        if back:
            sockets[mover].send(type="undo", **at)
        else:
            sockets[mover].send(type="move", word=rng.choice(now[mover]["legal"])["word"], **at)
        for n, socket in enumerate(sockets):
            now[n] = socket.until("update", "snapshot")
            if back:
                heard[n].pop()
            elif now[n]["type"] == "update":
                heard[n].append((mover, names[mover], now[n]["words"], now[n]["events"]))
        if now[0]["type"] == "snapshot":
            break
        undone += back
        for n, socket in enumerate(sockets):
            found = recall(socket)
            assert found["number"] == now[n]["number"]
            assert found["seat"] == (n if n < 2 else None)
            assert told(found) == heard[n]
    assert undone or key != "face-to-face"
    for person in people:
        person.close()


def test_a_guest_who_leaves_keeps_the_name_of_past_moves(server: Server) -> None:
    """The seat goes on under another name; what was played before stays Ben's, in the log and in the replay."""
    ada, ben = Person(server.url, "Ada"), Person(server.url, "Ben")
    table = ada.open("orma", ("me", "open"))
    here, there = ada.sit_at(table)[0], ben.sit_at(table)[0]
    now = [here.until("snapshot"), there.ask("sit", name="Benno", seat=1)]
    assert now[1]["type"] == "snapshot"
    now[0] = here.until("snapshot")
    for _ in range(2):
        mover = next(n for n in (0, 1) if now[n]["legal"])
        word = next(offer["word"] for offer in now[mover]["legal"] if "@" in offer["word"])
        [here, there][mover].send(type="move", id=f"m{now[0]['number']}", at=now[0]["number"], word=word)
        now = [socket.until("update") for socket in (here, there)]
    there.ask("leave")
    names = [one["name"] for one in recall(here)["moves"]]
    assert sorted(names[:2]) == ["Ada", "Benno"]
    ben.close()
    ada.play_out(table)
    socket = ada.connect(table)
    socket.hello()
    after = [(one["seat"], one["name"]) for one in recall(socket)["moves"]]
    assert [name for _, name in after][:2] == names[:2]
    assert {name for seat, name in after[2:] if seat == 1} == {"Mirto"}
    replay = ada.http.get(f"/api/tables/{table}/games/0/replay").json()
    assert [(step["seat"], step["name"]) for step in replay["steps"]] == after
    assert sorted(replay["names"]) == ["Ada", "Ben"]
    ada.close()
