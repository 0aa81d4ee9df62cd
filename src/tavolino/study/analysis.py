"""`analyse`: a played game, decision by decision: what was best, what it cost, what luck brought.

Each seat's chance to win is estimated from what that seat can know: the hidden part is dealt anew for it in many
worlds, the game goes on until the seat has to decide after the others, and the network says how good that is. Its word
is first set right by games of the bot against itself (`calibrated`). The same estimate, in the same worlds, is made
before and after every step. So for each seat the steps add up to the result:

    result − chance at the start = Σ skill + Σ luck

A decision's skill is the chance by the move played less the chance by the move that the network would have played at
once, in the same worlds. All other change is luck: what a draw or a roll brought, and what the others did and showed.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.arena.intervals import t95
from tavolino.bots.position import Limits, Position
from tavolino.bots.thinking import look_ahead
from tavolino.games import GAMES, kernels
from tavolino.games.spec import Event
from tavolino.pictures import table_of
from tavolino.play.cores import cores
from tavolino.play.game import Game
from tavolino.play.options import from_one
from tavolino.play.records import replay
from tavolino.play.seeds import Seed, derive
from tavolino.study.calibration import FEWEST_GAMES, MOST_GAMES, Ahead, Calibration, calibrated
from tavolino.study.estimates import Estimate, Floats

TRIES = 200
"""Worlds for each estimate of a chance."""
BLUNDER, SLIP = 0.10, 0.04
"""Losses in win chance from which a decision is called so, if the interval lies above 0."""


@dataclass(frozen=True)
class Judged:
    """A decision, as the seat that made it could see it."""

    best: str
    """The strongest bot's move."""
    options: int
    """How many legal moves there were."""
    chance: Estimate
    """To win by the move played."""
    best_chance: Estimate
    loss: Estimate
    """The best move's chance less that of the move played, in the same worlds."""
    skill: Estimate
    """The chance by the move played less that by the network's own first choice, in the same worlds."""
    verdict: str
    """`best`, `fine`, `slip` or `blunder`."""


@dataclass(frozen=True)
class Step:
    """A move or a roll."""

    number: int
    """From 1."""
    word: str
    seat: int | None
    """Who made it; None: chance."""
    meaning: str
    """What it does, in words."""
    news: str
    """What was drawn or uncovered by it, if anything."""
    judged: Judged | None
    """None for a roll, and where there was nothing to choose."""
    chances: list[Estimate]
    """Of each seat after it, by what that seat can know."""
    skill: list[float]
    """What the step changed for each seat by the choice of the seat itself."""
    drawn: list[float]
    """What it changed by what the seat's own draw, or the dice, brought."""
    others: list[float]
    """What it changed by what another seat did and showed, and by the mere passing of time."""


@dataclass(frozen=True)
class Summary:
    """A seat's game: start + skill + drawn + others = end."""

    seat: int
    start: Estimate
    end: Estimate
    """The result (share of the win), or the last chance of a game that is not over."""
    skill: Estimate
    luck: Estimate
    """drawn + others."""
    drawn: Estimate
    others: Estimate
    decisions: int
    """With more than one legal move."""
    best: int
    """How often it played the best move."""
    slips: int
    blunders: int
    loss: Estimate
    """Of all its decisions together, to the best moves."""


@dataclass(frozen=True)
class Analysis:
    """A game analysed. All intervals are 95 %, and say how far more worlds could change the estimates."""

    game: str
    title: str
    players: int
    options: dict[str, Any]
    first: int
    over: bool
    winners: list[int] | None
    scores: list[int]
    ending: str | None
    tries: int
    seed: Seed
    calibration: Calibration
    start: list[Estimate]
    steps: list[Step]
    seats: list[Summary]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return asdict(self)


