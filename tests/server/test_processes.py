"""Several server processes on one PostgreSQL: they hear each other at once, and none plays over another."""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tavolino.play.fairness import commitment
from tavolino.server.entries import Moved
from tests.server.databases import create, drop, postgres  # noqa: F401
from tests.server.players import playing, rest, seat_people
from tests.server.servers import PATIENCE, Person, Server, Socket, Zygote
from tests.server.test_kill import fold, logs, lost_and_doubled

Meet = Callable[[str, int], Person]


@pytest.fixture(scope="module")
def shared(postgres: str) -> Iterator[str]:  # noqa: F811
    url = create(postgres)
    yield url
    drop(url)


@pytest.fixture(scope="module")
def pair(zygote: Zygote, shared: str) -> Iterator[list[Server]]:
    """Two servers on one database."""
    both = [Server(zygote, shared, away=0.5) for _ in range(2)]
    yield both
    for one in both:
        one.kill()


@pytest.fixture
def meet(pair: list[Server]) -> Iterator[Meet]:
    """Make people by name, at one of the servers."""
    made: list[Person] = []

    def person(name: str, at: int = 0) -> Person:
        made.append(Person(pair[at].url, name))
        return made[-1]

    yield person
    for one in made:
        one.close()


def apart(meet: Meet, game: str = "face-to-face") -> tuple[str, list[Socket], list[dict[str, Any]]]:
    """Return a table with Ada at one server and Bob at the other."""
    ada, bob = meet("Ada", 0), meet("Bob", 1)
    table = ada.open()
    first, _ = ada.sit_at(table)
    second, seen = bob.sit_at(table)
    while (other := first.until("snapshot"))["number"] < seen["number"]:
        pass  # each entry is told by itself at the other server
    return table, [first, second], [other, seen]


def cookie(socket: Socket) -> str:
    """Return the cookie of whoever opened a socket."""
    assert socket.raw.request is not None
    return socket.raw.request.headers["Cookie"]


def presence(socket: Socket, here: list[bool], watching: int = 0) -> dict[str, Any]:
    while (seen := socket.until("presence")) and (seen["here"], seen["watching"]) != (here, watching):
        pass
    return seen


def test_moves_appear_at_the_other_server(meet: Meet) -> None:
    """A whole game between two servers: each move is seen at the other, and the events are the same."""
    _, sockets, seen = apart(meet)
    seen_there = 0
    undone: list[str] = []
    for _ in range(40):
        mover = next((seat for seat, one in enumerate(seen) if one["legal"]), None)
        if mover is None:
            break
        answer = sockets[mover].ask("move", at=seen[mover]["number"], word=seen[mover]["legal"][0]["word"])
        told = sockets[1 - mover].until("update", "snapshot")
        seen_there += 1
        if answer["type"] == "update":
            assert told["number"] == answer["number"]
            assert told["words"] == answer["words"]
            assert [one["type"] for one in told["events"]] == [one["type"] for one in answer["events"]]
        if not undone and answer["undo"]:
            undone = sockets[mover].ask("undo", at=answer["number"])["moves"]
            told = sockets[1 - mover].until("update")
            assert told["moves"] == undone
            answer = sockets[mover].ask("move", at=told["number"], word=answer["words"][0])
            told = sockets[1 - mover].until("update")
        seen[mover], seen[1 - mover] = answer, told
    assert seen_there > 15


def test_shares_are_brought_at_two_servers(meet: Meet) -> None:
    """Both seal and open in the same moment, each at a server of their own; one deal comes of it, with both shares."""
    ada, bob = meet("Ada", 0), meet("Bob", 1)
    body = {"name": "Ada", "share": True, "settings": {"game": "face-to-face", "seats": ["me", "open"]}}
    table = ada.http.post("/api/tables", json=body).json()["id"]
    sockets = [ada.connect(table), bob.connect(table)]
    for one in sockets:
        one.hello()
    sockets[1].ask("sit", name="Bob", share=True)
    shares = [secrets.token_hex(32) for _ in sockets]

    def bring(seat: int) -> dict[str, Any]:
        """Answer what is asked at one server, until the game begins there."""
        while True:
            seen = sockets[seat].until("snapshot")
            now = seen["table"]["sealing"]
            if now is None:
                if seen["view"]:
                    return seen
            elif now["awaited"][seat]:
                kind = "show" if now["fingerprint"] else "seal"
                said = {"share": shares[seat]} if kind == "show" else {"seal": commitment(shares[seat])}
                sockets[seat].send(type=kind, id=kind, round=now["round"], **said)

    for one in sockets:  # what was missed meanwhile
        one.close()
    sockets = [ada.connect(table), bob.connect(table)]
    for one in sockets:
        one.send(type="hello", v=1)
    with ThreadPoolExecutor(2) as pool:
        seen = list(pool.map(bring, range(2)))
    assert seen[0]["table"]["commitment"] == seen[1]["table"]["commitment"]
    assert seen[0]["table"]["seals"] == [commitment(share) for share in shares]


