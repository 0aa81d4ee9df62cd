"""Deals in all their seatings: the plan of an arena, the players it has loaded, and a deal played by them."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tavolino.arena.match import GameResult, play_game
from tavolino.arena.seating import Schedule
from tavolino.bots import external
from tavolino.bots.players import Builtin, Player, builtin
from tavolino.bots.position import Limits, Position
from tavolino.play.game import new
from tavolino.play.seeds import Seed, derive


def find_player(spec: str) -> Player:
    """Return a player by its name, or one of your own: `module:function`, `file.py`, `cmd:program`."""
    return builtin(spec) if _comes_with_us(spec) else external.player(spec)


def check_player(spec: str, key: str) -> None:
    """Raise ValueError for the name of a player that a game does not have."""
    if _comes_with_us(spec):
        builtin(spec, key)


def _comes_with_us(spec: str) -> bool:
    return ":" not in spec and not spec.endswith(".py")


@dataclass(frozen=True)
class Plan:
    """What is to be played: all that the games depend on, but for the clock."""

    game: str
    seats: int
    bots: tuple[str, ...]
    """As `load` knows them."""
    names: tuple[str, ...]
    """As tables and records have them, each different."""
    seed: Seed
    options: dict[str, Any]
    first: int | None
    limits: Limits
    load: Callable[[str], Player] = find_player

    @property
    def schedule(self) -> Schedule:
        """Who sits where."""
        return Schedule(len(self.bots), self.seats)


@dataclass(frozen=True)
class DealResult:
    """How the games on one deal went, in the order of its seatings."""

    deal: int
    games: tuple[GameResult, ...]


class Bench:
    """The players of a plan, loaded once; a bot that sits in several seats is loaded for each, to keep its secrets."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._players: dict[tuple[int, int], Player] = {}
        for bot in range(len(plan.bots)):
            player = self._seated(bot, 0)
            if isinstance(player, Builtin):
                _warm(plan, player)
            elif isinstance(player, external.External):
                player.start()  # what cannot be loaded is an error, not a bot that loses all its games

    def _seated(self, bot: int, copy: int) -> Player:
        if (bot, copy) not in self._players:
            self._players[bot, copy] = self._plan.load(self._plan.bots[bot])
        return self._players[bot, copy]

    def players(self, seating: tuple[int, ...]) -> list[Player]:
        """Return a player for each seat."""
        taken: Counter[int] = Counter()
        found = []
        for bot in seating:
            found.append(self._seated(bot, taken[bot]))
            taken[bot] += 1
        return found

    def close(self) -> None:
        """Let all players go."""
        while self._players:
            self._players.popitem()[1].close()


@contextmanager
def seated(plan: Plan) -> Iterator[Callable[[int], DealResult]]:
    """Load the players of a plan; give what plays a deal with them."""
    bench = Bench(plan)
    try:
        yield partial(play_deal, plan, bench)
    finally:
        bench.close()


def _warm(plan: Plan, player: Player) -> None:
    """Ask for a move once before it counts: compiled code is loaded then, and networks are read."""
    game = new(plan.game, plan.seats, 0, first=plan.first, **plan.options)
    while not game.over and len(game.legal_moves) == 1:
        game.play(game.legal_moves[0])
    if game.to_move is not None:
        player.choose(Position(game, game.to_move, "0", Limits(simulations=1)))


def play_deal(plan: Plan, bench: Bench, deal: int) -> DealResult:
    """Play a deal in all its seatings: the same seed each time, so the same cards, the same dice, the same start."""
    seed = f"{derive(plan.seed, plan.game, f'arena/deal/{deal}'):016x}"
    games = []
    for number, seating in enumerate(plan.schedule.seatings(deal)):
        result = play_game(
            plan.game,
            bench.players(seating),
            seed,
            options=plan.options,
            first=plan.first,
            limits=plan.limits,
            bot_seed=f"{derive(plan.seed, plan.game, f'arena/bots/{deal}/{number}'):016x}",
        )
        named = result.record | {"players": [plan.names[bot] for bot in seating]}
        games.append(replace(result, record=named))
    return DealResult(deal, tuple(games))
