"""The Game: Face to Face in the terminal: four piles, hands, draw piles."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tavolino.engine.contract import Offer, View
from tavolino.engine.phrases import counted, win_line

HOW = (
    "Lay at least two cards per turn: up on your ascending pile, down on your descending one, or exactly 10 back. Once"
    " per turn, a card may be a gift that improves one of the other player's piles; then you draw up to six."
    " Whoever has laid all 58 cards wins; whoever cannot lay two loses."
)
COLOUR = ("gold", "silver")
STYLE = ("yellow", "bright_white")
WIDTH = 9


def picture(views: Sequence[View], names: Sequence[str]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=max(map(len, names)) + 2)
    table.add_row("", Text("ascending", "dim"), Text("descending", "dim"), "")
    for seat, name in enumerate(names):
        table.add_row(*_side(views, seat, name))
    return table


def _side(views: Sequence[View], seat: int, name: str) -> list[Text]:
    view, style = views[0], STYLE[seat]
    piles = view["piles"][seat]
    mark = "▶" if view["to_move"] == seat else " "
    who = Text(f"\n{mark} {name}\n  ").append(COLOUR[seat], style)
    facts = Text("hand  ", "dim")
    hand = next((v["hand"] for v in views if v["seat"] == seat), None)
    if hand is None:
        facts.append(counted(view["hand_sizes"][seat], "card"), "not dim")
    else:
        facts.append("  ".join(map(str, hand)) or "empty", "bold not dim")
    facts.append(f"\ndraw pile {view['draw_piles'][seat]}, laid {view['scores'][seat]} of 58")
    turn = view["turn"]
    if turn and mark == "▶":
        needed = f", needs {turn['still_to_lay']} more" if turn["still_to_lay"] else ""
        draw = f", draws {turn['will_draw']}" if turn["will_draw"] else ""
        facts.append(f"\nthis turn: {turn['cards']} laid{needed}{draw}", "not dim")
    return [who, _card(f"▲ {piles['up']}", style), _card(f"▼ {piles['down']}", style), facts]


def _card(text: str, style: str) -> Text:
    inner = WIDTH - 2
    return Text(f"╭{'─' * inner}╮\n│{text:^{inner}}│\n╰{'─' * inner}╯", style)


def meaning(view: View, offer: Offer) -> str:
    if offer["word"] == "end":
        return f"ends the turn, draws {offer['draws']}"
    name = {"up": "ascending", "down": "descending"}[offer["pile"]]
    change = f"{name} {view['piles'][offer['of']][offer['pile']]} → {offer['card']}"
    if offer["gift"]:
        return f"gift: other's {change}"
    return f"own {change}{', back 10' if offer['back'] else ''}"


def ending(view: View, names: Sequence[str]) -> list[str]:
    winner = view["winners"][0]
    if view["scores"][winner] == 58:
        how = "all 58 cards are laid"
    else:
        how = f"{names[1 - winner]} cannot lay two cards"
    laid = ", ".join(f"{name}: {score}" for name, score in zip(names, view["scores"], strict=True))
    return [win_line(view, names, how), f"Cards laid, which do not decide: {laid}."]
