"""Tables as people use them: opened, joined, played, taken back, watched, played again; over real sockets."""

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from tavolino.play.fairness import commitment, verify
from tavolino.server.table import REMEMBERED
from tests.server.servers import Person, Server, Socket

People = Callable[[str], Person]


def two_at(
    people: People, game: str = "face-to-face", **settings: Any
) -> tuple[str, list[Socket], list[dict[str, Any]]]:
    """Return a table with Ada in seat 0 and Bob in seat 1, their sockets and what they see."""
    ada, bob = people("Ada"), people("Bob")
    table = ada.open(game, **settings)
    first, _ = ada.sit_at(table)
    second, seen = bob.sit_at(table)
    return table, [first, second], [first.until("snapshot"), seen]


def play_on(
    sockets: list[Socket], seen: list[dict[str, Any]], moves: int = 1000, seed: int = 1
) -> list[dict[str, Any]]:
    """Play random moves until the game is over or so many are played; return what each seat last saw."""
    rng = random.Random(seed)
    for _ in range(moves):
        mover = next((seat for seat, one in enumerate(seen) if one["legal"]), None)
        if mover is None:
            break
        word = rng.choice(seen[mover]["legal"])["word"]
        number = seen[mover]["number"]
        answer = sockets[mover].ask("move", at=number, word=word)
        assert answer["type"] in ("update", "snapshot"), answer
        for seat, one in enumerate(sockets):
            seen[seat] = answer if seat == mover else one.until("update", "snapshot")
            assert seen[seat]["number"] == answer["number"] > number
    return seen


def test_two_people_play_a_whole_game(people: People) -> None:
    """Everyone sees the same moves; at the end the secret fits the commitment shown, and the record proves it."""
    table, sockets, seen = two_at(people)
    assert [one["seat"] for one in seen] == [0, 1]
    shown = seen[0]["table"]["commitment"]
    assert seen[0]["table"]["secret"] is None
    seen = play_on(sockets, seen)
    assert seen[0]["table"]["phase"] == "over"
    assert commitment(seen[1]["table"]["secret"]) == shown
    record = people("Eve").http.get(f"/api/tables/{table}/games/0/record").json()
    game = verify(record, shown)
    assert record["players"] == ["Ada", "Bob"]
    assert seen[0]["table"]["results"][0]["winners"] == game.winners


@pytest.mark.parametrize(("game", "bots"), [("orma", 2), ("out-of-sock", 3), ("face-to-face", 1)])
def test_against_bots(people: People, game: str, bots: int) -> None:
    """A person plays to the end against bots of every level."""
    levels = ["bot:easy", "bot:hard", "bot:medium"][:bots]
    socket, seen = people("Ada").sit_at(people("Ada").open(game, ("me", *levels)))
    # The table is someone else's Ada: she watches. Bots move without her, then wait for the person in seat 0.
    assert seen["seat"] is None
    socket.close()
    ada = people("Ada")
    table = ada.open(game, ("me", *levels))
    socket, seen = ada.sit_at(table)
    rng = random.Random(3)
    while seen["type"] == "update" or seen["table"]["phase"] == "playing":
        if seen["legal"]:
            seen = socket.ask("move", at=seen["number"], word=rng.choice(seen["legal"])["word"])
        else:
            seen = socket.until("update", "snapshot")
    assert seen["table"]["phase"] == "over"
    assert seen["view"]["over"]
    looked_back = ada.http.get(f"/api/tables/{table}/games/0/replay").json()
    assert looked_back["bots"] == [False] + bots * [True]


def test_wrong_seat_stale_position_and_illegal_move_change_nothing(people: People) -> None:
    _, sockets, seen = two_at(people)
    mover = next(seat for seat, one in enumerate(seen) if one["legal"])
    number, word = seen[mover]["number"], seen[mover]["legal"][0]["word"]
    other = sockets[1 - mover].ask("move", at=number, word=word)
    assert (other["type"], other["code"]) == ("refused", "not_your_turn")
    illegal = sockets[mover].ask("move", at=number, word="end")
    assert (illegal["code"], illegal["number"]) == ("illegal", number)
    assert "at least 2 cards" in illegal["text"]
    seen = play_on(sockets, seen, 1)
    stale = sockets[mover].ask("move", at=number, word=seen[mover]["legal"][0]["word"])
    assert stale["code"] == "stale"
    fresh = sockets[mover].until("snapshot")
    assert fresh["number"] == seen[mover]["number"] == stale["number"]
    future = sockets[mover].ask("move", at=number + 99, word=word)
    assert future["code"] == "stale"


