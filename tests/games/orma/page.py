"""How people play Orma at the page, by clicks or with the keyboard alone, and what the screen must show."""

import re
from typing import Any

from playwright.sync_api import Page

from tests.web.reach import by, tab_to_named, walk
from tests.web.visitor import Visitor

TURNS_TO_SHOW = 12
"""How many moves of ours are played before a picture of the board is taken."""


TAPS = 10
"""How many moves are made on phones beside a big screen."""


def worth(offer: dict[str, Any]) -> float:
    """Return how well a move gets on with the game."""
    points = float(offer.get("points", 0))
    return 1.0 + points / 100 if "@" in offer["word"] else points


def click(visitor: Visitor, offer: dict[str, Any]) -> None:
    page, word = visitor.page, offer["word"]
    if "@" not in word:
        page.get_by_role("button", name=re.compile({"draw": "^Draw", "keep": "^Keep", "pass": "^Pass"}[word])).click()
        return
    stack = page.locator(f'[data-stack="{offer["colour"]}"]')
    if stack.get_attribute("aria-pressed") != "true":
        stack.click()
    spot = page.locator(f'[data-place="{offer["place"]}"] .ring').bounding_box()
    assert spot is not None
    page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)


def hold(visitor: Visitor, offer: dict[str, Any]) -> None:
    """Make a move on a phone beside a big screen."""
    if "@" not in offer["word"]:
        click(visitor, offer)
        return
    stack = visitor.page.locator(f'[data-stack="{offer["colour"]}"]')
    if stack.get_attribute("aria-pressed") != "true":
        stack.click()
    visitor.page.locator(f'.phone [data-place="{offer["place"]}"]').click()


def press(visitor: Visitor, offer: dict[str, Any]) -> None:
    keyboard, word = visitor.page.keyboard, offer["word"]
    if "@" not in word:
        tab_to_named(visitor, {"draw": "Draw", "keep": "Keep", "pass": "Pass"}[word])
        keyboard.press("Enter")
        return
    visitor.tab_to("[data-stack]")
    walk(visitor, f'[data-stack="{offer["colour"]}"]', "ArrowRight")
    keyboard.press("Enter")
    visitor.page.wait_for_function("document.activeElement?.dataset.place !== undefined")
    keyboard.press("Enter")  # the place the board thinks best


def see(visitor: Visitor) -> None:
    view = visitor.view
    visitor.shown(by("[data-stack]", "stack", "+e.dataset.count"), view["hand"], "hand")
    see_table(visitor)


def see_table(visitor: Visitor) -> None:
    view = visitor.view
    tokens = len(view["blacks"]) + sum(row["length"] for row in view["rows"])
    visitor.shown("document.querySelectorAll('[data-token]').length", tokens, "tokens on the table")


def unsigned(page: Page) -> list[Any]:
    """Return tokens without the track of their colour, on the table and in the hand."""
    return list(
        page.evaluate("""() => [...document.querySelectorAll('[data-token], [data-stack]')].filter(e => {
          const of = name => e.querySelector(`use[href^="#${name}-"]`)?.getAttribute('href').split('-')[1];
          return !of('token') || of('token') !== of('track');
        }).map(e => e.outerHTML.slice(0, 200))""")
    )
