"""A room in real browsers: ready by consent, a result that stays, a host who arranges, a link that stays good."""

import re

from playwright.sync_api import expect

from tests.server.servers import Server, person
from tests.web.screens import faults
from tests.web.test_together import say_ready, sit_down
from tests.web.visitor import PHONE, Visitors


def test_a_room_from_the_first_game_to_the_next(visitors: Visitors, server: Server) -> None:
    """One wants a rematch and pulls nobody away; the host chooses another game; the link leads back to the room."""
    with person(server.url) as ada, person(server.url, "Ben") as ben:
        table = ada.open("orma", ("me", "open"), ready=True)
        host, guest = visitors(), visitors(PHONE, dark=True)
        for one, who in ((host, ada), (guest, ben)):
            one.context.add_cookies([{"name": k, "value": v, "url": one.url} for k, v in who.http.cookies.items()])
        sit_down(guest, f"/t/{table}", "Ben")
        host.go(f"/t/{table}")
        expect(host.page.get_by_text("No clock")).to_be_visible()
        say_ready(host, guest)
        ada.play_out(table, ben)
        for one in (host, guest):
            expect(one.page.locator("#end-title")).to_be_visible()
        guest.page.get_by_role("button", name="Rematch").click()
        expect(host.page.get_by_text("1 of 2 ready")).to_be_visible()
        expect(host.page.locator("#end-title")).to_be_visible()
        host.page.get_by_role("button", name="To the room").click()
        expect(host.page.locator("tbody tr", has_text="Ben").locator("[data-state=ready]")).to_be_visible()
        host.rest()
        assert faults(host.page) == []
        won = host.page.locator("tbody .wins [role=img]")
        expect(won).to_have_count(2)
        assert sorted(one.get_attribute("aria-label") or "" for one in won.all()) in (["0", "1"], ["1", "1"])

        host.page.get_by_role("radio", name="Face to Face").click()
        expect(guest.page.get_by_text("The next game is being arranged")).to_be_visible()
        expect(guest.page.locator("#end-title")).to_be_visible()  # the result is not taken away
        host.page.get_by_role("button", name="Change").click()
        host.page.get_by_label("Clock").select_option("3 minutes per move")
        host.page.get_by_role("button", name="Play by these rules").click()
        guest.page.get_by_role("button", name="To the room").click()
        expect(guest.page.get_by_text("3 minutes per move")).to_be_visible()
        say_ready(guest, host)
        assert host.table["game"] == "face-to-face"

        late = visitors()
        late.go(f"/t/{table}")
        expect(late.page.get_by_text("you are watching")).to_be_visible()


def test_the_host_moves_replaces_and_hands_on(visitors: Visitors, server: Server) -> None:
    with person(server.url) as ada, person(server.url, "Ben") as ben:
        table = ada.open("orma", ("me", "open", "open"), ready=True)
        ben.sit_at(table)[0].close()
        host, guest = visitors(), visitors(PHONE)
        for one, who in ((host, ada), (guest, ben)):
            one.context.add_cookies([{"name": k, "value": v, "url": one.url} for k, v in who.http.cookies.items()])
            one.go(f"/t/{table}")
        rows = host.page.locator("tbody tr")
        menu = rows.filter(has_text="Ben").get_by_role("button", name=re.compile("Ben"))
        menu.click()
        host.page.get_by_role("button", name="Move to another seat").click()
        rows.nth(2).get_by_role("button", name="Here").click()
        expect(rows.nth(2)).to_contain_text("Ben")
        menu.click()
        host.page.get_by_role("button", name="Make them the host").click()
        expect(guest.page.get_by_text("You choose, as the host.")).to_be_visible()
        expect(host.page.get_by_role("button", name="Change")).to_have_count(0)
        guest.page.locator("tbody tr").filter(has_text="Ada").get_by_role("button", name=re.compile("Ada")).click()
        guest.page.get_by_role("button", name="Remove from the room").click()
        expect(host.page.get_by_text("1 watching")).to_be_visible()
        host.page.get_by_role("button", name="Sit down").click()
        expect(host.page.get_by_text("lets you watch only")).to_be_visible()
        guest.page.get_by_role("button", name="Let them in again").click()
        host.page.get_by_role("button", name="Sit down").click()
        host.wait(lambda: host.seat is not None)
