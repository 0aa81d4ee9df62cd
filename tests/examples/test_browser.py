"""The example package in the browser: its people.py runs in MicroPython as it is."""

import json
from pathlib import Path

from tests.examples.conftest import KEY, python

COMPARE = f"""
import json
import pytest
from tavolino.browser.pack import packs
from tests.browser.session import Session
from tests.browser.test_micropython import compared
with pytest.MonkeyPatch.context() as patch:
    session = Session(patch, seed=3)
    session.play("{KEY}", 3, shared=False)
    session.play("{KEY}", 2, shared=True)
    made = packs(["{KEY}"])._asdict()
    print(json.dumps(compared(session, made) | {{"files": sorted(made["games"]["{KEY}"]["files"])}}))
"""


def test_a_game_of_a_package_needs_nothing_more(site: Path) -> None:
    """Whole games against bots and on one device, every message as natively."""
    found = json.loads(python("-c", COMPARE, sites=(site,)).splitlines()[-1])
    assert found["same"] == found["asked"] > 50, found["different"]
    assert "liars_dice/people.py" in found["files"]
