"""Write tables that were really played, for the boards' dev pages and tests: python web/dev/fixtures.py [GAME…].

One file a game, web/dev/fixtures/<game>.json: {"game", "names", "steps": [{"word", "events", "views", "legal"}, …]}.
The first step is the deal. `views`, `legal` and `events` have one entry a seat, and "null" for a spectator. To keep the
files small, a seat's view holds only what differs from the spectator's, and `moves` is left out (the words so far).
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

import tavolino
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.play.telling import events_for

HERE = Path(__file__).parent / "fixtures"
Eyes = dict[str, Any]
SOCK_TIE = 693  # the seed of a game that random players end in a tie


def eyes(game: tavolino.Game) -> list[int | None]:
    return [*range(game.players), None]


def name(seat: int | None) -> str:
    return "null" if seat is None else str(seat)


def step(game: tavolino.Game, word: str | None, events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return how the table stands and what led here, for every pair of eyes."""
    views: Eyes = {name(seat): game.view(seat) for seat in eyes(game)}
    everyones = views["null"]
    del everyones["moves"]
    for seat in range(game.players):
        mine = views[name(seat)]
        views[name(seat)] = {key: mine[key] for key in everyones if mine[key] != everyones[key]}
    legal: Eyes = {name(seat): game.offers if seat == game.to_move and seat is not None else [] for seat in eyes(game)}
    heard: Eyes = {name(seat): events_for(events, seat) for seat in eyes(game)}
    return {"word": word, "events": heard, "views": views, "legal": legal}


def face_to_face() -> dict[str, Any]:
    """A whole game with gifts, backwards tens and a winner."""
    game = tavolino.new("face-to-face", seed=4, first=0)
    player = builtin("hard")
    steps = [step(game, None, [])]
    while not game.over:
        assert game.to_move is not None
        word = player.choose(Position(game, game.to_move, f"fixture/{len(game.moves)}"))
        steps.append(step(game, word, game.tell(word)))
    return {"game": game.key, "names": ["Ada", "Salvia"], "steps": steps}


def out_of_sock() -> dict[str, Any]:
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

    player, luck = builtin("medium"), random.Random(SOCK_TIE)

    def well(game: tavolino.Game) -> str:
        if game.offers[0].get("type_in"):
            return "roll:2,2,3,5,7"
        return player.choose(Position(game, game.to_move or 0, f"fixture/{len(game.moves)}"))

    tables = {str(players): table(players, 11, well) for players in (2, 3, 4)}
    tables["typed"] = table(2, 3, well, 6, basket="table")
    tie = table(3, SOCK_TIE, lambda game: luck.choice(game.legal_moves))
    tie["steps"] = tie["steps"][-3:]
    return {"game": "out-of-sock", "tables": tables | {"tie": tie}}


def orma() -> dict[str, Any]:
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


GAMES = {"face-to-face": face_to_face, "out-of-sock": out_of_sock, "orma": orma}

if __name__ == "__main__":
    for key in sys.argv[1:] or GAMES:
        HERE.mkdir(exist_ok=True)
        (HERE / f"{key}.json").write_text(json.dumps(GAMES[key](), separators=(",", ":")) + "\n")
