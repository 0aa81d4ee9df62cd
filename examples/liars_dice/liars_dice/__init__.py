from liars_dice import people, rules
from tavolino.engine.contract import GameModules

GAME = GameModules(rules, people, seen=rules)
