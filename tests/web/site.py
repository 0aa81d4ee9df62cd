"""A web host that serves the page without a server, below its root, and who visits it."""

import contextlib
import functools
import http.server
import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from tavolino.bots.strategy import BY_GAME
from tavolino.browser.site import write_site
from tests.conftest import Once
from tests.web.screens import card
from tests.web.visitor import DESKTOP, Kind, Visitor, Windows

UNDER = "some/where"
TRIES = 4
"""What the expert looks at here: what it decides with more is compared with native code in test_wasm.py."""
REVIEW_TRIES = 4
"""And what a review looks at: what it finds with more is compared with native code in tests/browser/test_review.py."""
HEAR = """{
  // What the worker says and hears is what a server's socket would carry.
  localStorage.setItem('tavolino.botPace', '0');
  const Real = window.Worker;
  window.Worker = class extends Real {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => data.socket && data.say && window.workerSaid(data.say));
    }
    postMessage(data, ...more) {
      if (data.socket && data.say) window.workerHeard(data.say);
      super.postMessage(data, ...more);
    }
  };
}"""
ALONE = "delete Navigator.prototype.serviceWorker;"
"""As in browsers without service workers: none fetches every file of every game, and hashes it, beside the test."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files as any web host does, and tells nobody."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


class Site(NamedTuple):
    folder: Path
    url: str


@contextlib.contextmanager
def hosted(root: Path, kind: type[Quiet] = Quiet) -> Iterator[Site]:
    """Serve a folder that has a site below its root."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(kind, directory=str(root))) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield Site(root / UNDER, f"http://127.0.0.1:{host.server_port}/{UNDER}/")
        host.shutdown()


class Altering(Quiet):
    """A host that puts a script before some of its answers for a part of the page, which no browser keeps."""

    part: ClassVar[str]
    script: ClassVar[bytes]
    times: ClassVar[int]
    answered: ClassVar[list[str]]

    def send_head(self) -> Any:
        self.alters = self.part in self.path and len(self.answered) < self.times
        found = super().send_head()
        if self.part in self.path and found is not None:
            self.answered.append(self.path)
        if found is None or not self.alters:
            return found
        with found:
            return io.BytesIO(self.script + found.read())

    def send_header(self, keyword: str, value: str) -> None:
        if keyword == "Content-Length" and self.alters:
            value = str(int(value) + len(self.script))
        super().send_header(keyword, value)

    def end_headers(self) -> None:
        if self.alters:
            self.send_header("Cache-Control", "no-store")
        super().end_headers()


def altered(part: str, script: str, times: int = 1_000_000) -> type[Altering]:
    """Return a kind of host that alters so many of its answers for a part of the page."""
    about = {"part": part, "script": script.encode(), "times": times, "answered": []}
    return type("Altered", (Altering,), about)


def write(folder: Path) -> None:
    """Write the site, with experts that try little."""
    with pytest.MonkeyPatch.context() as patch:
        for strategy in BY_GAME.values():
            patch.setattr(strategy, "TRIES", TRIES)
        patch.setattr("tavolino.browser.pack.TRIES", REVIEW_TRIES)
        write_site(folder)


@pytest.fixture(scope="session")
def site(once: Once) -> Iterator[Site]:
    """A web host that serves nothing but files, with the page in a folder below its root."""

    def make(folder: Path) -> Path:
        write(folder / UNDER)
        return folder

    root: Path = once("host", make)
    with hosted(root) as site:
        yield site


class Guests:
    """Makes visitors of the site, each in a browser of their own; what leaves the folder fails the test."""

    def __init__(self, browser: Browser, site: Site, seen: bool = False) -> None:
        self._browser, self._site, self._seen = browser, site, seen
        self._made: list[Visitor] = []
        self.asked: list[str] = []

    def __call__(
        self, size: tuple[int, int] = DESKTOP, *, dark: bool = False, keeps: bool = False, beside: Visitor | None = None
    ) -> Visitor:
        """Open a window, or a tab `beside` another; one that `keeps` the site has its service worker."""
        if beside is None:
            one = Visitor(Windows(self._browser, self._seen).open(Kind(size, dark, "en-GB", True)), self._site.url)
            one.context.on("request", lambda request: self.asked.append(request.url))
            one.context.expose_binding("workerSaid", lambda at, text: self._at(at)._heard(json.loads(text)))
            one.context.expose_binding("workerHeard", lambda at, text: self._at(at).said.append(json.loads(text)))
            one.context.add_init_script(HEAR if keeps else HEAR + ALONE)
        else:
            one = Visitor(beside.context.new_page(), self._site.url)
        self._made.append(one)
        return one

    def _at(self, source: dict[str, Any]) -> Visitor:
        return next(one for one in self._made if one.page == source["page"])

    def leave(self) -> None:
        """Close their windows; what a console complained about fails the test, too."""
        for one in self._made:
            one.context.close()
        assert [fault for one in self._made for fault in one.faults] == []
        assert [url for url in self.asked if not url.startswith((self._site.url, "blob:", "data:"))] == []


@contextlib.contextmanager
def visited(browser: Browser, site: Site, seen: bool = False) -> Iterator[Guests]:
    """Let guests visit a site, then ask whether they had anything to complain about."""
    made = Guests(browser, site, seen)
    yield made
    made.leave()


@pytest.fixture
def guests(browser: Browser, site: Site) -> Iterator[Guests]:
    with visited(browser, site) as made:
        yield made


def open_table(one: Visitor, game: str, *seats: str) -> None:
    """Open a table by the sheet, with these in the seats after one's own."""
    one.table, one.legal = {}, []
    card(one, game).get_by_role("button", name="Options").click()
    selects = one.page.locator("dialog select[aria-label^=Seat]")
    for i, choice in enumerate(seats):
        selects.nth(i).select_option(choice)
    one.page.locator("dialog form .btn.go").click()
    one.wait(lambda: one.phase == "playing")


def saved(page: Page, button: str) -> str:
    """Click a button and return the file that it saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return Path(download.value.path()).read_text("utf-8")


def kept(one: Visitor) -> None:
    """Wait until the service worker has every file."""
    one.page.evaluate(
        """async () => {
          const { active } = await navigator.serviceWorker.ready;
          const workers = navigator.serviceWorker;
          const done = new Promise((resolve) => workers.addEventListener('message', resolve, { once: true }));
          active.postMessage('keep all');
          await done;
        }"""
    )
