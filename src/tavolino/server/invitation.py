"""What a chat shows of a link to a table: who invites, to which game, how many are seated. Nothing secret is in it."""

from html import escape

from tavolino.engine.registry import GameFolder
from tavolino.server.messages import TableInfo

STATES = {
    "waiting": "{seated} of {all} seated",
    "playing": "Being played",
    "between": "Being played",
    "over": "Finished",
}


PICTURE = "invite.png"
"""In a game's folder, if it brings one."""


def invited(page: str, table: TableInfo, game: GameFolder, origin: str) -> str:
    """Return the page with the table's title, description and picture in its head, as OpenGraph has them."""
    title = game.title
    waiting = table.phase == "waiting"
    headline = f"{table.host or 'A friend'} invites you to {title}" if waiting else f"{title} on Tavolino"
    seated = sum(seat.kind != "open" for seat in table.seats)
    said = {
        "og:type": "website",
        "og:site_name": "Tavolino",
        "og:title": headline,
        "og:description": STATES[table.phase].format(seated=seated, all=len(table.seats)),
        "og:url": f"{origin}/t/{table.id}",
    }
    if (game.folder / PICTURE).is_file():
        said |= {"og:image": f"{origin}/invite/{table.game}.png", "twitter:card": "summary_large_image"}
    tags = "".join(f'<meta property="{name}" content="{escape(value)}" />' for name, value in said.items())
    return page.replace("</head>", f"{tags}</head>", 1)
