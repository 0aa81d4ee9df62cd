"""Follow games move by move: who leads when, what is taken and laid, when the winner is decided."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from tavolino.engine import kernels
from tavolino.engine.pieces import Pieces, Topic, pieces_of
from tavolino.intervals import Distribution, Estimate, Floats, distribution, mean_of, share_of, slopes
from tavolino.lab.played import PlayedGames, shares_of
from tavolino.lab.playing import Lineup, dealt, in_parts, play_games, play_on
from tavolino.lab.settings import Tell, untold
from tavolino.play.seeds import derive
from tavolino.workers import Workers

GRID = 20
"""Steps of a curve over the moves of a game."""
ENOUGH = 0.1
"""The share of the games in which somebody must lead for the leader's curve to have a point."""
CHECKS, REPLAYS, THOUGHTFUL_REPLAYS = 10, 8, 2
"""Steps between the moves from which a game is played on; how often from each; how often if players think."""
ROOM, CHUNK, GAMES_A_TASK = 1024, 64, 4


@dataclass(frozen=True)
class Point:
    """A point of a curve over the moves: the same in all games, so that it does not give away when they end."""

    at: int
    value: Estimate


@dataclass(frozen=True)
class Leads:
    """Who led when, by the score, checked when the seat that started begins a turn."""

    games: int
    changes: Distribution
    """How often the lead passed from one seat to another."""
    leader_wins: list[Point]
    """How often the sole leader at that point wins in the end, of the games still going then."""
    half: int
    """Half of the moves of a median game."""
    going: int
    """Games still going after those."""
    alone: Estimate
    """In how many of them one seat leads alone."""
    half_wins: Estimate | None
    """How often that seat wins in the end; None if there is no such game."""


@dataclass(frozen=True)
class Item:
    """One kind of card, token or choice."""

    name: str
    number: float
    """How many of them a seat has in a game, on average."""
    effect: Estimate
    """The effect on the seat's chance of winning."""


@dataclass(frozen=True)
class Effects:
    """What goes with winning."""

    title: str
    note: str
    random: bool
    """Whether the deal alone decides it: then it is an effect, otherwise only an association."""
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
    """The average chance of the eventual winner at that point; games that are over by then count with their result."""


@dataclass
class _Trace:
    """What is kept of one game."""

    shares: Floats
    changes: int
    leader: list[float | None]
    """The leader's share of the win at each point of the curve and at half-time; None if nobody leads alone."""
    going: bool
    """Whether the game goes on after half-time."""
    counts: list[Counter[tuple[int, str]]]
    """For each topic."""
    there: Counter[str]
    used: Counter[str]
    held: list[set[str]]


def grid_of(length: Distribution, steps: int) -> list[int]:
    """Return the moves after which games are looked at: evenly spaced, until few games are still going."""
    return sorted({round(length.high * i / steps) for i in range(steps + 1)})


def follow(
    lineup: Lineup, seed: np.uint64, games: int, length: Distribution, workers: Workers, tell: Tell = untold
) -> Followed:
    """Replay games move by move: the first ones of the batch with this seed, which are so long on average."""
    pieces = pieces_of(lineup.setup.game)
    half = round(length.median / 2)
    at = [*grid_of(length, GRID), half]

    def play(begin: int, number: int) -> list[_Trace]:
        batch = play_games(lineup, seed, begin, number, room=ROOM)
        return [_trace(lineup, seed, batch, i, pieces, at) for i in range(len(batch.length))]

    traces = [trace for part in in_parts(workers, play, games, lineup.at_a_time(CHUNK), tell) for trace in part]
    changes = distribution(Counter(trace.changes for trace in traces))
    led = [[share for share in shares if share is not None] for shares in zip(*(t.leader for t in traces), strict=True)]
    curve = [
        Point(moves, mean_of(shares, (0.0, 1.0)))
        for moves, shares in zip(at[:-1], led, strict=False)
        if len(shares) >= max(1.0, ENOUGH * games)
    ]
    going, at_half = sum(trace.going for trace in traces), led[-1]
    alone = share_of(len(at_half), going) if going else Estimate(0.0, 0.0, 1.0)
    leads = Leads(games, changes, curve, half, going, alone, mean_of(at_half, (0.0, 1.0)) if at_half else None)
    return Followed(leads, _effects(lineup, traces, pieces), _unused(traces, pieces))


