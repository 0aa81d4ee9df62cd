"""What a game is made of: the names that its files define, and what each must do. This page is for a game's author.

A game is a folder (or an installed package) with two required modules, `rules` and `people`, and optional ones that are
found by their names. Its `__init__.py` puts them together:

    GAME = Game(rules, people)

so that mypy compares every module with the protocols below. The key of a game is the name of its folder with hyphens
(`liars_dice` becomes `liars-dice`), or the name of its entry point in the group `tavolino.games`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tavolino.engine.counting import Pieces
    from tavolino.engine.fields import Field

State = Any
"""The state of a game: one NumPy record with the fields that the game's STATE lists."""
Stream = NDArray[np.uint64]
"""A stream of random numbers: its first entry is the state of the generator (`engine.rng`)."""
Ints = NDArray[np.int64]
Plain = Any
"""A state read into plain ints and tuples: `t.player`, `t.hand[seat]`. It does not change with the state."""
Event = dict[str, Any]
"""What a move did: its `type` and what is public about it; under `secret` what only the `seat` named there may know."""
Offer = dict[str, Any]
"""A legal move: its `word`, and what the seat to move sees would follow."""
History = list[tuple[int, str]]
"""The moves of a game, each with the seat that made it (-1: chance)."""
View = dict[str, Any]
"""What one seat may know, as plain data."""


class Refusal(NamedTuple):
    """Why a move is refused. The game's `text/words.en.md` has a sentence for the code, with places for values."""

    clauses: tuple[str, ...]
    """The clauses of the rules that forbid it, such as `F2.1`."""
    code: str
    values: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Option:
    """A rule that can be chosen when a game is made."""

    name: str
    default: Any
    choices: tuple[Any, ...] | None
    """All allowed values where they can be listed, else None."""
    allowed: str
    """The allowed values in words, for errors and help."""
    read: Callable[[Any, int], Any]
    """(value, players) -> the value as it stands in a record; ValueError or TypeError if it is not allowed."""
    code: Callable[[Any], int]
    """value -> the number by which the compiled rules know it."""


class Rules(Protocol):
    """`rules.py`: the state and the compiled rules. Every function is decorated with `engine.jit.rule`."""

    @property
    def STATE(self) -> np.dtype[Any]:  # noqa: N802
        """The record of a game in play, at most 512 bytes.

        Every game has the fields `legal` (int64 masks: action 64 · i + b is legal if bit b of entry i is set; no bit is
        set when chance is due or the game is over), `player` (the seat to move; -1 when chance is due or the game is
        over), `over`, `seats`, `first`, `winners` (bit s: seat s has won) and `ending` (an index of `people.ENDINGS`).
        """

    @property
    def STREAMS(self) -> tuple[str, ...]:  # noqa: N802
        """The names of the random streams that `deal` uses, at most 16. What a seed deals depends on them."""

    @property
    def ROLLED(self) -> int:  # noqa: N802
        """The first action that is an outcome of chance. Actions below it are moves; a game without chance: 1 << 40."""

    def deal(self, s: State, seats: int, first: int, options: Ints, streams: Stream) -> None:
        """Shuffle and start. `first` is a seat, or -1 for a random one; `options` holds the codes of the options."""

    def start(self, s: State, seats: int, first: int) -> None:
        """Start with the cards or tokens as they lie in the state."""

    def apply(self, s: State, action: int) -> None:
        """Play an action; the caller guarantees that it is legal, or that it is an outcome of a chance that is due."""

    def chance(self, s: State, streams: Stream) -> int:
        """Return an outcome of the chance that is due; one stream per seat. A game without chance returns -1."""

    def scores(self, s: State, out: Ints) -> None:
        """Write the score of each seat so far."""

    def redeal(self, s: State, viewer: int, rng: Stream) -> None:
        """Deal anew what `viewer` (-1: a spectator) cannot know, uniformly over all that it may be.

        Two states that look alike to the viewer must give the same result for the same stream.
        """


