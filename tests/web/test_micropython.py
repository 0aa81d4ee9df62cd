"""What people.py and a table say in the browser itself is what they say natively, as tests/browser shows in Node."""

import functools

import pytest
from playwright.sync_api import Browser, Route

from tavolino.browser.pack import packs
from tests.browser.test_micropython import COMPARE, MICROPYTHON, played, task
from tests.conftest import Once

FILES = {path.name: path for path in (COMPARE, MICROPYTHON, MICROPYTHON.with_suffix(".wasm"))}
KINDS = {".mjs": "text/javascript", ".wasm": "application/wasm"}
RUN = """async (task) => {
  const [{ compare }, { loadMicroPython }] = await Promise.all([import('/compare.mjs'), import('/micropython.mjs')]);
  return compare(task, loadMicroPython);
}"""


@pytest.mark.timeout(1200)
def test_every_answer_in_chromium_is_the_native_one(browser: Browser, once: Once) -> None:
    """Views, offers, events, refusals, hints, replays and proofs of a whole game of each kind; Node has all tables."""
    session = once("micropython-first", functools.partial(played, each=1))
    page = browser.new_page()

    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        route.fulfill(body=FILES[name].read_bytes(), content_type=KINDS[FILES[name].suffix])

    page.route("http://localhost/*.*", serve)
    page.route("http://localhost/", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto("http://localhost/")
    try:
        found = page.evaluate(RUN, task(session, packs()._asdict()))
    finally:
        page.close()
    assert found["same"] == found["asked"] == len(session.steps), found["different"]
    assert found["ordered"] == found["asked"]