def test_two_tabs_at_two_servers_play_the_same_number_once(meet: Meet) -> None:
    """Exactly one wins; the other is told `stale` and gets the position as it is now."""
    table, sockets, seen = apart(meet)
    mover = next(seat for seat, one in enumerate(seen) if one["legal"])
    here = sockets[mover]
    there = meet("Twin", 1 - mover).connect(table, Cookie=cookie(here))
    twin = there.hello()
    assert twin["seat"] == mover
    tabs, outcomes = [here, there], []
    for attempt in range(12):
        views = [here_view := seen[mover], twin]
        assert here_view["number"] == twin["number"]
        words = [one["word"] for one in here_view["legal"] if one["word"] != "end"]
        if len(words) < 2 or twin["legal"] == []:
            break
        wishes = [{"id": f"race{attempt}-{n}", "at": views[n]["number"], "word": words[n]} for n in (0, 1)]
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda tab, wish: tab.ask("move", **wish), tabs, wishes))
        kinds = sorted(one["type"] for one in answers)
        assert kinds == ["refused", "update"], answers
        loser = next(tab for tab in (0, 1) if answers[tab]["type"] == "refused")
        assert answers[loser]["code"] == "stale"
        fresh = tabs[loser].until("snapshot")
        assert fresh["number"] == answers[1 - loser]["number"]
        assert fresh["view"]["moves"][-1] == answers[1 - loser]["words"][-1]
        outcomes.append(loser)
        both = [answers[1 - loser], fresh]
        seen[mover], twin = (both[0], both[1]) if loser == 1 else (both[1], both[0])
        if not seen[mover]["legal"]:
            break
    assert len(outcomes) >= 2


def test_presence_and_emotes_cross(meet: Meet) -> None:
    """Who connects at one server is seen at the other, also by whoever came first, and leaves there too."""
    table, sockets, _ = apart(meet)
    for one in sockets:
        presence(one, [True, True])
    eve = meet("Eve", 1).connect(table)
    eve.hello()
    presence(sockets[0], [True, True], 1)
    sockets[1].send(type="emote", emote="thanks")
    assert sockets[0].until("emoted") == {"type": "emoted", "seat": 1, "emote": "thanks"}
    sockets[1].close()
    assert presence(sockets[0], [True, False], 1)["may_replace"] == [False, False]
    while not (seen := sockets[0].until("presence"))["may_replace"][1]:
        pass
    assert seen["here"] == [True, False]
    late = meet("Zoe", 1).connect(table)
    assert late.hello()["table"]["seats"][0]["here"]


def test_a_clock_runs_on_at_the_other_server(meet: Meet) -> None:
    """Who comes to another server in the middle of a turn has used as much time as at the first."""
    ada = meet("Ada", 0)
    table = ada.open("orma", ("me", "me"), clock={"kind": "bank", "seconds": 60, "zero": "lose"})
    ada.sit_at(table)
    time.sleep(1.5)
    there, came = meet("Eve", 1), time.monotonic()

    def used() -> float:
        clock = there.connect(table).hello()["clock"]
        return 60 - float(clock["left"][clock["running"]]) / 1000

    while used() < time.monotonic() - came + 1:  # the servers tell each other, some milliseconds after who came
        assert time.monotonic() < came + PATIENCE / 2  # before the clock has run out


