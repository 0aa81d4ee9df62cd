"""One game among players, well-behaved or not."""

from collections.abc import Sequence
from typing import Any

import pytest

from tavolino import replay
from tavolino.arena.single_game import Outcome, play_game
from tavolino.bots.players import Player
from tavolino.bots.position import Limits, Position
from tavolino.play.records import check
from tavolino.play.setup import read_setup
from tests.arena.bots import CHOICES, TestBot, load


def play(key: str, players: Sequence[Player], seed: int, **more: Any) -> Outcome:
    return play_game(read_setup(key, len(players)), players, seed, **more)


def game(*bots: str, key: str = "orma", seed: int = 1) -> Outcome:
    return play(key, [load(bot) for bot in bots], seed, bot_seed="7")


def test_a_game_is_played_to_its_end() -> None:
    """The record is a legal game, and everyone's decisions are counted."""
    result = game("random", "random", "first")
    played = check(result.record)
    assert played.over
    assert [share > 0 for share in result.shares] == [seat in (played.winners or []) for seat in range(3)]
    assert sum(result.shares) == pytest.approx(1)
    assert [seat.decisions for seat in result.seats] == [played.movers.count(seat) for seat in range(3)]
    assert all(seat.status == "ok" and seat.seconds > 0 for seat in result.seats)


def test_the_same_seeds_give_the_same_game() -> None:
    """And another seed of the bots gives another one on the same deal."""
    players = [load("random"), load("random")]
    once, again = (play("out-of-sock", players, 3, bot_seed="7") for _ in range(2))
    other = play("out-of-sock", players, 3, bot_seed="8")
    assert once.record == again.record != other.record
    assert once.record["deal"] == other.record["deal"]


@pytest.mark.parametrize(
    ("bot", "status", "words"),
    [
        ("breaks", "error", "ZeroDivisionError: no move comes to my mind (bots.py, line"),
        ("cheats", "illegal", "u999"),
        ("mute", "illegal", "None"),
        ("hangs", "timeout", "no answer in 1.0 s; its last words: still thinking"),
    ],
)
def test_who_fails_loses(bot: str, status: str, words: str) -> None:
    """The others share the win, and what was said last is kept; the record stops there and is legal."""
    result = game("random", bot, "random")
    assert result.shares == (0.5, 0, 0.5)
    assert [seat.status for seat in result.seats] == ["ok", status, "ok"]
    assert words in (result.seats[1].last_words or "")
    assert not replay(result.record).over
    assert result.record["failed"] == {"seat": 1, "status": status}


@pytest.mark.parametrize("when", ["at once", "in thought", "at last"])
def test_who_ends_the_process_does_so(when: str) -> None:
    """SystemExit may come from a signal, in the middle of a bot's thoughts: it is nobody's failure."""
    with pytest.raises(SystemExit):
        play("orma", [load("random"), Polite(leaves=when)], 1)


def test_a_late_bot_is_counted_and_plays_on() -> None:
    """Our own players are not killed."""
    result = play("face-to-face", [load("slow"), load("random")], 1, limits=Limits(seconds=0.001))
    slow = result.seats[0]
    assert slow.status == "ok"
    assert slow.late == slow.decisions
    assert slow.slowest >= 0.002


class Polite:
    """Wants to be told when a game begins and ends."""

    def __init__(self, broken: bool = False, leaves: str = "") -> None:
        self.name = "polite"
        self.told: list[object] = []
        self.broken = broken
        self.leaves = leaves

    def new_game(self) -> None:
        self.told.append("new")
        if self.broken:
            raise RuntimeError("not today")
        if self.leaves == "at once":
            raise SystemExit(3)

    def choose(self, position: Position) -> str:
        if self.leaves == "in thought":
            raise SystemExit(3)
        return position.legal_moves[0]

    def over(self, scores: list[int], winners: list[int], seat: int) -> None:
        self.told.append((scores, winners, seat))
        if self.leaves == "at last":
            raise SystemExit(3)
        raise RuntimeError("too late to matter")

    def close(self) -> None:
        pass


def test_players_are_told_of_begin_and_end() -> None:
    """`over` has the final scores, who won, and the own seat."""
    polite = Polite()
    result = play("orma", [load("random"), polite], 1)
    assert polite.told == ["new", (result.record["scores"], result.record["winners"], 1)]
    assert result.seats[1].status == "ok"


def test_who_cannot_begin_loses() -> None:
    """Without a move."""
    result = play("orma", [Polite(broken=True), load("random")], 1)
    assert result.shares == (0, 1)
    assert result.seats[0].status == "error"
    assert result.record["moves"] == []


def test_players_get_a_position_of_their_own_seat() -> None:
    """With the limits, and a seed that is another one for each move."""
    seen: list[Position] = []

    def watch(position: Position) -> str:
        seen.append(position)
        return CHOICES["random"](position)

    players: list[Player] = [TestBot("a", watch), load("random")]
    result = play("out-of-sock", players, 1, limits=Limits(simulations=5))
    assert {position.seat for position in seen} == {0}
    assert len({position.seed for position in seen}) == len(seen) == result.seats[0].decisions
    assert seen[0].limits == Limits(simulations=5)
