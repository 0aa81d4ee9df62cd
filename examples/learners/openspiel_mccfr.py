"""OpenSpiel: outcome-sampling MCCFR on a small Orma. `pip install tavolino open_spiel`."""

import pyspiel
from open_spiel.python.algorithms import outcome_sampling_mccfr
from open_spiel.python.algorithms.exploitability import exploitability

import tavolino.envs.openspiel  # noqa: F401 (registers the games)

game = pyspiel.load_game("tavolino_orma(colours=2,each=1,dealt=1,spare_blacks=0,first=0)")
solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
for step in range(1, 2001):
    solver.iteration()
    if step in (1, 2000):
        print(f"after {step} iterations: exploitability {exploitability(game, solver.average_policy()):.3f}")
