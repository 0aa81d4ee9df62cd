"""How long each stage of a study takes, judged by a few games of it, so that progress and time left are true."""

import time
from collections.abc import Callable, Sequence
from math import ceil

import numpy as np

from tavolino.bots.players import at_once_in, builtin, players_of, thumb_of
from tavolino.bots.position import Position
from tavolino.lab.playing import Lineup, dealt, play_games
from tavolino.lab.settings import Tell
from tavolino.play.game import Game
from tavolino.workers import Workers, in_order
from tavolino.workers.threads import Threads

Trial = Callable[[], float]
"""Tries a stage and returns about how many seconds it takes."""
QUICK = 0.2
"""Seconds that a trial takes at least, if there is enough to do: shorter ones say little."""
PILOT = 8
"""Games of bots that answer at once that make one unit of a trial."""
STAND_IN = "value"
"""Plays for a bot that thinks where only the time it takes matters."""
LOOKED_AT = 12
"""One in so many decisions of a bot that thinks is made in a trial, and timed."""


def tried_out(trials: Sequence[Trial], tell: Tell) -> list[float]:
    """Return what each trial finds; before each, tell that nothing is done yet."""
    found = []
    for trial in trials:
        tell(0.0)
        found.append(trial())
    return found


def seconds_of_games(lineup: Lineup, seed: np.uint64, games: int, workers: Workers) -> float:
    """Return about how many seconds so many games take.

    A game of our bots that think is not played for that: a few of its decisions are made. Whoever brings a bot may
    count on whole games.
    """
    ours = players_of(lineup.setup.key).keys() >= set(lineup.bots)
    if lineup.thinks and ours:
        at_once = min(games, workers.cores)
        found = list(in_order(workers, lambda i: _thinking_time(lineup, seed, i), range(at_once)))
        return sum(found) / len(found) * ceil(games / workers.cores)
    each = lineup.at_a_time(PILOT)
    return seconds_for(workers, lambda i: play_games(lineup, seed, i * each, each), ceil(games / each), here=ours)


def _thinking_time(lineup: Lineup, seed: np.uint64, number: int) -> float:
    """Return about how many seconds the bots that think take in a game of a batch.

    In it they only say how long they take: the strongest bot that answers at once plays for them, since weaker ones
    make other games, longer or shorter.
    """
    key = lineup.setup.key
    at_once = at_once_in(key)
    stand_in = STAND_IN if STAND_IN in at_once else thumb_of(key)
    plays = [builtin(bot if bot in at_once else stand_in) for bot in lineup.bots]
    own = f"{seed}/{number}"
    game = Game(lineup.setup, dealt(lineup, seed, number), own, own_chance=True)
    decisions, timed, took = 0, 0, 0.0
    while game.chance_due:
        game.roll()
    while (seat := game.to_move) is not None:
        position, bot = Position(game, seat, f"{own}/{len(game.moves)}"), lineup.bots[seat]
        if bot not in at_once and len(game.legal_moves) > 1:
            if decisions == 0:
                builtin(bot).choose(position)  # loads what the others find there
            if decisions % LOOKED_AT == 0:
                began = time.thread_time()
                builtin(bot).choose(position)
                took += time.thread_time() - began
                timed += 1
            decisions += 1
        game.play(plays[seat].choose(position))
    return took / timed * decisions if timed else 0.0


def seconds_for(workers: Workers, play: Callable[[int], object], units: int, here: bool = True) -> float:
    """Return about how many seconds so many units of work take, judging by the first ones, which are done now.

    `play(i)` does the unit i; `here`: by this process alone, if its own threads are the workers. Then its own time
    counts, so that what else the machine does makes no stage look longer than another. A first round loads what the
    others find there; if it is slow, it must do.
    """
    clock = time.process_time if here and isinstance(workers, Threads) else None
    number = max(1, min(units, workers.cores))
    done, took = number, _timed(workers, play, number, clock)
    while took < QUICK and 8 * done < units:  # a trial is small beside the work
        done = 4 * done
        took = _timed(workers, play, done, clock)
    if took < 5 * QUICK and done == number:
        took = _timed(workers, play, number, clock)
    return took / done * units


def _timed(
    workers: Workers, play: Callable[[int], object], number: int, own: Callable[[], float] | None = None
) -> float:
    clock, at_once = (own, min(workers.cores, number)) if own else (time.perf_counter, 1)
    began = clock()
    for _ in in_order(workers, play, range(number)):
        pass
    return (clock() - began) / at_once


class Stages:
    """Tells how much of a study is done, from how long each of its stages takes."""

    def __init__(self, progress: Tell, seconds: Sequence[float]) -> None:
        self._progress, self._seconds = progress, seconds
        self._whole = sum(seconds) or 1.0
        self._begun = 0

    def next(self) -> Tell:
        """Begin a stage; return the function to call with the share of it that is done."""
        before, own = sum(self._seconds[: self._begun]), self._seconds[self._begun]
        self._begun += 1

        def tell(share: float) -> None:
            self._progress(min(1.0, (before + share * own) / self._whole))

        return tell
