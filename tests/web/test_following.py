"""One can follow what happens, try what the rules forbid, and lay pieces by pulling them."""

import re

import pytest
from playwright.sync_api import expect

from tavolino.play.setup import games
from tests.server.servers import Server, person
from tests.web import hands
from tests.web.screens import GAMES, at_table
from tests.web.visitor import PHONE, Visitor, Visitors


def drag(one: Visitor, start: str, end: str) -> None:
    """Pull the middle of one thing near that of another, and let go."""
    mouse = one.page.mouse
    boxes = [one.page.locator(where).first.bounding_box() for where in (start, end)]
    (ax, ay), (bx, by) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box)
    mouse.move(ax, ay)
    mouse.down()
    mouse.move((ax + bx) / 2, (ay + by) / 2, steps=4)
    mouse.move(bx + 6, by + 6, steps=4)
    mouse.up()


def test_a_token_is_pulled_to_its_place(visitors: Visitors) -> None:
    one = visitors()
    at_table("orma")(one)
    offer = next(offer for offer in one.legal if "@" in offer["word"])
    number = one.number
    drag(one, f'[data-stack="{offer["colour"]}"]', f'[data-place="{offer["place"]}"] .ring')
    one.wait(lambda: one.number > number)
    assert [said["word"] for said in one.moves_said] == [offer["word"]]


def test_a_card_is_pulled_to_its_column(visitors: Visitors) -> None:
    one = visitors()
    at_table("out-of-sock")(one)
    while not any(offer["word"].startswith("take:") for offer in one.legal):
        hands.play_on(one, hands.CLICK, turns=1)
        one.wait(lambda: bool(one.legal))
    offer = one.legal[0]
    one.up_to_date()
    one.rest()
    said = len(one.moves_said)
    drag(one, f'[data-deck="{offer["deck"]}"] .top', f'.mine.panel [data-suit="{offer["suit"]}"]')
    one.wait(lambda: len(one.moves_said) > said)
    assert one.moves_said[said]["word"] == offer["word"]
    assert not one.refused


def test_a_try_that_the_rules_forbid_is_explained(visitors: Visitors) -> None:
    """A deck that gives nothing now, a colour that goes nowhere: a sentence, and the clause on request."""
    for game, thing in (("out-of-sock", "data-deck"), ("orma", "data-stack")):
        where = f'[{thing}][aria-disabled="true"]'
        one = visitors()
        at_table(game)(one)
        while one.page.locator(where).count() == 0:
            hands.play_on(one, hands.CLICK, turns=1)
            one.wait(lambda one=one: bool(one.legal))
            one.up_to_date()
        one.page.locator(where).first.click(force=True)
        refused = one.page.get_by_test_id("refused")
        expect(refused.get_by_role("alert")).to_be_visible()
        refused.locator("summary").click()
        expect(refused.locator("dt").first).to_have_text(re.compile(r"^[SO]\d+\.\d+$"))
        assert one.refused == ["illegal"]


def test_what_happened_since_my_turn_is_told_again(visitors: Visitors) -> None:
    """In every game: the moves of the others since one's own last, in their own words."""
    for game in GAMES:
        one = visitors()
        at_table(game)(one)
        hands.play_on(one, hands.CLICK, turns=3)
        one.wait(lambda one=one: one.over or bool(one.legal))
        one.rest()
        one.page.get_by_role("button", name="More").click()
        one.page.get_by_role("radio", name="slow").click()
        assert one.page.evaluate("localStorage['tavolino.pace']") == "slow"
        one.page.get_by_role("button", name="Since your last turn").click()
        told = one.page.locator("dialog .since li")
        expect(told.first).to_be_visible()
        assert not any(line.startswith("You ") for line in told.all_inner_texts())


