"""Out of Sock in the terminal: six decks, the dice lying at them, and everyone's columns."""

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tavolino.engine.contract import Offer, View
from tavolino.engine.phrases import counted, signed, win_line

HOW = (
    "Shake the basket, then either split the dice that fall over the decks, so that everyone takes a card for a die in"
    " turn, or take the two top cards of the deck that has their number. Socks are points; a Double (×2) doubles a"
    " colour, a Conversion (±) flips its sign, a Ban makes it 0: most points win."
)
STYLE = {
    "yellow": "yellow",
    "green": "green",
    "pink": "bright_magenta",
    "red": "red",
    "orange": "dark_orange",
    "blue": "blue",
}
SHORT = {"double": "×2", "conversion": "±", "ban": "ban"}
INNER = 10  # columns within a card: "conversion"


def picture(views: Sequence[View], names: Sequence[str]) -> RenderableType:
    view = views[0]
    return Group(_basket(view, names), _decks(view), _columns(view, names))


def _basket(view: View, names: Sequence[str]) -> Text:
    holder = names[view["basket_holder"]]
    text = Text("basket: ", "dim").append(holder, "bold not dim")
    if view["aim"]:
        text.append(f", aims for {view['aim']}", "not dim")
    if view["dice_fallen"]:
        text.append(f", {counted(view['dice_fallen'], 'die', 'dice')} fell", "not dim")
    return text


def _decks(view: View) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_row(*(_deck(place, deck) for place, deck in view["decks"].items()))
    return table


def _deck(place: str, deck: View) -> Text:
    bar = "─" * INNER
    head = f" {place} ".center(INNER, "─")
    if deck["top"] is None:
        return Text(f"╭{head}╮\n│{'empty':^{INNER}}│\n│{'':{INNER}}│\n╰{bar}╯", "dim")
    suit, face = deck["top"].split(":")
    what = f"{face} socks" if face.isdigit() else face
    text = Text(f"╭{head}╮\n│").append(f"{suit:^{INNER}}", STYLE[suit]).append("│\n│")
    text.append(f"{what:^{INNER}}", f"bold {STYLE[suit]}").append(f"│\n╰{bar}╯\n")
    text.append(f" {deck['left']} left\n", "dim")
    dice = deck["dice"]
    return text.append(f" {'■' * dice} {counted(dice, 'die', 'dice')}" if dice else "", "bold")


def _columns(view: View, names: Sequence[str]) -> Table:
    """Show everyone's cards by suit, and what each suit counts."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    table.add_column("")
    for suit, style in STYLE.items():
        table.add_column(Text(suit, style), min_width=8, max_width=9)
    table.add_column("points", justify="right")
    for seat, name in enumerate(names):
        mark = "▶" if view["to_move"] == seat else " "
        cells = [_column(view["columns"][seat][suit], view["suit_scores"][seat][suit]) for suit in STYLE]
        table.add_row(f"{mark} {name}", *cells, Text(signed(view["scores"][seat]), "bold"))
    return table


def _column(cards: Sequence[str], points: int) -> str:
    faces = [card.split(":")[1] for card in cards]
    socks = [face for face in faces if face.isdigit()]
    special = [short for face, short in SHORT.items() for _ in range(faces.count(face))]
    return f"{' '.join(socks + special)}\n= {signed(points)}" if faces else "·"


def meaning(view: View, offer: Offer) -> str:
    kind, _, value = offer["word"].partition(":")
    decks = view["decks"]
    if kind == "shake":
        return f"aims for {value} dice ({offer['skip']:.0%} of such shakes are skipped)"
    if offer.get("type_in"):
        return "shake the real basket and type what fell, lowest first: roll:2,3,3,5 (roll: alone if no die fell)"
    if kind == "roll":
        number = len(value.split(",")) if value else 0
        if number == 0:
            return "no die falls"
        return f"{number} dice fall" if number > 1 else "1 die falls"
    if kind == "split":
        lying = sum(deck["dice"] for deck in decks.values() if deck["left"])
        return f"shares out the dice: {counted(lying, 'card')}, in turn"
    if kind == "single":
        deck = decks[str(view["dice_fallen"])]
        second = " and the card below" if deck["left"] > 1 else ""
        return f"takes from deck {view['dice_fallen']}: {deck['top'].replace(':', ' ')}{second}"
    if kind == "take":
        return f"takes {decks[value]['top'].replace(':', ' ')}"
    return f"names seat {value} the winner"


def ending(view: View, names: Sequence[str]) -> list[str]:
    lines = [win_line(view, names, view["ending"])]
    for seat, name in enumerate(names):
        parts = [f"{suit} {signed(points)}" for suit, points in view["suit_scores"][seat].items() if points]
        lines.append(f"{name}: {', '.join(parts) or 'no suit counts'}; together {signed(view['scores'][seat])}.")
    return lines
