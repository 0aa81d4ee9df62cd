"""Planning on arrays: batches from positions, rows, redeals, files; and copies of every kind."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino import Batch, Game
from tavolino.engine.registry import GAMES
from tavolino.envs.env import Env
from tavolino.testing import bytes_of

TABLES = [(key, GAMES[key].people.PLAYERS[-1]) for key in GAMES]
every_table = pytest.mark.parametrize(("key", "players"), TABLES)
WAYS = {"deepcopy": copy.deepcopy, "pickle": lambda it: pickle.loads(pickle.dumps(it))}
every_copy = pytest.mark.parametrize("twice", WAYS.values(), ids=WAYS)


def middle(key: str, players: int, moves: int = 12) -> Game:
    """Return a game in which some moves were made."""
    game = tavolino.new(key, players, seed=5)
    for _ in range(moves):
        game.play(game.legal_moves[-1])
    return game


def shown(batch: Batch) -> list[bytes]:
    """Return all that a batch shows, and goes on from."""
    return [array.tobytes() for array in batch._board]


@every_table
def test_every_row_goes_on_from_the_game(key: str, players: int) -> None:
    """A batch from a game shows the game to the seat to move, and its legal moves; the game itself stays."""
    game = middle(key, players)
    batch = Batch.from_game(game, 6, seed=3, threads=2)
    assert (batch._board.states == game.bare_state()).all()
    assert set(batch.to_move.tolist()) == {game.to_move}
    seen = tavolino.observe(game, game.to_move)
    assert all(row.tobytes() == seen.observation.tobytes() for row in batch.observations)
    assert all(row.tobytes() == seen.mask.tobytes() for row in batch.masks)
    assert set(batch._board.moves.tolist()) == {sum(mover is not None for mover in game.movers)}
    before, moves = bytes_of(game.record()), game.moves
    again = Batch.from_game(game, 6, seed=3)
    for _ in range(40):
        assert shown(batch) == shown(again)
        batch.step(batch.sample())
        again.step(again.sample())
    assert (bytes_of(game.record()), game.moves) == (before, moves)
    batch.close()


@every_table
def test_worlds_of_one_position(key: str, players: int) -> None:
    """`redeal` keeps what the seat knows, changes what it does not, and is the same for the same seed."""
    game = middle(key, players)
    seat = game.to_move
    assert seat is not None
    batch = Batch.from_game(game, 40)
    seen = batch.observations.copy()
    batch.redeal(seat, seed=1)
    assert batch.observations.tobytes() == seen.tobytes()
    worlds = {state.tobytes() for state in batch._board.states}
    assert len(worlds) > 30
    threaded = Batch.from_game(game, 40, threads=2)
    threaded.redeal(seed=1)  # of the seats to move
    assert shown(threaded) == shown(batch)
    threaded.redeal(seed=2)
    assert shown(threaded) != shown(batch)
    other = (seat + 1) % players
    batch[:] = game
    batch.redeal(other, seed=3)
    for state in batch._board.states[:5]:
        twin = game.in_world(np.array([state]), other)
        assert bytes_of(twin.view(other)) == bytes_of(game.view(other))
        assert bytes_of(tavolino.replay(twin.record()).view(other)) == bytes_of(game.view(other))
    batch.redeal(np.arange(40) % players, seed=3)
    for wrong in (players, -1, "0", 1.5):
        with pytest.raises(ValueError, match="seat must be"):
            batch.redeal(wrong)
    with pytest.raises(ValueError, match="seat must be one seat, or 40 of them"):
        batch.redeal([0, 1])
    threaded.close()


def test_redeals_do_not_know_the_dice_to_come() -> None:
    """After a redeal, chance is new: the worlds of one position roll different dice."""
    game = tavolino.new("out-of-sock", 2, seed=1)
    batch = Batch.from_game(game, 60)
    batch.redeal(seed=1)
    batch.step(np.full(60, 4))
    assert len({row.tobytes() for row in batch.observations}) > 40
    env = Env("out-of-sock", seed=1)
    fallen = set()
    for seed in range(20):
        twin = env.redeal(0, seed)
        twin.step(4)
        fallen.add(twin.observe(0)[0].tobytes())
    assert len(fallen) > 10


@every_table
def test_redealt_environments_are_games(key: str, players: int) -> None:
    """`Env.redeal` looks the same to its seat and is a game that can be replayed, also some moves later, and again."""
    env = Env(key, players, seed=2)
    for _ in range(9):
        env.step(env.legal[env.count - 1])
    twin = env.redeal(1, "a")
    assert twin.observe(1)[0].tobytes() == env.observe(1)[0].tobytes()
    assert twin.redeal(1, "a").states.tobytes() == env.redeal(1, "a").states.tobytes()
    for world in (twin, twin.redeal(0, 5)):
        for _ in range(3):
            if world.count:
                world.step(world.legal[0])
        game = tavolino.replay(world.game().record())
        for seat in range(players):
            assert bytes_of(game.view(seat)) == bytes_of(world.copy().game().view(seat))
            assert tavolino.observe(game, seat).observation.tobytes() == world.observe(seat)[0].tobytes()
        assert game.moves[: len(env.game().moves)] == env.game().moves


@every_table
def test_rows_are_batches(key: str, players: int) -> None:
    """Rows can be taken out, repeated, and set, from games and from other batches."""
    batch = Batch(key, players, size=6, seed=1)
    for _ in range(15):
        batch.step(batch.sample())
    whole = shown(batch)
    picked = batch[[4, 0, 4]]
    assert (len(picked), picked.size) == (3, 3)
    assert picked.observations.tobytes() == batch.observations[[4, 0, 4]].tobytes()
    picked.step(picked.bot("random"))
    assert shown(batch) == whole
    assert batch[2].size == 1
    assert batch[1:4].to_move.tolist() == batch.to_move[1:4].tolist()
    assert batch[batch.to_move == batch.to_move[0]].size == (batch.to_move == batch.to_move[0]).sum()
    game, last = middle(key, players), [array[5].tobytes() for array in batch._board]
    batch[3] = game
    assert batch._board.states[3].tobytes() == game.bare_state()[0].tobytes()
    assert [array[5].tobytes() for array in batch._board] == last
    batch[0:2] = batch[3]
    assert batch.observations[0].tobytes() == batch.observations[1].tobytes() == batch.observations[3].tobytes()
    batch.step(batch.sample())
    for wrong in (6, [7], "a", [], np.zeros(6, bool), np.zeros((2, 2), int)):
        with pytest.raises(IndexError):
            batch[wrong]
    with pytest.raises(ValueError, match="a row is set to a Game or a Batch"):
        batch[0] = 5  # type: ignore[assignment]
    with pytest.raises(ValueError, match="2 rows of version 1 cannot be"):
        batch[:2] = batch[:3]


def test_games_that_do_not_fit_are_refused() -> None:
    """Another game, other options or a game that is over do not go into a row."""
    batch = Batch("orma", 3, size=2)
    for other in (tavolino.new("orma", 2), tavolino.new("orma", 3, spare_blacks=2), tavolino.new("face-to-face")):
        with pytest.raises(ValueError, match="does not fit into a batch of orma with 3 players"):
            batch[0] = other
    game = tavolino.new("orma", 3, seed=1)
    while not game.over:
        game.play(game.legal_moves[0])
    with pytest.raises(ValueError, match="the game is over"):
        batch[0] = game


@every_table
def test_files_keep_everything(key: str, players: int, tmp_path: Path) -> None:
    """A saved batch goes on exactly as the first does, also into the games that follow."""
    batch = Batch(key, players, size=5, seed=8, observation="fields")
    for _ in range(30):
        batch.step(batch.sample())
    batch.save(tmp_path / "games.npz")
    again = Batch.load(tmp_path / "games.npz")
    for _ in range(120):
        batch.step(batch.sample())
        again.step(again.sample())
    assert shown(again) == shown(batch)
    assert list(again.observations) == list(batch.observations)
    (tmp_path / "other.npz").write_bytes(b"nothing")
    np.savez(tmp_path / "arrays.npz", a=np.zeros(3))
    for name in ("other.npz", "arrays.npz"):
        with pytest.raises(ValueError, match=r"no file that Batch\.save has written"):
            Batch.load(tmp_path / name)


@every_table
@every_copy
def test_copies_of_every_kind(key: str, players: int, twice: Callable[[Any], Any]) -> None:
    """Games, environments and batches can be pickled and deeply copied in the middle of a game; both go on alike."""
    game = middle(key, players)
    for one in (game, game.redeal(0, 1)):
        twin = twice(one)
        assert bytes_of(twin.record()) == bytes_of(one.record())
        assert bytes_of(twin.view(0)) == bytes_of(one.view(0))
    env = Env(key, players, seed=3)
    for _ in range(9):
        env.step(env.legal[0])
    world = env.redeal(0, 1)
    for here in (env, world):
        there = twice(here)
        while here.count:
            here.step(here.legal[here.count - 1])
            there.step(there.legal[there.count - 1])
        assert bytes_of(here.game().record()) == bytes_of(there.game().record())
    batch = Batch(key, players, size=4, seed=1, threads=2)
    batch.step(batch.sample())
    other = twice(batch)
    for _ in range(60):
        batch.step(batch.sample())
        other.step(other.sample())
    assert shown(batch) == shown(other)
    batch.close()
    other.close()


def test_a_pickled_world_holds_no_secret() -> None:
    """What is kept of a redealt game is the same whatever was hidden in the game it comes from."""
    game = middle("orma", 3)
    one = game.redeal(0, 7)
    two = game.redeal(0, 1).redeal(0, 7)
    assert pickle.dumps(one) == pickle.dumps(two)


def test_threads_change_nothing() -> None:
    """Bots and samples are the same however many threads work on them."""
    alone, many = Batch("orma", 3, size=33, seed=1), Batch("orma", 3, size=33, seed=1, threads=3)
    for name in ("greedy", "random", "value"):
        for batch in (alone, many):
            batch.step(batch.bot(name))
            batch.step(batch.sample())
    assert shown(alone) == shown(many)
    many.close()
