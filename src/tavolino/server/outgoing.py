"""Build what each connection is shown of a table: its own view, and no secrets of others."""

from collections.abc import Sequence
from typing import Any

import msgspec

from tavolino.play.game import Game
from tavolino.play.telling import events_for
from tavolino.server.clock import service_ms
from tavolino.server.connection import Connection, encoded
from tavolino.server.descriptions import ClockInfo, SealingInfo, SeatInfo, TableInfo, Terms, Warmth
from tavolino.server.messages import VERSION, Snapshot, Update, or_unset
from tavolino.server.presence import PresenceTracker
from tavolino.server.table import Table

Events = Sequence[dict[str, Any]]


def viewpoint(table: Table, connection: Connection) -> tuple[int | None, int | None]:
    """Return the seat that a connection sees the table from, and the seat for which the curtain is down."""
    mine = table.seats_of(connection.who)
    if len(mine) <= 1:
        return (mine[0] if mine else None), None
    mover = table.to_move
    if mover in mine and connection.looking != mover:
        return None, mover
    return (connection.looking if connection.looking in mine else None), None


def _legal(table: Table, game: Game, seat: int | None) -> list[dict[str, Any]]:
    """Return the moves that a person may play in a game in progress."""
    if seat is None or seat != game.to_move or table.chairs[seat].level is not None:
        return []
    return game.offers


def snapshot(
    table: Table,
    presence: PresenceTracker,
    connection: Connection,
    warming: Warmth | None,
    events: Events = (),
    ack: str | None = None,
) -> bytes:
    """Return everything that a connection may know."""
    seat, curtain = viewpoint(table, connection)
    game = None if table.current is None or table.anew else table.current.game
    going = game if table.phase == "playing" else None
    return encoded(
        Snapshot(
            v=VERSION,
            number=table.number,
            table=info(table, presence, connection.who, warming),
            seat=seat,
            yours=table.seats_of(connection.who),
            curtain=curtain,
            view=None if game is None else game.view(seat),
            movers=[] if game is None else game.movers,
            legal=[] if going is None else _legal(table, going, seat),
            undo=0 if seat is None or going is None else going.may_undo(seat),
            clock=table.clock(service_ms()),
            events=events_for(events, seat),
            id=or_unset(ack),
        )
    )


def info(table: Table, presence: PresenceTracker, who: str, warming: Warmth | None) -> TableInfo:
    """Return a table as a person sees it from outside."""
    settings, current = table.settings, table.current
    given = table.opened.given
    sealed = current if given is None else None
    open_now = sealed is not None and (sealed.over or table.closed or table.anew)
    people, watching = presence.present()
    members = list(table.members)
    return TableInfo(
        id=table.id,
        game=settings.game,
        phase=table.phase,
        seats=[
            SeatInfo(
                kind="open" if chair.open else "bot" if chair.who is None else "person",
                name=chair.name,
                level=chair.level,
                you=chair.who is not None and chair.who == who,
                here=chair.level is not None or chair.who in people,
                may_replace=presence.may_replace(seat, people),
                ready=chair.level is not None or chair.who in table.ready,
                member=None if chair.who is None else members.index(chair.who),
            )
            for seat, chair in enumerate(table.chairs)
        ],
        options=table.setup().options,
        games=table.games if table.phase == "over" else settings.games,
        starts=settings.starts,
        clock=settings.clock,
        listed=settings.listed,
        hints=settings.hints,
        ready=table.by_consent,
        yours=table.host == who,
        host=table.host_name,
        host_away=presence.is_away(table.host, people),
        match=table.match,
        playing=len(table.played) - 1,
        to_move=table.to_move,
        results=[] if table.anew else [one.result for one in table.of_match if one.over],
        totals=table.totals,
        commitment=None if sealed is None else sealed.commitment,
        seals=None if sealed is None else sealed.seals,
        terms=None if sealed is None else _terms(sealed.terms),
        secret=sealed.secret if sealed is not None and open_now else None,
        shares=sealed.shares if sealed is not None and open_now else None,
        practice=None if given is None else len(given.moves),
        sealing=sealing(table),
        watching=watching,
        screens=presence.screens,
        warming=warming,
    )


def sealing(table: Table) -> SealingInfo | None:
    """Return the deal being prepared, as everyone may know it: no secret and no share."""
    if (now := table.round) is None:
        return None
    due = table.due
    awaited = [seat in due for seat in range(len(table.chairs))]
    terms = _terms(now.terms)
    return SealingInfo(now.number, len(table.played), now.promise, awaited, now.seals, terms, now.fingerprint)


def _terms(bound: dict[str, Any] | None) -> Terms | None:
    return None if bound is None else Terms(**bound)


class Updates:
    """The messages about a move in a game in progress, made once for all who look from the same seat."""

    __slots__ = ("_clock", "_events", "_game", "_made", "_number", "_open", "_table", "_words")

    def __init__(
        self, table: Table, number: int, game: Game, events: Events, words: list[str], clock: ClockInfo | None
    ) -> None:
        """Prepare them; `game` and `number` are those after the move. Without `words`: a move taken back."""
        self._table = table
        self._number = number
        self._game = game
        self._events = events
        self._words = words
        self._clock = clock
        self._open = encoded(game.open_position())
        self._made: dict[tuple[int | None, str | None], bytes] = {}

    def text(self, seat: int | None, ack: str | None = None) -> bytes:
        """Return the message for a seat (None: a spectator); `ack` is the id of the message that made the move."""
        made = self._made.get((seat, ack))
        if made is None:
            game = self._game
            made = encoded(
                Update(
                    self._number,
                    events_for(self._events, seat),
                    self._words,
                    self._position(seat),
                    _legal(self._table, game, seat),
                    0 if seat is None else game.may_undo(seat),
                    or_unset(self._clock),
                    msgspec.UNSET if self._words else game.moves,
                    or_unset(ack),
                )
            )
            self._made[seat, ack] = made
        return made

    def _position(self, seat: int | None) -> Any:
        """Return `Game.position` as JSON, whose open part was written once for all."""
        own = encoded(self._game.own_position(seat))
        return msgspec.Raw(self._open if own == b"{}" else self._open[:-1] + b"," + own[1:])
