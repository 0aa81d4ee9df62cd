"""The deal that nobody chooses: secret and shares are fixed before any is known, and withholding gains nothing."""

import secrets
import time
from collections.abc import Callable
from typing import Any

import pytest

from tavolino.play.fairness import commitment, fingerprint, joint_seed, terms_of, verify
from tavolino.play.game import new
from tavolino.play.records import BadRecord
from tavolino.play.setup import games, read_setup
from tavolino.server import replays
from tavolino.server.commands import RequestRefused, deal, decide, decide_move
from tavolino.server.entries import AnyEntry, Opened, Sat, Sealing, decode, encode
from tavolino.server.messages import Fill, Incoming, Leave, Move, Next, Rematch, Seal, Show, Sit
from tavolino.server.outgoing import sealing
from tavolino.server.settings import TableSettings, read_settings
from tavolino.server.table import Table
from tests.server.servers import PATIENCE, Person, Server, Socket, Zygote

KEYS = [one["key"] for one in games()]
People = Callable[[str], Person]


class Room:
    """A table without a network: people act on it, and its log is kept."""

    def __init__(self, key: str, *seats: str, games: int = 1, share: bool = True) -> None:
        settings = read_settings(TableSettings(game=key, seats=list(seats), games=games))
        self.log: list[AnyEntry] = [Opened(settings, "ada", "Ada", share)]
        self.table = Table.open("room", self.log[0])
        self.shares: dict[str, str] = {}
        if "open" not in seats:
            self.add(deal(share))

    def add(self, *entries: AnyEntry) -> None:
        for entry in entries:
            self.log.append(entry)
            self.table.apply(entry, 1)

    def do(self, who: str, message: Incoming, abandoned: bool = False) -> None:
        self.add(*decide(self.table, who, message, lambda _: True, abandoned).entries)

    def seal(self, who: str) -> None:
        assert self.table.round is not None
        share = self.shares[who] = secrets.token_hex(32)
        self.do(who, Seal("i", self.table.round.number, commitment(share)))

    def show(self, who: str) -> None:
        assert self.table.round is not None
        self.do(who, Show("i", self.table.round.number, self.shares[who]))

    def deal(self, *people: str) -> None:
        for who in people:
            self.seal(who)
        for who in people:
            self.show(who)

    def refused(self, who: str, message: Incoming) -> str:
        before = list(self.log)
        with pytest.raises(RequestRefused) as no:
            self.do(who, message)
        assert self.log == before
        return str(no.value.reason or no.value.code)

    def record(self, number: int = 0) -> dict[str, Any]:
        class Live:
            table = self.table

        found = replays.record(Live, number)  # type: ignore[arg-type]
        return {name: getattr(found, name) for name in found.__struct_fields__}


def two(key: str, **settings: Any) -> Room:
    room = Room(key, "me", "open", **settings)
    room.do("bob", Sit("i", "Bob", share=True))
    return room


@pytest.mark.parametrize("key", KEYS)
def test_everyone_has_a_part_in_the_deal(key: str) -> None:
    """The seed is what the docs say; whoever kept the fingerprint proves the record, and no other share fits it."""
    room = two(key)
    assert room.table.phase == "waiting"
    room.seal("bob")
    now = sealing(room.table)
    assert now is not None
    assert (now.awaited, now.fingerprint) == ([True, False], None)
    room.seal("ada")
    now = sealing(room.table)
    assert now is not None
    seals = [commitment(room.shares[who]) for who in ("ada", "bob")]
    kept = fingerprint(now.promise, seals, terms_of(read_setup(key, 2)))
    assert now.fingerprint == kept
    room.show("ada")
    assert room.table.current is None
    room.show("bob")
    current = room.table.current
    assert current is not None
    assert (room.table.phase, current.commitment, current.shares) == ("playing", kept, list(room.shares.values())[::-1])
    seed = joint_seed(current.secret, current.shares)
    assert current.game.record() == new(key, 2, seed, **current.game.options).record()
    room.do("ada", Leave("i"))
    room.do("bob", Leave("i"))
    record = room.record()  # abandoned, and open
    assert verify(record, kept).moves == current.game.moves
    swapped = record | {"fair": record["fair"] | {"shares": [record["fair"]["shares"][0], "0" * 64]}}
    with pytest.raises(BadRecord, match="SHA-256"):
        verify(swapped, kept)
    with pytest.raises(BadRecord, match="64 hex digits"):
        verify(record | {"fair": record["fair"] | {"shares": ["x", None]}}, kept)
    for first in range(2):  # whichever seat the draw gave it to: to say that it was chosen does not fit
        chosen = new(key, 2, seed, first=first, **current.game.options).record()
        fair = {**record["fair"], "first_drawn": False}
        for claim in (fair, {name: value for name, value in fair.items() if name != "terms"}):
            with pytest.raises(BadRecord, match="SHA-256"):
                verify(chosen | {"fair": claim}, kept)