def test_a_bots_move_is_made_once(meet: Meet, pair: list[Server], shared: str) -> None:
    """Both servers know the table and its bots; each turn of theirs is played, whoever hears of it first."""
    ada = meet("Ada", 0)
    table = ada.open("orma", ("me", "bot:easy", "bot:easy"))
    here, seen = ada.sit_at(table)
    there = meet("Ada", 1).connect(table, Cookie=cookie(here))
    there.hello()
    tabs = [here, there]
    for turn in range(6):
        while not seen["legal"]:
            seen = tabs[turn % 2].until("update", "snapshot")
        seen = tabs[(turn + 1) % 2].ask("move", id=f"turn{turn}", at=seen["number"], word=seen["legal"][0]["word"])
        assert seen["type"] in ("update", "snapshot"), seen
        while tabs[turn % 2].until("update", "snapshot")["number"] < seen["number"]:
            pass
    rows = asyncio.run(logs(shared, {table}))[table]
    fold(rows)
    moves = [row.entry for row in rows if isinstance(row.entry, Moved)]
    assert sum(one.by == "bot" for one in moves) > 4


def test_one_server_killed_the_clients_go_on_at_the_other(zygote: Zygote, pair: list[Server], shared: str) -> None:
    """Everyone begins at the same server; it is killed again and again, and they go on at the one that is left."""
    extra = Server(zygote, shared)
    urls = [extra.url, pair[0].url]
    players = [
        *seat_people(urls, "face-to-face", ("me", "open"), 2, 7),
        *seat_people(urls, "orma", ("me", "bot:easy"), 1, 8),
    ]
    kills = 4

    async def story() -> None:
        async with playing(players):
            for _ in range(kills):
                before = [len(one.moves) for one in players]
                async with asyncio.timeout(PATIENCE):
                    while any(len(one.moves) <= then for one, then in zip(players, before, strict=True)):
                        await asyncio.sleep(0.01)
                await asyncio.to_thread(extra.kill)
                await asyncio.sleep(0.3)
                await asyncio.to_thread(extra.start)
                for one in players:  # the next time they lose a server, this one is tried first
                    one._at = 0
            await rest(players)

    asyncio.run(story())
    extra.kill()
    found = asyncio.run(logs(shared, {one.table for one in players}))
    for one in players:
        fold(found[one.table])
        assert lost_and_doubled(one, found[one.table]) == (0, 0)
        assert [no["code"] for no in one.refused if no["code"] != "stale"] == []
    assert all(len(one.moves) > kills for one in players)


def test_a_room_lives_at_both_servers(meet: Meet) -> None:
    """Consent, what the host arranges, results and the host's successor: the same at each server."""
    ada, bob = meet("Ada", 0), meet("Bob", 1)
    table = ada.open(ready=True)
    here, _ = ada.sit_at(table)
    there, _ = bob.sit_at(table)

    def seen(socket: Socket, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while not what(found := socket.until("snapshot")["table"]):
            pass
        return dict(found)

    there.ask("ready", ready=True)
    assert [seat["ready"] for seat in seen(here, lambda now: now["seats"][1]["ready"])["seats"]] == [False, True]
    here.ask("ready", ready=True)
    seen(there, lambda now: now["phase"] == "playing")
    ada.play_out(table, bob)
    rooms = [one.http.get(f"/api/tables/{table}/room").json() for one in (ada, bob)]
    for room in rooms:
        assert [one["name"] for one in room["members"]] == ["Ada", "Bob"]
        assert [one["here"] for one in room["members"]] == [True, True]
        assert room["played"] == 1
    assert rooms[0]["games"][0] | {"you": []} == rooms[1]["games"][0] | {"you": []}

    bob_refused = there.ask("choose", game="orma", seats=2, options={}, games=1, starts="rotate", hints=True)
    assert bob_refused["reason"] == "not_host"
    assert (
        here.ask("choose", game="orma", seats=2, options={}, games=1, starts="rotate", hints=True)["type"] != "refused"
    )
    assert not seen(there, lambda now: now["game"] == "orma")["yours"]
    here.ask("hand", member=1)
    assert seen(there, lambda now: now["yours"])["host"] == "Bob"
    there.ask("hand", member=0)
    here.ask("leave")
    now = seen(there, lambda now: now["yours"])  # nobody is stranded when the host leaves
    assert [seat["kind"] for seat in now["seats"]] == ["open", "person"]
