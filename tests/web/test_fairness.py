"""The page keeps the fingerprint that it saw at the deal, and judges the secret by that one alone."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tavolino.bots import wasm
from tavolino.play.fairness import verify
from tests.server.servers import Person, Server
from tests.web.conftest import PLAIN_HTTP
from tests.web.visitor import DESKTOP, PHONE, Visitor, Visitors

pytestmark = pytest.mark.timeout(1200)
"""The first test may have to build the rules for the browser, on a busy machine."""
OTHER = "00112233445566778899aabbccddeeff"


def swap_secret(route: WebSocketRoute) -> None:
    """Be a server that shows another secret at the end, with a fingerprint that fits it."""
    server = route.connect_to_server()

    def tell(text: str | bytes) -> None:
        message: dict[str, Any] = json.loads(text)
        if message.get("table", {}).get("secret"):
            message["table"] |= {"secret": OTHER, "commitment": hashlib.sha256(OTHER.encode()).hexdigest()}
        route.send(json.dumps(message))

    server.on_message(tell)


@pytest.fixture
def host(server: Server) -> Iterator[Person]:
    one = Person(server.url)
    yield one
    one.close()


@pytest.fixture
def guest(server: Server) -> Iterator[Person]:
    one = Person(server.url, "Ben")
    yield one
    one.close()


def promised(host: Person, table: str) -> str:
    return str(host.http.get(f"/api/tables/{table}").json()["commitment"])


def open_proof(one: Visitor, question: str = "Was it fair?") -> None:
    result = one.page.get_by_role("button", name="Show the result")  # whoever comes by the link comes to the room
    expect(one.page.locator("#end-title").or_(result).first).to_be_visible()
    if result.is_visible():
        result.click()
    expect(one.page.locator("#end-title")).to_be_visible()
    proof = one.page.locator("details", has_text=question)
    if proof.get_attribute("open") is None:
        proof.locator("summary").click()


def test_a_server_that_swaps_its_secret_is_caught(visitors: Visitors, host: Person) -> None:
    """What the server shows at the end fits together; it does not fit what this browser kept from the deal."""
    table = host.open("orma", ("me", "bot:easy"))
    one = visitors(PHONE, dark=True, own=True)
    one.page.route_web_socket("**/ws", swap_secret)
    one.go(f"/t/{table}")
    one.page.get_by_role("button", name="Moves").click()
    shown = one.page.locator("[data-print]")
    expect(shown).to_have_attribute("data-print", promised(host, table))
    one.page.keyboard.press("Escape")
    host.play_out(table)
    open_proof(one)
    expect(one.page.get_by_role("alert")).to_contain_text("does not fit")


def change_once(route: WebSocketRoute) -> None:
    """Be a server that shows something else for a moment, in the middle of the game."""
    server = route.connect_to_server()

    def tell(text: str | bytes) -> None:
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "update" and message["number"] == 9:
            message["position"]["stack"] += 1
        route.send(json.dumps(message))

    server.on_message(tell)


@pytest.fixture(scope="module")
def rules() -> None:
    """The rules for the browser: a server builds none, its wheel or someone else has."""
    wasm.module("orma")


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("lies", ["", "in the record", "on the way"])
def test_the_page_deals_the_game_once_more(visitors: Visitors, host: Person, lies: str) -> None:
    """With the rules in the browser; another card in the record, or once on the way, is noticed."""
    table = host.open("orma", ("me", "bot:easy"))
    one = visitors(own=True)

    def swap(route: Route) -> None:
        record = route.fetch().json()
        record["deal"]["stack"].reverse()
        route.fulfill(json=record)

    if lies == "in the record":
        one.page.route("**/record", swap)
    if lies == "on the way":
        one.page.route_web_socket("**/ws", change_once)
    one.go(f"/t/{table}")
    one.wait(lambda: one.phase == "playing")
    host.play_out(table)
    open_proof(one)
    expect(one.page.locator("[data-again]")).to_have_attribute("data-again", "other" if lies else "same")


def swap_share(route: WebSocketRoute) -> None:
    """Be a server that shows another share for a seat at the end."""
    server = route.connect_to_server()

    def tell(text: str | bytes) -> None:
        message: dict[str, Any] = json.loads(text)
        if message.get("table", {}).get("shares"):
            message["table"]["shares"] = [share and OTHER * 2 for share in message["table"]["shares"]]
        route.send(json.dumps(message))

    server.on_message(tell)


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("honest", [True, False])
def test_the_page_brings_a_share_and_finds_it_again(
    visitors: Visitors, host: Person, guest: Person, honest: bool
) -> None:
    """Who sits down on the page has a part in the deal; a server that shows another at the end is caught."""
    table = host.open("orma", ("me", "open"))
    one = visitors(DESKTOP if honest else PHONE, dark=not honest, own=True)
    if not honest:
        one.page.route_web_socket("**/ws", swap_share)
    one.go(f"/t/{table}")
    one.page.get_by_role("button", name="Sit down").click()
    one.wait(lambda: one.phase == "playing")
    seals = host.http.get(f"/api/tables/{table}").json()["seals"]
    assert [seal is not None for seal in seals] == [False, True]
    one.page.reload()  # the share is kept
    one.wait(lambda: one.phase == "playing")
    cookie = next(each for each in one.page.context.cookies() if each["name"] == "tavolino")
    guest.http.cookies = httpx.Cookies({"tavolino": cookie["value"]})
    host.play_out(table, guest)
    open_proof(one)
    if honest:
        expect(one.page.locator("[data-again]")).to_have_attribute("data-again", "same")
        record = host.http.get(f"/api/tables/{table}/games/0/record").json()
        kept = one.page.evaluate(f"localStorage.getItem('tavolino.print.{table}.0')").split()[0]
        assert verify(record, kept).over
        expect(one.page.locator("[data-verdict=yours]")).to_contain_text("Yes.")
        one.page.route("**/engine/index.json", lambda route: route.fulfill(json={"games": []}))
        one.page.reload()  # where the page has no rules to deal it with, it does not say so much
        open_proof(one)
        expect(one.page.locator("[data-verdict=yours]")).to_contain_text("Only dealing the game again")
        expect(one.page.locator("[data-again]")).to_have_count(0)
    else:
        expect(one.page.get_by_role("alert")).to_contain_text("does not fit")


def test_the_deal_waits_for_a_browser_that_is_away_and_says_so(visitors: Visitors, server: Server) -> None:
    """The host has closed the page; the guest is told for whom the deal waits, and it comes when the host is back."""
    host = Person(server.url, "Ada", share=True)
    table = host.open("orma", ("me", "open"))
    one = visitors(PHONE)
    one.go(f"/t/{table}")
    one.page.get_by_role("button", name="Sit down").click()
    strip = one.page.get_by_role("status").filter(has_text="Waiting for Ada")
    expect(strip).to_be_visible()
    assert one.phase == "waiting"
    socket, seen = host.sit_at(table)
    share = "ab" * 32
    number = seen["table"]["sealing"]["round"]
    socket.ask("seal", round=number, seal=hashlib.sha256(share.encode()).hexdigest())
    socket.ask("show", round=number, share=share)
    one.wait(lambda: one.phase == "playing")
    expect(strip).to_have_count(0)
    seals = host.http.get(f"/api/tables/{table}").json()["seals"]
    assert None not in seals
    host.close()


def test_an_honest_secret_fits_on_plain_http_and_after_a_reload(
    visitors: Visitors, host: Person, guest: Person
) -> None:
    """No `crypto.subtle` there; the fingerprint is kept through a reload, for each game of the table."""
    table = host.open("orma", ("me", "open"), games=2)
    guest.sit_at(table)[0].close()
    one = visitors(DESKTOP)
    one.url = one.url.replace("127.0.0.1", PLAIN_HTTP)
    one.go(f"/t/{table}")
    one.wait(lambda: one.phase == "playing")
    assert one.page.evaluate("crypto.subtle === undefined")
    expect(one.page.locator("[data-print]")).to_have_attribute("data-print", promised(host, table))
    one.page.reload()
    one.wait(lambda: one.phase == "playing")
    host.play_out(table, guest)
    open_proof(one)
    expect(one.page.get_by_text("kept from before the first move")).to_be_visible()
    for each in (host, guest):
        socket, _ = each.sit_at(table)
        socket.ask("next", id="next")
        socket.close()
    one.wait(lambda: one.phase == "playing" and one.table["playing"] == 1)
    expect(one.page.locator("[data-print]")).to_have_attribute("data-print", promised(host, table))
    host.play_out(table, guest)
    one.wait(lambda: one.over)
    open_proof(one)
    expect(one.page.get_by_text("kept from before the first move")).to_be_visible()

    later = visitors(DESKTOP)
    later.go(f"/t/{table}")
    open_proof(later)
    expect(later.page.get_by_text("This browser cannot tell")).to_be_visible()
