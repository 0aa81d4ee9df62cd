"""What the server says reaches people in their own language; an address that leads nowhere says so, and shows a way."""

import json
import re

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.web import hands
from tests.web.screens import OVERFLOWING, card, faults
from tests.web.visitor import PHONE, Visitor, Visitors

NOWHERE = (
    "/learn/chess",
    "/rules/chess",
    "/nothing",
    "/t/AAAAAAAAAAAAAAAA",
    "/t/AAAAAAAAAAAAAAAA/replay/0",
    "/t/AAAAAAAAAAAAAAAA/replay/x",
    "/%E0%A4%A",
    "/chess.html",
)


def forgive(one: Visitor, status: int) -> None:
    """The browser itself complains about each answer of this status: that is no fault of the page."""
    one.faults = [fault for fault in one.faults if f"status of {status}" not in fault]


@pytest.mark.parametrize("language", ["it", "es"])
def test_a_refused_move_is_explained_in_the_readers_language(visitors: Visitors, language: str) -> None:
    """A word that the rules forbid, put in on its way to a real server: the clause is named, its text one tap away."""

    def meddle(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def say(text: str | bytes) -> None:
            message = json.loads(text)
            server.send(json.dumps(message | {"word": "end"}) if message["type"] == "move" else text)

        route.on_message(say)

    one = visitors(PHONE, dark=True, locale=f"{language}-{language.upper()}", own=True)
    one.page.route_web_socket("**/ws", meddle)
    one.go("/")
    card(one, "face-to-face").locator(".acts .btn").nth(0).click()
    mine = one.page.locator(".tbl.mine .hcard")
    expect(mine.first).to_be_visible()
    mine.first.click()
    one.page.locator("[data-pile] >> nth=2").click()
    refused = one.page.get_by_test_id("refused")
    words = one.page.request.get(f"{one.url}/api/games/face-to-face/text/{language}").json()["words"]
    expect(refused.get_by_role("alert")).to_contain_text(words["refused.too_few_cards"].partition(",")[0][1:])
    expect(refused.locator("dd")).to_have_count(0)
    refused.locator("summary").click()
    expect(refused.locator("dt")).to_have_text("F4.1")
    expect(refused.locator("dd")).to_contain_text(re.compile(r"\b2\b"))
    assert one.page.evaluate(OVERFLOWING) == []
    refused.locator(".btn").click()
    clause = one.page.locator("dialog .clause")
    expect(clause.locator('[data-clause~="F4.1"]')).to_be_attached()
    expect(clause).to_be_in_viewport(ratio=0.5)
    assert faults(one.page) == []


def test_a_hint_asked_for_too_early_comes_by_itself(visitors: Visitors) -> None:
    """While the game warms up the page says so, and asks as soon as it is ready."""
    routes: list[WebSocketRoute] = []

    def meddle(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def tell(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "snapshot":
                message["table"]["warming"] = {"done": 1, "total": 3}
            route.send(json.dumps(message))

        server.on_message(tell)
        routes.append(route)

    one = visitors(own=True)
    one.page.route_web_socket("**/ws", meddle)
    one.go("/")
    card(one, hands.GAMES[0]).locator(".acts .btn").nth(0).click()
    expect(one.page.locator("[data-turn]")).to_be_visible()
    hint = one.page.get_by_role("button", name="Hint", exact=True)
    expect(hint).to_be_enabled()
    hint.click()
    expect(one.page.get_by_text("Yours comes by itself in a moment")).to_be_visible()
    routes[-1].send(json.dumps({"type": "warming", "warming": None}))
    expect(one.page.get_by_text("Chance to win", exact=True)).to_be_visible()


def test_a_table_that_cannot_be_opened_says_why_in_italian(visitors: Visitors) -> None:
    def meddle(route: Route) -> None:
        wish = json.loads(route.request.post_data or "{}")
        wish["settings"]["seats"] = ["me"] * 5
        route.continue_(post_data=json.dumps(wish))

    one = visitors(locale="it-IT", own=True)
    one.page.route(
        re.compile(r"/api/tables$"), lambda route: meddle(route) if route.request.post_data else route.continue_()
    )
    one.go("/")
    card(one, "face-to-face").locator(".acts .btn").nth(0).click()
    expect(one.page.get_by_role("alert")).to_have_text(
        "Con queste scelte non si può aprire un tavolo. Cambiale e riprova."
    )
    forgive(one, 422)


def test_addresses_that_lead_nowhere_say_so_and_show_the_way_back(visitors: Visitors) -> None:
    one = visitors(PHONE, dark=True, locale="it-IT")
    for path in NOWHERE:
        one.go(path)
        back = one.page.locator("main .btn.go")
        expect(back).to_have_text("Torna alla home")
        assert one.page.evaluate("document.documentElement.lang") == "it"
        expect(one.page.locator("main")).to_contain_text(re.compile("non c’è"))
        assert one.page.evaluate(OVERFLOWING) == []
        if path in ("/learn/chess", "/nothing"):
            assert faults(one.page) == []
    one.page.locator("main .btn.go").click()
    expect(one.page.locator("article")).to_have_count(3)
    one.go("/learn/chess")
    one.page.get_by_role("link", name="Orma").click()
    expect(one.page.locator(".say.panel")).to_be_visible()
    forgive(one, 404)
