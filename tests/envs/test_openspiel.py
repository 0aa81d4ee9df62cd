"""OpenSpiel: its own tests, chance spelled out with the right probabilities, small games solved."""

import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import pytest

import tavolino
from tavolino.engine.chance_nodes import CHANCE
from tavolino.envs.chance_nodes import World
from tavolino.games.out_of_sock.rules import ODDS

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402

import tavolino.envs.openspiel  # noqa: E402

FULL = [
    "tavolino_face_to_face",
    "tavolino_face_to_face(first=1)",
    "tavolino_orma(players=2)",
    "tavolino_orma(players=4,spare_blacks=3)",
    "tavolino_out_of_sock(players=3)",
    "tavolino_out_of_sock(basket=table)",
]
SMALL = [
    "tavolino_face_to_face(cards=6,hand=3)",
    "tavolino_orma(players=3,colours=2,each=3,dealt=1,spare_blacks=1)",
    "tavolino_orma(colours=3,each=4,dealt=3)",
    "tavolino_out_of_sock(height=2)",
]


def start(name: str) -> World:
    world = pyspiel.load_game(name).new_initial_state().world
    assert isinstance(world, World)
    return world


def play_on(world: World, rng: random.Random, moves: int = 10**6) -> World:
    """Play random moves, chance by its probabilities, to the end or so many."""
    for _ in range(moves):
        if world.over:
            break
        if world.player == CHANCE:
            outcomes, weights = zip(*world.outcomes(), strict=True)
            assert sum(weights) == pytest.approx(1)
            assert list(outcomes) == sorted(set(outcomes))
            world.apply(rng.choices(outcomes, weights)[0])
        else:
            world.apply(rng.choice(world.legal()))
    return world


@pytest.mark.parametrize("name", FULL)
def test_a_world_plays_a_game_of_ours(name: str) -> None:
    """What chance said makes a deal; the moves, replayed on it, come to the same end."""
    for seed in range(6):
        world = play_on(start(name), random.Random(seed))
        game = tavolino.replay(world.game().record())
        assert game.over
        shares = world.returns()
        assert game.winners == [seat for seat, share in enumerate(shares) if share == max(shares)]
        assert sum(shares) == pytest.approx(0)
        assert [game.view(seat)["scores"] for seat in (0, 1)] == [game.scores] * 2


@pytest.mark.parametrize("name", FULL + SMALL)
def test_random_sim(name: str) -> None:
    """OpenSpiel's own test: legality, clones, strings, tensors, serialisation."""
    pyspiel.random_sim_test(pyspiel.load_game(name), 1, serialize=name in SMALL, verbose=False)


@pytest.mark.parametrize("name", FULL + SMALL)
def test_worlds_that_look_alike(name: str) -> None:
    """A resampled state tells its seat the same, and its own history leads to it."""
    game, rng = pyspiel.load_game(name), random.Random(name)
    differ = 0
    for _ in range(10 if name in FULL else 30):
        state = game.new_initial_state()
        play_on(state.world, rng, rng.randrange(30, 90) if name in FULL else rng.randrange(9, 24))
        while state.world.player == CHANCE and not state.world.over:
            play_on(state.world, rng, 1)
        if state.world.over:
            continue
        seat = state.current_player()
        for viewer in {seat, 0}:
            other = state.resample_from_infostate(viewer, rng.random)
            assert other.information_state_string(viewer) == state.information_state_string(viewer)
            assert other.information_state_tensor(viewer) == state.information_state_tensor(viewer)
            assert other.observation_tensor(viewer) == state.observation_tensor(viewer)
            assert other.observation_string(viewer) == state.observation_string(viewer)
            assert other.history() == [action for _, action, _ in other.world.log]
            differ += other.world.log != state.world.log
            if viewer == seat:
                assert other.legal_actions() == state.legal_actions()
            again = game.new_initial_state()
            for action in other.history():
                assert action in again.legal_actions()
                again.apply_action(action)
            assert again.world.legal() == other.world.legal()
            for each in range(game.num_players()):
                assert again.observation_tensor(each) == other.observation_tensor(each)
            for name_of_field in ("hand", "score", "laid"):
                if name_of_field in (other.world.states.dtype.names or ()):
                    assert again.world.states[name_of_field].tolist() == other.world.states[name_of_field].tolist()
    assert differ or "sock" in name


