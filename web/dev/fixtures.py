"""Write tables that were really played, for the boards' dev pages and component tests: python web/dev/fixtures.py [GAME…].

One file a game, web/dev/fixtures/<game>.json: {"game", "names", "steps": [{"word", "events", "views", "legal"}, …]}.
The first step is the deal. `views`, `legal` and `events` have one entry a seat, and "null" for a spectator. To keep the
files small, a seat's view holds only what differs from the spectator's, and `moves` is left out (the words so far).
"""

import json
import sys
from pathlib import Path
from typing import Any

import tavolino
from tavolino.bots.players import builtin
from tavolino.bots.position import Position

HERE = Path(__file__).parent / "fixtures"
Eyes = dict[str, Any]


def eyes(game: tavolino.Game) -> list[int | None]:
    return [*range(game.players), None]


def name(seat: int | None) -> str:
    return "null" if seat is None else str(seat)


def step(game: tavolino.Game, word: str | None, offers: Any, events: Any) -> dict[str, Any]:
    """Return how the table stands, for every pair of eyes."""
    views: Eyes = {name(seat): game.view(seat) for seat in eyes(game)}
    everyones = views["null"]
    del everyones["moves"]
    for seat in range(game.players):
        mine = views[name(seat)]
        views[name(seat)] = {key: mine[key] for key in everyones if mine[key] != everyones[key]}
    legal: Eyes = {name(seat): offers(game) if seat == game.to_move and seat is not None else [] for seat in eyes(game)}
    return {"word": word, "events": events, "views": views, "legal": legal}


def face_to_face() -> dict[str, Any]:
    """A whole game with gifts, backwards tens and a winner."""
    game = tavolino.new("face-to-face", seed=4, first=0)

    def offers(game: tavolino.Game) -> list[dict[str, Any]]:
        me = game.to_move
        assert me is not None
        found = []
        view = game.view(me)
        for word in game.legal_moves:
            if word == "end":
                found.append({"word": word, "draws": view["turn"]["will_draw"]})
                continue
            pile, card = ("up" if word[0] in "uU" else "down"), int(word[1:])
            gift = word[0].isupper()
            of = 1 - me if gift else me
            ahead = (card - view["piles"][of][pile]) * (1 if pile == "up" else -1)
            back = not gift and ahead < 0
            found.append({"word": word, "card": card, "pile": pile, "of": of, "gap": ahead, "back": back, "gift": gift})
        return found

    player = builtin("hard")
    steps = [step(game, None, offers, {name(seat): [] for seat in eyes(game)})]
    while not game.over:
        me = game.to_move
        assert me is not None
        word = player.choose(Position(game, me, f"fixture/{len(game.moves)}"))
        offer = next(offer for offer in offers(game) if offer["word"] == word)
        before = [game.view(seat) for seat in range(2)]
        game.play(word)
        events: Eyes = {}
        for seat in eyes(game):
            happened: list[dict[str, Any]] = []
            if word != "end":
                laid = {key: value for key, value in offer.items() if key != "word"}
                top = before[0]["piles"][offer["of"]][offer["pile"]]
                happened.append({"type": "card_laid", "seat": me, "top_before": top, **laid})
            if game.to_move != me and not game.over or word == "end":
                count = before[me]["draw_piles"][me] - game.view(None)["draw_piles"][me]
                drawn: dict[str, Any] = {"type": "cards_drawn", "seat": me, "count": count}
                if seat == me:
                    held = {*before[me]["hand"]}
                    drawn["cards"] = [card for card in game.view(me)["hand"] if card not in held]
                happened += [drawn, {"type": "turn_ended", "seat": me}]
                if not game.over:
                    happened.append({"type": "turn_began", "seat": game.to_move})
            if game.over:
                over = {"winners": game.winners, "ending": game.ending, "scores": game.scores}
                happened.append({"type": "game_over", **over})
            events[name(seat)] = happened
        steps.append(step(game, word, offers, events))
    return {"game": game.key, "names": ["Ada", "Salvia"], "steps": steps}


GAMES = {"face-to-face": face_to_face}

if __name__ == "__main__":
    for key in sys.argv[1:] or GAMES:
        HERE.mkdir(exist_ok=True)
        (HERE / f"{key}.json").write_text(json.dumps(GAMES[key](), separators=(",", ":")) + "\n")
