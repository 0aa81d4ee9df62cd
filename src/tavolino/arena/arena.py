"""Bots against bots on mirrored deals: `arena` plays the games on all cores and says who is how strong."""

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from tavolino.arena.deals import DealResult, Plan, check_player, find_player, seated
from tavolino.arena.result import ArenaResult, Fold
from tavolino.arena.state import State, open_state, seed_in
from tavolino.bots.players import Player
from tavolino.bots.position import Limits
from tavolino.play.cores import cores
from tavolino.play.records import line
from tavolino.play.seeds import Seed, check_seed
from tavolino.play.setup import from_one, read_setup
from tavolino.play.whole_file import opened
from tavolino.workers import Crew, Interrupted, undisturbed
from tavolino.workers.processes import Processes
from tavolino.workers.threads import Threads


@dataclass(frozen=True)
class Progress:
    """How far an arena is."""

    games: int
    total: int
    score: list[float]
    """Each bot's wins per seat and game so far."""


def arena(
    game: str,
    bots: Sequence[str],
    games: int = 1000,
    players: int | None = None,
    limits: Limits | None = None,
    seed: Seed | None = None,
    *,
    stop: bool = False,
    options: dict[str, Any] | None = None,
    first: int | None = None,
    records: Path | BinaryIO | None = None,
    resume: Path | None = None,
    workers: int | None = None,
    crew: Crew | None = None,
    progress: Callable[[Progress], None] | None = None,
    load: Callable[[str], Player] = find_player,
) -> ArenaResult:
    """Play bots against each other, each deal in every seating; the same seed gives the same games on any cores.

    `games` is rounded up to whole deals. With `stop` it ends as soon as each bot is settled against its neighbours in
    the ranking. `records` is a file or a stream to write with one record a line; `resume` a file that finished deals
    are added to, and from which the same arena goes on after a stop. On several cores, call it from a module that can
    be imported (`if __name__ == "__main__":`); `load` must be importable too. `crew` is who plays instead of `workers`
    processes. Ctrl-C comes out as `Interrupted`, whose `result` holds the deals finished by then.
    """
    plan = make_plan(game, bots, players, limits, _seed(seed, resume), options, first, load)
    deals = plan.schedule.deals(from_one(games, "games"))
    hands = min(cores() if workers is None else from_one(workers, "workers"), deals)
    if crew is None:
        crew = Threads(1) if hands == 1 else Processes(hands)
    fold = Fold(plan)
    with (
        open_state(resume, plan) if resume else nullcontext() as state,
        opened(records) as file,
    ):
        return _run(plan, deals, crew, fold, state, file, stop, progress)


def make_plan(
    game: str,
    bots: Sequence[str],
    players: int | None,
    limits: Limits | None,
    seed: Seed,
    options: dict[str, Any] | None,
    first: int | None,
    load: Callable[[str], Player] = find_player,
) -> Plan:
    """Return what is to be played; ValueError says what is wrong with it."""
    setup = read_setup(game, players, options, first)
    if isinstance(bots, str) or len(bots) < 2:
        raise ValueError("an arena takes at least two bots, such as search,random")
    for bot in bots if load is find_player else ():
        check_player(bot, setup.key)
    return Plan(
        game=setup.key,
        seats=setup.players,
        bots=tuple(bots),
        names=tuple(_names(bots)),
        seed=seed,
        options=setup.options,
        first=setup.first,
        limits=replace(limits or Limits(), threads=1),  # the other cores have games of their own
        load=load,
    )


def _run(
    plan: Plan,
    deals: int,
    crew: Crew,
    fold: Fold,
    state: State | None,
    file: BinaryIO | None,
    stop: bool,
    progress: Callable[[Progress], None] | None,
) -> ArenaResult:
    waiting: dict[int, DealResult] = {} if state is None else dict(state.done)
    missing = [deal for deal in range(deals) if deal not in waiting]

    def catch_up() -> bool:
        """Fold in what has its turn; tell whether that is enough."""
        while fold.deals < deals and (result := waiting.pop(fold.deals, None)) is not None:
            with undisturbed():
                fold.add(result)
            if file is not None:
                file.writelines(line(played.record) for played in result.games)
            if progress is not None:
                each = plan.schedule.games_a_deal
                progress(Progress(fold.deals * each, deals * each, fold.score))
            if stop and fold.deals < deals and fold.settled:
                return True
        return False

    stopped = False
    try:
        stopped = catch_up()
        if not stopped and missing:
            with closing(crew.each(partial(seated, plan), missing)) as results:
                for _, result in results:
                    if state is not None:
                        with undisturbed():
                            state.add(result)
                    waiting[result.deal] = result
                    if stopped := catch_up():
                        break
    except KeyboardInterrupt:
        if not fold.deals:
            raise
        raise Interrupted(fold.result(stopped, interrupted=True)) from None
    return fold.result(stopped)


def _seed(seed: Seed | None, resume: Path | None) -> Seed:
    """Return the seed: the one given, else that of the arena that goes on, else a fresh one."""
    if seed is None and resume is not None:
        seed = seed_in(resume)
    return check_seed(seed)


def _names(bots: Sequence[str]) -> list[str]:
    """Return a name for each bot; of those given twice, the second is `name#2`."""
    names: list[str] = []
    for bot in bots:
        names.append(bot if bot not in names else next(f"{bot}#{n}" for n in count(2) if f"{bot}#{n}" not in names))
    return names