class People(Protocol):
    """`people.py`: the game as people handle it. Plain Python over plain values, without NumPy.

    Functions take a state as `Plain` values, so that the same file also runs in a browser.
    """

    @property
    def TITLE(self) -> str:  # noqa: N802
        """The game's name."""

    @property
    def PLAYERS(self) -> tuple[int, ...]:  # noqa: N802
        """The numbers of players it is for, ascending."""

    @property
    def OPTIONS(self) -> tuple[Option, ...]:  # noqa: N802
        """The rules that can be chosen, in the order in which `deal` gets their codes."""

    @property
    def MATCH_ADDS(self) -> str:  # noqa: N802
        """What a match of several games adds up: `points` or `wins`."""

    @property
    def ENDINGS(self) -> tuple[str, ...]:  # noqa: N802
        """How a game can end, in a few words; the state's `ending` is an index of it."""

    @property
    def WORDS(self) -> Mapping[int, str]:  # noqa: N802
        """The word of every action, outcomes of chance included. Words stand in records: never change them."""

    @property
    def ROLLS(self) -> Sequence[str]:  # noqa: N802
        """The words that people may type in when they roll real dice; empty for games without that."""

    @property
    def NOTATION(self) -> str:  # noqa: N802
        """How moves are written, in a line, for errors and help."""

    @property
    def SELDOM_READ(self) -> tuple[str, ...]:  # noqa: N802
        """Large fields of the state that views do not show: they are read into `Plain` only when asked for."""

    def read_deal(self, data: Any, players: int, options: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the state that a record's deal sets; ValueError says what is wrong with it."""

    def write_deal(self, t: Plain) -> dict[str, Any]:
        """Return the deal of a state that has just started, as it stands in a record."""

    def deal_behind(self, t: Plain, start: Plain, viewer: int | None, history: History) -> dict[str, Any]:
        """Return a deal that leads to `t`, a redealt state, by the moves of a game that began as `start`."""

    def open_view(self, t: Plain) -> View:
        """Return what everyone may know about the table, beyond what `Game.view` adds for every game."""

    def own_view(self, t: Plain, seat: int | None) -> View:
        """Return what only a seat may know; None is a spectator."""

    def offers(self, t: Plain) -> list[Offer]:
        """List the legal moves of the seat to move, each with what that seat sees would follow."""

    def happened(self, before: Plain, word: str, after: Plain) -> list[Event]:
        """Tell what a move or an outcome of chance did, in order. The end of the game is told by `Game` itself."""

    def settled(self, before: Plain, after: Plain) -> bool:
        """Tell whether a move cannot be taken back: it has shown something, or others have moved on."""

    def slip(self, word: str) -> Refusal | None:
        """Say what is wrong with a word that is no move but looks like one; None if it does not look like one."""

    def why_not(self, t: Plain, word: str) -> Refusal:
        """Say why a word of the notation is not a legal move now."""


class Bots(Protocol):
    """`bots.py`, optional: rules of thumb and the features of a network. Compiled, like the rules.

    A game without it has the players `random` and `search`. The functions get a state that may have been redealt for
    the seat to move; they use only what that seat knows.
    """

    @property
    def FEATURES(self) -> int:  # noqa: N802
        """The number of features of the network's input."""

    @property
    def MAX_ACTIVE(self) -> int:  # noqa: N802
        """How many features can be on at once."""


class Observation(Protocol):
    """`observation.py`, optional: what a learner sees, as named fields of numbers.

    A game without it gets its state's fields as numbers: those in `rules.OPEN`, which everyone may know, and the own
    row of those in `rules.OWN`, whose first axis is the seat.
    """

    @property
    def VERSION(self) -> int:  # noqa: N802
        """Changes whenever the numbers mean something else."""

    @property
    def FIELDS(self) -> "tuple[Field, ...]":  # noqa: N802
        """The fields, in order."""

    @property
    def AT(self) -> Mapping[str, int]:  # noqa: N802
        """Where each field begins."""

    @property
    def SIZE(self) -> int:  # noqa: N802
        """How many numbers an observation has."""

    def mask_bytes(self, s: State) -> int:
        """Return how many bytes of an entry of `legal` are ever used."""

    def observe(self, s: State, seat: int, out: NDArray[np.float32]) -> None:
        """Write what a seat observes; what is not there yet stays 0."""


class Terminal(Protocol):
    """`terminal.py`, optional: the table in text, drawn from views alone. Without it the view is listed as it is."""

    @property
    def HOW(self) -> str:  # noqa: N802
        """What to do in this game, in two sentences."""

    def picture(self, views: Sequence[View], names: Sequence[str]) -> "RenderableType":
        """Draw the table; the hands of those seats are open whose views are given."""

    def meaning(self, view: View, offer: Offer) -> str:
        """Say in a few words what a legal move would do; an outcome of chance is an offer with its `word` alone."""

    def ending(self, view: View, names: Sequence[str]) -> list[str]:
        """Say who has won and how the score came about."""


class Counts(Protocol):
    """`counts.py`, optional: what reports count besides wins, length and lead."""

    @property
    def PIECES(self) -> "Pieces":  # noqa: N802
        """What seats take or do, counted from the events; pieces of which some stay unused; what the deal brings."""


@dataclass(frozen=True)
class Game:
    """The two modules that every game has."""

    rules: Rules
    people: People


def one_of_each(data: Any, *keys: str) -> dict[str, Any]:
    """Return a record's deal if it is an object with exactly these keys; ValueError if not."""
    if not isinstance(data, dict) or set(data) != set(keys):
        raise ValueError(f"deal must be an object with exactly: {', '.join(keys)}")
    return data
