"""Every screen in every language: nothing sticks out, axe-core finds no fault; lessons, replays, the end."""

import gzip
import re
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from tests.server.servers import Person, Server
from tests.web import hands
from tests.web.screens import GAMES, OVERFLOWING, SCREENS, SMALL, WEB, at_table, faults, home
from tests.web.visitor import DESKTOP, PHONE, Visitor, Visitors

TABLES = ["home", "waiting", *GAMES]


def twice(one: Visitor) -> None:
    """Make the text twice as large: nothing leaves the screen sideways."""
    one.page.evaluate("document.documentElement.style.fontSize = '200%'")
    one.rest()
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("screen", SCREENS)
def test_a_phone_in_the_dark(visitors: Visitors, screen: str) -> None:
    """No text sticks out, axe finds no fault, fingers find every target (44 px), text may be twice as large."""
    one = visitors(PHONE, dark=True)
    SCREENS[screen](one)
    assert one.page.evaluate("document.documentElement.lang") == "en"
    assert one.page.evaluate(OVERFLOWING) == []
    assert faults(one.page) == []
    assert one.page.evaluate(SMALL) == []
    if screen in GAMES:
        one.page.get_by_role("button", name="More").click()
        assert one.page.evaluate(SMALL) == []
    if screen in TABLES:
        twice(one)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_desktop_in_the_light(visitors: Visitors, screen: str) -> None:
    one = visitors(DESKTOP)
    SCREENS[screen](one)
    assert one.page.evaluate(OVERFLOWING) == []
    assert faults(one.page) == []
    if screen in TABLES:
        twice(one)


@pytest.mark.parametrize("language", ["it", "es"])
def test_the_language_is_the_browsers(visitors: Visitors, language: str) -> None:
    """Unless one is chosen; that nothing sticks out on any screen in any language is shown by test_layout.py."""
    one = visitors(PHONE, locale=f"{language}-{language.upper()}")
    home(one)
    assert one.page.evaluate("document.documentElement.lang") == language
    assert one.page.evaluate(OVERFLOWING) == []


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
    at_table("orma")(one)
    one.page.keyboard.press("?")
    expect(one.page.get_by_role("heading", name="Rules of Orma")).to_be_visible()
    expect(one.page.get_by_text("Picture a tree")).to_be_visible()
    one.page.keyboard.press("Escape")
    expect(one.page.get_by_role("heading", name="Rules of Orma")).to_be_hidden()


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_learnt_by_doing(visitors: Visitors, game: str) -> None:
    """Every step of it, by the move it asks for, to a real game.

    Every legal move can be tried, and is answered kindly; the board never says that nothing fits while something does.
    """
    one = visitors()
    one.go(f"/learn/{game}")
    steps = lesson_steps(game)
    one.seat, one.view = 0, steps[0]["frames"][0]["view"]
    tried = 0
    for at, step in enumerate(steps):
        expect(one.page.locator(".nth")).to_have_text(f"{at + 1} of {len(steps)}")
        one.legal = step["legal"]
        said = one.page.locator(".say.panel > p").first
        if not step["want"]:
            if at < len(steps) - 1:
                one.page.get_by_role("button", name="Continue").click()
            continue
        expect(said).not_to_contain_text("Mirto is thinking")
        one.rest()
        strip = one.page.locator("[data-turn]").get_attribute("data-turn") or ""
        if any("card" in offer or "@" in offer["word"] for offer in step["legal"]):
            assert not re.search("No more fits|Nothing fits|fits nowhere", strip), (step["text"], strip)
        other = next((offer for offer in reversed(step["legal"]) if offer["word"] != step["want"]), None)
        if other is not None and tried < 3:
            tried += 1
            hands.CLICK[game](one, other)
            expect(said).to_contain_text("In this lesson")
            expect(one.page.locator(".nth")).to_have_text(f"{at + 1} of {len(steps)}")
            one.rest()
            if step["frames"]:
                one.view = step["frames"][-1]["view"]
            hands.SEE[game](one)
        hands.CLICK[game](one, next(offer for offer in step["legal"] if offer["word"] == step["want"]))
    one.page.get_by_role("button", name="Play a first game with a coach").click()
    one.wait(lambda: one.phase == "playing" and one.table["game"] == game)


def lesson_steps(game: str) -> list[dict[str, Any]]:
    return list(msgspec.json.decode((WEB / "src" / "games" / game / "lesson.json").read_bytes())["steps"])


@pytest.fixture(scope="module")
def finished(server: Server) -> dict[str, tuple[str, int]]:
    """A finished game of each: its table, and how many steps it took."""
    found = {}
    for game in GAMES:
        ada = Person(server.url)
        table = ada.open(game, ("me", "bot:easy"))
        ada.play_out(table)
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
    one.page.get_by_role("button", name="Go to the end").click()
    expect(one.page.get_by_text(f"Move {steps} of {steps}")).to_be_visible()
    one.page.locator("select").select_option(label="all hands open")
    one.page.get_by_role("button", name="Go to the start").click()
    expect(one.page.get_by_text("The deal")).to_be_visible()
    one.page.get_by_role("button", name="Play it").click()
    expect(one.page.get_by_text(re.compile(rf"Move ([2-9]|\d\d+) of {steps}"))).to_be_visible()
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
    if game != "face-to-face":
        assert_sums_add_up(one, ".why strong" if game == "out-of-sock" else ".why small")
    one.page.get_by_text("La partita è stata onesta?").click()
    expect(one.page.get_by_text("Questo browser non può dirlo")).to_be_visible()
    assert one.page.evaluate(OVERFLOWING) == []
    assert faults(one.page) == []


def assert_sums_add_up(one: Visitor, where: str) -> None:
    """Work out what each line says, as a reader would: it gives the points beside it, and they give the total."""
    expect(one.page.locator(".ledger", has_text=re.compile(r"\d \+ \d")).first).to_be_visible()
    total = 0
    for row in one.page.locator(".ledger .row").all():
        said = row.locator(where).first.inner_text() if row.locator(where).count() else ""
        said = said.rpartition(":")[2].strip().replace("−", "-").replace("×", "*")
        worked = eval(said) if re.fullmatch(r"[-+*() \d]+", said) else 0
        banned = "no" in (row.get_attribute("class") or "").split()
        points = int((row.locator(".pts [role=img]").get_attribute("aria-label") or "").replace("−", "-"))
        assert points == (0 if banned else worked), row.inner_text()
        total += points
    assert one.page.locator(".ledger .total [role=img]").get_attribute("aria-label") == str(total).replace("-", "−")


def test_the_page_is_light(visitors: Visitors) -> None:
    """All of JavaScript and CSS that a table needs, home page included, in under 150 KB gzipped."""
    one = visitors(own=True)
    sizes: dict[str, int] = {}
    one.page.on(
        "response", lambda r: sizes.update({r.url: len(gzip.compress(r.body()))}) if "/assets/" in r.url else None
    )
    at_table(GAMES[0])(one)
    assert 0 < sum(sizes.values()) < 150_000, sizes
