"""The page without a server: a folder of files under a sub-path, in a real browser, against the strongest bots."""

import functools
import gzip
import json
import random
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlparse

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Worker, expect

from tavolino.browser.site import LISTED, NoSite, write_site
from tavolino.cli import cli
from tavolino.lab import review
from tavolino.play.game import new
from tests.web import hands
from tests.web.screens import card, faults
from tests.web.site import REVIEW_TRIES, UNDER, Guests, Site, altered, hosted, kept, open_table, saved, visited, write
from tests.web.visitor import PHONE

pytestmark = pytest.mark.timeout(1200)
"""The first test may have to build the rules for the browser, on a busy machine."""
MOST = 450_000
"""Bytes that may come before the first click at a table, compressed by brotli, without a network's weights."""
BROTLI = """
const { brotliCompressSync } = require('zlib'), { readFileSync } = require('fs')
for (const file of process.argv.slice(1)) console.log(brotliCompressSync(readFileSync(file)).length)
"""
TRAP = """{
  // All that this module of rules exports runs into WebAssembly's own `unreachable`.
  const bytes = atob('AGFzbQEAAAABBAFgAAADAgEABwUBAXQAAAoFAQMAAAs=');
  const module = new WebAssembly.Module(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
  const { t } = new WebAssembly.Instance(module).exports;
  const real = WebAssembly.instantiate;
  WebAssembly.instantiate = async (module) => {
    const { exports } = await real(module);
    const broken = Object.entries(exports).map(([name, one]) => [name, typeof one === 'function' ? () => t() : one]);
    return { exports: Object.fromEntries(broken) };
  };
}
"""


def proved(text: str, file: Path) -> None:
    """Check and verify a file with the command line, which knows nothing of the browser."""
    file.write_text(text, "utf-8")
    for command in ("check", "verify"):
        ran = CliRunner().invoke(cli, [command, str(file)])
        assert ran.exit_code == 0, f"{command}: {ran.output}"


@pytest.mark.parametrize("game", hands.GAMES)
def test_a_whole_game_against_the_expert(guests: Guests, game: str, tmp_path: Path) -> None:
    """By clicks, from the sheet to the sums; the record is a legal game, and its deal is proved."""
    one = guests(keeps=game == hands.GAMES[0])
    one.go("")
    open_table(one, game, "bot:expert")
    assert one.table["seats"][1]["level"] == "expert"
    assert "#/t/" in one.page.url
    hands.play_on(one, hands.CLICK)
    assert not one.refused
    expect(one.page.locator("#end-title")).to_be_visible()
    one.page.locator("details", has_text="Was it fair?").locator("summary").click()
    again = one.page.locator("[data-again]")
    expect(again).to_have_attribute("data-again", "same")
    assert int(again.get_attribute("data-compared") or 0) > len(one.moves_said)
    assert faults(one.page) == []
    proved(saved(one.page, "Download"), tmp_path / "one.json")
    one.page.get_by_role("link", name="Replay").click()
    expect(one.page.locator("footer input[type=range]")).to_be_visible()
    one.rest()
    assert faults(one.page) == []


@pytest.mark.parametrize("game", hands.GAMES)
def test_a_hint_says_why(guests: Guests, game: str) -> None:
    """As at a server's table; axe finds no fault there, in the rules and in the lesson."""
    one = guests(PHONE)
    one.go("")
    for link, seen in (("Learn it in 5 minutes", ".say.panel"), ("Rules", "main h1")):
        card(one, game).get_by_role("link", name=link).click()
        expect(one.page.locator(seen)).to_be_visible()
        one.rest()
        assert faults(one.page) == []
        one.follow("#/")
    open_table(one, game, "bot:easy")
    hint = one.page.get_by_test_id("hint")
    for _ in range(30):  # not every move has a reason that can be told
        one.wait(lambda: bool(one.legal))
        one.up_to_date()
        one.page.get_by_role("button", name="Hint", exact=True).click()
        expect(hint).to_be_visible(timeout=60_000)
        if hint.locator("[data-reason]").count():
            break
        number = one.number
        hint.get_by_role("button", name="Play it").click()
        one.wait(lambda before=number: one.number > before)
    why = hint.locator("[data-reason]").first.inner_text()
    assert len(why) > 12
    assert not set(why) & set("{}_")
    one.rest()
    assert faults(one.page) == []


