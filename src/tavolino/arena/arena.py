"""Bots against bots on mirrored deals: `arena` plays the games on all cores and rates the bots."""

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO

from tavolino.arena.checkpoint import Checkpoint, open_checkpoint, seed_in
from tavolino.arena.deals import DealResult, Tournament, check_player, find_player, with_roster
from tavolino.arena.result import ArenaResult, Standings
from tavolino.bots.players import Player
from tavolino.bots.position import Limits
from tavolino.play.atomic_file import opened
from tavolino.play.cores import cores
from tavolino.play.records import line
from tavolino.play.seeds import Seed, check_seed
from tavolino.play.setup import Setup, from_one, read_setup
from tavolino.workers import Interrupted, Workers, undisturbed
from tavolino.workers.processes import Processes
from tavolino.workers.threads import Threads


@dataclass(frozen=True)
class Progress:
    """How far an arena has got."""

    games: int
    total: int
    score: list[float]
    """Each bot's wins per seat and game so far."""


@dataclass(frozen=True)
class RunSettings:
    """How an arena runs; nothing here changes the games."""

    stop: bool = False
    """Stop as soon as the order of all neighbours in the ranking is clear."""
    records: Path | BinaryIO | None = None
    """A file or a stream to write with one record per line."""
    resume: Path | None = None
    """A file to which finished deals are added, and from which the same arena resumes."""
    workers: int | Workers | None = None
    """Who does the work: so many processes (None: one per core), or other workers, such as a cluster."""
    progress: Callable[[Progress], None] | None = None


def arena(
    game: str | Setup,
    bots: Sequence[str],
    games: int = 1000,
    *,
    seed: Seed | None = None,
    limits: Limits | None = None,
    load: Callable[[str], Player] = find_player,
    settings: RunSettings | None = None,
) -> ArenaResult:
    """Pit bots against each other, each deal in every seating; a seed gives the same games on any number of cores.

    `game` is a key (for the fewest players) or a setup; `games` is rounded up to whole deals. On several cores, call it
    from a module that can be imported (`if __name__ == "__main__":`); `load` must be importable, too. Ctrl-C raises
    `Interrupted`, whose `result` covers the deals finished so far.
    """
    settings = settings or RunSettings()
    resume = settings.resume
    if seed is None and resume is not None:
        seed = seed_in(resume)
    tournament = make_tournament(game, bots, seed, limits, load)
    deals = tournament.schedule.deals(from_one(games, "games"))
    with (
        open_checkpoint(resume, tournament) if resume else nullcontext() as checkpoint,
        opened(settings.records) as file,
    ):
        return _run(tournament, deals, settings, checkpoint, file)


def make_tournament(
    game: str | Setup,
    bots: Sequence[str],
    seed: Seed | None = None,
    limits: Limits | None = None,
    load: Callable[[str], Player] = find_player,
) -> Tournament:
    """Return what is to be played; ValueError says what is wrong with it."""
    if isinstance(bots, str) or len(bots) < 2:
        raise ValueError("an arena needs at least two bots, such as search,random")
    setup = game if isinstance(game, Setup) else read_setup(game)
    for bot in bots if load is find_player else ():
        check_player(bot, setup.key)
    return Tournament(
        setup=setup,
        bots=tuple(bots),
        names=tuple(_names(bots)),
        seed=check_seed(seed),
        limits=replace(limits or Limits(), threads=1),  # the other cores have games of their own
        load=load,
    )


def _workers(given: int | Workers | None, deals: int) -> Workers:
    if given is not None and not isinstance(given, int):
        return given
    processes = min(cores() if given is None else from_one(given, "workers"), deals)
    return Threads(1) if processes == 1 else Processes(processes)


def _run(
    tournament: Tournament, deals: int, settings: RunSettings, checkpoint: Checkpoint | None, file: BinaryIO | None
) -> ArenaResult:
    standings, workers = Standings(tournament), _workers(settings.workers, deals)
    waiting: dict[int, DealResult] = {} if checkpoint is None else dict(checkpoint.done)
    missing = [deal for deal in range(deals) if deal not in waiting]

    def catch_up() -> bool:
        """Add the results whose turn it is; tell whether that is enough."""
        while standings.deals < deals and (result := waiting.pop(standings.deals, None)) is not None:
            with undisturbed():
                standings.add(result)
            if file is not None:
                file.writelines(line(played.record) for played in result.games)
            if settings.progress is not None:
                each = tournament.schedule.games_a_deal
                settings.progress(Progress(standings.deals * each, deals * each, standings.score))
            if settings.stop and standings.deals < deals and standings.settled:
                return True
        return False

    stopped = False
    try:
        stopped = catch_up()
        if not stopped and missing:
            with closing(workers.each(partial(with_roster, tournament), missing)) as results:
                for _, result in results:
                    if checkpoint is not None:
                        with undisturbed():
                            checkpoint.add(result)
                    waiting[result.deal] = result
                    if stopped := catch_up():
                        break
    except KeyboardInterrupt:
        if not standings.deals:
            raise
        raise Interrupted(standings.result(stopped, interrupted=True)) from None
    return standings.result(stopped)


def _names(bots: Sequence[str]) -> list[str]:
    """Return a name for each bot; if a bot is given twice, the second is called `name#2`."""
    names: list[str] = []
    for bot in bots:
        names.append(bot if bot not in names else next(f"{bot}#{n}" for n in count(2) if f"{bot}#{n}" not in names))
    return names
