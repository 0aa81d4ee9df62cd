"""The coach of a first game: it shows at first, then only warns, then leaves."""

import re

from playwright.sync_api import expect

from tests.web import hands
from tests.web.screens import OVERFLOWING, at_table, faults
from tests.web.visitor import PHONE, Visitor, Visitors

GAME = hands.GAMES[0]


def coached(visitors: Visitors) -> Visitor:
    """Return someone at a table that was opened with a coach."""
    one = visitors()
    at_table(GAME)(one)
    one.page.evaluate("id => localStorage.setItem(`tavolino.coach.${id}`, 'on')", one.page.url.rsplit("/", 1)[1])
    one.page.reload()
    one.wait(lambda: bool(one.legal))
    return one


def thought(one: Visitor) -> None:
    """Wait until the coach has looked at the position."""
    if len(one.legal) > 1:
        one.page.wait_for_timeout(200)
        expect(one.page.locator(".tools [aria-busy=true]")).to_have_count(0, timeout=60_000)


def test_the_help_of_a_coach_fades(visitors: Visitors) -> None:
    """The first turns come with a hint; then a clearly worse move is held back once; then nothing is said."""
    one = coached(visitors)
    strip, hint = one.page.get_by_test_id("coach"), one.page.get_by_test_id("hint")
    warns = one.page.get_by_test_id("coach-warns")
    expect(strip).to_contain_text("turn 1 of 3")
    seen: list[str] = []
    while "none" not in seen and not one.over:
        one.up_to_date()
        thought(one)
        number, helps = one.number, str(one.page.locator("[data-coach]").get_attribute("data-coach"))
        if helps == "show" and len(one.legal) > 1:
            expect(hint).to_be_visible(timeout=240_000)  # a cold server compiles first
            if not seen:
                one.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
                one.rest()
                assert one.page.evaluate(OVERFLOWING) == []
                assert faults(one.page) == []
            hint.get_by_role("button", name="Play it").click()
        else:
            expect(hint).to_have_count(0)
            hands.CLICK[GAME](one, min(one.legal, key=hands.HANDS[GAME].worth))
            one.page.wait_for_timeout(100)
            if warns.count():
                helps += "ed"
                expect(warns).to_have_text(re.compile(r"Better: .+\. .+"))
                assert one.number == number, "it was played before it was confirmed"
                warns.get_by_role("button", name="Play mine").click()
        seen.append(helps)
        one.wait(lambda before=number: one.number > before)
        one.wait(lambda: one.over or bool(one.legal))
    assert set(seen) - {"warn", "none"} == {"show", "warned"}, seen
