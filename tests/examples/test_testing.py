"""The conformance suite in an author's hands: it passes the example, and names what is wrong with a broken one."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.examples.conftest import KEY, python

WITH_OPTIONS = """
import sys
from tavolino import testing
cases_of = testing.cases_of
testing.cases_of = lambda key: [case for case in cases_of(key) if case.options]
sys.exit(testing.main(sys.argv[1:]))
"""


def test_the_example_conforms(site: Path) -> None:
    """Every check holds, for every setup with an option; tests/test_docs.py runs them for the others (`--quick`)."""
    said = python("-c", WITH_OPTIONS, KEY, sites=(site,))
    assert said.startswith("Liar's Dice: 12 setups\n")
    assert said.count("\nok ") == 17
    assert "BROKEN" not in said


def test_who_asks_for_no_game_is_told() -> None:
    """Without a game, or with one that is not there, the games are listed."""
    assert "usage" in python("-m", "tavolino.testing", code=2)
    assert "no game 'chess'; there are face-to-face" in python("-m", "tavolino.testing", "chess", code=2)


BREAKS = {
    "an own view that is not the seat's own": (
        "people.py",
        '"hand": None if seat is None or t.over else _hands(t, t.hand)[seat]',
        '"hand": [face for hand in t.hand for face in hand if face]',
        "secrets_are_kept",
        "the view of a spectator changes with what it cannot know",
    ),
    "an offer that looks under the cups": (
        "people.py",
        "mine = t.hand[t.player].count(face) + (t.open == face)",
        "mine = sum(hand.count(face) for hand in t.hand) + (t.open == face)",
        "secrets_are_kept",
        "the offers of seat . changes with what it cannot know",
    ),
    "an event that tells a secret": (
        "people.py",
        '"secret": {"seat": seat, "hand": hand}',
        '"hand": hand',
        "secrets_are_kept",
        "what was told so far of .* changes with what it cannot know",
    ),
    "an observation of all dice": (
        "rules.py",
        'EACH, WHO, OWN = ("dice", "shown"), ("bidder",), ("hand",)',
        'EACH, WHO = ("dice", "shown", "hand"), ("bidder",)',
        "secrets_are_kept",
        "the observation of seat . changes with what it cannot know",
    ),
    "a field that learners see twice": (
        "rules.py",
        '("dice", "shown")',
        '("dice", "shown", "hand")',
        "secrets_are_kept",
        "hand may stand in only one of OPEN, EACH, WHO and OWN",
    ),
    "a redeal that leaves the others' dice": (
        "rules.py",
        "hidden = wide(s.dice[seat]) if is_hidden(seat, viewer) else 0",
        "hidden = 0",
        "redeals_hide_hands",
        "dealt anew for a spectator, seat 0 holds what it held",
    ),
    "a redeal that a bot could see through": (
        "rules.py",
        "1 + randint(rng, FACES)",
        "1 + (s.throws[seat, i] + randint(rng, FACES)) % FACES",
        "secrets_are_kept",
        "a world to search of a spectator changes with what it cannot know: .* these fields differ: .*throws",
    ),
    "a field that NumPy hides": (
        "rules.py",
        '("bidder", "i1"),',
        '("bidder", "i1"), ("round", "i1"),',
        "state_is_sound",
        "records of NumPy have a 'round' of their own",
    ),
    "a field of another type": (
        "rules.py",
        '("bid", "i2"),',
        '("bid", "i4"),',
        "state_is_sound",
        "the field 'bid' is i4: there are i1, i2 and i8",
    ),
    "a deal behind a redeal that is none": (
        "people.py",
        "read_deal, write_deal, deal_behind = deal_of_digits",
        "deal_behind = lambda t, start, viewer, history: {'throws': []}\nread_deal, write_deal, _ = deal_of_digits",
        "redeals_are_games",
        r"what is dealt anew for .* cannot have led here \(deal\.throws must be",
    ),
    "a redeal with loaded dice": (
        "rules.py",
        "throw(s, seat, s.used[seat] - hidden, rng)",
        "throw(s, seat, s.used[seat] - hidden, rng)\n"
        "        for i in range(s.used[seat] - hidden, THROWS):\n"
        "            s.throws[seat, i] = min(5, s.throws[seat, i])",
        "redeals_are_even",
        r"deal\.throws\[.\]\[.\] differs from deals",
    ),
    "a doubt that can be taken back": (
        "people.py",
        "settled = settled_by_chance",
        "settled = lambda before, after: False",
        "secrets_are_kept",
        "liar shows something to .*, and yet can be taken back",
    ),
    "an offer that promises something else": (
        "people.py",
        '"verb": "bid", **_bid(action),',
        '"verb": "bid", **_bid(action), "face": 7,',
        "offers_agree",
        "offers face 7, and . happens",
    ),
    "a refusal without a sentence": (
        "people.py",
        '"nothing_to_doubt"',
        '"nothing"',
        "only_legal_moves_play",
        r"words\.en\.md has no sentence refused\.nothing",
    ),
    "arithmetic that only compiled code does": (
        "rules.py",
        "(s.dice.sum() + 1)",
        "(s.dice[0] + s.dice[1] + s.dice[2] + s.dice[3] + 1)",
        "compiled_is_interpreted",
        "the rules run compiled, but not interpreted",
    ),
    "a record that forgets": (
        "people.py",
        "settled = settled_by_chance",
        "settled, _read = settled_by_chance, read_deal\n"
        "def read_deal(*given):\n    return {**_read(*given), 'dice': 5}",
        "records_replay",
        "scores must be",
    ),
}
ONE_CHECK = """
import sys
from tavolino.testing import Case, failure
print(failure(Case("liars-dice", int(sys.argv[2]), {"dice": int(sys.argv[3])}), sys.argv[1]))
"""


@pytest.mark.parametrize("name", BREAKS)
def test_what_is_broken_is_named(name: str, site: Path, tmp_path: Path) -> None:
    """A mistake an author may make is found by the check for it, with the setup and the seed."""
    file, right, wrong, check, said = BREAKS[name]
    broken = Path(shutil.copytree(site, tmp_path / "site", ignore=shutil.ignore_patterns("__pycache__")))
    code = broken / "liars_dice" / file
    source = code.read_text()
    assert source.count(right) == 1
    code.write_text(source.replace(right, wrong))
    many = check == "compiled_is_interpreted"  # small numbers are the same in both
    thinks = file == "people.py" and check == "secrets_are_kept"  # a bot is asked, which only compiled code has
    plain: dict[str, Any] = {} if many or thinks else {"NUMBA_DISABLE_JIT": "1"}  # not worth compiling
    found = python("-c", ONE_CHECK, check, *(4, 5) if many else (2, 2), sites=(broken,), **plain)
    assert found.startswith("liars-dice-"), "nothing was found"
    assert re.search(said, found), found


RACE = {
    "race/__init__.py": "from race import people, rules\nfrom tavolino.engine.contract import GameModules\n\n"
    "GAME = GameModules(rules, people, seen=rules)\n",
    "race/rules.py": """
