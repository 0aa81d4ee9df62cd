"""Figures of a study, found again from the records of its games as an outsider would: by plain code on plain JSON."""

import json
import statistics
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from tavolino.engine.registry import GAMES
from tavolino.lab.luck import contest_of
from tavolino.lab.playing import Lineup, dealt, play_games, read_lineup
from tavolino.lab.tally import tally
from tavolino.play.game import Game
from tavolino.play.seeds import derive
from tavolino.workers.threads import Threads

NUMBER, SEED = 60, 5


def records(lineup: Lineup, seed: np.uint64, games: int, first: int = -1) -> list[dict[str, Any]]:
    """Return the records of the games of a batch, through JSON."""
    batch = play_games(lineup, seed, 0, games, first=first, room=1024)
    found = []
    for i in range(games):
        game = Game(lineup.setup, dealt(lineup, seed, i, first), 0, own_chance=False)
        game.play_all([lineup.setup.game.people.WORDS[a] for a in batch.actions[i, : batch.length[i]].tolist()])
        found.append(json.loads(json.dumps(game.record())))
    return found


@pytest.mark.parametrize("key", GAMES)
def test_a_tally_is_what_the_records_say(key: str) -> None:
    """Wins, points, length, lead and shared wins: a dozen figures and more per table."""
    players = GAMES[key].people.PLAYERS[-1]
    lineup, seed = read_lineup(key, players, {}, ["greedy"]), np.uint64(derive(SEED, key, "study"))
    said = tally(lineup, seed, NUMBER, Threads(1))
    played = records(lineup, seed, NUMBER)
    wins, points = [0.0] * players, [[] for _ in range(players)]  # type: list[float], list[list[int]]
    margins, shared = [], 0
    for record in played:
        for seat, score in enumerate(record["scores"]):
            place = (seat - record["first"]) % players
            points[place].append(score)
            if seat in record["winners"]:
                wins[place] += 1 / len(record["winners"])
        shared += len(record["winners"]) > 1
        winner = record["scores"][record["winners"][0]]
        others = [score for seat, score in enumerate(record["scores"]) if seat != record["winners"][0]]
        margins.append(winner - max(others))
    assert [place.wins.value for place in said.places] == pytest.approx([won / NUMBER for won in wins])
    assert [place.points.mean.value for place in said.places] == pytest.approx([statistics.mean(p) for p in points])
    assert [place.points.sd for place in said.places] == pytest.approx([statistics.stdev(p) for p in points])
    lengths = [len(record["moves"]) for record in played]
    assert said.length.mean.value == pytest.approx(statistics.mean(lengths))
    assert said.length.median == pytest.approx(statistics.median_low(lengths))
    half = 1.96 * statistics.stdev(lengths) / NUMBER**0.5
    assert said.length.mean.half == pytest.approx(half, rel=0.03)
    assert said.margin.mean.value == pytest.approx(statistics.mean(margins))
    assert said.shared.value == pytest.approx(shared / NUMBER)
    if not shared:
        theirs = binomtest(round(wins[0]), NUMBER).proportion_ci(method="wilson")
        assert said.places[0].wins.interval == pytest.approx((theirs.low, theirs.high))


def test_a_contest_is_what_the_records_say() -> None:
    """One stronger bot among weaker ones, once in every seat of each deal: its wins, counted by hand."""
    key, players, deals = "orma", 3, 12
    lineup = read_lineup(key, players, {}, ["greedy"])
    said = contest_of(lineup, ("greedy", "naive"), SEED, deals, Threads(1))
    base, won = np.uint64(derive(SEED, key, "study/match")), 0.0
    for seat in range(players):
        bots = ["greedy" if one == seat else "naive" for one in range(players)]
        for record in records(lineup.with_bots(bots), base, deals, first=0):
            assert record["first"] == 0
            won += (seat in record["winners"]) / len(record["winners"])
    assert said.wins.value == pytest.approx(won / deals / players)
    assert said.wins.low < won / deals / players < said.wins.high
