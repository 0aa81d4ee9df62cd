"""The fingerprint of a game over its numbers of players: skill, decisions, drama, kingmaking, time, start, luck.

Every part is measured on its own and written down as it comes (`Notebook`), so that a stopped study goes on.
"""

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import ceil, log10, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from tavolino.bots.calibration import NETWORK, calibration_of
from tavolino.bots.networks import has_networks, load
from tavolino.bots.players import SIMULATIONS, at_once_in, players_of
from tavolino.bots.strategy import BY_GAME
from tavolino.engine.registry import GAMES
from tavolino.intervals import Z95, Estimate
from tavolino.lab.account import plain
from tavolino.lab.luck import Keep, contest_of, luck_of
from tavolino.lab.notebook import Fits, Notebook, fits_always, seed_in
from tavolino.lab.playing import Lineup, play_games, read_lineup
from tavolino.lab.settings import LabSettings, Tell, untold, workers_of
from tavolino.lab.shape import ASSUMED, Pace, shape_of
from tavolino.lab.stages import PILOT, Stages, Trial, seconds_for, seconds_of_games, tried_out
from tavolino.lab.tally import tally
from tavolino.play.seeds import Seed, check_seed, derive
from tavolino.play.setup import from_one, read_setup
from tavolino.workers import Interrupted, Workers
from tavolino.workers.threads import Threads

FORMAT = "tavolino-fingerprint-3"
STRENGTHS = ("random", "naive", "greedy", "value", "expert")
"""The bots of the ladder, each stronger than the one before; those that a game has."""
MOST = 5_000_000
"""How many games `until` may ask for: they take hours."""
MORE = 1.05
"""How many times as many games are played as should be enough: shares differ."""
ONE = Threads(1)


@dataclass(frozen=True)
class FingerprintSettings:
    """What a fingerprint is asked for besides a number of games."""

    until: float | None = None
    """Play so many games that the share of wins of whoever starts is known to ± this (0.005 is half a point)."""
    expert_deals: int | None = None
    """Deals of each step of the ladder with a bot that thinks; 0: the ladder ends below it; None: by `games`."""
    pace: Pace = ASSUMED
    """How long people take for a move."""


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
    thought: int
    """Mirrored deals of each pair of which one thinks: a game of those takes seconds."""


