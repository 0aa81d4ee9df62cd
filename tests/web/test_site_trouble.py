"""The page without a server where something is missing, full, deleted or in use elsewhere: a game is never stuck."""

import functools
import json
import random
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from tavolino.play.game import new
from tests.web import hands
from tests.web.screens import OVERFLOWING, card, faults
from tests.web.site import UNDER, Guests, Site, altered, hosted, kept, open_table, saved, visited
from tests.web.test_site import proved
from tests.web.visitor import PHONE, Visitor

pytestmark = pytest.mark.timeout(1200)
REFUSED = "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('refused', 'SecurityError'); } });"
NOT_STORED = "This browser does not store your games"
FULL = 100
"""Bytes: less than a table has."""


def tables(one: Visitor) -> list[dict[str, Any]]:
    """Return the tables that are stored in this browser, as lists show them."""
    found: list[dict[str, Any]] = one.page.evaluate(
        """() => new Promise((done, failed) => {
          const open = indexedDB.open('tavolino');
          open.onerror = () => failed(open.error);
          open.onsuccess = () => {
            const all = open.result.transaction('tables').objectStore('tables').getAll();
            all.onsuccess = () => { open.result.close(); done(all.result.map(({ info }) => info)); };
          };
        })"""
    )
    return found


def devtools(one: Visitor) -> tuple[CDPSession, str]:
    return one.context.new_cdp_session(one.page), str(one.page.evaluate("location.origin"))


def test_where_nothing_can_be_stored(browser: Browser, site: Site, tmp_path: Path) -> None:
    """A private window, or storage turned off: the page says so, in every language, and all else works."""
    root = site.folder.parents[UNDER.count("/")]
    with hosted(root, altered("/worker-", REFUSED)) as host, visited(browser, host) as made:
        one = made(PHONE)
        one.context.add_init_script(REFUSED.replace("indexedDB", "localStorage"))
        one.go("")
        said = one.page.locator(".said .panel", has_text=NOT_STORED)
        expect(said).to_be_visible()
        one.rest()
        assert faults(one.page) == []
        assert one.page.evaluate(OVERFLOWING) == []
        said.get_by_role("button", name="Close").click()
        expect(said).to_have_count(0)
        open_table(one, hands.GAMES[0], "bot:easy")
        hands.play_on(one, hands.CLICK)
        assert one.over
        expect(one.page.locator("#end-title")).to_be_visible()
        one.follow("#/")
        one.page.get_by_role("navigation").get_by_role("button", name="My tables").click()
        expect(one.page.locator(".mine li")).to_have_count(1)
        expect(one.page.locator(".records")).to_contain_text(NOT_STORED)
        proved(saved(one.page, "Save all games"), tmp_path / "all.jsonl")
        one.page.locator(".mine li a.btn").click()
        expect(one.page.locator("#end-title")).to_be_visible()


def test_where_the_store_is_full(guests: Guests) -> None:
    """The game goes on, and says that it is not stored; once there is room, it is, with what came meanwhile."""
    one = guests()
    one.go("")
    session, origin = devtools(one)
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": FULL})
    open_table(one, hands.GAMES[0], "bot:easy")
    hands.play_on(one, hands.CLICK, turns=2)
    one.wait(lambda: bool(one.legal))
    said = one.page.locator(".said .panel", has_text=NOT_STORED)
    expect(said).to_be_visible()
    assert not one.refused
    assert tables(one) == []
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    hands.play_on(one, hands.CLICK, turns=1)
    one.wait(lambda: bool(one.legal))
    expect(said).to_have_count(0)
    moves = one.view["moves"]
    one.view, one.legal = {}, []
    one.page.reload()
    one.wait(lambda: bool(one.legal))
    assert one.view["moves"] == moves
    complaints = [fault for fault in one.faults if "does not store that: QuotaExceededError" not in fault]
    assert one.faults
    assert complaints == []
    one.faults.clear()


def test_what_was_deleted_is_gone(guests: Guests) -> None:
    """Someone clears the site's data in the middle of a game: the page says so, and another game begins."""
    one = guests()
    one.go("")
    open_table(one, hands.GAMES[0], "bot:easy")
    one.wait(lambda: bool(one.legal))
    session, origin = devtools(one)
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "indexeddb"})
    one.up_to_date()
    hands.CLICK[hands.GAMES[0]](one, hands.best(one))
    expect(one.page.get_by_text("That table is not in this browser")).to_be_visible()
    one.page.get_by_role("link", name="Back to home").click()
    open_table(one, hands.GAMES[0], "bot:easy")
    hands.play_on(one, hands.CLICK, turns=1)
    assert len(tables(one)) == 1


