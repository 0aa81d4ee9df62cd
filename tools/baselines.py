"""Three baselines of one game, each against `greedy`: `python -m tools.baselines --game orma --minutes 3`.

Self-play and a league are learnt by examples/selfplay.py, the search is examples/gumbel.py with more and more worlds.
Writes docs/data/baselines.json, two plots in docs/img and the tables in docs/envs.md; `--draw` does so from the figures
that are there.
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
DATA, PLOTS, PAGE = ROOT / "docs/data/baselines.json", ROOT / "docs/img", ROOT / "docs/envs.md"
BEGIN, END = "<!-- made by tools/baselines.py -->\n", "<!-- end of baselines -->"
LEARNT = {"none": "PPO, self-play", "past": "PPO, a league of past selves"}
SEARCH = "search"
Points = list[dict[str, Any]]


def commands(game: str, given: argparse.Namespace) -> dict[str, list[str]]:
    """Return what makes each baseline, by its name; `--curve FILE` is added."""
    learn = [
        sys.executable,
        str(ROOT / "examples/selfplay.py"),
        game,
        "--minutes",
        f"{given.minutes:g}",
        "--points",
        "6",
    ]
    search = [sys.executable, str(ROOT / "examples/gumbel.py"), game, "--deals", str(given.deals)]
    found = {guests: [*learn, "--guests", guests] for guests in LEARNT}
    return found | {SEARCH: [*search, "--worlds", *map(str, given.worlds)]}


def estimate(point: dict[str, Any]) -> Estimate:
    return Estimate(point["won"], max(0.0, point["won"] - point["half"]), min(1.0, point["won"] + point["half"]))


def plots(game: str, kept: dict[str, Points]) -> dict[str, str]:
    """Draw what was learnt over time, and the search over its worlds."""
    title = f"{GAMES[game].title}: games won against greedy"
    learnt = [
        Curve(LEARNT[name], [(p["minutes"], estimate(p)) for p in kept[name]], i)
        for i, name in enumerate(sorted(LEARNT, key=lambda name: -kept[name][-1]["minutes"]))
    ]
    searched = [Curve("search", [(p["worlds"], estimate(p)) for p in kept[SEARCH]], 2)]
    return {
        "baselines-learnt.svg": curves(title, learnt, "CPU minutes, one core", plain, 0.5),
        "baselines-search.svg": curves(title, searched, "worlds per move", plain, 0.5),
    }


def table(game: str, kept: dict[str, Points]) -> str:
    """Return all points as a table."""
    lines = [f"| {GAMES[game].title} | | wins against `greedy` | games |", "|---|---:|---:|---:|"]
    for name, points in kept.items():
        for p in points:
            spent = f"{p['worlds']} worlds" if name == SEARCH else f"{p['minutes']:.1f} CPU min"
            won = f"{100 * p['won']:.1f} ± {100 * p['half']:.1f} %"
            lines.append(
                f"| {LEARNT.get(name, 'Gumbel search, `greedy` plays on')} | {spent} | {won} | {p['games']:,} |"
            )
    return "\n".join(lines) + "\n"


def write(kept: dict[str, Any]) -> None:
    """Write data, plots and table."""
    DATA.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    for name, drawn in plots(kept["game"], kept["curves"]).items():
        (PLOTS / name).write_text(standalone(drawn) + "\n", "utf-8")
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    page = before + BEGIN + table(kept["game"], kept["curves"]) + END + rest.partition(END)[2]
    PAGE.write_text(page, "utf-8")


def main() -> None:
    """Learn and search, keep and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="orma", choices=list(GAMES))
    parser.add_argument("--minutes", type=float, default=3, help="CPU minutes to learn")
    parser.add_argument("--worlds", type=int, nargs="+", default=[12, 48, 192], help="worlds per move of the search")
    parser.add_argument("--deals", type=int, default=12, help="deals of the search, each played from both seats")
    parser.add_argument("--folder", type=Path, default=Path(), help="where to keep the curves")
    parser.add_argument("--draw", action="store_true", help="only draw what is there")
    given = parser.parse_args()
    if given.draw:
        write(json.loads(DATA.read_text("utf-8")))
        return
    found = {}
    for name, command in commands(given.game, given).items():
        file = given.folder / f"{given.game}-{name}.json"
        subprocess.run([*command, "--curve", str(file)], check=True)
        found[name] = json.loads(file.read_text("utf-8"))
    write({"game": given.game, "curves": found})


if __name__ == "__main__":
    main()
