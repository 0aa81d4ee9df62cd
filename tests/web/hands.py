"""How people play each game at the page: what is particular to a game is in tests/games/GAME/page.py."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from tavolino.engine.registry import packages
from tests.web.visitor import Visitor

Choose = Callable[[Visitor], dict[str, Any]]

BOARDS = Path(__file__).parents[2] / "web" / "src" / "games"
GAMES = [key for key in packages() if (BOARDS / key).is_dir()]
"""The games with a board of their own."""
HANDS = {key: import_module(f"tests.games.{key.replace('-', '_')}.page") for key in GAMES}
CLICK = {key: hands.click for key, hands in HANDS.items()}
KEYS = {key: hands.press for key, hands in HANDS.items()}
SEE = {key: hands.see for key, hands in HANDS.items()}


def best(visitor: Visitor) -> dict[str, Any]:
    """Choose a move that gets on with the game."""
    return max(visitor.legal, key=HANDS[visitor.table["game"]].worth)


def play_on(visitor: Visitor, how: dict[str, Any], turns: int = 400, choose: Choose = best) -> None:
    """Play until the game is over, or for so many moves of one's own; look at the screen before each."""
    game = visitor.table["game"]
    for _ in range(turns):
        visitor.wait(lambda: visitor.over or visitor.legal)
        if visitor.over:
            return
        visitor.up_to_date()
        SEE[game](visitor)
        number = visitor.number
        how[game](visitor, choose(visitor))
        visitor.wait(lambda before=number: visitor.number > before)
