"""Checks of what a seat may know: in worlds that look alike to it, it gets the same; what is dealt anew is fair."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.plain import bits
from tavolino.engine.registry import GAMES
from tavolino.play.game import Game
from tavolino.play.records import replay
from tavolino.play.telling import events_for
from tavolino.testing.cases import (
    GAMES_EACH,
    Broken,
    Case,
    bytes_of,
    need,
    play_on,
    positions,
    told_where,
    unfinished,
)

ONE_IN_A_MILLION = 4.8
"""The standard score that luck exceeds once in a million times."""
WORLD = "a world to search"
"""The bytes of a state dealt anew, among what a seat gets."""


def secrets_are_kept(case: Case) -> None:
    """In two games that look alike to a seat, it sees, is offered, observes and is told the same, byte for byte."""
    for seed, game, rng in positions(case, 2 * GAMES_EACH):
        for viewer in case.viewers:
            with told_where(case, seed, game):
                one, two = (game.redeal(viewer, f"{seed}/{n}") for n in range(2))
                seen = _seen(case, game, viewer)
                for twin in (one, two, replay(one.record())):
                    for what, found in _seen(case, twin, viewer).items():
                        fields = _unlike_fields(case, found, seen[what]) if what == WORLD else ""
                        wrong = f"{what} of {_name(viewer)} changes with what it cannot know{fields}"
                        need(found == seen[what], wrong)
                for word in rng.sample(one.legal_moves, min(3, len(one.legal_moves))):
                    if word in two.legal_moves:
                        _same_news(case, one, two, viewer, word)


def _name(viewer: int | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def _seen(case: Case, game: Game, viewer: int | None) -> dict[str, bytes]:
    """Return all that a seat gets of a game."""
    found = {
        "the view": bytes_of(game.view(viewer)),
        "the position": bytes_of(game.position(viewer)),
        WORLD: game.redealt_state(viewer, 77).tobytes(),
        "how much may be undone": bytes_of(game.may_undo(viewer)),
        "what was told so far": bytes_of(_told(game, viewer)),
    }
    if viewer is not None:
        found["the observation"] = _observation(case, game, viewer)
        if game.to_move == viewer:
            found["the offers"] = bytes_of(game.offers)
            found["a bot's move"] = _advised(game, viewer).encode()
    return found


def _unlike_fields(case: Case, one: bytes, two: bytes) -> str:
    """Name the fields in which two states differ, to end a sentence."""
    state = case.game.rules.STATE
    first, second = np.frombuffer(one, state), np.frombuffer(two, state)
    unlike = [name for name in state.names or () if first[name].tobytes() != second[name].tobytes()]
    return f": after `redeal` these fields differ: {', '.join(unlike)}" if unlike else ""


def _told(game: Game, viewer: int | None) -> list[list[dict[str, Any]]]:
    """Return what a seat was told of each move of a game."""
    again = replay(unfinished(game.record(), 0))
    return [events_for(again.tell(word), viewer) for word in game.moves]


def observations_suffice(case: Case) -> None:
    """What a learner observes says all that the view says but the list of moves."""
    from tavolino.engine.generic_observation import decoded
    from tavolino.engine.observe import NEWEST

    folder = GAMES[case.key]
    views: dict[tuple[int, bytes], bytes] = {}
    for seed, game, rng in positions(case):
        play_on(game, rng, rng.randrange(30))
        for seat in range(case.players):
            with told_where(case, seed, game):
                row = _observed(case, game, seat, NEWEST)
                view = {name: part for name, part in game.view(seat).items() if name != "moves"}
                known = views.setdefault((seat, row.tobytes()), bytes_of(view))
                need(known == bytes_of(view), "two views that differ have the same observation")
                if folder.part("observation") is None:
                    told = view_told(game, decoded(folder, row, case.players, seat), seat)
                    lost = [name for name in view if bytes_of(told[name]) != bytes_of(view[name])]
                    hint = "name the fields in OPEN, EACH, … (a mask of more than 24 bits does not fit: make it a row)"
                    need(not lost, f"the observation does not tell {', '.join(lost)}: {hint}")


def view_told(game: Game, told: Any, seat: int) -> dict[str, Any]:
    """Return a seat's view, without the moves, by a state that was read from an observation; the setup is known."""
    people, over = game.setup.game.people, bool(told.over)
    return {
        "game": game.key,
        "seat": seat,
        "seats": game.players,
        "options": game.options,
        "first": told.first,
        "to_move": None if told.player < 0 else told.player,
        "chance_due": told.player < 0 and not over,
        "over": over,
        "scores": told.scores,
        "winners": bits(told.winners) if over else None,
        "ending": people.ENDINGS[told.ending] if over else None,
        **people.open_view(told),
        **people.own_view(told, seat),
    }


def _observation(case: Case, game: Game, seat: int) -> bytes:
    from tavolino.engine.observe import ENCODERS

    rows = [_observed(case, game, seat, version) for version in range(len(ENCODERS))]
    need(all(np.isfinite(row).all() for row in rows), "an observation has numbers that are not finite")
    return b"".join(row.tobytes() for row in rows)


def _observed(case: Case, game: Game, seat: int, version: int) -> NDArray[np.float32]:
    """Return what a seat observes, as environments ask for it: an encoder called alone is compiled in each process."""
    from tavolino.engine.observe import ENCODERS, observe_one

    row = np.zeros(ENCODERS[version][case.key].SIZE, np.float32)
    observe_one(game._states, seat, version, row, np.zeros(8 * game._states["legal"].shape[1], np.uint64))
    return row


