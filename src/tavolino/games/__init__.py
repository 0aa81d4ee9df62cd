"""The rules: one file a game, compiled. Imports NumPy and Numba and nothing of the layers above."""

from types import ModuleType

from tavolino.games import face_to_face, orma, out_of_sock

GAMES: dict[str, ModuleType] = {game.KEY: game for game in (out_of_sock, face_to_face, orma)}
