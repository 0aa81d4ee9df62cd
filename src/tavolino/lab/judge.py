"""The judge of a game under review: what each move is worth, for all seats, by the strongest look-ahead there is.

One ruler for everything: the same look-ahead finds the best move and prices the others. It is the expert's own: the
lines the network likes best, played on in many sampled worlds, the same worlds for each line (`compiled.judging`).
A game without a network is played on as its search does.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tavolino.bots.advice import explain
from tavolino.bots.calibration import NETWORK, calibration_of, weights_of
from tavolino.bots.networks import active, load
from tavolino.bots.position import Position
from tavolino.bots.search import PLAY_OUTS
from tavolino.bots.strategy import BY_GAME
from tavolino.bots.thinking import MoveChance, candidates
from tavolino.engine.kernels import MAX_SEATS, Ints, States, apply_one, chance_one, redeal_one
from tavolino.engine.plain import bits, copied
from tavolino.engine.registry import GAMES
from tavolino.engine.viewers import ALL_HANDS
from tavolino.intervals import Estimate, Floats, t95
from tavolino.lab.account import Weighed
from tavolino.lab.compiled.judging import judge_lines
from tavolino.play.game import Game
from tavolino.play.seeds import Seed, derive

TRIES = 192
"""Sampled worlds per line at the default depth."""
FIRST_TRIES = 24
"""Worlds in which every line is tried; then only those that may still be the best, or the one played."""
KEPT, NEARLY_ALL = 4, 2
"""How many lines are kept after the first worlds, and after half of all."""
OPEN_TURNS = 2
"""How many turns of each seat are played on at least where all hands are open."""
HOPELESS, CLEAR = 3.0, 2.0
"""Standard errors by which a line must be behind to be given up, and a move to be called an error."""
DRAWS = 60
"""Other draws or rolls that a lucky one is compared with."""
SWAY_TRIES = 24
"""Worlds in which a move that favours another seat is looked for; it is measured in three times as many others."""
SHOWN = 5
"""Candidates listed for a decision; the move played is always among them."""


@dataclass(frozen=True)
class Candidate:
    """A move that was considered, with the rest of the turn that it was judged with."""

    word: str
    line: list[str]
    chance: float
    """The mover's chance, by what it could know."""
    behind: Estimate
    """By how much it is behind the best, in the same worlds."""
    actions: tuple[int, ...]
    """The line, as actions."""
    reasons: list[dict[str, Any]]
    """What speaks for or against it (`bots.advice`): where the move played lost something, for it and the best."""


@dataclass(frozen=True)
class Judgement:
    """A decision: judged by what its seat could know, and what it changed for all who see every hand."""

    options: int
    """How many legal moves there were."""
    best: str
    candidates: list[Candidate]
    """The best first."""
    weighed: Weighed
    """What it cost, and the chances with all hands open."""


