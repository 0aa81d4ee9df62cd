"""Every screen in every language: nothing sticks out, axe-core finds no fault; lessons, replays, the end."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.server.servers import Person, Server
from tests.web import hands
from tests.web.visitor import DESKTOP, PHONE, Visitor, Visitors

WEB = Path(__file__).parent.parent.parent / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
LANGUAGES = {"en": "en-GB", "it": "it-IT", "es": "es-ES"}
GAMES = ["face-to-face", "out-of-sock", "orma"]

OVERFLOWING = """() => {
  const bad = [];
  for (const e of document.querySelectorAll('button, a, p, h1, h2, h3, li, span, label, strong, small')) {
    if (e.closest('.sr, [aria-hidden=true], svg, select') || e.children.length > 0 || !e.textContent.trim()) continue;
    const box = e.getBoundingClientRect();
    if (box.width === 0 || getComputedStyle(e).visibility === 'hidden' || e.closest('[inert]')) continue;
    const scrolls = e.closest('.wide, .moves, .md, .fits');
    if (!scrolls && (box.right > innerWidth + 1 || box.left < -1)) bad.push(['out of the screen', e.className, e.textContent.trim().slice(0, 60)]);
    if (e.tagName === 'BUTTON' && e.scrollWidth > e.clientWidth + 2) bad.push(['cut off', e.className, e.textContent.trim().slice(0, 60)]);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) bad.push(['the page is wider than the screen']);
  return bad;
}"""  # noqa: E501


def faults(page: Page) -> list[str]:
    """Return what axe-core finds, a line each."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}" for one in found for node in one["nodes"]
    ]


def home(one: Visitor) -> None:
    one.go("/")
    expect(one.page.locator("article")).to_have_count(3)


def sheet(one: Visitor) -> None:
    home(one)
    one.page.locator("article").nth(2).locator(".acts .btn").nth(1).click()
    one.page.locator("dialog summary").click()
    expect(one.page.locator("dialog[open]")).to_be_visible()


def waiting(one: Visitor) -> None:
    home(one)
    one.page.locator("article").nth(0).locator(".acts .btn").nth(1).click()
    one.page.locator("dialog .go").click()
    one.wait(lambda: one.phase == "waiting")


def rules(one: Visitor) -> None:
    one.go("/rules/orma")
    expect(one.page.locator(".md .part").first).to_be_visible()


def at_table(nth: int) -> Callable[[Visitor], None]:
    def go(one: Visitor) -> None:
        home(one)
        one.page.locator("article").nth(nth).locator(".acts .btn").nth(0).click()
        one.wait(lambda: bool(one.legal))
        one.page.wait_for_timeout(300)

    return go


def lesson(game: str) -> Callable[[Visitor], None]:
    def go(one: Visitor) -> None:
        one.go(f"/learn/{game}")
        expect(one.page.locator(".say .btn.go")).to_be_visible()

    return go


