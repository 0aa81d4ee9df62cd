"""Work out the effect of a message: the change to be stored, or a RequestRefused. Nothing changes here."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from tavolino.play.fairness import commitment
from tavolino.play.game import Game, IllegalMove
from tavolino.server.entries import (
    AnyEntry,
    Began,
    Closed,
    Ended,
    Filled,
    Hosted,
    Left,
    Moved,
    Readied,
    Rematched,
    Sat,
    Sealed,
    Sealing,
    Shown,
    Undone,
)
from tavolino.server.messages import Code, Fill, Incoming, Leave, Move, Next, Reason, Rematch, Seal, Show, Sit, Undo
from tavolino.server.sealing import Round
from tavolino.server.settings import clean_name
from tavolino.server.table import BOT_NAMES, Chair, Played, Table

MOST_MEMBERS = 60
"""How many people can have had a seat at a table."""


class RequestRefused(Exception):
    """A request that cannot be carried out; nothing has changed."""

    def __init__(self, code: Code, text: str, reason: Reason | None = None, **values: Any) -> None:
        """Say why: a code for programs, a text in English, and for the page a reason and the values of its sentence."""
        super().__init__(text)
        self.code, self.reason, self.values = code, reason, values


def refuse(code: Code, text: str, reason: Reason | None = None, **values: Any) -> NoReturn:
    """Raise a RequestRefused."""
    raise RequestRefused(code, text, reason, **values)


@dataclass(slots=True)
class Change:
    """What is to be stored, and its effect."""

    entries: list[AnyEntry]
    after: Game | None = None
    """The game with the move played."""
    events: list[dict[str, Any]] = field(default_factory=list)
    """What happened, including secrets."""
    who: str | None = None
    """The identity (hashed) of the person who sits down, among whose tables it now is."""


def seated(table: Table, who: str) -> list[int]:
    """Return the seats of a person; RequestRefused if there are none."""
    return table.seats_of(who) or refuse("not_seated", "you have no seat at this table")


def playing(table: Table) -> Played:
    """Return the game in progress; RequestRefused if there is none."""
    if table.phase != "playing" or table.current is None:
        refuse("not_now", "no game is in progress", "no_game")
    return table.current


def decide(
    table: Table, who: str, message: Incoming, may_replace: Callable[[int], bool], abandoned: bool = False
) -> Change:
    """Return the effect of a person's message.

    `may_replace` tells whose seat a bot may take; `abandoned`, whether nobody has done anything here for days.
    """
    if table.closed:
        refuse("not_now", "this table is closed: everyone has left", "closed")
    match message:
        case Move(at=at, word=word):
            return decide_move(table, _mover(table, who, at), word)
        case Undo(at=at):
            return _undo(table, who, at)
        case Sit():
            return _sit(table, who, message)
        case Seal(round=number, seal=seal):
            return _seal(table, who, number, seal)
        case Show(round=number, share=share):
            return _show(table, who, number, share)
        case Leave():
            return _leave(table, who, abandoned)
        case Fill(seat=seat, level=level):
            return _fill(table, who, seat, level, may_replace)
        case Next():
            seated(table, who)
            if table.phase != "between":
                refuse("not_now", "there is no next game to begin now", "no_next")
            return decide_ready(table, who)
        case Rematch():
            seated(table, who)
            if table.phase != "over":
                refuse("not_now", "the match is not over", "match_goes_on")
            return decide_ready(table, who)
        case _:
            refuse("bad_message", "hello must come first, and only once")


def _mover(table: Table, who: str, at: int) -> int:
    """Return the seat to move, if it is this person's and they have seen the position."""
    playing(table)
    seat = table.to_move
    assert seat is not None
    seated(table, who)
    if at < table.changed:
        refuse("stale", "the position has changed since")
    if at > table.number:
        refuse("stale", "there is no such position yet")
    if table.chairs[seat].who != who:
        refuse("not_your_turn", f"it is seat {seat}'s turn")
    if table.chairs[seat].level is not None:
        refuse("not_your_turn", "a bot plays for you: take your seat back first", "bot_plays")
    return seat


