"""A finished game is told: a sentence, its turning point, the curve to go through, what decided it, an account."""

import re
import struct
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from tavolino.bots import wasm
from tavolino.engine.registry import GAMES
from tests.server.servers import PATIENCE, Person, Server, person
from tests.web.conftest import REVIEW_TRIES
from tests.web.screens import SMALL, faults, reviewed
from tests.web.visitor import DESKTOP, PHONE, Visitor, Visitors

IN_SIGHT = """() => {
  const [seen, here] = ['.list .scroll', '.list [aria-current]'].map((s) => document.querySelector(s).getBoundingClientRect());
  return here.top >= seen.top - 1 && here.bottom <= seen.bottom + 1;
}"""  # noqa: E501
"""Whether the list shows the move that the board shows."""


@pytest.fixture(scope="module")
def played(reviewing: Server) -> Iterator[tuple[Person, dict[str, str]]]:
    """Someone who has finished a game of each kind against the computer, and the tables."""
    with person(reviewing.url) as host:
        tables = {}
        for key, game in GAMES.items():
            tables[key] = host.open(key, ("me", *["bot:easy"] * (max(game.people.PLAYERS) - 1)))
            host.play_out(tables[key])
        yield host, tables


def as_host(readers: Visitors, host: Person, **kind: Any) -> Visitor:
    one = readers(**kind)
    one.context.add_cookies([{"name": k, "value": v, "url": one.url} for k, v in host.http.cookies.items()])
    return one


@pytest.mark.parametrize("key", GAMES)
def test_the_end_tells_the_game_and_leads_to_its_review(
    readers: Visitors, played: tuple[Person, dict[str, str]], key: str
) -> None:
    """The result is there at once and has the focus; story and turning point follow, then the curve to go through."""
    host, tables = played
    one = as_host(readers, host, size=DESKTOP if key == "orma" else PHONE, dark=key != "orma")
    page = one.page
    review = reviewed(host, tables[key])  # by the server; the browser need not make another
    one.go(f"/t/{tables[key]}")
    expect(page.locator("#end-title")).to_be_focused()
    expect(page.locator(".story")).to_have_text(re.compile(r"\w.*\.$"), timeout=1000 * PATIENCE)
    if review["turning_points"]:
        expect(page.locator(".turning .what")).to_have_text(re.compile(r"\w"))
    assert faults(page) == []
    page.locator(f'a[href="/t/{tables[key]}/review/0"]').click()
    expect(page.locator(".moments li[id]")).to_have_count(len(review["moments"]))
    expect(page.locator(".head h2")).to_be_focused()
    expect(page.locator(".head h2")).to_have_text(re.compile(r"\w.*\.$"))
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "nothing but emptiness comes below"
    one.rest()
    assert faults(page) == []
    assert page.evaluate(SMALL) == []
    for row, account in zip(page.locator(".sums tr:has([data-part])").all(), review["account"], strict=True):
        cells = [int(text.replace("−", "-")) for text in row.locator("td:not(.end)").all_inner_texts()]
        assert sum(cells) == round(100 * account["end"])
        expect(row.locator(".end svg")).to_have_attribute("aria-label", str(sum(cells)))


def test_the_curve_is_gone_through_by_key_pointer_and_list(
    readers: Visitors, played: tuple[Person, dict[str, str]]
) -> None:
    """Board, list and address follow the move that is shown, however one gets there."""
    host, tables = played
    table = next(iter(tables.values()))
    review = reviewed(host, table)
    steps = host.http.get(f"/api/tables/{table}/games/0/replay").json()["steps"]
    ends = [0]
    for step in steps:
        ends.append(ends[-1] + len(step["words"]))
    one = as_host(readers, host)
    page = one.page
    one.go(f"/t/{table}/review/0?at=3")
    slider, current = page.locator("main input[type=range]"), page.locator(".list [aria-current]")

    def shows(at: int) -> None:
        expect(slider).to_have_value(str(at))
        expect(current.locator(".nth")).to_have_text(str(at))
        expect(page).to_have_url(re.compile(f"at={at}$"))
        chances = [str(round(100 * chance)) for chance in review["curve"][ends[at]]]
        told = page.locator(".curve .who strong").all_inner_texts()
        assert all(abs(int(a) - int(b)) <= 1 for a, b in zip(told, chances, strict=True)), (told, chances)

    shows(3)
    page.keyboard.press("ArrowRight")
    shows(4)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    shows(3)
    assert slider.get_attribute("aria-valuetext")
    area = page.locator(".area").bounding_box()
    assert area is not None
    page.mouse.click(area["x"] + area["width"] * 10 / len(steps), area["y"] + area["height"] - 2)
    shows(10)
    page.wait_for_function(IN_SIGHT)
    page.locator(".list .moves button").filter(has_text=re.compile("^12")).click()
    shows(12)
    moments = page.locator(".moments li[id]")
    if review["moments"]:
        moments.last.locator(".look > button").click()
        shows(int(moments.last.get_attribute("data-at") or ""))
        expect(moments.last).to_have_class(re.compile("chosen"))
    errors = sum(
        step["seat"] == 0 and step["decision"] is not None and round(100 * step["decision"]["error"]["value"]) > 0
        for step in review["steps"]
    )
    page.get_by_role("button", name="Your errors").click()
    expect(page.locator(".list .moves li")).to_have_count(errors)