@pytest.mark.parametrize("key", KEYS)
def test_a_log_says_all_of_it_at_any_moment(key: str) -> None:
    """A server that stops between any two steps, and another that reads the log, go on from there."""
    room = two(key, games=2)
    room.deal("ada", "bob")
    for end in range(1, len(room.log) + 1):
        log = [decode(encode(entry)) for entry in room.log[:end]]
        again, first = Table.open("room", log[0]), Table.open("room", room.log[0])
        for read, made in zip(log[1:], room.log[1:end], strict=True):
            again.apply(read, 1)
            first.apply(made, 1)
        assert sealing(again) == sealing(first)
        assert again.phase == first.phase
    assert again.current is not None
    assert room.table.current is not None
    assert again.current.game.record() == room.table.current.game.record()


def test_who_starts_a_later_game_is_bound_too() -> None:
    room = two(KEYS[0], games=2)
    room.deal("ada", "bob")
    room.do("bob", Leave("i"))
    while room.table.phase == "playing":
        assert room.table.current is not None
        game = room.table.current.game
        room.add(*decide_move(room.table, game.to_move or 0, game.legal_moves[-1]).entries)
    room.do("ada", Next("i"))
    room.deal("ada")
    first, second = (one.commitment for one in room.table.played)
    starts = room.table.played[1].first
    assert sealing(room.table) is None
    assert (room.table.played[1].terms or {})["first"] == starts == 1 - room.table.played[0].first
    room.do("ada", Leave("i"))
    record = room.record(1)
    assert verify(record, second).first == starts
    for claim in ({"first": 1 - starts}, {"fair": record["fair"] | {"first_drawn": True}}):
        with pytest.raises(BadRecord, match="SHA-256"):
            verify(record | claim, second)
    assert first != second


def test_a_deal_that_an_earlier_version_began_goes_on_in_its_form() -> None:
    """Its log says nothing of terms; fingerprint and record are those of then."""
    room = Room(KEYS[0], "me", "open")
    room.add(Sat(1, "bob", "Bob", True), Sealing("5" * 64))
    room.seal("ada")
    room.seal("bob")
    now = sealing(room.table)
    assert now is not None
    assert (now.terms, now.fingerprint) == (None, fingerprint(now.promise, now.seals))
    room.show("ada")
    room.show("bob")
    room.do("ada", Leave("i"))
    room.do("bob", Leave("i"))
    record = room.record()
    assert "terms" not in record["fair"]
    verify(record, now.fingerprint)


def test_all_but_one_together_choose_nothing() -> None:
    """Server and guest pick, among many, the secret and share that suit them best; the host's share undoes it."""
    key = KEYS[0]
    mine = secrets.token_hex(32)
    found = 0
    for _ in range(300):
        guess = secrets.token_hex(32)  # all they can do before they are bound
        secret = next(
            one
            for one in (secrets.token_hex(32) for _ in range(50))
            if new(key, 2, joint_seed(one, [guess, mine])).first == 1
        )
        found += new(key, 2, joint_seed(secret, [secrets.token_hex(32), mine])).first == 1
    assert 100 < found < 200  # of 300; beyond that less than once in 10^8 if nobody chooses


def test_who_withholds_has_lost() -> None:
    """There is no other deal for it: the others win, and the record shows who did not open."""
    room = two(KEYS[0])
    room.seal("ada")
    room.seal("bob")
    room.show("ada")
    now = sealing(room.table)
    assert now is not None
    assert now.awaited == [False, True]
    room.do("ada", Fill("i", 1, "easy"))
    assert room.table.phase == "over"
    assert room.table.played[0].result.winners == [0]
    assert room.table.played[0].result.ending == "withheld"
    record = room.record()
    assert record["failed"] == {"seat": 1, "status": "withheld"}
    assert verify(record, now.fingerprint).moves == []
    with pytest.raises(BadRecord, match="withheld"):
        verify(record | {"fair": record["fair"] | {"withheld": {"0": "0" * 64}}})
    assert room.refused("bob", Show("i", now.round, room.shares["bob"])) == "no_round"
    room.do("ada", Rematch("i"))
    room.deal("ada")
    assert len(room.table.played) == 2
    assert not room.table.played[1].over


@pytest.mark.parametrize("key", KEYS)
def test_who_withholds_is_behind_in_a_match_too(key: str) -> None:
    """Also where points are added, of which a game that was not dealt has none."""
    room = two(key, games=2)
    room.seal("ada")
    room.seal("bob")
    room.show("ada")
    room.do("bob", Leave("i"))
    assert room.table.phase == "between"
    assert room.table.totals[1] < room.table.totals[0]


