"""Someone at the page, and what the server has told them: the truth that the screen is compared with."""

import time
from typing import Any, NamedTuple

import msgspec
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, WebSocket, expect

PATIENCE = 60.0
"""Seconds after which anything at the page gives up: far more than it takes on a busy machine, compiling beside."""
expect.set_options(timeout=1000 * PATIENCE)

DESKTOP = (1280, 800)
PHONE = (390, 844)
QUIET = ("WebSocket connection to", "net::ERR_", "Cross-Origin-Opener-Policy header has been ignored")
"""A lost network, and what is for https only, is told by the browser itself; that is no fault of the page."""

HASTE = """{
  // Pauses that are made for people, of under two seconds, pass ten times faster; those under way are counted.
  const wait = window.setTimeout, stop = window.clearTimeout, repeat = window.setInterval, open = new Set();
  window.setTimeout = (what, ms = 0, ...args) => {
    const short = ms > 0 && ms < 2000;
    const id = wait((...given) => { open.delete(id); what(...given); }, short ? ms / 10 : ms, ...args);
    if (short) open.add(id);
    return id;
  };
  window.clearTimeout = (id) => { open.delete(id); stop(id); };
  window.setInterval = (what, ms = 0, ...args) => repeat(what, ms < 2000 ? ms / 10 : ms, ...args);
  window.pausing = () => open.size > 0;
  try { localStorage['tavolino.pace'] ??= 'fast'; } catch { /* no storage here */ }
}"""
UNSEEN = """{
  // Nobody looks at the window: what is as clear as glass is not painted, and answers clicks all the same.
  window.unseen = new CSSStyleSheet();
  unseen.replaceSync('html, dialog, ::backdrop, [popover] { opacity: 0 !important; }');
  document.adoptedStyleSheets.push(unseen);
}"""
"""For those who do not look: texts and buttons are where they are, in colours that only `SEEN` brings back."""
SEEN = "(yes) => { if (window.unseen) unseen.disabled = yes; }"
AT_REST = """async () => {
  // Three frames in which nothing is changed, scrolled or loaded and nothing moves: to compare all boxes costs far more.
  let changed = false;
  const change = () => { changed = true; };
  const watch = new MutationObserver(change);
  watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  addEventListener('scroll', change, true);
  addEventListener('load', change, true);
  const moves = (animation) => animation.playState === 'running' && animation.effect.getComputedTiming().endTime < Infinity;
  await document.fonts.ready;
  let same = 0;
  for (let frame = 0; frame < 3600 && same < 3; frame++) {
    await new Promise(requestAnimationFrame);
    same = changed || window.pausing?.() || document.getAnimations().some(moves) ? 0 : same + 1;
    changed = false;
  }
  watch.disconnect();
  removeEventListener('scroll', change, true);
  removeEventListener('load', change, true);
  return same === 3;
}"""  # noqa: E501
FOLLOW = """(href) => {
  const link = document.body.appendChild(Object.assign(document.createElement('a'), { href }));
  link.click();
  link.remove();
}"""


class Kind(NamedTuple):
    """What a window is like."""

    size: tuple[int, int]
    dark: bool
    locale: str
    calm: bool


