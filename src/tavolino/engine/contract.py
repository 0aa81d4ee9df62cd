"""What a game is made of: the names that its files define, and what each must do. For authors of games.

A game is a folder (or an installed package) with two required modules, `rules` and `people`, and optional ones that are
found by their names. Its `__init__.py` puts them together:

    GAME = GameModules(rules, people)

    if TYPE_CHECKING:  # the optional ones are imported when they are needed
        from my_game import bots, terminal

        PARTS = Parts(bots=bots, terminal=terminal)

so that mypy compares every module with the protocols below. The key of a game is the name of its folder with hyphens
(`my_game` becomes `my-game`), or the name of its entry point in the group `tavolino.games`.

`python -m tavolino.testing KEY` checks what types cannot: that games end, records replay, secrets are kept.
docs/your-own-game.md goes from a rulebook to a finished game.

A folder may also have `text/` with `rules.LANGUAGE.md`, the rules in words with numbered clauses, and
`words.LANGUAGE.md` with sentences, one per line: `- KEY: sentence with {value}`, where `{n:card|cards}` picks a word by
a number, and `{seat}`, `{of}` and `{winner}` become the players' names. The keys, all optional but `refused`:

    title, say              the game's name; a sentence about it
    refused.CODE            why a move is refused, with the values of the Refusal
    event.TYPE              what happened, with the values of the event
    offer.VERB              a legal move, with the values of the offer; everyone may be told this once it is played
    offer.VERB.then         what would follow, for the eyes of the seat to move only
    reason.CODE, reason.CODE.EVENT  why a move is good (docs/bots.md), where the shared sentence does not fit
    label.FIELD, value.WORD a field of the view, and a word that is a value in it
    label.chance            what is named instead of a player where chance has moved, such as "dice"
    option.NAME, option.NAME.VALUE, ending.CODE
    style.NAME              what a bot likes that plays in a style, said after its name: "likes to wait"
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:  # at run time this page needs nothing that takes long to import
    import numpy as np
    from numpy.typing import NDArray
    from rich.console import RenderableType

    from tavolino.engine.chance_nodes import Dealer
    from tavolino.engine.fields import Field
    from tavolino.engine.pieces import Pieces
    from tavolino.engine.recipe import Recipe

State = Any
"""The state of a game: one NumPy record with the fields that the game's STATE lists."""
Stream: TypeAlias = "NDArray[np.uint64]"
"""A stream of random numbers: its first entry is the state of the generator (`engine.rng`)."""
Ints: TypeAlias = "NDArray[np.int64]"
Net: TypeAlias = "NDArray[np.float32]"
"""The numbers of a network (`engine.net`)."""
Features: TypeAlias = "NDArray[np.int32]"
"""The features of a position that are on: the input of a network."""
Plain = Any
"""A state read into plain ints and tuples: `t.player`, `t.hand[seat]`. It does not change with the state."""
Event = dict[str, Any]
"""What a move did: its `type` and what is public; under `secret`, what only the `seat` named there may know."""
Offer = dict[str, Any]
"""A legal move: its `word`, and what would follow as far as the seat to move can see."""
History = list[tuple[int, str]]
"""The moves of a game, each with the seat that made it (-1: chance)."""
View = dict[str, Any]
"""What one seat may know, as plain data."""


class Refusal(NamedTuple):
    """Why a move is refused. The game's `text/words.en.md` has a sentence for the code, with gaps for values."""

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
    """All allowed values if they can be listed, else None."""
    allowed: str
    """The allowed values in words, for errors and help."""
    read: Callable[[Any, int], Any]
    """(value, players) -> the value as in a record; ValueError or TypeError if it is not allowed."""
    code: Callable[[Any], int]
    """value -> the number by which the compiled rules know it."""