def test_one_table_in_two_tabs(guests: Guests) -> None:
    """What is played in one is seen in the other; both can play, and the bots move once."""
    one = guests()
    one.go("")
    open_table(one, hands.GAMES[0], "bot:easy")
    one.wait(lambda: bool(one.legal))
    other = guests(beside=one)
    other.page.goto(one.page.url)
    for i in range(6):
        here, there = (one, other) if i % 2 == 0 else (other, one)
        there.wait(lambda here=here, there=there: bool(there.legal) and there.number == here.number)
        hands.play_on(here, hands.CLICK, turns=1)
        here.wait(lambda here=here: here.over or bool(here.legal))
        there.wait(lambda here=here, there=there: there.number == here.number)
        assert one.view["moves"] == other.view["moves"]
    assert not one.refused + other.refused


def test_a_bot_waits_for_its_weights(browser: Browser, site: Site, tmp_path: Path) -> None:
    """No connection before they are kept: it says so, plays nothing else meanwhile, and goes on by itself."""
    root = tmp_path / UNDER
    shutil.copytree(site.folder, root)
    hidden = {file: file.read_bytes() for file in root.glob("engine/*/*.net")}
    for file in hidden:
        file.unlink()
    with hosted(tmp_path) as host, visited(browser, host) as made:
        one = made(PHONE)
        one.go("")
        open_table(one, hands.GAMES[0], "bot:expert")
        waits = one.page.locator(".said .panel", has_text="not loaded yet")
        while one.view["to_move"] == one.seat and not one.over:  # until the bot's turn has come
            one.wait(lambda: bool(one.legal))
            one.up_to_date()
            number = one.number
            hands.CLICK[hands.GAMES[0]](one, hands.best(one))
            one.wait(lambda before=number: one.number > before)
        expect(waits).to_be_visible()
        moves = one.view["moves"]
        one.page.wait_for_timeout(4000)  # it has tried again by then
        assert one.view["moves"] == moves
        assert faults(one.page) == []
        for file, data in hidden.items():
            file.write_bytes(data)
        one.wait(lambda: bool(one.legal))
        expect(waits).to_have_count(0)
        for file in hidden:
            file.unlink()
        assert [fault for fault in one.faults if "404" not in fault] == []
        one.faults.clear()


def test_a_hint_that_cannot_be_found_says_so(browser: Browser, site: Site, tmp_path: Path) -> None:
    """For want of its weights, without a connection."""
    root = tmp_path / UNDER
    shutil.copytree(site.folder, root)
    for file in root.glob("engine/*/*.net"):
        file.unlink()
    with hosted(tmp_path) as host, visited(browser, host) as made:
        one = made()
        one.go("")
        open_table(one, hands.GAMES[0], "bot:easy")
        one.wait(lambda: bool(one.legal))
        one.page.get_by_role("button", name="Hint", exact=True).click()
        expect(one.page.locator(".toast")).to_contain_text("not loaded yet")
        assert one.refused == ["offline"]
        one.faults.clear()


def test_many_games_as_files(guests: Guests, tmp_path: Path) -> None:
    """Some hundred are loaded and saved again; what is no record, and of which kind, is said in the end."""
    lot, records = random.Random(3), list[dict[str, Any]]()
    for seed in range(120):
        game = new(hands.GAMES[seed % len(hands.GAMES)], 2, seed=seed)
        while not game.over:
            game.play(lot.choice(game.legal_moves))
        records.append(game.record())
    many = tmp_path / "many.jsonl"
    many.write_text("".join(json.dumps(record) + "\n" for record in records))
    one = guests()
    one.go("")
    files = one.page.locator("input[type=file]")
    told = one.page.locator(".records [role=status]")
    one.page.get_by_role("button", name="Save all games").click()
    expect(told).to_have_text("There is no finished game to save yet.")
    files.set_input_files(many)
    expect(told).to_have_text(f"{len(records)} games loaded")
    text = saved(one.page, "Save all games")
    by_text = functools.partial(json.dumps, sort_keys=True)
    assert sorted(by_text(json.loads(line)) for line in text.splitlines()) == sorted(map(by_text, records))
    files.set_input_files(many)  # once more: they are here already
    expect(told).to_have_text(f"{len(records)} games loaded")
    assert len(tables(one)) == len(records)
    wrong = {
        "empty.json": (b"", "not a record"),
        "picture.png": (bytes(range(256)) * 40, "not a record"),
        "list.json": (json.dumps(records[:1]).encode(), "not a record"),
        "other.json": (json.dumps(records[0] | {"game": "chess"}).encode(), "no game called “chess” here"),
        "later.json": (json.dumps(records[0] | {"format": "tavolino/9"}).encode(), "format must be"),
        "cut.json": (json.dumps(records[0])[:-30].encode(), "not a record"),
        "seats.json": (json.dumps(records[0] | {"seats": "two"}).encode(), "no game by the rules"),
        "moves.json": (json.dumps(records[0] | {"moves": None}).encode(), "no game by the rules"),
        "deal.json": (json.dumps(records[0] | {"deal": {"piles": 3}}).encode(), "no game by the rules"),
        "options.json": (json.dumps(records[0] | {"options": [1]}).encode(), "no game by the rules"),
        "fair.json": (json.dumps(records[0] | {"fair": 5}).encode(), "no game by the rules"),
        "secret.json": (json.dumps(records[0] | {"fair": {"secret": 7}}).encode(), "no game by the rules"),
        "shares.json": (json.dumps(records[0] | {"fair": {"shares": [3]}}).encode(), "fair.shares must list"),
        "failed.json": (json.dumps(records[0] | {"failed": {"seat": 9}}).encode(), "failed.seat must be"),
    }
    for name, (data, why) in wrong.items():
        (tmp_path / name).write_bytes(data)
        files.set_input_files(tmp_path / name)
        expect(one.page.locator(".records [role=alert]").first).to_contain_text(name)
        expect(one.page.locator(".records [role=alert]").first).to_contain_text(why)
    (tmp_path / "names.json").write_text(json.dumps(records[0] | {"players": 3}))
    files.set_input_files(tmp_path / "names.json")
    expect(told).to_have_text("1 game loaded")
    assert len(tables(one)) == len(records) + 1


