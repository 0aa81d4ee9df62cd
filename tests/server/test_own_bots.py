"""The bots that a server brings besides the levels."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tavolino.bots.networks import has_networks
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.engine.registry import GAMES
from tavolino.play.game import new
from tavolino.server.bot_pool import BotPool
from tavolino.server.own_bots import OwnBot, read_own_bots
from tests.server.servers import Person

People = Callable[[str], Person]
KEY = next(key for key in GAMES if has_networks(key))
OTHER = next(key for key in GAMES if key != KEY)
FILE = str(GAMES[KEY].folder / "weights" / "2.npz")


def test_a_name_and_a_file_are_a_bot_for_the_game_of_the_file() -> None:
    assert read_own_bots([f"  Mine ={FILE}"]) == (OwnBot("Mine", FILE, KEY),)


def test_what_is_no_bot_is_refused_with_the_reason(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.npz"
    np.savez(nothing, a=np.zeros(1))
    for given, why in {
        ("Mine",): "give a name and a file",
        ("Mine=mine.txt",): "give a name and a file",
        (f"={FILE}",): "a name must have at least one visible letter",
        (f"hard={FILE}",): "'hard' is a level",
        ("Mine=gone.npz",): "there is no such file",
        (f"Mine={nothing}",): "holds no policy",
        (f"Mine={FILE}", f"Mine={FILE}"): "are called 'Mine'",
    }.items():
        with pytest.raises(ValueError, match=why):
            read_own_bots(given)


def test_it_plays_by_its_file_and_one_that_is_gone_has_a_stand_in() -> None:
    game = new(KEY, 2, seed=3)
    seat = game.to_move
    assert seat is not None
    pool, without = BotPool(1, own=[OwnBot("Mine", FILE, KEY)]), BotPool(1)
    try:
        word = asyncio.run(pool.choose(game.copy(), seat, "Mine"))
        assert word == builtin("value").choose(Position(game, seat, "any"))
        assert asyncio.run(without.choose(game.copy(), seat, "Mine")) in game.legal_moves
    finally:
        pool.close()
        without.close()


def test_a_table_is_opened_only_with_bots_that_there_are(people: People) -> None:
    ada = people("Ada")
    for game, choice in ((KEY, "bot:Mine"), (KEY, "bot:"), (KEY, "robot"), (OTHER, "bot:value")):
        body = {"name": "Ada", "settings": {"game": game, "seats": ["me", choice]}}
        answer = ada.http.post("/api/tables", json=body)
        assert answer.status_code in (400, 422), answer.text
        assert answer.json()["code"] in ("bad_settings", "bad_message")