@pytest.mark.parametrize("how", [Leave("i"), Fill("i", 1, "easy")])
def test_before_all_have_sealed_leaving_costs_nothing(how: Incoming) -> None:
    """Nobody has opened anything by then."""
    room = two(KEYS[0])
    room.seal("ada")
    room.do("bob" if isinstance(how, Leave) else "ada", how)
    if isinstance(how, Leave):
        assert room.table.round is None
        assert room.table.chairs[1].open
        room.do("eve", Sit("i", "Eve", share=True))
        room.deal("eve", "ada")
        assert room.table.current is not None
        assert None not in (room.table.current.shares or [None])
    else:
        room.show("ada")
        assert room.table.current is not None
        assert room.table.current.shares == [room.shares["ada"], None]
    assert room.table.phase == "playing"


def test_a_deal_goes_on_without_any_share_when_all_who_bring_one_are_away() -> None:
    room = Room(KEYS[0], "me", "open")
    room.do("bob", Sit("i", "Bob"))  # a program that brings none
    assert room.table.round is not None
    room.do("bob", Fill("i", 0, "easy"))
    assert room.table.current is not None
    assert (room.table.phase, room.table.current.shares) == ("playing", None)


def test_who_sits_again_without_a_share_is_not_waited_for() -> None:
    """Before all have sealed it is as if they had never brought one; after that, what they sealed is due."""
    room = two(KEYS[0])
    room.do("ada", Sit("i", "Ada", 0))
    assert room.table.awaited == [1]
    assert room.table.current is None
    room.do("bob", Sit("i", "Bob", 1))
    assert room.table.phase == "playing"
    room = two(KEYS[0])
    room.seal("ada")
    room.seal("bob")
    room.do("bob", Sit("i", "Bob", 1))
    room.show("ada")
    assert room.table.current is None
    room.show("bob")
    assert room.table.phase == "playing"


def test_a_program_that_brings_no_share_plays() -> None:
    """Alone with bots, as ever; beside a browser that brings one, its place in the seed is empty."""
    room = Room(KEYS[0], "me", "bot:easy", share=False)
    assert room.table.phase == "playing"
    assert room.record is not None
    room = Room(KEYS[0], "me", "open")
    room.do("bob", Sit("i", "Bob"))
    room.deal("ada")
    assert room.table.current is not None
    assert room.table.current.shares == [room.shares["ada"], None]


def test_an_abandoned_game_is_opened_by_whoever_leaves_last() -> None:
    """While others may come back, a bot plays on, and all stays closed."""
    room = two(KEYS[0])
    room.deal("ada", "bob")
    assert [type(one).__name__ for one in decide(room.table, "ada", Leave("i"), lambda _: True).entries] == ["Left"]
    room.do("ada", Leave("i"), abandoned=True)
    assert room.table.closed
    verify(room.record(), room.table.played[0].commitment)


def test_one_device_for_several_seats_brings_one_share() -> None:
    room = Room(KEYS[0], "me", "me")
    room.deal("ada")
    assert room.table.current is not None
    assert room.table.current.shares == [room.shares["ada"]] * 2


def test_each_game_of_a_match_has_its_own() -> None:
    room = two(KEYS[0], games=2)
    room.deal("ada", "bob")
    first = room.table.played[0]
    while room.table.phase == "playing":
        mover = "ada" if room.table.to_move == 0 else "bob"
        assert room.table.current is not None
        room.do(mover, Move("i", room.table.number, room.table.current.game.legal_moves[-1]))
    assert room.table.phase == "between"
    room.do("ada", Next("i"))
    assert room.table.round is None  # nobody is pulled away from the result
    room.do("bob", Next("i"))
    assert room.refused("bob", Next("i")) == "preparing"
    room.deal("bob", "ada")
    second = room.table.played[1]
    assert second.secret != first.secret
    assert not set(second.shares or []) & set(first.shares or [])
    for number in range(2):
        if room.table.played[number].over:
            verify(room.record(number), room.table.played[number].commitment)


def test_only_what_was_sealed_is_opened_and_only_in_order() -> None:
    room = two(KEYS[0])
    assert room.table.round is not None
    number, wrong = room.table.round.number, "0" * 64
    assert room.refused("eve", Seal("i", number, wrong)) == "not_seated"
    assert room.refused("ada", Show("i", number, wrong)) == "no_round"
    assert room.refused("ada", Seal("i", number + 1, wrong)) == "no_round"
    room.seal("ada")
    copied = commitment(room.shares["ada"])
    assert room.refused("bob", Seal("i", number, copied)) == "other_share"
    room.seal("ada")  # from another device: the last one counts
    room.seal("bob")
    assert room.refused("ada", Seal("i", number, wrong)) == "no_round"
    assert room.refused("ada", Show("i", number, wrong)) == "other_share"
    assert room.refused("ada", Show("i", number, room.shares["bob"])) == "other_share"
    room.show("ada")
    assert room.refused("ada", Show("i", number, room.shares["ada"])) == "other_share"
    room.show("bob")
    assert room.table.phase == "playing"