def decide_move(table: Table, seat: int, word: str, by: str = "") -> Change:
    """Return the effect of a move by the seat to move."""
    try:
        after, words, events = playing(table).game.after(word)
    except IllegalMove as error:
        if error.refusal is None:
            raise RequestRefused("illegal", str(error), "no_move", word=word) from None
        clauses, why, values = error.refusal
        said = {"clauses": ", ".join(clauses), "why": why, "values": dict(values)}
        raise RequestRefused("illegal", str(error), "rule", word=word, **said) from None
    entries: list[AnyEntry] = [Moved(seat, words, by)]
    if after.over and table.last_of_match:
        entries.append(Ended())
    return Change(entries, after, events)


def _undo(table: Table, who: str, at: int) -> Change:
    game, mine = playing(table).game, seated(table, who)
    if not table.changed <= at <= table.number:
        refuse("stale", "the position has changed since")
    for seat in mine:
        if game.may_undo(seat):
            return Change([Undone(seat)], events=[{"type": "move_undone", "seat": seat, "word": game.moves[-1]}])
    text = "there is nothing you can take back: only your own moves, before anything new is revealed"
    refuse("not_allowed", text, "nothing_to_undo")


def _sit(table: Table, who: str, asked: Sit) -> Change:
    name, seat, share = asked.name, asked.seat, asked.share
    if who.startswith("watcher:"):
        refuse("not_allowed", "a seat needs a cookie, and this browser sent none", "no_cookie")
    try:
        name = clean_name(name)
    except ValueError as error:
        refuse("bad_name", str(error))
    free = [i for i, chair in enumerate(table.chairs) if chair.open]
    if not free and table.by_consent and table.between_matches:  # a bot makes room for a person
        free = [i for i, chair in enumerate(table.chairs) if chair.who is None]
    if seat is not None and seat < len(table.chairs) and table.chairs[seat].who == who:
        late = table.round is not None and not table.round.complete and not share
        return Change([Sat(seat, who, name, share), *(_without(table, [seat]) if late else [])], who=who)
    if table.seats_of(who):
        refuse("not_allowed", "you already have a seat at this table", "has_seat")
    if who in table.members and table.members[who].barred:
        refuse("not_allowed", "the host of this table lets you take no seat", "barred")
    if not free:
        refuse("full", "no seat is free; you can watch")
    if who not in table.members and len(table.members) >= MOST_MEMBERS:
        refuse("full", f"{MOST_MEMBERS} people have had a seat here: open another table", "room_full")
    seat = free[0] if seat is None else seat
    if seat not in free:
        if seat >= len(table.chairs):
            refuse("seat_taken", "there is no such seat", "no_seat")
        refuse("seat_taken", "this seat is taken")
    hosted = [Hosted(who)] if table.host not in table.members else []  # a big screen opened it
    change = Change([Sat(seat, who, name, share), *hosted], who=who)
    return change if table.by_consent else _and_deal(change, len(free) == 1, share or bool(table.awaited))


def _leave(table: Table, who: str, abandoned: bool) -> Change:
    """Free the seats; if no other person is left, the table closes: its bots stop, and its game is opened.

    At an abandoned table, nobody waits for the others.
    """
    entries: list[AnyEntry] = [Left(seat) for seat in seated(table, who)]
    others = not abandoned and any(chair.who not in (None, who) for chair in table.chairs)
    if not others and table.phase != "over" and not table.anew:
        return Change([*entries, Closed()])
    if table.phase == "waiting" and (table.round is None or not table.round.complete):
        return Change(entries)  # the seats are free again
    return Change([*entries, *_without(table, table.seats_of(who))])


def _fill(table: Table, who: str, seat: int, level: str, may_replace: Callable[[int], bool]) -> Change:
    if seat >= len(table.chairs):
        refuse("bad_message", "there is no such seat", "no_seat")
    if table.host != who:
        seated(table, who)
    chair, filled = table.chairs[seat], Change([Filled(seat, level)])
    if chair.open:
        if table.host != who:
            refuse("not_allowed", "only the host can put a bot in an open seat", "not_opener")
        if not table.by_consent:
            full = sum(chair.open for chair in table.chairs) == 1
            return _and_deal(filled, full, bool(table.awaited))
    elif not may_replace(seat) and not (table.host == who and table.between_matches):
        refuse(
            "not_allowed",
            "a bot can only replace someone who has been away, or kept a deal waiting, for a while",
            "not_away",
        )
    if table.by_consent and table.phase != "playing" and table.round is None:
        chairs = [*table.chairs]
        chairs[seat] = Chair(chair.who, chair.name or BOT_NAMES[seat], level)
        return Change([*filled.entries, *deal_if_ready(table, chairs, table.ready)])
    return Change([*filled.entries, *_without(table, [seat])])


