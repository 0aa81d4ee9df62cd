"""The rules and bots as WebAssembly are the native ones: every byte of games, redeals and scores, every decision.

Native code plays games and lets bots decide; the same is done by web/dev/compare/compare.ts with the page's own
`engine.ts`, in Node and in Chromium.
"""

import base64
import hashlib
import json
import subprocess
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

from tavolino.bots import wasm
from tavolino.bots.networks import active, load
from tavolino.bots.players import BUILTIN, LEVELS, at_once_in, builtin, players_of, think_by_search
from tavolino.bots.policies import policy_move
from tavolino.bots.position import Limits, Position
from tavolino.bots.thinking import look_ahead
from tavolino.engine import kernels
from tavolino.engine.registry import GAMES
from tavolino.play.game import Game, deal
from tavolino.play.setup import read_setup
from tests.cases import CASES
from tests.conftest import Once

pytestmark = pytest.mark.timeout(1200)
"""The first test may have to build the rules for the browser, on a busy machine."""
WEB = Path(__file__).parents[2] / "web"
TABLES = [(key, players) for key, game in GAMES.items() for players in game.people.PLAYERS]
RANDOM_GAMES = BOT_GAMES = 300
DECISIONS, TRIES = 6, 60
"""Decisions of each bot at each table; the worlds or simulations of one that thinks, in most of them."""
FACTOR = 0xD1342543DE82EF95
DICE, MOVER, VIEWER = 0, 8, 9  # what streams are for


def stream(game: int, move: int, purpose: int) -> int:
    """Return the start of a stream, as compare.ts does."""
    return ((game * 4096 + move) * 32 + purpose + 1) * FACTOR % 2**64


def streams(game: int, move: int, count: int) -> np.ndarray:
    return np.array([stream(game, move, purpose) for purpose in range(count)], np.uint64)


@cache
def options_of(key: str, players: int) -> list[list[int]]:
    """Return the codes of the options of each kind of game that the conformance tests play at such a table."""
    found = []
    for case in CASES:
        if (case.key, case.players) == (key, players):
            given = {name: value for name, value in case.options.items() if name != "first"}
            found.append(read_setup(key, players, given).codes.tolist())
    return found


def jobs_of(key: str, players: int) -> list[dict[str, Any]]:
    """Return the games to play: at random, with a redeal after every move, and by bots that answer at once."""
    same = {"players": players, "codes": [[str(code) for code in codes] for codes in options_of(key, players)]}
    bots = [name for name in at_once_in(key) if name != "random"] or ["random"]
    return [
        same | {"bots": ["random"], "count": RANDOM_GAMES, "peek": True},
        same | {"bots": bots, "count": BOT_GAMES, "peek": False},
    ]


def play(key: str, job: dict[str, Any], number: int) -> str:
    """Play a game natively; return a digest of everything that came out."""
    rules, players = GAMES[key].rules, job["players"]
    options = options_of(key, players)[number % len(job["codes"])]
    states = np.zeros(1, rules.STATE)
    first = -1 if number % 2 else 0
    kernels.deal_one(states, players, first, np.array(options, np.int64), streams(number, 0, len(rules.STREAMS)))
    digest = hashlib.sha256(states.tobytes())
    net, features, codes = load(key, players), active(key), at_once_in(key)
    move = 0
    while not states["over"][0]:
        move += 1
        player = int(states["player"][0])
        if player < 0 or not states["legal"][0].any():
            action = kernels.chance_one(states, streams(number, move, kernels.MAX_SEATS))
        else:
            bot, rng = job["bots"][(number + player) % len(job["bots"])], stream(number, move, MOVER)
            action = policy_move(states, codes[bot], net, features, np.array([rng], np.uint64))
        kernels.apply_one(states, action)
        digest.update(np.int64(action).tobytes() + states.tobytes())
        if job["peek"]:
            other = states.copy()
            viewer = move % (players + 1) - 1
            kernels.redeal_one(other, viewer, np.array([stream(number, move, VIEWER)], np.uint64))
            digest.update(other.tobytes())
    scores = np.empty(players, np.int64)
    kernels.scores_one(states, scores)
    digest.update(scores.tobytes())
    return digest.hexdigest()[:16]


def positions(key: str, players: int) -> list[Game]:
    """Return positions of a game that a rule of thumb plays: from its beginning to its end."""
    game = deal(read_setup(key, players), "wasm")
    found = []
    while not game.over:
        if len(game.legal_moves) > 1:
            found.append(game.copy())
        game.play(builtin("random", key).choose(Position(game, game.to_move or 0, str(len(found)))))
    return found


def bytes_of(data: Any) -> str:
    return base64.b64encode(data if isinstance(data, bytes) else data.tobytes()).decode()


