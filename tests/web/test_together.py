"""Several people at one table: by link, through a reload and a lost network, a spectator, one device for two."""

import contextlib
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tavolino.engine.registry import GAMES
from tavolino.server.network import LOOPBACK, own_address
from tests.server.servers import Server, Zygote, free_port, person
from tests.web import hands
from tests.web.conftest import own_game
from tests.web.screens import card
from tests.web.visitor import PHONE, Visitor, Visitors, Windows


def open_with_friends(visitors: Visitors, game: str) -> tuple[Visitor, str]:
    """Two clicks from home to a table with a link to share; return its address."""
    ada = visitors()
    ada.go("/")
    card(ada, game).get_by_role("button", name="With friends").click()
    ada.page.get_by_label("Your name").fill("Ada")
    ada.page.get_by_role("button", name="Open the table").click()
    ada.wait(lambda: ada.phase == "waiting")
    assert ada.table["game"] == game
    link = ada.page.get_by_role("textbox", name="The link to this table").input_value()
    expect(ada.page.get_by_text("tavolino serve --host 0.0.0.0")).to_be_visible()  # a phone could not open the link
    expect(ada.page.get_by_role("img", name=re.compile("QR code"))).to_have_count(0)
    return ada, link.removeprefix(ada.url)


def sit_down(one: Visitor, path: str, name: str) -> None:
    one.go(path)
    one.page.get_by_label("Your name").fill(name)
    one.page.get_by_role("button", name="Sit down").click()


def say_ready(*people: Visitor) -> None:
    """Everyone at a table says so; with the last one, the game is dealt."""
    for one in people:
        one.page.get_by_role("button", name="I am ready").click()
    for one in people:
        one.wait(lambda one=one: one.phase == "playing")


def test_two_browsers_by_link_one_reloads_one_watches(visitors: Visitors) -> None:
    """Both see the same table; a reload in mid-turn changes nothing; a spectator sees no hand."""
    ada, path = open_with_friends(visitors, "face-to-face")
    ben = visitors(PHONE)
    ben.go(path)
    expect(ben.page.get_by_role("heading", name="Ada invited you to play Face to Face")).to_be_visible()
    sit_down(ben, path, "Ben")
    say_ready(ada, ben)
    expect(ada.page.get_by_text("Ben").first).to_be_visible()
    mover, other = (ada, ben) if ada.legal else (ben, ada)
    hands.CLICK["face-to-face"](mover, next(offer for offer in mover.legal if "card" in offer))
    mover.wait(lambda: len(mover.view["moves"]) == 1)
    hand = mover.view["hand"]
    mover.page.reload()
    mover.wait(lambda: bool(mover.legal))
    assert mover.view["hand"] == hand
    hands.SEE["face-to-face"](mover)

    cleo = visitors()
    cleo.go(path)
    cleo.wait(lambda: cleo.phase == "playing")
    assert cleo.seat is None
    expect(cleo.page.get_by_text("This game is under way: you are watching.")).to_be_visible()
    assert cleo.view["hand"] is None
    assert cleo.page.locator(".hcard").count() == 0
    expect(ada.page.get_by_text("1 watching")).to_be_visible()

    hands.play_on(mover, hands.CLICK, turns=3)
    other.wait(lambda: other.view["moves"] == mover.view["moves"])
    cleo.wait(lambda: cleo.view["moves"] == mover.view["moves"])
    other.page.get_by_role("button", name="More").click()
    if other is ben:
        other.page.get_by_role("button", name="Well played").click()
    else:
        other.page.keyboard.press("Escape")
        other.page.get_by_role("button", name="Say something").click()
        other.page.get_by_role("button", name="Well played").click()
    expect(mover.page.locator(".bubble")).to_contain_text("Well played")


