"""Following games move by move: who leads when, what is taken and laid, when the winner is decided."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tavolino.crew import Crew, in_order
from tavolino.games import kernels
from tavolino.play.seeds import Seed, derive
from tavolino.study.estimates import Distribution, Estimate, Floats, distribution, mean_of, slopes
from tavolino.study.pieces import BY_GAME, Pieces
from tavolino.study.playing import Batch, Setup, dealt, play_games, play_on, shares_of

GRID = 20
"""Parts into which a game is cut: a curve has GRID + 1 points."""
CHECKS, REPLAYS, THOUGHTFUL_REPLAYS = 10, 8, 2
"""Points in a game from which it is played on; how often from each; how often where players think."""
ROOM, CHUNK, GAMES_A_TASK = 1024, 64, 4
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Point:
    """A point of a curve over the game, from 0 (the deal) to 1 (its last move)."""

    at: float
    value: Estimate


@dataclass(frozen=True)
class Leads:
    """Who led when, by points."""

    games: int
    changes: Distribution
    """How often the lead passed from one seat to another."""
    leader_wins: list[Point]
    """How often whoever leads at that point wins in the end."""
    from_behind: Estimate
    """Games won by one who did not lead in the middle of the game."""


@dataclass(frozen=True)
class Item:
    """One kind of card, token or choice."""

    name: str
    number: float
    """How many of them a seat has in a game, on average."""
    effect: Estimate
    """On the seat's chance to win."""


@dataclass(frozen=True)
class Effects:
    """What goes with winning."""

    title: str
    note: str
    random: bool
    """Whether the deal alone decides it: then it is an effect. Else it is only what goes together."""
    games: int
    items: list[Item]


@dataclass(frozen=True)
class Unused:
    """Pieces that were never used."""

    title: str
    note: str
    games: int
    items: list[tuple[str, Estimate]]
    """(kind, share of them that was not used)."""


@dataclass(frozen=True)
class Followed:
    """What is seen by following games."""

    leads: Leads
    effects: list[Effects]
    unused: Unused | None


@dataclass(frozen=True)
class Decided:
    """How early the winner is decided."""

    games: int
    replays: int
    winner: list[Point]
    """The chance that the later winner has at that point, on average."""


@dataclass
class _Trace:
    """What is kept of one game."""

    shares: Floats
    changes: int
    leader: list[float]
    behind: float
    counts: list[Counter[tuple[int, str]]]
    """For each topic."""
    there: Counter[str]
    used: Counter[str]
    held: list[set[str]]


def follow(setup: Setup, seed: np.uint64, games: int, crew: Crew, progress: Progress = lambda part: None) -> Followed:
    """Play games again move by move; they are the first ones of the batch with this seed."""
    pieces = BY_GAME.get(setup.rules.KEY, Pieces(()))
    step = setup.at_a_time(CHUNK)

    def play(begin: int) -> list[_Trace]:
        batch = play_games(setup, seed, begin, min(step, games - begin), room=ROOM)
        return [_trace(setup, seed, batch, i, pieces) for i in range(len(batch.length))]

    traces: list[_Trace] = []
    for part in in_order(crew, play, range(0, games, step)):
        traces += part
        progress(min(1.0, len(traces) / games))
    changes = distribution(Counter(trace.changes for trace in traces))
    leader = np.array([trace.leader for trace in traces])
    curve = [Point(t / GRID, mean_of(leader[:, t], (0.0, 1.0))) for t in range(GRID + 1)]
    behind = mean_of(np.array([trace.behind for trace in traces]), (0.0, 1.0))
    return Followed(Leads(games, changes, curve, behind), _effects(setup, traces, pieces), _unused(traces, pieces))


