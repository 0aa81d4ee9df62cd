"""What a study says first, against games played another way: move by move, by the players that people meet."""

import numpy as np
import pytest

import tavolino
from tavolino.bots.players import builtin
from tavolino.bots.position import Position
from tavolino.engine.registry import GAMES
from tavolino.lab.follow import follow
from tavolino.lab.luck import luck_of
from tavolino.lab.playing import read_lineup
from tavolino.lab.tally import tally
from tavolino.play.seeds import derive
from tavolino.workers.threads import Threads


def play_on(game: tavolino.Game, bot: str, chosen: str, moves: int | None = None) -> None:
    """Let a bot play all seats, to the end or until so many moves are made; `chosen` is what it chooses by."""
    player = builtin(bot)
    while (seat := game.to_move) is not None and (moves is None or len(game.moves) < moves):
        game.play(player.choose(Position(game, seat, f"{chosen}/{len(game.moves)}")))


def share(game: tavolino.Game, seat: int) -> float:
    winners = game.winners or []
    return (seat in winners) / len(winners)


@pytest.mark.parametrize("key", GAMES)
def test_the_same_deal_again(key: str) -> None:
    """How far the deal decides: as far as two games on the same deal go together, by players that vary."""
    said = luck_of(read_lineup(key, 2, {}, ["greedy"]), 1, 100, Threads(1)).wins["deal"]
    deals = 30
    twice = np.empty((deals, 2))
    for i in range(deals):
        for k in range(2):
            game = tavolino.new(key, 2, i, first=0)
            rolls = np.random.default_rng((i, k))
            while not game.over:  # without dice of its own: the same deal, other dice
                play_on(game, "hard", f"{i}/{k}/{rolls.integers(1 << 30)}")
            twice[i, k] = share(game, 0)
    one, other = twice.T
    together = float(np.corrcoef(one, other)[0, 1])
    error = 2.5 / deals**0.5
    assert said.low - error < together < said.high + error
    assert said.high < 0.6


@pytest.mark.parametrize("key", ["face-to-face", "orma"])
def test_who_leads_at_half_time(key: str) -> None:
    """Whoever has most points, or laid most cards, after a fixed move wins as often as is said."""
    lineup, seed = read_lineup(key, 2, {}, ["greedy"]), np.uint64(derive(1, key, "study"))
    length = tally(lineup, seed, 500, Threads(1)).length
    said = follow(lineup, seed, 500, length, Threads(1)).leads
    wins, going = [], 0
    for i in range(150):
        game = tavolino.new(key, 2, f"half-time/{i}")
        play_on(game, "greedy", "any", said.half)
        if game.over:
            continue
        going += 1
        turns = [seat for seat in (*game.movers, game.to_move) if seat is not None]
        while turns[-1] != game.first or turns[-2:-1] == [game.first]:  # back to where the starter begins a turn
            turns.pop()
        scores = game.earlier(len(turns) - 1).scores
        if scores[0] != scores[1]:
            play_on(game, "greedy", "any")
            wins.append(share(game, scores.index(max(scores))))
    assert said.alone.low - 0.05 < len(wins) / going < said.alone.high + 0.05
    assert said.half_wins is not None
    error = 2 / len(wins) ** 0.5
    assert said.half_wins.low - error < np.mean(wins) < said.half_wins.high + error
