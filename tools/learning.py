"""Learn each game with examples/selfplay.py and draw how it goes: `python -m tools.learning --minutes 10`.

Writes docs/data/learning.json, the plot docs/img/learning.svg and the table in docs/envs.md. `--draw` does so from the
figures that are there, `--games orma` learns some games anew and keeps the figures of the others.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab.plots import Curve, curves, plain, standalone

ROOT = Path(__file__).parents[1]
DATA, PLOT, PAGE = ROOT / "docs/data/learning.json", ROOT / "docs/img/learning.svg", ROOT / "docs/envs.md"
BEGIN, END = "<!-- made by tools/learning.py -->\n", "<!-- end of learning -->"
Points = list[dict[str, Any]]


def learn(game: str, minutes: float, folder: Path) -> Points:
    """Run the example; return its learning curve."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{game}.json"
    command = [sys.executable, str(ROOT / "examples/selfplay.py"), game, "--minutes", f"{minutes:g}"]
    subprocess.run([*command, "--out", str(folder / f"{game}.onnx"), "--curve", str(file)], check=True)
    found: Points = json.loads(file.read_text("utf-8"))
    return found


def plot(kept: dict[str, Points]) -> str:
    """Draw all curves, the longest first: it sets the width."""
    longest = sorted(kept, key=lambda key: -kept[key][-1]["minutes"])
    lines = []
    for i, key in enumerate(longest):
        points = [(p["minutes"], Estimate(p["won"], p["won"] - p["half"], p["won"] + p["half"])) for p in kept[key]]
        lines.append(Curve(GAMES[key].title, points, i))
    return curves("Games won against greedy while learning", lines, "CPU minutes, one core", plain, 0.5)


def table(kept: dict[str, Points]) -> str:
    """Return the beginning, the end of copying and the end of each curve as a table."""
    lines = ["| game | CPU minutes | decisions | wins against `greedy` | games |", "|---|---:|---:|---:|---:|"]
    for key, points in kept.items():
        for i in sorted({0, len(points) // 2, len(points) - 1}):
            p = points[i]
            won = f"{100 * p['won']:.1f} ± {100 * p['half']:.1f} %"
            games = f"{p['games']:,}"
            lines.append(f"| {GAMES[key].title} | {p['minutes']:.1f} | {p['decisions']:,} | {won} | {games} |")
    return "\n".join(lines) + "\n"


def write(kept: dict[str, Points]) -> None:
    """Write data, plot and table."""
    DATA.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    PLOT.write_text(standalone(plot(kept)) + "\n", "utf-8")
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + table(kept) + END + rest.partition(END)[2], "utf-8")


def main() -> None:
    """Learn, keep and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10, help="CPU minutes per game")
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--folder", type=Path, default=Path(), help="where to keep the policies and their curves")
    parser.add_argument("--draw", action="store_true", help="only draw what is there")
    given = parser.parse_args()
    kept: dict[str, Points] = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    for game in () if given.draw else given.games:
        print(GAMES[game].title, flush=True)
        kept[game] = learn(game, given.minutes, given.folder)
        write(kept)
    if given.draw:
        write(kept)


if __name__ == "__main__":
    main()
