"""What a browser needs to think for a seat itself: what the seat may know, and nothing else."""

from typing import Any

from tavolino.bots.position import Position

ADVISER = "expert"
"""The level that gives hints."""


def thought_of(position: Position, level: str) -> dict[str, Any]:
    """Return a position as a browser's compiled code takes it; what the seat cannot know is dealt anew."""
    return {
        "level": level,
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
