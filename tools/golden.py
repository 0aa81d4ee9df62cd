"""Write the golden playthroughs: one random game of each game and number of players, told in full.

They pin the rules, the words, the views and what a seed deals. `python -m tools.golden` writes tests/golden/;
tests/games/test_golden.py compares. A change there is one that records, seeds or clients of others can feel: say so in
CHANGELOG.md.
"""

import json
import random
from pathlib import Path

import tavolino

FOLDER = Path(__file__).parents[1] / "tests" / "golden"


def playthrough(key: str, players: int) -> str:
    """Play one game with fixed seeds and tell every step."""
    game = tavolino.new(key, players, seed=f"golden {key} {players}")
    rng = random.Random(f"{key} {players}")
    begun = game.record()["deal"]
    told = [f"# {key}, {players} players, seed {game.seed!r}, first {game.first}", f"deal {json.dumps(begun)}"]
    step = 0
    while not game.over:
        legal = game.legal_moves
        word = rng.choice(legal)
        told.append(f"{step} seat {game.to_move} scores {game.scores} legal {' '.join(legal)}")
        if step % 10 == 0:
            told += [f"  view {json.dumps(game.view(seat) | {'moves': []})}" for seat in (None, *range(players))]
        before = len(game.moves)
        game.play(word)
        told.append(f"  played {' '.join(game.moves[before:])}")
        step += 1
    told += [f"view {json.dumps(game.view(seat))}" for seat in (None, *range(players))]
    told.append(f"over: {game.ending}, scores {game.scores}, winners {game.winners}")
    return "\n".join(told) + "\n"


def files() -> dict[Path, str]:
    """Return what the folder should hold."""
    return {
        FOLDER / f"{game['key']}-{players}.txt": playthrough(game["key"], players)
        for game in tavolino.games()
        for players in game["players"]
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in files().items():
        path.write_text(text)
        print(path.name, len(text))
