"""Observations: what the table in the docs says, all that a view says, nothing hidden, fixed by a version."""

import hashlib
import random
import sys
from importlib import import_module

import numpy as np
import pytest

from tavolino.engine.kernels import States
from tavolino.engine.observe import ENCODERS, NEWEST, observe_one
from tavolino.engine.registry import GAMES
from tavolino.envs.batch import Batch
from tavolino.envs.env import Env, blank
from tavolino.envs.setup import env_setup, fields, read_form
from tavolino.testing import bytes_of, view_told
from tests.cases import CASES, IDS, Case, play_on
from tests.envs import oracle
from tools import observations

every_case = pytest.mark.parametrize("case", CASES, ids=IDS)
every_version = pytest.mark.parametrize("version", range(len(ENCODERS)))
PINNED = {
    (0, "out-of-sock"): "9060664aba3c251b",
    (0, "face-to-face"): "7af6fe325cb610bc",
    (0, "orma"): "20f09f73ad9b6b21",
    (1, "out-of-sock"): "44664885630b831b",
    (1, "face-to-face"): "8075e006e6cc9062",
    (1, "orma"): "e17b027ab927dff1",
}
"""The digest of each observation by version. If one changes, so do the numbers learners see: that is a new version."""


def observed(case: Case, states: States, seat: int, version: int = NEWEST) -> tuple[bytes, bytes]:
    setup = env_setup(case.key, case.players, case.options)
    observation, mask = blank(setup, read_form(setup, version, "flat"))
    observe_one(states, seat, version, observation, mask)
    return observation.tobytes(), mask.tobytes()


@every_case
def test_the_first_observation_is_the_view_in_numbers(case: Case) -> None:
    """Each field of version 0 holds what its table said, built again from the view; the mask is the legal moves."""
    rng = random.Random(str(case))
    for seed in range(3):
        game = case.new(seed)
        while True:
            for seat in range(case.players):
                raw, mask = observed(case, game._states, seat, 0)
                want = oracle.observation(game.view(seat))
                np.testing.assert_allclose(np.frombuffer(raw, np.float32), want, atol=1e-6)
                legal = np.flatnonzero(np.frombuffer(mask, np.int8)).tolist()
                words = [GAMES[case.key].people.WORDS[action] for action in legal]
                mine = game.to_move == seat and not game.legal_moves[0].startswith("roll:")
                assert words == (game.legal_moves if mine else [])
            if game.over:
                break
            play_on(game, rng, rng.randrange(1, 12))


@every_case
def test_nothing_that_a_view_says_is_lost(case: Case) -> None:
    """The newest observation, read back into a state, gives the whole view but the list of moves."""
    decode = import_module(f"tests.games.{case.key.replace('-', '_')}.decoder").decode
    rng = random.Random(str(case))
    for seed in range(4):
        game = case.new(seed)
        while True:
            for seat in range(case.players):
                numbers = np.frombuffer(observed(case, game._states, seat)[0], np.float32)
                told = {name: numbers[at].reshape(field.shape) for name, (at, field) in fields(case.key).items()}
                view = {name: part for name, part in game.view(seat).items() if name != "moves"}
                read = view_told(game, decode(told, case.players, seat), seat)
                assert bytes_of(read) == bytes_of(view)
            if game.over:
                break
            play_on(game, rng, rng.randrange(1, 12))


def tied(seats: int) -> Env:
    """Return a game that waits for a winner to be named among several."""
    for seed in range(10_000):
        env = Env("out-of-sock", seats, seed=seed)
        while env.count and not (int(env.states["legal"][0][0]) >> 20):
            env.step(env.legal[int(seed * 7 + env.count) % env.count])
        if env.count and env.to_move > 0:
            return env
    raise AssertionError("no tie found")