def test_offline_after_the_first_visit(guests: Guests) -> None:
    """Loaded anew without a network: the game goes on, another begins, hints come, the lesson and the rules open."""
    one = guests(keeps=True)
    one.go("")
    kept(one)
    open_table(one, hands.GAMES[0], "bot:expert")
    hands.play_on(one, hands.CLICK, turns=1)
    one.wait(lambda: bool(one.legal))
    moves = one.view["moves"]
    one.context.set_offline(True)
    one.view, one.legal = {}, []
    one.page.reload()
    one.wait(lambda: bool(one.legal))
    assert one.view["moves"][: len(moves)] == moves
    one.page.get_by_role("button", name="Hint").click()
    expect(one.page.get_by_text("Chance to win", exact=True)).to_be_visible()
    hands.play_on(one, hands.CLICK, turns=1)
    one.page.locator("header a.home").click()
    open_table(one, hands.GAMES[-1], "bot:expert")
    hands.play_on(one, hands.CLICK, turns=1)
    one.page.locator("header a.home").click()
    expect(one.page.locator(".mine li")).to_have_count(2)
    for link, seen in (("Learn it in 5 minutes", ".say.panel"), ("Rules", "main h1")):
        card(one, hands.GAMES[0]).get_by_role("link", name=link).click()
        expect(one.page.locator(seen)).to_be_visible()
        one.page.go_back()


def test_two_on_one_device_then_files(guests: Guests, tmp_path: Path) -> None:
    """Pass and play with the curtain between; undo; then all games as a file, and back into another browser."""
    one = guests(PHONE)
    one.go("")
    open_table(one, hands.GAMES[0], "me")
    for _ in range(400):
        if one.over:
            break
        curtain = one.page.locator(".curtain .btn.go")
        if not one.legal:
            curtain.click()
            one.wait(lambda: bool(one.legal))
        one.up_to_date()
        number, offer = one.number, hands.best(one)
        one.page.keyboard.type(offer["word"])
        one.page.keyboard.press("Enter")
        one.wait(lambda number=number: one.number > number)
    assert one.over
    assert not one.refused
    one.go("")
    one.page.get_by_role("navigation").get_by_role("button", name="My tables").click()
    text = saved(one.page, "Save all games")
    proved(text, tmp_path / "all.jsonl")
    other = guests()
    other.go("")
    wrong = json.loads(text) | {"moves": json.loads(text)["moves"][1:]}
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    other.page.locator("input[type=file]").set_input_files([tmp_path / "all.jsonl", tmp_path / "wrong.json"])
    expect(other.page.locator(".records [role=alert]")).to_contain_text("wrong.json")
    for code, language, said in (("es", "Español", "según las reglas"), ("it", "Italiano", "secondo le regole")):
        other.page.get_by_role("button", name=language).click()
        expect(other.page.locator("html")).to_have_attribute("lang", code)
        other.page.locator("input[type=file]").set_input_files(tmp_path / "wrong.json")
        expect(other.page.locator(".records [role=alert]")).to_contain_text(said)
    other.page.get_by_role("button", name="English").click()
    expect(other.page.locator(".mine li")).to_have_count(1)
    proved(saved(other.page, "Save all games"), tmp_path / "again.jsonl")
    assert json.loads((tmp_path / "again.jsonl").read_text()) == json.loads(text)
    other.page.locator(".mine li a.btn").click()
    expect(other.page.locator("#end-title")).to_be_visible()
    other.page.get_by_role("link", name="Replay").click()
    expect(other.page.locator("footer input[type=range]")).to_have_attribute("max", str(len(json.loads(text)["moves"])))