def test_an_update_in_one_of_two_tabs(browser: Browser, site: Site, tmp_path: Path) -> None:
    """Whoever takes it in one has it in the other: the game that goes on there is the same, in the new version."""
    root = tmp_path / UNDER
    shutil.copytree(site.folder, root)
    with hosted(tmp_path) as host, visited(browser, host) as made:
        one = made(keeps=True)
        one.go("")
        kept(one)
        other = made(beside=one)
        other.go("")
        open_table(other, hands.GAMES[0], "bot:easy")
        hands.play_on(other, hands.CLICK, turns=1)
        other.wait(lambda: bool(other.legal))
        moves = other.view["moves"]
        worker = (root / "sw.js").read_text("utf-8")
        (root / "sw.js").write_text(worker.replace("const VERSION = '", "const VERSION = 'new "), "utf-8")
        one.page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
        for each in (one, other):
            expect(each.page.get_by_role("button", name="Load it now")).to_be_visible()
        other.view, other.legal = {}, []
        with other.page.expect_navigation(), one.page.expect_navigation():
            one.page.get_by_role("button", name="Load it now").click()
        other.wait(lambda: bool(other.legal))
        assert other.view["moves"] == moves
        for each in (one, other):
            expect(each.page.get_by_role("button", name="Load it now")).to_have_count(0)


def test_a_part_of_the_page_that_is_not_there(browser: Browser, site: Site, tmp_path: Path) -> None:
    """A page from before the host was given a newer one: it says so instead of showing nothing."""
    root = tmp_path / UNDER
    shutil.copytree(site.folder, root)
    with hosted(tmp_path) as host, visited(browser, host) as made:
        one = made()
        one.go("")
        part = next(file for file in (root / "assets").glob("Learn-*.js"))
        part.rename(root / "assets" / "Learn-later.js")
        card(one, hands.GAMES[0]).get_by_role("link", name="Learn it in 5 minutes").click()
        expect(one.page.get_by_role("alert")).to_contain_text("There is a new version of this page")
        (root / "assets" / "Learn-later.js").rename(part)
        one.page.get_by_role("button", name="Load it").click()
        expect(one.page.locator(".say.panel")).to_be_visible()
        one.faults.clear()


def test_each_folder_of_a_host_is_an_app_of_its_own(browser: Browser, site: Site, tmp_path: Path) -> None:
    """Two sites of one host are two apps to a browser that installs them."""
    for name in ("one", "two"):
        shutil.copytree(site.folder, tmp_path / UNDER / name)
    with hosted(tmp_path) as host, visited(browser, host) as made:
        one, ids = made(), list[str]()
        for name in ("one", "two"):
            one.go(f"{name}/")
            manifest = devtools(one)[0].send("Page.getAppManifest")["manifest"]
            ids.append(str(manifest["id"]))
        assert ids == [f"{host.url}{name}/" for name in ("one", "two")]


def test_a_page_begins_at_its_top(guests: Guests) -> None:
    one = guests(PHONE)
    one.go("")
    one.page.set_viewport_size({"width": 390, "height": 400})
    one.rest()
    one.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert one.page.evaluate("scrollY") > 100
    one.page.get_by_role("link", name=re.compile("^Rules")).last.click()
    expect(one.page.locator("main h1")).to_be_visible()
    assert one.page.evaluate("scrollY") == 0
