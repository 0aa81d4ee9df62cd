"""Variants of rules: constants and functions change, unknown names are told, a copy stands in for the game."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tavolino.bots.networks import has_networks
from tavolino.engine.registry import GAMES
from tavolino.lab.fingerprint import player_of
from tavolino.lab.variant_page import in_short, variant_page
from tavolino.lab.variants import changed, compared, make_side
from tests.lab.test_studies import read_page

RULES = '''"""Rules."""

from math import pi

A, B = 1, 2
C = 2 * A


def points(n: int) -> int:
    return n


def other() -> int:
    return points(C)
'''


def test_constants_functions_and_helpers_change() -> None:
    helper = "def help() -> int:\n    return 7\n"
    points = "def points(n: int) -> int:\n    return n * help() * A\n"
    source = changed(RULES, f'"""Why."""\nfrom math import e\n\nA = 5\n\n\n{helper}\n\n{points}', "it")
    scope: dict[str, Any] = {}
    exec(source, scope)
    assert (scope["A"], scope["B"], scope["C"]) == (5, 2, 10)
    assert scope["other"]() == 10 * 7 * 5


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ("HANDS = 3", "HANDS: the rules of it have no such name; constants are A, B, C"),
        ("A = = 3", "line 1"),
        ("print(1)", "print"),
    ],
)
def test_what_cannot_be_changed_is_told(changes: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("(", "\\(")):
        changed(RULES, changes, "it")


def test_a_copy_with_changes_stands_in_for_the_game(tmp_path: Path) -> None:
    """In a process of its own, where words, deals and results are those of the changed rules."""
    side = make_side("face-to-face", "five", "HAND = 5", tmp_path)
    assert not (side.folder / "weights").exists()
    program = (
        "import tavolino; game = tavolino.new('face-to-face', seed=1); print(len(game.view(0)['hand']), "
        "len(game.view(1)['hand'] or game.view(0)['hand']))"
    )
    env = {**os.environ, "TAVOLINO_RULES": str(side.folder.parent), "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert ran.stdout.split()[0] == "5"


def test_bots_are_trained_for_the_variant(tmp_path: Path) -> None:
    """By the quick recipe, in a game whose hands are so small that plain Python learns from one in a moment."""
    side = make_side("face-to-face", "two", "HAND = 2", tmp_path)
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "import tavolino\n"
        "from tavolino.bots.networks import has_networks\n"
        "from tavolino.bots.players import builtin\n"
        "from tavolino.bots.position import Position\n"
        "from tavolino.lab.variant_process import train_all\n"
        "told = []\n"
        "train_all('face-to-face', [2], 1, 3, Path(sys.argv[1]), told.append)\n"
        "game = tavolino.new('face-to-face', seed=1)\n"
        "word = builtin('value').choose(Position(game, game.to_move, '1'))\n"
        "print(has_networks('face-to-face'), word in game.legal_moves, told[-1])\n"
    )
    env = {**os.environ, "TAVOLINO_RULES": str(side.folder.parent), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", program, str(side.folder / "weights")]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["True", "True", "1.0"], ran.stderr
    assert (side.folder / "weights" / "2.npz").is_file()


def test_a_narrowed_variant_is_played_by_trained_bots(tmp_path: Path) -> None:
    """Of a game for several numbers of players, one is studied: its network is enough."""
    key = next(key for key, game in GAMES.items() if len(game.people.PLAYERS) > 1 and has_networks(key))
    side = make_side(key, "same", "", tmp_path)
    program = (
        "import json, sys\n"
        "from tavolino.lab import variant_process\n"
        "from tavolino.lab.fingerprint import player_of\n"
        "variant_process.fingerprint = lambda key, *_, **__: player_of(key)\n"
        "variant_process.main(json.loads(sys.argv[1]))\n"
    )
    table = GAMES[key].people.PLAYERS[0]
    asked = {"key": key, "tables": [table], "training": 1, "games": 1, "seed": 3}
    env = {**os.environ, "TAVOLINO_RULES": str(side.folder.parent), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", program, json.dumps(asked | {"weights": str(side.folder / "weights")})]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.splitlines()[-1]) == {"found": player_of(key)}


def side_of(start: float) -> dict[str, Any]:
    """Return a fingerprint in which only the wins of the starter matter."""
    one = {"value": 0.5, "low": 0.45, "high": 0.55}
    shape: dict[str, Any] = dict.fromkeys(("near", "changes", "comebacks", "kingmaking", "minutes", "wait"), one)
    shape["leader"] = [{"wins": one}] * 3
    place = {"value": start, "low": start - 0.02, "high": start + 0.02}
    table = {"players": 2, "start": {"places": [place], "length": one}, "luck": {"wins": {"deal": one}}, "shape": shape}
    return {"game": next(iter(GAMES)), "ladder": ["random", "value"], "tables": [table]}


def test_what_differs_is_named_and_nothing_else() -> None:
    rows = compared(side_of(0.5), side_of(0.6))
    assert [row["name"] for row in rows if row["clear"]] == ["start"]
    assert rows[0]["difference"][0] == pytest.approx(10)
    assert "wins of whoever starts" in in_short(rows)[0]
    assert "no clear difference" in in_short(compared(side_of(0.5), side_of(0.5)))[0]
    alone = compared(side_of(0.5), side_of(0.535))  # with an interval of ± 2.8
    assert alone[0]["difference"][1] > 0
    assert not any(row["clear"] for row in alone), "among ten, one in two comparisons has one like that by chance"
    told = {"game": next(iter(GAMES)), "name": "a change", "changes": "HAND < 5", "games": 1, "training": 1}
    read_page(variant_page({**told, "command": "x", "rows": rows, "sides": []}))
