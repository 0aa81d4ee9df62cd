"""A game from an installed package runs as WebAssembly, too: the same games and decisions as natively."""

from pathlib import Path

from tests.examples.conftest import KEY, python
from tests.web.test_wasm import bundled

ROOT = Path(__file__).parents[2]
CODE = """
import pathlib, sys
from tests.web import test_wasm
test_wasm.RANDOM_GAMES = test_wasm.BOT_GAMES = 40
test_wasm.DECISIONS = 2
task, answer = test_wasm.expected(sys.argv[1])
found = test_wasm.in_node(pathlib.Path(sys.argv[2]), task)
print(len(answer["games"]), len(answer["decisions"]), test_wasm.differences(found, answer, task))
"""


def test_the_package_plays_and_decides_as_native_code_does(site: Path, tmp_path: Path) -> None:
    """Its module is built from the installed files; it has no network, so search plays at all levels."""
    games, decisions, *differences = python("-c", CODE, KEY, bundled(tmp_path), sites=(site, ROOT)).split(maxsplit=2)
    assert int(games) >= 2
    assert int(decisions) >= 10
    assert differences == ["[]\n"]
