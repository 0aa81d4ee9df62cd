"""Orma as people handle it: words, deals, views, offers, events and refusals, in plain Python."""

from collections import Counter
from typing import Any

from tavolino.engine.contract import Event, History, Offer, Option, Plain, Refusal, View, one_of_each
from tavolino.engine.jit import uncompiled
from tavolino.engine.plain import bits, whole
from tavolino.games.orma.rules import (
    BLACK,
    BLACKS,
    COLOUR,
    COLOURS,
    DEALT,
    DRAW,
    EACH,
    KEEP,
    MIXED,
    NOTHING,
    PASS,
    ROW,
    ROWS,
    SEATS,
    TOKENS,
    points,
)

TITLE = "Orma"
PLAYERS = (2, 3, 4, 5)
MATCH_ADDS = "points"  # O6.1
ENDINGS = ("a hand is empty", "everyone passed")


def _read_spare_blacks(value: Any, players: int) -> Any:
    if value == "mixed" and isinstance(value, str):
        return value
    number = whole(value)
    if not 0 <= number <= EACH - 1 - players:
        raise ValueError
    return number


OPTIONS = (
    Option(
        "spare_blacks",
        "mixed",
        None,
        "'mixed' or a whole number from 0 to 11 minus the number of players",
        _read_spare_blacks,
        lambda value: MIXED if value == "mixed" else int(value),
    ),
)


WORDS = {DRAW: "draw", KEEP: "keep", PASS: "pass"}
WORDS |= {64 * c + b: f"{COLOUR[c]}@b{b}" for c in range(1, COLOURS) for b in range(BLACKS)}
WORDS |= {64 * c + ROW + r: f"{COLOUR[c]}@r{r}" for c in range(COLOURS) for r in range(ROWS)}
NOTATION = "green@b0 (start a row), green@r3 (lengthen row 3), black@r3 (close it), draw, keep, pass"


def _counted(tokens: Any, where: str) -> Counter[str]:
    if not isinstance(tokens, list) or any(not isinstance(t, str) or t not in COLOUR for t in tokens):
        raise ValueError(f"{where} must be a list of tokens: {', '.join(COLOUR)}")
    return Counter(tokens)


