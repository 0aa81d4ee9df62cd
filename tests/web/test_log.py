"""The log tells what happened, with names and numbers that stay: through a reload, a farewell, and in the replay."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.servers import Person, Server
from tests.web import hands
from tests.web.screens import GAMES, at_table
from tests.web.test_together import open_with_friends, say_ready, sit_down
from tests.web.visitor import PHONE, Visitor, Visitors

SIGNS = {"double": "×2", "conversion": "±", "ban": "⊘"}
LOG = """() => [...document.querySelectorAll('.moves > li')]
  .map(e => e.innerText.replace(/\\s+/g, ' ').trim()).reverse()"""


def log(one: Visitor) -> list[str]:
    """Return the lines of the log, the first move first."""
    return list(one.page.evaluate(LOG))


def telling(one: Visitor) -> dict[str, Any]:
    """Keep to one deck, or end a turn of cards, wherever that can be had: much to tell, and not soon lost."""
    return next((offer for offer in one.legal if offer["word"] in ("single", "end")), None) or hands.best(one)


@pytest.mark.parametrize("game", GAMES)
def test_the_log_is_the_same_after_a_reload(visitors: Visitors, game: str) -> None:
    """Line by line; and in Out of Sock each card that was taken is named in it, by a single too."""
    one = visitors()
    at_table(game)(one)
    hands.play_on(one, hands.CLICK, 12, telling)
    one.wait(lambda: one.over or bool(one.legal))
    one.rest()
    assert not one.over
    before = log(one)
    assert len(before) >= 12
    for event in one.events:
        if event["type"] == "card_taken":
            suit, _, kind = event["card"].partition(":")
            assert any(f"{suit} {SIGNS.get(kind, kind)}" in line for line in before), (event, before)
        elif event["type"] == "points_scored" and event["points"] > 1:
            assert any(line.endswith(f"· +{event['points']}") for line in before), (event, before)
    if "single" in one.view["moves"]:
        assert any(re.search(r"one deck: takes? \w+ \S+( and \w+ \S+)? from deck \d", line) for line in before), before
    one.page.reload()
    one.wait(lambda: one.over or bool(one.legal))
    one.shown(LOG, before, "the log")


def test_whoever_leaves_keeps_the_moves_made(visitors: Visitors) -> None:
    """The computer goes on under its own name; before and after a reload Ben's moves stay Ben's."""
    ada, path = open_with_friends(visitors, "orma")
    ben = visitors(PHONE)
    sit_down(ben, path, "Ben")
    say_ready(ada, ben)
    for _ in range(2):
        mover = ada if ada.legal else ben
        number = mover.number
        hands.CLICK["orma"](mover, hands.best(mover))
        for one in (ada, ben):
            one.wait(lambda one=one, before=number: one.number > before)
    before = log(ada)
    assert sum(line.split()[1] == "Ben" for line in before) == 1
    ben.page.get_by_role("button", name="More").click()
    ben.page.get_by_role("button", name="Leave the table").click()
    ben.page.get_by_role("button", name="Leave", exact=True).click()
    expect(ada.page.locator(".people").get_by_text("Mirto")).to_be_visible()
    assert log(ada)[:2] == before
    ada.wait(lambda: bool(ada.legal))
    ada.page.reload()
    ada.wait(lambda: bool(ada.legal))
    ada.shown(f"({LOG})().slice(0, 2)", before, "the log")


@pytest.mark.parametrize("game", GAMES)
def test_table_and_replay_count_alike_and_the_list_follows(visitors: Visitors, server: Server, game: str) -> None:
    """The same lines under the same numbers; the move shown is marked and in sight, wherever one jumps."""
    host = Person(server.url)
    table = host.open(game, ("me", "bot:easy"))
    host.play_out(table)
    host.close()
    one = visitors()
    one.go(f"/t/{table}")
    one.page.get_by_role("button", name="Show the table").click()
    expect(one.page.locator(".moves > li").first).to_be_visible()
    one.rest()
    at_the_table = log(one)
    one.go(f"/t/{table}/replay/0?seat=all&at=2")
    expect(one.page.locator(".moves > li[aria-current]")).to_be_in_viewport(ratio=0.95)
    assert numbers(log(one)) == numbers(at_the_table) == list(range(1, len(at_the_table) + 1))
    if game == "out-of-sock":  # nothing is hidden in it: all see the same
        assert log(one) == at_the_table
    for key in ("End", "ArrowLeft", "Home", "ArrowRight"):
        one.page.keyboard.press(key)
        current = one.page.locator(".moves > li[aria-current]")
        if key != "Home":
            expect(current).to_be_in_viewport(ratio=0.95)
            shown = re.search(r"Move (\d+) of", one.page.locator(".what .n").inner_text())
            assert shown
            assert current.locator(".nth").inner_text() == shown.group(1)
    if game == "orma":
        one = visitors(PHONE)
        one.go(f"/t/{table}/replay/0?seat=all&at=2")
        one.page.get_by_role("button", name="Moves").click()
        expect(one.page.locator("dialog .moves > li[aria-current]")).to_be_in_viewport(ratio=0.95)


def numbers(lines: list[str]) -> list[int]:
    return [int(line.split()[0]) for line in lines]
