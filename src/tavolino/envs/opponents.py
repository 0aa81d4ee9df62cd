"""Who plays the other seats: bots by name, programs, objects and functions of your own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tavolino.bots import external
from tavolino.bots.networks import active, load
from tavolino.bots.players import AT_ONCE, Player, builtin
from tavolino.bots.position import Position
from tavolino.envs.compiled import against
from tavolino.envs.compiled.steps import Board
from tavolino.envs.env import Env
from tavolino.envs.setup import Setup
from tavolino.games.kernels import Ints
from tavolino.games.rng import Stream

NO_NET = np.zeros(1, np.float32)
NO_NET.flags.writeable = False  # as the networks are: to Numba that is another type, compiled once more

Opponent = str | Player | Callable[[Position], str]
"""A bot's name, `file.py`, `module:function` or `cmd:program` as in the arena; or a player or function of yours."""


def read_opponents(setup: Setup, given: Opponent | Sequence[Opponent]) -> list[Opponent]:
    """Return who sits at the seats after the learner's, in turn: those given, over and over."""
    listed = [given] if isinstance(given, str) or not isinstance(given, Sequence) else list(given)
    seats = setup.seats - 1
    if not 1 <= len(listed) <= seats:
        raise ValueError(f"opponents must be 1 to {seats} of them with {setup.seats} players, not {len(listed)}")
    return [listed[i % len(listed)] for i in range(seats)]


def instant_policies(setup: Setup, opponents: Sequence[Opponent]) -> against.Others | None:
    """Return opponents that all answer at once as the compiled step knows them; None if one does not."""
    policies = [AT_ONCE.get(name, -1) if isinstance(name, str) else -1 for name in opponents]
    if -1 in policies:
        return None
    net, features = _net(setup, policies)
    nobody, nothing = np.zeros(0, np.int64), np.zeros((0, setup.observed), np.float32)
    return against.Others(np.array(policies, np.int64), net, features, -1, nobody, nothing)


def _net(setup: Setup, policies: Sequence[int]) -> tuple[Any, int]:
    """Return the network if a policy needs it."""
    needed = AT_ONCE["value"] in policies
    return (load(setup.key, setup.seats), active(setup.key)) if needed else (NO_NET, 1)


def bot_actions(setup: Setup, board: Board, name: str) -> Ints:
    """Return the action of a bot that answers at once, for the seat to move in each game of a batch."""
    if name not in AT_ONCE:
        raise ValueError(f"a batch knows the bots {', '.join(AT_ONCE)}, not {name!r}")
    actions = np.empty(len(board.states), np.int64)
    against.bot_batch(board, AT_ONCE[name], *_net(setup, [AT_ONCE[name]]), actions)
    return actions


@dataclass(frozen=True)
class Bot:
    """An opponent of a single game: gives the number of its action."""

    choose: Callable[[Env, Stream], int]
    close: Callable[[], None] = lambda: None


def find_bot(setup: Setup, opponent: Opponent) -> Bot:
    """Make an opponent ready to play; ValueError says what is wrong with a name."""
    policy = AT_ONCE.get(opponent) if isinstance(opponent, str) else None
    if policy is not None:
        net, features = _net(setup, [policy])
        return Bot(lambda env, rng: int(against.bot_move(env.states, policy, net, features, rng)))
    if isinstance(opponent, str):
        own = ":" in opponent or opponent.endswith(".py")
        player: Player = external.player(opponent) if own else builtin(opponent)
        return Bot(_by_position(player.choose), player.close)
    if callable(opponent):
        return Bot(_by_position(opponent))
    return Bot(_by_position(opponent.choose), opponent.close)


def _by_position(choose: Callable[[Position], str]) -> Callable[[Env, Stream], int]:
    """Let a player choose from what its seat may know."""

    def move(env: Env, rng: Stream) -> int:
        game = env.game()
        rng[0] += np.uint64(1)
        return game.action_of(choose(Position(game, env.to_move, f"{rng[0]}")))

    return move