def read_deal(data: Any, players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Return hands and stack of a record's deal; ValueError says what is wrong with it."""
    hands, stack = one_of_each(data, "hands", "stack")["hands"], data["stack"]
    if not isinstance(hands, list) or len(hands) != players:
        raise ValueError(f"deal.hands must be a list of {players} hands")
    spare = options["spare_blacks"]
    left = _counted(stack, "deal.stack")
    if spare != "mixed" and left["black"] != spare:
        raise ValueError(f"deal.stack must hold {spare} black token{'s' * (spare != 1)} (O1.3), not {left['black']}")
    whole_box = left.copy()
    counts = [[0] * COLOURS for _ in range(SEATS)]
    for seat, tokens in enumerate(hands):
        hand = _counted(tokens, f"deal.hands[{seat}]")
        if len(tokens) != DEALT[players] + 1:
            raise ValueError(f"deal.hands[{seat}] must hold {DEALT[players] + 1} tokens (O1.2), not {len(tokens)}")
        if hand["black"] < 1 or (spare != "mixed" and hand["black"] != 1):
            raise ValueError(f"deal.hands[{seat}] must hold the black token given at the start (O1.2, O1.3)")
        whole_box += hand
        counts[seat] = [hand[colour] for colour in COLOUR]
    for colour in COLOUR:
        there = EACH if colour != "black" else EACH - 1 if spare == "mixed" else players + spare
        if whole_box[colour] != there:
            raise ValueError(f"the deal must hold {there} {colour} tokens (O1.1, O1.2), not {whole_box[colour]}")
    tokens = [COLOUR.index(token) for token in reversed(stack)]
    return {
        "hand": counts,
        "stack": tokens + [0] * (TOKENS - len(tokens)),
        "stack_left": len(tokens),
        "spare": MIXED if spare == "mixed" else spare,
    }


def write_deal(t: Plain) -> dict[str, Any]:
    """Return the deal of a state that has just begun, as it stands in a record."""
    hands = [[COLOUR[c] for c, number in enumerate(hand) for _ in range(number)] for hand in t.hand[: t.seats]]
    return {"hands": hands, "stack": [COLOUR[c] for c in reversed(t.stack[: t.stack_left])]}


def deal_behind(t: Plain, start: Plain, viewer: int | None, history: History) -> dict[str, Any]:
    """Return a deal that leads to `t`, a state dealt anew, by the moves of a game that began as `start`."""
    true = write_deal(start)
    drawn: list[str] = []  # from the stack, in order
    kept: list[list[tuple[int, int]]] = [[] for _ in range(SEATS)]  # (when, which) a seat drew and kept
    used: list[list[tuple[int, str]]] = [[] for _ in range(SEATS)]  # (when, colour) a seat laid from its hand
    for when, (mover, word) in enumerate(history):
        if word == "draw":
            drawn.append(true["stack"][len(drawn)] if mover == viewer else "")
        elif word == "keep" and mover != viewer:
            kept[mover].append((when, len(drawn) - 1))
        elif "@" in word:
            colour = word.partition("@")[0]
            if history[when - 1][1] == "draw" and when:
                drawn[-1] = colour
            else:
                used[mover].append((when, colour))
    if t.fresh != NOTHING:
        drawn[-1] = COLOUR[t.fresh]
    hands = true["hands"]
    for seat in range(t.seats):
        if seat == viewer:
            continue
        held = Counter({colour: t.hand[seat][c] for c, colour in enumerate(COLOUR)})
        if t.fresh != NOTHING and t.player == seat:
            held[COLOUR[t.fresh]] -= 1
        tokens = used[seat] + [(len(history), colour) for colour in held.elements()]
        given = next(token for token in tokens if token[1] == "black")  # the first black laid, or one still held
        tokens.remove(given)
        # From the last draw back, a token that was laid later must have come with it: a spare black if there is one
        # (with `spare_blacks` a number these come from nowhere else), else the one that was held longest.
        for when, which in reversed(kept[seat]):
            later = [token for token in tokens if token[0] > when]
            token = max(later, key=lambda token: (token[1] == "black" and t.spare != MIXED, token[0]))
            tokens.remove(token)
            drawn[which] = token[1]
        hands[seat] = ["black", *(colour for _, colour in tokens)]
    return {"hands": hands, "stack": drawn + write_deal(t)["stack"]}


def open_view(t: Plain) -> View:
    """Return what all may know of the table, beyond what `Game.view` adds for every game."""
    rows_at: list[list[int]] = [[] for _ in range(t.blacks)]
    rows = []
    for r, (colour, length, start, end) in enumerate(
        zip(t.row_colour[: t.rows], t.row_length, t.row_start, t.row_end, strict=False)
    ):
        to = None if end == NOTHING else end
        rows.append({"colour": COLOUR[colour], "length": length, "from": start, "to": to})
        rows_at[start].append(r)
        if to is not None:
            rows_at[to].append(r)
    coloured = list(zip(COLOUR, t.place, strict=True))[1:]
    return {
        "blacks": [
            {"rows": at, "may_start": [name for name, places in coloured if places >> b & 1]}
            for b, at in enumerate(rows_at)
        ],
        "rows": rows,
        "hand_sizes": list(t.hand_size[: t.seats]),
        "stack": t.stack_left,
        "drawing": t.fresh != NOTHING,
        "passes": t.passes,
    }


def own_view(t: Plain, seat: int | None) -> View:
    """Return what only a seat may know; None is a spectator."""
    if seat is None:
        return {"hand": None, "drawn": None}
    drawn = COLOUR[t.fresh] if t.player == seat and t.fresh != NOTHING else None
    return {"hand": dict(zip(COLOUR, t.hand[seat], strict=True)), "drawn": drawn}


_points = uncompiled(points)


def offers(t: Plain) -> list[Offer]:
    """List the legal moves of the seat to move, each with what it sees would follow."""
    last = t.hand_size[t.player] == 1  # O5.1
    found: list[Offer] = []
    for c, mask in enumerate(t.legal):
        for where in bits(mask):
            word = WORDS[64 * c + where]
            if where >= ROW or c != BLACK:
                offer: Offer = {"colour": COLOUR[c], "place": word.partition("@")[2]}
                longer = 1 if where < ROW else t.row_length[where - ROW] + 1
                offer |= {"points": 0 if c == BLACK else _points(longer), "closes": c == BLACK, "ends": last}  # O2.5
            elif where == DRAW:
                offer = {"stack": t.stack_left - 1}
            elif where == PASS:
                offer = {"ends": t.passes + 1 == t.seats}  # O5.2
            else:
                offer = {}
            found.append({"word": word, **offer})
    return found


def happened(b: Plain, word: str, a: Plain) -> list[Event]:
    """Tell what a move did, in order; `a` is the state that it led to from `b`."""
    me = b.player
    events: list[Event] = []

    def tell(what: str, **fields: Any) -> None:
        events.append({"type": what, "seat": me, **fields})

    colour, _, place = word.partition("@")
    if place:
        row = b.rows if place[0] == "b" else int(place[1:])
        length = a.row_length[row]
        tell("token_laid", colour=colour, place=place, row=row, length=length, drawn=b.fresh != NOTHING)
        if colour == COLOUR[BLACK]:
            tell("row_closed", row=row, black=a.row_end[row])
        if points := a.score[me] - b.score[me]:
            tell("points_scored", points=points, total=a.score[me], **{"for": "row", "row": row})
    elif word == "draw":
        tell("token_drawn", stack=a.stack_left, secret={"seat": me, "colour": COLOUR[a.fresh]})
    elif word == "keep":
        tell("token_kept")
    else:
        tell("passed", passes=a.passes)
    if not a.over and a.player != me:
        events.append({"type": "turn_began", "seat": a.player})
    return events


def settled(b: Plain, a: Plain) -> bool:
    """Tell whether a move cannot be taken back: a token was drawn in this turn, or the game is over."""
    return bool(b.fresh != NOTHING or a.fresh != NOTHING or a.over)


def slip(word: str) -> Refusal | None:
    """Say what is wrong with a word that is no move, if it looks like one."""
    if word.startswith("black@b") and word[7:].isdecimal():
        return Refusal(("O2.1",), "black_at_black")
    return None


def why_not(t: Plain, word: str) -> Refusal:
    """Say why a word of the notation is not a legal move now."""
    drawn = None if t.fresh == NOTHING else COLOUR[t.fresh]
    if word == "keep":
        return Refusal(("O3.2",), "nothing_drawn")
    if word in ("draw", "pass"):
        if drawn:
            return Refusal(("O3.2",), "lay_or_keep", {"colour": drawn})
        return Refusal(("O3.3",), "stack_empty" if word == "draw" else "stack_not_empty")
    colour, place = word.split("@")
    c, number = COLOUR.index(colour), int(place[1:])
    if drawn and drawn != colour:
        return Refusal(("O3.2",), "only_the_drawn", {"colour": drawn})
    if not t.hand[t.player][c]:
        return Refusal(("O3.1",), "not_in_hand", {"colour": colour})
    if place[0] == "r":
        if number >= t.rows:
            return Refusal(("O2.1", "O2.4"), "no_such_row", {"row": number})
        if t.row_end[number] != NOTHING:
            return Refusal(("O2.5",), "row_closed", {"row": number})
        return Refusal(("O2.4",), "other_colour", {"row": number, "colour": COLOUR[t.row_colour[number]]})
    if number >= t.blacks:
        return Refusal(("O2.1", "O2.4"), "no_such_black", {"black": number})
    if t.black_colours[number] >> c & 1:
        return Refusal(("O2.2",), "same_colour", {"black": number, "colour": colour})
    if t.black_rows[number] >= 3:
        return Refusal(("O2.3",), "three_rows", {"black": number})
    return Refusal(("O2.2", "O2.3"), "two_rows", {"black": number})
