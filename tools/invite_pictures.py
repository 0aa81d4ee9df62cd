"""Take the picture of each game that a chat shows with an invitation: `python -m tools.invite_pictures` after a build.

It opens the home page of a running server (`--url`) and writes `invite.png` into the folder of each game.
"""

import argparse

from playwright.sync_api import sync_playwright

from tavolino.engine.registry import GAMES
from tavolino.server.invitation import PICTURE
from tools.browser import find


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--url", default="http://127.0.0.1:8017")
    url = asked.parse_args().url
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800}, device_scale_factor=2)
        page.goto(url)
        page.locator("article .pic").first.wait_for()
        for card in page.locator("article").all():
            file = GAMES[card.get_attribute("data-game") or ""].folder / PICTURE
            card.locator(".pic").screenshot(path=file)
            print(f"wrote {file}")
        browser.close()


if __name__ == "__main__":
    main()
