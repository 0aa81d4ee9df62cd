"""`analyse`: analyse a played game, decision by decision: what was best, what it cost, what luck brought.

Each seat's chance of winning is estimated from what that seat can know: the hidden part is dealt anew in many worlds,
the game goes on until the seat has to decide after the others, and the network says how good that is. Its estimate is
first corrected by games of the bot against itself (`calibration_for`). The same estimate, in the same worlds, is
made before and after every step. So for each seat the steps add up to the result:

    result − chance at the start = Σ skill + Σ luck

A decision's skill is the chance after the move played less the chance after the move that the network would have played
at once, in the same worlds. Every other change is luck: what a draw or a roll brought, and what the others did and
revealed.

Two things make these numbers uncertain: the worlds that were sampled, and the games that the network was calibrated by.
So a chance is carried through all sums together with how it changes with each number of the calibration.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavolino.bots.calibration import Calibration
from tavolino.bots.players import builtin
from tavolino.bots.position import Limits, Position
from tavolino.engine import kernels
from tavolino.engine.contract import Event
from tavolino.engine.plain import win_shares
from tavolino.engine.registry import GAMES
from tavolino.intervals import Z95, Estimate, Floats, t95
from tavolino.lab.calibration import Ahead, calibration_for
from tavolino.play.cores import cores
from tavolino.play.game import Game
from tavolino.play.records import replay
from tavolino.play.seeds import Seed, derive
from tavolino.play.setup import from_one
from tavolino.play.terminal import table_of

TRIES = 200
"""Worlds per estimate of a chance."""
BLUNDER, SLIP = 0.10, 0.04
"""Losses of win chance from which a decision is called that, if the interval lies above 0."""


@dataclass(frozen=True)
class Judged:
    """A decision, as the seat that made it could see it."""

    best: str
    """The strongest bot's move."""
    options: int
    """How many legal moves there were."""
    chance: Estimate
    """The chance of winning with the move played."""
    best_chance: Estimate
    loss: Estimate
    """The chance with the best move less that with the move played, in the same worlds."""
    skill: Estimate
    """The chance with the move played less that with the network's first choice, in the same worlds."""
    verdict: str
    """`best`, `fine`, `slip` or `blunder`."""


@dataclass(frozen=True)
class AnalysedStep:
    """A move or a roll."""

    number: int
    """Counted from 1."""
    word: str
    seat: int | None
    """Who made it; None: chance."""
    meaning: str
    """What it does, in words."""
    news: str
    """What it drew or revealed, if anything."""
    judged: Judged | None
    """None for a roll, or if there was nothing to choose."""
    chances: list[Estimate]
    """The chance of each seat after it, by what that seat can know."""
    skill: list[float]
    """What the step changed for each seat by that seat's own choice."""
    drawn: list[float]
    """What it changed by what the seat's own draw, or the dice, brought."""
    others: list[float]
    """What it changed by what another seat did and revealed, and by the mere passing of time."""


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
    """Decisions with more than one legal move."""
    best: int
    """How often it played the best move."""
    slips: int
    blunders: int
    loss: Estimate
    """The loss of all its decisions together, compared with the best moves."""


@dataclass(frozen=True)
class Analysis:
    """An analysed game. All intervals are 95 %: they cover the sampled worlds and the games used for calibration."""

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
    steps: list[AnalysedStep]
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
    """Analyse the game of a record, complete or not; the same seed and tries give the same result on any threads.

    BadRecord says what is wrong with a record that is not a legal game.
    """
    game = replay(record)
    worlds = from_one(tries, "tries")
    workers = cores() if threads is None else from_one(threads, "threads")
    words = game.moves
    twin = replay({**record, "moves": [], "scores": None, "winners": None})
    with ThreadPoolExecutor(workers) as pool:
        estimator = _Estimator(twin, worlds, seed, pool)
        looks = estimator.look(twin)
        first = before = estimator.all_chances(looks, 0)
        start = [estimator.estimate(seat, chances) for seat, chances in enumerate(before)]
        totals = np.zeros((3, *before.shape))  # skill, drawn, others: [seat, chance or gradient, world]
        losses: list[list[Floats]] = [[] for _ in range(game.players)]
        steps: list[AnalysedStep] = []
        for number, word in enumerate(words, 1):
            step, parts, looks, loss = _step(estimator, twin, number, word, looks)
            before = estimator.all_chances(looks, number)
            totals += parts
            if step.seat is not None and loss is not None:
                losses[step.seat].append(loss)
            steps.append(step)
            if progress is not None:
                progress(number / len(words))
    seats = [
        _summary(estimator, seat, (first[seat], before[seat]), totals[:, seat], steps, losses[seat])
        for seat in range(game.players)
    ]
    return Analysis(
        game=game.key,
        title=GAMES[game.key].title,
        players=game.players,
        options=game.options,
        first=game.first,
        over=game.over,
        winners=game.winners,
        scores=game.scores,
        ending=game.ending,
        tries=worlds,
        seed=seed,
        calibration=estimator.calibration,
        start=start,
        steps=steps,
        seats=seats,
    )