class Rules(Protocol):
    """`rules.py`: the state and the compiled rules. Every function is decorated with `engine.jit.rule`."""

    @property
    def STATE(self) -> "np.dtype[Any]":  # noqa: N802
        """The record of a game in play, at most 512 bytes: `engine.states.record` adds the fields of every game.

        Every game has the int64 fields `legal` (masks: action 64 · i + b is legal if bit b of entry i is set, b up to
        62; no bit is set when chance is due or the game is over), `player` (the seat to move; -1 when chance is due or
        the game is over), `over`, `seats` (at most 5), `first`, `winners` (bit s: seat s has won) and `ending` (an
        index of `people.ENDINGS`). Other fields have one or two axes and the types i1, i2 or i8. Before you calculate
        with a small one, widen it with `engine.jit.wide(s.field)`, or interpreted code overflows where compiled code
        does not. Numba tells games apart by their records: no two may have the same fields.
        """

    @property
    def STREAMS(self) -> tuple[str, ...]:  # noqa: N802
        """The names of the random streams that `deal` uses, at most 16: `streams[i:]` is the one with the i-th name.

        What a seed deals depends on them: never change them.
        """

    @property
    def ROLLED(self) -> int:  # noqa: N802
        """The first action that is an outcome of chance. Actions below it are moves; a game without chance: 1 << 40.

        Outcomes are in the record like moves, and everyone sees them. What chance brings in secret belongs in the deal:
        throw or shuffle it there for the whole game, and let `apply` reveal it.
        """

    def deal(self, s: State, seats: int, first: int, options: Ints, streams: Stream) -> None:
        """Shuffle and start: in the state that comes, every field is 0.

        `first` is a seat, or -1 for a random one; `options` holds the codes of the options.
        """

    def start(self, s: State, seats: int, first: int) -> None:
        """Start with the cards or tokens as they lie in the state, where `deal` or a record's deal has put them.

        All other fields are 0. `engine.states.begin` sets those of every game.
        """

    def apply(self, s: State, action: int) -> None:
        """Play an action; the caller guarantees that it is legal, or an outcome of chance that is due."""

    def chance(self, s: State, streams: Stream) -> int:
        """Draw an outcome of the chance that is due and return its action; a game without chance returns -1.

        There is one stream per seat: `streams[s.player :]` lets luck belong to a seat, whatever the others do.
        """

    def scores(self, s: State, out: Ints) -> None:
        """Write the score of each seat so far."""

    def redeal(self, s: State, viewer: int, rng: Stream) -> None:
        """Deal anew what `viewer` cannot know, uniformly over all possibilities.

        It is a seat, or one of `engine.viewers`: a spectator, or somebody who sees all hands (`is_hidden` helps). Two
        states that look the same to the viewer must give the same bytes for the same stream: where a hidden hand lies
        in an order, put it in another that says nothing. If what is legal depends on a hand that was dealt anew, set
        `legal` again, too.
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
        """The rules that can be chosen, in the order in which `deal` receives their codes."""

    @property
    def MATCH_ADDS(self) -> str:  # noqa: N802
        """What a match of several games adds up: `points` or `wins`."""

    @property
    def ENDINGS(self) -> tuple[str, ...]:  # noqa: N802
        """How a game can end, in a few words; the state's `ending` is an index of it."""

    @property
    def WORDS(self) -> Mapping[int, str]:  # noqa: N802
        """The word of every action, including outcomes of chance. Words are in records: never change them.

        Where a seat is to move and no bit of `legal` is set, it rolls real dice and types in one of these outcomes;
        its offer then says `type_in`.
        """

    @property
    def NOTATION(self) -> str:  # noqa: N802
        """How moves are written, in one line, for errors and help."""

    def read_deal(self, data: Any, players: int, options: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of the state that a record's deal sets; ValueError says what is wrong with it."""

    def write_deal(self, t: Plain) -> dict[str, Any]:
        """Return the deal of a state that has just started, as in a record."""

    def deal_behind(self, t: Plain, start: Plain, viewer: int | None, history: History) -> dict[str, Any]:
        """Return a deal that leads to `t`, a redealt state, by the moves of a game that began as `start`.

        The viewer must have seen the same at every move. If the state keeps its whole deal, it is `write_deal(t)`.
        """

    def open_view(self, t: Plain) -> View:
        """Return what everyone may know about the table, beyond what `Game.view` adds for every game.

        Where a game draws no table, its view is read by its shapes. A list with one entry per seat belongs to the
        seats. A number called `seat`, `of`, `winner` or `loser` is a player: `{"card": "red3", "seat": 1}` is a card
        with who played it. A word with a kind and a number, such as `red3`, is a card.
        """

    def own_view(self, t: Plain, seat: int | None) -> View:
        """Return what only a seat may know; None is a spectator, who gets the same fields with None in them."""

    def offers(self, t: Plain) -> list[Offer]:
        """List the legal moves of the seat to move, ascending by action, each with what it can see would follow.

        An offer has its `word`; it should have a `verb`, which groups moves on the page and picks their sentence, and
        may name the `piece` of the own view that it uses. A field that the move's first event also has must have the
        same value there.
        """

    def happened(self, before: Plain, word: str, after: Plain) -> list[Event]:
        """Tell what a move or an outcome of chance did, in order. `Game` itself tells the end of the game."""

    def settled(self, before: Plain, after: Plain) -> bool:
        """Tell whether a move cannot be taken back: it revealed something, or play has moved on."""

    def slip(self, word: str) -> Refusal | None:
        """Say what is wrong with a word that looks like a move but is none; None if it does not look like one."""

    def why_not(self, t: Plain, word: str) -> Refusal:
        """Say why a word in `WORDS` is not a legal move now."""


class Seen(Protocol):
    """Names of `rules.py` for a game without `observation.py`: which fields of its state learners see, as numbers.

    Without any of them, a learner sees only whose turn it is and what is legal.
    """

    @property
    def OPEN(self) -> tuple[str, ...]:  # noqa: N802
        """The fields that everyone may know."""

    @property
    def EACH(self) -> tuple[str, ...]:  # noqa: N802
        """The fields that everyone may know, with one row per seat: a learner sees its own row first."""

    @property
    def WHO(self) -> tuple[str, ...]:  # noqa: N802
        """The fields that everyone may know and that name a seat, or -1: a learner counts seats from its own."""

    @property
    def OWN(self) -> tuple[str, ...]:  # noqa: N802
        """The fields with one row per seat, of which a seat may know only its own."""


class Bots(Protocol):
    """`bots.py`, optional: rules of thumb. Compiled, like the rules.

    A game without it has the players `random` and `search`, and search plays at all levels; with it, also `naive` and
    `greedy`, and a mixture of them plays at level easy. The functions get a state that may have been redealt for the
    seat to move; they use only what that seat knows, so their answer is the same in all states that look the same to
    it.
    """

    @property
    def SEARCH(self) -> tuple[str, tuple[float, float, float]]:  # noqa: N802
        """How `search` plays games out (`random`, `naive` or `greedy`), and its numbers (explore, noise, widen).

        That is how much it explores, the share of random moves in its play-outs, and how fast it considers more moves.
        """

    def naive(self, s: State, rng: Stream, /) -> int:
        """Return the action of someone who has just learnt the game."""

    def greedy(self, s: State, rng: Stream, /) -> int:
        """Return the action of a good rule of thumb."""

    def answer(self, s: State, rng: Stream, /) -> int:
        """Return the action of a guest in training: that of `greedy`, or nearly and sooner."""

    def mistakes(self, s: State, level: int, /) -> float:
        """Return how a level errs. 0, easy: the share of its moves that are those of `naive`, not of `greedy`.

        1, medium, and 2, hard, for a game with networks: how far they misjudge each move's chance, in log odds.
        """

    def order(self, s: State, action: int, /) -> float:
        """Return how late a legal action should be tried in a search: the lower, the sooner."""


class Network(Protocol):
    """More names of `bots.py`, for a game with networks in `weights/PLAYERS.npz`, which `tavolino train` makes.

    With them, there are the players `value` and `expert`, and the levels medium, hard and expert.
    """

    @property
    def N_FEATURES(self) -> int:  # noqa: N802
        """How many features the network knows."""

    @property
    def MAX_ACTIVE(self) -> int:  # noqa: N802
        """How many features can be on at once."""

    @property
    def TURNS(self) -> int:  # noqa: N802
        """How many of its own decisions `expert` looks ahead, unless ROUNDS is above 0."""

    @property
    def ROUNDS(self) -> int:  # noqa: N802
        """How many rounds `expert` looks ahead; 0 in a game without rounds."""

    @property
    def TRIES(self) -> int:  # noqa: N802
        """How many worlds `expert` tries if no limit is given."""

    def choose(
        self, s: State, net: Net, work: Any, on: Features, actions: Any, values: Any, plan: Any, far: int, /
    ) -> int:
        """List actions worth playing with the mover's chance of winning after each; return their number, at most 128.

        `plan` receives the actions of the best turn, ended by -1; only -1 in games that decide action by action. If
        there are too many to look at all, `far` says how far to look from what `greedy` would play: `net.NEAR` in
        self-play and look-ahead, `net.WIDE` for a real move. `work` and `on` are scratch space for the network.
        """

    def turns(self, s: State, net: Net, work: Any, on: Features, lines: Any, values: Any, /) -> int:
        """List the lines that the network likes best, best first, as many as `lines` has rows; return their number.

        A line is a whole turn if nothing hidden is revealed before its end, else one action; each is ended by -1.
        """

    def plausible(self, s: State, past: Any, rng: Stream, /) -> bool:
        """Tell, perhaps at random, whether another seat would have played its last turn like that in this world.

        `past` holds the states before and after that turn, redealt for the seat to move.
        """

    def afterstate(self, s: State, action: int, on: Features, /) -> int:
        """Write the features of the position that an action leaves, before anything hidden is revealed.

        Return their number; 0 if there is nothing to learn here.
        """

    def outlook(self, s: State, viewer: int, net: Net, work: Any, on: Features, /) -> float:
        """Return the network's estimate of a seat's chance of winning where a round begins; -1 elsewhere."""


class Styles(Protocol):
    """`styles.py`, optional: how bots of one strength can differ, in a game with networks. Compiled, like the rules.

    A style decides between moves that are nearly as good. The page's characters have their styles by name
    (`bots.characters`); a style of another name can be played as `medium-NAME`. `python -m tools.styles` measures
    whether a style is as strong as none, and whether it shows.
    """

    @property
    def STYLES(self) -> tuple[str, ...]:  # noqa: N802
        """Their names, each a word in lower case; the first one is number 1."""

    def likes(self, s: State, action: int, style: int, /) -> float:
        """Return how much a style likes a legal action, from 0 to 1, by what the seat to move knows."""

    def leans(self, s: State, style: int, level: int, /) -> tuple[float, float]:
        """Return what a style gives up at most for what it likes, in log odds, and a scale that keeps it as strong.

        `level` is 1 to 3, for medium to expert. Medium and hard add what the style likes to the log odds that the
        network says; their mistakes are scaled. Expert changes to a line of its look-ahead that the style likes more
        and that cannot be told apart from the best one; it uses no scale.
        """


class Recipes(Protocol):
    """`recipes.py`, optional: how the networks in `weights/` were made, so that anyone can make them again."""

    @property
    def RECIPES(self) -> "Mapping[int, Recipe]":  # noqa: N802
        """One recipe for each number of players."""


class ChanceNodes(Protocol):
    """`chance.py`, optional: explicit chance, with each card an event with a probability, for OpenSpiel.

    A game without it is not registered with OpenSpiel. Parameters make it small, for algorithms that walk the tree.
    """

    @property
    def PARAMETERS(self) -> Mapping[str, Any]:  # noqa: N802
        """What can be chosen, with defaults; `players`, and `first` with -1 for a random seat, are among them."""

    @property
    def LENGTHS(self) -> tuple[int, int]:  # noqa: N802
        """The largest number of decisions and of chance nodes in a game."""

    @property
    def PERFECT_INFORMATION(self) -> bool:  # noqa: N802
        """Whether nobody knows more than anyone else."""

    @property
    def SMALL(self) -> tuple[Mapping[str, Any], ...]:  # noqa: N802
        """Parameters of versions so small that their whole tree can be walked: there, policies are judged exactly."""

    def options(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of the game that the parameters stand for."""

    def dealer(self, parameters: Mapping[str, Any]) -> "Dealer":
        """Return what deals by these parameters: see `engine.chance_nodes.Dealer`."""


class Observation(Protocol):
    """`observation.py`, optional: what a learner sees, as named fields of numbers.

    They should say all that `view` says but the list of moves. A game without it shows learners the fields of its state
    that `rules.py` names (`Seen`). Numbers should be between 0 and 1, or at least between -16 and 16; a module with
    larger ones has a BOUND. In a game with actions that name a seat, one per seat from some number on,
    `seat_actions(s)` returns that number, and environments count these seats from the seat to move. A game whose
    observation has changed keeps the first one in `observation_v0.py`, for environments `-v0`.

    `observe_next(s, seat, before, action, out)`, if there is one, makes a batch faster: `out` shows what seat `before`
    observed when it was to move and played this action (and chance what followed); it writes what has changed for
    `seat`, which is to move now. The game is not over.
    """

    @property
    def VERSION(self) -> int:  # noqa: N802
        """The version of the environments that show it: 1, in `observation_v0.py` 0."""

    @property
    def FIELDS(self) -> "tuple[Field, ...]":  # noqa: N802
        """The fields, in order."""

    @property
    def AT(self) -> Mapping[str, int]:  # noqa: N802
        """Where each field begins."""

    @property
    def SIZE(self) -> int:  # noqa: N802
        """How many numbers an observation has."""

    def observe(self, s: State, seat: int, out: "NDArray[np.float32]") -> None:
        """Write what a seat observes; what is not there yet stays 0."""


class Terminal(Protocol):
    """`terminal.py`, optional: the table in text, drawn only from views. Without it the view is listed."""

    @property
    def HOW(self) -> str:  # noqa: N802
        """What to do in this game, in two sentences."""

    def picture(self, views: Sequence[View], names: Sequence[str]) -> "RenderableType":
        """Draw the table, with the hands of those seats open whose views are given."""

    def meaning(self, view: View, offer: Offer) -> str:
        """Say in a few words what a legal move would do; an outcome of chance is an offer with only its `word`.

        An offer is for the eyes of the seat to move: for the view of another, say only what its word says.
        """

    def ending(self, view: View, names: Sequence[str]) -> list[str]:
        """Say who has won and how the score came about."""


class Counts(Protocol):
    """`counts.py`, optional: what reports count besides wins, length and lead."""

    @property
    def PIECES(self) -> "Pieces":  # noqa: N802
        """What seats take or do, counted from the events; pieces that may stay unused; what the deal brings."""


@dataclass(frozen=True)
class GameModules:
    """The two modules that every game has. `engine.ready_made` has functions that many games need."""

    rules: Rules
    people: People
    seen: Seen | None = None
    """The module `rules` again, if there is no `observation`, for mypy to compare with `Seen`."""


@dataclass(frozen=True)
class Parts:
    """The optional modules of a game, for mypy to compare with the contract. Nothing reads it at run time."""

    bots: Bots | None = None
    network: Network | None = None
    """The module `bots` again, if it has the names for a network."""
    recipes: Recipes | None = None
    observation: Observation | None = None
    chance: ChanceNodes | None = None
    terminal: Terminal | None = None
    counts: Counts | None = None
    seen: Seen | None = None
    """The module `rules` again, if there is no `observation`."""
    styles: Styles | None = None


def one_of_each(data: Any, *keys: str) -> dict[str, Any]:
    """Return a record's deal if it is an object with exactly these keys; ValueError if not."""
    if not isinstance(data, dict) or set(data) != set(keys):
        raise ValueError(f"deal must be an object with exactly: {', '.join(keys)}")
    return data