def bring(sockets: list[Socket], seen: dict[str, Any]) -> list[str]:
    """Seal and open a share from each socket, as the page does; return the shares."""
    shares = [secrets.token_hex(32) for _ in sockets]
    number = seen["table"]["sealing"]["round"]
    for one, share in zip(sockets, shares, strict=True):
        assert one.ask("seal", round=number, seal=commitment(share))["type"] == "snapshot"
    for one, share in zip(sockets, shares, strict=True):
        assert one.ask("show", round=number, share=share)["type"] == "snapshot"
    return shares


def test_who_stays_and_says_nothing_holds_up_nobody(zygote: Zygote, sqlite_file: str) -> None:
    """After a while the others may go on: without the share before it is sealed; after that, the game is lost."""
    server = Server(zygote, sqlite_file, away=3600.0, share_seconds=0.5)
    ada, bob = Person(server.url, "Ada", share=True), Person(server.url, "Bob", share=True)
    try:
        for opens in (False, True):
            table = ada.open(KEYS[0], ("me", "open"))
            first, second = ada.connect(table), bob.connect(table)
            first.hello()
            second.hello()
            number = second.ask("sit", name="Bob", share=True)["table"]["sealing"]["round"]
            mine, theirs = secrets.token_hex(32), secrets.token_hex(32)
            if opens:
                second.ask("seal", round=number, seal=commitment(theirs))
            first.ask("seal", round=number, seal=commitment(mine))
            if opens:
                first.ask("show", round=number, share=mine)
            end = time.monotonic() + PATIENCE
            while (answer := first.ask("fill", seat=1))["type"] == "refused":
                assert answer["reason"] == "not_away"
                assert time.monotonic() < end, "nobody may go on"
                time.sleep(0.1)
            seen = answer["table"]
            assert seen["seats"][1]["kind"] == "person"
            if opens:
                assert (seen["phase"], seen["results"][0]["ending"]) == ("over", "withheld")
                assert seen["results"][0]["winners"] == [0]
                assert second.ask("show", round=number, share=theirs)["reason"] == "no_round"
                verify(ada.http.get(f"/api/tables/{table}/games/0/record").json(), seen["commitment"])
            else:
                seen = first.ask("show", round=number, share=mine)["table"]
                assert (seen["phase"], seen["seals"]) == ("playing", [commitment(mine), None])
    finally:
        ada.close()
        bob.close()
        server.kill()


def test_over_real_sockets_nothing_is_told_before_the_end(people: People) -> None:
    """Not the secret, not another's share; a message sent twice acts once; then all of it is open."""
    ada, bob, eve = people("Ada"), people("Bob"), people("Eve")
    body = {"name": "Ada", "share": True, "settings": {"game": KEYS[0], "seats": ["me", "open"]}}
    table = ada.http.post("/api/tables", json=body).json()["id"]
    first, second, watcher = ada.connect(table), bob.connect(table), eve.connect(table)
    for one in (first, second, watcher):
        one.hello()
    seen = second.ask("sit", name="Bob", share=True)
    assert seen["table"]["phase"] == "waiting"
    assert seen["table"]["sealing"]["awaited"] == [True, True]
    shares = bring([first, second], seen)
    again = second.ask("show", id="t3", round=seen["table"]["sealing"]["round"], share=shares[1])
    assert again["type"] == "accepted"
    told = ada.http.get(f"/api/tables/{table}").json()
    assert (told["phase"], told["secret"], told["shares"], told["sealing"]) == ("playing", None, None, None)
    assert ada.http.get(f"/api/tables/{table}/games/0/record").status_code == 409
    heard = watcher.until("snapshot")
    texts = [str(heard)]
    while not heard["view"]:
        heard = watcher.until("snapshot")
        texts.append(str(heard))
    assert len(texts) >= 4
    assert not any(share in text for text in texts for share in shares)
    first.ask("leave")
    second.ask("leave")
    told = ada.http.get(f"/api/tables/{table}").json()
    assert told["shares"] == shares
    assert not any(told["secret"] in text for text in texts)
    record = ada.http.get(f"/api/tables/{table}/games/0/record").json()
    verify(record, heard["table"]["commitment"])