@pytest.mark.timeout(1200)
def test_the_browser_makes_the_review_and_the_server_does_where_it_cannot(readers: Visitors, reviewing: Server) -> None:
    """A game that nobody has asked about yet: the server begins nothing; then, without an engine, it shows progress."""
    key = next(iter(GAMES))
    wasm.module(key)  # a server builds nothing for that
    with person(reviewing.url) as host:
        table = host.open(key, ("me", *["bot:easy"] * (min(GAMES[key].people.PLAYERS) - 1)))
        host.play_out(table)
        one = as_host(readers, host)
        one.go(f"/t/{table}")
        expect(one.page.locator(".story")).to_have_text(re.compile(r"\w.*\.$"), timeout=4000 * PATIENCE)
        story = one.page.locator(".story").inner_text()
        server = host.http.get(f"/api/tables/{table}/games/0/review?begin=false").json()
        assert (server["done"], server["tries"]) == (0, REVIEW_TRIES)
        early = server | {"done": 0.35, "curve": [[0.5, 0.5], [0.6, 0.4]]}
        one.page.route("**/engine/index.json", lambda route: route.fulfill(json={"games": []}))
        one.page.route("**/review?begin=true", lambda route: route.fulfill(json=early))
        one.page.reload()
        expect(one.page.locator("#end-title")).to_be_visible()
        expect(one.page.locator(".turning progress")).to_have_attribute("value", "0.35")
        one.page.unroute("**/review?begin=true")
        expect(one.page.locator(".story")).to_have_text(story, timeout=4000 * PATIENCE)


def test_a_game_is_tried_again_from_a_moment(readers: Visitors, played: tuple[Person, dict[str, str]]) -> None:
    """The button opens a table from the position before that move, which says that nothing is sealed."""
    host, tables = played
    table = tables[next(iter(GAMES))]
    record = host.http.get(f"/api/tables/{table}/games/0/record").json()
    one = as_host(readers, host)
    one.go(f"/t/{table}/review/0?at=6")
    expect(one.page.locator(".head h2")).to_be_visible()
    expect(one.page.locator(".head progress")).to_have_count(0)  # its end moves what is below
    one.page.get_by_role("button", name="Play on from here").click()
    expect(one.page.locator("[data-practice]")).to_be_visible()
    one.wait(lambda: bool(one.view))
    given = one.table["practice"]
    assert 0 < given < len(record["moves"])
    assert one.view["moves"][:given] == record["moves"][:given]
    assert one.table["commitment"] is None
    assert one.table["seats"][0]["you"]


def test_a_record_from_a_file_is_reviewed(readers: Visitors, played: tuple[Person, dict[str, str]]) -> None:
    """From the home page; a file that is no record is refused in words, and nothing else happens."""
    host, tables = played
    record = host.http.get(f"/api/tables/{tables[next(iter(GAMES))]}/games/0/record").content
    one = readers()
    one.go("/")
    file = one.page.locator(".record input")
    file.set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": b"nonsense"})
    expect(one.page.locator(".record [role=alert]")).to_have_text(re.compile("not the record"))
    file.set_input_files({"name": "b.json", "mimeType": "application/json", "buffer": record})
    expect(one.page.locator(".moments h2")).to_be_visible(timeout=4000 * PATIENCE)
    expect(one.page.locator(".curve .who li")).to_have_count(len(msgspec.json.decode(record)["scores"]))


def test_a_picture_is_made_to_share(readers: Visitors, played: tuple[Person, dict[str, str]]) -> None:
    """A PNG of the size that chats show, made in the page, with no person's name in it; a dialog that all can use."""
    host, tables = played
    one = as_host(readers, host, size=PHONE, dark=True)
    page = one.page
    one.go(f"/t/{next(iter(tables.values()))}")
    expect(page.locator(".story")).to_have_text(re.compile(r"\w.*\.$"), timeout=4000 * PATIENCE)
    page.get_by_role("button", name="A picture").click()
    expect(page.locator(".shared .thumb")).to_have_count(1)
    one.rest()
    assert faults(page) == []
    assert host.name not in page.locator(".shared").inner_text()
    page.evaluate("navigator.canShare = undefined")
    with page.expect_download() as made:
        page.get_by_role("button", name="Share or save it").click()
    picture = made.value.path().read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert len(picture) > 30_000, "there is something on it"
