"""A table that stays, for a group: what its host arranges between two matches, and what it remembers.

docs/decisions/0010-a-room-is-a-table.md says why this is no thing of its own.
"""

from collections.abc import Callable
from dataclasses import replace

import msgspec
from msgspec import Struct

from tavolino.bots.players import LEVELS
from tavolino.server import commands
from tavolino.server.commands import Change, RequestRefused, decide_ready, refuse
from tavolino.server.entries import AnyEntry, Arranged, Barred, Hosted, Placed
from tavolino.server.messages import Admit, Choose, Free, Hand, Incoming, Ready, Sit, Swap
from tavolino.server.settings import SeatChoice, TableSettings, read_settings
from tavolino.server.table import SUBSTITUTE, Chair, Table

SHOWN = 30
"""Of how many of the latest games a room tells the results."""


class GamesWon(Struct, frozen=True):
    """Someone's games of one kind."""

    game: str
    """Its key."""
    played: int
    won: int
    """Shared wins count."""


class MemberInfo(Struct, frozen=True):
    """Someone who has had a seat here, or a bot that has played."""

    member: int | None
    """The number of a person, in the order they came; null for a bot."""
    name: str
    you: bool
    host: bool
    here: bool
    """Whether they are connected; bots always are."""
    seat: int | None
    """Where they sit now; the first of several seats."""
    barred: bool
    """Whether the host lets them take no seat."""
    tallies: list[GamesWon]
    """In the order in which the games were first played here."""


class PastGame(Struct, frozen=True):
    """A game that was played here."""

    number: int
    """Counted from 0, as for its replay and record."""
    game: str
    """Its key."""
    at: int
    """When it was dealt, in milliseconds since the epoch."""
    names: list[str]
    """By seat."""
    you: list[int]
    """Your seats in it."""
    scores: list[int]
    winners: list[int]
    ending: str
    """As in a `GameResult`."""


class RoomInfo(Struct, frozen=True):
    """What a table remembers: people, results, statistics."""

    members: list[MemberInfo]
    games: list[PastGame]
    """The latest first, so many as are shown."""
    played: int
    """How many games were finished here."""
    agreed: list[TableSettings]
    """What was last agreed on, for each game that was chosen here."""


def describe(table: Table, who: str, people: set[str]) -> RoomInfo:
    """Return what a table remembers, as a person sees it; `people` are connected."""
    done = [(number, one) for number, one in enumerate(table.played) if one.over or table.closed or table.anew]
    tallies: dict[tuple[str | None, str], dict[str, list[int]]] = {(one, ""): {} for one in table.members}
    for _, one in done:
        winners = one.result.winners
        counted = set()
        for seat, (person, name) in enumerate(zip(one.people, one.names, strict=True)):
            key = (None, name) if person is None else (person, "")
            if key in counted:  # several seats on one device are not several results
                continue
            counted.add(key)
            tally = tallies.setdefault(key, {}).setdefault(one.key, [0, 0])
            tally[0] += 1
            tally[1] += seat in winners
    members = list(table.members)
    seats = {(chair.who, "" if chair.who else chair.name): seat for seat, chair in reversed([*enumerate(table.chairs)])}
    return RoomInfo(
        [
            MemberInfo(
                member=None if person is None else members.index(person),
                name=name if person is None else table.members[person].name,
                you=person == who,
                host=person == table.host,
                here=person is None or person in people,
                seat=seats.get((person, name)),
                barred=person is not None and table.members[person].barred,
                tallies=[GamesWon(game, *counts) for game, counts in found.items()],
            )
            for (person, name), found in tallies.items()
        ],
        [
            PastGame(
                number,
                one.key,
                one.at,
                one.names,
                [seat for seat, person in enumerate(one.people) if person == who],
                one.result.scores,
                one.result.winners,
                one.result.ending,
            )
            for number, one in done[: -SHOWN - 1 : -1]
        ],
        len(done),
        list(table.agreed.values()),
    )


def decide(
    table: Table,
    who: str,
    message: Incoming,
    may_replace: Callable[[int], bool],
    is_away: Callable[[str], bool],
    abandoned: bool = False,
) -> Change:
    """Return the effect of a person's message, whatever it is about.

    `may_replace` tells whose seat a bot may take, `is_away` who has been away for a while; `abandoned`, whether nobody
    has done anything here for days.
    """
    if table.closed and isinstance(message, Sit) and table.settings.ready:
        return _reopen(table, who, message, may_replace)
    if table.closed:
        refuse("not_now", "this table is closed: everyone has left", "closed")
    match message:
        case Ready(ready=ready):
            return decide_ready(table, who, ready)
        case Hand(member=member):
            return _hand(table, who, _member(table, member), is_away)
        case Admit(member=member):
            _be_host(table, who)
            return Change([Barred(_member(table, member), barred=False)])
        case Choose():
            return _choose(table, who, message)
        case Swap(seat=seat, to=to):
            chairs = _arrangeable(table, who, seat, to)
            chairs[seat], chairs[to] = chairs[to], chairs[seat]
            return Change([arranged(table.settings, chairs)])
        case Free(seat=seat, bar=bar):
            return _free(table, who, seat, bar)
        case _:
            return commands.decide(table, who, message, may_replace, abandoned)


