from tavolino.engine.contract import Game
from tavolino.games.face_to_face import people, rules

GAME = Game(rules, people)