def analyse(
    record: Mapping[str, Any],
    *,
    tries: int = TRIES,
    seed: Seed = 1,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Analysis:
    """Analyse the game of a record, complete or not; the same seed and tries give the same, on any number of threads.

    BadRecord says what is wrong with a record that is no legal game.
    """
    game = replay(record)
    worlds = from_one(tries, "tries")
    workers = cores() if threads is None else from_one(threads, "threads")
    words = game.moves
    twin = replay({**record, "moves": [], "scores": None, "winners": None})
    with ThreadPoolExecutor(workers) as pool:
        mind = _Mind(twin, worlds, seed, pool)
        looks = mind.look(twin)
        first = before = np.array([mind.chances(look, 0) for look in looks])
        start = [mind.estimate(of_seat) for of_seat in before]
        totals = np.zeros((3, game.players, worlds))  # skill, drawn, others, in each world
        losses: list[list[Floats]] = [[] for _ in range(game.players)]
        steps: list[Step] = []
        for number, word in enumerate(words, 1):
            step, parts, looks, loss = _step(mind, twin, number, word, looks)
            before = np.array([mind.chances(look, number) for look in looks])
            totals += parts
            if step.seat is not None and loss is not None:
                losses[step.seat].append(loss)
            steps.append(step)
            if progress is not None:
                progress(number / len(words))
    seats = [
        _summary(mind, seat, first[seat], before[seat], totals[:, seat], steps, losses[seat])
        for seat in range(game.players)
    ]
    return Analysis(
        game=game.key,
        title=GAMES[game.key].TITLE,
        players=game.players,
        options=game.options,
        first=game.first,
        over=game.over,
        winners=game.winners,
        scores=game.scores,
        ending=game.ending,
        tries=worlds,
        seed=seed,
        calibration=mind.calibration,
        start=start,
        steps=steps,
        seats=seats,
    )


@dataclass(frozen=True)
class Look:
    """What a seat sees ahead, in each world."""

    words: Floats
    """What the network says, or the result."""
    over: NDArray[np.bool_]
    """Whether it is the result."""


class _Mind:
    """Estimates chances in the same worlds throughout a game."""

    def __init__(self, game: Game, worlds: int, seed: Seed, pool: ThreadPoolExecutor) -> None:
        self.rules = GAMES[game.key]
        self.worlds = worlds
        self.seed = seed
        self._pool = pool
        self._game, self._players = game.key, game.players
        self.calibration = calibrated(
            game.key, game.players, game.options, seed, max(FEWEST_GAMES, min(MOST_GAMES, worlds))
        )
        luck = np.random.default_rng(derive(seed, game.key, "analyse/worlds"))
        self._streams = luck.integers(0, 1 << 63, (worlds, 1 + kernels.MAX_SEATS), np.uint64)

    def look(self, game: Game) -> list["Look"]:
        """Return what each seat sees in each world, by what it can know."""
        if not game.over:
            return [self.ahead(game, seat) for seat in range(game.players)]
        winners = game.winners or []
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(game.players)]
        return [Look(np.full(self.worlds, share), np.ones(self.worlds, np.bool_)) for share in shares]

    def ahead(self, game: Game, seat: int, word: str | None = None) -> "Look":
        """Return what a seat sees ahead in each world, by a move of its own if one is given."""
        root = game.redealt_state(seat, "analyse")
        action = None if word is None else self.rules.ACTIONS[word]
        found = list(self._pool.map(lambda span: self._worths(root, seat, action, span), self._spans()))
        return Look(np.concatenate([look.words for look in found]), np.concatenate([look.over for look in found]))

    def _spans(self) -> list[range]:
        return [range(i, min(i + 25, self.worlds)) for i in range(0, self.worlds, 25)]

    def _worths(self, root: kernels.States, seat: int, action: int | None, span: range) -> "Look":
        ahead = Ahead(self._game, self._players)
        found = [ahead.worth(root, seat, self._streams[world], action) for world in span]
        return Look(np.array([worth for worth, _ in found]), np.array([over for _, over in found], np.bool_))

    def chances(self, look: "Look", moves: int) -> Floats:
        """Return the chance in each world, or the result where the game is over by then."""
        return np.where(look.over, look.words, self.calibration.chances(look.words, moves))

    def estimate(self, values: Floats) -> Estimate:
        """Return the mean over the worlds with its interval."""
        mean = float(values.mean())
        if len(values) < 2:
            return (
                Estimate(mean, -np.inf, np.inf)
                if len(values) and values[0] not in (0.0, 1.0)
                else Estimate(mean, mean, mean)
            )
        half = t95(len(values) - 1) * float(values.std(ddof=1)) / len(values) ** 0.5
        return Estimate(mean, mean - half, mean + half)

    def best(self, game: Game, seat: int, number: int) -> str:
        """Return the strongest bot's move."""
        own = f"{self.seed}/analyse/{number}"
        return look_ahead(Position(game, seat, own, Limits(simulations=2 * self.worlds)))[0].word


