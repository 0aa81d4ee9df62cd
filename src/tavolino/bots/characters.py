"""The computer's players at a table: who they are, in the order of the seats."""

from typing import NamedTuple


class Character(NamedTuple):
    """One of them."""

    name: str
    style: str
    """The style of play it has in each game that has it (the game's `styles.py`); empty: it plays plainly."""
    tempo: float
    """How long the page shows its moves: 1.2 is a fifth longer than usual."""


STYLED = ("medium", "hard", "expert")
"""The levels that play in a style. Easy asks no network, so it does not know what is nearly as good."""
CHARACTERS = (
    Character("Nespola", "generous", 1.15),
    Character("Mirto", "bold", 0.85),
    Character("Salvia", "patient", 1.0),
    Character("Ginepro", "prickly", 1.3),
    Character("Malva", "", 0.95),
)


def style_of(name: str) -> str:
    """Return the style of play of the character with a name; empty for all other names."""
    return next((one.style for one in CHARACTERS if one.name == name), "")