def _trace(setup: Setup, seed: np.uint64, batch: Batch, i: int, pieces: Pieces) -> _Trace:
    rules, seats = setup.rules, setup.seats
    states = dealt(setup, seed, batch.begin + i)
    length = min(int(batch.length[i]), ROOM)
    shares = batch.shares[i]
    counts: list[Counter[tuple[int, str]]] = [Counter() for _ in pieces.topics]
    stock, opening = pieces.stock, pieces.opening
    there = Counter(stock.there(rules.write_deal(states[0]))) if stock else Counter[str]()
    after = rules.read(states)
    held = [set(opening.held(rules.own_view(after, seat)["hand"])) for seat in range(seats)] if opening else []
    used: Counter[str] = Counter()
    score = np.zeros(seats, np.int64)
    points = np.zeros((length + 1, seats), np.int64)
    for step in range(length):
        action = int(batch.actions[i, step])
        before = after
        kernels.apply_one(states, action)
        kernels.scores_one(states, score)
        points[step + 1] = score
        after = rules.read(states)
        for event in rules.happened(before, rules.WORDS[action], after):
            for topic, count in zip(pieces.topics, counts, strict=True):
                count.update(topic.find(event))
            if stock:
                used.update(stock.used(event))
    leads = points == points.max(axis=1, keepdims=True)
    alone = leads.sum(axis=1) == 1
    order = leads[alone].argmax(axis=1)
    at = np.rint(np.arange(GRID + 1) / GRID * length).astype(np.int64)
    leader = (leads[at] * shares).sum(axis=1) / leads[at].sum(axis=1)
    half = leads[length // 2]
    behind = float((shares * ~half).sum())
    return _Trace(shares, int((np.diff(order) != 0).sum()), leader.tolist(), behind, counts, there, used, held)


def _effects(setup: Setup, traces: list[_Trace], pieces: Pieces) -> list[Effects]:
    seats = setup.seats
    won = np.concatenate([trace.shares for trace in traces]) - 1 / seats
    game = np.repeat(np.arange(len(traces)), seats)
    found = []
    for which, topic in enumerate(pieces.topics):
        rows = [[trace.counts[which][seat, name] for name in topic.names] for trace in traces for seat in range(seats)]
        found.append(_regressed(topic.title, topic.note, False, topic.names, np.array(rows, np.float64), won, game))
    if opening := pieces.opening:
        rows = [[name in trace.held[seat] for name in opening.names] for trace in traces for seat in range(seats)]
        held = np.array(rows, np.float64)
        items = []
        for name, column in zip(opening.names, held.T, strict=True):
            if 0 < column.sum() < len(column):
                items.append(Item(name, float(column.mean()), slopes(column[:, None], won, game)[0]))
        found.append(Effects(opening.title, opening.note, True, len(traces), items))
    return found


def _regressed(
    title: str, note: str, random: bool, names: tuple[str, ...], counts: Floats, won: Floats, game: np.ndarray
) -> Effects:
    items = [
        Item(name, float(column.mean()), slope)
        for name, column, slope in zip(names, counts.T, slopes(counts, won, game), strict=True)
        if np.isfinite(slope.low)
    ]
    return Effects(title, note, random, len(np.unique(game)), items)


def _unused(traces: list[_Trace], pieces: Pieces) -> Unused | None:
    if (stock := pieces.stock) is None:
        return None
    items = []
    for name in stock.names:
        there = [trace.there[name] for trace in traces]
        if all(there):
            shares = [1 - trace.used[name] / trace.there[name] for trace in traces]
            items.append((name, mean_of(shares, (0.0, 1.0))))
    return Unused(stock.title, stock.note, len(traces), items)


def replays_of(setup: Setup) -> int:
    """Return how often a game is played on from each point: the fewer, the wider the intervals, all else alike."""
    return THOUGHTFUL_REPLAYS if setup.thinks else REPLAYS


def decide(
    setup: Setup, seed: np.uint64, base: Seed, games: int, crew: Crew, progress: Progress = lambda part: None
) -> Decided:
    """Play games on from several points, what is hidden dealt anew as for a spectator; see how often they end alike.

    The players go on as they are. The chance that the later winner has is free of bias, however few the replays.
    """
    key = setup.rules.KEY
    chooser = int(derive(base, key, "study/decide"))
    at_a_time, replays = setup.at_a_time(GAMES_A_TASK), replays_of(setup)

    def play(begin: int) -> Floats:
        number = min(at_a_time, games - begin)
        batch = play_games(setup, seed, begin, number, room=ROOM)
        found = np.zeros((number, CHECKS + 1))
        twin = np.zeros(1, setup.rules.STATE)
        for i in range(number):
            length = min(int(batch.length[i]), ROOM)
            states, step = dealt(setup, seed, begin + i), 0
            shares = batch.shares[i]
            for check in range(CHECKS):
                while step < round(check / CHECKS * length):
                    kernels.apply_one(states, int(batch.actions[i, step]))
                    step += 1
                for replay in range(replays):
                    luck = np.random.default_rng((chooser, begin + i, check, replay))
                    streams = luck.integers(0, 1 << 63, 2 + kernels.MAX_SEATS, np.uint64)
                    twin[:] = states
                    kernels.redeal_one(twin, -1, streams[:1])
                    play_on(setup, twin, streams[1:2], streams[2:])
                    found[i, check] += shares_of(twin["winners"], setup.seats)[0] @ shares / replays
            found[i, CHECKS] = shares @ shares
        return found

    parts = []
    for part in in_order(crew, play, range(0, games, at_a_time)):
        parts.append(part)
        progress(min(1.0, sum(map(len, parts)) / games))
    chances = np.concatenate(parts)
    points = [Point(check / CHECKS, mean_of(chances[:, check], (0.0, 1.0))) for check in range(CHECKS + 1)]
    return Decided(games, replays, points)