@pytest.mark.parametrize("by", ["sound", "touch"])
def test_turns_and_the_end_are_heard_or_felt(visitors: Visitors, server: Server, by: str) -> None:
    """Notes for one's turn, other tunes for a win and a loss, as loud as was chosen; a phone is felt without them."""
    one = visitors(PHONE, own=True)
    one.page.add_init_script(f"localStorage['tavolino.{by}'] = 'on'; localStorage['tavolino.volume'] = '0.5';")
    if by == "sound":
        one.page.add_init_script("localStorage['tavolino.touch'] = 'off'")
    one.page.add_init_script(
        """window.heard = []; window.felt = 0; window.loudest = 0;
        const note = OscillatorNode, ramp = AudioParam.prototype.linearRampToValueAtTime;
        window.OscillatorNode = class extends note {
          constructor(at, set) { super(at, set); heard.push(set.frequency); }
        };
        AudioParam.prototype.linearRampToValueAtTime = function (value, at) {
          loudest = Math.max(loudest, value); return ramp.call(this, value, at); };
        navigator.vibrate = () => { felt += 1; return true; };"""
    )
    with person(server.url) as ada, person(server.url, "Ben") as ben:
        table = ada.open(next(iter(GAMES)))
        one.context.add_cookies([{"name": k, "value": v, "url": one.url} for k, v in ada.http.cookies.items()])
        ben.sit_at(table)[0].close()
        one.go(f"/t/{table}")
        one.wait(lambda: one.phase == "playing")
        one.rest()
        assert one.page.evaluate("heard") == [], "no browser plays a note before someone has touched the page"
        one.page.mouse.click(2, 2)
        ada.play_out(table, ben)
        expect(one.page.locator("#end-title")).to_be_visible()
    if by == "touch":
        one.wait(lambda: one.page.evaluate("felt") > 0)
        assert one.page.evaluate("heard") == []
        return
    won = one.seat in one.table["results"][-1]["winners"]
    tune = [523, 659, 784, 1047] if won else [523, 440, 392]
    one.shown(f"heard.slice(-{len(tune)})", tune, "the tune of the end")
    assert one.page.evaluate("felt") == 0
    assert 0 < one.page.evaluate("loudest") <= 0.05


SHOWN = """() => {
  window.reactions = new Set();
  const look = () => document.querySelectorAll('.bubbles.low .bubble, .who .said').forEach(
    (one) => reactions.add(one.lastChild.textContent.trim()));
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
FACES = """() => {
  const all = [...document.querySelectorAll('.av')].map((one) => one.innerHTML);
  return [...new Set(all.filter((one) => !one.includes('M8 35')))]; // people have shoulders
}"""


def test_a_bot_is_the_same_on_every_screen_and_after_a_rematch(visitors: Visitors, server: Server) -> None:
    """Its name, its face and what it shows of its mood, for whoever plays, whoever watches and on the big screen."""
    game = next(one["key"] for one in games() if 3 in one["players"] and one["key"] in GAMES)
    with person(server.url) as ada, person(server.url, "Ben") as ben:
        table = ada.open(game, ("me", "open", "bot:medium"))
        ben.sit_at(table)[0].close()
        player, watcher, screen = visitors(), visitors(PHONE), visitors()
        player.context.add_cookies([{"name": k, "value": v, "url": player.url} for k, v in ada.http.cookies.items()])
        for one, path in ((player, ""), (watcher, ""), (screen, "/screen")):
            one.go(f"/t/{table}{path}")
            one.wait(lambda one=one: one.phase == "playing")
            one.page.locator("[data-turn]").first.wait_for()
            one.page.evaluate(SHOWN)
        everyone = (player, watcher, screen)
        names, faces = set(), set()
        for nth in range(8):  # at least one rematch, and until the bot has shown something
            faces |= {tuple(one.page.evaluate(FACES)) for one in everyone}
            names |= {seat["name"] for one in everyone for seat in one.table["seats"] if seat["kind"] == "bot"}
            ada.play_out(table, ben)
            for one in everyone:
                one.wait(lambda one=one: one.over)
                one.shown("+document.querySelector('[data-number]').dataset.number", one.number, "the position")
            if nth > 0 and screen.page.evaluate("reactions.size"):
                break
            for each in (ada, ben):
                socket = each.sit_at(table)[0]
                socket.send(type="rematch", id="again")
                socket.close()
            for one in everyone:
                one.wait(lambda one=one: one.phase == "playing")
        assert (len(names), len(faces)) == (1, 1)
        shown = [sorted(one.page.evaluate("[...reactions]")) for one in everyone]
        assert shown[0] == shown[1] == shown[2] != []
