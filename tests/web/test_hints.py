"""A hint says why, in the reader's language, beside the table."""

import re

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tavolino.bots import wasm
from tests.server.servers import PATIENCE, Server
from tests.web import hands
from tests.web.conftest import own_game
from tests.web.screens import OVERFLOWING, at_table, faults
from tests.web.visitor import DESKTOP, PHONE, Visitor, Visitors

LANGUAGES = ("it", "es", "en")


def hinted(one: Visitor, moves: int = 30) -> Locator:
    """Play until a hint has a reason, ask for it and return what shows it: not every move has one that can be told."""
    card = one.page.get_by_test_id("hint")
    for _ in range(moves):
        one.wait(lambda: bool(one.legal))
        one.up_to_date()
        one.page.get_by_role("button", name="Hint", exact=True).click()
        expect(card).to_be_visible()
        if card.locator("[data-reason]").count():
            return card
        number = one.number
        card.get_by_role("button", name="Play it").click()
        one.wait(lambda before=number: one.number > before)
    raise AssertionError(f"no hint of {moves} had a reason")


@pytest.mark.parametrize("game", hands.GAMES)
def test_a_hint_says_why_in_three_languages(visitors: Visitors, game: str) -> None:
    """One hint, told in each language; the table makes room for it, on a phone and on a desktop."""
    one = visitors()
    at_table(game)(one)
    card = hinted(one)
    for language in LANGUAGES:
        one.page.locator(".tools .menu > .icb").last.click()
        one.page.locator(f".lang button[lang={language}]").click()
        one.page.keyboard.press("Escape")
        words = one.page.request.get(f"{one.url}/api/games/{game}/text/{language}").json()["words"]
        for reason in card.locator("[data-reason]").all():
            code = f"reason.{reason.get_attribute('data-reason')}"
            said = [text for key, text in words.items() if key == code or key.startswith(f"{code}.")]
            first = [re.split(r"[{}]", text)[0].strip() or re.split(r"[{}]", text)[2].strip() for text in said]
            expect(reason).to_have_text(re.compile("|".join(map(re.escape, first)), re.IGNORECASE))
        assert not re.search(r"[{}]|undefined|NaN|null", card.inner_text())
        for size in (PHONE, DESKTOP):
            one.page.set_viewport_size({"width": size[0], "height": size[1]})
            one.rest()
            assert one.page.evaluate(OVERFLOWING) == []
            table, hint = one.page.locator("main.place").bounding_box(), card.bounding_box()
            assert table
            assert hint
            beside = table["x"] + table["width"] <= hint["x"] or table["y"] + table["height"] <= hint["y"]
            assert beside, (table, hint)
            assert card.evaluate("e => e.scrollHeight <= e.clientHeight"), "the hint is cut off"
    assert faults(one.page) == []


def hints_by(server: Server) -> dict[str, float]:
    """Return how many hints were found by the server, and by browsers."""
    text = httpx.get(f"{server.url}/metrics").text
    found = {
        by: re.search(rf'^tavolino_hints_total{{by="{by}"}} (\S+)$', text, re.MULTILINE) for by in ("server", "browser")
    }
    return {by: float(one[1]) if one else 0.0 for by, one in found.items()}


def best_of(card: Locator) -> tuple[str, int, int]:
    """Return the best move that a hint shows, in words, and the range of its chance."""
    low, high = re.findall(r"\d+", card.locator(".odds li.best .figure small").inner_text())
    return card.locator(".odds li.best .move").inner_text(), int(low), int(high)


@pytest.mark.timeout(1200)
def test_the_browser_finds_hints_and_the_server_where_it_cannot(visitors: Visitors, server: Server) -> None:
    """The server finds none for a browser that can; both agree as far as they can be sure."""
    wasm.module(own_game())  # a server builds nothing for that
    one = visitors()
    at_table(own_game())(one)
    card, button = one.page.get_by_test_id("hint"), one.page.get_by_role("button", name="Hint", exact=True)
    before = hints_by(server)
    button.click()
    expect(card).to_be_visible(timeout=1000 * PATIENCE)
    now = hints_by(server)
    assert (now["server"], now["browser"]) == (before["server"], before["browser"] + 1)
    move, low, high = best_of(card)
    one.page.route("**/rules.wasm", lambda route: route.fulfill(body=b"broken", content_type="application/wasm"))
    one.legal = []
    one.page.reload()
    one.wait(lambda: bool(one.legal))
    button.click()
    expect(card).to_be_visible(timeout=1000 * PATIENCE)
    assert hints_by(server) == {"server": before["server"] + 1, "browser": now["browser"] + 1}  # it tried first
    assert any("a hint failed here" in fault for fault in one.faults)
    one.faults.clear()
    theirs = best_of(card)
    assert move in card.locator(".odds .move").all_inner_texts()
    assert theirs[1] <= high
    assert low <= theirs[2]
