"""Seeds: any whole number or text, wherever one is taken."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino import Batch, Match
from tavolino.arena.arena import RunSettings, arena
from tavolino.engine.recipe import Recipe
from tavolino.envs.env import Env
from tavolino.envs.gymnasium import VectorVersus, Versus
from tavolino.envs.pettingzoo import AEC
from tavolino.lab.settings import LabSettings
from tavolino.lab.simulate import simulate
from tavolino.lab.studies import study
from tavolino.lab.training import train
from tavolino.play.seeds import check_seed


def _reset(env: Any, seed: Any) -> str:
    env.reset(seed=seed)
    board = env._board if hasattr(env, "_board") else env._env
    return str(board.states.tobytes())


def _untimed(result: dict[str, Any]) -> str:
    clocks = ("seconds", "games_per_second", "moves_per_second", "ms_per_move", "slowest_ms", "late")
    bots = result.get("bots", [])
    for part in (result, *(bot for bot in bots if isinstance(bot, dict))):
        for clock in clocks:
            part.pop(clock, None)
    return json.dumps(result)


def _resumed(seed: Any, path: Path) -> str:
    path.unlink(missing_ok=True)
    settings = RunSettings(workers=1, resume=path)
    return _untimed(arena("orma", ["random", "greedy"], 2, seed=seed, settings=settings).as_json())


def _trained(seed: Any, path: Path) -> str:
    path.unlink(missing_ok=True)
    return str(train("orma", 2, Recipe(games=2, seed=seed), path).tobytes())


PLACES: dict[str, Callable[[Any, Path], str]] = {
    "new": lambda seed, _: json.dumps([tavolino.new("orma", seed=seed).record(), tavolino.new("orma", seed=seed).seed]),
    "redeal": lambda seed, _: json.dumps(tavolino.new("orma", seed=1).redeal(0, seed).record()),
    "match": lambda seed, _: json.dumps(Match("orma", seed=seed).game.record()),
    "batch": lambda seed, _: str(Batch("orma", size=2, seed=seed)._board.states.tobytes()),
    "env": lambda seed, _: json.dumps(Env("orma", seed=seed).game().record()),
    "gymnasium": lambda seed, _: _reset(Versus("orma"), seed),
    "gymnasium, vector": lambda seed, _: _reset(VectorVersus("orma", 2), seed),
    "pettingzoo": lambda seed, _: _reset(AEC("orma"), seed),
    "simulate": lambda seed, _: _untimed(simulate("orma", games=5, seed=seed).as_json()),
    "arena": _resumed,
    "study": lambda seed, _: json.dumps(study("orma", games=2, seed=seed, settings=LabSettings(1)).as_json()),
    "train": _trained,
}


@pytest.mark.parametrize("place", PLACES)
def test_numpys_whole_numbers_are_seeds(place: str, tmp_path: Path) -> None:
    """They give what Python's do, down to the JSON."""
    for seed in (np.int64(3), np.uint8(3)):
        assert PLACES[place](seed, tmp_path / "file") == PLACES[place](3, tmp_path / "file")
    assert PLACES[place](3, tmp_path / "file") != PLACES[place](4, tmp_path / "file")


def test_a_seed_is_plain() -> None:
    """Whatever kind it came as; what is neither whole nor a text is refused."""
    given: Any
    for given, plain in ((np.int64(-3), -3), (np.str_("a"), "a"), (1 << 70, 1 << 70), ("", "")):
        assert check_seed(given) == plain
        assert type(check_seed(given)) is type(plain)
    for wrong in (True, np.bool_(True), 3.0, np.float64(3), b"3", [3]):
        with pytest.raises(ValueError, match="seed must be a whole number or a string"):
            check_seed(wrong)  # type: ignore[arg-type]
