"""Names: nothing outside a game's folder names it, so that a fourth one needs no edit anywhere; one class, one name."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from tavolino.engine.registry import GAMES, HERE, GameFolder

SOURCE = Path(__file__).parents[1] / "src" / "tavolino"
OURS = [game for game in GAMES.values() if game.package.startswith(HERE)]
HELP = re.compile(r'epilog="Example: |metavar=')
"""An example in a command's help may name a game."""


@pytest.mark.parametrize("game", OURS, ids=[game.key for game in OURS])
def test_nothing_outside_its_folder_names_a_game(game: GameFolder) -> None:
    """Not by its key, module or title, nor within a longer name such as `old_KEY` or `KeyOfTheGame`."""
    parts = game.key.split("-")
    titles = "|".join(re.escape(title) for title in (game.title, game.title.rpartition(": ")[2]))
    camel = "".join(part.capitalize() for part in parts)
    pattern = re.compile(rf"(?i:(?<![a-z])({'[-_ ]?'.join(parts)}|{titles})(?![a-z]))|{camel}(?![a-z])")
    assert pattern.search(f"new_{game.package.rpartition('.')[2]}_table")
    assert pattern.search(f"make{camel}Page")
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in sorted(SOURCE.rglob("*"))
        if path.suffix in (".py", ".md", ".json", ".html", ".js")
        and "static" not in path.parts[len(SOURCE.parts) :]
        and not path.is_relative_to(game.folder)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(line) and not HELP.search(line)
    ]
    assert found == []


def test_one_name_is_one_class() -> None:
    """One word, one meaning; a stand-in for MicroPython has the name of what it stands in for."""
    homes: dict[str, set[str]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        if "micropython" not in path.parts:
            for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE):
                homes[name].add(str(path.relative_to(SOURCE)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}
