"""How people play Face to Face at the page, by clicks or with the keyboard alone, and what the screen must show."""

import re
from typing import Any

from playwright.sync_api import Page

from tests.web.reach import by, focused, tab_to_named, walk
from tests.web.visitor import Visitor

TURNS_TO_SHOW = 24
"""How many moves of ours are played before a picture of the board is taken."""


TAPS = 12
"""How many moves are made on phones beside a big screen."""


def worth(offer: dict[str, Any]) -> float:
    """Return how well a move gets on with the game."""
    if offer["word"] == "end":
        return 0.5
    return 2.0 if offer["back"] else 1.0 - abs(offer["gap"]) / 100


def click(visitor: Visitor, offer: dict[str, Any]) -> None:
    page = visitor.page
    if offer["word"] == "end":
        page.get_by_role("button", name=re.compile("^End")).click()
        return
    page.locator(f'.hcard[data-card="{visitor.seat}:{offer["card"]}"]').click()
    page.locator(f'[data-pile="{offer["of"]}:{offer["pile"]}"]').click()


def hold(visitor: Visitor, offer: dict[str, Any]) -> None:
    """Make a move on a phone beside a big screen."""
    if offer["word"] != "end":
        visitor.page.locator(f'.phone .card[data-card="{visitor.seat}:{offer["card"]}"]').click()
        visitor.page.locator(f'.phone [data-pile="{offer["of"]}:{offer["pile"]}"]').click()
    else:
        click(visitor, offer)


def press(visitor: Visitor, offer: dict[str, Any]) -> None:
    keyboard = visitor.page.keyboard
    if offer["word"] == "end":
        tab_to_named(visitor, "End")
        keyboard.press("Enter")
        return
    visitor.tab_to(".hcard")
    walk(visitor, f'.hcard[data-card="{visitor.seat}:{offer["card"]}"]', "ArrowRight")
    keyboard.press("Enter")
    aim = f'[data-pile="{offer["of"]}:{offer["pile"]}"]'
    visitor.page.wait_for_function("document.activeElement?.dataset.pile !== undefined")
    for key in ("", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowDown"):
        if key:
            keyboard.press(key)
        if focused(visitor, aim):
            keyboard.press("Enter")
            return
    raise AssertionError(f"no arrow leads to {aim}")


def see(visitor: Visitor) -> None:
    view, seat = visitor.view, visitor.seat
    hand = [f"{seat}:{card}" for card in view["hand"]]
    visitor.shown("[...document.querySelectorAll('.hcard')].map(e => e.dataset.card)", hand, "hand")
    see_table(visitor)


def see_table(visitor: Visitor) -> None:
    view = visitor.view
    tops = {f"{of}:{way}": view["piles"][of][way] for of in (0, 1) for way in ("up", "down")}
    visitor.shown(by("[data-pile]", "pile", "+e.dataset.top"), tops, "piles")


def unsigned(page: Page) -> list[Any]:
    """Return cards without their number, and piles without the arrow of their direction."""
    return list(
        page.evaluate("""() => [
          ...[...document.querySelectorAll('.hcard')].filter(e => {
            const figures = [...e.querySelectorAll('use[href^="#n-"]')].map(u => u.getAttribute('href').slice(3)).join('');
            return figures !== e.dataset.card.split(':')[1];
          }).map(e => e.dataset.card),
          ...[...document.querySelectorAll('[data-pile]')].filter(e => !e.querySelector('svg path')).map(e => e.dataset.pile),
        ]""")  # noqa: E501
    )
