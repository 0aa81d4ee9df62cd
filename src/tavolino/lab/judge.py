"""The judge of a game under review: what each move is worth, for all seats, by the strongest look-ahead there is.

One ruler for everything: the same look-ahead finds the best move and prices the others. It is the expert's own: the
lines the network likes best, played on in many sampled worlds, the same worlds for each line (`bots.judging`).
A game without a network is played on as its search does. No arithmetic of NumPy's: a browser runs this module, too.
"""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from tavolino.bots.calibration import NETWORK, calibration_of
from tavolino.bots.knots import weights_at
from tavolino.bots.position import Position
from tavolino.bots.reasons import reasons
from tavolino.engine.kernels import MAX_SEATS, apply_one, chance_one, redeal_one
from tavolino.engine.plain import bits, copied
from tavolino.engine.registry import GAMES
from tavolino.engine.viewers import ALL_HANDS
from tavolino.intervals import Estimate, t95
from tavolino.lab.account import Weighed
from tavolino.lab.trying import Worlds, favourites, has_network, tried, watched, way
from tavolino.play.game import Game
from tavolino.play.seeds import Seed, derive

Line = list[int]
"""Actions of the seat to move, filled up with -1."""
Chances = list[list[list[float]]]
"""By world, line and seat."""
NOTHING: Line = [-1]
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
"""Other draws or rolls that a lucky one is compared with, to say how rare it is."""
USUAL_DRAWS, DRAW_TRIES = 32, 3
"""Other draws or rolls that make the usual one, and worlds that each of them is judged in."""
SWAY_TRIES = 24
"""Worlds in which a move that favours another seat is looked for; it is measured in three times as many others."""
SAME_WORLDS = 3
"""Worlds by which one sees whether they are still the same within a turn."""
QUIET_WORLDS = 16
"""Worlds that reasons are taken from where nothing was lost; where something was, they are those of a hint."""
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
    actions: list[int]
    """The line, as actions."""
    reasons: list[dict[str, Any]]
    """What speaks for or against it (`bots.advice`), if anything does and it was asked for."""


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
    plan: Line
    """The best line, as actions: the rest of the turn, as far as it can be planned."""


