"""Tavolino: the open table for Out of Sock, The Game: Face to Face and Orma.

>>> import tavolino
>>> game = tavolino.new("orma", players=2, seed=7)
>>> while not game.over:
...     game.play(game.legal_moves[0])
>>> tavolino.replay(game.record()).winners == game.winners
True
"""

from tavolino.play.game import Game, IllegalMove, new
from tavolino.play.match import Match
from tavolino.play.options import games
from tavolino.play.records import BadRecord, replay

__version__ = "0.1.0"
__all__ = ["BadRecord", "Game", "IllegalMove", "Match", "games", "new", "replay"]
