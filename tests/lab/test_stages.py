"""How long a study takes is judged before it begins: by little work, and rightly."""

import time
from dataclasses import dataclass

import numpy as np
import pytest

from tavolino.bots.players import Player, at_once_in, builtin, players_of
from tavolino.bots.position import Position
from tavolino.cli.common import TimeLeft
from tavolino.engine.registry import GAMES
from tavolino.lab import stages
from tavolino.lab.playing import read_lineup
from tavolino.lab.stages import Stages, seconds_for, seconds_of_games, tried_out
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

    def thread_time(self) -> float:
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


def test_what_else_the_machine_does_makes_no_stage_longer() -> None:
    """Whoever only waits has not worked: a stage tried while others have the cores counts what it did itself."""
    waited = seconds_for(Threads(2), lambda _: time.sleep(0.1), 40)
    assert waited < 40 * 0.1 / 2 / 4
    assert seconds_for(Threads(2), lambda _: time.sleep(0.1), 40, here=False) > 40 * 0.1 / 2 / 2, "others work for us"


@pytest.mark.parametrize("key", [key for key in GAMES if {"expert", "value", "greedy"} <= players_of(key).keys()])
def test_a_thinking_bot_is_timed_in_games_like_those_it_will_play(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sits beside it plays for itself, and for it the strongest that answers at once."""
    asked: list[str] = []

    def noted(name: str) -> Player:
        asked.append(name)
        return builtin(name)

    slow = Slow(builtin("random"))
    monkeypatch.setattr(stages, "builtin", lambda name: slow if name == "expert" else noted(name))
    monkeypatch.setattr(stages, "time", slow)
    seconds_of_games(read_lineup(key, 2, {}, ["expert", "greedy"]), np.uint64(3), 1, Threads(1))
    assert set(asked) == {"value", "greedy"}


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
