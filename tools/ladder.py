"""Play the ladder: bots and levels of each game against each other; write what was measured into the docs.

`python -m tools.ladder` plays what docs/data/ladder.json does not have yet, one match after the other, and rewrites the
marked part of docs/bots.md, its plots and the page beside the networks. Deals are kept one by one in --work DIR: a
kill loses one, and the same command goes on there. After a change of the bots, delete the matches it concerns from
both, or both. `--deals N` plays at most N deals a match (for a quick look; later more), `--workers N` on so many cores,
`--only TEXT` plays the matches whose name begins with it, `--write` nothing.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import msgspec

from tavolino.arena.arena import RunSettings, arena
from tavolino.arena.seating import Schedule
from tavolino.bots.networks import has_networks
from tavolino.bots.players import AT_ONCE, LEVELS
from tavolino.bots.recipes import recipe_of
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab.plots import Whisker, standalone, whiskers
from tavolino.play.atomic_file import atomic_file
from tavolino.play.setup import read_setup

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "data" / "ladder.json"
PAGE = ROOT / "docs" / "bots.md"
NETWORKS = ROOT / "docs" / "networks.md"
PICTURES = ROOT / "docs" / "img"
WORK = ROOT / "build" / "ladder"
BEGIN, END = "<!-- ladder: what follows is written by `python -m tools.ladder` -->\n", "<!-- /ladder -->\n"
SEED = 7
MEAN_RATING = 1500.0
"""The mean of each table, which the arena sets."""
ABOUT_RATINGS = """
### Ratings
Elo scale; the mean of each table is 1500. Left out are `search`, which no level plays, and `random`, which wins so
seldom that a number for it would be a guess; `expert`, whose games take hours, is where it has been played. At larger
tables it depends on who else sits there: one number would mislead.
"""
ABOUT_NETWORKS = """# The networks

