"""A random game from Python; `python examples/five_lines.py`."""

import random

import tavolino

game = tavolino.new("orma", players=3)
while not game.over:
    game.play(random.choice(game.legal_moves))
print(f"{game.scores}: won by seat {' and '.join(map(str, game.winners))}, {game.ending}")
