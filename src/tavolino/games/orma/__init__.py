from tavolino.engine.contract import Game
from tavolino.games.orma import people, rules

GAME = Game(rules, people)
