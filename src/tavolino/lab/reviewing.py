"""`review`: a played game, decision by decision: all seats' chances, what was best, what it cost, what luck brought.

The chances are those of a table with all hands open, as television shows it: what is still to be drawn or rolled is
unknown, and everyone plays on as the strong bot does, each by its own knowledge. They add up to 1. A decision is judged
by what its seat could know. What follows from both is in `account`.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from tavolino.engine.kernels import apply_one
from tavolino.engine.plain import win_shares
from tavolino.engine.registry import GAMES
from tavolino.lab.account import JudgedDecision, Shift, accounts, change_of, foreseen, plain, verdict
from tavolino.lab.judge import TRIES, Judge, Judgement
from tavolino.lab.story import Happened, Moment, headline, moments, turning_points
from tavolino.play.game import Game
from tavolino.play.records import replay
from tavolino.play.seeds import Seed
from tavolino.play.setup import at_least

FORMAT = "tavolino-review-1"
OTHER_DRAWS = 3
"""Draws that are compared to see whether a move brings something to light."""
LARGE = 0.04
"""A draw or roll after which a chance has moved by so much is compared with others that were possible."""
COMMON = 0.5
"""A draw or roll that more than this share of all would equal is not told as luck."""


@dataclass(frozen=True)
class Slice:
    """How far a review is."""

    done: float
    """The share of the game that was judged, from 0 to 1."""
    curve: list[list[float]]
    """The chances so far: after the deal, after each move."""


@dataclass(frozen=True)
class _Step:
    """A move or roll that was made, and what the judge said."""

    word: str
    seat: int | None
    since: int
    """How many moves had been made when its turn began."""
    offer: dict[str, Any]
    judged: Judgement | None
    kind: str
    """What came to light: `draw`, `dice`, or `unforeseen` for nothing."""
    offers: dict[str, Any]
    """The offers of the candidates, by word."""


@dataclass(frozen=True)
class _Judged:
    """A game with all that the judge said of it."""

    steps: Sequence[_Step]
    curve: list[list[float]]
    befores: Sequence[Game]
    """The game before each step."""
    drawn: Mapping[int, tuple[list[float], list[float]]]
    """By step: the chances after a draw or roll, and the mean after others, where they were compared."""


def review(
    record: Mapping[str, Any],
    *,
    tries: int = TRIES,
    seed: Seed = 1,
    all_reasons: bool = True,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Any]:
    """Review the game of a record, complete or not, as plain data; the same seed and tries give the same.

    `tries` says how deep: sampled worlds per line of play. Each candidate of every decision has reasons, if anything
    can be said of it for sure; without `all_reasons` only the best move and the one played where that lost something.
    BadRecord says what is wrong with a record that is not a legal game.
    """
    slices = review_in_slices(record, tries=tries, seed=seed, all_reasons=all_reasons)
    while True:
        try:
            found = next(slices)
        except StopIteration as end:
            result: dict[str, Any] = end.value
            return result
        if progress is not None:
            progress(found.done)


def review_in_slices(
    record: Mapping[str, Any], *, tries: int = TRIES, seed: Seed = 1, all_reasons: bool = True
) -> Generator[Slice, None, dict[str, Any]]:
    """Review a game move by move: yield how far it is after each, and return the review."""
    at_least(2, tries, "tries")
    whole = replay(record)
    game = replay({**record, "moves": [], "scores": None, "winners": None})
    judge = Judge(game, tries, seed, all_reasons)
    steps: list[_Step] = []
    curve: list[list[float]] = []
    befores: list[Game] = []
    drawn: dict[int, tuple[list[float], list[float]]] = {}
    while len(befores) < len(whole.moves):
        since, turn = len(befores), _next_turn(whole, len(befores))
        for number in turn:
            befores.append(game.copy())
            game.play(whole.moves[number])
        for step in _judged_turn(judge, whole, [*befores[since:], game], since):
            number = len(steps)
            latest = steps[-1] if steps else None
            if (
                latest is not None
                and latest.judged is not None
                and (step.judged is None or latest.kind == "unforeseen")
            ):
                curve.append(list(latest.judged.weighed.after))  # nothing has come to light since: nothing has changed
            elif step.judged is not None:
                curve.append(list(step.judged.weighed.before))
            else:
                curve.append(judge.chances(befores[number], number))
            _compare(judge, steps, curve, befores, drawn)
            steps.append(step)
            yield Slice((number + 1) / len(whole.moves), curve)
    curve.append(win_shares(whole.winners or [], whole.players) if whole.over else judge.chances(game, len(steps)))
    _compare(judge, steps, curve, befores, drawn)
    return _told(whole, judge, seed, _Judged(steps, curve, befores, drawn))


def _compare(
    judge: Judge,
    steps: Sequence[_Step],
    curve: Sequence[Sequence[float]],
    befores: Sequence[Game],
    drawn: dict[int, tuple[list[float], list[float]]],
) -> None:
    """Compare the latest step with others that were possible, if it is a draw or roll and the chances moved far."""
    number = len(steps) - 1
    if number < 0 or steps[number].kind == "unforeseen":
        return
    step = steps[number]
    before = curve[number] if step.judged is None else step.judged.weighed.after
    if max(abs(a - b) for a, b in zip(before, curve[number + 1], strict=True)) >= LARGE:
        drawn[number] = judge.usual(befores[number], step.word, step.since)


def _next_turn(whole: Game, since: int) -> range:
    """Return the numbers of the moves that a seat makes in a row from one on; a roll is a turn of its own."""
    until = since + 1
    if not _rolled(whole, since):
        while until < len(whole.moves) and whole.movers[until] == whole.movers[since] and not _rolled(whole, until):
            until += 1
    return range(since, until)


def _rolled(whole: Game, number: int) -> bool:
    game = GAMES[whole.key]
    return game.actions[whole.moves[number]] >= game.rules.ROLLED


def _judged_turn(judge: Judge, whole: Game, games: Sequence[Game], since: int) -> list[_Step]:
    """Judge the moves of a turn; `games` are those before each of them, and the one after the last.

    The last move is judged first, since what is best after a move is a way to go on from it. So what can still be done
    later in the turn is no error yet, and none is counted twice.
    """
    found: list[_Step] = []
    plan: list[int] = []
    for i in range(len(games) - 2, -1, -1):
        before, word = games[i], whole.moves[since + i]
        rolled = _rolled(whole, since + i)
        seat = None if rolled else whole.movers[since + i]
        kind = "dice" if rolled else "draw" if _reveals(before, games[i + 1], word) else "unforeseen"
        judged = None if rolled else judge.judge(before, word, games[0], plan if kind == "unforeseen" else [])
        plan = [] if judged is None else judged.plan
        offers = {offer["word"]: offer for offer in before.offers}
        found.append(_Step(word, seat, since, offers.get(word, {"word": word}), judged, kind, offers))
    found.reverse()
    return found


def _reveals(before: Game, after: Game, word: str) -> bool:
    """Tell whether a move brought something to light: with other cards to draw, some seat would see something else."""
    folder = GAMES[before.key]
    people, seats = folder.people, range(before.players)
    action = folder.actions[word]

    def seen(t: Any) -> Any:
        return people.open_view(t), [people.own_view(t, seat) for seat in seats]

    now = seen(folder.read(after.open_state(0)))
    for other in range(OTHER_DRAWS):
        states = before.open_state(other)
        apply_one(states, action)
        if seen(folder.read(states)) != now:
            return True
    return False


def _changes(game: Game, found: _Judged) -> list[Shift]:
    """Return what the deal and each step changed."""
    changes = _as_moved(game, found.steps, found.curve)
    for number, (came, usual) in found.drawn.items():
        changes[number + 1] = foreseen(changes[number + 1], found.steps[number].kind, came, usual)
    return changes


def _as_moved(game: Game, steps: Sequence[_Step], curve: Sequence[Sequence[float]]) -> list[Shift]:
    """Return how the deal and each step moved the chances; that of a draw or roll is all put down to it."""
    nothing = [0.0] * game.players
    found = [Shift(nothing, {"deal": [chance - 1 / game.players for chance in curve[0]]})]
    for i, step in enumerate(steps):
        if step.seat is None or step.judged is None:
            found.append(Shift(nothing, {"dice": [b - a for a, b in zip(curve[i], curve[i + 1], strict=True)]}))
        else:
            found.append(change_of(step.seat, step.judged.weighed, curve[i], curve[i + 1], step.kind))
    return found


def _told(game: Game, judge: Judge, seed: Seed, found: _Judged) -> dict[str, Any]:
    steps, curve = found.steps, found.curve
    changes = _changes(game, found)
    decided = [
        JudgedDecision(step.seat, step.since, _verdict(step), step.judged.weighed)
        for step in steps
        if step.seat is not None and step.judged is not None and step.judged.options > 1
    ]
    start = [1 / game.players] * game.players
    turns = _turns(steps)
    happened = [
        Happened(i + 1, turns[i], step.seat, step.kind, change.error, _met(step, change))
        for i, (step, change) in enumerate(zip(steps, changes[1:], strict=True))
    ]
    told, rarities = _decisive(happened, changes[0].lucks, found, judge)
    return {
        "format": FORMAT,
        "game": game.key,
        "players": game.players,
        "options": game.options,
        "first": game.first,
        "over": game.over,
        "winners": game.winners,
        "scores": game.scores,
        "ending": game.ending,
        "tries": judge.tries,
        "seed": seed,
        "start": start,
        "curve": curve,
        "steps": [
            _step(i + 1, turns[i], step, change, curve[i + 1])
            for i, (step, change) in enumerate(zip(steps, changes[1:], strict=True))
        ],
        "account": accounts(start, curve[-1], changes, decided),
        "turning_points": turning_points(curve),
        "moments": [{**asdict(one), **_more(one, found, rarities)} for one in told],
        "headline": headline(curve, game.winners, told, turns),
    }


def _met(step: _Step, change: Shift) -> list[float]:
    """Return the luck that a step is remembered for: of a draw or roll its own, else all of it."""
    return change.lucks if step.kind == "unforeseen" else change.luck[step.kind]


def _turns(steps: Sequence[_Step]) -> list[int]:
    """Return the number of the turn of each step: dice belong to the turn they fall in."""
    found, turn, last = [], 0, None
    for step in steps:
        if step.seat is not None and step.seat != last:
            turn, last = turn + 1, step.seat
        found.append(max(1, turn))
    return found


def _verdict(step: _Step) -> str:
    assert step.judged is not None
    return verdict(step.judged.weighed.error.value, step.word == step.judged.best)


def _step(number: int, turn: int, step: _Step, change: Shift, after: list[float]) -> dict[str, Any]:
    """Return a step as plain data."""
    luck = change.lucks
    kinds = {kind: sum(map(abs, parts)) for kind, parts in change.luck.items()}
    most = max(kinds, key=lambda kind: kinds[kind])
    return {
        "number": number,
        "turn": turn,
        "word": step.word,
        "seat": step.seat,
        "offer": step.offer,
        "chances": after,
        "change": [a + b for a, b in zip(change.error, luck, strict=True)],
        "error": change.error,
        "luck": luck,
        "luck_parts": change.luck,
        "luck_kind": "none" if most == "unforeseen" or not kinds[most] else most,
        "decision": None if step.judged is None or step.judged.options < 2 else _decision(step, step.judged),
    }


def _decision(step: _Step, judged: Judgement) -> dict[str, Any]:
    return {
        "options": judged.options,
        "best": judged.best,
        "verdict": _verdict(step),
        "error": plain(judged.weighed.error),
        "candidates": [
            {
                "word": one.word,
                "offer": step.offers.get(one.word, {"word": one.word}),
                "line": one.line,
                "chance": one.chance,
                "behind": plain(one.behind),
                "reasons": one.reasons,
            }
            for one in judged.candidates
        ],
    }


def _decisive(
    happened: Sequence[Happened], deal: Sequence[float], found: _Judged, judge: Judge
) -> tuple[list[Moment], dict[int, float]]:
    """Return what decided the game, and how rare each draw or roll among it was, by step.

    What most others would have done as well was no luck of the draw: it is not told, and the next moment is.
    """
    rarities: dict[int, float] = {}
    while True:
        nothing = [0.0] * len(deal)
        common = [step for step, rarity in rarities.items() if rarity > COMMON]
        told = moments(
            [replace(one, luck=nothing) if one.step in common else one for one in happened], deal, found.curve
        )
        new = [one for one in told if one.code.endswith(("_draw", "_dice")) and one.step not in rarities]
        if not new:
            return told, rarities
        rarities.update({one.step: _rarity(one, found, judge) for one in new})


def _rarity(moment: Moment, found: _Judged, judge: Judge) -> float:
    """Return the share of the possible draws or rolls that are at least as good, or as bad."""
    step, seat = found.steps[moment.step - 1], moment.seat
    assert seat is not None
    outcomes = judge.outcomes(found.befores[moment.step - 1], step.word, step.since)
    came, *others = (chances[seat] for chances in outcomes)
    good = sum((one >= came) if moment.code.startswith("lucky") else (one <= came) for one in others)
    return (good + 1) / (len(others) + 1)


def _more(moment: Moment, found: _Judged, rarities: Mapping[int, float]) -> dict[str, Any]:
    """Return what else is told of a moment: the moves, and how rare a draw or roll was."""
    if moment.step == 0:
        return {"played": None, "better": None, "reasons": [], "rarity": None}
    step = found.steps[moment.step - 1]
    better = step.judged.best if moment.code == "error" and step.judged is not None else None
    rarity = rarities[moment.step] if moment.code.endswith(("_draw", "_dice")) else None
    reasons = step.judged.candidates[0].reasons if better is not None and step.judged is not None else []
    return {"played": step.word, "better": better, "reasons": reasons, "rarity": rarity}
