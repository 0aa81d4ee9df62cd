"""A server that is restarted hands its tables to the next: whoever plays in a real browser sees nothing of it."""

import signal

from tests.server.databases import postgres  # noqa: F401
from tests.server.proxy import Proxied, behind_nginx  # noqa: F401
from tests.web import hands
from tests.web.screens import at_table
from tests.web.visitor import Visitors, Windows

WATCH = """() => {
  window.told = [];
  new MutationObserver(() => {
    const lost = document.querySelector('.toast');
    if (lost) window.told.push(lost.textContent);
  }).observe(document.body, { childList: true, subtree: true });
}"""


def test_a_restart_is_not_seen(windows: Windows, behind_nginx: Proxied) -> None:  # noqa: F811
    """Both servers are restarted one after the other in the middle of a game; no notice appears, no move is lost."""
    visitors = Visitors(windows, behind_nginx.url)
    one = visitors()
    at_table("face-to-face")(one)
    one.page.evaluate(WATCH)
    for server in behind_nginx.servers:
        hands.play_on(one, hands.CLICK, turns=1)
        server.kill(signal.SIGTERM)
        server.start()
    one.wait(lambda: one.sockets >= 2)
    one.wait(lambda: bool(one.legal))
    hands.play_on(one, hands.CLICK, turns=1)
    assert one.page.evaluate("window.told") == []
    assert not one.refused
    visitors.leave()