def test_a_game_is_reviewed_and_tried_again(guests: Guests, tmp_path: Path) -> None:
    """The same as natively, to the last chance shown; then offline from the position before the first moment."""
    game, lot = new(hands.GAMES[0], 2, seed=11), random.Random(5)
    while not game.over:
        game.play(lot.choice(game.legal_moves))
    (tmp_path / "one.json").write_text(json.dumps(game.record() | {"players": ["Anna", "Ben"]}))
    native = review(game.record(), tries=REVIEW_TRIES, all_reasons=False)
    assert native["moments"]
    one = guests(keeps=True)
    one.go("")
    kept(one)
    one.context.set_offline(True)
    one.page.locator("input[type=file]").set_input_files(tmp_path / "one.json")
    one.page.locator(".mine li").get_by_role("link", name="Your game, told").click()
    expect(one.page.locator(".moments li[id]")).to_have_count(len(native["moments"]), timeout=120_000)
    winner = native["account"][native["winners"][0]]
    expect(one.page.locator(".sums")).to_contain_text(f"{winner['error_rate'] / 10:.1f} points per decision")
    one.rest()
    assert faults(one.page) == []
    one.legal = []
    one.page.locator(".moments").get_by_role("button", name="Try it again from here").first.click()
    one.wait(lambda: one.phase == "playing")
    assert one.table["practice"] == max(0, native["moments"][0]["step"] - 1)
    hands.play_on(one, hands.CLICK, turns=1)


def test_a_worker_that_dies_takes_no_game_with_it(guests: Guests) -> None:
    """The tables' worker ends in mid-game: the page starts another, and the game goes on from what is stored."""
    one = guests()
    one.go("")
    open_table(one, hands.GAMES[-1], "bot:easy")
    hands.play_on(one, hands.CLICK, turns=1)
    one.wait(lambda: bool(one.legal))
    moves = one.view["moves"]
    tables = next(worker for worker in one.page.workers if "worker-" in worker.url)
    tables.evaluate("setTimeout(() => { throw new Error('a trap'); })")
    one.wait(lambda: any("worker ended" in fault for fault in one.faults))
    one.faults.clear()
    one.view, one.legal = {}, []
    one.wait(lambda: bool(one.legal))
    assert one.view["moves"] == moves
    thinkers: list[Worker] = []
    while not thinkers and not one.over:  # until a bot's turn has come
        hands.play_on(one, hands.CLICK, turns=1)
        one.wait(lambda: one.over or bool(one.legal))
        thinkers = [worker for worker in one.page.workers if "thinker-" in worker.url]
    thinkers[0].evaluate("setTimeout(() => { throw new Error('a trap'); })")
    hands.play_on(one, hands.CLICK, turns=2)
    one.faults.clear()


def test_a_trap_in_webassembly_ends_its_worker_and_not_the_game(browser: Browser, site: Site) -> None:
    """The first worker that thinks traps: another takes its place, and decides what the first should have."""
    kind = altered("/thinker-", TRAP, 1)
    with hosted(site.folder.parents[UNDER.count("/")], kind) as host, visited(browser, host) as made:
        one = made()
        one.go("")
        open_table(one, hands.GAMES[0], "bot:expert")
        while len(kind.answered) < 2 and not one.over:  # until the bot's turn came, and another worker has taken it
            hands.play_on(one, hands.CLICK, turns=1)
            one.wait(lambda: one.over or bool(one.legal))
        assert len(kind.answered) == 2
        one.wait(lambda: bool(one.faults))  # what a console says may come after what was asked of the host
        failed = [fault for fault in one.faults if "a bot failed" in fault]
        assert len(failed) == 1
        assert "unreachable" in failed[0]
        one.faults.clear()


SIZES: dict[Path, int] = {}


def compressed(files: list[Path]) -> int:
    """Return how many bytes files have, compressed by brotli: each once, since all games share most of them."""
    new = [file for file in files if file not in SIZES]
    said = subprocess.run(["node", "-e", BROTLI, *map(str, new)], capture_output=True, check=True).stdout
    SIZES.update(zip(new, map(int, said.split()), strict=True))
    return sum(SIZES[file] for file in files)


@functools.cache
def largest_network(folder: Path) -> int:
    """Return how many bytes the largest network has, compressed by gzip."""
    return max(len(gzip.compress(file.read_bytes(), 9)) for file in folder.glob("engine/*/*.net"))


