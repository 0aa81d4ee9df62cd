"""The moves of a game so far: who made each, under the name of the time, and what it did."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tavolino.play.game import Game
from tavolino.play.records import replay
from tavolino.play.telling import events_for
from tavolino.server.messages import PastMove
from tavolino.server.table import Played


class Decision(NamedTuple):
    """One decision, with any dice rolled after it."""

    seat: int | None
    name: str
    words: list[str]
    events: list[dict[str, Any]]
    """Including secrets."""
    game: Game
    """The game at that time; the next decision changes it."""


def before_the_first_move(played: Played) -> Game:
    """Return a game as it was dealt, to be replayed."""
    return replay(played.game.record() | {"moves": [], "scores": None, "winners": None})


def decisions(played: Played, game: Game) -> Iterator[Decision]:
    """Replay a game, starting from one as it was dealt."""
    whole = played.game
    words, movers = whole.moves, whole.movers
    at = 0
    while at < len(words):
        end = at + 1
        while end < len(words) and movers[end] is None:
            end += 1
        events = [event for word in words[at:end] for event in game.tell(word)]
        seat = movers[at]
        name = "" if seat is None else played.name_at(seat, at)
        yield Decision(seat, name, words[at:end], events, game)
        at = end


def past(played: Played | None, seat: int | None) -> list[PastMove]:
    """Return the moves of a game as a seat may know them; None is a spectator."""
    if played is None:
        return []
    return [
        PastMove(one.seat, one.name, one.words, events_for(one.events, seat))
        for one in decisions(played, before_the_first_move(played))
    ]
