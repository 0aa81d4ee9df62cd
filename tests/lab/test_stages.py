"""How long a study takes is judged before it begins: by little work, and rightly."""

from dataclasses import dataclass

import numpy as np
import pytest

from tavolino.bots.players import Player, at_once_in, builtin, players_of
from tavolino.bots.position import Position
from tavolino.cli.common import TimeLeft
from tavolino.engine.registry import GAMES
from tavolino.lab import stages
from tavolino.lab.playing import read_lineup
from tavolino.lab.stages import Stages, seconds_of_games, tried_out
from tavolino.workers.threads import Threads


@dataclass
class Slow:
    """A bot that takes a second of a clock that only it moves; it answers as a rule of thumb does."""

    player: Player
    name: str = "slow"
    second: float = 0.0
    asked: int = 0

    def choose(self, position: Position) -> str:
        """Take a second."""
        self.second += 1.0
        self.asked += 1
        return self.player.choose(position)

    def close(self) -> None:
        """Hold nothing."""

    def perf_counter(self) -> float:
        """Tell the time."""
        return self.second


@pytest.mark.parametrize("key", [key for key in GAMES if players_of(key).keys() - at_once_in(key).keys()])
def test_bots_that_think_are_timed_by_a_few_decisions(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(builtin("random"))
    monkeypatch.setattr(stages, "builtin", lambda name: builtin(name) if name in at_once_in(key) else slow)
    monkeypatch.setattr(stages, "time", slow)
    lineup = read_lineup(key, None, {}, ["expert", "random"])
    seconds = seconds_of_games(lineup, np.uint64(3), 10, Threads(1)) / 10
    assert seconds == round(seconds) > 1, "a second per decision"
    assert slow.asked == 1 + -(-seconds // stages.LOOKED_AT)


def test_trials_are_no_part_of_the_work() -> None:
    """While they are made nothing is done, and the time left is judged from when the work begins."""
    clock, second = TimeLeft(1.0), [0.0]

    def hear(done: float) -> None:
        clock.hear(done, second[0])

    def trial() -> float:
        second[0] += 50.0
        return 10.0

    seconds = tried_out([trial, trial], hear)
    work = Stages(hear, seconds)
    hear(0.0)
    tell = work.next()
    second[0] += 5.0
    tell(0.5)
    assert clock.left_in_words(second[0]) == "0:00:15"
