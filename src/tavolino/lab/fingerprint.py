"""The fingerprint of a game over its numbers of players: skill, decisions, drama, kingmaking, time, start, luck.

Every part is measured on its own and written down as it comes (`Notebook`), so that a stopped study goes on.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import log10
from pathlib import Path
from typing import Any

import numpy as np

from tavolino.bots.players import at_once_in
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab.account import plain
from tavolino.lab.luck import contest_of, luck_of
from tavolino.lab.notebook import Notebook
from tavolino.lab.playing import Lineup, read_lineup
from tavolino.lab.settings import LabSettings, Tell, untold, workers_of
from tavolino.lab.shape import shape_of
from tavolino.lab.tally import tally
from tavolino.play.seeds import Seed, check_seed, derive
from tavolino.play.setup import from_one, read_setup
from tavolino.workers import Interrupted, Workers

FORMAT = "tavolino-fingerprint-1"
STRENGTHS = ("random", "naive", "greedy", "value")
"""The bots of the ladder, each stronger than the one before; those that a game has."""
MOST = 64
"""How many times as many games `until` may ask for."""


@dataclass(frozen=True)
class FingerprintSizes:
    """How many games each part plays, from the number asked for."""

    games: int
    """Of the start, the length and the endings."""
    deals: int
    """Mirrored, for each pair of bots."""
    repeated: int
    """Deals that are played several times."""
    shaped: int
    """Replayed with the judge."""


def sizes_of(games: int) -> FingerprintSizes:
    """Return how many games each part plays."""
    return FingerprintSizes(games, max(2, games // 5), max(2, games // 10), max(2, games // 10))


def fingerprint(
    game: str,
    players: Sequence[int] | None = None,
    games: int = 2000,
    seed: Seed | None = None,
    *,
    options: dict[str, Any] | None = None,
    until: float | None = None,
    notebook: Path | None = None,
    settings: LabSettings | None = None,
) -> dict[str, Any]:
    """Measure a game's fingerprint for each number of players, as plain data; by default for all it allows.

    `until` asks for so many games that the share of wins of whoever starts is known to ± this (0.005 is half a point).
    `notebook` is a file to keep results in: the same call goes on from it. Ctrl-C raises `Interrupted`, whose `result`
    is what was found so far. The same seed gives the same numbers on any number of cores.
    """
    key = read_setup(game).key
    tables = list(players or GAMES[key].people.PLAYERS)
    lineups = [read_lineup(key, number, options or {}, [player_of(key)]) for number in tables]
    number, seed = from_one(games, "games"), check_seed(seed)
    if until is not None and not 0 < until < 0.5:
        raise ValueError(f"until must be a share between 0 and 0.5, such as 0.005 for half a point, not {until!r}")
    about = {"format": FORMAT, "game": key, "options": lineups[0].setup.options, "games": number, "seed": seed}
    kept = Notebook(notebook, about)
    settings = settings or LabSettings()
    workers, progress = workers_of(settings), settings.progress
    found: dict[str, Any] = {**about, "title": GAMES[key].title, "player": player_of(key), "until": until, "tables": []}
    work = [(lineup, part) for lineup in lineups for part in _parts(lineup, number, seed, until, workers)]
    parts: dict[int, dict[str, Any]] = {table: {"players": table} for table in tables}
    try:
        for i, (lineup, (name, find)) in enumerate(work):

            def tell(share: float, done: int = i) -> None:
                progress((done + share) / len(work))

            table = lineup.setup.players
            so_far = parts[table]

            def measure(find: Find = find, so_far: dict[str, Any] = so_far, tell: Tell = tell) -> Any:
                return find(so_far, tell)

            so_far[name] = kept.get(f"{table}/{name}", measure)
            tell(1.0)
    except KeyboardInterrupt:
        found["tables"] = [one for one in parts.values() if len(one) > 1]
        raise Interrupted(found) from None
    found["tables"] = list(parts.values())
    return found


Find = Callable[[dict[str, Any], Tell], Any]
"""Finds a part of a fingerprint, from what was found before it."""


def player_of(key: str) -> str:
    """Return the strongest bot of a game that answers at once: it plays the games that are looked at."""
    return next(bot for bot in reversed(STRENGTHS) if bot in at_once_in(key))


def ladder_of(key: str) -> list[str]:
    """Return the bots of a game's ladder, the weakest first."""
    return [bot for bot in STRENGTHS if bot in at_once_in(key)]


