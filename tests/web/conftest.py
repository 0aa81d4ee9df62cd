"""The page in a real browser, against a real server: Chromium of the system, or the one Playwright installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tavolino.bots.networks import has_networks
from tavolino.engine.registry import GAMES
from tavolino.server.app import STATIC
from tests.server.servers import Server, Zygote
from tests.web.site import guests, site  # noqa: F401
from tests.web.visitor import Visitors, Windows
from tools.browser import find

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--process-per-site",  # a page loaded anew stays in its process: a new one costs more than the page does
    "--host-resolver-rules=MAP tavolino.test 127.0.0.1",
]
PLAIN_HTTP = "tavolino.test"
"""A name that browsers do not take for this machine: there a page without https lacks what is for https only."""


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as one:
        yield one


def launched(playwright: Playwright, *more: str) -> Browser:
    if (found := find()) is None:
        pytest.skip("no Chromium: python tools/browser.py gets one")
    return playwright.chromium.launch(executable_path=found, args=[*ARGS, *more])


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with launched(playwright, "--in-process-gpu") as one:
        yield one


REVIEW_TRIES = 4
"""How deep finished games are reviewed here: quickly rather than well."""


def own_game() -> str:
    """Return a game for which the server has a bot of its own, Mine."""
    return next(key for key in GAMES if has_networks(key))


def serving(zygote: Zygote, folder: Path, review_tries: int) -> Server:
    """Start a server that serves the built page; its bots do not wait."""
    assert (STATIC / "index.html").exists(), "the page is not built: make client"
    many = {"requests_a_second": 1000.0, "messages_a_second": 1000.0, "tables_each": 1000, "engine": True}
    origins = [f"http://{PLAIN_HTTP}"]
    bots = [f"Mine={GAMES[own_game()].folder / 'weights' / '2.npz'}"]
    database = str(folder / "tables.sqlite")
    return Server(zygote, database, origins=origins, bots=bots, review_tries=review_tries, **many)


@pytest.fixture(scope="session")
def server(zygote: Zygote, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that reviews nothing: most tests do not look at that, and each end of a game would start one."""
    one = serving(zygote, tmp_path_factory.mktemp("web"), 0)
    yield one
    one.kill()


@pytest.fixture(scope="session")
def reviewing(zygote: Zygote, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that reviews finished games, quickly rather than well."""
    one = serving(zygote, tmp_path_factory.mktemp("reviewing"), REVIEW_TRIES)
    yield one
    one.kill()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    return Windows(browser)


@pytest.fixture
def visitors(windows: Windows, server: Server) -> Iterator[Visitors]:
    """People with a browser each; what their consoles complain about fails the test."""
    made = Visitors(windows, server.url)
    yield made
    made.leave()


@pytest.fixture
def readers(windows: Windows, reviewing: Server) -> Iterator[Visitors]:
    """The same, at the server that reviews."""
    made = Visitors(windows, reviewing.url)
    yield made
    made.leave()
