"""Take the pictures of the page for the README: `python -m tools.screenshots` (needs the built client and a browser).

A real server, real games played for a while by clicks, a real browser.
"""

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.server.servers import Server, Zygote
from tests.web import hands
from tests.web.conftest import ARGS
from tests.web.visitor import DESKTOP, PHONE, Visitor, Visitors
from tools.browser import find

FOLDER = Path(__file__).parent.parent / "docs" / "img"
ORDER = ["out-of-sock", "face-to-face", "orma"]
TURNS = {"out-of-sock": 26, "face-to-face": 24, "orma": 12}


def patient(one: Visitor) -> dict[str, Any]:
    """Choose as `hands.best`, but end a turn of Face to Face as soon as it may be ended."""
    return next((offer for offer in one.legal if offer["word"] == "end"), None) or hands.best(one)


def table(one: Visitor, game: str) -> None:
    """Play a while, and stop when it is our turn."""
    one.go("/")
    one.page.locator("article").nth(ORDER.index(game)).locator(".acts .btn").nth(0).click()
    one.wait(lambda: one.phase == "playing")
    hands.play_on(one, hands.CLICK, TURNS[game], patient)
    one.wait(lambda: one.over or bool(one.legal))


def shoot(one: Visitor, name: str) -> None:
    one.page.mouse.move(0, 0)
    one.page.wait_for_timeout(1800)
    one.page.screenshot(path=FOLDER / f"{name}.png")
    print(FOLDER / f"{name}.png")


def main() -> None:
    """Take them all."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        zygote = Zygote(Path(folder) / "log.jsonl")
        server = Server(zygote, str(Path(folder) / "tables.sqlite"))
        browser = playwright.chromium.launch(executable_path=find(), args=ARGS)
        visitors = Visitors(browser, server.url)
        try:
            ada = visitors(DESKTOP)
            for game in ORDER:
                table(ada, game)
                shoot(ada, game)
            ada.go("/")
            shoot(ada, "home")
            for game in ORDER:
                ben = visitors(PHONE, dark=True)
                table(ben, game)
                shoot(ben, f"{game}-phone")
            visitors.leave()
        finally:
            browser.close()
            server.kill()
            zygote.close()


if __name__ == "__main__":
    main()
