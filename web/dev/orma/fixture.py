"""Tables that were really played, by two, three and five."""

import random
from typing import Any

import tavolino
from tavolino.bots.players import builtin
from tavolino.bots.position import Position


def fixture() -> dict[str, Any]:
    """Whole games of two, three and five: `open` has all hands, `drawn` what was just drawn, views a spectator's."""
    names = ["Ada", "Nespola", "Mirto", "Salvia", "Iris"]
    player, luck = builtin("medium"), random.Random(7)

    def table(players: int, seed: int, well: float) -> dict[str, Any]:
        game = tavolino.new("orma", players=players, seed=seed, first=0)

        def now(word: str | None, events: Any) -> dict[str, Any]:
            hands = [list(game.view(seat)["hand"].values()) for seat in range(players)]
            drawn = None if game.to_move is None else game.view(game.to_move)["drawn"]
            view = game.position(None) | {"hand": None}
            return {"word": word, "events": events, "view": view, "open": hands, "drawn": drawn, "legal": game.offers}

        changing = game.position(None)
        common = {key: value for key, value in game.view(None).items() if key not in changing and key != "moves"}
        steps = [now(None, [])]
        while not game.over:
            lays = [word for word in game.legal_moves if "@" in word]
            if luck.random() < well or not lays:
                word = player.choose(Position(game, game.to_move or 0, f"fixture/{len(game.moves)}"))
            else:
                word = luck.choice(lays)
            steps.append(now(word, game.tell(word)))
        return {"names": names[:players], "common": common, "steps": steps}

    return {"game": "orma", "tables": {str(players): table(players, 5, 0.7) for players in (2, 3, 5)}}
