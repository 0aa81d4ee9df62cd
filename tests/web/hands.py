"""How people play each game at the page: by clicks, or with the keyboard alone; and what the screen must show."""

import re
from collections.abc import Callable
from typing import Any

from tests.web.visitor import Visitor

Choose = Callable[[Visitor], dict[str, Any]]


def best(visitor: Visitor) -> dict[str, Any]:
    """Choose a move that gets on with the game."""
    offers = visitor.legal

    def worth(offer: dict[str, Any]) -> float:
        word = offer["word"]
        if word == "end":
            return 0.5
        if "gap" in offer:
            return 2.0 if offer["back"] else 1.0 - abs(offer["gap"]) / 100
        if "@" in word:
            return 1.0 + float(offer["points"]) / 100
        if word.startswith("shake:"):
            return -float(abs(offer["aim"] - 5))
        return float(offer.get("points", 0))

    return max(offers, key=worth)


# By clicks


def click_face(visitor: Visitor, offer: dict[str, Any]) -> None:
    page = visitor.page
    if offer["word"] == "end":
        page.get_by_role("button", name=re.compile("^End")).click()
        return
    page.locator(f'.hcard[data-card="{visitor.seat}:{offer["card"]}"]').click()
    page.locator(f'[data-pile="{offer["of"]}:{offer["pile"]}"]').click()


def click_sock(visitor: Visitor, offer: dict[str, Any]) -> None:
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


def click_orma(visitor: Visitor, offer: dict[str, Any]) -> None:
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


# With the keyboard alone


def key_face(visitor: Visitor, offer: dict[str, Any]) -> None:
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


def key_sock(visitor: Visitor, offer: dict[str, Any]) -> None:
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


def key_orma(visitor: Visitor, offer: dict[str, Any]) -> None:
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


def focused(visitor: Visitor, selector: str) -> bool:
    return bool(visitor.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector))


def walk(visitor: Visitor, selector: str, key: str) -> None:
    """Press an arrow until the focus is there."""
    for _ in range(24):
        if focused(visitor, selector):
            return
        visitor.page.keyboard.press(key)
    raise AssertionError(f"{key} never reaches {selector}")


def tab_to_named(visitor: Visitor, name: str) -> None:
    script = "n => document.activeElement?.matches('button') && document.activeElement.textContent.trim().startsWith(n)"
    for _ in range(80):
        if visitor.page.evaluate(script, name):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches the button {name}")


# What the screen must show


def by(selector: str, name: str, value: str) -> str:
    """Return a script that reads something of each element, by the name in its data."""
    return f'Object.fromEntries([...document.querySelectorAll("{selector}")].map(e => [e.dataset.{name}, {value}]))'


def see_face(visitor: Visitor) -> None:
    view, seat = visitor.view, visitor.seat
    hand = [f"{seat}:{card}" for card in view["hand"]]
    visitor.shown("[...document.querySelectorAll('.hcard')].map(e => e.dataset.card)", hand, "hand")
    tops = {f"{of}:{way}": view["piles"][of][way] for of in (0, 1) for way in ("up", "down")}
    visitor.shown(by("[data-pile]", "pile", "+e.dataset.top"), tops, "piles")


def see_sock(visitor: Visitor) -> None:
    view, seat = visitor.view, visitor.seat or 0
    points = {suit: view["suit_scores"][seat][suit] for suit in view["suit_scores"][seat]}
    visitor.shown(by(".mine [data-suit]", "suit", "+e.dataset.points"), points, "points by suit")
    dice = {place: deck["dice"] for place, deck in view["decks"].items()}
    visitor.shown(by("[data-deck]", "deck", "e.querySelectorAll('[data-die]').length"), dice, "dice at the decks")


def see_orma(visitor: Visitor) -> None:
    view = visitor.view
    visitor.shown(by("[data-stack]", "stack", "+e.dataset.count"), view["hand"], "hand")
    tokens = len(view["blacks"]) + sum(row["length"] for row in view["rows"])
    visitor.shown("document.querySelectorAll('[data-token]').length", tokens, "tokens on the table")


CLICK = {"face-to-face": click_face, "out-of-sock": click_sock, "orma": click_orma}
KEYS = {"face-to-face": key_face, "out-of-sock": key_sock, "orma": key_orma}
SEE = {"face-to-face": see_face, "out-of-sock": see_sock, "orma": see_orma}


def play_on(visitor: Visitor, how: dict[str, Any], turns: int = 400, choose: Choose = best) -> None:
    """Play until the game is over, or for so many moves of one's own; look at the screen before each."""
    game = visitor.table["game"]
    for _ in range(turns):
        visitor.wait(lambda: visitor.over or visitor.legal)
        if visitor.over:
            return
        SEE[game](visitor)
        number = visitor.number
        how[game](visitor, choose(visitor))
        visitor.wait(lambda before=number: visitor.number > before)
