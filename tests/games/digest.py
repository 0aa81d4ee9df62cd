"""Play a fixed set of random games and print a digest of all states: the same however the rules are run.

Run as `python -m tests.games.digest` by test_compiled.py, with the JIT on, off, and with bounds checked.
"""

import hashlib

import numpy as np

from tavolino.engine import kernels
from tavolino.play.setup import read_setup
from tests.cases import CASES

GAMES_EACH = 4


def main() -> None:
    for case in CASES:
        given = {name: value for name, value in case.options.items() if name != "first"}
        setup = read_setup(case.key, case.players, given)
        rules, options = setup.game.rules, setup.codes
        digest = hashlib.sha256()
        states = np.zeros(GAMES_EACH, rules.STATE)
        score = np.zeros((GAMES_EACH, kernels.MAX_SEATS), np.int64)
        length = np.zeros(GAMES_EACH, np.int64)
        actions = np.zeros((GAMES_EACH, 600), np.int32)
        kernels.random_games(states, case.players, -1, options, np.uint64(17), 0, score, length, actions)
        for array in (states, score, length, actions):
            digest.update(array.tobytes())
        # Step through the first game again, dealing it anew for every seat on the way.
        begun = np.zeros(1, rules.STATE)
        kernels.deal_of_batch(begun, case.players, -1, options, np.uint64(17), 0)
        movers = np.zeros(1, np.int64)
        for move in range(int(length[0])):
            for viewer in range(-1, case.players):
                other = begun.copy()
                kernels.redeal_one(other, viewer, np.array([move * 8 + viewer + 1], np.uint64))
                digest.update(other.tobytes())
            one = actions[0, move : move + 1].astype(np.int64)
            if kernels.play_all(begun, one, rules.ROLLED, movers) != 1:
                raise SystemExit(f"{case}: move {move} of a random game is not legal")
        digest.update(begun.tobytes())
        print(case, digest.hexdigest())


if __name__ == "__main__":
    main()
