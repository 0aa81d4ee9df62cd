"""What a browser needs to think for a seat itself: what the seat may know, and nothing else."""

from typing import Any

from tavolino.bots.position import Position

ADVISER = "expert"
"""The level that gives hints."""


def thought_of(position: Position, level: str, style: str = "") -> dict[str, Any]:
    """Return a position as a browser's compiled code takes it; what the seat cannot know is dealt anew.

    The level plays in a style where the game has it.
    """
    return {
        "level": level,
        "style": style,
        "game": position.key,
        "players": position.players,
        "seat": position.seat,
        "seed": position.seed,
        "moves": position.moves,
        "place": position.place,
        "options": position.options,
        "state": position.state().tobytes().hex(),
        "past": position.last_turn().tobytes().hex(),
    }