def _trace(lineup: Lineup, seed: np.uint64, batch: PlayedGames, i: int, pieces: Pieces, at: list[int]) -> _Trace:
    setup = lineup.setup
    people, seats = setup.game.people, setup.players
    states = dealt(lineup, seed, batch.begin + i)
    after = setup.game.read(states)
    length = min(int(batch.length[i]), ROOM)
    shares = batch.shares[i]
    counts: list[Counter[tuple[int, str]]] = [Counter() for _ in pieces.topics]
    stock, opening = pieces.stock, pieces.opening
    there = Counter(stock.there(people.write_deal(after))) if stock else Counter[str]()
    held = [set(opening.held(people.own_view(after, seat)["hand"])) for seat in range(seats)] if opening else []
    used: Counter[str] = Counter()
    score = np.zeros(seats, np.int64)
    points = np.zeros((length + 1, seats), np.int64)
    starter, last, rounds = int(states["first"][0]), -1, [0]  # after so many moves the starter begins a turn
    round_at = np.zeros(length, np.int64)  # the latest of them
    for step in range(length):
        if (mover := int(states["player"][0])) >= 0:  # not chance, which may fall within a turn
            if mover == starter != last:
                rounds.append(step)
            last = mover
        round_at[step] = rounds[-1]
        action = int(batch.actions[i, step])
        before = after
        kernels.apply_one(states, action)
        kernels.scores_one(states, score)
        points[step + 1] = score
        after = setup.game.read(states)
        for event in people.happened(before, people.WORDS[action], after):
            for topic, count in zip(pieces.topics, counts, strict=True):
                count.update(topic.find(event))
            if stock:
                used.update(stock.used(event))
    leads = points == points.max(axis=1, keepdims=True)
    alone = leads.sum(axis=1) == 1
    led = np.array(rounds)[alone[rounds]]
    changes = int((np.diff(leads[led].argmax(axis=1)) != 0).sum())
    seen = [int(round_at[m]) if m < length else None for m in at]
    leader = [float((leads[m] * shares).sum()) if m is not None and alone[m] else None for m in seen]
    return _Trace(shares, changes, leader, seen[-1] is not None, counts, there, used, held)


def _effects(lineup: Lineup, traces: list[_Trace], pieces: Pieces) -> list[Effects]:
    seats = lineup.setup.players
    won = np.concatenate([trace.shares for trace in traces]) - 1 / seats
    game = np.repeat(np.arange(len(traces)), seats)
    found = []
    for which, topic in enumerate(pieces.topics):
        rows = [[trace.counts[which][seat, name] for name in topic.names] for trace in traces for seat in range(seats)]
        found.append(_regressed(topic, np.array(rows, np.float64), won, game))
    if opening := pieces.opening:
        rows = [[name in trace.held[seat] for name in opening.names] for trace in traces for seat in range(seats)]
        held = np.array(rows, np.float64)
        items = []
        for name, column in zip(opening.names, held.T, strict=True):
            if 0 < column.sum() < len(column):
                items.append(Item(name, float(column.mean()), slopes(column[:, None], won, game)[0]))
        found.append(Effects(opening.title, opening.note, True, len(traces), items))
    return found


def _regressed(topic: Topic, counts: Floats, won: Floats, game: np.ndarray) -> Effects:
    items = [
        Item(name, float(column.mean()), slope)
        for name, column, slope in zip(topic.names, counts.T, slopes(counts, won, game), strict=True)
        if np.isfinite(slope.low)
    ]
    return Effects(topic.title, topic.note, False, len(np.unique(game)), items)


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


def replays_of(lineup: Lineup) -> int:
    """Return how often a game is played on from each point: fewer repetitions only widen the intervals."""
    return THOUGHTFUL_REPLAYS if lineup.thinks else REPLAYS


def decide(
    lineup: Lineup, seed: np.uint64, games: int, length: Distribution, workers: Workers, tell: Tell = untold
) -> Decided:
    """Play games on from several points, with what a spectator cannot see dealt anew; see how often they end alike.

    The same players play on. The chance of the eventual winner is unbiased, however few the repetitions.
    """
    chooser = int(derive(int(seed), lineup.setup.key, "study/decide"))
    replays, at = replays_of(lineup), grid_of(length, CHECKS)

    def play(begin: int, number: int) -> Floats:
        batch = play_games(lineup, seed, begin, number, room=ROOM)
        found = np.zeros((number, len(at)))
        twin = np.zeros(1, lineup.setup.game.rules.STATE)
        for i in range(number):
            states, step = dealt(lineup, seed, begin + i), 0
            shares = batch.shares[i]
            for check, moves in enumerate(at):
                if moves >= min(int(batch.length[i]), ROOM):
                    found[i, check] = shares @ shares
                    continue
                while step < moves:
                    kernels.apply_one(states, int(batch.actions[i, step]))
                    step += 1
                for replay in range(replays):
                    luck = np.random.default_rng((chooser, begin + i, check, replay))
                    streams = luck.integers(0, 1 << 63, 2 + kernels.MAX_SEATS, np.uint64)
                    twin[:] = states
                    kernels.redeal_one(twin, -1, streams[:1])
                    play_on(lineup, twin, streams[1:2], streams[2:])
                    found[i, check] += shares_of(twin["winners"], lineup.setup.players)[0] @ shares / replays
        return found

    chances = np.concatenate(list(in_parts(workers, play, games, lineup.at_a_time(GAMES_A_TASK), tell)))
    points = [Point(moves, mean_of(chances[:, check], (0.0, 1.0))) for check, moves in enumerate(at)]
    return Decided(games, replays, points)
