"""Whole games through the page, by clicks and with the keyboard alone; the screen must show what the view says."""

import re

import pytest
from playwright.sync_api import expect

from tests.web import hands
from tests.web.hands import GAMES
from tests.web.screens import OVERFLOWING, card, faults
from tests.web.visitor import PHONE, Visitors


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_clicks_on_a_desktop(visitors: Visitors, game: str) -> None:
    """One click from the home page to the table; then to the end, the sums and a rematch."""
    one = visitors()
    one.go("/")
    card(one, game).get_by_role("button", name="Play the computer").click()
    one.wait(lambda: one.phase == "playing")
    hands.play_on(one, hands.CLICK)
    assert not one.refused
    expect(one.page.locator("#end-title")).to_be_visible()
    for score in one.view["scores"]:
        shown = str(score).replace("-", "−")
        expect(one.page.locator(".rank").get_by_role("img", name=shown, exact=True).first).to_be_visible()
    winner = one.table["results"][-1]["winners"][0]
    headline = one.page.locator("#end-title").inner_text()
    assert headline.startswith("You" if winner == one.seat else one.table["seats"][winner]["name"])
    one.page.get_by_role("button", name="Rematch").click()
    one.wait(lambda: one.phase == "playing" and one.table["match"] == 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_with_the_keyboard_alone(visitors: Visitors, game: str) -> None:
    """No pointer: Tab, arrows, Enter."""
    one = visitors()
    one.go("/")
    one.page.locator("h1 a").focus()
    one.tab_to(f'article[data-game="{game}"] .acts .go')
    one.page.keyboard.press("Enter")
    one.wait(lambda: one.phase == "playing" and one.table["game"] == game)
    hands.play_on(one, hands.KEYS)
    assert not one.refused
    expect(one.page.locator("#end-title")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_plays_too(visitors: Visitors, game: str) -> None:
    """Some moves by taps at 390 × 844, in the dark; nothing sticks out of the screen."""
    one = visitors(PHONE, dark=True)
    one.go("/")
    card(one, game).get_by_role("button", name="Play the computer").click()
    one.wait(lambda: one.phase == "playing")
    hands.play_on(one, hands.CLICK, turns=5)
    one.wait(lambda: one.over or bool(one.legal))
    assert one.page.evaluate(OVERFLOWING) == []
    one.page.get_by_role("button", name="Hint").click()
    expect(one.page.get_by_text("Chance to win", exact=True)).to_be_visible()
    assert one.page.evaluate(OVERFLOWING) == []
    assert faults(one.page) == []


def test_typing_a_move_plays_it(visitors: Visitors) -> None:
    """The word of a move typed anywhere, then Enter."""
    one = visitors()
    one.go("/")
    card(one, "orma").get_by_role("button", name="Play the computer").click()
    one.wait(lambda: bool(one.legal))
    one.up_to_date()  # a move can be typed once it is shown
    word = next(offer["word"] for offer in one.legal if "@" in offer["word"])
    one.page.keyboard.type(word)
    expect(one.page.locator("kbd")).to_have_text(word)
    one.page.keyboard.press("Enter")
    one.wait(lambda: word in one.view["moves"])
    assert [message["word"] for message in one.moves_said] == [word]


def test_a_hint_marks_moves_and_says_the_chance(visitors: Visitors) -> None:
    one = visitors()
    one.go("/")
    card(one, "orma").get_by_role("button", name="Play the computer").click()
    one.wait(lambda: bool(one.legal))
    one.page.get_by_role("button", name="Hint").click()
    expect(one.page.get_by_text("Chance to win", exact=True)).to_be_visible()
    expect(one.page.get_by_text(re.compile(r"^\d+ %$")).first).to_be_visible()


def test_what_happens_is_said_to_screen_readers(visitors: Visitors) -> None:
    one = visitors()
    one.go("/")
    card(one, "orma").get_by_role("button", name="Play the computer").click()
    one.wait(lambda: bool(one.legal))
    hands.play_on(one, hands.CLICK, turns=2)
    one.wait(lambda: bool(one.legal))
    expect(one.page.get_by_test_id("spoken")).to_contain_text(re.compile("It is your turn|Mirto"))
    expect(one.page).to_have_title(re.compile("Your turn"))
