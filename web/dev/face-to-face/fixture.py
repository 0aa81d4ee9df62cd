"""A table that was really played; `views`, `legal` and `events` have one entry a seat, and "null" for a spectator.

To keep the file small, a seat's view holds only what differs from the spectator's, and `moves` is left out.
"""

from typing import Any

import tavolino
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.play.telling import events_for

Eyes = dict[str, Any]


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


def fixture() -> dict[str, Any]:
    """A whole game with gifts, backwards tens and a winner."""
    game = tavolino.new("face-to-face", seed=4, first=0)
    player = builtin("hard")
    steps = [step(game, None, [])]
    while not game.over:
        assert game.to_move is not None
        word = player.choose(Position(game, game.to_move, f"fixture/{len(game.moves)}"))
        steps.append(step(game, word, game.tell(word)))
    return {"game": game.key, "names": ["Ada", "Salvia"], "steps": steps}
