"""What a seat of Face to Face observes in environments `-v0`: kept as it was, for what was learnt with it."""

import numpy as np

from tavolino.engine.contract import State
from tavolino.engine.fields import BY_6, BY_52, BY_58, BY_60, Field, Row, offsets, total
from tavolino.engine.jit import count, rule
from tavolino.engine.rows import put
from tavolino.games.face_to_face.rules import CARDS, LOWEST

VERSION = 0
FIELDS = (
    Field("hand", (CARDS,), "1 for each card in my hand, 2 to 59"),
    Field("laid", (2, CARDS), "1 for each card laid: by me, by the other"),
    Field("tops", (4,), "number on top / 60: my ascending and descending pile, the other's"),
    Field("hand_sizes", (2,), "cards in hand / 6: mine, the other's"),
    Field("draw_piles", (2,), "cards in the draw pile / 52: mine, the other's"),
    Field("scores", (2,), "cards laid / 58: by me, by the other"),
    Field("to_move", (2,), "1 for who is to move: I, the other; none once the game is over"),
    Field("turn", (2,), "cards laid in this turn / 6; 1 if one of them was a gift; 0 once the game is over"),
)
AT, SIZE = offsets(FIELDS), total(FIELDS)
HAND, LAID, TOPS, HANDS, PILES = AT["hand"], AT["laid"], AT["tops"], AT["hand_sizes"], AT["draw_piles"]
SCORES, TO_MOVE, TURN = AT["scores"], AT["to_move"], AT["turn"]

BITS_TABLE = np.array([[bits >> i & 1 for i in range(8)] for bits in range(256)], np.float32)
"""For eight bits: each as a number."""


@rule
def mask_bytes(s: State) -> int:
    """Return how many bytes of a word of `legal` are ever used."""
    return 8


@rule
def spread(cards: int, out: Row) -> None:
    """Write 1 for each card of a mask, 0 for the others."""
    for at in range(0, CARDS - 8, 8):
        put(out, at, BITS_TABLE, cards >> (LOWEST + at) & 255)
    put(out, CARDS - 8, BITS_TABLE, cards >> (LOWEST + CARDS - 8) & 255)  # some of them once more


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    spread(s.hand[seat], out[HAND:])
    for i in range(2):
        whose = seat ^ i
        spread(s.laid[whose], out[LAID + CARDS * i :])
        out[TOPS + 2 * i] = s.top[2 * whose] * BY_60
        out[TOPS + 2 * i + 1] = s.top[2 * whose + 1] * BY_60
        out[HANDS + i] = count(s.hand[whose]) * BY_6
        out[PILES + i] = (CARDS - s.drawn[whose]) * BY_52
        out[SCORES + i] = count(s.laid[whose]) * BY_58
        out[TO_MOVE + i] = s.player == whose
    out[TURN] = 0 if s.over else s.turn_cards * BY_6
    out[TURN + 1] = 0 if s.over else s.helped