@pytest.mark.parametrize("key", hands.GAMES)
def test_what_comes_before_the_first_click(key: str, site: Site, guests: Guests) -> None:
    """Page, engine and one game, compressed and without weights."""
    one = guests()
    one.go("")
    card(one, key).get_by_role("button", name="Play the computer").click()
    one.wait(lambda: bool(one.legal))
    paths = {urlparse(url).path.removeprefix(f"/{UNDER}/") or "index.html" for url in guests.asked}
    files = [site.folder / path for path in paths if not path.endswith((".net", "sw.js"))]
    size = compressed(files)
    assert size <= MOST, f"{size} bytes in {len(files)} files"
    assert 0 < largest_network(site.folder) <= 300_000


def test_it_can_be_installed(guests: Guests) -> None:
    """By the browser's own check; axe finds no fault in the home page, on a desktop and on a phone in the dark."""
    one = guests(keeps=True)
    one.go("")
    kept(one)
    session = one.context.new_cdp_session(one.page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["start_url"] == "./"
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window of a test is incognito, where nothing is ever installed; nothing else may stand in the way.
    assert [error["errorId"] for error in found if error["errorId"] != "in-incognito"] == []
    assert faults(one.page) == []
    phone = guests(PHONE, dark=True)
    phone.go("")
    expect(phone.page.locator("article.game").first).to_be_visible()
    assert faults(phone.page) == []


def test_a_new_version_is_offered(browser: Browser, site: Site, tmp_path: Path) -> None:
    """It waits until someone takes it; a site of ours is replaced, and nothing else is."""
    root = tmp_path / UNDER
    shutil.copytree(site.folder, root)
    with hosted(tmp_path) as host, visited(browser, host) as made:
        one = made(keeps=True)
        one.go("")
        kept(one)
        open_table(one, hands.GAMES[0], "bot:easy")
        one.wait(lambda: bool(one.legal))
        one.page.evaluate("window.sinceThen = true")
        index = root / "index.html"
        before = index.read_text("utf-8")
        write(root)
        assert index.read_text("utf-8") == before  # the same version is the same files
        worker = (root / "sw.js").read_text("utf-8")
        (root / "sw.js").write_text(worker.replace("const VERSION = '", "const VERSION = 'new "), "utf-8")
        one.page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
        offer = one.page.get_by_role("button", name="Load it now")
        expect(offer).to_be_visible()
        one.rest()
        assert faults(one.page) == []
        assert one.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the table has no room"
        hands.play_on(one, hands.CLICK, turns=1)  # in the middle of a game, which goes on, in the same page
        one.wait(lambda: bool(one.legal))
        assert one.page.evaluate("window.sinceThen") is True
        expect(offer).to_be_visible()
        moves = one.view["moves"]
        one.view, one.legal = {}, []
        with one.page.expect_navigation():
            offer.click()
        one.wait(lambda: bool(one.legal))
        assert one.view["moves"] == moves
        expect(offer).to_have_count(0)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(NoSite, match="not empty"):
        write_site(tmp_path / "mine")
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_build_that_fails_leaves_the_older_site_as_it_was(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What only the older one had is removed at the end, and what someone added stays."""
    root = tmp_path / "site"
    shutil.copytree(site.folder, root)
    listed = json.loads((root / LISTED).read_bytes())
    (root / LISTED).write_text(json.dumps(listed | {"files": [*listed["files"], "assets/of/old.js"]}))
    (root / "assets" / "of").mkdir()
    (root / "assets" / "of" / "old.js").write_text("old")
    (root / ".htaccess").write_text("mine")
    before = contents(root)
    with monkeypatch.context() as broken:
        broken.setattr("tavolino.browser.site.service_worker", lambda digests: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            write(root)
    assert contents(root) == before
    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", lambda file, data: (_ for _ in ()).throw(OSError("No space left on device")))
        with pytest.raises(OSError, match="No space"):
            write(root)
    assert contents(root) == before
    write(root)
    assert contents(root) == contents(site.folder) | {".htaccess": b"mine"}
    assert not (root / "assets" / "of").exists()