def test_a_message_sent_twice_plays_once(people: People) -> None:
    _, sockets, seen = two_at(people)
    mover = next(seat for seat, one in enumerate(seen) if one["legal"])
    number, word = seen[mover]["number"], seen[mover]["legal"][0]["word"]
    first = sockets[mover].ask("move", id="same", at=number, word=word)
    again = sockets[mover].ask("move", id="same", at=number, word=word)
    assert (again["type"], again["number"]) == ("accepted", first["number"])


def test_a_message_sent_again_much_later_plays_no_more(people: People) -> None:
    """Also after more moves than a table remembers the ids of."""
    _, sockets, seen = two_at(people)
    ada, ids = sockets[0], []
    while (number := play_on(sockets, seen)[0]["number"]) < REMEMBERED + 200:
        ids.append(f"at {number}")
        ada.ask("rematch", id=ids[-1])
        bob = next(socket for socket in sockets if socket is not ada)
        other = bob.ask("rematch")
        answer = ada.until("snapshot")
        sockets.reverse()  # seats are rotated
        seen = sorted([answer, other], key=lambda one: int(one["seat"]))
    again = ada.ask("rematch", id=ids[0])
    assert (again["type"], again["number"]) == ("accepted", number)


def test_take_back_until_the_turn_ends(people: People) -> None:
    """Face to Face: cards of this turn come back one by one; after `end` nothing does."""
    _, sockets, seen = two_at(people)
    mover = next(seat for seat, one in enumerate(seen) if one["legal"])
    start = seen[mover]["view"]["hand"]
    assert seen[mover]["undo"] == 0
    assert sockets[mover].ask("undo", at=seen[mover]["number"])["code"] == "not_allowed"
    seen = play_on(sockets, seen, 2)
    assert seen[mover]["undo"] == 2
    assert sockets[1 - mover].ask("undo", at=seen[0]["number"])["code"] == "not_allowed"
    for left in (1, 0):
        answer = sockets[mover].ask("undo", at=seen[mover]["number"])
        told = sockets[1 - mover].until("update")
        assert answer["events"] == told["events"]
        assert (answer["events"][0]["type"], answer["undo"], len(answer["moves"])) == ("move_undone", left, left)
        seen[mover] = answer
    assert answer["position"]["hand"] == start
    seen[1 - mover] = told
    seen = play_on(sockets, seen, 2)
    ended = sockets[mover].ask("move", at=seen[mover]["number"], word="end")
    assert ended["undo"] == 0
    assert sockets[mover].ask("undo", at=ended["number"])["code"] == "not_allowed"


def test_spectators_see_public_things_only(people: People) -> None:
    table, sockets, seen = two_at(people)
    eve = people("Eve").connect(table)
    snapshot = eve.hello()
    assert (snapshot["seat"], snapshot["view"]["hand"], snapshot["legal"], snapshot["yours"]) == (None, None, [], [])
    assert eve.ask("move", at=snapshot["number"], word="u17")["code"] == "not_seated"
    assert eve.ask("sit", name="Eve")["code"] == "full"
    assert eve.ask("hint")["code"] == "not_your_turn"
    play_on(sockets, seen, 1)
    assert eve.until("update")["position"]["hand"] is None
    assert people("Mallory").http.get(f"/api/tables/{table}/games/0/record").json()["code"] == "not_now"
    assert people("Mallory").http.get(f"/api/tables/{table}/games/0/replay").json()["code"] == "not_now"


def test_presence_and_emotes(people: People) -> None:
    table, sockets, _ = two_at(people)
    eve = people("Eve").connect(table)
    eve.hello()
    assert sockets[0].until("presence")["here"] == [True, True]
    sockets[1].send(type="emote", emote="hello")
    assert eve.until("emoted") == {"type": "emoted", "seat": 1, "emote": "hello"}
    sockets[1].close()
    while (seen := sockets[0].until("presence"))["here"] != [True, False]:
        pass
    assert seen["watching"] == 1


def test_my_tables_and_the_lobby(people: People) -> None:
    ada, bob = people("Ada"), people("Bob")
    hidden, listed = ada.open(), ada.open("orma", ("me", "open", "open"), listed=True)
    lobby = [one["id"] for one in bob.http.get("/api/tables").json()]
    assert listed in lobby
    assert hidden not in lobby
    assert [one["id"] for one in ada.http.get("/api/tables/mine").json()] == [listed, hidden]
    assert bob.http.get("/api/tables/mine").json() == []
    socket, _ = bob.sit_at(listed)
    assert [one["id"] for one in bob.http.get("/api/tables/mine").json()] == [listed]
    left = socket.ask("leave")
    assert left["table"]["seats"][1]["kind"] == "open"


