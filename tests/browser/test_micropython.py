"""The table's Python in MicroPython says what it says natively: views, offers, events, refusals, records, proofs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tavolino.browser.pack import packs
from tavolino.browser.plainer import NotPlain, parse
from tavolino.engine.registry import GAMES
from tests.browser.session import NOW, TODAY, Session, tables
from tests.conftest import Once

WEB = Path(__file__).parent.parent.parent / "web"
pytestmark = pytest.mark.timeout(1200)
"""Whole games in two Pythons, on a busy machine."""
MICROPYTHON = WEB / "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"


COMPARE = Path(__file__).with_name("compare.mjs")
RUN = """
import { readFileSync } from 'node:fs'
const [{ compare }, { loadMicroPython }] = await Promise.all(process.argv.slice(1).map((file) => import(file)))
process.stdout.write(JSON.stringify(await compare(JSON.parse(readFileSync(0)), loadMicroPython)))
"""


def played(_: Path, each: int | None = None) -> Session:
    """Play whole games natively, with slips, undone moves, hints, replays and proofs, at so many tables of each."""
    with pytest.MonkeyPatch.context() as patch:
        session = Session(patch, seed=19)
        for key, players, shared in tables():
            if players in GAMES[key].people.PLAYERS[:each]:
                session.play(key, players, shared)
    return session


def task(session: Session, made: dict[str, Any]) -> dict[str, Any]:
    """Return what compare.mjs is asked."""
    return {"packs": made, "steps": session.steps, "calls": session.calls, "now": NOW, "today": TODAY}


def compared(session: Session, made: dict[str, Any]) -> dict[str, Any]:
    """Return how the answers of MicroPython in Node compare with the native ones."""
    command = ["node", "--input-type=module", "-e", RUN, COMPARE.as_uri(), MICROPYTHON.resolve().as_uri()]
    asked = json.dumps(task(session, made))
    ran = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return packs()._asdict()


def test_every_answer_is_the_native_one(made: dict[str, Any], once: Once) -> None:
    """Whole games of every registered game, with slips, undone moves, hints, replays, records and their proofs."""
    session = once("micropython", played)
    kinds = {json.loads(message)["type"] for _, _, said in session.steps for message in json.loads(said).get("say", [])}
    assert kinds >= {"snapshot", "update", "refused", "recalled", "hinted"}
    why = [said for name, _, said in session.steps if name == "hinted" and '\\"code\\"' in said]
    assert len(why) >= 3, "hardly any hint had a reason"
    found = compared(session, made)
    assert found["same"] == found["asked"] == len(session.steps), found["different"]
    assert found["ordered"] == found["asked"]  # the board for any game lists fields in the order of the view


def test_the_comparison_can_fail(made: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose people.py says something else in the browser is noticed."""
    key = next(iter(GAMES))
    session = Session(monkeypatch, seed=1)
    session.play(key, GAMES[key].people.PLAYERS[0], shared=False)
    other = json.loads(json.dumps(made))
    files = other["games"][key]["files"]
    path = f"{other['games'][key]['package'].replace('.', '/')}/people.py"
    assert "def settled(" in files[path]
    files[path] += "\n_own_view = own_view\ndef own_view(t, seat):\n    return {'hand': [1]}\n"
    assert compared(session, other)["same"] < len(session.steps)


def test_every_process_packs_the_same() -> None:
    """Whatever the order of its sets: two builds of a site have the same bytes."""
    program = "import json; from tavolino.browser.pack import packs; print(json.dumps(packs()))"
    other = {**os.environ, "PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"}
    theirs = subprocess.run([sys.executable, "-c", program], env=other, capture_output=True, text=True, check=True)
    assert theirs.stdout.strip() == json.dumps(packs())


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("async def f():\n    pass\n", "async"),
        ("match x:\n    case [a, b]:\n        pass\n", "pattern"),
        ("match x:\n    case int() if x > 1:\n        pass\n", "condition"),
        ("a = {1, *b}\n", "set with stars"),
    ],
)
def test_what_cannot_be_rewritten_is_named(tmp_path: Path, source: str, what: str) -> None:
    """The error says what, in which file and line, and what to write instead."""
    file = tmp_path / "people.py"
    file.write_text("x = 1\n" + source)
    with pytest.raises(NotPlain, match=what) as caught:
        parse(file)
    assert f"{file}:" in str(caught.value)
