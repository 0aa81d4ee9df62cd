"""Tables that were really played, one of them to a tie."""

import random
from typing import Any

import tavolino
from tavolino.bots.players import builtin
from tavolino.bots.position import Position

TIE = 693  # the seed of a game that random players end in a tie


def fixture() -> dict[str, Any]:
    """Whole games of two, three and four, the start of one with real dice, and a tie that asks for a name.

    All seats see the same, so a step has one view and the offers of the seat to move: {"word", "words" (with the dice
    that fell after it), "events", "view", "legal"}; `view` holds what changes, `common` the rest.
    """
    names = ["Ada", "Nespola", "Mirto", "Salvia"]

    def table(players: int, seed: int, choose: Any, moves: int = 1000, **options: Any) -> dict[str, Any]:
        game = tavolino.new("out-of-sock", players=players, seed=seed, first=0, **options)
        changing = game.position(None)
        common = {key: value for key, value in game.view(None).items() if key not in changing and key != "moves"}
        steps = [{"word": None, "words": [], "events": [], "view": changing, "legal": game.offers}]
        while not game.over and len(steps) <= moves:
            known, word = len(game.moves), choose(game)
            events = game.tell(word)
            legal = {"view": game.position(None), "legal": game.offers}
            steps.append({"word": word, "words": game.moves[known:], "events": events, **legal})
        return {"names": names[:players], "common": common, "steps": steps}

    player, luck = builtin("medium"), random.Random(TIE)

    def well(game: tavolino.Game) -> str:
        if game.offers[0].get("type_in"):
            return "roll:2,2,3,5,7"
        return player.choose(Position(game, game.to_move or 0, f"fixture/{len(game.moves)}"))

    tables = {str(players): table(players, 11, well) for players in (2, 3, 4)}
    tables["typed"] = table(2, 3, well, 6, basket="table")
    tie = table(3, TIE, lambda game: luck.choice(game.legal_moves))
    tie["steps"] = tie["steps"][-3:]
    return {"game": "out-of-sock", "tables": tables | {"tie": tie}}
