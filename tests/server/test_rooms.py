"""A table that stays: everyone is ready, the host arranges and is succeeded, and what was played is remembered."""

from collections.abc import Iterator
from typing import Any

import pytest

from tavolino.play.fairness import verify
from tavolino.play.setup import games
from tavolino.server.commands import RequestRefused, decide_move
from tavolino.server.entries import AnyEntry, Opened, decode, encode
from tavolino.server.messages import (
    Admit,
    Choose,
    Fill,
    Free,
    Hand,
    Incoming,
    Leave,
    Move,
    Ready,
    Rematch,
    Sit,
    Swap,
)
from tavolino.server.rooms import decide, describe
from tavolino.server.settings import TableSettings, read_settings
from tavolino.server.table import Table
from tests.server.servers import Server, Zygote, person

FOR_TWO = [one["key"] for one in games() if 2 in one["players"]]
FOR_THREE = next(one["key"] for one in games() if {2, 3} <= set(one["players"]))


class Room:
    """A room without a network: what people say, and the log it makes."""

    def __init__(self, *seats: str, game: str = FOR_TWO[0], **settings: Any) -> None:
        given = TableSettings(game=game, seats=list(seats), ready=True, **settings)
        self.log: list[AnyEntry] = [Opened(read_settings(given), "ada", "Ada")]
        self.table = Table.open("room", self.log[0])
        self.away: set[str] = set()

    def say(self, who: str, message: Incoming) -> None:
        change = decide(self.table, who, message, lambda _: False, lambda one: one in self.away)
        for entry in change.entries:
            self.log.append(entry)
            self.table.apply(entry, 1)

    def sit(self, *names: str) -> "Room":
        for name in names:
            self.say(name.lower(), Sit("i", name))
        return self

    def ready(self, *people: str) -> "Room":
        for who in people:
            self.say(who, Ready("i"))
        return self

    def refused(self, who: str, message: Incoming) -> str:
        before = list(self.log)
        with pytest.raises(RequestRefused) as no:
            self.say(who, message)
        assert self.log == before
        return str(no.value.reason or no.value.code)

    def play(self) -> "Room":
        """Play the game on the table to its end, by whatever is legal last."""
        while self.table.phase == "playing":
            assert self.table.current is not None
            who = self.table.chairs[self.table.to_move or 0].who or ""
            self.say(who, Move("i", self.table.number, self.table.current.game.legal_moves[-1]))
        return self

    @property
    def phase(self) -> str:
        return self.table.phase

    @property
    def names(self) -> list[str]:
        return [chair.name for chair in self.table.chairs]


def choose(game: str, seats: int = 2, **more: Any) -> Choose:
    return Choose("i", game, seats, **more)


def test_a_clock_starts_only_when_all_are_ready() -> None:
    """Full is not enough; nobody is ready for another."""
    room = Room("me", "open").sit("Bob")
    assert room.phase == "waiting"
    assert room.refused("eve", Ready("i")) == "not_seated"
    room.ready("ada")
    assert room.refused("ada", Ready("i")) == "said_so"
    room.say("ada", Ready("i", ready=False))
    room.ready("bob")
    assert room.phase == "waiting"
    room.ready("ada")
    assert room.phase == "playing"
    assert room.refused("ada", Ready("i")) == "in_game"


def test_one_who_wants_a_rematch_pulls_nobody_away_from_the_result() -> None:
    room = Room("me", "open").sit("Bob").ready("ada", "bob").play()
    room.say("ada", Rematch("i"))
    assert (room.phase, room.table.ready) == ("over", {"ada"})
    room.say("bob", Rematch("i"))
    assert room.phase == "playing"
    assert room.names == ["Bob", "Ada"]  # rotated, as ever
    assert room.table.ready == set()


def test_the_host_chooses_what_is_next_and_everyone_agrees_anew() -> None:
    """Another game with other seats and rules; the finished one stays as it was, with its proof."""
    room = Room("me", "open", game=FOR_THREE).sit("Bob").ready("ada", "bob").play()
    assert room.refused("bob", choose(FOR_THREE)) == "not_host"
    room.ready("bob")
    room.say("ada", choose(FOR_THREE, 3, games=2))
    assert (room.phase, room.table.ready, room.names) == ("waiting", set(), ["Ada", "Bob", ""])
    assert room.refused("ada", choose(FOR_THREE, 1)) == "too_few_seats"
    assert room.refused("ada", choose("no-such-game")) == "bad_settings"
    assert room.refused("ada", choose(FOR_THREE, options={"no": 1})) == "bad_settings"
    room.sit("Cleo").ready("ada", "bob", "cleo")
    assert (room.phase, room.table.games, room.names) == ("playing", 2, ["Ada", "Bob", "Cleo"])
    assert room.refused("ada", choose(FOR_THREE)) == "in_game"
    first = room.table.played[0]
    assert first.names == ["Ada", "Bob"]
    assert first.game.over
    room.play()
    assert room.phase == "between"
    assert room.refused("ada", choose(FOR_THREE)) == "in_game"  # a match is played as it was agreed
    room.ready("ada", "bob", "cleo")
    assert room.phase == "playing"


