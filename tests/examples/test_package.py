"""A game as a package of its own: installed, it is everywhere, and nothing of ours knows its name."""

import json
import re
from pathlib import Path

import pytest

from tests.examples.conftest import KEY, PACKAGE, SOURCE, Run, python

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def records(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five random games of three."""
    file = tmp_path_factory.mktemp("records") / "games.jsonl"
    run("simulate", KEY, "--players", 3, "--games", 5, "--seed", 3, "--records", file)
    return file


def test_nothing_of_ours_mentions_it() -> None:
    """Neither the package nor the page has a line about it."""
    name = re.compile(r"liar'?s?.?dice", re.IGNORECASE)
    files = [*SOURCE.glob("tavolino/**/*"), *(ROOT / "web" / "src").glob("**/*")]
    kinds = (".py", ".md", ".ts", ".svelte", ".css")
    read = [file for file in files if file.suffix in kinds and "static" not in file.parts]
    assert len(read) > 200
    assert [file for file in read if name.search(file.read_text(encoding="utf-8"))] == []


def test_it_brings_no_page_and_little_python() -> None:
    """It is a few hundred lines of Python and texts, and no line of TypeScript."""
    kinds = {file.suffix for file in PACKAGE.glob("**/*") if file.is_file() and "__pycache__" not in file.parts}
    assert kinds == {".py", ".md", ".toml"}
    parts = {file.name for file in (PACKAGE / "liars_dice").glob("*.py")}
    assert parts == {"__init__.py", "rules.py", "people.py"}  # all else falls back to what works for any game


def test_list_and_rules(run: Run) -> None:
    """It is among the games, after those that ship, with its option; its rules are shown."""
    listed = run("list")
    keys = re.findall(r"^ ([a-z-]+) ", listed, re.MULTILINE)
    assert keys[-1] == KEY
    assert keys.count(KEY) == 1
    assert "Liar's Dice" in listed
    assert "a whole number from 1 to 5" in listed
    assert "L4.1" in run("rules", KEY)
    alone = python("-m", "tavolino", "list")
    assert KEY not in alone


def test_play_in_the_terminal(run: Run) -> None:
    """A person plays to the end: table and moves in the game's words, a hint, a refusal with its clause, undo."""
    typed = "?\nliar\n1x1\nundo\n1\n" + "liar\n1\n" * 20
    said = run("play", KEY, "--seed", 4, "--first", 0, "--against", "easy", "--option", "dice=2", typed=typed)
    assert "under your cup" in said
    assert re.search(r"\d+\.\d %  \d+x\d", said), "a hint"
    assert "liar: there is no bid to doubt yet (L2.3)" in said
    assert "Taken back." in said
    assert "only one player has dice left" in said
    told = [line for line in said.splitlines() if line.startswith("seat 1 (easy)")]
    assert told
    assert not [line for line in told if "%" in line], "what a bot thinks of its own bid tells its dice"


def test_simulate(run: Run) -> None:
    """Random games and games of bots; a bot that the game does not have is named, with those it has."""
    found = json.loads(run("simulate", KEY, "--games", 300, "--seed", 1, "--json"))
    assert sum(found["wins"]) == 300
    assert found["endings"]["only one player has dice left"]["count"] == 300
    found = json.loads(run("simulate", KEY, "--bots", "medium,random", "--games", 12, "--seed", 1, "--json"))
    assert found["wins"][0] > 9
    said = run("simulate", KEY, "--bots", "greedy", "--games", 2, code=2)
    assert "Liar's Dice has no player 'greedy'; there are random, search, easy, medium, hard, expert" in said


def test_arena(run: Run) -> None:
    """Search beats chance on mirrored deals, and a level is search that thinks longer."""
    bots = ("--bots", "search,random,easy")
    found = json.loads(run("arena", KEY, *bots, "--games", 24, "--seed", 1, "--workers", 1, "--json"))
    rates = {bot["name"]: bot["win_rate"] for bot in found["bots"]}
    assert rates["search"] > rates["random"]
    assert rates["easy"] > rates["random"]
    said = run("arena", KEY, "--bots", "value,random", "--games", 2, code=2)
    assert "Liar's Dice has no player 'value'" in said


def test_records_are_checked_and_replayed(run: Run, records: Path, tmp_path: Path) -> None:
    """`check` accepts them and finds a wrong move by its clause; `replay` shows the table after each move."""
    assert "5 records, all right" in run("check", records)
    first = json.loads(records.read_text().splitlines()[0])
    first["moves"][1] = "99x9"
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(json.dumps(first))
    assert "move 2 ('99x9')" in run("check", wrong, code=1)
    shown = run("replay", records, "--game", 2)
    assert "last round" in shown
    assert "only one player has dice left" in shown


def test_analyse(run: Run, records: Path, tmp_path: Path) -> None:
    """A game is reviewed by what there is: every move played on at random."""
    page = tmp_path / "analysis.html"
    said = run("analyse", records, "--tries", 10, "--out", page)
    assert "3 players" in said
    assert "no network has learnt this game" in page.read_text()


def test_study(run: Run, tmp_path: Path) -> None:
    """A study plays the bots that there are, and compares an option."""
    page = tmp_path / "study.html"
    found = run("study", KEY, "--games", 16, "--seed", 1, "--vary", "dice=2,1", "--out", page, "--json")
    data = json.loads(found[found.index("{") :])
    assert data["bots"] == ["easy", "easy"]
    assert [(match["bot"], match["others"]) for match in data["ladder"]] == [("easy", "random"), ("medium", "easy")]
    assert data["ladder"][0]["wins"]["value"] > 0.5
    assert "Liar's Dice" in page.read_text()


def test_a_change_of_its_rules_is_compared(run: Run, tmp_path: Path) -> None:
    """All of `study --rules`: the rules are compiled beside the original, both are measured, a page is made."""
    rules, page = tmp_path / "five_faces.py", tmp_path / "variant.html"
    rules.write_text('"""Dice with five faces."""\n\nFACES = 5\n')
    small = ("--games", 2, "--training", 1, "--seed", 7, "--players", 2)
    found = run("study", KEY, "--rules", rules, *small, "--out", page, "--json")
    data = json.loads(found[found.index("{") :])
    assert data["changes"] == rules.read_text()
    one, other = (side["tables"][0] for side in data["sides"])
    assert one["start"]["length"] != other["start"]["length"], "other rules, other games"
    assert {row["name"] for row in data["rows"]} >= {"start", "length", "deal", "leader", "minutes", "wait"}
    for row in data["rows"]:
        assert row["difference"][0] == pytest.approx(row["now"][0] - row["was"][0])
    text = page.read_text()
    assert "FACES = 5" in text
    assert "With 2 players" in text


def test_no_recipe_no_training(run: Run) -> None:
    """There is nothing to train, and that is said."""
    assert "there is no recipe for liars-dice" in run("train", KEY, code=2)


WARM = """
from tavolino.cli.compiled import needs
from tavolino.cli.warm import compile_parts
told = []
compile_parts("liars-dice", needs("liars-dice", "warm --all"), lambda key, name: told.append(name))
print(len(told), sum(map(bool, told)))
"""


def test_warm(site: Path) -> None:
    """`tavolino warm` compiles all that it has; then nothing has to be compiled any more."""
    parts = int(python("-c", WARM, sites=(site,)).split()[0])
    assert parts > 10
    assert python("-c", WARM, sites=(site,), TAVOLINO_COMPILE="never").split()[1] == "0"


ENVIRONMENTS = """
import warnings
import numpy as np
import gymnasium
import tavolino
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
from tavolino.envs import pettingzoo

batch = tavolino.Batch("liars-dice", players=3, size=8, seed=1)
for _ in range(200):
    batch.step(batch.bot("random"))
print("batch", batch.observations.shape)
warnings.simplefilter("ignore")  # Gymnasium warns of any space that is not from 0 to 1
check_env(gymnasium.make("Tavolino/LiarsDice-v1", opponents="easy").unwrapped, skip_render_check=True)
env = gymnasium.make("tavolino:Tavolino/LiarsDice-v1", players=4, opponents=["random", "easy", "search"], dice=1)
seen, info = env.reset(seed=1)
over = False
while not over:
    assert env.observation_space.contains(seen)
    seen, reward, over, _, info = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
print("gymnasium", -1 <= reward <= 1 and reward != 0)
many = gymnasium.make_vec("Tavolino/LiarsDice-v1", num_envs=3, opponents="random")
seen, _ = many.reset(seed=1)
for _ in range(100):
    actions = [int(np.flatnonzero(mask)[-1]) for mask in seen["action_mask"]]
    seen, rewards, *_ = many.step(np.array(actions))
print("vector", seen["observation"].shape[0])
api_test(pettingzoo.env("liars-dice", 3), num_cycles=100)
try:
    gymnasium.make_vec("Tavolino/LiarsDice-v1", num_envs=2, opponents="greedy")
except ValueError as error:
    print(error)
"""


def test_environments(site: Path) -> None:
    """Batch, Gymnasium (one game and many) and PettingZoo, by their own checkers."""
    said = python("-c", ENVIRONMENTS, sites=(site,))
    assert "batch (8, 64)" in said
    assert "gymnasium True" in said
    assert "vector 3" in said
    assert "Passed Parallel API test" in said or "Passed API test" in said
    assert "must answer at once (random)" in said
    assert "not ['greedy']" in said


PLACES = """
from tavolino.engine.cache import places
for place in places():
    print(place.name, place.folder.name, sep="\\t")
"""


def test_installing_it_leaves_compiled_code_alone(site: Path) -> None:
    """The compiled code of the games that ship lies where it lay, and is used; the new game has a place of its own."""
    before = dict(line.split("\t") for line in python("-c", PLACES).splitlines())
    after = dict(line.split("\t") for line in python("-c", PLACES, sites=(site,)).splitlines())
    assert before.items() < after.items()
    new = {name for name in after if name not in before}
    assert {name.rpartition(" ")[2] for name in new} == {"liars_dice"}
    assert not {after[name] for name in new} & set(before.values())
    deal = "import tavolino; print(tavolino.new('orma', seed=1).play('draw'))"
    python("-c", deal)
    python("-c", deal, sites=(site,), TAVOLINO_COMPILE="never")