class Wire:
    """The network between a browser and the server: a relay that can be cut and mended."""

    def __init__(self, port: int) -> None:
        self._to = port
        self.port = free_port()
        self._open: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self.mend()

    def mend(self) -> None:
        listener = socket.create_server(("127.0.0.1", self.port))
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def cut(self) -> None:
        for one in [*([self._listener] if self._listener else []), *self._open]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits at it
        if self._listener is not None:
            self._listener.close()
        self._listener = None

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                near.close()
                continue
            self._open |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for one in (source, sink):
            self._open.discard(one)
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    one = Wire(server.port)
    yield one
    one.cut()


def test_a_lost_network_loses_nothing_and_plays_nothing_twice(visitors: Visitors, server: Server, wire: Wire) -> None:
    """Cut until three tries to connect have failed; a move made meanwhile is sent once, when the network is back."""
    one = visitors()
    one.url = f"http://127.0.0.1:{wire.port}"
    one.go("/")
    card(one, "orma").get_by_role("button", name="Play the computer").click()
    one.wait(lambda: bool(one.legal))
    hands.play_on(one, hands.CLICK, turns=1)
    one.wait(lambda: bool(one.legal))
    before = list(one.view["moves"])
    said, tries = len(one.moves_said), one.sockets
    wire.cut()
    expect(one.page.get_by_text("No connection")).to_be_visible()
    offer = next(offer for offer in one.legal if "@" in offer["word"])
    hands.CLICK["orma"](one, offer)
    expect(one.page.get_by_text("Your move is safe")).to_be_visible()
    one.wait(lambda: one.sockets >= tries + 3)
    assert one.view["moves"] == before
    wire.mend()
    one.wait(lambda: len(one.view["moves"]) > len(before))
    assert one.view["moves"][: len(before) + 1] == [*before, offer["word"]]
    one.wait(lambda: bool(one.legal))
    assert [message["word"] for message in one.moves_said[said:]] == [offer["word"]]
    expect(one.page.get_by_text("No connection")).to_be_hidden()
    hands.SEE["orma"](one)


NAMES = ("Ada", "Zoe")


def test_one_device_for_two_has_a_curtain(visitors: Visitors) -> None:
    """Pass and play: nobody sees a hand before the device was handed over; each is called by their own name."""
    one = visitors()
    one.go("/")
    card(one, "face-to-face").get_by_role("button", name="With friends").click()
    one.page.get_by_label("Your name").fill("Ada")
    one.page.get_by_label("Seat 2", exact=True).select_option("me")
    one.page.get_by_label("Name of the person in seat 2").fill("Zoe")
    one.page.get_by_role("button", name="Start").click()
    one.wait(lambda: one.phase == "playing")
    assert [seat["name"] for seat in one.table["seats"]] == ["Ada", "Zoe"]
    mover = one.table["to_move"]
    expect(one.page.get_by_role("heading", name=f"Hand it to {NAMES[mover]}", exact=True)).to_be_visible()
    assert one.view["hand"] is None
    assert one.page.locator(".hcard").count() == 0
    one.page.get_by_role("button", name=f"I’m {NAMES[mover]}. Show my hand", exact=True).click()
    one.wait(lambda: bool(one.legal))
    first = one.seat
    while one.seat == first:
        hands.SEE["face-to-face"](one)
        number = one.number
        hands.CLICK["face-to-face"](one, hands.best(one))
        one.wait(lambda before=number: one.number > before)
    assert one.view["hand"] is None
    expect(one.page.get_by_role("heading", name=f"Hand it to {NAMES[1 - mover]}", exact=True)).to_be_visible()


def test_the_servers_own_bot_is_chosen_by_name(visitors: Visitors) -> None:
    """It plays the game it was made for, and is called by its name; other games do not offer it."""
    one = visitors()
    one.go("/")
    card(one, next(game for game in GAMES if game != own_game())).get_by_role("button", name="Options").click()
    expect(one.page.get_by_label("Seat 2", exact=True).get_by_role("option", name="expert")).to_have_count(1)
    expect(one.page.get_by_label("Seat 2", exact=True).get_by_role("option", name="Mine")).to_have_count(0)
    one.page.keyboard.press("Escape")
    card(one, own_game()).get_by_role("button", name="Options").click()
    one.page.get_by_label("Seat 2", exact=True).select_option("Computer, Mine")
    one.page.get_by_role("button", name="Start").click()
    one.wait(lambda: bool(one.legal))
    assert one.table["seats"][1]["level"] == "Mine"
    for _ in range(20):
        if len(one.view["moves"]) > len(one.moves_said):  # the bot has moved, too
            break
        hands.play_on(one, hands.CLICK, turns=1)
        one.wait(lambda: one.over or bool(one.legal))
    assert len(one.view["moves"]) > len(one.moves_said)
    expect(one.page.get_by_text("Mine", exact=True).first).to_be_visible()


