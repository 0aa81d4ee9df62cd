"""What a seat of Face to Face observes, as numbers from 0 to 1: all that its view says but the list of moves."""

from tavolino.engine.contract import State
from tavolino.engine.fields import BY_6, BY_52, BY_58, BY_60, Field, Row, offsets, total
from tavolino.engine.jit import count, rule
from tavolino.engine.rows import spread
from tavolino.games.face_to_face.rules import CARDS, HIGHEST, LOWEST

VERSION = 1
TOP_PARTS, SEAT_PARTS, ENDINGS = HIGHEST + 1, 6, 2
FIELDS = (
    Field("hand", (CARDS,), "1 for each card in my hand, 2 to 59"),
    Field("laid", (2, CARDS), "1 for each card laid: by me, by the other"),
    Field("tops", (4, TOP_PARTS), "1 at the number on top, 1 to 60: my ascending and descending pile, the other's"),
    Field("heights", (4,), "the same numbers / 60"),
    Field(
        "seats",
        (2, SEAT_PARTS),
        "I, the other: cards in hand / 6, in the draw pile / 52, laid / 58, 1 if to move, 1 if it started,"
        " 1 if it has won",
    ),
    Field("turn", (2,), "cards laid in this turn / 6; 1 if one of them was a gift; 0 once the game is over"),
    Field("ending", (ENDINGS,), "1 at how the game ended: all cards laid, the loser stuck; 0 before"),
)
AT, SIZE = offsets(FIELDS), total(FIELDS)
HAND, LAID, TOPS, HEIGHTS = AT["hand"], AT["laid"], AT["tops"], AT["heights"]
AT_SEATS, TURN, ENDING = AT["seats"], AT["turn"], AT["ending"]


@rule
def observe(s: State, seat: int, out: Row) -> None:
    """Write what a seat observes."""
    # 64 numbers at a time, of which the last few are zeros: what comes next is written over them.
    spread(out, HAND, s.hand[seat] >> LOWEST)
    for i in range(2):
        spread(out, LAID + CARDS * i, s.laid[seat ^ i] >> LOWEST)
    for i in range(4):
        spread(out, TOPS + TOP_PARTS * i, 1 << (s.top[2 * seat ^ i] - 1))
    for i in range(2):
        whose = seat ^ i
        for way in range(2):
            out[HEIGHTS + 2 * i + way] = s.top[2 * whose + way] * BY_60
        at = AT_SEATS + SEAT_PARTS * i
        out[at] = count(s.hand[whose]) * BY_6
        out[at + 1] = (CARDS - s.drawn[whose]) * BY_52
        out[at + 2] = count(s.laid[whose]) * BY_58
        out[at + 3] = s.player == whose
        out[at + 4] = s.first == whose
        out[at + 5] = s.winners >> whose & 1
        out[ENDING + i] = s.ending == i
    out[TURN] = 0 if s.over else s.turn_cards * BY_6
    out[TURN + 1] = 0 if s.over else s.helped
