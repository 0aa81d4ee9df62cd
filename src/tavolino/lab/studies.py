"""`study`: study a game by a few thousand games, as a plain data object; `report` makes a page of it."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tavolino.bots.players import players_of
from tavolino.engine.phrases import option_text
from tavolino.engine.registry import GAMES
from tavolino.intervals import Estimate
from tavolino.lab.fingerprint import bots_of
from tavolino.lab.follow import CHECKS, Decided, Followed, decide, follow, replays_of
from tavolino.lab.luck import Contest, Luck, contest_of, luck_of
from tavolino.lab.notebook import Notebook, seed_in
from tavolino.lab.playing import Lineup, read_lineup
from tavolino.lab.settings import LabSettings, Tell, untold, workers_of
from tavolino.lab.stages import Stages, Trial, seconds_for, seconds_of_games, tried_out
from tavolino.lab.tally import Tally, tally
from tavolino.play.seeds import Seed, check_seed, derive
from tavolino.play.setup import Setup, from_one, setup_of
from tavolino.workers import Workers
from tavolino.workers.threads import Threads

T = TypeVar("T")

LADDERS = (
    (("naive", "random"), ("greedy", "naive"), ("value", "greedy")),
    (("naive", "random"), ("greedy", "naive")),
    (("easy", "random"), ("medium", "easy")),
)
"""Which bots meet to show how much skill matters, each a step stronger than the other; the first list that fits."""
YARDSTICKS = (("greedy", "naive"), ("easy", "random"))
"""Which of them do so for each value of an option: neither has learnt the option's default."""
ONE = Threads(1)


@dataclass(frozen=True)
class StudySizes:
    """How many games each part of a study plays."""

    games: int
    followed: int
    decided: int
    mirrored: int
    """Deals."""
    repeated: int
    """Deals."""


@dataclass(frozen=True)
class Variant:
    """The game with one value of an option."""

    value: str
    tally: Tally
    match: Contest
    differences: dict[str, Estimate]
    """From the first value: `start` (wins of the starter), `length`, `points` (of a seat), `margin`, `skill` (wins of
    the stronger bot), and each ending's share. Wins are counted above a fair share, which depends on the players."""


@dataclass(frozen=True)
class Variation:
    """What an option changes."""

    option: str
    variants: list[Variant]


@dataclass(frozen=True)
class Study:
    """A game studied. All intervals are 95 %."""

    game: str
    title: str
    players: int
    options: dict[str, Any]
    bots: list[str]
    seed: Seed
    sizes: StudySizes
    tally: Tally
    followed: Followed
    decided: Decided
    ladder: list[Contest]
    luck: Luck
    variation: Variation | None

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return asdict(self)


def ladder_of(key: str) -> tuple[tuple[str, str], ...]:
    """Return which bots of a game meet, each a step stronger than the other."""
    return next(ladder for ladder in LADDERS if {bot for pair in ladder for bot in pair} <= players_of(key).keys())


def yardstick_of(key: str) -> tuple[str, str]:
    """Return which bots meet for each value of an option."""
    return next(pair for pair in YARDSTICKS if set(pair) <= players_of(key).keys())


def player_of(key: str) -> str:
    """Return who plays in a study by default."""
    return next(bot for bot in ("greedy", "easy") if bot in players_of(key))