def sizes_of(games: int, expert_deals: int | None = None) -> FingerprintSizes:
    """Return how many games each part plays."""
    thought = games // 50 if expert_deals is None else expert_deals
    return FingerprintSizes(games, max(2, games // 5), max(2, games // 10), max(2, games // 10), thought)


Find = Callable[[dict[str, Any], Tell, Keep], Any]
"""Finds a part of a fingerprint, from what was found before it; what takes long is kept piece by piece."""


@dataclass(frozen=True)
class _Part:
    """A part of a table's fingerprint."""

    name: str
    find: Find
    takes: Trial
    fits: Fits = fits_always
    """Tells whether one that was found before is as exact as this one is to be."""


def fingerprint(
    game: str,
    players: Sequence[int] | None = None,
    games: int = 2000,
    seed: Seed | None = None,
    *,
    options: dict[str, Any] | None = None,
    how: FingerprintSettings | None = None,
    notebook: Path | None = None,
    settings: LabSettings | None = None,
) -> dict[str, Any]:
    """Measure a game's fingerprint for each number of players, as plain data; by default for all it allows.

    `notebook` is a file to keep results in: the same call goes on from it. Ctrl-C raises `Interrupted`, whose `result`
    is what was found so far. The same seed gives the same numbers on any number of cores.
    """
    key, how = read_setup(game).key, how or FingerprintSettings()
    tables = list(players or GAMES[key].people.PLAYERS)
    lineups = [read_lineup(key, number, options or {}, [player_of(key)]) for number in tables]
    number = from_one(games, "games")
    seed = check_seed(seed_in(notebook) if seed is None else seed)
    if how.until is not None and not 0 < how.until < 0.5:
        raise ValueError(f"until must be a share between 0 and 0.5, such as 0.005 for half a point, not {how.until!r}")
    if how.until is not None and (most := max(_enough(number, 1 / table, how.until) for table in tables)) > MOST:
        raise ValueError(f"± {100 * how.until:g} % would take {most:,} games per table; {MOST:,} are the most")
    sizes = sizes_of(number, how.expert_deals)
    if sizes.thought < 0:
        raise ValueError(f"expert_deals must be 0 or more, not {sizes.thought}")
    ladder = ladder_of(key, thinking=sizes.thought > 0)
    found: dict[str, Any] = {"format": FORMAT, "game": key, "options": lineups[0].setup.options, "games": number}
    found |= {"seed": seed, "ladder": ladder, "expert_deals": sizes.thought, "bots": bots_of(key)}
    found |= {"judge": judge_of(key), "title": GAMES[key].title, "player": player_of(key), "until": how.until}
    kept = Notebook(notebook, about_of(found))
    settings = settings or LabSettings()
    workers = workers_of(settings)
    pace = asdict(how.pace)
    how = replace(how, pace=Pace(**kept.get("pace", lambda: pace)))  # the same for all tables
    work = [(lineup, part) for lineup in lineups for part in _parts(lineup, ladder, sizes, seed, how, workers)]
    parts: dict[int, dict[str, Any]] = {table: {"players": table} for table in tables}
    try:
        names = [f"{lineup.setup.players}/{part.name}" for lineup, part in work]
        there = [kept.has(name, part.fits) for name, (_, part) in zip(names, work, strict=True)]
        left = [part.takes for has, (_, part) in zip(there, work, strict=True) if not has]
        tried = iter([1.0] * len(left) if settings.progress is untold else tried_out(left, settings.progress))
        seconds = [0.0 if has else next(tried) for has in there]
        clock = Stages(settings.progress, seconds)
        settings.progress(0.0)
        for name, (lineup, part) in zip(names, work, strict=True):
            so_far, tell = parts[lineup.setup.players], clock.next()

            find = partial(part.find, so_far, tell, partial(kept.rows, f"{name}/games"))
            so_far[part.name] = kept.get(name, find, part.fits)
            tell(1.0)
    except KeyboardInterrupt:
        raise Interrupted(found | {"tables": [one for one in parts.values() if len(one) > 1]}) from None
    return found | {"tables": list(parts.values())}


def about_of(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what two fingerprints have in common that can have parts in common: a part says how large it is."""
    return {name: found[name] for name in ("format", "game", "options", "games", "seed", "bots", "judge")}


def keep_in(notebook: Path, found: Mapping[str, Any]) -> None:
    """Write a fingerprint down as its study would have: from there one with other sizes measures only what differs."""
    parts = {
        f"{one['players']}/{name}": part for one in found["tables"] for name, part in one.items() if name != "players"
    }
    pace = found["tables"][0]["shape"]["pace"]
    Notebook(notebook, about_of(found)).keep_all({"pace": pace, **parts})


def player_of(key: str) -> str:
    """Return the strongest bot of a game that answers at once: it plays the games that are looked at."""
    return next(bot for bot in reversed(STRENGTHS) if bot in at_once_in(key))


def ladder_of(key: str, thinking: bool = True) -> list[str]:
    """Return the bots of a game's ladder, the weakest first; without `thinking`, those that answer at once."""
    there = players_of(key) if thinking else at_once_in(key)
    return [bot for bot in STRENGTHS if bot in there]


def common_ladder(ladders: Sequence[Sequence[str]]) -> list[str]:
    """Return the bots, from the weakest up, that all ladders have: as far as games can be compared.

    >>> common_ladder([["random", "greedy", "value", "expert"], ["random", "greedy", "value"]])
    ['random', 'greedy', 'value']
    """
    same = itertools.takewhile(lambda bots: len(set(bots)) == 1, zip(*ladders, strict=False))
    return [bots[0] for bots in same]


def bots_of(key: str) -> dict[str, Any]:
    """Return what a game's bots are made of, so that one can tell whether two fingerprints are of the same bots."""
    digest = hashlib.sha256()
    for players in GAMES[key].people.PLAYERS:
        digest.update(load(key, players).tobytes())
    if not has_networks(key):
        return {"networks": None, "tries": SIMULATIONS["expert"]}
    bots = BY_GAME[key]
    return {"networks": digest.hexdigest()[:8], "tries": bots.TRIES, "turns": bots.TURNS, "rounds": bots.ROUNDS}


def judge_of(key: str) -> str:
    """Return what tells the judge of a game's shape from another with the same networks: how it corrects them."""
    said = [repr(calibration_of(NETWORK, key, players)) for players in GAMES[key].people.PLAYERS]
    return hashlib.sha256("".join(said).encode()).hexdigest()[:8]


def unbeaten(table: dict[str, Any], ladder: Sequence[str]) -> bool:
    """Tell whether a bot of the ladder won all games against the one below: then nobody knows how deep the game is."""
    steps = (table.get(f"{strong}-{weak}") for weak, strong in itertools.pairwise(ladder))
    return any(step is not None and step["wins"]["value"] == 1 for step in steps)


def _parts(
    lineup: Lineup, ladder: list[str], sizes: FingerprintSizes, seed: Seed, how: FingerprintSettings, workers: Workers
) -> Iterator[_Part]:
    """Yield the parts of a table's fingerprint."""
    key, seats = lineup.setup.key, lineup.setup.players
    batch = np.uint64(derive(seed, key, f"fingerprint/{seats}"))
    trial = np.uint64(derive(seed, key, f"trial/{seats}"))

    def games_take(bots: Sequence[str], games: int) -> float:
        return seconds_of_games(lineup.with_bots(bots), trial, games, workers)

    games = sizes.games if how.until is None else _enough(sizes.games, 1 / seats, how.until)
    yield _Part(
        "start",
        lambda _, tell, __: _start(lineup, batch, sizes.games, how.until, workers, tell),
        lambda: games_take(lineup.bots, games),
        lambda found: found.get("until") == how.until,
    )
    for strong, weak in ((ladder[i + step], ladder[i]) for step in (1, 2) for i in range(len(ladder) - step)):
        bots = [strong, *[weak] * (seats - 1)]
        thinks = lineup.with_bots(bots).thinks
        deals = sizes.thought if thinks else sizes.deals

        def step(
            _: dict[str, Any], tell: Tell, keep: Keep, pair: tuple[str, str] = (strong, weak), deals: int = deals
        ) -> Any:
            found = contest_of(lineup, pair, seed, deals, workers, tell, keep)
            return {"deals": deals, "wins": plain(found.wins), "elo": plain(elo(found.wins, seats, deals * seats))}

        def fits(found: Any, deals: int = deals) -> bool:
            return bool(found["deals"] == deals)

        yield _Part(f"{strong}-{weak}", step, partial(games_take, tuple(bots), deals * seats), fits)
    yield _Part(
        "luck",
        lambda _, tell, __: _luck(lineup, seed, sizes.repeated, workers, tell),
        lambda: seconds_for(workers, lambda i: luck_of(lineup, f"trial/{i}", 1, ONE), sizes.repeated),
    )
    usual = int(np.median(play_games(lineup, trial, 0, PILOT).length))
    yield _Part(
        "shape",
        lambda so_far, tell, _: shape_of(
            lineup, batch, sizes.shaped, so_far["start"]["median"], workers, tell, pace=how.pace
        ),
        lambda: seconds_for(
            workers, lambda i: shape_of(lineup, trial + np.uint64(i), 1, usual, ONE, untold), sizes.shaped
        ),
    )


def _enough(games: int, share: float, until: float) -> int:
    """Return how many games should be enough to know such a share to ± `until`; at least `games`."""
    return max(games, ceil(MORE * share * (1 - share) * (Z95 / until) ** 2))


def _start(
    lineup: Lineup, batch: np.uint64, games: int, until: float | None, workers: Workers, tell: Tell
) -> dict[str, Any]:
    """Count games by place in the turn order; as many as it takes to know the starter's share."""
    if until is not None:
        games = _enough(games, 1 / lineup.setup.players, until)
    while True:
        counted = tally(lineup, batch, games, workers, tell)
        half = counted.places[0].wins.half
        if until is None or half <= until:
            break
        games = round(games * MORE * (half / until) ** 2)
    return {
        "games": games,
        **({} if until is None else {"until": until}),
        "places": [plain(place.wins) for place in counted.places],
        "length": plain(counted.length.mean),
        "median": counted.length.median,
        "shared": plain(counted.shared),
        "endings": {name: plain(share) for name, share in counted.endings.items()},
    }


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


def depth_of(table: dict[str, Any], ladder: Sequence[str]) -> Estimate | None:
    """Return the Elo from the weakest to the strongest bot of the ladder; None while a step is missing."""
    steps = [table.get(f"{strong}-{weak}") for weak, strong in itertools.pairwise(ladder)]
    if not steps or any(step is None for step in steps):
        return None
    return added([Estimate(**step["elo"]) for step in steps if step is not None])


def added(parts: Sequence[Estimate]) -> Estimate:
    """Return the sum of estimates from separate games.

    >>> added([Estimate(1.0, 0.7, 1.4), Estimate(2.0, 1.6, 2.3)])
    Estimate(value=3.0, low=2.5, high=3.5)
    """
    value = sum(one.value for one in parts)
    low = sqrt(sum((one.value - one.low) ** 2 for one in parts))
    high = sqrt(sum((one.high - one.value) ** 2 for one in parts))
    return Estimate(value, value - low, value + high)


def _luck(lineup: Lineup, seed: Seed, deals: int, workers: Workers, tell: Tell) -> dict[str, Any]:
    found = luck_of(lineup, seed, deals, workers, tell)
    return asdict(found)