def test_the_host_fills_an_open_seat_with_a_bot(people: People) -> None:
    ada, bob = people("Ada"), people("Bob")
    table = ada.open("orma", ("me", "open", "open"))
    host, _ = ada.sit_at(table)
    guest, _ = bob.sit_at(table)
    assert guest.ask("fill", seat=2)["code"] == "not_allowed"
    begun = host.ask("fill", seat=2, level="easy")
    assert begun["table"]["phase"] == "playing"
    assert begun["table"]["seats"][2] | {"name": ""} == {
        "kind": "bot", "name": "", "level": "easy", "you": False, "here": True, "may_replace": False,
            "ready": True, "member": None,
    }  # fmt: skip
    assert host.ask("fill", seat=1)["code"] == "not_allowed"  # Bob is here


def test_a_match_of_two_games_and_a_rematch(people: People) -> None:
    """Totals add up, the start rotates, and a rematch rotates the seats."""
    _, sockets, seen = two_at(people, games=2)
    assert sockets[0].ask("next")["code"] == "not_now"
    seen = play_on(sockets, seen)
    assert seen[0]["table"]["phase"] == "between"
    first = seen[0]["table"]["results"][0]["first"]
    sockets[0].ask("next")
    begun = sockets[1].ask("next")
    seen = [sockets[0].until("snapshot"), begun]
    assert begun["view"]["first"] == 1 - first
    seen = play_on(sockets, seen, seed=2)
    table = seen[0]["table"]
    assert (table["phase"], sum(table["totals"])) == ("over", 2)
    sockets[1].ask("rematch")
    again = sockets[0].ask("rematch")
    assert [seat["name"] for seat in again["table"]["seats"]] == ["Bob", "Ada"]
    assert (again["table"]["match"], again["table"]["playing"], again["table"]["results"]) == (1, 2, [])
    assert (again["seat"], again["view"]["first"]) == (1, first)
    http = people("Eve").http
    for number, result in enumerate(table["results"]):  # what was played before is kept as its record
        record = http.get(f"/api/tables/{table['id']}/games/{number}/record").json()
        game = verify(record)
        assert (game.over, game.scores, game.winners) == (True, result["scores"], result["winners"])
        steps = http.get(f"/api/tables/{table['id']}/games/{number}/replay").json()["steps"]
        assert [word for step in steps for word in step["words"]] == game.moves


def test_pass_and_play_hides_the_next_hand_behind_a_curtain(people: People) -> None:
    ada = people("Ada")
    socket, seen = ada.sit_at(ada.open("face-to-face", ("me", "me")))
    mover = seen["curtain"]
    assert (seen["seat"], seen["view"]["hand"], seen["yours"]) == (None, None, [0, 1])
    socket.send(type="look", seat=mover)
    seen = socket.until("snapshot")
    assert (seen["seat"], seen["curtain"], len(seen["view"]["hand"])) == (mover, None, 6)
    while seen["type"] == "update" or seen["curtain"] is None:
        word = next((one["word"] for one in seen["legal"] if one["word"] == "end"), seen["legal"][0]["word"])
        seen = socket.ask("move", at=seen["number"], word=word)
    assert (seen["curtain"], seen["view"]["hand"], seen["legal"]) == (1 - mover, None, [])


def test_hints_are_given_where_the_table_allows_them(people: People) -> None:
    ada = people("Ada")
    socket, seen = ada.sit_at(ada.open("orma", ("me", "bot:easy")))
    while not seen["legal"]:
        seen = socket.until("update", "snapshot")
    hint = socket.ask("hint")
    assert hint["type"] == "hinted"
    assert {one["word"] for one in hint["moves"]} <= {one["word"] for one in seen["legal"]}
    assert all(0 <= one["low"] <= one["chance"] <= one["high"] <= 1 for one in hint["moves"])
    assert all(set(why) == {"code", "values"} for one in hint["moves"] for why in one["reasons"])
    socket, _ = ada.sit_at(ada.open("orma", ("me", "bot:easy"), hints=False))
    assert socket.ask("hint")["code"] == "not_allowed"


def test_one_hint_at_a_time_for_each_person(people: People) -> None:
    """Not one for each socket or table: hints would take the threads that bots think in."""
    ada = people("Ada")
    tables = [ada.open("orma", ("me", "me")) for _ in range(2)]
    sockets = []
    for table in (*tables, *tables):
        socket, seen = ada.sit_at(table)
        socket.send(type="look", seat=seen["curtain"])
        sockets.append(socket)
    for socket in sockets:
        socket.send(type="hint", id="h")
    answers = [socket.until("hinted", "refused") for socket in sockets]
    assert sorted(answer["type"] for answer in answers) == ["hinted", "refused", "refused", "refused"]
    assert {answer.get("code", "too_fast") for answer in answers} == {"too_fast"}
    sockets[0].send(type="hint", id="again")
    assert sockets[0].until("hinted", "refused")["type"] == "hinted"


