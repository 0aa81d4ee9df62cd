"""Observations: what the table in the docs says, nothing hidden, and fixed by a version."""

import hashlib
import random
import sys

import numpy as np
import pytest

from tavolino.engine.kernels import States
from tavolino.engine.registry import GAMES
from tavolino.envs.compiled.observe import ENCODERS
from tavolino.envs.compiled.steps import observe_one
from tavolino.envs.env import blank
from tavolino.envs.setup import env_setup, version
from tests.cases import CASES, IDS, Case, play_on
from tests.envs import oracle
from tools import observations

every_case = pytest.mark.parametrize("case", CASES, ids=IDS)
PINNED = {
    "out-of-sock": (1, "9060664aba3c251b"),
    "face-to-face": (1, "7af6fe325cb610bc"),
    "orma": (1, "20f09f73ad9b6b21"),
}
"""Version and digest of each observation. If a digest changes, so do the numbers learners see: raise the VERSION."""


def observed(case: Case, states: States, seat: int) -> tuple[bytes, bytes]:
    observation, mask = blank(env_setup(case.key, case.players, case.options))
    observe_one(states, seat, observation, mask)
    return observation.tobytes(), mask.tobytes()


@every_case
def test_observation_is_the_view_in_numbers(case: Case) -> None:
    """Each field holds what the table says, built a second time from the view; the mask is the legal moves."""
    rng = random.Random(str(case))
    for seed in range(6):
        game = case.new(seed)
        while True:
            for seat in range(case.players):
                raw, mask = observed(case, game._states, seat)
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
def test_observations_leak_nothing(case: Case) -> None:
    """Worlds that look alike to a seat give it the same bytes."""
    rng = random.Random(str(case))
    for seed in range(8):
        game = play_on(case.new(seed), rng, rng.randrange(110))
        for seat in range(case.players):
            seen = observed(case, game._states, seat)
            for again in range(3):
                assert observed(case, game.redealt_state(seat, again), seat) == seen


@pytest.mark.parametrize("key", GAMES)
def test_layout_is_pinned_to_the_version(key: str) -> None:
    """Whoever changes what an observation means must raise its version."""
    layout = [(field.name, field.shape) for field in ENCODERS[key].FIELDS]
    digest = hashlib.sha256(repr(layout).encode())
    for case in (case for case in CASES if case.key == key):
        rng = random.Random(str(case))
        game = case.new(1)
        while not game.over:
            play_on(game, rng, 9)
            digest.update(observed(case, game._states, rng.randrange(case.players))[0])
    assert (version(key), digest.hexdigest()[:16]) == PINNED[key]


def test_docs_are_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables in docs/envs.md are those of the code."""
    monkeypatch.setattr(sys, "argv", ["observations", "--check"])
    observations.main()
