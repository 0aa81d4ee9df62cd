"""What a chat shows of a link to a table: who invites, to which game, how many are seated. Nothing secret is in it."""

from html import escape

from tavolino.engine.registry import GameFolder
from tavolino.server.descriptions import TableInfo

LANGUAGES = {
    "en": {
        "waiting": "{seated} of {all} seated",
        "playing": "In progress",
        "between": "In progress",
        "over": "Finished",
        "invites": "{name} invites you to {game}",
        "someone": "A friend",
        "table": "{game} on Tavolino",
    },
    "it": {
        "waiting": "{seated} posti occupati su {all}",
        "playing": "Partita in corso",
        "between": "Partita in corso",
        "over": "Partita finita",
        "invites": "{name} ti invita a giocare a {game}",
        "someone": "Qualcuno",
        "table": "{game} su Tavolino",
    },
    "es": {
        "waiting": "{seated} de {all} asientos ocupados",
        "playing": "Partida en curso",
        "between": "Partida en curso",
        "over": "Partida terminada",
        "invites": "{name} te invita a jugar a {game}",
        "someone": "Alguien",
        "table": "{game} en Tavolino",
    },
}
"""What is said of a table, by language."""


PICTURE = "invite.png"
"""In a game's folder, if it brings one."""


def preferred(accepted: str) -> str:
    """Return the language of ours that an Accept-Language header likes best; English if it names none."""
    wishes = []
    for place, one in enumerate(accepted[:200].split(",")):
        name, _, weight = one.strip().partition(";")
        try:
            liked = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            liked = 0.0
        if liked > 0:
            wishes.append((-liked, place, name.strip().lower().split("-")[0]))
    return next((name for _, _, name in sorted(wishes) if name in LANGUAGES), "en")


def invited(page: str, table: TableInfo, game: GameFolder, origin: str, language: str = "en") -> str:
    """Return the page with the table's title, description and picture in its head, as OpenGraph has them."""
    said_in = LANGUAGES[language]
    headline = said_in["table"].format(game=game.title)
    if table.phase == "waiting":
        headline = said_in["invites"].format(name=table.host or said_in["someone"], game=game.title)
    seated = sum(seat.kind != "open" for seat in table.seats)
    said = {
        "og:type": "website",
        "og:site_name": "Tavolino",
        "og:title": headline,
        "og:description": said_in[table.phase].format(seated=seated, all=len(table.seats)),
        "og:url": f"{origin}/t/{table.id}",
    }
    if (game.folder / PICTURE).is_file():
        said |= {"og:image": f"{origin}/invite/{table.game}.png", "twitter:card": "summary_large_image"}
    tags = "".join(f'<meta property="{name}" content="{escape(value)}" />' for name, value in said.items())
    return page.replace("</head>", f"{tags}</head>", 1)
