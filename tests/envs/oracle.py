"""What a seat observes in version 0, built slowly and in the open from its view alone: nothing hidden can be in it."""

from typing import Any

import numpy as np

from tavolino.envs.setup import fields
from tavolino.games.orma.rules import COLOUR
from tavolino.games.out_of_sock.rules import PHASES, SUIT

View = dict[str, Any]
BASKETS = ("aimed", "plain", "table")


def observation(view: View) -> Any:
    """Return the observation of the seat whose view it is."""
    parts = {"face-to-face": _face_to_face, "orma": _orma, "out-of-sock": _out_of_sock}[view["game"]](view)
    told = fields(view["game"], 0)
    assert list(parts) == list(told)
    for name, (_, field) in told.items():
        assert np.shape(parts[name]) == field.shape, name
    return np.concatenate([np.ravel(part).astype(np.float32) for part in parts.values()])


def _seats(view: View) -> list[int]:
    return [(view["seat"] + i) % view["seats"] for i in range(view["seats"])]


def _cards(cards: list[int]) -> list[int]:
    return [int(card in cards) for card in range(2, 60)]


def _face_to_face(view: View) -> dict[str, Any]:
    seats, turn = _seats(view), view["turn"]
    return {
        "hand": _cards(view["hand"]),
        "laid": [_cards(view["laid"][s]) for s in seats],
        "tops": [view["piles"][s][way] / 60 for s in seats for way in ("up", "down")],
        "hand_sizes": [view["hand_sizes"][s] / 6 for s in seats],
        "draw_piles": [view["draw_piles"][s] / 52 for s in seats],
        "scores": [view["scores"][s] / 58 for s in seats],
        "to_move": [view["to_move"] == s for s in seats],
        "turn": [turn["cards"] / 6, turn["helped"]] if turn else [0, 0],
    }


def _orma_hands(view: View, movers: list[int | None]) -> tuple[list[int], list[int]]:
    """Return how many blacks each seat laid from its hand, and how many tokens in it may be from the stack."""
    seats = view["seats"]
    blacks, kept, size = [0] * seats, [0] * seats, [0] * seats
    for seat in range(seats):
        size[seat] = {2: 19, 3: 15, 4: 11, 5: 10}[seats]
    before = ""
    for mover, word in zip(movers, view["moves"], strict=True):
        assert mover is not None
        if word == "draw":
            size[mover] += 1
        elif word == "keep":
            kept[mover] += 1
        elif "@" in word:
            size[mover] -= 1
            if word.startswith("black@") and before != "draw":
                blacks[mover] += 1
                if blacks[mover] > 1 and kept[mover]:
                    kept[mover] -= 1
            kept[mover] = min(kept[mover], size[mover] - (blacks[mover] == 0))
        before = word
    return blacks, kept


def _orma(view: View) -> dict[str, Any]:
    movers: list[int | None] = []
    turn = view["first"]
    for word in view["moves"]:  # a turn is one move, or a draw and what is done with the token
        movers.append(turn)
        if word != "draw":
            turn = (turn + 1) % view["seats"]
    blacks_laid, kept = _orma_hands(view, movers)
    spare = view["options"]["spare_blacks"]
    seats = np.zeros((5, 6))
    for i, s in enumerate(_seats(view)):
        hand = view["hand_sizes"][s]
        seats[i] = [1, view["scores"][s] / 100, hand / 20, blacks_laid[s] / 12, kept[s] / 20, view["to_move"] == s]
    blacks, rows = np.zeros((12, 7)), np.zeros((25, 10))
    for b, black in enumerate(view["blacks"]):
        blacks[b] = [1, len(black["rows"]) / 3, *(colour in black["may_start"] for colour in COLOUR[1:])]
    for r, row in enumerate(view["rows"]):
        colours = [row["colour"] == colour for colour in COLOUR[1:]]
        to = 0 if row["to"] is None else row["to"] + 1
        rows[r] = [1, row["to"] is None, row["length"] / 12, *colours, (row["from"] + 1) / 12, to / 12]
    return {
        "hand": [view["hand"][colour] / 12 for colour in COLOUR],
        "drawn": [view["drawn"] == colour for colour in COLOUR],
        "drawing": [view["drawing"]],
        "stack": [view["stack"] / 72],
        "passes": [view["passes"] / 5],
        "spare_blacks": [1, 0] if spare == "mixed" else [0, spare / 9],
        "seats": seats,
        "blacks": blacks,
        "rows": rows,
    }


def _faces(cards: list[str]) -> tuple[list[int], list[str]]:
    faces = [card.split(":")[1] for card in cards]
    return [int(face) for face in faces if face.isdecimal()], faces


def _out_of_sock(view: View) -> dict[str, Any]:
    order = _seats(view)
    decks, seats, columns = np.zeros((6, 12)), np.zeros((4, 4)), np.zeros((4, 6, 5))
    for d, deck in enumerate(view["decks"].values()):
        decks[d, :2] = deck["left"] / 12, deck["dice"] / 8
        if deck["top"]:
            suit, face = deck["top"].split(":")
            decks[d, 2 + SUIT.index(suit)] = 1
            socks = int(face) if face.isdecimal() else 0
            decks[d, 8:] = socks / 8, face == "double", face == "conversion", face == "ban"
    for i, s in enumerate(order):
        seats[i] = [1, view["scores"][s] / 100, view["sock_cards"][s] / 12, view["to_move"] == s]
        for j, suit in enumerate(SUIT):
            socks_there, faces = _faces(view["columns"][s][suit])
            doubles, conversions, bans = (faces.count(kind) for kind in ("double", "conversion", "ban"))
            points = view["suit_scores"][s][suit]
            columns[i, j] = [sum(socks_there) / 8, doubles / 2, conversions / 3, bans, points / 32]
    basket = view["options"]["basket"]
    aim = (view["aim"] or 0) if basket == "aimed" else 4 if view["moves"] or not view["over"] else 0
    return {
        "phase": [view["phase"] == phase for phase in PHASES],
        "holder": [i < len(order) and order[i] == view["basket_holder"] for i in range(4)],
        "basket": [basket == name for name in BASKETS],
        "aim": [aim / 8],
        "fallen": [view["dice_fallen"] / 8],
        "decks": decks,
        "seats": seats,
        "columns": columns,
    }