SCREENS: dict[str, Callable[[Visitor], None]] = {
    "home": home,
    "sheet": sheet,
    "waiting": waiting,
    "rules": rules,
    "out-of-sock": at_table(0),
    "face-to-face": at_table(1),
    "orma": at_table(2),
    "learn-orma": lesson("orma"),
    "learn-face-to-face": lesson("face-to-face"),
    "learn-out-of-sock": lesson("out-of-sock"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", SCREENS)
def test_no_text_sticks_out_on_a_phone(visitors: Visitors, screen: str, language: str) -> None:
    """390 px wide, in every language; the language is the browser's."""
    one = visitors(PHONE, locale=LANGUAGES[language])
    SCREENS[screen](one)
    assert one.page.evaluate("document.documentElement.lang") == language
    assert one.page.evaluate(OVERFLOWING) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_no_fault(visitors: Visitors, screen: str, dark: bool) -> None:
    one = visitors(PHONE if dark else DESKTOP, dark=dark)
    SCREENS[screen](one)
    assert faults(one.page) == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("screen", ["home", "waiting", "out-of-sock", "face-to-face", "orma"])
def test_text_twice_as_large_still_fits(visitors: Visitors, screen: str, size: tuple[int, int]) -> None:
    one = visitors(size)
    SCREENS[screen](one)
    one.page.evaluate("document.documentElement.style.fontSize = '200%'")
    one.page.wait_for_timeout(300)
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_language_changes_everything_at_once_and_is_kept(visitors: Visitors) -> None:
    one = visitors()
    home(one)
    one.page.get_by_role("button", name="Italiano").click()
    expect(one.page.get_by_role("button", name="Sfida il computer").first).to_be_visible()
    one.page.reload()
    expect(one.page.get_by_role("button", name="Sfida il computer").first).to_be_visible()
    assert one.page.evaluate("document.documentElement.lang") == "it"


def test_the_theme_is_kept(visitors: Visitors) -> None:
    one = visitors()
    home(one)
    button = one.page.get_by_role("button", name=re.compile("Light or dark"))
    button.click()
    button.click()
    assert one.page.evaluate("document.documentElement.dataset.theme") == "dark"
    one.page.reload()
    assert one.page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_rules_are_one_key_away(visitors: Visitors) -> None:
    one = visitors()
    at_table(2)(one)
    one.page.keyboard.press("?")
    expect(one.page.get_by_role("heading", name="Rules of Orma")).to_be_visible()
    expect(one.page.get_by_text("Picture a tree")).to_be_visible()
    one.page.keyboard.press("Escape")
    expect(one.page.get_by_role("heading", name="Rules of Orma")).to_be_hidden()


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_learnt_by_doing(visitors: Visitors, game: str) -> None:
    """Every step of it, by the move it asks for, to a real game."""
    one = visitors()
    one.go(f"/learn/{game}")
    steps = lesson_steps(game)
    one.seat = 0
    for at, step in enumerate(steps):
        expect(one.page.locator(".nth")).to_have_text(f"{at + 1} of {len(steps)}")
        if not step["legal"]:
            if at < len(steps) - 1:
                one.page.get_by_role("button", name="Go on").click()
            continue
        expect(one.page.locator(".say.panel > p").first).not_to_contain_text("Mirto is thinking", timeout=15_000)
        one.page.wait_for_timeout(150)
        one.legal = step["legal"]
        hands.CLICK[game](one, step["legal"][0])
    one.page.get_by_role("button", name="Play a real game").click()
    one.wait(lambda: one.phase == "playing" and one.table["game"] == game)


def lesson_steps(game: str) -> list[dict[str, Any]]:
    return list(msgspec.json.decode((WEB / "src" / "lessons" / f"{game}.json").read_bytes())["steps"])


@pytest.fixture(scope="module")
def finished(server: Server) -> dict[str, tuple[str, int]]:
    """A finished game of each: its table, and how many steps it took."""
    found = {}
    for game in GAMES:
        ada = Person(server.url)
        table = ada.open(game, ("me", "bot:easy"))
        socket, now = ada.sit_at(table)
        while now["type"] != "snapshot" or now["table"]["phase"] == "playing":
            if now.get("legal"):
                word = max(now["legal"], key=lambda offer: ("@" in offer["word"], offer.get("points", 0)))["word"]
                socket.send(type="move", id=f"m{now['number']}", at=now["number"], word=word)
            now = socket.until("snapshot", "update")
        replay = ada.http.get(f"/api/tables/{table}/games/0/replay").json()
        found[game] = (table, len(replay["steps"]))
        ada.close()
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_steps_scrubs_and_runs(visitors: Visitors, finished: dict[str, tuple[str, int]], game: str) -> None:
    """From any seat or all open; the address leads to the place."""
    table, steps = finished[game]
    one = visitors()
    one.go(f"/t/{table}/replay/0?seat=0&at=3")
    expect(one.page.get_by_text(f"Move 3 of {steps}")).to_be_visible()
    one.page.keyboard.press("ArrowRight")
    expect(one.page.get_by_text(f"Move 4 of {steps}")).to_be_visible()
    assert "at=4" in one.page.url
    one.page.get_by_role("button", name="To the end").click()
    expect(one.page.get_by_text(f"Move {steps} of {steps}")).to_be_visible()
    one.page.locator("select").select_option(label="all hands open")
    one.page.get_by_role("button", name="To the beginning").click()
    expect(one.page.get_by_text("The deal")).to_be_visible()
    one.page.get_by_role("button", name="Play it").click()
    expect(one.page.get_by_text(f"Move 2 of {steps}")).to_be_visible(timeout=10_000)
    assert faults(one.page) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_end_explains_itself_to_everyone(
    visitors: Visitors, finished: dict[str, tuple[str, int]], game: str
) -> None:
    """A visitor sees the end of a finished game: sums, standing, proof; axe finds no fault, nothing sticks out."""
    table, _ = finished[game]
    one = visitors(PHONE, locale="it-IT")
    one.go(f"/t/{table}")
    expect(one.page.locator("#end-title")).to_be_visible()
    one.page.get_by_text("Era pulita?").click()
    expect(one.page.get_by_text("Combaciano")).to_be_visible()
    assert one.page.evaluate(OVERFLOWING) == []
    assert faults(one.page) == []


def test_the_page_is_light(visitors: Visitors) -> None:
    """All of JavaScript and CSS that a table needs, home page included, in under 150 KB gzipped."""
    one = visitors()
    sizes: dict[str, int] = {}
    one.page.on(
        "response", lambda r: sizes.update({r.url: len(gzip.compress(r.body()))}) if "/assets/" in r.url else None
    )
    at_table(0)(one)
    assert 0 < sum(sizes.values()) < 150_000, sizes