def arranged(settings: TableSettings, chairs: list[Chair]) -> Arranged:
    """Return the entry for what is played next in these seats."""
    seats: list[SeatChoice] = ["open" if chair.who or chair.open else f"bot:{chair.level}" for chair in chairs]
    placed = [Placed(chair.who, chair.name, chair.level, chair.share) for chair in chairs]
    return Arranged(msgspec.structs.replace(settings, seats=seats), placed)


def _be_host(table: Table, who: str) -> None:
    if table.host != who:
        refuse("not_allowed", "only the host can do that", "not_host")


def _member(table: Table, number: int) -> str:
    members = list(table.members)
    if number >= len(members):
        refuse("bad_message", "there is no such person here", "no_member")
    return members[number]


def _arrangeable(table: Table, who: str, *seats: int) -> list[Chair]:
    """Return the chairs, to be changed, if this person may arrange them now; RequestRefused if not."""
    _be_host(table, who)
    if not table.between_matches:
        refuse("not_now", "seats and rules can be changed between two matches", "in_game")
    if any(seat >= len(table.chairs) for seat in seats):
        refuse("bad_message", "there is no such seat", "no_seat")
    return list(table.chairs)


def _choose(table: Table, who: str, wish: Choose) -> Change:
    chairs = _arrangeable(table, who)
    if wish.game != table.settings.game:  # one of the server's own bots knows one game
        chairs = [replace(one, level=SUBSTITUTE) if one.level and one.level not in LEVELS else one for one in chairs]
    people, bots = [one for one in chairs if one.who], [one for one in chairs if not one.who and one.level]
    if len(people) > wish.seats:
        text = f"{len(people)} people sit here, and there would be {wish.seats} seats: free a seat first"
        refuse("not_allowed", text, "too_few_seats", people=len(people))
    if wish.seats != len(chairs):
        kept = [*people, *bots][: wish.seats]
        chairs = [*kept, *[Chair() for _ in range(wish.seats - len(kept))]]
    settings = msgspec.structs.replace(
        table.settings,
        game=wish.game,
        seats=["open"] * wish.seats,
        options=wish.options,
        games=wish.games,
        starts=wish.starts,
        clock=wish.clock,
        hints=wish.hints,
    )
    try:
        return Change([arranged(read_settings(settings), chairs)])
    except ValueError as error:
        raise RequestRefused("bad_settings", str(error)) from None


def _free(table: Table, who: str, seat: int, bar: bool) -> Change:
    chairs = _arrangeable(table, who, seat)
    person = chairs[seat].who
    if bar and person == who:
        refuse("not_allowed", "you cannot bar yourself: hand the table on, or leave", "host_here")
    chairs[seat] = Chair()
    entries: list[AnyEntry] = [arranged(table.settings, chairs)]
    return Change([*entries, Barred(person)] if bar and person is not None else entries)


def _hand(table: Table, who: str, to: str, is_away: Callable[[str], bool]) -> Change:
    if who != table.host:
        commands.seated(table, who)
        if to != who:
            refuse("not_allowed", "only the host can do that", "not_host")
        if not is_away(table.host):
            refuse("not_allowed", "the host is here, or was a moment ago", "host_here")
    # Nobody is host of a table at which they may not sit: to hand it to someone lets them in again.
    return Change([Barred(to, barred=False), Hosted(to)] if table.members[to].barred else [Hosted(to)])


def _reopen(table: Table, who: str, message: Sit, may_replace: Callable[[int], bool]) -> Change:
    """Let someone come back to a table that everyone had left: its link stays good. They become its host."""
    anew = [Chair() if chair.who or not chair.level else chair for chair in table.chairs]
    if all(not chair.open for chair in anew):
        anew[0] = Chair()
    entry = arranged(table.settings, anew)
    seat = message.seat if message.seat is not None and message.seat < len(anew) and anew[message.seat].open else None
    trial = Table.open(table.id, msgspec.structs.replace(table.opened, settings=entry.settings))
    trial.members = dict(table.members)
    sat = commands.decide(trial, who, msgspec.structs.replace(message, seat=seat), may_replace)
    return Change([entry, *sat.entries[:1], Hosted(who)], who=sat.who)
