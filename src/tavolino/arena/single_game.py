"""One game between players: `play_game` asks them for moves and returns how it went and how long they thought."""

import contextlib
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tavolino.bots.external import PlayerFailed
from tavolino.bots.players import Player
from tavolino.bots.position import Limits, Position
from tavolino.engine.plain import win_shares
from tavolino.play.game import Game, IllegalMove, deal
from tavolino.play.seeds import Seed, derive
from tavolino.play.setup import Setup

GRACE = 1.1
"""A move is late when it takes longer than the time limit by more than a tenth."""
LAST_WORDS = 500
"""How many characters of a failed player's last output are kept."""


@dataclass(frozen=True)
class SeatOutcome:
    """How a game went for one seat."""

    share: float
    """Of the win: 1/k for each of k winners."""
    decisions: int
    """Moves it was asked for."""
    seconds: float
    slowest: float
    """Seconds for the slowest of them."""
    late: int
    """Moves that took longer than the time limit; they are counted, but played all the same."""
    status: str = "ok"
    """`ok`, `error`, `timeout` or `illegal`."""
    last_words: str | None = None
    """What went wrong, and the end of its output."""


@dataclass(frozen=True)
class Outcome:
    """How a game went."""

    seats: tuple[SeatOutcome, ...]
    record: dict[str, Any]
    """As from `Game.record`; if a player failed, it is unfinished and says who failed."""

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the win."""
        return tuple(seat.share for seat in self.seats)


@dataclass
class _Clock:
    """What is measured of one seat while a game goes on."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    late: int = 0

    def add(self, seconds: float, limit: float | None) -> None:
        self.decisions += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)
        self.late += limit is not None and seconds > GRACE * limit


@dataclass(frozen=True)
class _Failure:
    seat: int
    status: str
    last_words: str


def play_game(
    setup: Setup, players: Sequence[Player], seed: Seed, limits: Limits | None = None, bot_seed: str = "0"
) -> Outcome:
    """Play one deal with a player in each seat; each gets a Position, never the game itself.

    A player that raises an exception, runs out of time or answers with an illegal move loses at once, and the others
    share the win. If a built-in player takes too long, that is only counted. The random numbers of a seat at each move
    come from `bot_seed`, the seat and the number of the move.
    """
    limits = limits or Limits()
    table = deal(setup, seed)
    clocks = [_Clock() for _ in players]
    failure = _greet(players)
    while failure is None and not table.over:
        seat = table.to_move
        assert seat is not None  # the game lets its own dice fall
        move_seed = f"{derive(bot_seed, setup.key, f'bot/{seat}/{len(table.moves)}'):016x}"
        began = time.perf_counter()
        try:
            word = players[seat].choose(Position(table, seat, move_seed, limits))
        except Exception as error:  # not SystemExit: who wants this process to end is obeyed, and no bot loses by it
            failure = _failed(seat, error)
        else:
            failure = _play(table, seat, word)
        clocks[seat].add(time.perf_counter() - began, limits.seconds)
    shares = _shares(table, failure)
    for seat, player in enumerate(players):
        if (tell := getattr(player, "over", None)) is not None:
            with contextlib.suppress(Exception):  # the game is decided: what happens now changes nothing
                tell(table.scores, [other for other, share in enumerate(shares) if share], seat)
    record = table.record()
    if failure is not None:
        record["failed"] = {"seat": failure.seat, "status": failure.status}
    return Outcome(
        tuple(
            SeatOutcome(
                shares[seat],
                clock.decisions,
                clock.seconds,
                clock.slowest,
                clock.late,
                *((failure.status, failure.last_words) if failure and failure.seat == seat else ()),
            )
            for seat, clock in enumerate(clocks)
        ),
        record,
    )


def _greet(players: Sequence[Player]) -> _Failure | None:
    for seat, player in enumerate(players):
        if (begin := getattr(player, "new_game", None)) is not None:
            try:
                begin()
            except Exception as error:
                return _failed(seat, error)
    return None


def _play(table: Game, seat: int, word: Any) -> _Failure | None:
    try:
        table.play(word)
    except IllegalMove as error:
        return _Failure(seat, "illegal", str(error)[:LAST_WORDS])
    return None


def _failed(seat: int, error: Exception) -> _Failure:
    if isinstance(error, PlayerFailed):
        return _Failure(seat, error.status, str(error).removeprefix(f"{error.status}: ")[:LAST_WORDS])
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return _Failure(seat, "error", f"{type(error).__name__}: {error}"[:LAST_WORDS] + where)


def _shares(table: Game, failure: _Failure | None) -> list[float]:
    if failure is not None:
        winners = [seat for seat in range(table.players) if seat != failure.seat]
    else:
        winners = table.winners or []
    return win_shares(winners, table.players)
