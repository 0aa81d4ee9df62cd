"""Every screen at every size, with large text, in three languages: no text is cut off, covered or laid over another."""

import pytest
from playwright.sync_api import expect

from tavolino.engine.registry import GAMES
from tests.server.servers import Person, Server, person
from tests.web.screens import OVERFLOWING, reviewed
from tests.web.visitor import AT_REST, DESKTOP, PHONE, SEEN, Visitor, Visitors

SIZES = [(320, 640), (844, 390), (1024, 768), (1920, 1080), (1280, 800), (390, 844)]
LARGE = [(390, 844), (1280, 800)]
"""Where the text is also tried at twice its size."""
VIEWS = [*((size, 100) for size in SIZES), *((size, 200) for size in LARGE)]
ROOMY = (DESKTOP, 100)
"""Looked at in the first language alone: the others are tried there at twice the size."""
LANGUAGES = ("en", "it", "es")
READY = {
    "home": "article",
    "lost": "main .btn",
    "rules": ".md .part",
    "learn": ".say .btn",
    "end": "#end-title",
    "replay": ".what .n",
    "review": ".moments h2",
    "waiting": "h1",
    "play": "[data-turn]",
    "room": ".past li",
    "screen": "[data-testid=news]",
    "screen-waiting": ".invite, .lobby .say",
    "screen-over": ".over h2",
    "hand": ".cue",
}
"""What shows that a screen is there."""

CUT = """() => {
  // Each line of text that can be seen, with what it belongs to; then what cuts it, covers it or lies on it.
  const bad = [], lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  // A bar that stays while the rest scrolls under it: what it hides can be brought out.
  const once = (find, found = new Map()) => (e) => found.has(e) ? found.get(e) : (found.set(e, find(e)), found.get(e)); // nothing moves meanwhile
  const box = once((e) => e.getBoundingClientRect());
  const look = once((e) => { const { overflowX, overflowY, display, position, clipPath, pointerEvents } = getComputedStyle(e); return { overflowX, overflowY, display, position, clipPath, pointerEvents }; });
  const layer = once((e) => { while (e && !/fixed|sticky/.test(look(e).position)) e = e.parentElement; return e; });
  const dialog = document.querySelector('dialog[open], [role=dialog]');
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || e.closest('.sr, svg, option, script, style, [inert], [aria-hidden=true], .md')) continue;
    if (dialog && !dialog.contains(e)) continue;
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const said = node.data.trim().slice(0, 40);
    for (const line of range.getClientRects()) {
      if (line.width < 1 || line.height < 1) continue;
      let { left, right, top, bottom } = line, seen = true;
      const slack = (bottom - top) * 0.2; // ascenders and descenders that a line reserves
      for (let up = e; up && seen; up = up.parentElement) {
        const style = look(up), rect = box(up);
        if (rect.width < 3 && style.overflowX !== 'visible' || style.clipPath !== 'none') { seen = false; break; } // for screen readers only
        if (style.overflowX !== 'visible' && style.display !== 'inline') {
          if (left < rect.left - 1.5 || right > rect.right + 1.5) {
            if (/auto|scroll/.test(style.overflowX)) seen = false; // it can be scrolled into sight
            else bad.push(['cut', said, Math.round(right - rect.right), up.className]), seen = false;
          }
        }
        if (style.overflowY !== 'visible' && style.display !== 'inline' && seen) {
          if (top < rect.top - slack || bottom > rect.bottom + slack) {
            if (/auto|scroll/.test(style.overflowY)) seen = false;
            else bad.push(['cut', said, Math.round(bottom - rect.bottom), up.className]), seen = false;
          }
        }
        if (style.position === 'fixed') break;
      }
      if (!seen) continue;
      if (left < -1 || right > innerWidth + 1) bad.push(['off the screen', said, Math.round(right - innerWidth)]);
      else if (bottom > 0 && top < innerHeight) lines.push({ e, said, left, right, top: top + slack, bottom: bottom - slack });
    }
  }
  for (const e of document.querySelectorAll('.lettering')) {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    if (!dialog && right > left && bottom > 0 && top < innerHeight && !e.closest('[inert]')) lines.push({ e, said: e.ariaLabel, left, right, top, bottom });
  }
  for (let i = 0; i < lines.length; i++) for (let j = i + 1; j < lines.length; j++) {
    const a = lines[i], b = lines[j];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (!(wide > 2 && high > 2) || a.e === b.e || a.e.contains(b.e) || b.e.contains(a.e)) continue;
    if (layer(a.e) === layer(b.e)) bad.push(['one on another', a.said, b.said]);
  }
  for (const { e, said, left, right, top, bottom } of lines) {
    const y = (top + bottom) / 2;
    for (const x of [left + 2, (left + right) / 2, right - 2]) {
      const hit = document.elementFromPoint(x, y);
      if (hit?.matches('button:empty')) continue; // a clear sheet that makes all of it one target
      if (hit && layer(hit) === layer(e) && !hit.contains(e) && !e.contains(hit) && look(e).pointerEvents !== 'none' && !hit.closest('label')?.contains(e)) {
        bad.push(['covered', said, String(hit.className.baseVal ?? hit.className)]);
        break;
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) bad.push(['wider than the screen', document.documentElement.scrollWidth]);
  return bad;
}"""  # noqa: E501