def test_one_device_for_two_needs_no_curtain_where_nothing_is_hidden(visitors: Visitors) -> None:
    one = visitors()
    one.go("/")
    card(one, "out-of-sock").get_by_role("button", name="With friends").click()
    one.page.get_by_label("Seat 2", exact=True).select_option("me")
    expect(one.page.get_by_text("We hide each hand")).to_have_count(0)
    one.page.get_by_role("button", name="Start").click()
    one.wait(lambda: bool(one.legal))
    first = one.seat
    while one.seat == first:
        hands.play_on(one, hands.CLICK, turns=1)
        one.wait(lambda: bool(one.legal))
    expect(one.page.get_by_role("heading", name=re.compile("Hand it to"))).to_have_count(0)


def test_an_open_seat_can_be_given_to_the_computer(visitors: Visitors) -> None:
    ada, _ = open_with_friends(visitors, "orma")
    ada.page.get_by_role("button", name="Add a computer player").click()
    say_ready(ada)


def test_the_lobby_shows_open_tables(visitors: Visitors) -> None:
    ada = visitors()
    ada.go("/")
    card(ada, "out-of-sock").get_by_role("button", name="With friends").click()
    ada.page.get_by_label("Show it in the list").check()
    ada.page.get_by_role("button", name="Open the table").click()
    ada.wait(lambda: ada.phase == "waiting")
    ben = visitors()
    ben.go("/")
    link = ben.page.locator(f'.join a[href="/t/{ada.table["id"]}"]')
    expect(link).to_be_visible()
    link.click()
    ben.page.get_by_role("button", name="Sit down").click()
    say_ready(ada, ben)
    ben.go("/")
    expect(ben.page.locator(".mine a").first).to_be_visible()


def test_a_table_that_is_not_there_says_so(visitors: Visitors) -> None:
    one = visitors()
    one.go("/t/AAAAAAAAAAAAAAAA")
    expect(one.page.get_by_text("We can’t find that table")).to_be_visible()


def test_a_personal_link_makes_another_browser_the_same_person(visitors: Visitors, server: Server) -> None:
    """Made on one device, asked about on the other; then both see the same tables. The address keeps no trace of it."""
    ada = visitors()
    ada.go("/")
    card(ada, "orma").get_by_role("button", name="Play the computer").click()
    ada.wait(lambda: bool(ada.legal))
    table = ada.table["id"]
    ada.go("/")
    ada.page.locator(".mine .link").first.click()
    ada.page.get_by_label("Your name").fill("Ada")
    ada.page.get_by_label("Your name").press("Tab")
    ada.page.get_by_role("button", name="Make a personal link").click()
    link = ada.page.get_by_label("Your personal link", exact=True).input_value()

    phone = visitors(PHONE)
    phone.go(link.removeprefix(ada.url))
    expect(phone.page.get_by_role("heading", name="Continue here as Ada?")).to_be_visible()
    assert "me=" not in phone.page.url
    phone.page.get_by_role("button", name="Continue here").click()
    phone.page.get_by_role("button", name="My tables").click()
    expect(phone.page.locator(f'.mine a[href="/t/{table}"]')).to_be_visible()

    # At one table: the same seat and the same position on both, and no second seat to take.
    with person(server.url, "Ben") as ben:
        ben.http.get("/api/me")
        room = ben.open("orma", ("me", "open", "open"), ready=True)
        sit_down(ada, f"/t/{room}", "Ada")
        phone.go(f"/t/{room}")
        phone.wait(lambda: phone.seat == 1)
        assert [seat["kind"] for seat in phone.table["seats"]] == ["person", "person", "open"]
        expect(phone.page.get_by_role("button", name="I am ready")).to_be_visible()
        assert phone.page.get_by_role("button", name="Sit down").count() == 0
        phone.page.get_by_role("button", name="I am ready").click()
        expect(ada.page.get_by_role("button", name="Not ready after all")).to_be_visible()

        # "Delete my data" on one of them: both are strangers then, and Ben's room goes on without the name.
        phone.go("/")
        phone.page.get_by_role("button", name="My tables").click()
        phone.page.locator(".mine .link").first.click()
        phone.page.get_by_role("button", name="Delete my data").click()
        expect(phone.page.get_by_text("with “N. N.” in place of your name")).to_be_visible()
        phone.page.get_by_role("button", name="Delete it for good").click()
        expect(phone.page.get_by_text("Your data is deleted")).to_be_visible()
        assert "Ada" not in ben.http.get(f"/api/tables/{room}/room").text
        assert phone.page.evaluate("Object.keys(localStorage).filter((key) => key === 'tavolino.name')") == []
        expect(ada.page.get_by_role("button", name="Sit down")).to_be_visible()
        ada.go("/")
        ada.page.wait_for_load_state("networkidle")
        assert ada.page.locator(f'.mine a[href="/t/{table}"]').count() == 0