def _advised(game: Game, seat: int) -> str:
    from tavolino.bots.players import builtin
    from tavolino.bots.position import Limits, Position

    return builtin("easy").choose(Position(game, seat, "testing", Limits(simulations=8)))


def _same_news(case: Case, one: Game, two: Game, viewer: int | None, word: str) -> None:
    """Check what a move tells in worlds that looked alike before it: the same, unless it has shown something.

    What it has shown is in the views after it; and then it cannot be taken back.
    """
    told, games, free = [], [], []
    for game in (one, two):
        twin, _, events = game.after(word)
        told.append(bytes_of(events_for(events, viewer)))
        games.append(twin)
        free.append(twin.may_undo(game.to_move))
    if bytes_of(games[0].view(viewer)) == bytes_of(games[1].view(viewer)):
        need(told[0] == told[1], f"what {word} tells {_name(viewer)} changes with what it cannot know")
    else:
        need(free == [0, 0], f"{word} shows something to {_name(viewer)}, and yet can be taken back")


def redeals_are_games(case: Case) -> None:
    """What is dealt anew is a legal game that its seat could have seen as it did, move by move."""
    for seed, game, rng in positions(case):
        for viewer in case.viewers:
            with told_where(case, seed, game):
                other = game.redeal(viewer, seed)
                try:
                    replayed = replay(other.record())
                except ValueError as error:
                    raise Broken(
                        f"what is dealt anew for {_name(viewer)} cannot have led here ({error}): do `redeal` and"
                        " `deal_behind` keep to what the moves have shown, such as a suit that a seat could not follow?"
                    ) from error
                for seat in case.viewers:
                    need(replayed.view(seat) == other.view(seat), "the deal behind a redeal does not lead to it")
                wrong = "the deal behind a redeal leads to other moves: does `redeal` set `legal` by the new hands?"
                need(replayed.legal_moves == other.legal_moves, wrong)
                for moves in rng.sample(range(len(game.moves) + 1), min(4, len(game.moves) + 1)):
                    then = game.earlier(moves).view(viewer)
                    need(replayed.earlier(moves).view(viewer) == then, f"{_name(viewer)} saw otherwise at move {moves}")


def redeals_are_even(case: Case, games: int = 300) -> None:
    """At the start of games, what is dealt anew is distributed like what is dealt (chi-square of each part)."""
    dealt = _spread(case.new(f"one/{seed}") for seed in range(games))
    others = [case.new(f"two/{seed}") for seed in range(games)]
    for viewer in (None, 0):
        redealt = _spread(game.redeal(viewer, seed) for seed, game in enumerate(others))
        for path in dealt:
            score = _unlike(dealt[path], redealt.get(path, Counter()))
            wrong = f"{case}: dealt anew for {_name(viewer)}, deal{path} differs from deals: {redealt.get(path)}"
            need(score < ONE_IN_A_MILLION, f"{wrong}, not {dealt[path]}")


def _spread(games: Iterable[Game]) -> dict[str, Counter[str]]:
    """Count what is dealt to each place."""
    found: dict[str, Counter[str]] = {}
    _count(found, "", [game.record()["deal"] for game in games])
    return found


def _count(found: dict[str, Counter[str]], path: str, values: list[Any]) -> None:
    """Count what stands at a place of many deals, or at the places within; a long text is taken letter by letter."""
    rows, tables, single = list[Any](), list[Any](), list[Any]()
    for value in values:
        long = isinstance(value, list) or (isinstance(value, str) and len(value) > 24)
        (rows if long else tables if isinstance(value, dict) else single).append(value)
    for key in dict.fromkeys(key for table in tables for key in table):
        _count(found, f"{path}.{key}", [table[key] for table in tables if key in table])
    for i in range(max(map(len, rows), default=0)):
        _count(found, f"{path}[{i}]", [row[i] for row in rows if i < len(row)])
    if single:
        found[path] = Counter(map(str, single))


def redeals_hide_hands(case: Case, games: int = 40) -> None:
    """What a seat alone may know is dealt anew for the others, not left as it is."""
    begun = [case.new(seed) for seed in range(games)]
    for viewer in case.viewers:
        redealt = [game.redeal(viewer, "x") for game in begun]
        for seat in (seat for seat in range(case.players) if seat != viewer):
            true, dealt = ([bytes_of(game.own_position(seat)) for game in one] for one in (begun, redealt))
            need(
                true != dealt or len(set(true)) == 1,
                f"{case}: dealt anew for {_name(viewer)}, seat {seat} holds what it held, in {games} games",
            )


def _unlike(one: Counter[str], two: Counter[str]) -> float:
    """Return the standard score of the chi-square of two samples, by Wilson and Hilferty."""
    rare = [value for value in one | two if one[value] + two[value] < 20]
    kinds = [([value], one[value], two[value]) for value in one | two if value not in rare]
    kinds += [(rare, sum(one[v] for v in rare), sum(two[v] for v in rare))] if rare else []
    a, b = one.total(), two.total()
    chi = sum((x * (b / a) ** 0.5 - y * (a / b) ** 0.5) ** 2 / (x + y) for _, x, y in kinds if x + y) if b else np.inf
    free = len(kinds) - 1
    if free < 1:
        return 0.0 if b else float("inf")
    return float(((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5)