def test_seats_are_swapped_freed_barred_and_given_to_bots() -> None:
    room = Room("me", "open", "open", game=FOR_THREE).sit("Bob", "Cleo")
    for message in (Swap("i", 0, 1), Free("i", 0), Admit("i", 0), choose(FOR_THREE)):
        assert room.refused("bob", message) == "not_host"
    assert room.refused("ada", Swap("i", 0, 3)) == "no_seat"
    room.say("ada", Swap("i", 0, 2))
    assert room.names == ["Cleo", "Bob", "Ada"]
    room.say("ada", Free("i", 0))
    room.sit("Cleo")
    assert room.refused("ada", Free("i", 2, bar=True)) == "host_here"
    room.say("ada", Free("i", 1, bar=True))
    assert room.refused("bob", Sit("i", "Bob")) == "barred"
    room.say("ada", Admit("i", 1))
    assert room.refused("ada", Admit("i", 9)) == "no_member"
    room.sit("Bob")
    room.say("ada", Fill("i", 1, "easy"))  # Bob is here: between games the host may
    room.ready("ada")
    room.say("cleo", Ready("i"))
    assert room.phase == "playing"
    assert room.table.chairs[1].who == "bob"  # and may take the seat back


def test_a_bot_makes_room_for_whoever_comes_later() -> None:
    room = Room("me", "bot:easy").ready("ada")
    assert room.phase == "playing"
    assert room.refused("bob", Sit("i", "Bob")) == "full"
    while room.table.phase == "playing":
        assert room.table.current is not None
        mover = room.table.to_move or 0
        if room.table.chairs[mover].who:
            room.say("ada", Move("i", room.table.number, room.table.current.game.legal_moves[-1]))
        else:
            word = room.table.current.game.legal_moves[-1]
            for entry in decide_move(room.table, mover, word, "bot").entries:
                room.table.apply(entry, 1)
    room.sit("Bob")
    assert room.names == ["Ada", "Bob"]


def test_no_two_bots_have_one_name() -> None:
    """A bot keeps its name in another seat; one that comes then takes a name that is free."""
    room = Room("me", "open", "open", game=FOR_THREE)
    room.say("ada", Fill("i", 1, "easy"))
    first = room.table.chairs[1].name
    room.say("ada", Swap("i", 1, 2))
    room.say("ada", Fill("i", 1, "easy"))
    assert room.table.chairs[2].name == first
    assert room.table.chairs[1].name not in ("", first)


def test_the_host_is_succeeded() -> None:
    """Handed on; on leaving, to whoever has been here longest; away for a while, to whoever takes it."""
    room = Room("me", "open", "open", game=FOR_THREE).sit("Bob", "Cleo")
    assert room.refused("bob", Hand("i", 1)) == "host_here"
    assert room.refused("bob", Hand("i", 2)) == "not_host"
    room.say("ada", Hand("i", 2))
    assert room.table.host == "cleo"
    room.say("cleo", Leave("i"))
    assert room.table.host == "ada"
    room.away.add("ada")
    room.say("bob", Hand("i", 1))
    assert room.table.host == "bob"


def test_a_host_may_sit_at_their_table() -> None:
    """Who was barred takes over from nobody; who is handed the table is barred no more."""
    room = Room("me", "open").sit("Bob")
    room.say("ada", Free("i", 1, bar=True))
    room.away.add("ada")
    with pytest.raises(RequestRefused):
        room.say("bob", Hand("i", 1))
    room.say("ada", Hand("i", 1))
    assert (room.table.host, describe(room.table, "bob", set()).members[1].barred) == ("bob", False)
    room.sit("Bob")
    assert room.names == ["Ada", "Bob"]


def test_a_room_that_everyone_left_is_opened_again_by_its_link() -> None:
    room = Room("me", "open").sit("Bob").ready("ada", "bob")
    room.say("ada", Leave("i"))
    room.say("bob", Leave("i"))
    assert room.table.closed
    assert room.refused("ada", Ready("i")) == "closed"
    room.sit("Cleo")
    assert (room.phase, room.table.host) == ("waiting", "cleo")
    room.sit("Ada").ready("ada", "cleo")
    assert room.phase == "playing"


def test_a_room_remembers_who_won_what() -> None:
    room = Room("me", "open", game=FOR_THREE).sit("Bob").ready("ada", "bob").play()
    room.ready("ada", "bob").play()
    room.say("ada", choose(FOR_TWO[-1]))
    room.ready("ada", "bob").play()
    found = describe(room.table, "bob", {"ada"})
    assert (found.played, [one.number for one in found.games]) == (3, [2, 1, 0])
    ada, bob = found.members
    assert (ada.host, ada.here, bob.you, bob.here, bob.member) == (True, True, True, False, 1)
    for one in found.members:
        who = one.name.lower()
        for tally in one.tallies:
            mine = [game for game in room.table.played if game.key == tally.game]
            assert tally.played == len(mine)
            assert tally.won == sum(game.people.index(who) in game.result.winners for game in mine)


