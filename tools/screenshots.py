"""Take the pictures of the page: `python -m tools.screenshots` (needs the built client and a browser).

A real server, real games played by clicks, a real browser. Every screen is taken on a desktop, and on a phone in the
dark (`NAME-phone`). docs/screens.md and the README show them; `python -m tools.screenshots home orma` takes a few anew.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.server.servers import Server, Zygote
from tests.web import hands, screens
from tests.web.conftest import ARGS, PLAIN_HTTP
from tests.web.visitor import DESKTOP, PHONE, Visitor, Visitors, Windows
from tools.browser import find

FOLDER = Path(__file__).parent.parent / "docs" / "img"
SHOWN = hands.GAMES[0]
"""The game of the screens that are alike for all."""


def patient(one: Visitor) -> dict[str, Any]:
    """Choose as `hands.best`, but end a turn of Face to Face as soon as it may be ended."""
    return next((offer for offer in one.legal if offer["word"] == "end"), None) or hands.best(one)


def table(game: str) -> Callable[[Visitor], None]:
    """Return what plays a while, and stops when it is our turn."""

    def go(one: Visitor) -> None:
        sit(one, game)
        hands.play_on(one, hands.CLICK, hands.HANDS[game].TURNS_TO_SHOW, patient)
        one.wait(lambda: one.over or bool(one.legal))

    return go


def sit(one: Visitor, game: str) -> None:
    """Begin a game against the computer."""
    one.go("/")
    screens.card(one, game).locator(".acts .btn").nth(0).click()
    one.wait(lambda: one.phase == "playing")


def end(one: Visitor) -> None:
    """Play a whole game."""
    sit(one, SHOWN)
    hands.play_on(one, hands.CLICK, choose=patient)
    one.wait(lambda: one.over)
    one.page.locator(".story:not(:empty)").wait_for(timeout=240_000)


def played(one: Visitor) -> str:
    """Play a whole game; return its table."""
    end(one)
    return one.page.url.partition("/t/")[2].partition("/")[0].partition("?")[0]


def replay(one: Visitor) -> None:
    """Look at a game that was played, some way into it."""
    one.go(f"/t/{played(one)}/replay/0?at=24")
    one.page.wait_for_timeout(1000)


def review(one: Visitor) -> None:
    """Wait until a game that was played is told."""
    one.go(f"/t/{played(one)}/review/0")
    one.page.locator(".moments").wait_for(timeout=240_000)


def big_screen(one: Visitor) -> None:
    """Show a table that was played at for a while on a big screen."""
    table(SHOWN)(one)
    one.go(f"{one.page.url.removeprefix(one.url).partition('?')[0]}/screen")
    one.page.locator("[data-testid=news]:not(:empty)").wait_for()


def beside(one: Visitor) -> None:
    """Look at a hand while another page is the big screen; some piece is picked up."""
    address = one.page.url
    one.context.new_page().goto(address)
    one.page.goto(address.removesuffix("/screen"))
    one.page.locator(".cue.mine").wait_for()
    one.page.locator(".phone [aria-pressed=false]:not([aria-disabled=true]):not(.off)").first.click()


ON_A_PHONE: dict[str, Callable[[Visitor], None]] = {"big-screen": beside}
"""What a phone shows beside such a screen instead of the same."""
SCREENS: dict[str, Callable[[Visitor], None]] = {
    **{game: table(game) for game in hands.GAMES},
    "big-screen": big_screen,
    "end": end,
    "replay": replay,
    "review": review,
    "home": screens.home,
    "new-table": screens.sheet,
    "waiting": screens.waiting,
    "lesson": screens.lesson(SHOWN),
    "rules": screens.rules,
}
"""How to get to each screen; the home page comes late, so that it lists some tables."""


def shoot(one: Visitor, name: str) -> None:
    """Take a screen on a desktop, and on a phone in the dark."""
    for size, dark, path in ((DESKTOP, False, f"{name}.png"), (PHONE, True, f"{name}-phone.png")):
        one.page.set_viewport_size({"width": size[0], "height": size[1]})
        one.page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        if dark and name in ON_A_PHONE:
            ON_A_PHONE[name](one)
        one.page.mouse.move(0, 0)
        one.page.wait_for_timeout(1800)
        one.page.screenshot(path=FOLDER / path)
        print(FOLDER / path)
    for other in one.context.pages[1:]:
        other.close()
    one.page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    one.page.emulate_media(color_scheme="light", reduced_motion="reduce")


def main(names: list[str]) -> None:
    """Take the screens named, or all."""
    if wrong := sorted(set(names) - set(SCREENS)):
        sys.exit(f"no screen {wrong[0]!r}; there are {', '.join(SCREENS)}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        zygote = Zygote(Path(folder) / "log.jsonl")
        origins = [f"http://{PLAIN_HTTP}"]
        server = Server(zygote, str(Path(folder) / "tables.sqlite"), origins=origins)
        browser = playwright.chromium.launch(executable_path=find(), args=ARGS)
        visitors = Visitors(Windows(browser), server.url)
        try:
            ada = visitors(DESKTOP)
            ada.url = ada.url.replace("127.0.0.1", PLAIN_HTTP)  # as friends see it: with a code to scan
            for name, go in SCREENS.items():
                if not names or name in names:
                    go(ada)
                    shoot(ada, name)
            visitors.leave()
        finally:
            browser.close()
            server.kill()
            zygote.close()


if __name__ == "__main__":
    main(sys.argv[1:])
