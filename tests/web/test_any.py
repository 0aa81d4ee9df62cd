"""The installed game at the page, which has no line about it: the board for any game, in a real browser."""

import contextlib
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.examples.conftest import KEY, address, site  # noqa: F401 - the last two are fixtures
from tests.web.reach import by
from tests.web.screens import OVERFLOWING, SMALL, card, faults
from tests.web.test_together import say_ready
from tests.web.visitor import DESKTOP, PHONE, Visitor, Visitors, Windows


@pytest.fixture
def visitors(windows: Windows, address: str) -> Iterator[Visitors]:  # noqa: F811
    made = Visitors(windows, address)
    yield made
    made.leave()


def choose(one: Visitor, word: str) -> None:
    """Choose a move by its button, and confirm it."""
    button = one.page.locator(f'[data-word="{word}"]')
    if button.count() > 0:
        button.click()
    confirm = one.page.locator("[data-confirm]")
    expect(confirm).to_be_visible()
    number = one.number
    confirm.click()
    one.wait(lambda: one.number > number)


def ask_for_a_hint(one: Visitor) -> None:
    """Ask until there is one: the rules of a game that was just installed are compiled first."""
    chance = one.page.get_by_text("Chance to win", exact=True)
    ask = one.page.get_by_role("button", name="Hint", exact=True)
    for _ in range(60):
        if ask.count() > 0:  # while a hint is on its way, or shown, there is another button
            ask.click()
        with contextlib.suppress(AssertionError):
            expect(chance).to_be_visible(timeout=4000)
            return
    raise AssertionError("no hint within four minutes")


def play_on(one: Visitor) -> None:
    """Doubt what can be doubted, else bid what is offered first, until it is over; look at the screen before each."""
    while True:
        one.wait(lambda: one.over or bool(one.legal))
        if one.over:
            return
        script = "[...document.querySelectorAll('.mine .hand [data-piece]')].map(e => +e.dataset.piece)"
        one.shown(script, one.view["hand"], "hand")
        left = {str(seat): n for seat, n in enumerate(one.view["dice"]) if seat != one.seat}
        one.shown(by("[data-seat]", "seat", "+e.querySelector('.num').ariaLabel"), left, "dice of the others")
        words = [offer["word"] for offer in one.legal]
        choose(one, "liar" if "liar" in words else words[0])


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (PHONE, True)], ids=["desktop", "phone"])
def test_a_game_the_page_does_not_know_is_played_to_its_end(
    visitors: Visitors, size: tuple[int, int], dark: bool
) -> None:
    """From the home page by clicks, with a hint, to the sums, the replay and the rules."""
    one = visitors(size, dark=dark)
    one.go("/")
    one.page.locator("article").last.scroll_into_view_if_needed()
    expect(card(one, KEY)).to_contain_text("Liar's Dice")
    expect(card(one, KEY).get_by_role("link", name="Learn")).to_have_count(0)
    card(one, KEY).get_by_role("button", name="Play the computer").click()
    one.wait(lambda: bool(one.legal))
    ask_for_a_hint(one)
    expect(one.page.locator(".any .tip").first).to_contain_text("in 100")
    expect(one.page.locator("#hint-title")).to_have_text(re.compile(r"^\d+ × \d$|^Liar!$"))
    assert one.page.evaluate(OVERFLOWING) == []
    assert one.page.evaluate(SMALL) == []
    assert faults(one.page) == []
    play_on(one)
    assert not one.refused
    expect(one.page.locator("#end-title")).to_be_visible()
    expect(one.page.locator(".hero p:not(.story)")).to_contain_text("Only one player has dice left.")
    assert faults(one.page) == []
    one.page.get_by_role("link", name="Replay").click()
    expect(one.page.locator("footer .what")).to_be_visible()
    one.page.keyboard.press("End")
    expect(one.page.locator("footer .what")).to_contain_text("loses a die and has 0 left")
    assert one.page.evaluate(OVERFLOWING) == []
    one.go(f"/rules/{KEY}")
    expect(one.page.locator(".md")).to_contain_text("Instead of bidding, doubt the last bid")