def _step(
    mind: _Mind, game: Game, number: int, word: str, looks: list[Look]
) -> tuple[Step, Floats, list[Look], Floats | None]:
    """Play a step; return it, its parts in each world, what is seen after it, and the loss if it was a decision."""
    players, moves = game.players, number - 1
    roll = mind.rules.ACTIONS[word] >= mind.rules.ROLLED
    seat = None if roll else game.to_move
    legal = [] if roll else game.legal_moves
    before = [mind.chances(look, moves) for look in looks]
    judged, loss, played = None, None, None
    if seat is not None:
        played = mind.chances(mind.ahead(game, seat, word), moves)
        if len(legal) > 1:
            best = mind.best(game, seat, number)
            at_best = played if best == word else mind.chances(mind.ahead(game, seat, best), moves)
            loss = at_best - played
            judged = _judged(mind, word, best, len(legal), played, at_best, played - before[seat])
    meaning = table_of(game.key).meaning(game.view(None), word)
    news = told(game.tell(word))
    looks = mind.look(game)
    after = [mind.chances(look, number) for look in looks]
    parts = np.zeros((3, players, mind.worlds))
    for one in range(players):
        # As if no time had passed: a choice that brings nothing to light is then no luck at all, to the last digit.
        at_once = mind.chances(looks[one], moves)
        if one == seat and played is not None:
            parts[0, one] = played - before[one]
            parts[1, one] = at_once - played
        elif roll:
            parts[1, one] = at_once - before[one]
        parts[2, one] = after[one] - before[one] - parts[0, one] - parts[1, one]
    skill, drawn, others = parts.mean(axis=2).tolist()
    chances = [mind.estimate(values) for values in after]
    return Step(number, word, seat, meaning, news, judged, chances, skill, drawn, others), parts, looks, loss


def told(events: list[Event]) -> str:
    """Say what a move brought to light, for those who may know everything.

    >>> told([{"type": "token_drawn", "seat": 0, "stack": 3, "secret": {"seat": 0, "colour": "red"}}])
    'drew red'
    """
    found = []
    for event in events:
        if event["type"] == "cards_drawn":
            found.append(f"drew {', '.join(map(str, event['secret']['cards']))}")
        elif event["type"] == "token_drawn":
            found.append(f"drew {event['secret']['colour']}")
        elif event["type"] == "card_shown":
            found.append(f"uncovered {event['card']}")
    return "; ".join(found)


def _judged(mind: _Mind, word: str, best: str, options: int, played: Floats, at_best: Floats, skill: Floats) -> Judged:
    loss = mind.estimate(at_best - played)
    if best == word:
        verdict = "best"
    elif loss.low > 0 and loss.value >= SLIP:
        verdict = "blunder" if loss.value >= BLUNDER else "slip"
    else:
        verdict = "fine"
    return Judged(best, options, mind.estimate(played), mind.estimate(at_best), loss, mind.estimate(skill), verdict)


def _summary(
    mind: _Mind, seat: int, first: Floats, last: Floats, parts: Floats, steps: list[Step], losses: list[Floats]
) -> Summary:
    judged = [step.judged for step in steps if step.seat == seat and step.judged is not None]
    skill, drawn, others = parts
    return Summary(
        seat=seat,
        start=mind.estimate(first),
        end=mind.estimate(last),
        skill=mind.estimate(skill),
        luck=mind.estimate(drawn + others),
        drawn=mind.estimate(drawn),
        others=mind.estimate(others),
        decisions=len(judged),
        best=sum(one.verdict == "best" for one in judged),
        slips=sum(one.verdict == "slip" for one in judged),
        blunders=sum(one.verdict == "blunder" for one in judged),
        loss=mind.estimate(np.sum(losses, axis=0) if losses else np.zeros(mind.worlds)),
    )