@dataclass(frozen=True)
class Outlook:
    """What a seat sees ahead, in each world."""

    words: Floats
    """What the network says, or the result."""
    over: NDArray[np.bool_]
    """Whether it is the result."""


class _Estimator:
    """Estimates chances in the same worlds throughout a game."""

    def __init__(self, game: Game, worlds: int, seed: Seed, pool: ThreadPoolExecutor) -> None:
        self.folder = GAMES[game.key]
        self.worlds = worlds
        self.seed = seed
        self._pool = pool
        self._game, self._players, self._first = game.key, game.players, game.first
        self.calibration = calibration_for(game.key, game.players, game.options, seed, worlds)
        luck = np.random.default_rng(derive(seed, game.key, "analyse/worlds"))
        self._streams = luck.integers(0, 1 << 63, (worlds, 1 + kernels.MAX_SEATS), np.uint64)

    def look(self, game: Game) -> list[Outlook]:
        """Return what each seat sees in each world, by what it can know."""
        if not game.over:
            return [self.ahead(game, seat) for seat in range(game.players)]
        shares = win_shares(game.winners or [], game.players)
        return [Outlook(np.full(self.worlds, share), np.ones(self.worlds, np.bool_)) for share in shares]

    def ahead(self, game: Game, seat: int, word: str | None = None) -> Outlook:
        """Return what a seat sees ahead in each world, by a move of its own if one is given."""
        root = game.redealt_state(seat, "analyse")
        action = None if word is None else self.folder.actions[word]
        found = list(self._pool.map(lambda span: self._worths(root, seat, action, span), self._spans()))
        return Outlook(np.concatenate([look.words for look in found]), np.concatenate([look.over for look in found]))

    def _spans(self) -> list[range]:
        return [range(i, min(i + 25, self.worlds)) for i in range(0, self.worlds, 25)]

    def _worths(self, root: kernels.States, seat: int, action: int | None, span: range) -> Outlook:
        ahead = Ahead(self._game, self._players)
        found = [ahead.worth(root, seat, self._streams[world], action) for world in span]
        return Outlook(np.array([worth for worth, _ in found]), np.array([over for _, over in found], np.bool_))

    def all_chances(self, looks: list[Outlook], moves: int) -> Floats:
        """Return the chances of all seats: [seat, chance or gradient, world]."""
        return np.array([self.chances(seat, look, moves) for seat, look in enumerate(looks)])

    def chances(self, seat: int, look: Outlook, moves: int) -> Floats:
        """Return the chance in each world, or the result where the game is over by then, and its gradients below.

        The gradients say how the chance changes with each number of the calibration: [chance or gradient, world].
        """
        place = self._place(seat)
        chances = np.where(look.over, look.words, self.calibration.chances(look.words, moves, place))
        gradients = np.where(look.over, 0.0, self.calibration.gradients(look.words, moves, place))
        return np.vstack((chances, gradients))

    def estimate(self, seat: int, values: Floats) -> Estimate:
        """Return the mean over the worlds of what is made of a seat's chances, with its interval."""
        mean, worlds = float(values[0].mean()), values.shape[1]
        gradient = values[1:].mean(axis=1)
        noise = float(gradient @ np.array(self.calibration.noise[self._place(seat)]) @ gradient)
        if worlds > 1:
            drawn = t95(worlds - 1) * float(values[0].std(ddof=1)) / worlds**0.5
        else:
            drawn = np.inf if noise else 0.0
        half = (drawn**2 + Z95**2 * noise) ** 0.5
        return Estimate(mean, mean - half, mean + half)

    def _place(self, seat: int) -> int:
        return (seat - self._first) % self._players

    def best(self, game: Game, seat: int, number: int) -> str:
        """Return the strongest bot's move."""
        own = f"{self.seed}/analyse/{number}"
        position = Position(game, seat, own, Limits(simulations=2 * self.worlds))
        return builtin("expert", game.key).choose(position)


