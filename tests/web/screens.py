"""Every screen of the page, how to get there, and what must be true on each."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tavolino.engine.registry import packages
from tests.server.servers import PATIENCE, Person
from tests.web.hands import GAMES as GAMES
from tests.web.visitor import SEEN, Visitor

WEB = Path(__file__).parent.parent.parent / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
WHAT = "{resultTypes: ['violations'], preload: false, iframes: false}"
"""What axe-core tells; it need not fetch style sheets, which no rule that is on reads, nor look for frames."""

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

SMALL = """() => {
  // A target is as large as the area around its middle that answers for it, up to 22 px each way.
  const bad = [];
  const all = 'button, a[href], select, summary, input:not([type=hidden]), [role=radio], [role=button]';
  for (const e of document.querySelectorAll(all)) {
    if (e.disabled || e.closest('[inert], .sr') || e.tabIndex < -1) continue;
    if (e.matches('p a, li a, .md a, .away')) continue; // links within text; the cover that closes what is open
    const target = e.closest('label') ?? e;
    e.scrollIntoView({ block: 'center', inline: 'nearest' });
    const b = target.getBoundingClientRect();
    if (b.width === 0 || !e.checkVisibility({ visibilityProperty: true })) continue;
    const mine = (x, y) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (target.contains(hit) || hit.closest('label')?.control === e);
    };
    if (b.width >= 43.5 && b.height >= 43.5) continue;
    const cx = (b.left + b.right) / 2, cy = (b.top + b.bottom) / 2;
    if (!mine(cx, cy)) continue; // under something else, such as an open sheet or the next card of a fan
    const reach = (dx, dy) => { let n = 0; while (n < 22 && mine(cx + dx * (n + 0.5), cy + dy * (n + 0.5))) n++; return n; };
    const wide = Math.max(b.width, reach(1, 0) + reach(-1, 0)), high = Math.max(b.height, reach(0, 1) + reach(0, -1));
    if (wide < 43.5 || high < 43.5) bad.push([e.tagName, String(e.className.baseVal ?? e.className), e.getAttribute('aria-label') ?? e.textContent.trim().slice(0, 40), Math.round(wide), Math.round(high)]);
  }
  return bad;
}"""  # noqa: E501


def faults(page: Page) -> list[str]:
    """Return what axe-core finds, a line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    page.evaluate(SEEN, True)  # colours are told apart only where they are seen
    found = page.evaluate(f"async () => (await axe.run(document, {WHAT})).violations")
    page.evaluate(SEEN, False)
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}" for one in found for node in one["nodes"]
    ]


def reviewed(host: Person, table: str) -> dict[str, Any]:
    """Return the review of a table's first game, once it is there."""
    end = time.monotonic() + 4 * PATIENCE
    while time.monotonic() < end:
        found = host.http.get(f"/api/tables/{table}/games/0/review").json()
        if found["review"] is not None:
            return dict(found["review"])
        time.sleep(0.1)
    raise AssertionError("no review came")


def card(one: Visitor, game: str) -> Locator:
    """Return a game's card on the home page."""
    return one.page.locator(f'article[data-game="{game}"]')


def home(one: Visitor) -> None:
    one.go("/")
    expect(one.page.locator("article")).to_have_count(len(packages()))


def sheet(one: Visitor) -> None:
    home(one)
    card(one, "orma").locator(".acts .btn").nth(1).click()
    one.page.locator("dialog summary").click()
    expect(one.page.locator("dialog[open]")).to_be_visible()


def waiting(one: Visitor) -> None:
    home(one)
    card(one, "out-of-sock").locator(".acts .btn").nth(1).click()
    one.page.locator("dialog .go").click()
    one.wait(lambda: one.phase == "waiting")


def rules(one: Visitor) -> None:
    one.go("/rules/orma")
    expect(one.page.locator(".md .part").first).to_be_visible()


def at_table(game: str) -> Callable[[Visitor], None]:
    def go(one: Visitor) -> None:
        home(one)
        card(one, game).locator(".acts .btn").nth(0).click()
        one.wait(lambda: bool(one.legal))
        one.rest()

    return go


def lesson(game: str) -> Callable[[Visitor], None]:
    def go(one: Visitor) -> None:
        one.go(f"/learn/{game}")
        expect(one.page.locator(".say .btn.go")).to_be_visible()
        one.rest()

    return go


SCREENS: dict[str, Callable[[Visitor], None]] = {
    "home": home,
    "sheet": sheet,
    "waiting": waiting,
    "rules": rules,
    **{game: at_table(game) for game in GAMES},
    **{f"learn-{game}": lesson(game) for game in GAMES},
}