def deals(world: World, chance: Fraction = Fraction(1)) -> list[tuple[World, Fraction]]:
    """Return all that can be dealt, with how likely each is."""
    if world.playing:
        return [(world, chance)]
    found = []
    for outcome, share in world.outcomes():
        twin = world.copy()
        twin.apply(outcome)
        found += deals(twin, chance * Fraction(share).limit_denominator(10**6))
    return found


def test_hands_are_dealt_evenly() -> None:
    """Every hand is as likely as it should be, and comes once."""
    hands = deals(start("tavolino_face_to_face(cards=5,hand=2,first=0)"))
    assert len(hands) == len({w.states["hand"].tobytes() for w, _ in hands}) == 10 * 10
    assert {share for _, share in hands} == {Fraction(1, 100)}
    held = deals(start("tavolino_orma(colours=2,each=2,dealt=2,spare_blacks=0,first=0)"))
    got = {tuple(map(tuple, w.states["hand"][0, :2, 1:3].tolist())): share for w, share in held}
    box, want = "ggrr", Counter[Any]()
    for mine in combinations(range(4), 2):
        hand = [box[i] for i in mine]
        first = hand.count("g"), hand.count("r")
        want[first, (2 - first[0], 2 - first[1])] += 1
    assert got == {hand: Fraction(n, 6) for hand, n in want.items()}


@pytest.mark.parametrize("aim", [2, 5, 7])
def test_dice_fall_as_the_rules_say(aim: int) -> None:
    """Place by place comes to the same as all dice at once."""
    world = play_on(start("tavolino_out_of_sock(first=0)"), random.Random(1), 6)
    world.apply(aim)
    fallen: Counter[int] = Counter()
    paths = [(world, 1.0)]
    for _ in range(3):  # the first three places, one by one
        paths = [(_said(w, k), share * p) for w, share in paths for k, p in w.outcomes()]
    for w, share in paths:
        fallen[sum(w.said)] += share  # type: ignore[assignment]
    expected = ODDS[aim][0]
    nothing = prod(p for w in _zeros(world) for k, p in w.outcomes() if k == 0)
    assert nothing == pytest.approx(expected)
    assert sum(fallen.values()) == pytest.approx(1)
    assert sum(n * share for n, share in fallen.items()) == pytest.approx(8 * aim / 8 / 2)


def _said(world: World, outcome: int) -> World:
    twin = world.copy()
    twin.apply(outcome)
    return twin


def _zeros(world: World) -> list[World]:
    worlds = [world]
    for _ in range(5):
        worlds.append(_said(worlds[-1], 0))
    return worlds


def test_search_bots_play() -> None:
    """OpenSpiel's tree searches find a legal move."""
    rng = np.random.RandomState(1)
    for name, kind in (("tavolino_orma", ismcts), ("tavolino_face_to_face", ismcts), ("tavolino_out_of_sock", mcts)):
        game = pyspiel.load_game(name)
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=weights)))
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        if kind is ismcts:
            bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 6, random_state=rng)
        else:
            bot = mcts.MCTSBot(game, 2.0, 6, evaluator, random_state=rng)
        assert bot.step(state) in state.legal_actions()


def test_small_games_are_solved() -> None:
    """CFR walks the whole tree of a small Orma and comes near to what nobody can exploit; Face to Face, too."""
    game = pyspiel.load_game("tavolino_orma(colours=2,each=1,dealt=1,spare_blacks=0,first=0)")
    solver = pyspiel.CFRSolver(game)
    solver.evaluate_and_update_policy()
    before = pyspiel.exploitability(game, solver.tabular_average_policy())
    for _ in range(19):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.tabular_average_policy()) < 0.1 * before
    duel = pyspiel.load_game("tavolino_face_to_face(cards=3,hand=2,first=0)")
    assert pyspiel.nash_conv(duel, pyspiel.UniformRandomPolicy(duel)) < 1e-9  # too small to go wrong in


def test_parameters_are_checked() -> None:
    """What cannot be dealt is refused with a reason."""
    for wrong, reason in (
        ("tavolino_face_to_face(cards=70)", "cards must be from 2 to 58"),
        ("tavolino_orma(colours=2,each=2)", "there are 4 tokens to deal"),
        ("tavolino_orma(players=7)", "is for 2 to 5 players"),
        ("tavolino_out_of_sock(height=0)", "height must be from 1 to 12"),
    ):
        with pytest.raises(ValueError, match=reason):
            pyspiel.load_game(wrong)


def test_a_clean_exit() -> None:
    """Python ends well with our games registered and one in play."""
    code = "import pyspiel, tavolino.envs.openspiel; s = pyspiel.load_game('tavolino_orma').new_initial_state()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
