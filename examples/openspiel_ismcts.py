"""OpenSpiel's information-set search plays Orma against our `greedy`; `python examples/openspiel_ismcts.py`."""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import tavolino.envs.openspiel  # noqa: F401 (registers the games)
from tavolino.bots.players import builtin
from tavolino.bots.position import Position


def main() -> None:
    """Play one game, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=50, help="of the search, a move")
    parser.add_argument("--moves", type=int, default=1000, help="stop after so many")
    given = parser.parse_args()
    rng = np.random.RandomState(1)
    game = pyspiel.load_game("tavolino_orma(players=2)")
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 0.7, given.simulations, random_state=rng)
    greedy = builtin("greedy")
    state = game.new_initial_state()
    for _ in range(given.moves):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
            continue
        seat = state.current_player()
        if seat == 0:
            action = bot.step(state)
        else:
            table = state.world.game()
            action = table.action_of(greedy.choose(Position(table, seat, "1")))
        print(f"seat {seat} {'(search)' if seat == 0 else '(greedy)'}: {state.action_to_string(seat, action)}")
        state.apply_action(action)
    print(f"returns: {state.returns()}")


if __name__ == "__main__":
    main()