class Judge:
    """Judges the positions of one game; `tries` is how deep, and the same seed gives the same judgements."""

    def __init__(self, game: Game, tries: int = TRIES, seed: Seed = 1) -> None:
        self._key, self._players, self._first = game.key, game.players, game.first
        self.tries, self._seed = tries, seed
        self._net, self._features = load(game.key, game.players), active(game.key)
        self._bots = BY_GAME[game.key]
        play_out = PLAY_OUTS[self._bots.SEARCH[0]]
        self._how = np.array([max(1, self._bots.TURNS), self._bots.ROUNDS, play_out], np.int64)
        self._how_open = np.maximum(self._how, [OPEN_TURNS, 0, 0])
        self._calibration = calibration_of(NETWORK, game.key, game.players)
        self._first_tries = min(FIRST_TRIES, tries)
        self._words = GAMES[game.key].people.WORDS

    def chances(self, game: Game, since: int) -> list[float]:
        """Return the chances of all seats with all hands open, where nobody has to decide."""
        nothing = np.full((1, 1), -1, np.int64)
        return _mean(self._open(game, since, nothing)[:, 0])

    def judge(self, game: Game, word: str, since: int) -> Judgement:
        """Judge a legal move of the seat to move, whose turn began after so many moves.

        All decisions of one turn are judged in the same worlds.
        """
        seat, action = game.to_move, GAMES[game.key].actions[word]
        assert seat is not None
        position = Position(game, seat, f"{self._seed}/review/{since}")
        root = position.state()
        legal = [64 * i + bit for i, mask in enumerate(root["legal"][0].tolist()) for bit in bits(mask)]
        lines = self._lines(root, legal, action)
        if len(legal) == 1:
            found = _Found(seat, lines)
            played = best = 0
        else:
            found = self._compared(root, position.last_turn(), lines, action, since, seat)
            best, played = found.best(), found.best(action)
        error, gains, shares = found.error(best, played)
        wrong = error.value > 0
        if self._all_is_open(game, root, seat) and found.worlds:
            after, before = found.mean(played), found.mean(best if wrong else played)
        else:
            tried = self._open(game, since, lines[[played, best] if wrong else [played]])
            after, before = _mean(tried[:, 0]), _mean(tried[:, -1])
        shown = self._candidates(found, best, played) if len(legal) > 1 else []
        return Judgement(
            options=len(legal),
            best=self._words[int(lines[best, 0])],
            candidates=_explained(position, shown, word) if wrong else shown,
            weighed=Weighed(error, gains, shares, before, after),
        )

    def outcomes(self, game: Game, word: str, since: int) -> list[list[float]]:
        """Return the chances of all seats after what a move or roll brought, and after other draws or rolls.

        The first are those of the draw or roll that came, the others of random ones; all judged in the same worlds.
        """
        action = GAMES[game.key].actions[word]
        rolled = action >= GAMES[game.key].rules.ROLLED
        after = game.copy()
        after.play(word)
        tried = [after.open_state("came")]
        for other in range(DRAWS):
            states = game.open_state(f"{self._seed}/draw/{other}")
            if rolled:
                dice = np.array([derive(self._seed, game.key, f"{other}/{i}") for i in range(MAX_SEATS)], np.uint64)
                apply_one(states, int(chance_one(states, dice)))
            else:
                apply_one(states, action)
            tried.append(states)
        nothing = np.full((1, 1), -1, np.int64)
        return [
            _mean(self._tried(states, states[:0], ALL_HANDS, nothing, since, 0, self._first_tries)[:, 0])
            for states in tried
        ]

    def sways(self, game: Game, since: int, near: float, least: float) -> bool:
        """Tell whether the seat to move can move another's chance by `least` among moves that are as good for itself.

        Moves count as such if they are within `near` of its best one; all hands are open. The largest of many noisy
        differences looks larger than it is: so it is found in some worlds and measured in others.
        """
        seat, root = game.to_move, game.open_state(f"{self._seed}/sway/{since}")
        assert seat is not None
        legal = [64 * i + bit for i, mask in enumerate(root["legal"][0].tolist()) for bit in bits(mask)]
        lines = self._lines(root, legal, legal[0])
        found = self._tried(root, root[:0], ALL_HANDS, lines, since, 0, SWAY_TRIES).mean(axis=0)
        equal = np.flatnonzero(found[:, seat] >= found[:, seat].max() - near)
        spread = np.ptp(found[equal], axis=0)
        spread[seat] = 0.0
        other = int(spread.argmax())
        if spread[other] < least:
            return False
        pair = equal[[found[equal, other].argmax(), found[equal, other].argmin()]]
        again = self._tried(root, root[:0], ALL_HANDS, lines[pair], since, SWAY_TRIES, 4 * SWAY_TRIES)
        lead = again[:, 0, other] - again[:, 1, other]
        return float(lead.mean()) >= max(least, CLEAR * _error(lead))

    def _lines(self, root: States, legal: list[int], action: int) -> Ints:
        """Return the lines to compare: the network's favourites, and the best that begin with the move played."""
        if not len(self._net):
            return np.array(legal, np.int64)[:, None]
        found = candidates(root, self._net, self._features)[0]
        if (found[:, 0] == action).any() or len(legal) == 1:
            return found
        after = copied(root)
        apply_one(after, action)
        more = np.full((1, found.shape[1]), -1, np.int64)
        if not after["over"][0] and after["player"][0] == root["player"][0]:
            more = candidates(after, self._net, self._features)[0][:KEPT]
        begun = np.column_stack((np.full(len(more), action), more[:, :-1]))
        return np.concatenate((found, begun))

    def _compared(self, root: States, past: States, lines: Ints, action: int, since: int, seat: int) -> "_Found":
        """Try the lines in the same worlds, the ones that are hard to tell apart in more of them."""
        found = _Found(seat, lines)
        alive = np.arange(len(lines))
        for until, kept in ((self._first_tries, KEPT), (self.tries // 2, NEARLY_ALL), (self.tries, 0)):
            if until > found.worlds:
                found.add(alive, self._tried(root, past, seat, lines[alive], since, found.worlds, until))
            alive = found.contenders(alive, kept, action)
            if len(alive) == 1:
                break
        return found

    def _open(self, game: Game, since: int, lines: Ints) -> Floats:
        """Judge lines with all hands open: [world, line, seat]."""
        root = game.open_state(f"{self._seed}/review/{since}")
        return self._tried(root, root[:0], ALL_HANDS, lines, since, 0, max(self._first_tries, self.tries // 2))

    def _tried(
        self, root: States, past: States, viewer: int, lines: Ints, since: int, first: int, until: int
    ) -> Floats:
        chances = np.empty((until - first, len(lines), self._players))
        seed = np.uint64(derive(self._seed, self._key, f"review/{since}"))
        curve = self._curve(since)
        scratch = np.empty(2, root.dtype)
        arrays = (self._net, self._features, np.ascontiguousarray(lines), chances)
        how = self._how_open if viewer == ALL_HANDS else self._how
        judge_lines(root, past, scratch, viewer, *arrays, seed, first, how, curve)
        return chances

    def _curve(self, moves: int) -> Floats:
        """Return how the network's word is corrected after so many moves: the level of each seat, then the slope."""
        levels = np.array(self._calibration.levels) @ weights_of(moves / self._calibration.length)
        places = (np.arange(self._players) - self._first) % self._players
        curve: Floats = np.append(levels[places], self._calibration.slope)
        return curve

    def _all_is_open(self, game: Game, root: States, seat: int) -> bool:
        """Tell whether a seat knows as much as someone who sees all hands."""
        for stream in (1, 2):
            one, two = copied(root), game.open_state("open")
            redeal_one(one, seat, np.array([stream], np.uint64))
            redeal_one(two, ALL_HANDS, np.array([stream], np.uint64))
            if one.tobytes() != two.tobytes():
                return False
        return True

    def _candidates(self, found: "_Found", best: int, played: int) -> list[Candidate]:
        """List the best moves, each by its best line, and the one played."""
        shown: dict[int, Candidate] = {}
        for line in found.ranked(best):
            actions = tuple(int(action) for action in found.lines[line] if action >= 0)
            words = [self._words[action] for action in actions]
            behind = found.behind(line, best)
            shown.setdefault(
                int(found.lines[line, 0]), Candidate(words[0], words, found.mean(line)[found.seat], behind, actions, [])
            )
        listed = list(shown.values())
        word = self._words[int(found.lines[played, 0])]
        return [one for i, one in enumerate(listed) if i < SHOWN or one.word == word]


class _Found:
    """What was found for each line, world by world."""

    def __init__(self, seat: int, lines: Ints) -> None:
        self.seat, self.lines = seat, lines
        self.worlds = 0
        self._chances: list[list[Floats]] = [[] for _ in lines]

    def add(self, which: Ints, chances: Floats) -> None:
        """Add what was found for some lines: [world, line, seat]."""
        for column, line in enumerate(which):
            self._chances[line].append(chances[:, column])
        self.worlds += len(chances)

    def of(self, line: int) -> Floats:
        """Return all chances found for a line: [world, seat]."""
        return np.concatenate(self._chances[line])

    def mean(self, line: int) -> list[float]:
        """Return the chances of all seats by a line."""
        return _mean(self.of(line))

    def leads(self, one: int, other: int) -> Floats:
        """Return by how much one line is better than another for the mover, in each world in which both were tried."""
        mine, theirs = self.of(one)[:, self.seat], self.of(other)[:, self.seat]
        common = min(len(mine), len(theirs))
        lead: Floats = mine[:common] - theirs[:common]
        return lead

    def ranked(self, best: int) -> list[int]:
        """Return all lines, the best first, by how far they are behind it."""
        return sorted(range(len(self.lines)), key=lambda line: (line != best, float(self.leads(best, line).mean())))

    def best(self, action: int | None = None) -> int:
        """Return the best of the lines, or of those that begin with an action, among those tried longest."""
        lines = [i for i in range(len(self.lines)) if action is None or self.lines[i, 0] == action]
        longest = max(len(self.of(i)) for i in lines)
        return max((i for i in lines if len(self.of(i)) == longest), key=lambda i: self.mean(i)[self.seat])

    def contenders(self, alive: Ints, kept: int, action: int) -> Ints:
        """Return the lines to go on with: at most `kept` not clearly behind, and the best one of the move played."""
        order = sorted(alive.tolist(), key=lambda line: -self.mean(line)[self.seat])
        played = next(line for line in order if self.lines[line, 0] == action)
        go_on = [line for line in order[: kept or None] if line == order[0] or not _clear(self.leads(order[0], line))]
        return np.array(list(dict.fromkeys([*go_on, played])))

    def behind(self, line: int, best: int) -> Estimate:
        """Return by how much a line is behind the best one."""
        if line == best:
            return Estimate(0.0, 0.0, 0.0)
        lead = self.leads(best, line)
        half = t95(len(lead) - 1) * _error(lead) if len(lead) > 1 else 1.0
        mean = max(0.0, float(lead.mean()))
        return Estimate(mean, max(0.0, mean - half), mean + half)

    def error(self, best: int, played: int) -> tuple[Estimate, list[float], list[float]]:
        """Return what was lost by the line played, what that gave each seat, and the chances by that line.

        The best of several noisy numbers looks better than it is. So a difference counts less the closer it is to
        its noise, and not at all within two standard errors; far above, it counts as it is (Breiman's garrote). The
        interval reaches up to what any line that is not clearly worse might be better than the one played.
        """
        if not self.worlds:
            return Estimate(0.0, 0.0, 0.0), [], []
        most = 0.0
        for line in range(len(self.lines)):
            if line != played and len(self.of(line)) > 1:
                lead = self.leads(line, played)
                most = max(most, float(lead.mean()) + t95(len(lead) - 1) * _error(lead))
        lead = self.leads(best, played)
        mean, noise = float(lead.mean()), _error(lead) if len(lead) > 1 else 1.0
        common = len(lead)
        with_best, with_played = self.of(best)[:common].mean(axis=0), self.of(played)[:common].mean(axis=0)
        if best == played or mean <= CLEAR * noise:
            return Estimate(0.0, 0.0, most), [0.0] * len(with_best), with_played.tolist()
        shrunk = (CLEAR * noise / mean) ** 2
        half = t95(common - 1) * noise * (1 + shrunk)  # what is shrunk varies more
        lost = mean * (1 - shrunk)
        error = Estimate(lost, max(0.0, lost - half), max(most, lost + half))
        return error, ((with_played - with_best) * (lost / mean)).tolist(), with_played.tolist()


def _explained(position: Position, shown: list[Candidate], word: str) -> list[Candidate]:
    """Give reasons to the best candidate and to the one played."""
    told = [one for i, one in enumerate(shown) if i == 0 or one.word == word]
    found = [MoveChance(one.word, one.chance, 1, 0.0, one.actions) for one in told]
    why = {
        one.word: [{"code": reason.code, "values": dict(reason.values)} for reason in reasons]
        for one, reasons in zip(told, explain(position, found), strict=True)
    }
    return [replace(one, reasons=why.get(one.word, [])) for one in shown]


def _mean(chances: Floats) -> list[float]:
    """Return the mean over the worlds of [world, seat]."""
    found: list[float] = chances.mean(axis=0).tolist()
    return found


def _error(lead: Floats) -> float:
    return float(lead.std(ddof=1) / np.sqrt(len(lead)))


def _clear(lead: Floats) -> bool:
    """Tell whether a lead is beyond doubt."""
    return len(lead) > 1 and float(lead.mean()) > HOPELESS * _error(lead)