def test_a_table_of_mine_can_be_closed_from_home(visitors: Visitors) -> None:
    one = visitors()
    one.go("/")
    card(one, "orma").get_by_role("button", name="Play the computer").click()
    one.wait(lambda: bool(one.legal))
    one.go("/")
    one.page.get_by_role("button", name=re.compile("Close this table")).click()
    one.page.get_by_role("button", name="Close it", exact=True).click()
    expect(one.page.get_by_role("button", name=re.compile("Close this table"))).to_have_count(0)


def test_a_server_for_others_offers_the_address_that_a_phone_can_open(
    windows: Windows, zygote: Zygote, tmp_path: Path
) -> None:
    """Opened on localhost; link and QR lead to this machine's address in its network."""
    server = Server(zygote, str(tmp_path / "tables.sqlite"), anywhere=True)
    visitors = Visitors(windows, server.url)
    one = visitors()
    one.go("/")
    card(one, "orma").get_by_role("button", name="With friends").click()
    one.page.get_by_role("button", name="Open the table").click()
    expect(one.page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    link = one.page.get_by_role("textbox", name="The link to this table")
    expect(link).to_have_value(re.compile(rf"^http://{re.escape(own_address())}:{server.port}/t/"))
    visitors.leave()
    server.kill()


def test_a_button_lets_phones_in(windows: Windows, zygote: Zygote, tmp_path: Path) -> None:
    """Opened on localhost, it says plainly that phones cannot come; one press, and the QR leads to the network."""
    server, address = Server(zygote, str(tmp_path / "tables.sqlite")), own_address()
    visitors = Visitors(windows, server.url)
    one = visitors()
    one.go("/")
    card(one, "orma").get_by_role("button", name="With friends").click()
    one.page.get_by_role("button", name="Open the table").click()
    expect(one.page.get_by_text("listens on this machine only")).to_be_visible()
    assert one.page.get_by_role("img", name=re.compile("QR code")).count() == 0
    one.page.get_by_role("button", name="Let phones in").click()
    if address == LOOPBACK:
        expect(one.page.get_by_role("alert")).to_contain_text("in no network")
    else:
        expect(one.page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
        link = one.page.get_by_role("textbox", name="The link to this table")
        expect(link).to_have_value(re.compile(rf"^http://{re.escape(address)}:{server.port}/t/"))
        phone = visitors(PHONE)
        phone.page.goto(link.input_value())
        phone.page.get_by_role("button", name="Sit down").click()
        one.wait(lambda: all(seat["kind"] == "person" for seat in one.table["seats"]))
        assert one.sockets == 1, "letting phones in must not cut off who is here"
    visitors.leave()
    server.kill()
