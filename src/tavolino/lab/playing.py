"""Playing the games of a study: whole batches, one game again move by move, a position played on."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tavolino.arena.deals import check_player, find_player
from tavolino.bots import policies, search
from tavolino.bots.external import PlayerFailed
from tavolino.bots.players import Player, Policies, policies_of
from tavolino.bots.position import Position
from tavolino.engine import kernels
from tavolino.engine.phrases import counted
from tavolino.lab.played import PlayedGames, room_for
from tavolino.lab.settings import Tell
from tavolino.play.game import Game
from tavolino.play.setup import Setup, read_setup
from tavolino.workers import Workers, in_order

Part = TypeVar("Part")
QUICK = {policies.RANDOM: search.RANDOM, policies.NAIVE: search.NAIVE, policies.GREEDY: search.GREEDY}
"""The policies that play a position to its end within compiled code."""


@dataclass(frozen=True)
class Lineup:
    """What is played, and by whom."""

    setup: Setup
    bots: tuple[str, ...]
    """One per seat."""
    policies: Policies | None
    """The same for the compiled loops; None if somebody thinks."""

    def with_bots(self, bots: Sequence[str]) -> "Lineup":
        """Return the same with other players."""
        return replace(self, bots=tuple(bots), policies=policies_of(self.setup.key, self.setup.players, bots))

    @property
    def thinks(self) -> bool:
        """Whether somebody takes time to think: then Python plays move by move, not a compiled loop."""
        return self.policies is None

    def at_a_time(self, games: int) -> int:
        """Return how many games make one piece of work, if it would be so many with players that answer at once."""
        return 1 if self.thinks else games


def read_lineup(game: str, players: int | None, options: dict[str, Any], bots: Sequence[str]) -> Lineup:
    """Read what is asked for; ValueError says what is wrong."""
    setup = read_setup(game, players, options)
    if isinstance(bots, str) or not 1 <= len(bots) <= setup.players:
        raise ValueError(f"bots must be 1 to {setup.players} names, one per seat, not {bots!r}")
    for bot in bots:
        check_player(bot, setup.key)  # says which ones there are
    names = (*bots, *[bots[-1]] * (setup.players - len(bots)))
    return Lineup(setup, names, policies_of(setup.key, setup.players, names))


def in_parts(workers: Workers, play: Callable[[int, int], Part], number: int, step: int, tell: Tell) -> Iterator[Part]:
    """Yield what play(begin, games) gives for so many games, `step` at a time and in order; tell how much is done."""
    parts = in_order(workers, lambda at: play(at, min(step, number - at)), range(0, number, step))
    for done, part in enumerate(parts, 1):
        yield part
        tell(min(1.0, done * step / number))


def play_games(lineup: Lineup, seed: np.uint64, begin: int, games: int, first: int = -1, room: int = 0) -> PlayedGames:
    """Play the games begin, begin + 1, … of a batch; keep up to `room` moves of each."""
    played = room_for(lineup.setup, begin, games, room)
    fill(lineup, seed, first, played)
    return played


def fill(lineup: Lineup, seed: np.uint64, first: int, played: PlayedGames) -> None:
    """Play games into their arrays."""
    if lineup.policies is None:
        _fill_thinking(lineup, seed, first, played)
        return
    deal_by = np.array([lineup.setup.players, first, *lineup.setup.codes], np.int64)
    arrays = played.score, played.length, played.actions
    policies.policy_games(played.states, deal_by, *lineup.policies, seed, played.begin, *arrays)


def _fill_thinking(lineup: Lineup, seed: np.uint64, first: int, played: PlayedGames) -> None:
    with _seated(lineup) as players:
        _play_thinking(lineup, players, seed, first, played)


@contextmanager
def _seated(lineup: Lineup) -> Iterator[list[Player]]:
    """Yield the players of a lineup, programs of your own among them; let them go at the end."""
    with ExitStack() as held:
        by_name = {bot: held.enter_context(closing(find_player(bot))) for bot in dict.fromkeys(lineup.bots)}
        yield [by_name[bot] for bot in lineup.bots]


def _play_thinking(lineup: Lineup, players: list[Player], seed: np.uint64, first: int, played: PlayedGames) -> None:
    for i in range(len(played.states)):
        for player in dict.fromkeys(players):
            if (begin := getattr(player, "new_game", None)) is not None:
                begin()
        own = f"{seed}/{played.begin + i}"
        game = Game(lineup.setup, dealt(lineup, seed, played.begin + i, first), own, own_chance=True)
        while game.chance_due:
            game.roll()
        while (seat := game.to_move) is not None:
            game.play(_word(lineup, players, Position(game, seat, f"{own}/{len(game.moves)}")))
        played.states[i] = game.final_state()
        played.score[i] = game.scores
        moves = [lineup.setup.game.actions[word] for word in game.moves]
        played.length[i] = len(moves)
        room = min(len(moves), played.actions.shape[1])
        played.actions[i, :room] = moves[:room]


def _word(lineup: Lineup, players: list[Player], position: Position) -> str:
    """Return a player's move; ValueError if it is a program of somebody's that fails: a study needs all games."""
    try:
        return players[position.seat].choose(position)
    except PlayerFailed as failed:
        after = counted(position.moves, "move")
        raise ValueError(f"{lineup.bots[position.seat]} failed after {after}: {failed}") from None


def dealt(lineup: Lineup, seed: np.uint64, number: int, first: int = -1) -> kernels.States:
    """Return the deal of a game of a batch, before its first move."""
    states = np.zeros(1, lineup.setup.game.rules.STATE)
    kernels.deal_of_batch(states, lineup.setup.players, first, lineup.setup.codes, seed, number)
    return states


def play_on(lineup: Lineup, states: kernels.States, rng: NDArray[np.uint64], dice: NDArray[np.uint64]) -> None:
    """Play the game in states[0] to its end, in place: `rng` is what the players choose by."""
    if lineup.policies is None:
        _think_on(lineup, states, rng, dice)
        return
    codes, net, features = lineup.policies
    if len(set(codes.tolist())) == 1 and int(codes[0]) in QUICK:
        search.play_out(states[0], QUICK[int(codes[0])], 0.0, rng, dice)
        return
    while not states["over"][0]:
        player = int(states["player"][0])
        policy = int(codes[player]) if player >= 0 else policies.RANDOM
        action = policies.policy_action(states[0], policy, net, features, rng, dice)
        kernels.apply_one(states, action)


def _think_on(lineup: Lineup, states: kernels.States, rng: NDArray[np.uint64], dice: NDArray[np.uint64]) -> None:
    own, moves = int(rng[0]), 0
    with _seated(lineup) as players:
        while not states["over"][0]:
            seat = int(states["player"][0])
            if seat < 0:
                action = int(kernels.chance_one(states, dice))
            else:
                game = Game(lineup.setup, states, None, own_chance=False)
                action = lineup.setup.game.actions[_word(lineup, players, Position(game, seat, f"{own}/{moves}"))]
            kernels.apply_one(states, action)
            moves += 1
