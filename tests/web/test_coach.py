"""The coach of a first game: it shows at first, then only warns, then leaves."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from tests.web import hands
from tests.web.screens import OVERFLOWING, at_table, faults
from tests.web.visitor import PHONE, Visitor, Visitors

GAME = hands.GAMES[0]


def sharpen(best: dict[int, str]) -> Callable[[WebSocketRoute], None]:
    """Make all moves of a hint but the best one clearly worse, whatever was dealt; note the best by the position."""

    def route(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def tell(text: str | bytes) -> None:
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "hinted" and message["moves"]:
                for i, move in enumerate(message["moves"]):
                    chance = 0.1 if i else 0.9
                    move |= {"chance": chance, "low": chance - 0.02, "high": chance + 0.02}
                best[message["number"]] = message["moves"][0]["word"]
            socket.send(json.dumps(message))

        server.on_message(tell)

    return route


def coached(visitors: Visitors, best: dict[int, str]) -> Visitor:
    """Return someone at a table that was opened with a coach."""
    one = visitors(own=True)
    at_table(GAME)(one)
    one.page.route("**/engine/index.json", lambda route: route.fulfill(json={"games": []}))  # the server's hints
    one.page.route_web_socket("**/ws", sharpen(best))
    one.page.evaluate("id => localStorage.setItem(`tavolino.coach.${id}`, 'on')", one.page.url.rsplit("/", 1)[1])
    one.page.reload()
    one.wait(lambda: bool(one.legal))
    return one


def test_the_help_of_a_coach_fades(visitors: Visitors) -> None:
    """The first turns come with a hint; then a clearly worse move is held back once; then nothing is said."""
    best: dict[int, str] = {}
    one = coached(visitors, best)
    strip, hint = one.page.get_by_test_id("coach"), one.page.get_by_test_id("hint")
    warns = one.page.get_by_test_id("coach-warns")
    expect(strip).to_contain_text("turn 1 of 3")
    seen: list[str] = []
    while "none" not in seen and not one.over:
        one.up_to_date()
        number, helps = one.number, str(one.page.locator("[data-coach]").get_attribute("data-coach"))
        if helps != "none" and len(one.legal) > 1:
            one.wait(lambda now=number: now in best)
        if helps == "show" and len(one.legal) > 1:
            expect(hint).to_be_visible()
            if not seen:
                one.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
                one.rest()
                assert one.page.evaluate(OVERFLOWING) == []
                assert faults(one.page) == []
            else:  # it comes to a phone: the whole table stays in sight, and so does what it says to play
                one.rest()
                assert one.page.locator(".board").evaluate("e => e.getBoundingClientRect().top") >= 0
                expect(hint.get_by_role("button", name="Play it")).to_be_in_viewport()
            hint.get_by_role("button", name="Play it").click()
        else:
            expect(hint).to_have_count(0)
            others = [offer for offer in one.legal if offer["word"] != best.get(number)]
            one.rest()  # the hint has come to the page, too
            hands.CLICK[GAME](one, max(others or one.legal, key=hands.HANDS[GAME].worth))
            one.wait(lambda before=number: warns.count() > 0 or one.number > before)
            if one.number == number:  # held back: not played before it is confirmed
                assert helps == "warn"
                helps = "warned"
                expect(warns).to_have_text(re.compile(r"Better: .+\. .+"))
                one.rest()
                warns.get_by_role("button", name="Play mine").click()
        seen.append(helps)
        one.wait(lambda before=number: one.number > before)
        one.wait(lambda: one.over or bool(one.legal))
    assert {"show", "warned"} <= set(seen), seen