class Judge:
    """Judges the positions of one game; `tries` is how deep, and the same seed gives the same judgements.

    With `all_reasons` each candidate of every decision gets reasons, not only the two that matter where a move lost
    something.
    """

    def __init__(self, game: Game, tries: int = TRIES, seed: Seed = 1, all_reasons: bool = False) -> None:
        self._key, self._players, self._first = game.key, game.players, game.first
        self.tries, self._seed, self._all_reasons = tries, seed, all_reasons
        self._asks = has_network(game.key, game.players)
        turns, rounds, play_out = way(game.key)
        self._way = [max(1, turns), rounds, play_out]
        self._way_open = [max(OPEN_TURNS, turns), rounds, play_out]
        self._calibration = calibration_of(NETWORK, game.key, game.players)
        self._first_tries = min(FIRST_TRIES, tries)
        self._open_tries = max(self._first_tries, tries // 2)
        self._words = GAMES[game.key].people.WORDS
        self._turn = -1
        self._told: dict[tuple[int, ...], list[list[float]]] = {}
        """By viewer and all actions of the turn that was judged last: the chances in its worlds."""

    def chances(self, game: Game, since: int) -> list[float]:
        """Return the chances of all seats with all hands open, where nobody has to decide."""
        return self._after(self._root(game, since, ALL_HANDS), since, self._open_tries)

    def judge(self, game: Game, word: str, begun: Game, then: Line | None = None) -> Judgement:
        """Judge a legal move of the seat to move; `begun` is the game when its turn began.

        All decisions of one turn are judged in the same worlds. `then` is the best that can be done after the move in
        the same turn, if that was judged: among the lines that begin with the move, this one must not be missing.
        """
        seat, action, since = game.to_move, GAMES[game.key].actions[word], len(begun.moves)
        assert seat is not None
        if since != self._turn:
            self._turn, self._told = since, {}
        position = Position(game, seat, self._seed_of(since))
        root = position.state()
        legal = _legal(root)
        lines = self._lines(root, legal, action)
        lines += self._others(root, legal, lines)
        if then and (line := _filled([action, *then], len(lines[0]))) not in lines:
            lines.insert(0, line)
        if len(legal) == 1:
            found = _Found(seat, lines)
            played = best = 0
        else:
            found = self._compared(position, game, begun, lines, action)
            best, played = found.best(), found.best(action)
        error, gains, shares = found.error(best, played)
        wrong = error.value > 0
        if self._all_is_open(game, root, seat) and found.worlds:
            after, before = found.mean(played), found.mean(best if wrong else played)
        else:
            compared = self._open(game, begun, [lines[i] for i in ([played, best] if wrong else [played])])
            after, before = _mean(_of(compared, 0)), _mean(_of(compared, -1))
        shown = self._candidates(found, best, played) if len(legal) > 1 else []
        return Judgement(
            options=len(legal),
            best=self._words[lines[best][0]],
            candidates=self._explained(position, shown, word, wrong),
            weighed=Weighed(error, gains, shares, before, after),
            plan=[one for one in lines[best] if one >= 0],
        )

    def outcomes(self, game: Game, word: str, since: int) -> list[list[float]]:
        """Return the chances of all seats after what a move or roll brought, and after other draws or rolls.

        The first are those of the draw or roll that came, the others of random ones; all judged in the same worlds.
        """
        came = [_came(game, word), *self._draws(game, word, DRAWS)]
        return [self._after(states, since, self._first_tries) for states in came]

    def usual(self, game: Game, word: str, since: int) -> tuple[list[float], list[float]]:
        """Return the chances of all seats after what a move or roll brought, and the mean after others."""
        others = [self._after(states, since, DRAW_TRIES) for states in self._draws(game, word, USUAL_DRAWS)]
        return self._after(_came(game, word), since, self._first_tries), _mean(others)

    def _draws(self, game: Game, word: str, number: int) -> list[Any]:
        """Return a game after so many other draws or rolls."""
        action = GAMES[game.key].actions[word]
        rolled = action >= GAMES[game.key].rules.ROLLED
        found = []
        for other in range(number):
            states = game.open_state(f"{self._seed}/draw/{other}")
            if rolled:
                dice = np.array([derive(self._seed, game.key, f"{other}/{i}") for i in range(MAX_SEATS)], np.uint64)
                apply_one(states, int(chance_one(states, dice)))
            else:
                apply_one(states, action)
            found.append(states)
        return found

    def _after(self, states: Any, since: int, tries: int) -> list[float]:
        """Return the chances of all seats in a state, in so many worlds with all hands open."""
        return _mean(_of(self._tried(states, [NOTHING], self._worlds(ALL_HANDS, since, 0, tries)), 0))

    def sways(self, game: Game, since: int, near: float, least: float) -> bool:
        """Tell whether the seat to move can move another's chance by `least` among moves that are as good for itself.

        Moves count as such if they are within `near` of its best one; all hands are open. The largest of many noisy
        differences looks larger than it is: so it is found in some worlds and measured in others.
        """
        seat, root = game.to_move, game.open_state(f"{self._seed}/sway/{since}")
        assert seat is not None
        legal = _legal(root)
        lines = self._lines(root, legal, legal[0])
        chances = self._tried(root, lines, self._worlds(ALL_HANDS, since, 0, SWAY_TRIES))
        found = [_mean(_of(chances, line)) for line in range(len(lines))]
        best = max(one[seat] for one in found)
        equal = [line for line, one in enumerate(found) if one[seat] >= best - near]
        others = [one for one in range(self._players) if one != seat]
        spread = {other: [found[line][other] for line in equal] for other in others}
        other = max(others, key=lambda one: max(spread[one]) - min(spread[one]))
        if max(spread[other]) - min(spread[other]) < least:
            return False
        pair = [max(equal, key=lambda line: found[line][other]), min(equal, key=lambda line: found[line][other])]
        worlds = self._worlds(ALL_HANDS, since, SWAY_TRIES, 4 * SWAY_TRIES)
        again = self._tried(root, [lines[line] for line in pair], worlds)
        lead = [world[0][other] - world[1][other] for world in again]
        return _middle(lead) >= max(least, CLEAR * _error(lead))

    def _lines(self, root: Any, legal: list[int], action: int) -> list[Line]:
        """Return the lines to compare: the network's favourites, and the best that begin with the move played."""
        if not self._asks:
            return [[one] for one in legal]
        found = self._liked(root)
        if len(legal) == 1 or any(line[0] == action for line in found):
            return found
        return found + self._begun(root, action, len(found[0]), KEPT)

    def _others(self, root: Any, legal: list[int], lines: list[Line]) -> list[Line]:
        """Return a line for each move that none begins with, if the lines are too few to be listed.

        The network lists few turns where the others are far from what the rule of thumb would play, or where one wins.
        """
        if len(lines) >= min(SHOWN, len(legal)):
            return []
        firsts = [line[0] for line in lines]
        return [line for one in legal if one not in firsts for line in self._begun(root, one, len(lines[0]), 1)]

    def _begun(self, root: Any, action: int, length: int, most: int) -> list[Line]:
        """Return the best lines that begin with an action, by the network: the action, then the rest of the turn.

        Where the turn ends with it, or something hidden turns up, the action is all that can be planned.
        """
        after = copied(root)
        apply_one(after, action)
        if after["over"][0] or after["player"][0] != root["player"][0] or _turns_up(root, action):
            return [_filled([action], length)]
        return [[action, *line[:-1]] for line in self._liked(after)[:most]]

    def _liked(self, root: Any) -> list[Line]:
        """Return the network's favourites; what stands behind the end of a line is left over from a longer one."""
        lines = favourites(self._key, root)
        ends = [line.index(-1) if -1 in line else len(line) for line in lines]
        return [line[:end] + [-1] * (len(line) - end) for line, end in zip(lines, ends, strict=True)]

    def _compared(self, position: Position, game: Game, begun: Game, lines: list[Line], action: int) -> "_Found":
        """Try the lines in the same worlds, the ones that are hard to tell apart in more of them."""
        found, root = _Found(position.seat, lines), position.state()
        worlds = self._worlds(position.seat, len(begun.moves), 0, 0, position.last_turn())
        led = self._led_here(root, game, begun, lines[0], worlds)
        alive = list(range(len(lines)))
        twins = _twins(lines, action)
        for until, kept in ((self._first_tries, KEPT), (self.tries // 2, NEARLY_ALL), (self.tries, 0)):
            if until > found.worlds:
                more = replace(worlds, first=found.worlds, until=until)
                found.add(alive, self._tried_once(root, [lines[line] for line in alive], more, led))
            alive = found.contenders([line for line in alive if line not in twins], kept, action)
            if len(alive) == 1:
                break
        return found

    def _open(self, game: Game, begun: Game, lines: list[Line]) -> Chances:
        """Judge lines with all hands open."""
        since = len(begun.moves)
        root, worlds = self._root(game, since, ALL_HANDS), self._worlds(ALL_HANDS, since, 0, self._open_tries)
        return self._tried_once(root, lines, worlds, self._led_here(root, game, begun, lines[0], worlds))

    def _led_here(self, root: Any, game: Game, begun: Game, line: Line, worlds: Worlds) -> Line | None:
        """Return what has been played in this turn, if the worlds are those from its beginning; else None.

        They are, unless something has turned up meanwhile: then a line from here is worth something else in them.
        """
        since = len(begun.moves)
        led = [GAMES[self._key].actions[word] for word in game.moves[since:]]
        few = replace(worlds, first=0, until=SAME_WORLDS)
        if led:
            whole = [*led, *line]
            if self._tried(root, [line], few) != self._tried(self._root(begun, since, worlds.viewer), [whole], few):
                return None
        return led

    def _root(self, game: Game, since: int, viewer: int) -> Any:
        """Return a game's bare state with what a viewer cannot know dealt anew."""
        seed = self._seed_of(since)
        return game.open_state(seed) if viewer == ALL_HANDS else game.redealt_state(viewer, seed)

    def _tried_once(self, root: Any, lines: list[Line], worlds: Worlds, led: Line | None) -> Chances:
        """Try lines, but none again that another decision of the turn has led to; `led` is what was played before."""
        if led is None:
            return self._tried(root, lines, worlds)
        keys = [(worlds.viewer, *led, *[action for action in line if action >= 0]) for line in lines]
        new = [i for i, key in enumerate(keys) if len(self._told.get(key, [])) < worlds.until]
        if new:
            chances = self._tried(root, [lines[i] for i in new], worlds)
            for column, i in enumerate(new):
                self._told[keys[i]] = self._told.get(keys[i], [])[: worlds.first] + _of(chances, column)
        return [[self._told[key][world] for key in keys] for world in range(worlds.first, worlds.until)]

    def _seed_of(self, since: int) -> str:
        return f"{self._seed}/review/{since}"

    def _worlds(self, viewer: int, since: int, first: int, until: int, past: Any = None) -> Worlds:
        seed = derive(self._seed, self._key, f"review/{since}")
        how = self._way_open if viewer == ALL_HANDS else self._way
        return Worlds(viewer, past, seed, first, until, how, self._curve(since))

    def _tried(self, root: Any, lines: list[Line], worlds: Worlds) -> Chances:
        return tried(self._key, root, lines, worlds if worlds.past is not None else replace(worlds, past=root[:0]))

    def _curve(self, moves: int) -> list[float]:
        """Return how the network's word is corrected after so many moves: the level of each seat, then the slope."""
        weights = weights_at(moves / self._calibration.length)
        levels = [_total([a * b for a, b in zip(one, weights, strict=True)]) for one in self._calibration.levels]
        places = [(seat - self._first) % self._players for seat in range(self._players)]
        return [*(levels[place] for place in places), self._calibration.slope]

    def _all_is_open(self, game: Game, root: Any, seat: int) -> bool:
        """Tell whether a seat knows as much as someone who sees all hands."""
        for stream in (1, 2):
            one, two = copied(root), game.open_state("open")
            redeal_one(one, seat, np.array([stream], np.uint64))
            redeal_one(two, ALL_HANDS, np.array([stream], np.uint64))
            if one.tobytes() != two.tobytes():
                return False
        return True

    def _candidates(self, found: "_Found", best: int, played: int) -> list[Candidate]:
        """List the best moves, each by its best line, and the one played; then other lines, if those are too few.

        The move played is listed by the line that its error was found with; the same turn in another order comes last.
        """
        ranked = found.ranked(best)
        action = found.lines[played][0]
        twins = _twins(found.lines, action)
        firsts: list[int] = []
        for line in [played if found.lines[line][0] == action else line for line in ranked]:
            if line not in twins and all(found.lines[line][0] != found.lines[one][0] for one in firsts):
                firsts.append(line)
        kept = [line for i, line in enumerate(firsts) if i < SHOWN or found.lines[line][0] == action]
        rest = [line for line in ranked if line not in firsts]
        rest = [line for line in rest if line not in twins] + [line for line in rest if line in twins]
        kept += rest[: max(0, SHOWN - len(kept))]
        return [self._candidate(found, line, best) for line in ranked if line in kept]

    def _candidate(self, found: "_Found", line: int, best: int) -> Candidate:
        actions = [action for action in found.lines[line] if action >= 0]
        words = [self._words[action] for action in actions]
        return Candidate(words[0], words, found.mean(line)[found.seat], found.behind(line, best), actions, [])

    def _explained(self, position: Position, shown: list[Candidate], word: str, wrong: bool) -> list[Candidate]:
        """Give reasons to the candidates that are to have some; none to one that stands alone, or without a network."""
        whole = self._all_reasons and len(shown) > 1
        if not self._asks or not (whole or wrong):
            return shown
        mine = next(one for one in shown if one.word == word)
        told = [shown[0], mine] if wrong else []  # the best is compared with the second here: the one played
        told += [one for one in shown if whole and one not in told]
        lines = [one.actions for one in told]
        trials = watched(position, lines, None if wrong else QUIET_WORLDS)
        found = reasons(GAMES[position.key], position.seat, lines, trials)
        why = {
            tuple(one.actions): [{"code": reason.code, "values": dict(reason.values)} for reason in some]
            for one, some in zip(told, found, strict=True)
        }
        return [replace(one, reasons=why.get(tuple(one.actions), [])) for one in shown]


class _Found:
    """What was found for each line, world by world."""

    def __init__(self, seat: int, lines: list[Line]) -> None:
        self.seat, self.lines = seat, lines
        self.worlds = 0
        self._chances: list[list[list[float]]] = [[] for _ in lines]

    def add(self, which: list[int], chances: Chances) -> None:
        """Add what was found for some lines."""
        for column, line in enumerate(which):
            self._chances[line] = self._chances[line] + _of(chances, column)
        self.worlds += len(chances)

    def of(self, line: int) -> list[list[float]]:
        """Return all chances found for a line: [world][seat]."""
        return self._chances[line]

    def mean(self, line: int) -> list[float]:
        """Return the chances of all seats by a line."""
        return _mean(self.of(line))

    def leads(self, one: int, other: int) -> list[float]:
        """Return by how much one line is better than another for the mover, in each world in which both were tried."""
        mine, theirs, seat = self.of(one), self.of(other), self.seat
        return [mine[k][seat] - theirs[k][seat] for k in range(min(len(mine), len(theirs)))]

    def ranked(self, best: int) -> list[int]:
        """Return all lines, the best first, by how far they are behind it."""
        behind = [_middle(self.leads(best, line)) for line in range(len(self.lines))]
        return sorted(range(len(self.lines)), key=lambda line: (line != best, behind[line], line))

    def best(self, action: int | None = None) -> int:
        """Return the best of the lines, or of those that begin with an action, among those tried longest."""
        lines = [i for i in range(len(self.lines)) if action is None or self.lines[i][0] == action]
        longest = max(len(self.of(i)) for i in lines)
        return max((i for i in lines if len(self.of(i)) == longest), key=lambda i: self.mean(i)[self.seat])

    def contenders(self, alive: list[int], kept: int, action: int) -> list[int]:
        """Return the lines to go on with: at most `kept` not clearly behind, and the best one of the move played."""
        means = {line: self.mean(line)[self.seat] for line in alive}
        order = sorted(alive, key=lambda line: (-means[line], alive.index(line)))  # a browser's sort is not stable
        played = next(line for line in order if self.lines[line][0] == action)
        go_on = [line for line in order[: kept or None] if line == order[0] or not _clear(self.leads(order[0], line))]
        return go_on if played in go_on else [*go_on, played]

    def behind(self, line: int, best: int) -> Estimate:
        """Return by how much a line is behind the best one."""
        if line == best:
            return Estimate(0.0, 0.0, 0.0)
        lead = self.leads(best, line)
        half = t95(len(lead) - 1) * _error(lead) if len(lead) > 1 else 1.0
        mean = max(0.0, _middle(lead))
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
                most = max(most, _middle(lead) + t95(len(lead) - 1) * _error(lead))
        lead = self.leads(best, played)
        mean, noise = _middle(lead), _error(lead) if len(lead) > 1 else 1.0
        common = len(lead)
        with_best, with_played = _mean(self.of(best)[:common]), _mean(self.of(played)[:common])
        if best == played or mean <= CLEAR * noise:
            return Estimate(0.0, 0.0, most), [0.0] * len(with_best), with_played
        shrunk = (CLEAR * noise / mean) ** 2
        half = t95(common - 1) * noise * (1 + shrunk)  # what is shrunk varies more
        lost = mean * (1 - shrunk)
        error = Estimate(lost, max(0.0, lost - half), max(most, lost + half))
        return error, [(b - a) * (lost / mean) for a, b in zip(with_best, with_played, strict=True)], with_played


def _came(game: Game, word: str) -> Any:
    """Return a game after a move or roll, with all hands open."""
    after = game.copy()
    after.play(word)
    return after.open_state("came")


def _filled(line: Line, length: int) -> Line:
    """Return a line in a given length: cut off, or filled up with -1."""
    return (line + [-1] * length)[:length]


def _legal(root: Any) -> list[int]:
    """Return the legal actions."""
    return [64 * i + bit for i, mask in enumerate(root["legal"][0].tolist()) for bit in bits(mask)]


def _twins(lines: list[Line], action: int) -> list[int]:
    """Return which lines are an earlier one in another order; none that begins with `action`, the move played."""
    sets = [sorted(line) for line in lines]
    return [i for i in range(len(lines)) if lines[i][0] != action and sets[i] in sets[:i]]


def _turns_up(root: Any, action: int) -> bool:
    """Tell whether an action brings something to light: whether its seat sees something else in other worlds."""
    seat = int(root["player"][0])
    seen = []
    for stream in (1, 2, 3):
        one = copied(root)
        redeal_one(one, seat, np.array([stream], np.uint64))
        apply_one(one, action)
        redeal_one(one, seat, np.array([1], np.uint64))
        seen.append(one.tobytes())
    return seen[0] != seen[1] or seen[0] != seen[2]


def _of(chances: Chances, line: int) -> list[list[float]]:
    """Return the chances by one line: [world][seat]."""
    return [world[line] for world in chances]


def _total(numbers: list[float]) -> float:
    """Add up, one after the other: Python's own `sum` rounds differently from version to version."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def _middle(numbers: list[float]) -> float:
    return _total(numbers) / len(numbers)


def _mean(chances: list[list[float]]) -> list[float]:
    """Return the mean over the worlds of [world][seat]."""
    return [_middle([world[seat] for world in chances]) for seat in range(len(chances[0]))]


def _error(lead: list[float]) -> float:
    """Return the standard error of a mean; there must be two numbers at least."""
    middle, n = _middle(lead), len(lead)
    return sqrt(_total([(one - middle) * (one - middle) for one in lead]) / (n - 1)) / sqrt(n)


def _clear(lead: list[float]) -> bool:
    """Tell whether a lead is beyond doubt."""
    return len(lead) > 1 and _middle(lead) > HOPELESS * _error(lead)
