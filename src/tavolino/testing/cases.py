"""What the checks share: the setups to try, random games of them, and how a check says what is wrong."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tavolino.engine.registry import GAMES, GameFolder
from tavolino.play.game import Game, new
from tavolino.play.setup import find_game

GAMES_EACH = 6
"""Games played for each check of each setup."""
LONGEST = 20_000
"""Moves after which a random game is taken not to end."""
MAX_STATE = 512
"""The most bytes of a state."""
FIELDS = ("legal", "player", "over", "seats", "first", "winners", "ending")
"""What the state of each game has."""


class Broken(AssertionError):
    """A game does not do what the contract says; the message says where."""


@dataclass(frozen=True)
class Case:
    """A game as it can be set up."""

    key: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.key, str(self.players), *(f"{k}={v}".replace(" ", "") for k, v in self.options.items())])

    def new(self, seed: int | str) -> Game:
        """Deal a game."""
        return new(self.key, self.players, seed, **self.options)

    @property
    def game(self) -> GameFolder:
        """The game's modules."""
        return GAMES[self.key]

    @property
    def viewers(self) -> list[int | None]:
        """Whoever may look at a game: a spectator, and each seat."""
        return [None, *range(self.players)]


def cases_of(key: str) -> list[Case]:
    """Return a game with each number of players, by default and with each other choice of each option."""
    game = find_game(key)
    found = []
    for players in game.people.PLAYERS:
        found.append(Case(game.key, players))
        for option in game.people.OPTIONS:
            others = [value for value in option.choices or () if value != option.default]
            found += [Case(game.key, players, {option.name: value}) for value in others]
    return found


def random_move(game: Game, rng: random.Random) -> str:
    """Choose a legal move."""
    typed = any(offer.get("type_in") for offer in game.offers) if game.dice_typed else True
    need(typed and game.legal_moves, f"seat {game.to_move} is to move, and no move is legal")
    return rng.choice(game.legal_moves)


def play_on(game: Game, rng: random.Random, moves: int = LONGEST) -> Game:
    """Play random moves, to the end or so many; chance that is due is drawn from the game's seed."""
    for _ in range(moves):
        if game.over:
            break
        if game.chance_due:
            game.roll()
        else:
            game.play(random_move(game, rng))
    return game


def need(holds: object, wrong: str) -> None:
    """Raise Broken if something does not hold."""
    if not holds:
        raise Broken(wrong)


@contextmanager
def told_where(case: Case, seed: int | str, game: Game | None = None) -> Iterator[None]:
    """Say in which setup, with which seed and after which move something went wrong."""
    try:
        yield
    except Exception as error:
        where = f"{case}, seed {seed}"
        if game is not None and game.moves:
            where += f", after move {len(game.moves)} ({game.moves[-1]})"
        said = str(error) if isinstance(error, Broken) else f"{type(error).__name__}: {error}"
        raise Broken(f"{where}: {said}") from error


def bytes_of(data: Any) -> bytes:
    """Return plain data as JSON; Broken if it is not plain."""
    try:
        return json.dumps(data, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise Broken(f"not plain data for JSON ({error}): {data!r:.200}") from None


def positions(case: Case, games: int = GAMES_EACH) -> Iterator[tuple[int, Game, random.Random]]:
    """Yield games that have been played for a while, the start and the end among them."""
    rng = random.Random(str(case))
    length = len(play_on(case.new(0), random.Random(0)).moves)
    for seed in range(games):
        game = case.new(seed)
        with told_where(case, seed, game):
            play_on(game, rng, 0 if seed == 0 else LONGEST if seed == 1 else rng.randrange(length))
        yield seed, game, rng


def unfinished(record: dict[str, Any], moves: int) -> dict[str, Any]:
    """Return the record of a game as it was after so many moves."""
    return {**record, "moves": record["moves"][:moves], "scores": None, "winners": None}
