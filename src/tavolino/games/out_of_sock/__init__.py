from typing import TYPE_CHECKING

from tavolino.engine.contract import GameModules
from tavolino.games.out_of_sock import people, rules

GAME = GameModules(rules, people)

if TYPE_CHECKING:
    from tavolino.engine.contract import Parts
    from tavolino.games.out_of_sock import bots, chance, counts, observation, recipes, styles, terminal

    PARTS = Parts(bots, bots, recipes, observation, chance, terminal, counts, styles=styles)
