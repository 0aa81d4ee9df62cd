"""What a player gets when it is to move: what its seat may know, and nothing else."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tavolino.engine.kernels import MAX_SEATS, Ints, States, chance_one
from tavolino.play.game import Game
from tavolino.play.seeds import streams
from tavolino.play.setup import Setup, read_seat

if TYPE_CHECKING:
    from tavolino.play.observing import Observed


@dataclass(frozen=True)
class Limits:
    """How long a player may think about a move; None: as long as it likes."""

    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1


@dataclass(frozen=True)
class Position:
    """A game seen from the seat to move."""

    _game: Game = field(repr=False)
    seat: int
    seed: str
    """The seed of the player's own random numbers."""
    limits: Limits = Limits()
    stop: Ints = field(default_factory=lambda: np.zeros(1, np.int64), repr=False)
    """Set entry 0 to 1, from any thread, to end thinking at once with the best move found so far."""

    @property
    def dice_typed(self) -> bool:
        """Whether people would type in what real dice show."""
        return self._game.dice_typed

    @property
    def key(self) -> str:
        """The game's key."""
        return self._game.key

    @property
    def players(self) -> int:
        """The number of seats."""
        return self._game.players

    @property
    def options(self) -> dict[str, Any]:
        """The game's options, by name."""
        return self._game.options

    @property
    def place(self) -> int:
        """The place of the seat in the turn order; 0: it started."""
        return (self.seat - self._game.first) % self._game.players

    @property
    def moves(self) -> int:
        """How many moves were made, including chance."""
        return len(self._game.moves)

    @property
    def legal_moves(self) -> list[str]:
        """All legal words."""
        return self._game.legal_moves

    @property
    def view(self) -> dict[str, Any]:
        """What the seat may know, as plain data."""
        return self._game.view(self.seat)

    @property
    def setup(self) -> Setup:
        """What is played: game, players, options."""
        return self._game.setup

    @property
    def observation(self) -> NDArray[np.float32]:
        """What the seat observes, as numbers: those that the environments show."""
        found: NDArray[np.float32] = observe(self).observation
        return found

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Which actions are legal, as the environments show it; `word_at` returns the word of one."""
        return observe(self).mask

    def word_at(self, action: int, version: int = 1) -> str:
        """Return the word of an action, by its place in the mask of a version."""
        from tavolino.play.observing import rules_number  # and with it all encoders, which most players can do without

        return self.word(rules_number(self._game.bare_state(), action, version))

    def state(self) -> States:
        """Return a state that looks like the true one to the seat; the rest is dealt anew from the player's seed."""
        return self._game.redealt_state(self.seat, self.seed)

    def last_turn(self) -> States:
        """Return the states before and after another seat's latest turn, with the rest dealt anew; or nothing."""
        movers = self._game.movers
        end = len(movers)
        while end and movers[end - 1] == self.seat:
            end -= 1
        begin = end
        while begin and movers[begin - 1] == movers[end - 1]:
            begin -= 1
        if begin == end:
            return self.state()[:0]
        return np.concatenate([self._game.earlier(n).redealt_state(self.seat, self.seed) for n in (begin, end)])

    def word(self, action: int) -> str:
        """Return the word of an action."""
        return self._game.word_of(action)


def forced_move(position: Position) -> str | None:
    """Return the move that any program makes: the only one, or dice that people would type in, rolled. Else None."""
    legal = position.legal_moves
    if len(legal) == 1:
        return legal[0]
    if position.dice_typed:
        names = (f"typed/{seat}" for seat in range(MAX_SEATS))
        return position.word(int(chance_one(position.state(), streams(position.seed, position.key, names))))
    return None


def observe(
    of: Game | Position, seat: int | None = None, *, observation: str = "flat", version: int | None = None
) -> "Observed":
    """Return what a seat observes, and the mask of its legal actions: the very numbers that the environments show.

    By default it is the seat to move. `observation` is "flat" or "fields", `version` that of the observations.

    >>> import tavolino
    >>> game = tavolino.new(KEY, players=2, seed=7)
    >>> seen = observe(game)
    >>> int(seen.mask.sum()) == len(game.legal_moves)
    True
    """
    from tavolino.play.observing import observed, read_form

    game = of._game if isinstance(of, Position) else of
    if seat is None:
        seat = of.seat if isinstance(of, Position) else game.to_move
        if seat is None:
            raise ValueError("nobody is to move: say which seat observes")
    seat = read_seat(game.players, seat)
    return observed(game.setup, read_form(game.setup, version, observation), game.bare_state(), seat)
