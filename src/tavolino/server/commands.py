"""Work out the effect of a message: the change to be stored, or a Refusal. Nothing changes here."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from tavolino.play.game import Game, IllegalMove
from tavolino.server.entries import (
    AnyEntry,
    Began,
    Closed,
    Ended,
    Filled,
    Left,
    Moved,
    Rematched,
    Sat,
    Undone,
)
from tavolino.server.messages import Code, Fill, Incoming, Leave, Move, Next, Reason, Rematch, Sit, Undo
from tavolino.server.settings import clean_name
from tavolino.server.table import Played, Table


class Refusal(Exception):
    """A request that cannot be carried out; nothing has changed."""

    def __init__(self, code: Code, text: str, reason: Reason | None = None, **values: Any) -> None:
        """Say why: a code for programs, a text in English, and for the page a reason and the values of its sentence."""
        super().__init__(text)
        self.code, self.reason, self.values = code, reason, values


def refuse(code: Code, text: str, reason: Reason | None = None, **values: Any) -> NoReturn:
    """Raise a Refusal."""
    raise Refusal(code, text, reason, **values)


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
    """Return the seats of a person; Refusal if there are none."""
    return table.seats_of(who) or refuse("not_seated", "you have no seat at this table")


def playing(table: Table) -> Played:
    """Return the game in progress; Refusal if there is none."""
    if table.phase != "playing" or table.current is None:
        refuse("not_now", "no game is in progress", "no_game")
    return table.current


def decide(table: Table, who: str, message: Incoming, may_replace: Callable[[int], bool]) -> Change:
    """Return the effect of a person's message; `may_replace` tells whose seat a bot may take."""
    if table.closed:
        refuse("not_now", "this table is closed: everyone has left", "closed")
    match message:
        case Move(at=at, word=word):
            return decide_move(table, _mover(table, who, at), word)
        case Undo(at=at):
            return _undo(table, who, at)
        case Sit(name=name, seat=seat):
            return _sit(table, who, name, seat)
        case Leave():
            return _leave(table, who)
        case Fill(seat=seat, level=level):
            return _fill(table, who, seat, level, may_replace)
        case Next():
            seated(table, who)
            if table.phase != "between":
                refuse("not_now", "there is no next game to begin now", "no_next")
            return Change([began(table.next_first())])
        case Rematch():
            return _rematch(table, who)
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
            raise Refusal("illegal", str(error), "no_move", word=word) from None
        clauses, why, values = error.refusal
        said = {"clauses": ", ".join(clauses), "why": why, "values": dict(values)}
        raise Refusal("illegal", str(error), "rule", word=word, **said) from None
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


def _sit(table: Table, who: str, name: str, seat: int | None) -> Change:
    if who.startswith("watcher:"):
        refuse("not_allowed", "a seat needs a cookie, and this browser sent none", "no_cookie")
    try:
        name = clean_name(name)
    except ValueError as error:
        refuse("bad_name", str(error))
    free = [i for i, chair in enumerate(table.chairs) if chair.open]
    if seat is not None and seat < len(table.chairs) and table.chairs[seat].who == who:
        return Change([Sat(seat, who, name)], who=who)
    if table.seats_of(who):
        refuse("not_allowed", "you already have a seat at this table", "has_seat")
    if not free:
        refuse("full", "no seat is free; you can watch")
    seat = free[0] if seat is None else seat
    if seat not in free:
        if seat >= len(table.chairs):
            refuse("seat_taken", "there is no such seat", "no_seat")
        refuse("seat_taken", "this seat is taken")
    return _and_begin(Change([Sat(seat, who, name)], who=who), len(free) == 1)


def _leave(table: Table, who: str) -> Change:
    """Free the seats; if no other person is left, the table closes and its bots stop."""
    entries: list[AnyEntry] = [Left(seat) for seat in seated(table, who)]
    others = any(chair.who not in (None, who) for chair in table.chairs)
    if not others and table.phase != "over":
        entries.append(Closed())
    return Change(entries)


def _fill(table: Table, who: str, seat: int, level: str, may_replace: Callable[[int], bool]) -> Change:
    if seat >= len(table.chairs):
        refuse("bad_message", "there is no such seat", "no_seat")
    if table.opened.who != who:
        seated(table, who)
    if table.chairs[seat].open:
        if table.opened.who != who:
            refuse("not_allowed", "only the person who opened the table can put a bot in an open seat", "not_opener")
        return _and_begin(Change([Filled(seat, level)]), sum(chair.open for chair in table.chairs) == 1)
    if not may_replace(seat):
        refuse("not_allowed", "a bot can only replace someone who has been away for a while", "not_away")
    return Change([Filled(seat, level)])


def _and_begin(change: Change, full: bool) -> Change:
    """Add the first deal once all seats are taken."""
    return Change([*change.entries, began()], who=change.who) if full else change


def _rematch(table: Table, who: str) -> Change:
    seated(table, who)
    if table.phase != "over" or table.closed:
        refuse("not_now", "the match is not over", "match_goes_on")
    first = next(one.first for one in table.of_match)  # seats are rotated: the same seat is the next person
    return Change([Rematched(), began(first)])


def began(first: int | None = None) -> Began:
    """Return a new deal; without a first seat, its secret decides who starts."""
    return Began(secrets.token_hex(16), first)
