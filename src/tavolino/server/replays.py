"""Finished games, with everything open: the record with the proof of fairness, and the game step by step."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from tavolino.play.fairness import fair_part
from tavolino.play.game import Game
from tavolino.play.telling import all_events, events_for
from tavolino.server.commands import RequestRefused
from tavolino.server.descriptions import GameResult
from tavolino.server.live import Live
from tavolino.server.past import before_the_first_move, decisions
from tavolino.server.table import Played


class Record(Struct, frozen=True):
    """A finished game: `tavolino replay`, `check` and `verify` read it."""

    format: str
    game: str
    seats: int
    options: dict[str, Any]
    first: int
    deal: dict[str, Any]
    moves: list[str]
    scores: list[int]
    winners: list[int] | None
    players: list[str]
    fair: dict[str, Any]
    """Empty for a game that was taken up from a position of another one."""
    failed: dict[str, Any] | None = None
    """The seat that lost on time, or by not opening its share, if one did: the game was not played to its end."""
    practice: dict[str, int] | UnsetType = UNSET
    """Present if it was taken up from another game: deal and so many `moves` are that game's, nothing was sealed."""


class Step(Struct, frozen=True):
    """One decision, with any dice rolled after it."""

    seat: int | None
    name: str
    """The name of whoever sat there at the time."""
    words: list[str]
    events: list[dict[str, Any]]
    position: dict[str, Any]


class Replay(Struct, frozen=True):
    """A finished game step by step: `view` before the first move, then what each move led to."""

    names: list[str]
    """Of those who sat there when the game began."""
    bots: list[bool]
    """Which seats the computer had when the game began."""
    yours: list[int]
    """The seats that were yours when the game began."""
    seat: int | None
    """The seat whose view this is; None: all is open, in `own_views` by seat, and hands also in `hands`."""
    result: GameResult
    view: dict[str, Any]
    steps: list[Step]


def finished(live: Live, number: int) -> Played:
    """Return a game that is over, or was when its table closed; RequestRefused while it goes on."""
    played = live.table.played
    if number >= len(played):
        raise RequestRefused(
            "not_found", f"there is no game {number} at this table; it has had {len(played)}", "no_replay"
        )
    if not played[number].over and not live.table.closed and not live.table.anew:
        raise RequestRefused("not_now", "this game is still being played: it is open when it is over", "still_played")
    return played[number]


def record(live: Live, number: int) -> Record:
    """Return the record of a game that is over, or was when its table closed; RequestRefused while it goes on."""
    played = finished(live, number)
    failed = None if played.flagged is None else {"seat": played.flagged, "status": "timeout"}
    if played.withheld:
        failed = {"seat": played.withheld[0], "status": "withheld"}
    if (given := live.table.opened.given) is not None:
        practice = {"moves": len(given.moves)}
        return Record(**played.game.record(), players=played.names, fair={}, failed=failed, practice=practice)
    proof = fair_part(played.secret, played.first_drawn, played.shares, played.seals, played.terms)
    return Record(**played.game.record(), players=played.names, fair=proof, failed=failed)


def replay(live: Live, number: int, seat: int | None, who: str) -> Replay:
    """Return a finished game step by step, as a seat saw it or with all hands open, for a person who asks."""
    played = finished(live, number)
    if seat is not None and seat >= len(played.names):
        raise RequestRefused("not_found", f"there is no seat {seat} at this table")
    game = before_the_first_move(played)
    view = game.view(seat) | _opened(game, seat)
    steps = [
        Step(
            one.seat,
            one.name,
            one.words,
            all_events(one.events) if seat is None else events_for(one.events, seat),
            one.game.position(seat) | _opened(one.game, seat),
        )
        for one in decisions(played, game)
    ]
    bots = [person is None for person in played.people]
    yours = [place for place, person in enumerate(played.people) if person == who]
    return Replay(played.names, bots, yours, seat, played.result, view, steps)


def _opened(game: Game, seat: int | None) -> dict[str, Any]:
    """Return what each seat alone could know, for a look with all hands open; `hands` has the field of that name."""
    own = [game.own_position(other) for other in range(game.players)] if seat is None else []
    if not any(own):
        return {}
    return {"own_views": own} | ({"hands": [one["hand"] for one in own]} if "hand" in own[0] else {})
