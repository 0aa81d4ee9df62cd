from tavolino.engine.contract import Game
from tavolino.games.out_of_sock import people, rules

GAME = Game(rules, people)