def decisions_of(key: str, players: int) -> tuple[list[dict[str, Any]], list[Any]]:
    """Return positions for all bots, and what each decides natively: the advice of one that thinks, to the last bit.

    Of an expert in a style, which thinks as the others do, the move.
    """
    asked: list[dict[str, Any]] = []
    decided: list[Any] = []
    where = positions(key, players)
    for bot in players_of(key):
        styled = bot not in BUILTIN
        thinks = bot not in at_once_in(key) and not styled
        for i in range(DECISIONS):
            game = where[len(where) * i // DECISIONS]
            seat, seed = game.to_move or 0, f"{bot}/{i}"
            limits = Limits(
                simulations=None if styled or (i == 1 and bot in LEVELS) else TRIES
            )  # one as long as it likes
            position = Position(game, seat, seed, limits)
            actions = {word: action for action, word in GAMES[key].people.WORDS.items()}
            given = {"state": bytes_of(game._states), "seat": seat, "seed": seed, "bot": bot, "limits": None}
            given["past"] = [bytes_of(state) for state in position.last_turn()]
            if thinks:
                think = look_ahead if "tries" in wasm.module(key).manifest["bots"][bot] else think_by_search
                if limits.simulations or think is look_ahead:
                    given["limits"] = {} if limits.simulations is None else {"simulations": TRIES}
                    found = [asdict(one) for one in think(position)]
                    decided.append(
                        [one | {"action": actions[one.pop("word")], "line": list(one["line"])} for one in found]
                    )
                    asked.append(given)
                    continue
            asked.append(given)
            decided.append(actions[builtin(bot, key).choose(position)])
    return asked, decided


def expected(key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what is asked about a game, and what native code answers."""
    made = wasm.module(key)
    task: dict[str, Any] = {"wasm": bytes_of(made.wasm), "manifest": made.manifest, "networks": {}}
    task |= {"games": [], "decisions": []}
    answer: dict[str, Any] = {"games": [], "decisions": []}
    for players in GAMES[key].people.PLAYERS:
        if (network := wasm.network(key, players)) is not None:
            task["networks"][players] = bytes_of(network)
        jobs = jobs_of(key, players)
        task["games"] += jobs
        answer["games"] += [[play(key, job, number) for number in range(job["count"])] for job in jobs]
        asked, decided = decisions_of(key, players)
        task["decisions"] += asked
        answer["decisions"] += decided
    return task, answer


def bundled(folder: Path) -> Path:
    """Return the page's engine and what compares it, as one file."""
    subprocess.run(["node", "dev/compare/bundle.mjs", str(folder)], cwd=WEB, check=True)
    return next(folder.glob("compare.*js"))


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundled(tmp_path_factory.mktemp("compare"))


RUN = """
import { readFileSync, writeFileSync } from 'node:fs'
const { compare } = await import(process.argv[1])
process.stdout.write(JSON.stringify(await compare(JSON.parse(readFileSync(0)))))
"""


def in_node(bundle: Path, task: dict[str, Any]) -> dict[str, Any]:
    command = ["node", "--input-type=module", "-e", RUN, bundle.as_uri()]
    done = subprocess.run(command, input=json.dumps(task), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def in_chromium(browser: Browser, bundle: Path, task: dict[str, Any]) -> dict[str, Any]:
    page = browser.new_page()
    page.route("http://localhost/", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.route(
        "http://localhost/compare.js",
        lambda route: route.fulfill(body=bundle.read_text(), content_type="text/javascript"),
    )
    page.goto("http://localhost/")
    try:
        found: dict[str, Any] = page.evaluate("async (task) => (await import('/compare.js')).compare(task)", task)
        return found
    finally:
        page.close()


def differences(found: dict[str, Any], answer: dict[str, Any], task: dict[str, Any]) -> list[str]:
    """Say what differs: the first game of each kind, and every decision."""
    said = []
    for job, ours, native in zip(task["games"], found["games"], answer["games"], strict=True):
        if ours != native:
            first = next(i for i, (one, other) in enumerate(zip(ours, native, strict=True)) if one != other)
            same = sum(one == other for one, other in zip(ours, native, strict=True))
            what = f"{job['players']} players, {'/'.join(job['bots'])}"
            said.append(f"{what}: {same} of {len(native)} games are the same; game {first} is not")
    for asked, ours, native in zip(task["decisions"], found["decisions"], answer["decisions"], strict=True):
        if ours != native:
            said.append(f"{asked['bot']}, seat {asked['seat']}, seed {asked['seed']}: {ours} is not {native}")
    return said


@pytest.mark.parametrize("key", GAMES)
def test_node_plays_and_decides_as_native_code_does(key: str, bundle: Path, once: Once) -> None:
    task, answer = once(f"wasm-{key}", lambda _: expected(key))
    assert not differences(in_node(bundle, task), answer, task)


@pytest.mark.parametrize("key", GAMES)
def test_chromium_plays_and_decides_as_native_code_does(key: str, bundle: Path, browser: Browser, once: Once) -> None:
    task, answer = once(f"wasm-{key}", lambda _: expected(key))
    assert not differences(in_chromium(browser, bundle, task), answer, task)