from tavolino.engine.jit import rule
from tavolino.engine.rng import randint
from tavolino.engine.states import allow, begin, finish, record, turn_to

STREAMS = ("first",)
GO, ROLLED = 0, 64
STATE = record(1, ("turn", "i1"), ("way", "i1", 2))
EACH, WHO = ("way",), ("turn",)

@rule
def give_turn(s, seat):
    turn_to(s, seat)
    s.turn = seat
    allow(s, GO)

@rule
def start(s, seats, first):
    begin(s, seats, first)
    s.way[:] = 0
    give_turn(s, first)

@rule
def deal(s, seats, first, options, streams):
    start(s, seats, max(0, first))

@rule
def apply(s, action):
    if action == GO:
        turn_to(s, -1)
    else:
        s.way[s.turn] += action - ROLLED
        if s.way[s.turn] >= 20:
            finish(s, 1 << s.turn, 0)
        else:
            give_turn(s, 1 - s.turn)

@rule
def chance(s, streams):
    return ROLLED + 1 + randint(streams[s.turn:], 6)

@rule
def scores(s, out):
    out[:2] = s.way

@rule
def redeal(s, viewer, rng):
    pass
""",
    "race/people.py": """
from race.rules import GO, ROLLED
from tavolino.engine.contract import Refusal
from tavolino.engine.ready_made import no_deal, offers_from, settled_by_chance, slip_like

TITLE, PLAYERS, MATCH_ADDS, ENDINGS, OPTIONS = "Race", (2,), "wins", ("there",), ()
WORDS = {GO: "go"} | {ROLLED + face: f"die:{face}" for face in range(1, 7)}
NOTATION = "go"
read_deal, write_deal, deal_behind = no_deal()
offers = offers_from(WORDS, lambda t, action: {"verb": "go"})
settled = settled_by_chance
slip = slip_like("die:.*", Refusal(("R1",), "six_faces"))

def open_view(t):
    return {"way": list(t.way)}

def own_view(t, seat):
    return {}

def happened(b, word, a):
    return [{"type": "went", "way": list(a.way)}]

def why_not(t, word):
    return Refusal(("R1",), "not_now")
""",
    "race/text/rules.en.md": "# Race\n\n- **R1** Go, and throw a die.\n",
    "race/text/words.en.md": "- refused.not_now: not now\n- refused.six_faces: a die has six faces\n",
    "race-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: race\nVersion: 1\n",
    "race-1.dist-info/entry_points.txt": "[tavolino.games]\nrace = race\n",
}
"""A game that deals nothing and hides nothing: all its chance is a die that everybody sees."""


def test_a_game_that_deals_nothing_conforms(tmp_path: Path) -> None:
    """Its deal is empty and the same for every seed; its dice are not."""
    for name, text in RACE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    plain: dict[str, Any] = {"NUMBA_DISABLE_JIT": "1"}  # not worth compiling
    said = python("-m", "tavolino.testing", "race", sites=(tmp_path,), **plain)
    assert said.count("\nok ") == 17
    loaded = tmp_path / "race" / "rules.py"
    loaded.write_text(loaded.read_text().replace("randint(streams[s.turn:], 6)", "3"))
    one = "from tavolino.testing import Case, failure; print(failure(Case('race', 2), 'seeds_decide'))"
    assert "every seed brings the same chance" in python("-c", one, sites=(tmp_path,), **plain)
