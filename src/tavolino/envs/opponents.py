"""Who plays the other seats: bots by name, programs, or objects and functions of your own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tavolino.bots import external
from tavolino.bots.players import Player, at_once_in, builtin, policies_of, thumb_of
from tavolino.bots.position import Position
from tavolino.engine.kernels import Ints
from tavolino.engine.rng import Stream
from tavolino.envs.compiled import against
from tavolino.envs.compiled.steps import Board
from tavolino.envs.env import Env
from tavolino.envs.setup import observed
from tavolino.play.setup import Setup

Opponent = str | Player | Callable[[Position], str]
"""A bot's name, `file.py`, `module:function` or `cmd:program` as in the arena; or your own player or function."""


def read_opponents(setup: Setup, given: Opponent | Sequence[Opponent] | None) -> list[Opponent]:
    """Return who sits in the seats after the learner's, in turn order: those given, repeated."""
    given = thumb_of(setup.key) if given is None else given
    listed = [given] if isinstance(given, str) or not isinstance(given, Sequence) else list(given)
    seats = setup.players - 1
    if not 1 <= len(listed) <= seats:
        raise ValueError(f"there must be 1 to {seats} opponents with {setup.players} players, not {len(listed)}")
    return [listed[i % len(listed)] for i in range(seats)]


def opponent_policies(setup: Setup, opponents: Sequence[Opponent]) -> against.Others | None:
    """Return opponents in the form that the compiled step needs; None if one of them does not answer at once."""
    names = [opponent for opponent in opponents if isinstance(opponent, str)]
    policies = policies_of(setup.key, setup.players, names)
    if policies is None or len(names) < len(opponents):
        return None
    nobody, nothing = np.zeros(0, np.int64), np.zeros((0, observed(setup)), np.float32)
    return against.Others(*policies, -1, nobody, nothing)


def bot_actions(setup: Setup, board: Board, name: str) -> Ints:
    """Return the action of a bot that answers at once, for the seat to move in each game of a batch."""
    if (policies := policies_of(setup.key, setup.players, [name])) is None:
        raise ValueError(f"a batch knows the bots {', '.join(at_once_in(setup.key))}, not {name!r}")
    actions = np.empty(len(board.states), np.int64)
    against.bot_batch(board, int(policies.codes[0]), policies.net, policies.features, actions)
    return actions


@dataclass(frozen=True)
class Bot:
    """An opponent in a single game; it returns the number of its action."""

    choose: Callable[[Env, Stream], int]
    close: Callable[[], None] = lambda: None


def find_bot(setup: Setup, opponent: Opponent) -> Bot:
    """Return an opponent that is ready to play; ValueError says what is wrong with a name."""
    if isinstance(opponent, str):
        if (policies := policies_of(setup.key, setup.players, [opponent])) is not None:
            policy, net, features = int(policies.codes[0]), policies.net, policies.features
            return Bot(lambda env, rng: int(against.bot_move(env.states, policy, net, features, rng)))
        own = ":" in opponent or opponent.endswith(".py")
        player: Player = external.player(opponent) if own else builtin(opponent, setup.key)
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
