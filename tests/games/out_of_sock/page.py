"""How people play Out of Sock at the page, by clicks or with the keyboard alone, and what the screen must show."""

import re
from typing import Any

from playwright.sync_api import Page

from tests.web.reach import by, walk
from tests.web.visitor import Visitor

TURNS_TO_SHOW = 26
"""How many moves of ours are played before a picture of the board is taken."""


TAPS = 12
"""How many moves are made on phones beside a big screen."""


def worth(offer: dict[str, Any]) -> float:
    """Return how well a move gets on with the game."""
    if offer["word"].startswith("shake:"):
        return -float(abs(offer["aim"] - 5))
    return float(offer.get("points", 0))


def click(visitor: Visitor, offer: dict[str, Any]) -> None:
    page, word = visitor.page, offer["word"]
    if word.startswith("shake:"):
        page.get_by_role("radio", name=re.compile(rf"^{offer['aim']}\b")).click()
        page.get_by_role("button", name="Shake").click()
    elif word in ("split", "single"):
        page.locator(f'[data-way="{word}"]').click()
    elif word.startswith("take:"):
        page.locator(f'[data-deck="{offer["deck"]}"]').click()
    else:
        page.locator(".pick .btn").nth([one["word"] for one in visitor.legal].index(word)).click()


hold = click
"""Make a move on a phone beside a big screen."""


def press(visitor: Visitor, offer: dict[str, Any]) -> None:
    keyboard, word = visitor.page.keyboard, offer["word"]
    if word.startswith("shake:"):
        visitor.tab_to("[role=radio]")
        walk(visitor, f'[role=radio][aria-checked="true"][aria-label^="{offer["aim"]}"]', "ArrowRight")
        keyboard.press("Enter")
    elif word.startswith("take:"):
        visitor.tab_to("[data-deck]")
        walk(visitor, f'[data-deck="{offer["deck"]}"]', "ArrowRight")
        keyboard.press("Enter")
    elif word in ("split", "single"):
        visitor.tab_to(f'[data-way="{word}"]')
        keyboard.press("Enter")
    else:
        visitor.tab_to(".pick .btn")
        keyboard.press("Enter")


def see(visitor: Visitor) -> None:
    view, seat = visitor.view, visitor.seat or 0
    points = {suit: view["suit_scores"][seat][suit] for suit in view["suit_scores"][seat]}
    visitor.shown(by(".mine [data-suit]", "suit", "+e.dataset.points"), points, "points by suit")
    see_table(visitor)


def see_table(visitor: Visitor) -> None:
    view = visitor.view
    dice = {place: deck["dice"] for place, deck in view["decks"].items()}
    visitor.shown(by("[data-deck]", "deck", "e.querySelectorAll('[data-die]').length"), dice, "dice at the decks")


def unsigned(page: Page) -> list[Any]:
    """Return decks whose top card has neither the sock's pattern nor its number, and columns without their sock."""
    return list(
        page.evaluate("""() => [
          ...[...document.querySelectorAll('[data-deck]')].filter(e => !e.querySelector('use[href^="#sock-"], [fill^="url(#p-"]') || !e.querySelector('use[href^="#n-"], circle + use')).map(e => e.outerHTML.slice(0, 200)),
          ...[...document.querySelectorAll('.mine [data-suit]')].filter(e => !e.querySelector(`use[href="#sock-${e.dataset.suit}"], [fill="url(#p-${e.dataset.suit})"]`)).map(e => e.dataset.suit),
        ]""")  # noqa: E501
    )