def test_what_the_rules_forbid_is_said_in_the_games_own_words(visitors: Visitors) -> None:
    """A word typed that is no legal move goes to the server, and its refusal is put into words with its clause."""
    one = visitors()
    one.go("/")
    card(one, KEY).get_by_role("button", name="Play the computer").click()
    one.wait(lambda: bool(one.legal))
    one.up_to_date()
    first = next(offer["word"][0] for offer in one.legal if "x" in offer["word"])
    one.page.keyboard.type(f"{first}9x9")
    one.page.keyboard.press("Enter")
    refused = one.page.get_by_test_id("refused")
    expect(refused.get_by_role("alert")).to_have_text("A bid is a number of dice from 1 to 21 and a face from 1 to 6.")
    refused.locator("summary").click()
    expect(refused.locator("dt")).to_have_text(["L1.1", "L2.2"])
    expect(refused.locator("dd").nth(1)).to_contain_text("Nobody may bid more dice than there are")


def test_a_bid_can_be_taken_back_among_friends(visitors: Visitors) -> None:
    """Two at one device: the moves are told in the game's words, and undone with the board's own button."""
    one = visitors()
    one.go("/")
    card(one, KEY).get_by_role("button", name="With friends").click()
    one.page.get_by_label("Your name").fill("Ada")
    expect(one.page.get_by_label("dice for each")).to_have_count(1)
    one.page.get_by_role("button", name="Open the table").click()
    one.wait(lambda: one.phase == "waiting")
    ben = visitors()
    ben.go(f"/t/{one.table['id']}")
    ben.page.get_by_role("button", name="Sit down").click()
    say_ready(one, ben)
    one.wait(lambda: bool(one.legal or ben.legal))
    mover, other = (one, ben) if one.legal else (ben, one)
    choose(mover, "1x2")
    expect(other.page.locator(".log")).to_contain_text("bids 1 × 2")
    expect(other.page.locator(".mid [data-key=number]")).to_be_visible()
    mover.page.locator(".any").get_by_role("button", name="Undo").click()
    mover.wait(lambda: bool(mover.legal))
    expect(other.page.locator(".log")).not_to_contain_text("bids")


def test_a_big_screen_and_phones_need_no_line_about_a_game(visitors: Visitors) -> None:
    """The screen shows seats and table without a hand; a phone shows the hand and the moves, and nothing else."""
    screen, phones = visitors(DESKTOP), [visitors(PHONE), visitors(PHONE, dark=True)]
    screen.go("/")
    card(screen, KEY).get_by_role("button", name="With friends").click()
    screen.page.get_by_text("One big screen, and phones").click()
    screen.page.get_by_role("button", name="Open the table").click()
    screen.wait(lambda: screen.phase == "waiting")
    for phone in phones:
        phone.go(f"/t/{screen.table['id']}")
        phone.page.get_by_role("button", name="Sit down").click()
    say_ready(*phones)
    for _ in range(3):
        phones[0].wait(lambda: any(one.legal for one in phones))
        mover = next(one for one in phones if one.legal)
        expect(mover.page.locator(".cue.mine")).to_be_visible()
        expect(mover.page.locator(".any .seats, .any .mid")).to_have_count(0)
        script = "[...document.querySelectorAll('.mine .hand [data-piece]')].map(e => +e.dataset.piece)"
        mover.shown(script, mover.view["hand"], "hand")
        choose(mover, next(offer["word"] for offer in mover.legal if offer["word"] != "liar"))
        screen.wait(lambda now=mover: screen.number >= now.number)
        assert (screen.seat, screen.legal, screen.view.get("hand")) == (None, [], None)
    expect(screen.page.get_by_test_id("news")).to_contain_text("bids")
    for one in (screen, *phones):
        assert faults(one.page) == []
        assert one.page.evaluate(OVERFLOWING) == []
