"""For everyone: colours are never the only sign, and screen readers hear things once."""

from typing import Any

import pytest

from tests.web import hands
from tests.web.hands import GAMES
from tests.web.screens import at_table
from tests.web.visitor import SEEN, Visitor, Visitors

APART = """() => {
  // The shapes behind the colours: no two colours share their pattern or their track.
  const inner = id => document.getElementById(id)?.innerHTML.replace(/#[0-9a-f]{3,8}/gi, '').replace(/var\\([^)]*\\)/g, '').replace(/(green|red|yellow|blue|violet|black|teal|pink|orange|purple|brown|grey|[pg]-[a-z]+)/g, '');
  const ids = [...document.querySelectorAll('symbol[id^="track-"], pattern[id^="p-"]')].map(e => e.id);
  const shapes = ids.map(inner);
  return [ids.length, shapes.filter((s, i) => shapes.indexOf(s) !== i).length];
}"""  # noqa: E501


@pytest.mark.parametrize("game", GAMES)
def test_colour_is_never_the_only_sign(visitors: Visitors, tmp_path: Any, game: str) -> None:
    """As someone with deuteranopia sees it (the picture is kept with the run); and each piece has its shape."""
    one = visitors(own=True)
    at_table(game)(one)
    hands.play_on(one, hands.CLICK, turns=6)
    one.wait(lambda: one.over or bool(one.legal))
    assert hands.HANDS[game].unsigned(one.page) == []
    count, shared = one.page.evaluate(APART)
    assert count >= 11
    assert shared == 0
    one.page.evaluate(SEEN, True)
    seen = one.page.screenshot()
    devtools = one.context.new_cdp_session(one.page)
    devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": "deuteranopia"})
    one.rest()
    assert one.page.screenshot(path=tmp_path / f"{game}-deuteranopia.png") != seen


def test_a_move_is_said_once(visitors: Visitors) -> None:
    """One live region tells moves and the turn, in every game; boards keep silent."""
    for game in GAMES:
        one = visitors()
        at_table(game)(one)
        said = live(one)
        hands.play_on(one, hands.CLICK, turns=2)
        one.wait(lambda one=one: one.over or bool(one.legal))
        one.rest()
        changed = [name for name, text in live(one).items() if text and text != said.get(name)]
        assert changed == ["spoken"], changed


def live(one: Visitor) -> dict[str, str]:
    """Return what each live region says."""
    script = """() => Object.fromEntries([...document.querySelectorAll('[aria-live], [role=status], [role=log], [role=alert]')]
      .map((e, i) => [e.dataset.testid ?? `${i}.${e.className}`, e.textContent.trim()]))"""  # noqa: E501
    return dict(one.page.evaluate(script))
