"""Deals in all their seatings: a tournament, the players it has loaded, and a deal played by them."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial

from tavolino.arena.seating import Schedule
from tavolino.arena.single_game import Outcome, play_game
from tavolino.bots import external
from tavolino.bots.players import Builtin, Player, builtin
from tavolino.bots.position import Limits, Position
from tavolino.play.game import deal
from tavolino.play.seeds import Seed, derive
from tavolino.play.setup import Setup


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
class Tournament:
    """What is to be played: everything the games depend on, apart from the clock."""

    setup: Setup
    bots: tuple[str, ...]
    """As `load` knows them."""
    names: tuple[str, ...]
    """As tables and records name them, all different."""
    seed: Seed
    limits: Limits
    load: Callable[[str], Player] = find_player

    @property
    def schedule(self) -> Schedule:
        """Who sits where."""
        return Schedule(len(self.bots), self.setup.players)


@dataclass(frozen=True)
class DealResult:
    """How the games on one deal went, in the order of its seatings."""

    deal: int
    games: tuple[Outcome, ...]


class Roster:
    """The players of a tournament, loaded once; a bot in several seats is loaded once per seat, to keep its secrets."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._players: dict[tuple[int, int], Player] = {}
        for bot in range(len(tournament.bots)):
            player = self._seated(bot, 0)
            if isinstance(player, Builtin):
                _warm(tournament.setup, player)
            elif isinstance(player, external.External):
                player.start()  # what cannot be loaded is an error, not a bot that loses all its games

    def _seated(self, bot: int, copy: int) -> Player:
        if (bot, copy) not in self._players:
            self._players[bot, copy] = self._tournament.load(self._tournament.bots[bot])
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
        """Close all players."""
        while self._players:
            self._players.popitem()[1].close()


@contextmanager
def with_roster(tournament: Tournament) -> Iterator[Callable[[int], DealResult]]:
    """Load the players of a tournament; yield the function that plays a deal with them."""
    with closing(Roster(tournament)) as roster:
        yield partial(play_deal, tournament, roster)


def _warm(setup: Setup, player: Player) -> None:
    """Ask for a move before it counts, so that compiled code and networks are loaded."""
    game = deal(setup, 0)
    while not game.over and len(game.legal_moves) == 1:
        game.play(game.legal_moves[0])
    if game.to_move is not None:
        player.choose(Position(game, game.to_move, "0", Limits(simulations=1)))


def play_deal(tournament: Tournament, roster: Roster, number: int) -> DealResult:
    """Play a deal in all its seatings, each time with the same seed: the same cards, the same dice, the same start."""
    setup, base = tournament.setup, tournament.seed
    seed = f"{derive(base, setup.key, f'arena/deal/{number}'):016x}"
    games = []
    for turn, seating in enumerate(tournament.schedule.seatings(number)):
        bot_seed = f"{derive(base, setup.key, f'arena/bots/{number}/{turn}'):016x}"
        outcome = play_game(setup, roster.players(seating), seed, tournament.limits, bot_seed)
        named = outcome.record | {"players": [tournament.names[bot] for bot in seating]}
        games.append(replace(outcome, record=named))
    return DealResult(number, tuple(games))