@pytest.mark.parametrize("key", FOR_TWO)
def test_a_log_of_a_room_is_read_back(key: str) -> None:
    room = Room("me", "open", game=key).sit("Bob").ready("ada", "bob").play()
    room.say("ada", choose(FOR_TWO[0], games=3))
    room.say("ada", Hand("i", 1))
    room.say("bob", Free("i", 0, bar=True))
    log = [decode(encode(entry)) for entry in room.log]
    again = Table.open("room", log[0])
    for entry in log[1:]:
        again.apply(entry, 1)
    for name in ("settings", "host", "members", "chairs", "ready", "phase", "anew", "games", "closed"):
        assert getattr(again, name) == getattr(room.table, name), name


def test_too_many_people_are_told_to_open_another() -> None:
    room = Room("me", "open")
    for n in range(59):
        room.sit(f"G{n}")
        room.say("ada", Free("i", 1))
    assert room.refused("one-more", Sit("i", "One")) == "room_full"
    room.sit("G3")  # who was here before may come back


@pytest.fixture
def own_server(zygote: Zygote, sqlite_file: str) -> Iterator[Server]:
    one = Server(zygote, sqlite_file)
    yield one
    one.kill()


def test_a_room_over_the_wire_survives_a_restart(own_server: Server) -> None:
    """Ready, members, the choice and the results are all in the log; every game has its own proof."""
    with person(own_server.url, "Ada") as ada, person(own_server.url, "Bob") as bob:
        table = ada.open(FOR_TWO[0], ready=True)
        host, seen = ada.sit_at(table)
        guest, _ = bob.sit_at(table)
        assert seen["table"]["ready"]
        host.ask("ready", id="r1")
        assert guest.ask("ready", id="r1")["table"]["phase"] == "playing"
        host.close()
        guest.close()
        ada.play_out(table, bob)
        host, _ = ada.sit_at(table)
        assert host.ask("choose", id="c2", game=FOR_TWO[-1], seats=2)["table"]["phase"] == "waiting"
        assert host.ask("ready", id="r2")["table"]["seats"][0]["ready"]
        own_server.kill()
        own_server.start()
        guest, seen = bob.sit_at(table)
        assert seen["view"] is None
        assert [seat["ready"] for seat in seen["table"]["seats"]] == [True, False]
        assert (seen["table"]["game"], seen["table"]["host"]) == (FOR_TWO[-1], "Ada")
        assert guest.ask("choose", id="c3", game=FOR_TWO[0], seats=2)["reason"] == "not_host"
        assert guest.ask("ready", id="r2")["table"]["phase"] == "playing"
        guest.close()
        ada.play_out(table, bob)
        room = bob.http.get(f"/api/tables/{table}/room").json()
        assert room["played"] == 2
        me = next(one for one in room["members"] if one["you"])
        won = [bool(set(game["you"]) & set(game["winners"])) for game in room["games"]]
        assert sum(one["won"] for one in me["tallies"]) == sum(won)
        for number in range(2):
            verify(bob.http.get(f"/api/tables/{table}/games/{number}/record").json())


def test_whoever_sits_down_first_at_a_big_screen_is_the_host() -> None:
    """The device that opened the table takes no seat, is no member, and is missed by nobody."""
    room = Room("open", "open", screen=True)
    assert (room.table.host_name, room.refused("ada", Ready("i"))) == ("", "not_seated")
    room.sit("Ben", "Cleo")
    assert (room.table.host, room.table.host_name) == ("ben", "Ben")
    assert [one.name for one in describe(room.table, "ben", set()).members] == ["Ben", "Cleo"]
    room.ready("ben", "cleo").play()
    room.say("ben", Leave("i"))
    assert room.table.host == "cleo"
    with pytest.raises(ValueError, match="a big screen takes no seat"):
        Room("me", "open", screen=True)


def test_a_big_screen_sees_what_all_may_see_and_can_do_nothing(own_server: Server) -> None:
    """Even in the browser of someone who plays; the others learn that there is one, and when it is gone."""
    with person(own_server.url) as ada, person(own_server.url, "Ben") as ben:
        table = ada.open(seats=("me", "open"))
        own, _ = ada.sit_at(table)
        other, _ = ben.sit_at(table)
        screen = ada.connect(table)
        screen.send(type="hello", v=1, screen=True)
        shown = screen.until("snapshot")
        assert (shown["seat"], shown["yours"], shown["legal"], shown["table"]["yours"]) == (None, [], [], False)
        assert not any(seat["you"] for seat in shown["table"]["seats"])
        for socket in (own, other):
            while (told := socket.until("presence"))["screens"] != 1:
                pass
            assert told["watching"] == 0
        for asked in (
            {"type": "sit", "name": "Telly"},
            {"type": "look", "seat": 0},
            {"type": "leave"},
            {"type": "emote", "emote": "laugh"},
            {"type": "hint"},
        ):
            screen.send(**asked, **({} if asked["type"] in ("look", "emote") else {"id": asked["type"]}))
            assert screen.until("refused")["code"] == "not_allowed"
        screen.send(type="recall")
        assert screen.until("recalled")["seat"] is None
        screen.close()
        while own.until("presence")["screens"] != 0:
            pass
