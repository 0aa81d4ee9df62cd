"""Draw docs/img/: the terminal's own pictures of the three tables, as SVG. `python -m tools.pictures` writes them."""

import random
import re
from pathlib import Path

from rich.console import Console

import tavolino
from tavolino.play.terminal import seat_names, table_of

FOLDER = Path(__file__).parents[1] / "docs" / "img"
MOMENTS = {"orma": (3, 26), "face-to-face": (2, 24), "out-of-sock": (3, 43)}
"""Players, and how many random moves are played before the picture."""


def draw(key: str, players: int, moves: int) -> str:
    """Play some moves of a fixed game and draw what seat 0 sees."""
    game = tavolino.new(key, players, seed=4)
    rng = random.Random(key)
    for _ in range(moves):
        game.play(rng.choice(game.legal_moves))
    console = Console(record=True, width=92, file=Path("/dev/null").open("w"), force_terminal=True)  # noqa: SIM115
    console.print(table_of(key).picture([game.view(0)], seat_names(players, you=0)))
    picture = console.export_svg(title=f"tavolino play {key}", unique_id=key)
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # nothing is fetched from elsewhere


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for key, (players, moves) in MOMENTS.items():
        (FOLDER / f"terminal-{key}.svg").write_text(draw(key, players, moves))
