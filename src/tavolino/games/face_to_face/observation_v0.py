"""What a seat of Face to Face observes in environments `-v0`: kept as it was, for what was learnt with it."""

from tavolino.engine.contract import State
from tavolino.engine.fields import BY_6, BY_52, BY_58, BY_60, Field, Row, offsets, pick, total
from tavolino.engine.jit import count, rule
from tavolino.engine.rows import spread
from tavolino.games.face_to_face import observation
from tavolino.games.face_to_face.rules import CARDS, LOWEST

__all__ = ["FIELDS", "SIZE", "VERSION", "observe"]

VERSION = 0
FIELDS = (
    *pick(observation.FIELDS, "hand", "laid"),
    Field("tops", (4,), "number on top / 60: my ascending and descending pile, the other's"),
    Field("hand_sizes", (2,), "cards in hand / 6: mine, the other's"),
    Field("draw_piles", (2,), "cards in the draw pile / 52: mine, the other's"),
    Field("scores", (2,), "cards laid / 58: by me, by the other"),
    Field("to_move", (2,), "1 for who is to move: I, the other; none once the game is over"),
    *pick(observation.FIELDS, "turn"),
)
AT, SIZE = offsets(FIELDS), total(FIELDS)
HAND, LAID, TOPS, HANDS, PILES = AT["hand"], AT["laid"], AT["tops"], AT["hand_sizes"], AT["draw_piles"]
SCORES, TO_MOVE, TURN = AT["scores"], AT["to_move"], AT["turn"]


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    spread(out, HAND, s.hand[seat] >> LOWEST)
    for i in range(2):
        spread(out, LAID + CARDS * i, s.laid[seat ^ i] >> LOWEST)
    for i in range(2):
        whose = seat ^ i
        out[TOPS + 2 * i] = s.top[2 * whose] * BY_60
        out[TOPS + 2 * i + 1] = s.top[2 * whose + 1] * BY_60
        out[HANDS + i] = count(s.hand[whose]) * BY_6
        out[PILES + i] = (CARDS - s.drawn[whose]) * BY_52
        out[SCORES + i] = count(s.laid[whose]) * BY_58
        out[TO_MOVE + i] = s.player == whose
    out[TURN] = 0 if s.over else s.turn_cards * BY_6
    out[TURN + 1] = 0 if s.over else s.helped
