"""Someone at the page, and what the server has told them: the truth that the screen is compared with."""

from typing import Any

import msgspec
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, WebSocket

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
}"""
AT_REST = """async () => {
  const boxes = () => [...document.querySelectorAll('body *')].map((e) => {
    const { x, y, width, height } = e.getBoundingClientRect();
    return [x, y, width, height];
  }).join();
  await document.fonts.ready;
  let before = '', same = 0;
  for (let frame = 0; frame < 600; frame++) {
    await new Promise(requestAnimationFrame);
    const now = boxes();
    same = now === before && !window.pausing?.() ? same + 1 : 0;
    if (same === 3) return true;
    before = now;
  }
  return false;
}"""


class Visitor:
    """A browser window at a table. `view`, `legal`, `table`… are folded from the socket's own frames."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.url = context, url
        self.page: Page = context.new_page()
        self.page.set_default_timeout(20_000)
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
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("websocket", self._socket)

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

    def wait(self, condition: Any, seconds: float = 30.0) -> None:
        """Wait until a condition on what was heard holds; the browser goes on meanwhile."""
        for _ in range(int(seconds / 0.02)):
            if condition():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(
            f"waited {seconds:.0f} s; {self.table.get('phase')}, number {self.number}, legal {self.legal}"
        )

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
        found = None
        for _ in range(250):
            found = self.page.evaluate(script)
            if found == expected:
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"{what}: the screen shows {found}, the view says {expected}")

    def tab_to(self, selector: str, limit: int = 80) -> None:
        """Press Tab until the focus is on something, as someone without a mouse does."""
        for _ in range(limit):
            if self.page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never reaches {selector}")


class Visitors:
    """Makes visitors; each has cookies of their own."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url
        self._made: list[Visitor] = []

    def __call__(
        self, size: tuple[int, int] = DESKTOP, *, dark: bool = False, locale: str = "en-GB", calm: bool = True
    ) -> Visitor:
        """Open a window; `calm` asks for reduced motion and short pauses, so that tests need not wait for either."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            locale=locale,
            reduced_motion="reduce" if calm else "no-preference",
            has_touch=size == PHONE,
        )
        if calm:
            context.add_init_script(HASTE)
        one = Visitor(context, self._url)
        self._made.append(one)
        return one

    def leave(self) -> None:
        faults = [fault for one in self._made for fault in one.faults]
        for one in self._made:
            one.context.close()
        assert not faults, faults
