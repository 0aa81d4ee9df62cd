"""A game being played: `new` makes one, `Game` plays it."""

import copy
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from tavolino.engine import kernels
from tavolino.engine.contract import Event, History, Offer, Plain, Refusal
from tavolino.engine.phrases import counted
from tavolino.engine.plain import bits, copied
from tavolino.engine.viewers import ALL_HANDS, SPECTATOR
from tavolino.play import text
from tavolino.play.advice import Advice
from tavolino.play.seeds import Seed, check_seed, fresh_seed, streams
from tavolino.play.setup import Setup, read_setup

FORMAT = "tavolino/1"


class IllegalMove(ValueError):
    """A move that cannot be played now; the message says why in English, and nothing has changed."""

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(message)
        self.refusal = refusal
        """The rule that forbids it, as data; None if it is no rule of the game that does."""


class _Behind(NamedTuple):
    """What the deal of a redealt game is found from."""

    begun: kernels.States
    """The state before the first move of the game that was redealt."""
    states: kernels.States
    """The redealt state."""
    seat: int | None
    """For whom."""
    moves: History
    """The moves before."""


class Game:
    """One game: its deal, the moves so far, and what follows from them by the rules.

    Made by `new` or `replay`. A game made by `new` rolls its own dice after each move; one made by `replay` waits
    for them (`chance_due`).
    """

    def __init__(self, setup: Setup, begun: kernels.States, seed: Seed | None, own_chance: bool) -> None:
        self._setup = setup
        self._people = setup.game.people
        self._start: kernels.States | None = begun  # the state before the first move, unless it is still to be found
        self._behind: _Behind | None = None  # what it is found from
        self._states = copied(begun)
        self._history: History = []
        self._seed = seed
        self._own_chance = own_chance
        self._given = 0  # how many moves it was taken up with: they cannot be taken back
        self._turn: tuple[int, bool] | None = None  # who is to move (-1: nobody) and whether it is over, when known
        self._free: int | None = None  # what `may_undo` counted, until the next move
        self._seen: Plain | None = None  # the state read into plain numbers, until the next move
        self.options = setup.options
        self.players = setup.players
        """The number of seats."""
        self.first = int(begun["first"][0])
        """The seat that started."""

    def __repr__(self) -> str:
        whose = "over" if self.over else "chance due" if self.chance_due else f"seat {self.to_move} to move"
        return f"<Game {self.key}, {self.players} players, {counted(len(self._history), 'move')}, {whose}>"

    def __getstate__(self) -> dict[str, Any]:
        """Return what is to be pickled: no module, and of a redealt game nothing that was hidden."""
        kept = {**self.__dict__, "_start": self._begun, "_behind": None, "_seen": None}
        del kept["_people"]
        return kept

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._people = self._setup.game.people

    @property
    def _begun(self) -> kernels.States:
        """The state before the first move; of a redealt game, found when it is needed."""
        if self._start is None:
            assert self._behind is not None
            read, (begun, states, seat, moves) = self._setup.game.read, self._behind
            deal = self._people.deal_behind(read(states), read(begun), seat, moves)
            self._start, self._behind = begin(self._setup, self.first, deal), None
        return self._start

    def _look(self) -> Plain:
        if self._seen is None:
            self._seen = self._setup.game.read(self._states)
        return self._seen

    @property
    def setup(self) -> Setup:
        """What is played: game, players, options, who starts."""
        return self._setup

    @property
    def key(self) -> str:
        """The game's key."""
        return self._setup.key

    @property
    def seed(self) -> Seed | None:
        """The seed that all chance is derived from; None for a replayed game that has not needed one."""
        return self._seed

    @property
    def moves(self) -> list[str]:
        """All moves so far, including chance."""
        return [word for _, word in self._history]

    @property
    def movers(self) -> list[int | None]:
        """Who made each of the moves; None for chance."""
        return [None if seat < 0 else seat for seat, _ in self._history]

    @property
    def to_move(self) -> int | None:
        """The seat to move; None when chance is due or the game is over."""
        player, _ = self._turn or self._now()
        return None if player < 0 else player

    @property
    def chance_due(self) -> bool:
        """Whether dice must be rolled before anyone can move."""
        player, over = self._turn or self._now()
        return player < 0 and not over

    @property
    def dice_typed(self) -> bool:
        """Whether people roll real dice now and type in what they show."""
        return self.to_move is not None and not any(self._legal())

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        _, over = self._turn or self._now()
        return over

    def _now(self) -> tuple[int, bool]:
        """Who is to move (-1: nobody) and whether it is over; kept in `_turn`."""
        if self._seen is not None:
            self._turn = self._seen.player, bool(self._seen.over)
        else:
            self._turn = int(self._states["player"][0]), bool(self._states["over"][0])
        return self._turn

    def _legal(self) -> Sequence[int]:
        """The masks of the legal actions."""
        masks: Sequence[int] = self._seen.legal if self._seen is not None else self._states["legal"][0].tolist()
        return masks

    @property
    def legal_moves(self) -> list[str]:
        """All legal words for the seat to move; none when `to_move` is None."""
        if self.to_move is None:
            return []
        words = self._people.WORDS
        found = [words[64 * i + bit] for i, mask in enumerate(self._legal()) for bit in bits(mask)]
        return found or self._setup.game.rolls.copy()

    @property
    def offers(self) -> list[Offer]:
        """The legal moves, each with what would follow as far as the seat to move can see: for its eyes only.

        >>> game = new(KEY, players=2, seed=1)
        >>> [offer["word"] for offer in game.offers] == game.legal_moves
        True
        """
        found: list[Offer] = [] if self.to_move is None else self._people.offers(self._look())
        return found

    def offer_of(self, word: str) -> Offer:
        """Return the offer of a legal move; for dice, only their word."""
        return next((offer for offer in self.offers if offer["word"] == word), {"word": word})

    @property
    def scores(self) -> list[int]:
        """The score of each seat so far."""
        found = np.empty(self.players, np.int64)
        kernels.scores_one(self._states, found)
        return found.tolist()

    @property
    def winners(self) -> list[int] | None:
        """The seats that have won; None while the game goes on."""
        return bits(self._states["winners"][0]) if self.over else None

    @property
    def ending(self) -> str | None:
        """How the game ended; None while it goes on."""
        return str(self._people.ENDINGS[self._states["ending"][0]]) if self.over else None

    def play(self, word: str) -> None:
        """Play a move for the seat to move, or a roll that is due.

        >>> game = new(KEY, seed=1)
        >>> game.play("nonsense")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        tavolino.play.game.IllegalMove: 'nonsense' is not a move of ...; moves are written ...
        """
        action = self.action_of(word)
        self._apply(action, word)
        if self._own_chance:
            while self.chance_due:
                self.roll()

    def tell(self, word: str) -> list[Event]:
        """Play a move like `play`; return what it did, and what any dice rolled after it did, in order.

        Secrets are under `secret`, with the seat they belong to; `events_for` returns what a seat may hear.
        """
        people, action, before = self._people, self.action_of(word), self._look()
        free = self.may_undo(self.to_move)
        self._apply(action, word)
        now = self._look()
        events = people.happened(before, word, now)
        self._free = 0 if people.settled(before, now) else free + 1
        while self._own_chance and now.player < 0 and not now.over:
            before, word = now, self.roll()
            now = self._look()
            events += people.happened(before, word, now)
        if now.over:
            events.append({"type": "game_over", "winners": self.winners, "ending": self.ending, "scores": self.scores})
        return events

    def after(self, word: str) -> tuple["Game", list[str], list[Event]]:
        """Return the game after a move, the words played (with any dice), and the events, as `tell` returns them.

        This game does not change.
        """
        self._look()  # once for both
        twin = self.copy()
        events = twin.tell(word)
        return twin, [made for _, made in twin._history[len(self._history) :]], events

    def action_of(self, word: str) -> int:
        """Return the number of a legal move; IllegalMove says why it is not legal."""
        action = self._setup.game.actions.get(word) if isinstance(word, str) else None
        if action is None:
            slip = self._people.slip(word) if isinstance(word, str) else None
            written = f"moves are written {self._people.NOTATION}"
            if slip is None:
                raise IllegalMove(f"{word!r} is not a move of {self._setup.game.title}; {written}")
            raise IllegalMove(f"{word}: {text.refused(self._setup.game, slip)}; {written}", slip)
        if self.over:
            raise IllegalMove(f"{word}: the game is over")
        legal = self._legal()
        if action >= self._setup.game.rules.ROLLED:
            fits = not any(legal)
        else:
            fits = bool(legal[action >> 6] >> (action & 63) & 1)
        if not fits:
            why = self._people.why_not(self._look(), word)
            raise IllegalMove(f"{word}: {text.refused(self._setup.game, why)}", why)
        return int(action)

    def word_of(self, action: int) -> str:
        """Return the word of an action's number."""
        return str(self._people.WORDS[action])

    def roll(self) -> str:
        """Roll the dice that are due, drawn from the seed; return the roll as a move."""
        if not self.chance_due:
            raise IllegalMove("roll: no dice are due now")
        if self._seed is None:
            self._seed = fresh_seed()
        number = sum(seat < 0 for seat, _ in self._history)
        names = (f"dice/{seat}/{number}" for seat in range(self.players))
        action = int(kernels.chance_one(self._states, streams(self._seed, self.key, names)))
        word = self.word_of(action)
        self._apply(action, word)
        return word

    def _apply(self, action: int, word: str) -> None:
        mover, _ = self._turn or self._now()
        kernels.apply_one(self._states, action)
        self._history.append((mover, word))
        self._changed()

    def _changed(self) -> None:
        """Forget what was known of the previous state."""
        self._turn = self._free = self._seen = None

    def play_all(self, words: list[str]) -> int:
        """Play many moves and rolls; return how many were played: all, or those before the first that is not legal.

        No dice are rolled: the rolls must be among the words.
        """
        actions: list[int] = []
        for word in words:
            action = self._setup.game.actions.get(word) if isinstance(word, str) else None
            if action is None:
                break
            actions.append(action)
        movers = np.empty(len(actions), np.int64)
        played = int(kernels.play_all(self._states, np.array(actions, np.int64), self._setup.game.rules.ROLLED, movers))
        self._history += zip(movers[:played].tolist(), words[:played], strict=True)
        self._changed()
        return played

    def undo(self) -> None:
        """Take back the last move and any dice rolled automatically after it. Played again, it meets the same dice."""
        moves = self._history
        keep = len(moves)
        if self._own_chance:
            while keep and moves[keep - 1][0] < 0:
                keep -= 1
        if keep <= self._given:
            raise IllegalMove("there is no move to take back")
        words = [word for _, word in moves[: keep - 1]]
        self._states = copied(self._begun)
        self._history = []
        self._changed()
        self.play_all(words)

    def may_undo(self, seat: int | None) -> int:
        """Return how many moves a seat may take back now, one by one.

        They are its own latest moves, with no other move and no dice after them, back to the last one that cannot be
        taken back because it revealed something hidden, rolled dice or ended the game. `undo` itself takes back
        any move.
        """
        self._check_seat(seat)
        if not self._history or self._history[-1][0] != seat:
            return 0
        if self._free is None:
            begin = len(self._history)
            while begin > self._given and self._history[begin - 1][0] == seat:
                begin -= 1
            twin = Game(self._setup, self._begun, None, False)
            twin.play_all([word for _, word in self._history[:begin]])
            self._free = 0
            for _, word in self._history[begin:]:
                before = twin._look()
                twin._apply(self._setup.game.actions[word], word)
                self._free = 0 if self._people.settled(before, twin._look()) else self._free + 1
        return self._free

    def copy(self) -> "Game":
        """Return an independent copy of the game."""
        twin = copy.copy(self)  # all it knows of the state holds for its own copy too
        twin.options = self.options.copy()
        twin._states = copied(self._states)
        twin._history = self._history.copy()
        return twin

    def taken_up(self, seed: Seed | None = None) -> "Game":
        """Return the game to be played on from here: it rolls its own dice from `seed`, and keeps the moves so far."""
        twin = self.copy()
        twin._seed, twin._own_chance, twin._given, twin._free = check_seed(seed), True, len(self._history), None
        while twin.chance_due:
            twin.roll()
        return twin

    def earlier(self, moves: int) -> "Game":
        """Return the game as it was after so many moves."""
        twin = Game(self._setup, self._begun, self._seed, self._own_chance)
        twin.play_all([word for _, word in self._history[:moves]])
        return twin

    def view(self, seat: int | None) -> dict[str, Any]:
        """Return what a seat may know, as plain data; `None` is a spectator, who knows nothing private."""
        self._check_seat(seat)
        return {
            "game": self.key,
            "seat": seat,
            "seats": self.players,
            "options": self.options.copy(),
            "first": self.first,
            **self._standing(),
            "moves": self.moves,
            **self._people.open_view(self._look()),
            **self._people.own_view(self._look(), seat),
        }

    def position(self, seat: int | None) -> dict[str, Any]:
        """Return the part of a view that a move can change, without the list of moves."""
        return {**self.open_position(), **self.own_position(seat)}

    def open_position(self) -> dict[str, Any]:
        """Return the part of a position that everyone may know."""
        return {**self._standing(), **self._people.open_view(self._look())}

    def own_position(self, seat: int | None) -> dict[str, Any]:
        """Return the part of a position that only a seat may know."""
        self._check_seat(seat)
        own: dict[str, Any] = self._people.own_view(self._look(), seat)
        return own

    def _standing(self) -> dict[str, Any]:
        player, over = self._turn or self._now()
        return {
            "to_move": None if player < 0 else player,
            "chance_due": player < 0 and not over,
            "over": over,
            "scores": self.scores,
            "winners": self.winners,
            "ending": self.ending,
        }

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.players):
            raise ValueError(f"seat must be from 0 to {self.players - 1}, or None for a spectator, not {seat!r}")

    def redeal(self, seat: int | None, seed: Seed | None = None) -> "Game":
        """Return a game sampled uniformly from all those that look the same to a seat.

        What the seat cannot know from the deal and the public moves is dealt anew. The result waits for its dice like
        a replayed game.
        """
        return self.in_world(self.redealt_state(seat, check_seed(seed)), seat)

    def in_world(self, states: kernels.States, seat: int | None) -> "Game":
        """Return this game in another world; `states` must be its state, redealt for the seat."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._start, twin._behind = None, _Behind(self._begun, copied(states), seat, self._history.copy())
        twin._states, twin._history, twin.options = copied(states), self._history.copy(), self.options.copy()
        twin._seed, twin._own_chance = None, False
        twin._changed()
        return twin

    def redealt_state(self, seat: int | None, seed: Seed) -> kernels.States:
        """Return the bare state (one record in an array) of such a game, for bots that search.

        The same seed gives the same bytes in all games that look the same to the seat.
        """
        self._check_seat(seat)
        states = copied(self._states)
        rng = streams(seed, self.key, ("redeal",))
        kernels.redeal_one(states, SPECTATOR if seat is None else seat, rng)
        return states

    def open_state(self, seed: Seed) -> kernels.States:
        """Return the bare state with all hands as they are; only what is still to be drawn is dealt anew.

        For those who look at a game from outside, such as a review; never for a seat.
        """
        states = copied(self._states)
        kernels.redeal_one(states, ALL_HANDS, streams(seed, self.key, ("redeal",)))
        return states

    def bare_state(self) -> kernels.States:
        """Return a copy of the bare state, with everything that is hidden: for programs that play all seats."""
        return copied(self._states)

    def final_state(self) -> Any:
        """Return the bare state of a game that is over, when nothing is secret any more."""
        if not self.over:
            raise ValueError("the game is not over")
        return self._states[0]

    def advice(self, seat: int, *, tries: int | None = None, seed: Seed = 0) -> list[Advice]:
        """Return the best moves for the seat to move, best first, with its chance of winning against equals, and why.

        It uses only what the seat may know. `tries` is how many tries the search makes; the same number and seed give
        the same advice. ValueError if it is not the seat's move.
        """
        bots = import_module("tavolino.bots.advice")  # it stands above this layer: imported when it is asked for
        found: list[Advice] = bots.advice(self, seat, tries, seed)
        return found

    def record(self) -> dict[str, Any]:
        """Return the whole game as an object that can be written as JSON: deal, moves, result."""
        return {
            "format": FORMAT,
            "game": self.key,
            "seats": self.players,
            "options": self._setup.chosen,
            "first": self.first,
            "deal": self._people.write_deal(self._setup.game.read(self._begun)),
            "moves": self.moves,
            "scores": self.scores,
            "winners": self.winners,
        }


def new(
    game: str, players: int | None = None, seed: Seed | None = None, *, first: int | None = None, **options: Any
) -> Game:
    """Deal a new game; the same seed deals the same game on any machine and in any version.

    >>> new(KEY, players=3, seed=7).view(0) == new(KEY, players=3, seed=7).view(0)
    True
    """
    return deal(read_setup(game, players, options, first), seed)


def deal(setup: Setup, seed: Seed | None = None) -> Game:
    """Deal a new game of a setup, as `new` does."""
    seed = check_seed(seed)
    rules = setup.game.rules
    states = np.zeros(1, rules.STATE)
    kernels.deal_one(states, setup.players, setup.starter, setup.codes, streams(seed, setup.key, rules.STREAMS))
    made = Game(setup, states, seed, own_chance=True)
    while made.chance_due:
        made.roll()
    return made


@cache
def own_fields(key: str) -> list[str]:
    """Return the fields of a game's view that only a seat may know."""
    return list(new(key, seed=0).own_position(None))


def begin(setup: Setup, first: int, deal: Any) -> kernels.States:
    """Return the state before the first move, from the deal of a record; ValueError says what is wrong with it."""
    states = np.zeros(1, setup.game.rules.STATE)
    for name, value in setup.game.people.read_deal(deal, setup.players, setup.options).items():
        states[name] = value
    kernels.start_one(states, setup.players, first)
    return states
