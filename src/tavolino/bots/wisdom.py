"""What a game's own file of bots offers to compiled code: called with a state, each function runs that game's.

The state may be one that was dealt anew for the seat to move: these functions use only what that seat knows, so they
give the same answer for all states that look alike to it.
"""

from types import ModuleType
from typing import Any

from tavolino.bots import face_to_face, orma, out_of_sock
from tavolino.bots.net import Features, Net
from tavolino.games import GAMES
from tavolino.games.jit import INTERPRETED, State
from tavolino.games.protocol import dispatch
from tavolino.games.rng import Stream

BY_GAME: dict[str, ModuleType] = {"out-of-sock": out_of_sock, "face-to-face": face_to_face, "orma": orma}
_BY_DTYPE = {GAMES[key].STATE: module for key, module in BY_GAME.items()}
NEAR, WIDE = 0, 1  # how far to look
MAX_CHOICES = 128
"""The most actions `choose` lists."""


def naive(s: State, rng: Stream) -> int:
    """Return the move of someone who has just learnt the game."""
    return _BY_DTYPE[s.dtype].naive(s, rng)


def greedy(s: State, rng: Stream) -> int:
    """Return the move of a good rule of thumb."""
    return _BY_DTYPE[s.dtype].greedy(s, rng)


def order(s: State, action: int) -> float:
    """Return how late a legal move should be tried in a search: the lower, the sooner."""
    return _BY_DTYPE[s.dtype].order(s, action)


def choose(s: State, net: Net, work: Any, on: Features, actions: Any, values: Any, far: int) -> int:
    """List moves worth playing with the mover's chance to win after each, by the network; return their number.

    Where there are too many to look at all, `far` says how far to look from what the rule of thumb would play: NEAR in
    self-play, which learns better from sound games (docs/bots.md), and in thought; WIDE for a move to play.
    """
    return _BY_DTYPE[s.dtype].choose(s, net, work, on, actions, values, far)


def enough(s: State) -> float:
    """Return what is enough for level `hard`: all moves are the same to it with this part of the best one's odds."""
    return _BY_DTYPE[s.dtype].enough(s)


def afterstate(s: State, action: int, on: Features) -> int:
    """Write the features of what the mover leaves by an action, before anything hidden turns up; return their number.

    0 if nothing is to be learnt here: the decision is not complete, or its worth is that of what follows.
    """
    return _BY_DTYPE[s.dtype].afterstate(s, action, on)


if not INTERPRETED:
    for _function in (naive, greedy, order, choose, enough, afterstate):
        dispatch(_function, BY_GAME)
