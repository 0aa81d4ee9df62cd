from typing import TYPE_CHECKING

from liars_dice import people, rules
from tavolino.engine.contract import GameModules

GAME = GameModules(rules, people)

if TYPE_CHECKING:
    from tavolino.engine.contract import Parts

    PARTS = Parts(seen=rules)