Written by `python -m tools.ladder`. `tavolino train GAME --players N` trains each by its recipe
(the game's `recipes.py`, also in the file under `made`). Strength: the network alone, one move deep (`value`),
against `greedy`, at larger tables one of it among `greedy` ones; mirrored deals. `python -m bench.strength value`
compares each with the network that shipped before. A game's `weights/calibration.json` says what the networks' and the
look-ahead's chances are worth; `python -m tools.calibrate` makes it again.

"""

BOTS = ("easy", "medium", "hard", "value", "expert")
TABLES = tuple((key, 2) for key, game in GAMES.items() if 2 in game.people.PLAYERS)
"""Who is rated, at which tables: of two. Who wins at a larger one depends on who else sits there, not on one number."""
PAIR_DEALS = 200
"""Deals on which each two of them meet there at least."""
FEW_DEALS = 30
"""Deals on which `expert`, which thinks, meets the level below it at a larger table: each of them is many games."""
STEP = 0.60
"""What each level wins at least against the one below it; 0.75 is the most that is wanted."""


@dataclass(frozen=True)
class Match:
    """Bots that meet on so many deals, and how much the first should win at least."""

    key: str
    players: int
    bots: tuple[str, ...]
    deals: int
    mark: float | None = None

    @property
    def name(self) -> str:
        """What it is called in the file."""
        return f"{self.key} {self.players} {','.join(self.bots)}"


def _marks() -> Iterator[Match]:
    for key, deals in (("face-to-face", 1000), ("orma", 1000), ("out-of-sock", 2000)):
        for below, level in pairwise(LEVELS):
            yield Match(key, 2, (level, below), PAIR_DEALS if level == "expert" else deals, STEP)
    for key, game in GAMES.items():
        for players in (n for n in game.people.PLAYERS if n > 2 and has_networks(key)):
            for below, level in pairwise(LEVELS):  # alone among those below it: more than a fair share
                yield Match(key, players, (level, below), FEW_DEALS if level == "expert" else 1000, 1 / players)


def deals_of(bots: int, players: int) -> int:
    """Return the deals it takes for each pair to meet on PAIR_DEALS of them."""
    line_ups = Schedule(bots, players).line_ups
    together = min(
        sum({a, b} <= set(seats) for orders in line_ups for seats in orders[:1])
        for a, b in combinations(range(bots), 2)
    )
    return -(-PAIR_DEALS // together) * len(line_ups)


MARKS = tuple(_marks())
LADDERS = tuple(
    Match(key, players, bots, deals_of(len(bots), players)) for key, players in TABLES for bots in (BOTS[:-1], BOTS)
)
"""Each table's without `expert`, which takes minutes, and with it, which takes hours: the larger one is shown."""
STRENGTHS = tuple(
    Match(key, players, ("value", "greedy"), 400) for key, game in GAMES.items() for players in game.people.PLAYERS
)
"""How strong each network is by itself, beside the rule of thumb."""
ALL = tuple(match for match in MARKS if "expert" not in match.bots or match.players > 2) + STRENGTHS + LADDERS
"""What is played: at tables of two, `expert` meets the others on the ladder alone."""
Results = dict[str, dict[str, Any]]


def play(match: Match, deals: int, workers: int | None, work: Path) -> dict[str, Any]:
    """Play a match and return what is kept of it."""
    each = Schedule(len(match.bots), match.players).games_a_deal
    work.mkdir(parents=True, exist_ok=True)
    settings = RunSettings(workers=workers, resume=work / f"{match.name}.jsonl")
    setup = read_setup(match.key, match.players)
    result = arena(setup, match.bots, deals * each, seed=SEED, settings=settings).as_json()
    bots = ("name", "rating", "rating_ci95", "win_rate", "ci95", "alone", "ms_per_move", "slowest_ms", "errors")
    kept = {"deals": result["deals"], "bots": [{field: bot[field] for field in bots} for bot in result["bots"]]}
    if len(match.bots) > 2:
        pairs = ("a", "b", "games", "win_rate", "ci95")
        kept["pairs"] = [{field: pair[field] for field in pairs} for pair in result["pairs"]]
    return kept


def told(rate: float, ends: list[float]) -> str:
    """Return a rate with its interval."""
    return f"{100 * rate:.1f} % ({100 * ends[0]:.1f} … {100 * ends[1]:.1f})"


def short(number: float) -> str:
    """Return a number with two digits that say something, or all before the point."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def score(results: Results, match: Match) -> tuple[float, list[float], int] | None:
    """Return how much the first of two won, per game, with its interval, and on how many deals.

    At a larger table it sat alone among the others. Who met nowhere else met on the ladder.
    """
    if match.name in results:
        found = results[match.name]
        bot = found["bots"][0]
        rate, ends = (bot["alone"]["rate"], bot["alone"]["ci95"]) if bot["alone"] else (bot["win_rate"], bot["ci95"])
        return rate, ends, found["deals"]
    for pair in results.get(Match(match.key, match.players, BOTS, 0).name, {"pairs": []})["pairs"]:
        if (pair["b"], pair["a"]) == match.bots:  # the weaker one comes first there
            low, high = pair["ci95"]
            return 1 - pair["win_rate"], [1 - high, 1 - low], pair["games"] // match.players
    return None


def ladder(results: Results, match: Match) -> Iterator[str]:
    """Write the ladder of a table."""
    found = results[match.name]
    met = min(pair["games"] for pair in found["pairs"]) // match.players
    yield f"\n**{GAMES[match.key].title}, {match.players} players** ({met} deals a pair)\n\n"
    yield f"![Ratings with their intervals](img/{picture_name(match)})\n\n"
    others = match.bots[-2::-1]
    yield "| bot | rating | 95 % | ms per move | " + " | ".join(f"against `{bot}`" for bot in others) + " |\n"
    yield "|---|---|---|---|" + "---|" * len(others) + "\n"
    for bot in sorted(found["bots"], key=lambda bot: -bot["rating"]):
        low, high = bot["rating_ci95"] or (bot["rating"], bot["rating"])
        won = {
            pair["a"]: f"{100 - 100 * pair['win_rate']:.0f} %" for pair in found["pairs"] if pair["b"] == bot["name"]
        }
        wins = " | ".join(won.get(other, "") for other in others)
        yield f"| `{bot['name']}` | {bot['rating']:.0f} | {low:.0f} … {high:.0f} "
        yield f"| {short(bot['ms_per_move'])} | {wins} |\n"


def picture_name(match: Match) -> str:
    """Return the name of the file with a ladder's plot."""
    return f"ladder-{match.key}-{match.players}.svg"


def picture(results: Results, match: Match) -> str:
    """Draw the ladder of a table: each bot's rating with its interval, the best above."""
    bots = sorted(results[match.name]["bots"], key=lambda bot: -bot["rating"])
    rows = [
        Whisker(bot["name"], Estimate(bot["rating"], *(bot["rating_ci95"] or (bot["rating"], bot["rating"]))))
        for bot in bots
    ]
    title = f"{GAMES[match.key].title}, {match.players} players: Elo, 95 %"
    return standalone(whiskers(title, rows, lambda value: f"{value:.0f}", MEAN_RATING))


def marks(results: Results) -> Iterator[str]:
    """Write what was asked for and what was reached."""
    yield "| table | who | won | deals | mark | lower end above it |\n|---|---|---|---|---|---|\n"
    for match in MARKS:
        if (reached := score(results, match)) and match.mark is not None:
            title, (a, b) = GAMES[match.key].title, match.bots
            rate, ends, deals = reached
            holds = "yes" if ends[0] >= match.mark else "**no**"
            among = "against" if match.players == 2 else "alone among"
            yield (
                f"| {title}, {match.players} | `{a}` {among} `{b}` | {told(rate, ends)} "
                f"| {deals} | {100 * match.mark:.1f} % | {holds} |\n"
            )


def section(results: Results) -> str:
    """Return the part of the page that is made here."""
    text = "### The marks\n"
    text += "".join(marks(results))
    ladders = shown(results)
    if ladders:
        text += ABOUT_RATINGS
    for match in ladders:
        text += "".join(ladder(results, match))
    return text


def shown(results: Results) -> list[Match]:
    """Return the largest ladder of each table that was played."""
    return list({(match.key, match.players): match for match in LADDERS if match.name in results}.values())


def networks(results: Results) -> str:
    """Return the page beside the networks: how each was made and how strong it is."""
    text = ABOUT_NETWORKS
    text += "| game, players | games | seed | λ | rate | guests | league | strength | deals |\n"
    text += "|---|---|---|---|---|---|---|---|---|\n"
    for match in STRENGTHS:
        if reached := score(results, match):
            made = recipe_of(read_setup(match.key, match.players))
            text += (
                f"| {match.key}, {match.players} | {made.games:,} | {made.seed} | {made.lam:g} → {made.lam_end:g} "
                f"| {made.rate:g} → {made.rate_end:g} | {made.guests:g} → {made.guests_end:g} | {made.league:g} "
                f"| {told(*reached[:2])} | {reached[2]} |\n"
            )
    return text


def write(results: Results, page: Path, beside: Path, pictures: Path) -> None:
    """Rewrite the marked part of the page, the page beside the networks, and the plots in a folder."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"{page} lacks the lines {BEGIN!r} and {END!r}")
    page.write_text(before + BEGIN + section(results) + END + after)
    beside.write_text(networks(results))
    for match in (one for one in LADDERS if one.name in results):
        (pictures / picture_name(match)).write_text(picture(results, match) + "\n")


def run(matches: tuple[Match, ...], data: Path, most: int | None, workers: int | None, work: Path = WORK) -> Results:
    """Play the matches that are missing from the file of data or too short there; return all results."""
    results = read(data)
    for match in matches:
        deals = match.deals if most is None else min(match.deals, most)
        if match.name not in results or results[match.name]["deals"] < deals:
            results[match.name] = play(match, deals, workers, work)
            print(match.name, *(told(*reached[:2]) for reached in [score(results, match)] if reached), flush=True)
            keep(results, data)
    return results


def read(data: Path) -> Results:
    """Return what was measured so far."""
    results: Results = msgspec.json.decode(data.read_bytes()) if data.exists() else {}
    return results


def keep(results: Results, data: Path) -> None:
    """Write what was measured."""
    data.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(data) as file:
        file.write(msgspec.json.format(msgspec.json.encode(results)) + b"\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play the ladder and write docs/bots.md.")
    parser.add_argument("--deals", type=int, metavar="N", help="at most so many a match")
    parser.add_argument("--workers", type=int, metavar="N", help="cores; by default all")
    parser.add_argument("--quick", action="store_true", help="only bots that answer at once: minutes, not hours")
    parser.add_argument("--only", default="", metavar="TEXT", help="matches whose name begins so, such as 'orma 2'")
    parser.add_argument("--write", action="store_true", help="play nothing")
    parser.add_argument("--work", type=Path, default=WORK, metavar="DIR", help="where deals are kept")
    given = parser.parse_args()
    if not given.write:
        chosen = tuple(
            match
            for match in ALL
            if match.name.startswith(given.only) and (not given.quick or set(match.bots) <= set(AT_ONCE))
        )
        run(chosen, DATA, given.deals, given.workers, given.work)
    write(read(DATA), PAGE, NETWORKS, PICTURES)