def begun(host: Person, key: str, seats: tuple[str, ...], moves: int = 8) -> str:
    """Open a table and play a few moves of one's own there."""
    table = host.open(key, seats)
    socket = host.connect(table)
    now = socket.hello()
    while moves and now.get("table", {}).get("phase", "playing") == "playing":
        if now["legal"]:
            best = max(now["legal"], key=lambda offer: ("@" in offer["word"], offer.get("points", 0)))["word"]
            socket.send(type="move", id=f"m{now['number']}", at=now["number"], word=best)
            moves -= 1
        now = socket.until("snapshot", "update")
    socket.close()
    return table


def screens(host: Person, key: str | None) -> dict[str, str]:
    """Return the address of every screen of a game, where the host sits; or of those that are of none."""
    if key is None:
        return {"home": "/", "lost": "/nothing", "rules": f"/rules/{next(iter(GAMES))}"}  # the same page for all
    seats = ("me", *["bot:easy"] * (max(GAMES[key].people.PLAYERS) - 1))
    over = host.open(key, seats)
    host.play_out(over)
    reviewed(host, over)
    room = host.open(key, ("me", "open"))
    with person(host.url, "Ben with a long name") as guest:
        host.play_out(room, guest)
    waits, plays = host.open(key, ("me", *["open"] * (len(seats) - 1))), begun(host, key, seats)
    first = {"screen-waiting": f"/t/{waits}/screen"} if key == next(iter(GAMES)) else {}  # much the same for all
    last = {"screen-over": f"/t/{over}/screen"} if key == list(GAMES)[-1] else {}
    return {
        **first,
        **last,
        "room": f"/t/{room}",
        "learn": f"/learn/{key}",
        "end": f"/t/{over}",
        "replay": f"/t/{over}/replay/0",
        "review": f"/t/{over}/review/0",
        "waiting": f"/t/{waits}",
        "play": f"/t/{plays}",
        "screen": f"/t/{plays}/screen",
        "hand": f"/t/{plays}",
    }


class Sizes:
    """Gives a window any size. What is looked at is painted small: to paint it costs more than all that is asked here.

    Boxes, and what stands at a place, are the same; only a click must wait until the window is as large as it says.
    """

    def __init__(self, one: Visitor) -> None:
        self._devtools = one.context.new_cdp_session(one.page)

    def __call__(self, size: tuple[int, int], painted: float = 1.0) -> None:
        wide, high = size
        given = {"width": wide, "height": high, "screenWidth": wide, "screenHeight": high, "scale": painted}
        self._devtools.send("Emulation.setDeviceMetricsOverride", {**given, "deviceScaleFactor": 1, "mobile": False})


