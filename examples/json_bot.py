"""A program of its own that speaks JSON lines and needs nothing of Tavolino.

`tavolino arena face-to-face --bots "random,cmd:python examples/json_bot.py" --games 200`
"""

import json
import sys


def gap(view, move):
    """Return how far a move of Face to Face jumps ahead: less is better, and a step back is best."""
    me = view["seat"]
    if move == "end":
        return 1.5  # lay on only what costs less than this
    side, card = move[0], int(move[1:])
    if side == "u":
        return card - view["piles"][me]["up"]
    if side == "d":
        return view["piles"][me]["down"] - card
    if side == "U":  # a gift: their gain is my loss
        return view["piles"][1 - me]["up"] - card
    return card - view["piles"][1 - me]["down"]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "move":
        continue  # "hello" before each game, "over" after it: nothing to do here
    view, moves = message["view"], message["legal_moves"]
    best = moves[0]
    if view["game"] == "face-to-face":
        best = min(moves, key=lambda move: gap(view, move))
    print(json.dumps({"id": message["id"], "move": best}), flush=True)