def _step(
    estimator: _Estimator, game: Game, number: int, word: str, looks: list[Outlook]
) -> tuple[AnalysedStep, Floats, list[Outlook], Floats | None]:
    """Play a step; return it, its parts in each world, what is seen after it, and the loss if it was a decision."""
    moves = number - 1
    roll = estimator.folder.actions[word] >= estimator.folder.rules.ROLLED
    seat = None if roll else game.to_move
    legal = [] if roll else game.legal_moves
    before = estimator.all_chances(looks, moves)
    judged, loss, played = None, None, None
    if seat is not None:
        played = estimator.chances(seat, estimator.ahead(game, seat, word), moves)
        if len(legal) > 1:
            best = estimator.best(game, seat, number)
            at_best = played if best == word else estimator.chances(seat, estimator.ahead(game, seat, best), moves)
            loss = at_best - played
            judged = _judged(estimator, seat, word, best, len(legal), [played, at_best, played - before[seat]])
    meaning = table_of(game.key).meaning(game.view(None), game.offer_of(word))
    news = told(game.tell(word))
    looks = estimator.look(game)
    after = estimator.all_chances(looks, number)
    # As if no time had passed: a choice that brings nothing to light is then no luck at all, to the last digit.
    at_once = estimator.all_chances(looks, moves)
    parts = np.zeros((3, *before.shape))
    if seat is not None and played is not None:
        parts[0, seat] = played - before[seat]
        parts[1, seat] = at_once[seat] - played
    elif roll:
        parts[1] = at_once - before
    parts[2] = after - before - parts[0] - parts[1]
    skill, drawn, others = parts[:, :, 0].mean(axis=2).tolist()
    chances = [estimator.estimate(one, values) for one, values in enumerate(after)]
    return AnalysedStep(number, word, seat, meaning, news, judged, chances, skill, drawn, others), parts, looks, loss


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


def _judged(estimator: _Estimator, seat: int, word: str, best: str, options: int, found: list[Floats]) -> Judged:
    played, at_best, _ = found
    loss = estimator.estimate(seat, at_best - played)
    if best == word:
        verdict = "best"
    elif loss.low > 0 and loss.value >= SLIP:
        verdict = "blunder" if loss.value >= BLUNDER else "slip"
    else:
        verdict = "fine"
    chance, best_chance, gained = (estimator.estimate(seat, values) for values in found)
    return Judged(best, options, chance, best_chance, loss, gained, verdict)


def _summary(
    estimator: _Estimator,
    seat: int,
    ends: tuple[Floats, Floats],
    parts: Floats,
    steps: list[AnalysedStep],
    losses: list[Floats],
) -> Summary:
    judged = [step.judged for step in steps if step.seat == seat and step.judged is not None]
    (first, last), (skill, drawn, others) = ends, parts
    return Summary(
        seat=seat,
        start=estimator.estimate(seat, first),
        end=estimator.estimate(seat, last),
        skill=estimator.estimate(seat, skill),
        luck=estimator.estimate(seat, drawn + others),
        drawn=estimator.estimate(seat, drawn),
        others=estimator.estimate(seat, others),
        decisions=len(judged),
        best=sum(one.verdict == "best" for one in judged),
        slips=sum(one.verdict == "slip" for one in judged),
        blunders=sum(one.verdict == "blunder" for one in judged),
        loss=estimator.estimate(seat, np.sum(losses, axis=0) if losses else np.zeros_like(first)),
    )