LOOK = f"""async (percent) => {{
  ({SEEN})(true); // what is as clear as glass is no text to look at
  document.documentElement.style.fontSize = `${{percent}}%`;
  return await ({AT_REST})() ? ({CUT})() : ['the page never comes to rest'];
}}"""


def look(one: Visitor, resize: Sizes, name: str, found: dict[str, list[str]]) -> None:
    """Note what is wrong with a screen at each size; then give it a desktop's."""
    for size, percent in VIEWS:
        if (size, percent) == ROOMY and not name.endswith(LANGUAGES[0]):
            continue
        resize(size, painted=0.1)
        bad = one.page.evaluate(LOOK, percent)
        if size == PHONE and percent == 100 and "review" not in name:  # whose moments scroll sideways
            bad += one.page.evaluate(OVERFLOWING)
        if bad:
            found[f"{name} {size[0]}x{size[1]} {percent} %"] = bad
    resize(DESKTOP)


@pytest.mark.parametrize("key", [None, *GAMES])
def test_no_text_is_cut_or_covered(readers: Visitors, reviewing: Server, key: str | None) -> None:
    """One window, led from screen to screen in each language, resized there, with larger text on two of the sizes."""
    one = readers(own=True)
    resize = Sizes(one)
    found: dict[str, list[str]] = {}
    with person(reviewing.url) as host:
        one.context.add_cookies([{"name": k, "value": v, "url": one.url} for k, v in host.http.cookies.items()])
        addresses = screens(host, key)
        one.go("/")
        for n, language in enumerate(LANGUAGES):
            one.page.locator(f".lang button[lang={language}]").click()
            expect(one.page.locator("html")).to_have_attribute("lang", language)
            for name, address in addresses.items():
                if name == "hand":  # beside a big screen, and come to on a phone; its own words are few
                    if list(GAMES).index(str(key)) % len(LANGUAGES) != n:
                        continue
                    host.connect(address.removeprefix("/t/")).send(type="hello", v=1, screen=True)
                    resize(PHONE)
                one.follow(address)
                expect(one.page.locator(READY[name]).first).to_be_visible()
                look(one, resize, f"{name} {language}", found)
                if name == "home":
                    one.page.locator("article .acts .btn").nth(1).click()
                    one.page.locator("dialog summary").click()
                    one.page.locator("dialog select").first.select_option("me")  # who also gives a name
                    look(one, resize, f"sheet {language}", found)
                    one.page.keyboard.press("Escape")
                    one.page.locator(".mine .link").first.click()
                    one.page.locator(".me > .btn").last.click()  # what deleting one's data would do
                    look(one, resize, f"me {language}", found)
                    one.page.keyboard.press("Escape")
            one.follow("/")
    one.faults = [fault for fault in one.faults if "status of 404" not in fault]  # of the address that leads nowhere
    assert found == {}, "\n".join(f"{where}: {bad}" for where, bad in found.items())


def test_a_phone_on_its_side_gives_the_table_its_height(visitors: Visitors, server: Server) -> None:
    """A table that grows in all directions has tokens as large as its ground is high: the others stand beside it."""
    one = visitors()
    with person(server.url) as host:
        one.context.add_cookies([{"name": k, "value": v, "url": one.url} for k, v in host.http.cookies.items()])
        one.page.set_viewport_size({"width": 844, "height": 390})
        for others in (1, 4):
            one.go("/t/" + host.open("orma", ("me", *["bot:easy"] * others)))
            one.wait(lambda: bool(one.legal))
            one.rest()
            high = one.page.locator(".orma .ground").evaluate("e => e.clientHeight / e.closest('.orma').clientHeight")
            assert high > 0.78, high  # 0.58 with the others above it