def test_clock_at_zero_a_bot_moves_or_the_game_is_lost(people: People) -> None:
    ada = people("Ada")
    clock = {"kind": "move", "seconds": 5, "zero": "bot"}
    began = time.monotonic()
    helped, seen = ada.sit_at(ada.open("face-to-face", ("me", "me"), clock=clock))
    losing, lost = ada.sit_at(ada.open("face-to-face", ("me", "me"), clock=clock | {"zero": "lose", "kind": "bank"}))
    assert seen["clock"]["running"] == seen["view"]["to_move"]
    assert 0 < seen["clock"]["left"][seen["clock"]["running"]] <= 5000
    moved = helped.until("snapshot")
    assert moved["number"] == seen["number"] + 1
    assert time.monotonic() - began >= 4.9
    mover = lost["view"]["to_move"]
    lost = losing.until("snapshot")
    assert (lost["table"]["phase"], lost["events"]) == ("over", [{"type": "time_up", "seat": mover}])
    assert (lost["table"]["results"][0]["winners"], lost["table"]["results"][0]["ending"]) == ([1 - mover], "clock")


def test_settings_that_make_no_sense(people: People) -> None:
    http = people("Ada").http
    good: dict[str, Any] = {"game": "orma", "seats": ["me", "open"]}
    for settings, words in (
        ({"game": "chess"}, "no game 'chess'; there are "),
        ({"seats": ["me"]}, "for 2 to 5 players, not 1"),
        ({"seats": ["me"] * 6}, "for 2 to 5 players, not 6"),
        ({"game": "face-to-face", "seats": ["me", "open", "open"]}, "2 players"),
        ({"options": {"spare_blacks": 99}}, "spare_blacks"),
        ({"options": {"nonsense": 1}}, "nonsense"),
        ({"games": 0}, "games"),
        ({"clock": {"kind": "move", "seconds": 1}}, "seconds"),
        ({"surprise": 1}, "surprise"),
    ):
        answer = http.post("/api/tables", json={"name": "Ada", "settings": good | settings})
        assert answer.status_code == 422, (settings, answer.text)
        assert words in answer.json()["text"], answer.text
    for name in ("", "x" * 25, "\u0000\n\t"):
        assert http.post("/api/tables", json={"name": name, "settings": good}).status_code == 422, repr(name)


def test_replay_from_every_seat_and_all_open(people: People) -> None:
    """Each step's position is the one that was seen in play."""
    table, sockets, seen = two_at(people, "orma")
    play_on(sockets, seen)
    http = people("Eve").http
    whole = http.get(f"/api/tables/{table}/games/0/replay?seat=all").json()
    mine = http.get(f"/api/tables/{table}/games/0/replay?seat=0").json()
    assert len(whole["steps"]) == len(mine["steps"]) > 10
    assert whole["steps"][-1]["position"]["over"]
    assert whole["steps"][5]["position"]["hands"][0] == mine["steps"][5]["position"]["hand"]
    for open_step, step in zip(whole["steps"], mine["steps"], strict=True):
        own = open_step["position"]["own_views"]
        assert len(own) == 2
        assert own[0] == {name: step["position"][name] for name in own[0]}
    assert "own_views" not in mine["view"]
    assert http.get(f"/api/tables/{table}/games/0/replay?seat=3").status_code == 404
    assert http.get(f"/api/tables/{table}/games/1/replay").status_code == 404


def test_everything_is_there_after_a_restart(server: Server, people: People) -> None:
    """Killed and started again, the server knows the table, and the game goes on."""
    table, sockets, seen = two_at(people)
    seen = play_on(sockets, seen, 7)
    number, moves = seen[0]["number"], 7
    server.kill()
    server.start()
    ada = people("Eve").connect(table).hello()
    assert (ada["number"], len(ada["view"]["moves"])) == (number, moves)


def test_when_everyone_has_left_the_table_closes(people: People) -> None:
    """The first who leaves a game is played on by a bot; with the last the table closes."""
    table, sockets, _ = two_at(people)
    left = sockets[0].ask("leave")
    assert (left["table"]["seats"][0]["kind"], left["table"]["phase"]) == ("bot", "playing")
    closed = sockets[1].ask("leave")
    assert closed["table"]["phase"] == "over"
    assert closed["legal"] == []
    assert sockets[1].ask("sit", name="Bob")["code"] == "not_now"
    assert people("Eve").connect(table).hello()["table"]["results"] == []