def _parts(lineup: Lineup, games: int, seed: Seed, until: float | None, workers: Workers) -> Iterator[tuple[str, Find]]:
    """Yield the parts of a table's fingerprint: their names, and how each is found."""
    key, sizes = lineup.setup.key, sizes_of(games)
    batch = np.uint64(derive(seed, key, f"fingerprint/{lineup.setup.players}"))
    yield "start", lambda _, tell: _start(lineup, batch, sizes.games, until, workers, tell)
    ladder = ladder_of(key)
    pairs = [(ladder[i + step], ladder[i]) for step in (1, 2) for i in range(len(ladder) - step)]
    for strong, weak in pairs:

        def step(_: dict[str, Any], tell: Tell, pair: tuple[str, str] = (strong, weak)) -> Any:
            return _step(lineup, pair, seed, sizes.deals, workers, tell)

        yield f"{strong}-{weak}", step
    yield "luck", lambda _, tell: _luck(lineup, seed, sizes.repeated, workers, tell)
    yield (
        "shape",
        lambda so_far, tell: shape_of(lineup, batch, sizes.shaped, so_far["start"]["median"], workers, tell),
    )


def _start(
    lineup: Lineup, batch: np.uint64, games: int, until: float | None, workers: Workers, tell: Tell
) -> dict[str, Any]:
    """Count games by place in the turn order; as many more as it takes to know the starter's share."""
    most = games * (MOST if until is not None else 1)
    while True:
        counted = tally(lineup, batch, games, workers, tell if until is None else untold)
        half = counted.places[0].wins.half
        if until is None or half <= until or games >= most:
            break
        games = min(most, max(2 * games, round(games * (half / until) ** 2 * 1.05)))
    return {
        "games": games,
        "places": [plain(place.wins) for place in counted.places],
        "length": plain(counted.length.mean),
        "median": counted.length.median,
        "shared": plain(counted.shared),
        "endings": {name: plain(share) for name, share in counted.endings.items()},
    }


def _step(
    lineup: Lineup, pair: tuple[str, str], seed: Seed, deals: int, workers: Workers, tell: Tell
) -> dict[str, Any]:
    """Let one stronger bot play among weaker ones."""
    found = contest_of(lineup, pair, seed, deals, workers, tell)
    seats = lineup.setup.players
    return {"deals": deals, "wins": plain(found.wins), "elo": plain(elo(found.wins, seats, deals * seats))}


def elo(wins: Estimate, seats: int, games: int) -> Estimate:
    """Return how much stronger a bot is in Elo that wins so many games alone among equal weaker ones.

    Its odds against each of the others are those of winning, shared among them. Where all games are won, half a game
    is taken off: then the number is a lower bound.

    >>> round(elo(Estimate(0.5, 0.4, 0.6), 3, 100).value)
    120
    """

    def of(share: float) -> float:
        share = min(max(share, 0.5 / games), 1 - 0.5 / games)
        return 400 * log10(share * (seats - 1) / (1 - share))

    return Estimate(*(of(share) for share in (wins.value, wins.low, wins.high)))


def depth_of(table: dict[str, Any], key: str) -> Estimate | None:
    """Return the Elo from the weakest to the strongest bot of the ladder; None while a step is missing."""
    ladder = ladder_of(key)
    steps = [table.get(f"{strong}-{weak}") for weak, strong in itertools.pairwise(ladder)]
    if not steps or any(step is None for step in steps):
        return None
    found = [Estimate(**step["elo"]) for step in steps if step is not None]
    value = sum(one.value for one in found)
    low, high = (
        sum((one.value - end) ** 2 for one, end in ends) ** 0.5
        for ends in (
            [(one, one.low) for one in found],
            [(one, one.high) for one in found],
        )
    )
    return Estimate(value, value - low, value + high)


def _luck(lineup: Lineup, seed: Seed, deals: int, workers: Workers, tell: Tell) -> dict[str, Any]:
    found = luck_of(lineup, seed, deals, workers, tell)
    return asdict(found)
