"""Orma in the terminal: the tree of black tokens and rows, and the hands."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tavolino.engine.contract import Offer, View
from tavolino.engine.phrases import counted, win_line

HOW = (
    "Lay a token to start or lengthen a row: it scores as many points as the row then has tokens; black closes a row"
    " for 0 points. If you cannot or will not lay, draw a token. The game ends when someone lays their last token:"
    " most points win."
)
STYLE = {"black": "bold", "green": "green", "red": "red", "yellow": "yellow", "blue": "blue", "violet": "magenta"}


def picture(views: Sequence[View], names: Sequence[str]) -> RenderableType:
    view = views[0]
    lines = [_black(view, 0), *_rows(view, 0, "")]
    return Group(*lines, _legend(view), _seats(views, names))


def _letters(colours: Sequence[str]) -> Text:
    return Text().join(Text(colour[0].upper(), STYLE[colour]) for colour in colours)


def _black(view: View, b: int) -> Text:
    text = Text(f"● b{b}", "bold")
    free = view["blacks"][b]["may_start"]
    return text.append(" +", "not bold").append_text(_letters(free)) if free else text


def _rows(view: View, b: int, indent: str) -> Iterator[Text]:
    """Draw the rows that start at a black token, each with what grows from its end."""
    starting = [r for r in view["blacks"][b]["rows"] if view["rows"][r]["from"] == b]
    for r in starting:
        row, last = view["rows"][r], r == starting[-1]
        colour, style = row["colour"], STYLE[row["colour"]]
        line = Text(f"{indent}{'└' if last else '├'}─ r{r} ").append(colour, style).append(" ")
        line.append(colour[0].upper() * row["length"], f"bold {style}").append(f" {row['length']} ")
        if row["to"] is None:
            yield line.append("…")
        else:
            yield line.append("→ ").append_text(_black(view, row["to"]))
            yield from _rows(view, row["to"], indent + ("   " if last else "│  "))


def _legend(view: View) -> Text:
    text = Text("stack ", "dim").append(str(view["stack"]), "not dim")
    if view["rows"]:
        text.append(" · … an open row")
    if any(black["may_start"] for black in view["blacks"]):
        text.append(" · +GR: a green or a red row may start there")
    return text


def _seats(views: Sequence[View], names: Sequence[str]) -> Table:
    """List points and hands; only those hands are open whose views are given."""
    by_seat = {view["seat"]: view for view in views}
    view = views[0]
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_row("", *(Text(heading, "dim") for heading in ("points", "tokens", "in hand")))
    for seat, name in enumerate(names):
        hand = Text()
        own = by_seat.get(seat)
        if own is not None and own["hand"] is not None:
            held = [(colour, number) for colour, number in own["hand"].items() if number]
            hand = Text(" ").join(Text(f"{colour} {number}", STYLE[colour]) for colour, number in held)
            if own["drawn"]:
                hand.append(f"\njust drawn: {own['drawn']}", "italic")
        elif view["drawing"] and view["to_move"] == seat:
            hand = Text("(has just drawn)", "italic")
        mark = "▶" if view["to_move"] == seat else " "
        who = Text(f"{mark} {name}", "bold" if mark == "▶" else "")
        table.add_row(who, str(view["scores"][seat]), str(view["hand_sizes"][seat]), hand)
    return table


def meaning(view: View, offer: Offer) -> str:
    word = offer["word"]
    if word == "draw":
        return f"draws the top token of the stack ({view['stack']} left)"
    if word == "keep":
        return "keeps the token just drawn"
    if word == "pass":
        return "passes: the stack is empty"
    place, points = offer["place"], counted(offer["points"], "point")
    if place[0] == "b":
        return f"starts a {offer['colour']} row at {place}: {points}"
    long = view["rows"][int(place[1:])]["length"]
    if offer["closes"]:
        return f"closes {place}, {counted(long, 'token')} long: {points}"
    return f"makes {place} {long + 1} long: {points}"


def ending(view: View, names: Sequence[str]) -> list[str]:
    points = ", ".join(f"{name}: {score}" for name, score in zip(names, view["scores"], strict=True))
    how = "most points" if len(view["winners"]) == 1 else "equal points"
    why = "a hand is empty" if 0 in view["hand_sizes"] else "the stack is empty and everyone passed"
    return [
        f"The game is over: {why}. {win_line(view, names, how)}",
        f"Points, each token counting the length its row had with it: {points}.",
    ]