class Visitor:
    """A browser window at a table. `view`, `legal`, `table`… are folded from the socket's own frames."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.context, self.url = page, page.context, url
        self.page.set_default_timeout(1000 * PATIENCE)
        self.faults: list[str] = []
        self.said: list[dict[str, Any]] = []
        """What the page sent."""
        self.events: list[dict[str, Any]] = []
        """What it was told has happened."""
        self.number = -1
        self.view: dict[str, Any] = {}
        self.legal: list[dict[str, Any]] = []
        self.table: dict[str, Any] = {}
        self.seat: int | None = None
        self.refused: list[str] = []
        self.sockets = 0
        """How often the page tried to connect."""
        self._listens: dict[Any, Any] = {"console": self._console, "pageerror": self._error, "websocket": self._socket}
        for event, listener in self._listens.items():
            self.page.on(event, listener)

    def look_away(self) -> None:
        """Hear no more of the page."""
        for event, listener in self._listens.items():
            self.page.remove_listener(event, listener)

    def _error(self, error: Error) -> None:
        self.faults.append(f"error: {error}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(one in message.text for one in QUIET):
            self.faults.append(f"{message.type}: {message.text}")

    def _socket(self, socket: WebSocket) -> None:
        self.sockets += 1
        socket.on("framereceived", lambda payload: self._heard(msgspec.json.decode(payload)))
        socket.on("framesent", lambda payload: self.said.append(msgspec.json.decode(payload)))

    def _heard(self, message: dict[str, Any]) -> None:
        if message["type"] in ("snapshot", "update"):
            self.events += message["events"]
        match message["type"]:
            case "snapshot":
                self.number, self.view, self.legal = message["number"], message["view"] or {}, message["legal"]
                self.table, self.seat = message["table"], message["seat"]
            case "update":
                moves = message.get("moves", self.view["moves"] + message["words"])
                self.view = {**self.view, **message["position"], "moves": moves}
                self.number, self.legal = message["number"], message["legal"]
            case "refused":
                self.refused.append(message["code"])

    def go(self, path: str) -> None:
        """Load a page; what was heard at another table is forgotten."""
        self.number, self.view, self.legal, self.table, self.seat = -1, {}, [], {}, None
        self.page.goto(self.url + path)

    def follow(self, path: str) -> None:
        """Go to a page as a link does: in the window as it is, for a fraction of what loading it anew takes."""
        self.number, self.view, self.legal, self.table, self.seat = -1, {}, [], {}, None
        self.page.evaluate(FOLLOW, path)

    def wait(self, condition: Any) -> None:
        """Wait until a condition on what was heard holds; the browser goes on meanwhile."""
        until = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > until:
                raise AssertionError(f"waited {PATIENCE:.0f} s; {self.phase}, number {self.number}, legal {self.legal}")
            self.page.wait_for_timeout(20)

    def rest(self) -> None:
        """Wait until nothing on the page moves, and no pause is under way: boards find their size, cards come back."""
        assert self.page.evaluate(AT_REST), "the page never comes to rest"

    @property
    def phase(self) -> str:
        return str(self.table.get("phase", ""))

    @property
    def over(self) -> bool:
        return self.phase in ("over", "between")

    @property
    def moves_said(self) -> list[dict[str, Any]]:
        return [message for message in self.said if message["type"] == "move"]

    def shown(self, script: str, expected: Any, what: str) -> None:
        """Wait until the screen shows what the view says; fail with both if it never does."""
        until = time.monotonic() + PATIENCE
        while (found := self.page.evaluate(script)) != expected:
            if time.monotonic() > until:
                raise AssertionError(f"{what}: the screen shows {found}, the view says {expected}")
            self.page.wait_for_timeout(20)

    def up_to_date(self) -> None:
        """Wait until the page has shown everything it has heard of, one thing after the other."""
        self.shown("+document.querySelector('.table').dataset.number", self.number, "the position")

    def tab_to(self, selector: str, limit: int = 80) -> None:
        """Press Tab until the focus is on something, as someone without a mouse does."""
        for _ in range(limit):
            if self.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never reaches {selector}")


class Windows:
    """Windows of a browser that are used again: to open one takes three times as long as to load a page in it."""

    IDLE = 3

    def __init__(self, browser: Browser, seen: bool = False) -> None:
        """Say whether anybody looks: to paint takes a third of the processor's time."""
        self._browser, self._seen = browser, seen
        self._idle: list[tuple[Kind, Page]] = []

    def open(self, kind: Kind) -> Page:
        """Return an empty window without cookies or anything stored."""
        for i, (found, page) in enumerate(self._idle):
            if found == kind:
                del self._idle[i]
                return page
        context = self._browser.new_context(
            viewport={"width": kind.size[0], "height": kind.size[1]},
            color_scheme="dark" if kind.dark else "light",
            locale=kind.locale,
            reduced_motion="reduce" if kind.calm else "no-preference",
            has_touch=kind.size == PHONE,
        )
        if kind.calm:
            context.add_init_script(HASTE)
        if not self._seen:
            context.add_init_script(UNSEEN)
        return context.new_page()

    def give_back(self, kind: Kind, page: Page) -> None:
        """Empty a window and keep it for others."""
        origin = page.evaluate(
            "() => { try { localStorage.clear(); sessionStorage.clear(); } catch {} return origin; }"
        )
        if origin != "null":
            devtools = page.context.new_cdp_session(page)
            devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
            devtools.detach()
        page.goto("about:blank")
        page.set_viewport_size({"width": kind.size[0], "height": kind.size[1]})  # a test may have changed it
        page.context.clear_cookies()
        page.context.clear_permissions()
        self._idle.append((kind, page))
        if len(self._idle) > self.IDLE:
            self._idle.pop(0)[1].context.close()


class Visitors:
    """Makes visitors; each has cookies of their own."""

    def __init__(self, windows: Windows, url: str) -> None:
        self._windows, self._url = windows, url
        self._made: list[tuple[Visitor, Kind, bool]] = []

    def __call__(
        self,
        size: tuple[int, int] = DESKTOP,
        *,
        dark: bool = False,
        locale: str = "en-GB",
        calm: bool = True,
        own: bool = False,
    ) -> Visitor:
        """Open a window; `calm` asks for reduced motion and short pauses, so that tests need not wait for either.

        Later tests use the window again. One that is changed for good (`page.route`, `page.on`, devtools) is the
        test's `own`, and closed after it.
        """
        kind = Kind(size, dark, locale, calm)
        one = Visitor(self._windows.open(kind), self._url)
        self._made.append((one, kind, own))
        return one

    def leave(self) -> None:
        faults = [fault for one, _, _ in self._made for fault in one.faults]
        for one, kind, own in self._made:
            one.look_away()
            if own or faults or len(one.context.pages) > 1:
                one.context.close()
            else:
                self._windows.give_back(kind, one.page)
        assert not faults, faults
