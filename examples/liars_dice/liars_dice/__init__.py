from liars_dice import people, rules
from tavolino.engine.contract import Game

GAME = Game(rules, people)
