"""What a game's own file of bots offers to compiled code: called with a state, each function runs that game's.

The state may be one that was dealt anew for the seat to move: these functions use only what that seat knows, so they
give the same answer for all states that look alike to it.
"""

from typing import Any

from tavolino.bots import generic
from tavolino.engine.contract import State, Stream
from tavolino.engine.dispatch import dispatch
from tavolino.engine.jit import INTERPRETED
from tavolino.engine.net import Features, Net
from tavolino.engine.registry import GAMES, by_state

BY_GAME = {key: game.part("bots") or generic for key, game in GAMES.items()}
"""The strategy of each game: its own `bots.py`, or one that knows nothing."""
_BY_STATE = {state: BY_GAME[game.key] for state, game in by_state().items()}
STYLES_BY_GAME = {key: game.part("styles") or generic for key, game in GAMES.items()}
"""The styles of play of each game: its own `styles.py`, or none."""
_STYLES_BY_STATE = {state: STYLES_BY_GAME[game.key] for state, game in by_state().items()}
MAX_CHOICES = 128
"""The most actions `choose` lists."""
MAX_PLAN = 8
"""The longest turn, and one more."""


def knows(key: str) -> bool:
    """Tell whether a game brings a strategy of its own."""
    return BY_GAME[key] is not generic


def naive(s: State, rng: Stream) -> int:
    """Return the move of someone who has just learnt the game."""
    return _BY_STATE[s.dtype].naive(s, rng)


def greedy(s: State, rng: Stream) -> int:
    """Return the move of a good rule of thumb."""
    return _BY_STATE[s.dtype].greedy(s, rng)


def answer(s: State, rng: Stream) -> int:
    """Return the move that others are taken to make in thought: that of the rule of thumb, or nearly."""
    return _BY_STATE[s.dtype].answer(s, rng)


def order(s: State, action: int) -> float:
    """Return how late a legal move should be tried in a search: the lower, the sooner."""
    return _BY_STATE[s.dtype].order(s, action)


def choose(s: State, net: Net, work: Any, on: Features, actions: Any, values: Any, plan: Any, far: int) -> int:
    """List moves worth playing with the mover's chance to win after each, by the network; return their number.

    `plan` gets the actions of the best turn, ended by -1; only -1 in games where one decides move by move.

    Where there are too many to look at all, `far` says how far to look from what the rule of thumb would play: NEAR in
    self-play, which learns better from sound games (docs/bots.md), and in thought; WIDE for a move to play.
    """
    return _BY_STATE[s.dtype].choose(s, net, work, on, actions, values, plan, far)


def turns(s: State, net: Net, work: Any, on: Features, lines: Any, values: Any) -> int:
    """List the lines that the network likes best, best first, as many as there is room for; return their number.

    A line is a whole turn if nothing hidden turns up before its end, else a move. `values` gets the mover's chances.
    """
    return _BY_STATE[s.dtype].turns(s, net, work, on, lines, values)


def mistakes(s: State, level: int) -> float:
    """Return how a level errs. 0, easy: the share of its moves that are those of a beginner, not of the rule of thumb.

    1, medium, and 2, hard: how far they misjudge what the network says of each move, in log odds.
    """
    return _BY_STATE[s.dtype].mistakes(s, level)


def plausible(s: State, past: Any, rng: Stream) -> bool:
    """Tell, perhaps by lot, whether another seat would have played its last turn so with what it holds in this world.

    `past` holds the states before and after that turn, dealt anew for the seat to move; hidden things in them may be
    overwritten.
    """
    return _BY_STATE[s.dtype].plausible(s, past, rng)


def afterstate(s: State, action: int, on: Features) -> int:
    """Write the features of what the mover leaves by an action, before anything hidden turns up; return their number.

    0 if nothing is to be learnt here: the decision is not complete, or its worth is that of what follows.
    """
    return _BY_STATE[s.dtype].afterstate(s, action, on)


def outlook(s: State, viewer: int, net: Net, work: Any, on: Features) -> float:
    """Return a seat's chance to win by the network where a round begins; -1 elsewhere, and in a game without rounds."""
    return _BY_STATE[s.dtype].outlook(s, viewer, net, work, on)


def likes(s: State, action: int, style: int) -> float:
    """Return how much a style, by its number from 1 on, likes an action: from 0 to 1."""
    return _STYLES_BY_STATE[s.dtype].likes(s, action, style)


def leans(s: State, style: int, level: int) -> tuple[float, float]:
    """Return the log odds that a style gives up at most for what it likes, and a scale that keeps it as strong.

    `level` is 1 to 3, for medium to expert.
    """
    return _STYLES_BY_STATE[s.dtype].leans(s, style, level)


if not INTERPRETED:
    for _of_styles in (likes, leans):
        dispatch(_of_styles, _STYLES_BY_STATE)
    for _function in (naive, greedy, answer, order, choose, turns, mistakes, plausible, afterstate, outlook):
        dispatch(_function, _BY_STATE)