def test_seats_in_actions_count_from_the_seat_to_move() -> None:
    """What `winner:` names is relative in version 1: mask, legal actions, samples, bots and steps agree."""
    env = tied(2)
    game, seat = env.game(), env.to_move
    named = {int(word.split(":")[1]) for word in game.legal_moves}
    shown = {20 + (one - seat) % 2 for one in named}
    observation, mask = env.observe(seat)
    assert set(np.flatnonzero(mask).tolist()) == shown == set(env.legal[: env.count].tolist())
    told = {name: observation[at].reshape(field.shape) for name, (at, field) in fields("out-of-sock").items()}
    assert [20 + i for i in np.flatnonzero(told["seats"][:, 6]).tolist()] == sorted(shown)
    batch = Batch.from_game(game, 8)
    assert set(np.flatnonzero(batch.masks[0]).tolist()) == shown
    assert set(batch.sample().tolist()) <= shown
    greedy = int(batch.bot("greedy")[0])
    assert greedy in shown
    batch.step([20] * 8)  # 20: I name myself
    assert batch.rewards[0].tolist() == [1.0 if one == seat else -1.0 for one in range(2)]
    env.step(21)
    assert env.game().moves[-1] == f"winner:{1 - seat}"
    old = Env("out-of-sock", 2, version=0)
    old.states[:] = game.bare_state()
    assert set(np.flatnonzero(old.observe(seat)[1]).tolist()) == {20 + one for one in named}


@every_case
def test_observations_leak_nothing(case: Case) -> None:
    """Worlds that look alike to a seat give it the same bytes."""
    rng = random.Random(str(case))
    for seed in range(6):
        game = play_on(case.new(seed), rng, rng.randrange(110))
        for seat in range(case.players):
            for version in range(len(ENCODERS)):
                seen = observed(case, game._states, seat, version)
                for again in range(2):
                    assert observed(case, game.redealt_state(seat, again), seat, version) == seen


@every_version
@pytest.mark.parametrize("key", GAMES)
def test_layout_is_pinned_to_the_version(key: str, version: int) -> None:
    """Whoever changes what an observation means must make a new version."""
    encoder = ENCODERS[version][key]
    layout = [(field.name, field.shape) for field in encoder.FIELDS]
    digest = hashlib.sha256(repr(layout).encode())
    for case in (case for case in CASES if case.key == key):
        rng = random.Random(str(case))
        game = case.new(1)
        while not game.over:
            play_on(game, rng, 9)
            digest.update(observed(case, game._states, rng.randrange(case.players), version)[0])
    assert (encoder.VERSION, digest.hexdigest()[:16]) == (version, PINNED[version, key])


@every_case
@every_version
def test_a_step_that_writes_what_has_changed_shows_the_whole(case: Case, version: int) -> None:
    """After every step, an observation and a mask are those that are written from nothing, through several games."""
    batch = Batch(case.key, case.players, 24, seed=3, version=version, **case.options)
    for _ in range(260):
        batch.step(batch.sample())
        for i in range(0, batch.size, 5):
            whole = observed(case, batch._board.states[i : i + 1], int(batch.to_move[i]), version)
            assert (batch.observations[i].tobytes(), batch.masks[i].tobytes()) == whole
    assert batch._board.played.min() > 1


@pytest.mark.parametrize("key", GAMES)
def test_fields_are_the_row_in_parts(key: str) -> None:
    """`observation="fields"` shows the same numbers under their names, in every environment."""
    flat, named = Batch(key, size=3, seed=1), Batch(key, size=3, seed=1, observation="fields")
    for batch in (flat, named):
        batch.step(batch.sample())
    for name, (at, field) in fields(key).items():
        assert named.observations[name].shape == (3, *field.shape)
        assert named.observations[name].reshape(3, -1).tobytes() == flat.observations[:, at].tobytes()
    env = Env(key, seed=1, observation="fields")
    one = Env(key, seed=1).observe(0)[0]
    assert np.concatenate([part.ravel() for part in env.observe(0)[0].values()]).tobytes() == one.tobytes()
    with pytest.raises(ValueError, match="observation must be 'flat' or 'fields', not 'round'"):
        Env(key, observation="round")
    for wrong in (2, -1, True, "1"):
        with pytest.raises(ValueError, match="version must be one of 0, 1, not"):
            Batch(key, version=wrong)  # type: ignore[arg-type]


def test_docs_are_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables in docs/envs.md are those of the code."""
    monkeypatch.setattr(sys, "argv", ["observations", "--check"])
    observations.main()
