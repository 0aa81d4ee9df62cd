"""The players that come with Tavolino, by name: `random`, `greedy`, `search`, `expert`, and the levels to choose.

Which of them a game has depends on its folder (`players_of`): all, if it has bots and networks of its own; without
networks none that asks one; without bots `random` and `search`. Each game has all levels: search stands in for those
that its folder does not bring. A level of a game with styles of play is there in each of them, too: `medium-bold`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from tavolino.bots import policies, search
from tavolino.bots.characters import STYLED
from tavolino.bots.networks import active, has_networks, load
from tavolino.bots.policy_files import is_policy_file, open_policy
from tavolino.bots.position import Position, forced_move
from tavolino.bots.strategy import BY_GAME, STYLES_BY_GAME, knows
from tavolino.bots.thinking import MoveChance, look_ahead, look_ahead_in_style, search_tree
from tavolino.engine.kernels import Ints
from tavolino.engine.net import Net
from tavolino.engine.registry import GAMES
from tavolino.play.seeds import derive

LEVELS = {"easy": 0.1, "medium": 0.3, "hard": 1.0, "expert": 3.0}
"""The levels people choose, and the seconds a move may take at most on one core."""
SIMULATIONS = {"easy": 16, "medium": 64, "hard": 256, "expert": 1000}
"""How long search thinks at each level, in a game where it stands in for the level's own player."""


class Player(Protocol):
    """Someone who plays: a program of ours, a function, another process."""

    @property
    def name(self) -> str:
        """What it is called in tables."""

    def choose(self, position: Position) -> str:
        """Return a move for the seat to move."""

    def close(self) -> None:
        """Let go of what it holds."""


Choose = Callable[[Position], str]


@dataclass(frozen=True)
class Builtin:
    """A player that comes with Tavolino."""

    name: str

    def choose(self, position: Position) -> str:
        """Return a move for the seat to move."""
        return forced_move(position) or _player(self.name, position.key)(position)

    def close(self) -> None:
        """Nothing is held."""


def at_once(policy: int) -> Callable[[Position], str]:
    """Make a player of one that answers at once."""

    def choose(position: Position) -> str:
        states = position.state()
        rng = np.array([derive(position.seed, position.key, "player")], np.uint64)
        net, features = load(position.key, position.players), active(position.key)
        return position.word(int(policies.policy_move(states, policy, net, features, rng)))

    return choose


SEARCH_SIMULATIONS = 1000


def think_by_search(position: Position, simulations: int = SEARCH_SIMULATIONS) -> list[MoveChance]:
    """Advise by information-set tree search."""
    play_out, how = BY_GAME[position.key].SEARCH
    return search_tree(position, search.PLAY_OUTS[play_out], how, simulations)


def _best(think: Callable[..., list[MoveChance]], *more: Any) -> Choose:
    return lambda position: think(position, *more)[0].word


AT_ONCE = {name: policy for policy, name in enumerate(policies.POLICIES)}
"""The players that answer at once, by the policy they follow."""
ASK_A_NETWORK = {"value", "medium", "hard", "expert"}
BUILTIN: dict[str, Choose] = {
    **{name: at_once(policy) for name, policy in AT_ONCE.items()},
    "search": _best(think_by_search),
    "expert": _best(look_ahead),
}
"""All players, as a game has them that brings bots and networks."""
SEARCHING = {level: _best(think_by_search, simulations) for level, simulations in SIMULATIONS.items()}
"""The levels in a game that does not bring what they need."""


def styles_of(key: str) -> tuple[str, ...]:
    """Return the styles of play of a game, in the order of their numbers; none in a game without networks."""
    return tuple(STYLES_BY_GAME[key].STYLES) if has_networks(key) else ()


@cache
def at_once_in(key: str) -> dict[str, int]:
    """Return the players of a game that answer at once, by the policy they follow."""
    if not knows(key):
        return {"random": policies.RANDOM}
    found = {name: policy for name, policy in AT_ONCE.items() if has_networks(key) or name not in ASK_A_NETWORK}
    for number, style in enumerate(styles_of(key), 1):
        found |= {f"{name}-{style}": AT_ONCE[name] + policies.STYLE * number for name in STYLED if name in AT_ONCE}
    return found


def thumb_of(key: str) -> str:
    """Return the best player of a game that answers at once by a rule of thumb."""
    return next(name for name in ("greedy", "random") if name in at_once_in(key))


def players_of(key: str) -> dict[str, Choose]:
    """Return the players that there are for a game, the levels among them."""
    answering = at_once_in(key)
    thinking = [name for name in BUILTIN if name not in AT_ONCE and (has_networks(key) or name not in ASK_A_NETWORK)]
    own = {name: choose for name, choose in BUILTIN.items() if name in answering or name in thinking}
    own |= {name: at_once(policy) for name, policy in answering.items() if name not in own}
    for number, style in enumerate(styles_of(key), 1):
        own[f"expert-{style}"] = partial(look_ahead_in_style, style=number)
    return own | {level: choose for level, choose in SEARCHING.items() if level not in own}


def in_style(level: str, style: str, key: str) -> str:
    """Return the name of a level in a style of play, or that of the level alone where the game has no such style."""
    styled = f"{level}-{style}"
    return styled if styled in players_of(key) else level


def _player(name: str, key: str) -> Choose:
    found = players_of(key)
    if name not in found and "-" in name:
        styles = ", ".join(styles_of(key)) or "none"
        raise ValueError(
            f"{GAMES[key].title} has no player {name!r}; a level ({', '.join(STYLED)}) can play in a style, as in"
            f" LEVEL-STYLE, and the styles of this game are: {styles}"
        )
    if name not in found:
        raise ValueError(f"{GAMES[key].title} has no player {name!r}; there are {', '.join(found)}")
    return found[name]


class Policies(NamedTuple):
    """Players that answer at once, as the compiled loops take them; made by `policies_of` alone."""

    codes: Ints
    """One per player, of `policies.POLICIES`."""
    net: Net
    features: int


def policies_of(key: str, players: int, names: Sequence[str]) -> Policies | None:
    """Return players as the compiled loops take them; None if one of them thinks.

    The network is always there, whether one of them asks it or not: a loop that is given none reads whatever lies in
    memory.
    """
    known = at_once_in(key)
    if not set(names) <= set(known):
        return None
    return Policies(np.array([known[name] for name in names], np.int64), load(key, players), active(key))


def builtin(name: str, key: str | None = None) -> Player:
    """Return a player that comes with Tavolino, or the policy of a file; ValueError lists them, or those of a game."""
    if is_policy_file(name):
        return open_policy(name, key)
    if name.partition("-")[0] not in BUILTIN:
        there = ", ".join(BUILTIN if key is None else players_of(key))
        raise ValueError(f"no player {name!r}; there are {there}, and policies as files: my.onnx, my.npz")
    if key is not None:
        _player(name, key)
    return Builtin(name)