def _and_deal(change: Change, full: bool, shared: bool) -> Change:
    """Add the first deal once all seats are taken."""
    return Change([*change.entries, deal(shared)], who=change.who) if full else change


def decide_ready(table: Table, who: str, ready: bool = True) -> Change:
    """Return the effect of someone's being ready for the next game, or not: with the last one, it is dealt."""
    seated(table, who)
    _nothing_prepared(table)
    if table.phase == "playing":
        refuse("not_now", "a game is being played", "in_game")
    if ready is (who in table.ready):
        refuse("not_now", "you have said so already", "said_so")
    if not ready:
        return Change([Readied(who, False)])
    dealt = deal_if_ready(table, table.chairs, table.ready | {who})
    return Change(dealt or [Readied(who)])


def deal_if_ready(table: Table, chairs: list[Chair], ready: set[str]) -> list[AnyEntry]:
    """Return the next deal if these seats are all taken and all their people are ready; else nothing.

    A rematch rotates the seats, so that the same seat is the next person; not if the host has arranged them.
    """
    people = [chair for chair in chairs if chair.who is not None and chair.level is None]
    if not people or any(chair.open for chair in chairs) or any(chair.who not in ready for chair in people):
        return []
    shared = any(chair.awaited for chair in chairs)
    if table.current is None:
        return [deal(shared)]
    if table.phase == "between":
        return [deal(shared, table.next_first())]
    first = None if table.anew else next(one.first for one in table.of_match)
    return [Rematched(), deal(shared, first)]


def deal(shared: bool, first: int | None = None) -> AnyEntry:
    """Return a new deal, or the begin of its preparation where browsers bring shares.

    Without a first seat, chance decides who starts.
    """
    secret = secrets.token_hex(32)
    return Sealing(secret, first, terms=True) if shared else Began(secret, first)


def _nothing_prepared(table: Table) -> None:
    if table.round is not None:
        refuse("not_now", "the next game is being dealt: a browser has yet to bring its share", "preparing")


def _round(table: Table, number: int, complete: bool) -> Round:
    """Return the deal being prepared, if it is this one and has come so far; RequestRefused if not."""
    if table.round is None or table.round.number != number or table.round.complete is not complete:
        refuse("not_now", "this deal is not prepared, or has come further", "no_round")
    return table.round


def _seal(table: Table, who: str, number: int, seal: str) -> Change:
    """Take a browser's commitment; until all have theirs, it may send another (from another device, say)."""
    mine = [seat for seat in seated(table, who) if table.chairs[seat].awaited]
    now = _round(table, number, complete=False)
    if not mine:
        refuse("not_allowed", "you sat down without a share: sit with `share` first")
    if seal in [one for seat, one in enumerate(now.seals) if seat not in mine]:
        refuse("not_allowed", "another seat has sealed the same share: draw one of your own", "other_share")
    return Change([Sealed(mine, seal)])


def _show(table: Table, who: str, number: int, share: str) -> Change:
    """Open a browser's share; with the last one, the game is dealt."""
    mine = seated(table, who)
    now = _round(table, number, complete=True)
    mine = [seat for seat in now.unopened() if seat in mine]
    if not mine or any(now.seals[seat] != commitment(share) for seat in mine):
        refuse("not_allowed", "this is not the share that you sealed", "other_share")
    entries: list[AnyEntry] = [Shown(mine, share)]
    if not now.unopened(besides=mine):
        shares = [share if seat in mine else one for seat, one in enumerate(now.shares)]
        entries.append(Began(now.secret, now.first, shares))
    return Change(entries)


def _without(table: Table, seats: list[int]) -> list[AnyEntry]:
    """Return what becomes of the deal being prepared when bots take these seats.

    Before all have sealed, nobody has opened a share: the deal goes on without these. After that, whoever has not
    opened has lost the game: withholding must not be a way to another deal.
    """
    now = table.round
    if now is None:
        return []
    if now.complete:
        if not set(seats) & set(now.unopened()):
            return []
        games = table.games if table.of_match else table.settings.games
        ended = [Ended()] if len(table.of_match) + 1 == games else []
        return [Began(now.secret, now.first, now.shares), *ended]
    return [] if set(table.awaited) - set(seats) else [Began(now.secret, now.first)]
