"""One big screen and two phones: the screen follows and holds no secret, each phone plays from its owner's hand."""

import contextlib
import re

import pytest
from playwright.sync_api import expect

from tests.server.servers import Server, person
from tests.web import hands
from tests.web.conftest import PLAIN_HTTP
from tests.web.screens import OVERFLOWING, SMALL, card, faults
from tests.web.test_together import say_ready, sit_down
from tests.web.visitor import DESKTOP, PHONE, Visitor, Visitors


def open_screen(visitors: Visitors, game: str) -> tuple[Visitor, str]:
    """From home to a big screen, by a name that a phone can open too; return it, and the address in its code."""
    screen = visitors(DESKTOP)
    screen.url = screen.url.replace("127.0.0.1", PLAIN_HTTP)
    screen.go("/")
    card(screen, game).get_by_role("button", name="With friends").click()
    screen.page.get_by_text("One big screen, and phones").click()
    screen.page.get_by_role("button", name="Open the table").click()
    expect(screen.page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    screen.wait(lambda: screen.phase == "waiting")
    address = screen.page.locator(".invite .url b").inner_text()
    assert screen.page.url == f"http://{address}/screen"
    return screen, "/" + address.partition("/")[2]


def holds_no_secret(screen: Visitor, phones: list[Visitor]) -> None:
    """Whatever a phone knows and the others do not is not on the screen's wire."""
    assert (screen.seat, screen.legal) == (None, [])
    for phone in phones:
        own = [key for key, value in phone.view.items() if value != screen.view.get(key) and key != "seat"]
        assert all(screen.view.get(key) is None for key in own), own


def follows(screen: Visitor, number: int) -> None:
    """Wait until the screen shows a position."""
    screen.wait(lambda: screen.number >= number)
    screen.shown("+document.querySelector('.screen').dataset.number", screen.number, "the position")


def play_out(phones: list[Visitor]) -> None:
    """Play the rest of a game for their owners, by the wire: a whole game of taps costs more than all else here."""
    with contextlib.ExitStack() as stack:
        people = [stack.enter_context(person(phone.url)) for phone in phones]
        for one, phone in zip(people, phones, strict=True):
            one.http.cookies.clear()
            one.http.cookies.update({str(each["name"]): str(each["value"]) for each in phone.context.cookies()})
        people[0].play_out(phones[0].table["id"], *people[1:])
    for phone in phones:
        phone.wait(lambda phone=phone: phone.over)


@pytest.mark.parametrize("game", hands.GAMES)
def test_a_screen_shows_the_table_and_each_phone_a_hand(visitors: Visitors, game: str) -> None:
    """From home: phones sit down, are ready and play while the screen follows; one is loaded again meanwhile."""
    screen, path = open_screen(visitors, game)
    phones = [visitors(PHONE, dark=dark) for dark in (False, True)]
    for phone, name in zip(phones, ("Ada", "Ben"), strict=True):
        sit_down(phone, path, name)
        expect(screen.page.locator(".who strong").filter(has_text=name)).to_be_visible()
    for _ in range(len(phones[0].table["seats"]) - 2):  # for the first who sat down is the host
        phones[0].page.get_by_role("button", name="Add a computer player").first.click()
    say_ready(*phones)
    for tap in range(hands.HANDS[game].TAPS):
        phones[0].wait(lambda: phones[0].over or any(one.legal for one in phones))
        if phones[0].over:
            break
        mover = next(one for one in phones if one.legal)
        mover.up_to_date()
        expect(mover.page.locator(".cue.mine")).to_be_visible()
        for one in phones:
            one.wait(lambda one=one, now=mover.number: one.number >= now)
        follows(screen, mover.number)
        holds_no_secret(screen, phones)
        hands.HANDS[game].see_table(screen)
        if tap == 3:
            mover.page.reload()
            expect(mover.page.locator(".cue.mine")).to_be_visible()
            for one in (*phones, screen):
                assert faults(one.page) == []
            for script in (OVERFLOWING, SMALL):
                assert [one.page.evaluate(script) for one in phones] == [[], []]
        number = mover.number
        hands.HANDS[game].hold(mover, hands.best(mover))
        mover.wait(lambda one=mover, before=number: one.number > before)
    assert {one["type"] for one in screen.said} <= {"hello", "recall", "ping"}
    assert all(one.get("screen") for one in screen.said if one["type"] == "hello")
    if game == hands.GAMES[0]:  # the same for all
        play_out(phones)
        follows(screen, phones[0].number)
        holds_no_secret(screen, phones)
        the_end_and_the_next(screen, phones)


def the_end_and_the_next(screen: Visitor, phones: list[Visitor]) -> None:
    """Everyone sees who won; the next game comes when both want it, and the screen goes on with it."""
    expect(screen.page.locator(".over h2")).to_contain_text(re.compile("Ada|Ben"))
    assert faults(screen.page) == []
    for phone in phones:
        phone.page.get_by_role("button", name="Rematch").click()
        if phone is phones[0]:
            expect(screen.page.get_by_text("1 of 2 ready for the next game")).to_be_visible()
    expect(screen.page.locator(".pill")).to_be_visible()
    expect(screen.page.locator(".over")).to_have_count(0)


def test_a_phone_shows_the_whole_table_when_asked_to_and_when_the_screen_is_gone(
    visitors: Visitors, server: Server
) -> None:
    """One tap each way; a screen that was closed is not waited for. Several screens, even of someone who plays."""
    with person(server.url) as ada, person(server.url, "Ben") as ben:
        table = ada.open(hands.GAMES[0], ("me", "open"))
        ben.sit_at(table)[0].close()
        phone, screen, other = visitors(PHONE), visitors(DESKTOP), visitors(DESKTOP)
        for one in (phone, screen):  # the same person's
            one.context.add_cookies([{"name": k, "value": v, "url": one.url} for k, v in ada.http.cookies.items()])
        phone.go(f"/t/{table}")
        expect(phone.page.locator("[data-turn]")).to_be_visible()
        expect(phone.page.locator(".cue")).to_have_count(0)
        for one in (screen, other):
            one.go(f"/t/{table}/screen")
            expect(one.page.locator(".pill")).to_be_visible()
            assert (one.seat, one.legal) == (None, [])
        expect(phone.page.locator(".cue")).to_be_visible()
        phone.page.get_by_role("button", name="Show the whole table").click()
        expect(phone.page.locator(".cue")).to_have_count(0)
        phone.page.get_by_role("button", name="Show my hand").click()
        expect(phone.page.locator(".cue")).to_be_visible()
        other.go("/")
        screen.page.reload()
        expect(screen.page.locator(".pill")).to_be_visible()
        expect(phone.page.locator(".cue")).to_be_visible()
        screen.go("/")
        expect(phone.page.get_by_text("The big screen is gone")).to_be_visible()
        expect(phone.page.locator(".cue")).to_have_count(0)