def sizes_of(games: int, thinks: bool = False) -> StudySizes:
    """Return how many games each part of a study plays, from the number asked for.

    If players think, the parts that follow games and play on from mid-game are smaller: each of their games stands for
    many.
    """
    if thinks:
        return StudySizes(
            games=games,
            followed=min(games, max(games // 4, 16), 1000),
            decided=min(games, max(games // 40, 2), 120),
            mirrored=min(max(games // 4, 16), 1000),
            repeated=min(max(games // 8, 16), 400),
        )
    return StudySizes(
        games=games,
        followed=min(games, 1000),
        decided=min(games, 120),
        mirrored=min(max(games // 4, 16), 1000),
        repeated=min(max(games // 8, 16), 400),
    )


def study(
    game: str | Setup,
    players: int | None = None,
    games: int = 4000,
    seed: Seed | None = None,
    *,
    bots: Sequence[str] | None = None,
    vary: tuple[str, Sequence[Any]] | None = None,
    notebook: Path | None = None,
    settings: LabSettings | None = None,
) -> Study:
    """Study a game; the same seed gives the same numbers on any number of cores.

    `notebook` is a file to keep results in as they come: the same call goes on from it.

    `game` is a key or, for options, a setup (`read_setup`) without a first seat. `bots` names who plays, seat by seat;
    the last one takes all remaining seats. By default `greedy`, or `easy` in a game without it. `vary` is an option's
    name and the values to compare, such as `("name", ["this", "that"])`. With bots that think, some parts play fewer
    games.

    >>> found = study(KEY, games=40, seed=7)
    >>> round(sum(place.wins.value for place in found.tally.places), 6)
    1.0
    """
    setup, settings = setup_of(game, players), settings or LabSettings()
    if setup.first is not None:
        raise ValueError("in a study a random seat starts each game: leave first out")
    key = setup.key
    lineup = read_lineup(key, setup.players, setup.options, [player_of(key)] if bots is None else bots)
    number, workers = from_one(games, "games"), workers_of(settings)
    variants = [] if vary is None else [(value, varied(lineup, vary[0], value)) for value in _values(vary)]
    seed = check_seed(seed_in(notebook) if seed is None else seed)
    sizes = sizes_of(number, lineup.thinks)
    batch = np.uint64(derive(seed, key, "study"))
    about = {"game": key, "players": setup.players, "options": setup.options, "games": number, "seed": seed}
    kept = Notebook(notebook, about | {"bots": _made_of(lineup)})
    names = ["tally", "followed", "decided", *("-".join(pair) for pair in ladder_of(key)), "luck"]
    names += [f"{part} {vary[0]}={value}" for value, _ in variants if vary for part in ("tally", "match")]
    seconds = [1.0] * len(names)
    if settings.progress is not untold:  # else nobody is told
        trials = trials_of(lineup, sizes, [other for _, other in variants], seed, workers)
        left = [trial for name, trial in zip(names, trials, strict=True) if not kept.has(name)]
        tried = iter(tried_out(left, settings.progress))
        seconds = [0.0 if kept.has(name) else next(tried) for name in names]
    clock = Stages(settings.progress, seconds)
    settings.progress(0.0)
    stage = iter(names)

    def part(kind: type[T], find: Callable[[Tell], T]) -> T:
        tell = clock.next()
        found = kept.get_as(kind, next(stage), lambda: find(tell))
        tell(1.0)
        return found

    def games_of(at: Lineup) -> Tally:
        return part(Tally, lambda tell: tally(at, batch, sizes.games, workers, tell))

    def contest(at: Lineup, pair: tuple[str, str]) -> Contest:
        return part(Contest, lambda tell: contest_of(at, pair, seed, sizes.mirrored, workers, tell))

    counted = games_of(lineup)
    seen = part(Followed, lambda tell: follow(lineup, batch, sizes.followed, counted.length, workers, tell))
    decided = part(Decided, lambda tell: decide(lineup, batch, sizes.decided, counted.length, workers, tell))
    ladder = [contest(lineup, pair) for pair in ladder_of(key)]
    luck = part(Luck, lambda tell: luck_of(lineup, seed, sizes.repeated, workers, tell))
    compared: list[Variant] = []
    for value, other in variants:
        played = games_of(other)
        match = contest(other, yardstick_of(key))
        first = compared[0] if compared else None
        compared.append(Variant(option_text(value), played, match, _differences(played, match, first)))
    return Study(
        game=key,
        title=GAMES[key].title,
        players=setup.players,
        options=setup.options,
        bots=list(lineup.bots),
        seed=seed,
        sizes=sizes,
        tally=counted,
        followed=seen,
        decided=decided,
        ladder=ladder,
        luck=luck,
        variation=None if vary is None else Variation(vary[0], compared),
    )


def _made_of(lineup: Lineup) -> dict[str, Any]:
    """Return what the bots of a study are made of: a file of one's own may change between two runs."""
    files = [Path(bot) for bot in dict.fromkeys(lineup.bots)]
    own = {file.name: hashlib.sha256(file.read_bytes()).hexdigest()[:8] for file in files if file.is_file()}
    return {"names": list(lineup.bots), "files": own, **bots_of(lineup.setup.key)}


def work_of(lineup: Lineup, sizes: StudySizes, variants: int) -> float:
    """Return how many games the bots of a study play in all, to estimate the time it takes."""
    followed = 0 if lineup.thinks else sizes.followed
    return sizes.games * (1 + variants) + followed + _decided_games(lineup, sizes)


def _decided_games(lineup: Lineup, sizes: StudySizes) -> float:
    """Return how many games are played to see when the winner is decided: on average from the middle."""
    return sizes.decided * (1 + CHECKS * replays_of(lineup) / 2)


def trials_of(
    lineup: Lineup, sizes: StudySizes, variants: Sequence[Lineup], seed: Seed, workers: Workers
) -> list[Trial]:
    """Return for each stage of a study what finds out how many seconds it takes."""
    trial = np.uint64(derive(seed, lineup.setup.key, "trial"))

    def games(tried: Lineup, number: int) -> Trial:
        return lambda: seconds_of_games(tried, trial, number, workers)

    def match(tried: Lineup, pair: tuple[str, str]) -> Trial:
        seats = tried.setup.players
        return games(tried.with_bots([pair[0], *[pair[1]] * (seats - 1)]), sizes.mirrored * seats)

    def move_by_move(find: Callable[..., object], number: int) -> Trial:
        def take() -> float:
            length = tally(lineup, trial, 1, ONE).length
            return seconds_for(workers, lambda i: find(lineup, trial + np.uint64(i), 1, length, ONE), number)

        return take

    @cache
    def own_games() -> float:
        return seconds_of_games(lineup, trial, sizes.games, workers)

    def thoughtful(number: float) -> Trial:
        return lambda: own_games() * number / sizes.games

    yardstick = yardstick_of(lineup.setup.key)
    thinks = lineup.thinks
    return [
        own_games,
        thoughtful(sizes.followed) if thinks else move_by_move(follow, sizes.followed),
        thoughtful(_decided_games(lineup, sizes)) if thinks else move_by_move(decide, sizes.decided),
        *(match(lineup, pair) for pair in ladder_of(lineup.setup.key)),
        lambda: seconds_for(workers, lambda i: luck_of(lineup, f"trial/{i}", 1, ONE), sizes.repeated),
        *(take for other in variants for take in (games(other, sizes.games), match(other, yardstick))),
    ]


def _values(vary: tuple[str, Sequence[Any]]) -> Sequence[Any]:
    if len(vary[1]) < 2:
        raise ValueError(f"varying {vary[0]} takes at least two values")
    return vary[1]


def varied(lineup: Lineup, option: str, value: Any) -> Lineup:
    """Return a lineup with another value of an option, or, for `players`, at another table; ValueError if it cannot be.

    At another table the first bot takes all seats.
    """
    setup = lineup.setup
    if option in setup.chosen:
        raise ValueError(f"{option} cannot be both given and varied")
    if option == "players":
        return read_lineup(setup.key, value, setup.chosen, lineup.bots[:1])
    return read_lineup(setup.key, setup.players, setup.chosen | {option: value}, lineup.bots)


def above(wins: Estimate, players: int) -> Estimate:
    """Return a share of wins as what it is above a fair one.

    >>> above(Estimate(0.5, 0.25, 0.75), 4)
    Estimate(value=0.25, low=0.0, high=0.5)
    """
    return Estimate(wins.value - 1 / players, wins.low - 1 / players, wins.high - 1 / players)


def _differences(played: Tally, match: Contest, first: Variant | None) -> dict[str, Estimate]:
    if first is None:
        return {}
    was = first.tally
    return {
        "start": above(played.places[0].wins, len(played.places)).minus(above(was.places[0].wins, len(was.places))),
        "length": played.length.mean.minus(was.length.mean),
        "points": played.places[0].points.mean.minus(was.places[0].points.mean),
        "margin": played.margin.mean.minus(was.margin.mean),
        "skill": above(match.wins, len(played.places)).minus(above(first.match.wins, len(was.places))),
        **{name: share.minus(was.endings[name]) for name, share in played.endings.items()},
    }
